"""Labs about what texts say."""
