"""A table whose reading is not certain: the preview, the choices and their steps, until it is
opened or left."""

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from dpstudio.files.asking import shape_of
from dpstudio.files.read.choices import Choices
from dpstudio.gui.parts.theme import Theme
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.table.reading import TableRead
from dpstudio.values.parameters import domains


class Importer(QObject):
    """What was read last stays until another choice has been read.

    `stepped`: what can be undone is another. `made(page)`: the page, which waits to be put into the
    window; `waits(bool)`: whether it has anything to ask. `wanted_so(request, choices)`: it is to
    be read so; `unwanted`: not any more. `accepted(got)`: it is to be opened as it was read.
    """

    stepped = Signal()
    made = Signal(object)
    waits = Signal(bool)
    wanted_so = Signal(object, object)
    unwanted = Signal()
    accepted = Signal(object)

    def __init__(self, theme: Theme, parent: QObject):
        super().__init__(parent)
        self.theme = theme
        self.page: Any = None  # a PreviewPage, whose code is imported when it is first shown
        self.got: TableRead | None = None
        self.shape = ""  # of what is asked about, for files like it
        self.reading = False
        self.wanted = Choices()
        self._shown = Choices()  # what the preview on the screen was read with
        self._open_already = False
        self._past: list[Choices] = []
        self._future: list[Choices] = []

    def ask(self, got: TableRead, now: bool = False) -> None:
        """Show how a table would be read. `now`: it is the table that is open, and nothing need be
        read to go back to it."""
        page = self._page()
        self.got, self.wanted, self._shown = got, got.chosen, got.chosen
        self._open_already, self.reading = now, False
        self.shape = shape_of(got.opened.report)
        self._past, self._future = [], []
        preview = got.opened.report.preview()
        name = got.request.name
        page.begin(
            preview,
            shown(name) if not isinstance(name, str) else tr(name),
            got.note,
            got.request.pasted is not None,
        )
        page.show_preview(preview, self.wanted)
        self.waits.emit(True)
        self.stepped.emit()
        page.focus_first()

    def _page(self) -> Any:
        if self.page is None:
            from dpstudio.gui.table.preview import PreviewPage

            self.page = PreviewPage(self.theme.look)
            self.page.chosen.connect(self.choose)
            self.page.accepted.connect(self.accept)
            self.page.cancelled.connect(self.cancel)
            self.page.stopped.connect(self.stop)
            self.made.emit(self.page)
        return self.page

    # Choices

    def choose(self, wanted: Choices) -> None:
        """Read it so, as one step that can be undone."""
        self._past.append(self.wanted)
        self._future = []
        self._read(wanted)

    def undo(self) -> None:
        if self._past:
            self._future.append(self.wanted)
            self._read(self._past.pop())

    def redo(self) -> None:
        if self._future:
            self._past.append(self.wanted)
            self._read(self._future.pop())

    @property
    def can_undo(self) -> bool:
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        return bool(self._future)

    def _read(self, wanted: Choices) -> None:
        if self.got is None or self.page is None:
            return
        self.wanted = wanted
        self.stepped.emit()
        if self._same(wanted):
            if self.reading:
                self.unwanted.emit()
                self.rest()
            self._shown = wanted
            self.page.show_preview(self.got.opened.report.preview(), wanted)
            return
        self.reading = True
        self.page.show_state(wanted)
        self.page.work(0.0)
        self.wanted_so.emit(self.got.request, wanted)

    def _same(self, wanted: Choices) -> bool:
        """Whether what is wanted is what is shown: a choice that was proposed and is now made
        changes nothing."""
        assert self.got is not None
        found = self.got.opened.report.choices
        return wanted == self._shown or all(
            getattr(wanted, name) in (getattr(self._shown, name), getattr(found, name))
            for name in domains(Choices)
        )

    def tell(self, share: float) -> None:
        if self.page is not None:
            self.page.work(share)

    def show_read(self, got: TableRead) -> None:
        """The newest choice has been read."""
        if self.page is None or self.got is None:
            return
        self.reading, self._open_already = False, False
        self.got, self._shown = got, got.chosen
        self.page.show_preview(got.opened.report.preview(), self.wanted)

    def fail(self, text: str) -> None:
        """It cannot be read so: the reason stands at the choice, and the one before is in force."""
        if self.page is None:
            return
        bad, self.reading = self.wanted, False
        names = [
            name for name in domains(Choices) if getattr(bad, name) != getattr(self._shown, name)
        ]
        self._back()
        if text:
            self.page.refuse(names, bad, text)

    def stop(self) -> None:
        """Leave the reading that goes on."""
        if self.reading:
            self.unwanted.emit()
            self._back()

    def _back(self) -> None:
        """To the choices that the preview shows."""
        self.reading = False
        while self._past and self.wanted != self._shown:
            self.wanted = self._past.pop()
        self.wanted = self._shown
        self.stepped.emit()
        if self.page is not None:
            self.page.show_state(self.wanted)
            self.page.rest()

    def rest(self) -> None:
        """Another table is being opened: what was read last stays to be seen."""
        if self.reading:
            self._back()

    # Ways out

    def accept(self) -> None:
        """Open it as it is shown: it was read for the preview already."""
        got = self.got
        if got is None or self.reading:
            return
        if self._open_already:
            self.cancel()
            return
        self.accepted.emit(replace(got, asked=True, settled=True, tried=True))

    def cancel(self) -> None:
        """Go back to the table that is open."""
        if self.reading:
            self.unwanted.emit()
        self.leave()

    def leave(self) -> None:
        """Let go of what was read."""
        self.reading, self.got = False, None
        self._past, self._future = [], []
        if self.page is not None:
            self.waits.emit(False)
        self.stepped.emit()
