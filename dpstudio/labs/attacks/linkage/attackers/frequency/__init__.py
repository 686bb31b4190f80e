"""Codes of a column that is encrypted word by word, by how often each comes."""
