"""What can be done to a column."""
