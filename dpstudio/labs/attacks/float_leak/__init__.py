"""The lab float_leak."""
