"""The lab profile."""
