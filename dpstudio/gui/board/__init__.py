"""Charts, tables and numbers on the screen."""
