"""Many owners of rows, or many people: what they compute together, whom they trust, what it costs."""
