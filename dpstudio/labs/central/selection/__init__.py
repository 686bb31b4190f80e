"""The lab selection."""
