"""The lab composition."""
