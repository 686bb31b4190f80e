"""Bytes of any file to a table: certain, uncertain (with the choices that settle it), or refused
with a sentence."""
