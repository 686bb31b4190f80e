"""Models that learn from arrays under a promise: pure functions, whose chance is handed in."""
