"""Files that were dropped on the window, or pasted."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from dpstudio.files.read.outcome import quoted
from dpstudio.gui.parts.tr import shown
from dpstudio.values.messages import N_, Num, say


def one_of(paths: Sequence[str], open_: Callable[[str], None], tell: Callable[..., None]) -> None:
    """Open the file that was dropped or pasted. Of several none is opened, as only one can be: they
    are named, with a button for the first."""
    if len(paths) == 1:
        open_(paths[0])
        return
    names = [Path(path).name for path in paths]
    text = N_("Of {n} {n:file|files} only one is opened at a time: {names}. None was opened.")
    told = shown(say(text, n=Num(len(names)), names=quoted(", ".join(names), 200)))
    tell(told, shown(say("Open {name}", name=names[0])), partial(open_, paths[0]), "warn")
