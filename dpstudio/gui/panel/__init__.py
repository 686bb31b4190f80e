"""Side panels and their editors."""
