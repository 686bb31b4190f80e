"""Asks once, when a table is opened, who a person is, where a column looks as if it told; then says
what it costs that each keeps so many rows: on one page, and with a mark at the table from then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import QObject, QTimer, SignalInstance

from dpstudio.data.dataset import Dataset
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.state.jobs import Jobs, Work
from dpstudio.gui.state.store import Store
from dpstudio.gui.table.describing import Describer
from dpstudio.labs.person_question import asked_about
from dpstudio.values.messages import N_, Message, say

Found = tuple[Dataset, str, Message | None]


class PersonBar(QObject):
    """The columns are looked at in the background; the question waits until the bar is free of what
    is graver, and goes once it is answered, here or elsewhere. What was noted of the file comes
    after it. `look_at(column)` shows what it costs."""

    def __init__(
        self,
        store: Store,
        jobs: Jobs,
        window: Window,
        describer: Describer,
        look_at: Callable[[str], None],
        turned: SignalInstance,
        parent: QObject,
    ):
        super().__init__(parent)
        self.store, self.describer = store, describer
        self.bar, self.top = window.message, window.top
        self.look_at = look_at
        self.channel = jobs.channel("person")
        self.channel.value.connect(self._on_found)
        self.column = ""
        self._text = self._told = self._cost = ""
        self._costs: tuple[str, int] | None = None  # of which unit of privacy
        self._note: Callable[[], None] | None = None
        self.bar.left.connect(self._on_left)
        store.changed.connect(self._on_change)
        turned.connect(lambda *_: self.bar.unsay(self._cost))

    def look(self) -> None:
        """Ask of the table that was opened, where there is something to be asked."""
        data, self.column, self._told = self.store.data, "", ""
        self._note = self._costs = None
        self.top.remind("")
        if data is None or data.codebook.answered:
            return

        def job(_: Work) -> Iterator[Found]:
            yield data, asked_about(data), None

        self.channel.submit(job, cancel=True)
        QTimer.singleShot(0, self._hold)  # what is noted of the file is said in this very event

    def _hold(self) -> None:
        """Let what was noted wait, so that nothing comes that goes at once."""
        if self.channel.busy and self.bar.note:
            self._note = self.bar.standing
            self.bar.say("")

    def _on_found(self, found: Found) -> None:
        data, column, cost = found
        if data is not self.store.data:
            return
        if cost is not None:
            self.top.remind(shown(cost))
            self._cost, self._costs = shown(cost), self._unit()
            if not self.bar.busy or self.bar.note:
                look = partial(self.look_at, column)
                self.bar.say(self._cost, tr(N_("Look …")), look, "warn")
            return
        self.column = column
        self._ask()
        self._tell_note()

    def _ask(self) -> None:
        if not self.column or (self.bar.busy and not self.bar.note):
            return
        if self.bar.note:
            self._note = self.bar.standing
        column = self.column
        text = N_(
            "“{column}” seems to tell persons apart, and some have several rows. Who is a person?"
        )
        self._text = shown(say(text, column=column))
        yes = shown(say("“{column}” says who", column=column))
        self.bar.say(self._text, yes, partial(self._answer, column), "warn")
        self.bar.offer(tr(N_("Each row is a person")), partial(self._answer, ""))

    def _tell_note(self) -> None:
        if self._note is not None and not self.bar.busy:
            note, self._note = self._note, None
            note()

    def _on_left(self) -> None:
        """It was answered, or closed; another message hid it, and it stands there again."""
        if self._text and self.bar.text.text() == self._text:
            self.column = ""
        self._ask()
        if not self._told:
            self._tell_note()

    def _answer(self, column: str) -> None:
        self._told = column
        self.describer.describe(
            lambda book: book.with_person(column) if column else book.with_each_row()
        )

    def _unit(self) -> tuple[str, int]:
        """Who is a person, and how many rows each keeps."""
        book = self.store.state.codebook
        return book.person, book.most

    def _on_change(self, store: Store) -> None:
        if self._costs not in (None, self._unit()):
            self._costs = None
            self.top.remind("")
            self.bar.unsay(self._cost)
            self._tell_note()
        if not store.state.codebook.answered:
            return
        self.column = ""
        if self._text and self.bar.text.text() == self._text:
            self.bar.say("")
        if self._told and self._told == store.state.codebook.person:
            data, column, self._told = store.data, self._told, ""
            assert data is not None

            def job(_: Work) -> Iterator[Found]:
                from dpstudio.labs.start.data.cap import judged

                yield data, column, judged(data.persons(column), data.contributions)

            self.channel.submit(job, cancel=True)
