"""The lab story."""
