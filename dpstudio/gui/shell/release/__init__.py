"""The release desk and the page of a ledger: what leaves, what it costs, and what left before."""
