"""`dpstudio desktop`: the program among others on a desktop of Linux."""

import sys

from dpstudio.cli import parsing
from dpstudio.files.desktop_entry import remove, write
from dpstudio.values.messages import N_, say

_NO_DESKTOP = N_(
    "This is for desktops of Linux. Here make a shortcut to the program, and choose it where the "
    "system asks what opens a .dpstudio or a .dptalk."
)


def put_or_removed(words: list[str]) -> int:
    """Tell the desktop of this person of the program, or take that back."""
    given = parsing.desktop_parser().parse_args(words)
    if sys.platform in ("win32", "darwin"):
        raise parsing.UsageError(say(_NO_DESKTOP))
    for path in remove() if given.remove else write():
        print(path)
    return 0
