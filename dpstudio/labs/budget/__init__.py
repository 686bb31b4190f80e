"""Labs about many answers and what ε means."""
