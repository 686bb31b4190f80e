"""The lab sensitivity."""
