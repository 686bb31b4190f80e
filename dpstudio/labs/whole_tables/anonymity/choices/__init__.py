"""The families of Anonymity: what a class must be, and hierarchies that are written."""
