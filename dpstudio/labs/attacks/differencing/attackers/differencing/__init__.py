"""A total with one person and one without."""
