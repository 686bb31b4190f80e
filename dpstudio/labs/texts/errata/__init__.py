"""The lab errata."""
