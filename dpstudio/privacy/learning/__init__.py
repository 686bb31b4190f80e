"""Models learnt under a promise: arrays in, arrays out; a leading axis stands for seeds."""
