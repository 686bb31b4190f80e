"""What would be published: measurements, their budget, the law of the published error."""
