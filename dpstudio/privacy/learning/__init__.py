"""Models learnt under privacy: arrays in, arrays out."""
