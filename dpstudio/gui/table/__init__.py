"""Opening a table, and its page."""
