"""Rules of a query console, and a tracker around them."""
