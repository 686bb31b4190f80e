"""The other dial: tables whose rows hide among others of the same quasi-identifiers. Codes in,
classes out; a table is `codes` of shape (rows, columns), integers from 0."""
