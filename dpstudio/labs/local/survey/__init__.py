"""The lab survey."""
