"""Labs of the group Models: what ε costs a model."""
