"""Charts as plain data, shared by screen and export."""
