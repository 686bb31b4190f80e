"""Asking a classifier how sure it is until a class shows."""
