"""The panels of labs, each made when its lab is first opened: its code is imported in the
background and its parts are made one after the other, as all at once would be felt; so are the
cards that its charts will stand in."""

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QObject, Signal

from dpstudio.data.dataset import Dataset
from dpstudio.gui.panel.design import panel_of
from dpstudio.gui.panel.panels import Panel
from dpstudio.gui.parts.layout_pass import IdleStep
from dpstudio.gui.parts.theme import Look
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.state.jobs import Jobs, Work
from dpstudio.gui.state.shared_settings import suited
from dpstudio.gui.state.store import Store
from dpstudio.labs.naming import lab_kind


class PanelColumn(QObject):
    """`ready(lab)`: the page that was wanted can be turned to; `broken`: its panel cannot be made.
    From panels: `rearranged`, `handed(lab)`, `filed(row)`, `room_wanted`, `stepped(index)`."""

    ready = Signal(str)
    broken = Signal()
    rearranged = Signal()
    handed = Signal(str)
    filed = Signal(object)
    stepped = Signal(int)
    room_wanted = Signal()

    def __init__(self, store: Store, jobs: Jobs, window: Window, parent: QObject):
        super().__init__(parent)
        self.store, self.theme, self.column = store, window.theme, window.panel_column
        self.style_sheets = window.style_sheets
        self.card_pool = window.board.card_pool
        self.panels: dict[str, Panel] = {}
        self.room_open = False
        # The lab that is waited for, the one that may be wanted next, and what is being made.
        self._wanted = self._soon = ""
        self._begun: Panel | None = None
        self.making = IdleStep(self, self._make_more)
        self.importer = jobs.channel("import")
        self.importer.value.connect(self._on_imported)
        self.importer.failed.connect(self._on_failure)

    @property
    def waits(self) -> bool:
        """Whether a page is wanted that is not there yet."""
        return bool(self._wanted)

    def bring(self, key: str) -> None:
        """Make the panel of a lab, and say when it is there, unless something else is wanted by
        then."""
        self._wanted = ""
        self.prepare(key)
        self._wanted = key

    def forget_wish(self) -> None:
        """Nothing is waited for any more."""
        self._wanted = ""

    def prepare(self, key: str) -> None:
        """Make the panel of a lab that may be wanted soon; not before one that is."""
        if key not in self.panels and not self._wanted:
            self._soon = key
            self.importer.submit(partial(_import, key, self.store.at_hand))

    def panel_of(self, key: str) -> Panel:
        """The panel of a lab; what is not made of it yet is made now."""
        if key not in self.panels:
            try:
                self._begin(key).finish()
            except Exception:
                self._leave()  # half a panel is none
                raise
            self._end()
        return self.panels[key]

    def _on_imported(self, key: str) -> None:
        if key == self._soon:
            if key not in self.panels:  # else it was needed at once, meanwhile
                self._begin(key)
            self.making.start()

    def _on_failure(self, _: Exception) -> None:
        """Whoever turns to the page meets the failure again, and says it."""
        key, self._wanted = self._wanted, ""
        if key:
            self.ready.emit(key)

    def _begin(self, key: str) -> Panel:
        """The panel of a lab, of which parts may be there."""
        kind = lab_kind(key)
        if self._begun is not None and self._begun.kind is not kind:
            self._leave()
        if self._begun is None:
            panel = self._begun = Panel(self.store, self.theme, kind)
            panel.rearranged.connect(self.rearranged)
            panel.handed.connect(self.handed)
            panel.filed.connect(self.filed)
            panel.room_wanted.connect(self.room_wanted)
            panel.stepped.connect(self.stepped)
            # Not in the column yet: there it would take room from the one that is seen while it is
            # laid out.
            panel.setParent(self.column.parentWidget())
            panel.hide()
            panel.resize(self.column.geometry().size())
            self.style_sheets.add(panel)
        return self._begun

    def _make_more(self) -> None:
        if self._begun is not None:
            try:
                # The first lab moves into the cards of the window.
                spare = bool(self.panels)
                more = self._begun.make_next() or (spare and self.card_pool.make_spare())
            except Exception:
                wanted = self._begun.kind.key == self._wanted
                self._leave()  # else half of it would be taken for the whole
                if wanted:
                    self.broken.emit()
                raise
            if not more:
                self._end()
            self.making.start()
        elif self._wanted in self.panels:
            key, self._wanted = self._wanted, ""
            self.ready.emit(key)

    def _end(self) -> None:
        """The panel that was begun is whole."""
        assert self._begun is not None
        self._begun.dress(self.theme.look)  # of which some may have been made in another one
        self._begun.show_room(self.room_open)
        self.column.addWidget(self._begun)
        self.panels[self._begun.kind.key], self._begun = self._begun, None

    def _leave(self) -> None:
        if self._begun is not None:
            self._begun.deleteLater()
            self._begun = None

    def show_panel(self, key: str) -> None:
        """Show the panel of a lab, and no other."""
        wanted = self.panel_of(key)
        self.style_sheets.put(wanted)
        wanted.dress(self.theme.look)
        for panel in self.panels.values():
            if panel.isHidden() == (panel is wanted):
                panel.setVisible(panel is wanted)

    def show_room(self, on: bool) -> None:
        """Whether a room of people is open."""
        self.room_open = on
        for panel in self.panels.values():
            panel.show_room(on)

    def dress(self, look: Look) -> None:
        """Let the panel that is seen take another look; others take it when they are."""
        for panel in self.panels.values():
            if not panel.isHidden():
                panel.dress(look)


def _import(key: str, data: Dataset | None, work: Work) -> Iterator[str]:
    """The code of a lab, where it is not there yet, and what is looked for in the table to fit the
    lab to it, which is remembered."""
    from dpstudio.gui.board import table_card  # noqa: F401

    kind = lab_kind(key)
    kind.page()
    panel_of(kind)
    suited(kind(), data)
    yield key
