"""Finding somebody in a table without names by a few ratings."""
