"""The lab guarantee."""
