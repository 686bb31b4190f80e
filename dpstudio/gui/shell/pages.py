"""The pages of the studio: a panel for each lab, made when it is first opened, and the page of the
table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QKeySequence, QShortcut
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from dpstudio.gui.panel.panels import Panel
from dpstudio.gui.parts.theme import Look
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.state.jobs import Runner
from dpstudio.labs import LABS
from dpstudio.labs.naming import lab_kind
from dpstudio.values.messages import N_

if TYPE_CHECKING:
    from dpstudio.data.dataset import Dataset
    from dpstudio.data.profile import Profile
    from dpstudio.gui.shell.studio import Studio
    from dpstudio.gui.table.data_page import DataPage
    from dpstudio.gui.table.preview import PreviewPage

DATA_PAGE, IMPORT_PAGE = "data", "import"
PROFILE_MS = 400


class Pages(QObject):
    """The buttons on the left, and what they turn to. `asked(key)`: a page is wanted."""

    asked = Signal(str)

    def __init__(self, studio: Studio):
        super().__init__(studio)
        self.studio, self.window = studio, studio.window
        self.page = studio.store.state.active
        self.panels: dict[str, Panel] = {}
        self.buttons: dict[str, QPushButton] = {}
        self.data_page: DataPage | None = None
        self.import_page: PreviewPage | None = None
        self._before_import = ""
        self.profiler = Runner(self)
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

    def width(self, look: Look) -> int:
        """What the longest name needs when it is chosen, and so bold."""
        words = QFontMetrics(look.font(13, 600))
        return max(
            look.px(94),
            max(words.horizontalAdvance(b.text()) for b in self.buttons.values())
            + look.px(24)
            + 20,
        )

    @property
    def panel(self) -> Panel:
        """The panel of the lab that is active."""
        return self.panel_of(self.studio.store.state.active)

    def panel_of(self, key: str) -> Panel:
        if key not in self.panels:
            panel = self.panels[key] = Panel(self.studio.store, self.window.theme, lab_kind(key))
            panel.rearranged.connect(self.studio.order_tabs)
            panel.handed.connect(self.studio.hand)
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
        self.studio.tell_history()
        self.studio.order_tabs()

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
        self.window.panel.verticalScrollBar().setValue(
            self._depth.get(self.studio.store.state.active, 0)
        )

    # The table

    def profile(self) -> None:
        """Sum up the columns in the background; they are remembered, and shown where the page is
        open."""
        from dpstudio.data.profile import profiles

        data = self.studio.store.data
        if data is None:
            return

        def job(cancelled: Any) -> Iterator[Any]:
            for seen in profiles(data, cancelled):
                yield data, seen

        self._profiled = data
        if self.data_page is not None:
            self.data_page.show_data(data)
        self.profiler.submit(job, cancel=True)

    def profile_again(self) -> None:
        """Where the page is open and the table is read in another way than before."""
        if self.page == DATA_PAGE and self.studio.store.data is not self._profiled:
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
            self.data_page = DataPage(self.studio.store, self.window.theme.look)
            self.data_page.wanted.connect(self.studio.saver.column)
            self.data_page.troubled.connect(self.studio.on_trouble)
            self.data_page.rearranged.connect(self.studio.order_tabs)
            self.window.middle.addWidget(self.data_page, 1)

    # A table that waits to be opened

    def add_import(self, page: PreviewPage) -> None:
        self.import_page = page
        page.rearranged.connect(self.studio.order_tabs)
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
            self.turn(
                DATA_PAGE if self._before_import == DATA_PAGE else self.studio.store.state.active
            )

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
        self.late.stop()
        self.profiler.close()
        if self.data_page is not None:
            self.data_page.close_workers()
