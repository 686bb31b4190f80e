"""Whole tables with a promise: how they are measured, mended and drawn. Arrays in, arrays out; a
table is `codes` of shape (rows, columns), integers from 0 to the column's `sizes` − 1."""
