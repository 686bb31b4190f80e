"""The lab audit."""
