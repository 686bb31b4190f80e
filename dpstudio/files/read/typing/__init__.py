"""Columns of words as columns of one type."""
