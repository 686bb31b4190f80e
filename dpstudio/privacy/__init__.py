"""Mechanisms, queries, local protocols, composition: the mathematics, one file a family member."""
