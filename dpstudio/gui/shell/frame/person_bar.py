"""Asks once, when a table is opened, who a person is, where a column looks as if it told."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QObject

from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.frame.message import MessageBar
from dpstudio.gui.state.jobs import Jobs, Work
from dpstudio.gui.state.store import Store
from dpstudio.gui.table.describing import Describer
from dpstudio.labs.person_question import asked_about
from dpstudio.values.messages import N_, say


class PersonBar(QObject):
    """The columns are looked at in the background; the question waits until the bar is free, and
    goes once it is answered, here or elsewhere."""

    def __init__(
        self, store: Store, jobs: Jobs, bar: MessageBar, describer: Describer, parent: QObject
    ):
        super().__init__(parent)
        self.store, self.bar, self.describer = store, bar, describer
        self.channel = jobs.channel("person")
        self.channel.value.connect(self._on_found)
        self.column = ""
        self._text = ""
        bar.left.connect(self._on_left)
        store.changed.connect(self._on_change)

    def look(self) -> None:
        """Ask of the table that was opened, where there is something to be asked."""
        data, self.column = self.store.data, ""
        if data is None or data.codebook.answered:
            return

        def job(_: Work) -> Iterator[str]:
            yield asked_about(data)

        self.channel.submit(job, cancel=True)

    def _on_found(self, column: str) -> None:
        self.column = column
        self._ask()

    def _ask(self) -> None:
        if not self.column or self.bar.busy:
            return
        column = self.column
        text = N_(
            "“{column}” seems to tell persons apart, and some have several rows. Who is a person?"
        )
        self._text = shown(say(text, column=column))
        yes = shown(say("“{column}” says who", column=column))
        self.bar.say(self._text, yes, partial(self._answer, column), "warn")
        self.bar.offer(tr(N_("Each row is a person")), partial(self._answer, ""))

    def _on_left(self) -> None:
        """It was answered, or closed; another message hid it, and it stands there again."""
        if self._text and self.bar.text.text() == self._text:
            self.column = ""
        self._ask()

    def _answer(self, column: str) -> None:
        self.describer.describe(
            lambda book: book.with_person(column) if column else book.with_each_row()
        )

    def _on_change(self, store: Store) -> None:
        if store.state.codebook.answered:
            self.column = ""
            if self._text and self.bar.text.text() == self._text:
                self.bar.say("")
