"""Widgets, look and translation."""
