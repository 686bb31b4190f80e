"""Each column at one height of its hierarchy: the search, its lattice, and hierarchies as trees."""
