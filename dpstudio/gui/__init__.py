"""The window. Qt stays here."""
