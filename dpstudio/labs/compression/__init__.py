"""Labs that hide by projecting."""
