"""Labs of the group Nobody is trusted: what if no one may hold the table."""
