"""The window, its pages and menus, and what ties them."""
