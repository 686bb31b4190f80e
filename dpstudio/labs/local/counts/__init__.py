"""The lab counts."""
