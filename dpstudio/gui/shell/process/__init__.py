"""How the process keeps its memory."""
