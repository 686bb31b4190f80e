"""The lab clipping."""
