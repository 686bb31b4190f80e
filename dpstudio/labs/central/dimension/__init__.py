"""The lab dimension."""
