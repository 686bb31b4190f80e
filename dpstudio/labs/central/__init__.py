"""Labs in which a trusted collector answers."""
