"""The pages of the studio: a panel for each lab, made when it is first opened, and the page of the
table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from dpstudio.data.dataset import Dataset
from dpstudio.data.profile import Profile
from dpstudio.gui.panel.panels import Panel
from dpstudio.gui.parts.theme import Look
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.shell.window import Window
from dpstudio.gui.state.jobs import Jobs, Work
from dpstudio.gui.state.store import Store
from dpstudio.labs import LABS
from dpstudio.labs.naming import lab_kind
from dpstudio.values.messages import N_

DATA_PAGE, IMPORT_PAGE = "data", "import"
PROFILE_MS = 400


class Pages(QObject):
    """The buttons on the left, and what they turn to.

    `asked(key)`: a page is wanted; `turned`: there is another one. `rearranged`: widgets came or
    went. From panels: `handed(lab)`. From the page of the table: `wanted(what, chart)`,
    `troubled(error)`.
    """

    asked = Signal(str)
    turned = Signal()
    rearranged = Signal()
    handed = Signal(str)
    wanted = Signal(str, bool)
    troubled = Signal(object)

    def __init__(self, window: Window, store: Store, jobs: Jobs, parent: QObject):
        super().__init__(parent)
        self.window, self.store, self.jobs = window, store, jobs
        self.page = store.state.active
        self.panels: dict[str, Panel] = {}
        self.buttons: dict[str, QPushButton] = {}
        # A DataPage and a PreviewPage, whose code is imported when they are first opened.
        self.data_page: Any = None
        self.import_page: Any = None
        self._before_import = ""
        self.profiler = jobs.channel("profile")
        self.profiler.value.connect(self._on_profile)
        self._profiled: Dataset | None = None
        self.late = QTimer(self)
        self.late.setSingleShot(True)
        self.late.setInterval(PROFILE_MS)
        self.late.timeout.connect(self.profile)
        # All panels stand in one column, of which one is shown: a scroll area would delete the
        # widget it is relieved of.
        self.stack = QWidget()
        self.column = QVBoxLayout(self.stack)
        self.column.setContentsMargins(0, 0, 0, 0)
        self._depth: dict[str, int] = {}
        self.window.panel.setWidget(self.stack)
        for place, (key, text, tip) in enumerate(
            [*((about.key, about.label, about.help) for about in LABS), (DATA_PAGE, N_("Data"), "")]
        ):
            self._add_button(place, key, text, tip)
        # There only while a table waits to be opened.
        self._add_button(
            9, IMPORT_PAGE, N_("Import"), N_("How a table will be read that is not open yet")
        )
        self.buttons[IMPORT_PAGE].hide()
        self.window.nav_layout.addStretch()

    def _add_button(self, place: int, key: str, text: str, tip: str) -> None:
        button = QPushButton(tr(text))
        button.setObjectName("page")
        button.setCheckable(True)
        button.setToolTip(tr(tip))
        button.clicked.connect(partial(self.asked.emit, key))
        self.buttons[key] = button
        self.window.nav_layout.addWidget(button)
        if place < 9:
            shortcut = QShortcut(QKeySequence(f"Ctrl+{place + 1}"), self.window)
            shortcut.activated.connect(button.click)

    @property
    def panel(self) -> Panel:
        """The panel of the lab that is active."""
        return self.panel_of(self.store.state.active)

    def panel_of(self, key: str) -> Panel:
        if key not in self.panels:
            panel = self.panels[key] = Panel(self.store, self.window.theme, lab_kind(key))
            panel.rearranged.connect(self.rearranged)
            panel.handed.connect(self.handed)
            self.column.addWidget(panel)
        return self.panels[key]

    def turn(self, key: str) -> None:
        """Show the page of a lab, or of the table."""
        self.page = key
        for name, button in self.buttons.items():
            button.setChecked(name == key)
        self.window.nav_scroll.ensureWidgetVisible(self.buttons[key], 0, 12)
        self.window.lab_page.setVisible(key not in (DATA_PAGE, IMPORT_PAGE))
        if key == DATA_PAGE:
            self._make_data_page()
            self.profile()
        elif key != IMPORT_PAGE:
            self._show_panel(key)
        if self.data_page is not None:
            self.data_page.setVisible(key == DATA_PAGE)
        if self.import_page is not None:
            self.import_page.setVisible(key == IMPORT_PAGE)
        self.turned.emit()

    def follow(self) -> None:
        """Turn to the lab that is active, unless the page is none of a lab."""
        if self.page not in (DATA_PAGE, IMPORT_PAGE, self.store.state.active):
            self.turn(self.store.state.active)

    def _show_panel(self, key: str) -> None:
        wanted, bar = self.panel_of(key), self.window.panel.verticalScrollBar()
        for name, panel in self.panels.items():
            if panel is not wanted and not panel.isHidden():
                self._depth[name] = bar.value()
                panel.hide()
        if wanted.isHidden():
            wanted.show()
            # Only after the layout is there anything to scroll.
            QTimer.singleShot(0, self._scroll_back)

    def _scroll_back(self) -> None:
        self.window.panel.verticalScrollBar().setValue(self._depth.get(self.store.state.active, 0))

    # The table

    def profile(self) -> None:
        """Sum up the columns in the background; they are remembered, and shown where the page is
        open."""
        from dpstudio.data.profile import profiles

        data = self.store.data
        if data is None:
            return

        def job(work: Work) -> Iterator[tuple[Dataset, Profile]]:
            for seen in profiles(data, work.cancelled):
                yield data, seen

        self._profiled = data
        if self.data_page is not None:
            self.data_page.show_data(data)
        self.profiler.submit(job, cancel=True)

    def profile_again(self) -> None:
        """Where the page is open and the table is read in another way than before."""
        if self.page == DATA_PAGE and self.store.data is not self._profiled:
            self.profile()

    def forget(self) -> None:
        """Another table is to come: what was summed up belongs to the one before."""
        self.late.stop()
        self.profiler.cancel()
        self._profiled = None
        if self.data_page is not None:
            self.data_page.clear()

    def _make_data_page(self) -> None:
        from dpstudio.gui.table.data_page import DataPage

        if self.data_page is None:
            self.data_page = DataPage(self.store, self.jobs, self.window.theme.look)
            self.data_page.wanted.connect(self.wanted)
            self.data_page.troubled.connect(self.troubled)
            self.data_page.rearranged.connect(self.rearranged)
            self.window.middle.addWidget(self.data_page, 1)

    # A table that waits to be opened

    def add_import(self, page: Any) -> None:
        self.import_page = page
        page.rearranged.connect(self.rearranged)
        page.hide()
        self.window.middle.addWidget(page, 1)

    def show_import(self, waits: bool) -> None:
        """Turn to the preview, or, where it was shown, back to the page before."""
        self.buttons[IMPORT_PAGE].setVisible(waits)
        if waits and self.page != IMPORT_PAGE:
            self.window.leave_presenting()
            self._before_import = self.page
            self.turn(IMPORT_PAGE)
        elif not waits and self.page == IMPORT_PAGE:
            self.turn(DATA_PAGE if self._before_import == DATA_PAGE else self.store.state.active)

    def _on_profile(self, found: tuple[Dataset, Profile]) -> None:
        if self.data_page is not None:
            self.data_page.show_profile(*found)

    def dress(self, look: Look) -> None:
        for panel in self.panels.values():
            panel.dress(look)
        if self.data_page is not None:
            self.data_page.dress(look)
        if self.import_page is not None:
            self.import_page.dress(look)

    def close(self) -> None:
        """Begin nothing any more."""
        self.late.stop()
