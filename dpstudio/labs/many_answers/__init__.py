"""Labs of the group Many answers: what they cost together."""
