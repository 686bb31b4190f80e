"""Labs in which a table becomes a model."""
