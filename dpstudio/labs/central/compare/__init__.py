"""The lab compare."""
