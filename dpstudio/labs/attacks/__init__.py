"""Labs that attack what is promised."""
