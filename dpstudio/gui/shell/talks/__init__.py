"""Talks and lessons: opened, made, gone through, presented, saved."""
