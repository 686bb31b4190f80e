"""Solving a published table of seven people, line by line."""
