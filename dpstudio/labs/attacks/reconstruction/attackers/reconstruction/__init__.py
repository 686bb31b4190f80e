"""Counts of random groups, solved for everybody's bit."""
