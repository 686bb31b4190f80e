"""The command line: the window, or the same labs without one."""

import os

# Before numpy is imported. Threads of matrix products wait for each other by spinning: the many
# small matrices of a simulation take thirty times as long with two of them as with one.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from dpstudio.cli.commands import main

__all__ = ["main"]
