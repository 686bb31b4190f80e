"""Two neighbours through one mechanism: the pair of laws, and what an attacker can make of it."""
