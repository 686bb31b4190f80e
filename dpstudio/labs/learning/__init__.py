"""Labs of models learnt under a promise."""
