"""dpstudio: a desktop studio in which people see the trade between privacy and utility."""

__version__ = "0.1.0"
