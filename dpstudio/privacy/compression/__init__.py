"""Compressive privacy: projections that keep one label and lose another, and who looks through."""
