"""Charts, numbers and reports to files."""
