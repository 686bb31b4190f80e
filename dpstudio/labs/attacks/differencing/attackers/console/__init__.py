"""A console on one's own table, and what its answers give away."""
