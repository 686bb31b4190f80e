"""Labs of the group The promise: what can be learnt about a person."""
