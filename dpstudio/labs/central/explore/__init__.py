"""The lab explore."""
