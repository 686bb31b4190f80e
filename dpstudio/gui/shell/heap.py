"""How the process keeps memory: set so that what is let go of comes back."""

from __future__ import annotations

import ctypes
import os
import sys

# One heap for the thread of the window and one for all others. The GNU C library gives each thread
# its own, up to eight a core, and whole arrays of tables that are gone stayed in every one of them:
# 16 MB more after each round of all tables and pages, without end.
HEAPS = 2
_M_ARENA_MAX = -8  # of malloc.h


def share_heaps() -> None:
    """Let threads share heaps, and Arrow use them; its own keeps what it once had. To be called
    before Arrow is imported and before there are threads that work; does nothing where there is no
    GNU C library."""
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "mallopt"):
        libc.mallopt(_M_ARENA_MAX, HEAPS)
