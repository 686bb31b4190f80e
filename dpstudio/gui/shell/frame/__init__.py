"""The window around the pages: its bars, columns, menus, and what is found in it."""
