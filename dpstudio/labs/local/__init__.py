"""Labs in which nobody is trusted."""
