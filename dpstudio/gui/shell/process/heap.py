"""How the process keeps memory: set so that what is let go of comes back."""

import ctypes
import os
import sys

# One heap for the thread of the window and one for all others. The GNU C library gives each thread
# its own, up to eight a core, and whole arrays of tables that are gone stayed in every one of them:
# 16 MB more after each round of all tables and pages, without end.
HEAPS = 2
# Blocks from 4 MB on are mapped alone and go back as soon as they are free. numpy asks the kernel
# for huge pages for arrays from that size on; inside a heap that wish stays with the addresses, and
# the kernel fills them up again, with whole huge pages, long after the arrays are gone. Without a
# fixed size the library lets it grow to 32 MB.
ALONE = 4 << 20
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8  # of malloc.h


def share_heaps() -> None:
    """Let threads share heaps, and Arrow use them; its own keeps what it once had. To be called
    before Arrow is imported and before there are threads that work; does nothing where there is no
    GNU C library."""
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "mallopt"):
        libc.mallopt(_M_ARENA_MAX, HEAPS)
        libc.mallopt(_M_MMAP_THRESHOLD, ALONE)
        libc.mallopt(_M_TRIM_THRESHOLD, 2 * ALONE)  # as the library itself keeps the two
