"""Many owners of rows, or many people: what they work out together, and whom they trust."""
