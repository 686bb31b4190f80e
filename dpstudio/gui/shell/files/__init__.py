"""What is opened, saved, copied and printed."""
