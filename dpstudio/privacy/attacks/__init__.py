"""Mechanisms right and wrong as subjects of an attack, and what their outputs alone prove."""
