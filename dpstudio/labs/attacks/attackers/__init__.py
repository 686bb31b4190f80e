"""What labs of several attackers share."""
