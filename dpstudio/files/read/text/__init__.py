"""Delimited text: how it is parted into rows and cells."""
