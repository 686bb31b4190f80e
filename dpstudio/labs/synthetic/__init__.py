"""Labs that make whole tables with a promise."""
