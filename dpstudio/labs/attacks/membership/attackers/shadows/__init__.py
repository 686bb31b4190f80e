"""Whether a model learnt from somebody, by its losses."""
