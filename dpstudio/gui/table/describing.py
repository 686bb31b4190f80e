"""What is known of a table is told to the store; what decides which rows there are, and how they
read, is worked out in the background first."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, Signal

from dpstudio.data.codebook import Codebook
from dpstudio.gui.state.jobs import Jobs, Work
from dpstudio.gui.state.store import Store
from dpstudio.values.params import ParamError

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
        if wanted.reading == book.reading:
            self.store.describe(wanted)
            return

        def job(_: Work) -> Iterator[Change]:
            described = data.described(wanted)
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
