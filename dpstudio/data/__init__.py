"""Tables: columns, what is known of them, conditions, aggregates that are remembered."""
