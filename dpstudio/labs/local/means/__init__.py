"""The lab means."""
