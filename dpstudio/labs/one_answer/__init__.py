"""Labs of the group One answer: how wrong it is."""
