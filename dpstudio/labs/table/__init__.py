"""Pictures of the table itself."""
