"""Files of what was asked and what it cost: of a population, below a cap, and of a user."""
