"""The command line: the window, or the same labs without one."""

from dpstudio.cli import threads
from dpstudio.cli.commands import main

__all__ = ["main", "threads"]
