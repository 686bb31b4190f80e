"""A room of people who answer on their phones."""
