"""What may leave: a plan before it, and a ledger of it."""
