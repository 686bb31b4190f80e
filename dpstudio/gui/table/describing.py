"""What is known of a table is told to the store; what decides which rows there are, and how they
read, is worked out in the background first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from dpstudio.data.codebook import About, Codebook
from dpstudio.gui.state.jobs import Jobs, Work
from dpstudio.gui.state.shared_settings import retold
from dpstudio.gui.state.store import Store
from dpstudio.labs.role_columns import same_roles
from dpstudio.values.parameters import ParamError, put

Change = Callable[[Codebook], Codebook]


class Describer(QObject):
    """`failed(error)`: what could not be told."""

    failed = Signal(object)

    def __init__(self, store: Store, jobs: Jobs, parent: QObject):
        super().__init__(parent)
        self.store = store
        self.channel = jobs.channel("describe")
        self.channel.value.connect(self._on_described)
        self.channel.failed.connect(self.failed)

    def describe(self, change: Change) -> None:
        """Change the codebook of the open table."""
        data, book = self.store.data, self.store.state.codebook
        if data is None:
            return
        wanted = change(book)
        # Other roles fit labs anew, which asks a large table much.
        fits = self.store.at_hand is None and not same_roles(data, book, wanted)
        if wanted.reading == book.reading and not fits:
            self.store.describe(wanted)
            return
        labs = self.store.shown_labs() if fits else ()

        def job(_: Work) -> Iterator[Change]:
            described = data.described(wanted)
            for lab in labs:
                retold(lab, data, described)  # what it asks is remembered
            # What is said of it is counted here.
            assert described.unowned is not None
            yield change

        self.channel.submit(job)

    @property
    def busy(self) -> bool:
        """Whether something is still to be told."""
        return self.channel.busy

    def cancel(self) -> None:
        """Tell nothing more: another table comes."""
        self.channel.cancel()

    def _on_described(self, change: Change) -> None:
        try:
            self.store.describe(change(self.store.state.codebook))
        except ParamError as error:
            self.failed.emit(error)


class CodebookStore:
    """What the editors need of a store: its `lab` is what is known of one column. `ask(change)`
    changes the codebook."""

    def __init__(self, store: Store, ask: Callable[[Change], None]):
        self.store, self._ask = store, ask
        self.column = ""

    @property
    def lab(self) -> About:
        return self.store.state.codebook.about(self.column)

    def set(self, path: str, value: Any, gesture: str | None = None) -> None:
        """Raises ParamError at the path and changes nothing then."""
        if self._dates and path != "type":  # a complaint names dates then, not days
            put(replace(self.lab, type="date"), path, value)
        self.take(put(self.lab, path, value))

    @property
    def _dates(self) -> bool:
        """Whether the column is shown as dates."""
        data = self.store.data
        return data is not None and data.has(self.column) and data.info(self.column).type == "date"

    def take(self, about: About) -> None:
        """Attested bounds of a column that is shown as dates are told as dates: kept as days alone,
        they would say that it holds numbers."""
        column = self.column
        if about.holds == "number" and not about.type and self._dates:
            about = replace(about, type="date")
        self._ask(lambda book: book.with_about(column, about))
