"""The families of Anonymity: what a class must be, how classes are made."""
