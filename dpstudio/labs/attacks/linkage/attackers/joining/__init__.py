"""Finding rows of one's own table by a few columns, not all known rightly."""
