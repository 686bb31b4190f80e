"""A figure that the program wrote, opened: its page comes back as it was set. What makes one again
is imported when one is opened."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from dpstudio.files.session import PICTURES, Session, SessionError
from dpstudio.gui.parts.tr import shown
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.state.store import Store
from dpstudio.gui.table.opening import Opener
from dpstudio.gui.table.reading import of_session
from dpstudio.labs.question import reads_table
from dpstudio.values.messages import N_, Message, in_turn, say

if TYPE_CHECKING:
    from dpstudio.files.recorded import Recorded


class Figures:
    """`turned(key)` shows the page of a lab."""

    def __init__(
        self, window: Window, store: Store, opener: Opener, turned: Callable[[str], object]
    ):
        self.window, self.store, self.opener, self._turned = window, store, opener, turned

    def opens(self, where: str) -> bool:
        """Bring the page of a figure back, or say why not; False for what is no picture."""
        path = Path(where)
        if path.suffix.lower() not in PICTURES:
            return False
        from dpstudio.files.recorded import recorded

        try:
            held = recorded(path)
        except SessionError as error:
            self.window.say(shown(error.sentence))
            return True
        if self._open(held):
            self._bring(held)
        else:
            self._ask_table(held, path)
        return True

    def _open(self, held: Recorded) -> bool:
        """Whether the table of a figure is the one that is open; of one that left, which tells no
        digest, as far as its name says."""
        data = self.store.data
        if data is None or held.beside:
            return False
        if not reads_table(held.lab):
            return True
        name = Path(data.origin).name or data.name
        return held.digest == data.digest if held.digest else held.table == name

    def _bring(self, held: Recorded) -> None:
        """Turn to the page, as one step that can be undone."""
        from dpstudio.files.again import differs

        data = self.store.data
        assert data is not None
        self.store.turn_to(held.lab)
        self._turned(held.lab.key)
        said = [say("This is {page} as it was for the figure.", page=Message(held.lab.label))]
        said += differs(held, data)
        if held.codebook != data.codebook.public and held.codebook != data.codebook:
            said.append(say("Then something else was told of the columns than now."))
        if held.leaves:
            text = N_("What left is not drawn anew here: dpstudio again FILE looks it up.")
            said.append(say(text))
        self.window.say(shown(in_turn(said)), tone="good" if len(said) == 1 else "warn")

    def _ask_table(self, held: Recorded, path: Path) -> None:
        """Open the table first where it is found; else say which it is."""
        from dpstudio.files.again import table_of

        try:
            if held.beside:
                text = N_("This figure is of two tables: open both, then its page, {page}.")
                raise SessionError(say(text, page=Message(held.lab.label)))
            where = table_of(held, path.parent)
        except SessionError as error:
            self.window.say(shown(error.sentence))
            return
        session = Session(where, held.digest, (held.lab,), held.lab.key, codebook=held.codebook)
        other = say("This figure is of {name}, another table than the one open.", name=held.table)
        do = partial(self.opener.open_session, of_session(session, None, where))
        self.window.say(shown(other), shown(say("Open {name}", name=held.table)), do)
