"""Named questions under one budget, fixed before any answer: what each may cost, and how far off it
will be. Nothing here reads a table."""
