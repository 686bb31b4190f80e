"""Offers to merge spellings of one word, for looking, where the page on the screen asks about a
column that has such; once for each column of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject

from dpstudio.data.codebook import MERGED, Codebook
from dpstudio.data.dataset import Dataset
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.frame.message import MessageBar
from dpstudio.gui.shell.frame.person_bar import PersonBar
from dpstudio.gui.state.jobs import Jobs, Work
from dpstudio.gui.state.store import Store
from dpstudio.labs.spelled_twice import asked_columns, spelled_twice, told_apart
from dpstudio.values.messages import N_

Found = tuple[Dataset, str, str]


class TwinBar(QObject):
    """The columns are looked at in the background; the offer waits until the bar is free but for a
    note, which comes back after it, and until it is known whether who is a person is asked."""

    def __init__(
        self, store: Store, jobs: Jobs, bar: MessageBar, persons: PersonBar, parent: QObject
    ):
        super().__init__(parent)
        self.store, self.bar, self.describer = store, bar, persons.describer
        self._first = persons.channel
        self.channel = jobs.channel("twins")
        self.channel.value.connect(self._on_found)
        self._asked: tuple[object, tuple[str, ...]] = (None, ())
        self._answered = set[tuple[str, str]]()  # the table and its column
        self._found: Found | None = None
        self._text = ""
        self._note: Callable[[], None] | None = None
        bar.left.connect(self._on_left)
        self._first.idle.connect(self._offer)
        store.changed.connect(self._look)

    def apart(self) -> None:
        """They are to be words of their own: that is an answer, too."""
        if (data := self.store.data) is not None:
            self._answered |= {(data.digest, column) for column in data.codebook.merged}

    def _look(self, store: Store) -> None:
        """Look at the columns that this page asks about, where it is another page or table."""
        data = store.data
        columns = () if data is None else tuple(dict.fromkeys(asked_columns(store.lab)))
        if (data, columns) == self._asked:
            return
        if self._asked[0] is not data:
            self._note = None  # of another table
        self._asked, self._found = (data, columns), None
        self.bar.unsay(self._text)
        self._tell_note()
        if data is None or not columns:
            return

        def job(_: Work) -> Iterator[Found]:
            for column in columns:
                if (data.digest, column) in self._answered:
                    continue
                if found := spelled_twice(data, column):
                    yield data, column, shown(told_apart(column, found))
                    return

        self.channel.submit(job, cancel=True)

    def _on_found(self, found: Found) -> None:
        if found[0] is self.store.data:
            self._found = found
            self._offer()

    def _offer(self) -> None:
        if self._found is None or self._first.busy or (self.bar.busy and not self.bar.note):
            return
        if self.bar.note:
            self._note = self.bar.standing
        _, column, self._text = self._found
        self.bar.say(
            self._text, tr(N_("Merge them, for looking")), partial(self._merge, column), "warn"
        )
        self.bar.offer(tr(N_("Leave them apart")), lambda: None)

    def _on_left(self) -> None:
        """It was answered or closed; or another message hid it, and it is offered again."""
        if self._found is not None and self._text and self.bar.text.text() == self._text:
            self._answered.add((self._found[0].digest, self._found[1]))
            self._found = None
        self._offer()
        self._tell_note()

    def _tell_note(self) -> None:
        if self._note is not None and not self.bar.busy:
            note, self._note = self._note, None
            note()

    def _merge(self, column: str) -> None:
        def merged(book: Codebook) -> Codebook:
            return book.with_about(column, replace(book.about(column), type=MERGED, attested=False))

        self.describer.describe(merged)
