"""What people look for and the program is known to have not, with what is nearest to it."""

from functools import lru_cache

from dpstudio.files.assets import asset
from dpstudio.files.language import tr  # it is looked for, and not shown
from dpstudio.gui.shell.frame.ranking import plain_words, stem

_NOTHING = "-"  # where nothing is near


def lacked(typed: str) -> tuple[str, str]:
    """What is missing of what is typed, the longest first, and what is nearest, as the language of
    the window calls it; "" for none."""
    words = _bare(typed)
    for bare, called, nearest in absent():
        if bare in words:
            return called, tr(nearest) if nearest != _NOTHING else ""
    return "", ""


@lru_cache(maxsize=1)
def absent() -> list[tuple[str, str, str]]:
    """The bare words of all that is missing, what it is called, and what is nearest to it. Chinese
    has no spaces: what is missing may stand within a word."""
    lines = asset("find", "absent.txt").read_text(encoding="utf-8").splitlines()
    parts = (line.partition(" = ") for line in lines if line and not line.startswith("#"))
    known = list[tuple[str, str, str]]()
    for nearest, _, called in parts:
        for each in map(str.strip, called.split(",")):
            bare = _bare(each)
            known.append((bare if bare.isascii() else bare.strip(), each, nearest))
    return sorted(known, key=lambda one: -len(one[0]))


def _bare(text: str) -> str:
    """Its words without what bends them, a space before and behind each."""
    return f" {' '.join(map(stem, plain_words(text)))} "
