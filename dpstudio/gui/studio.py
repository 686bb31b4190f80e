"""The studio behind the window: store, runners, files and pages, tied together."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QPushButton

from dpstudio.core.dataset import Dataset
from dpstudio.core.findings import Findings
from dpstudio.core.labs import LABS, Lab
from dpstudio.core.labs.lab import Cancelled
from dpstudio.core.params import Real, domains, get
from dpstudio.core.wording import N_, Num, say
from dpstudio.files.session import Session
from dpstudio.gui.explore_panel import ExplorePanel
from dpstudio.gui.menus import fill_menus
from dpstudio.gui.opening import Opener
from dpstudio.gui.runner import Runner
from dpstudio.gui.saving import Saver
from dpstudio.gui.store import State, Store, first_state, state_from
from dpstudio.gui.theme import Look
from dpstudio.gui.tr import shown, tr
from dpstudio.gui.widgets import order_tabs

if TYPE_CHECKING:
    from dpstudio.gui.data_page import DataPage
    from dpstudio.gui.window import Window

DATA_PAGE = "data"
PROFILE_MS = 400


def _run(lab: Lab, data: Dataset, cancelled: Cancelled) -> Iterator[tuple[Lab, Findings]]:
    """The findings of a lab, each with the lab that they belong to."""
    for findings in lab.run(data, cancelled):
        yield lab, findings


class Studio(QObject):
    """`settled()` is emitted when the charts show the newest state and nothing is left to do."""

    settled = Signal()

    def __init__(self, window: Window):
        super().__init__(window)
        self.window = window
        self.store = Store()
        self.runner = Runner(self)
        self.profiler = Runner(self)
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(PROFILE_MS)
        self._late.timeout.connect(self._profile)
        self.drawn: tuple[Lab, Findings] | None = None
        self._failed = False
        self.page = self.store.state.active
        self._shown_index = 0
        self._nudging: tuple[str, str] | None = None
        self.panel = ExplorePanel(self.store, window.theme)
        window.panel.setWidget(self.panel)
        self.data_page: DataPage | None = None
        self.saver = Saver(self)
        self.opener = Opener(self)
        self._tabs = QTimer(self)
        self._tabs.setSingleShot(True)
        self._tabs.timeout.connect(self._order_tabs)
        self.panel.rearranged.connect(self.order_tabs)
        self._pages()
        fill_menus(self)
        self._tie()

    def _pages(self) -> None:
        self.page_buttons: dict[str, QPushButton] = {}
        for key, text in [*((kind.key, kind.label) for kind in LABS), (DATA_PAGE, N_("Data"))]:
            button = QPushButton(tr(text))
            button.setObjectName("page")
            button.setCheckable(True)
            button.clicked.connect(partial(self.show_page, key))
            self.page_buttons[key] = button
            self.window.nav_layout.addWidget(button)
        self.window.nav_layout.addStretch()
        self.show_page(self.page)

    def _tie(self) -> None:
        top, board = self.window.top, self.window.board
        self.store.changed.connect(self._on_change)
        self.runner.value.connect(self._on_findings)
        self.profiler.value.connect(self._on_profiles)
        self.profiler.failed.connect(self._on_lab_failure)
        self.runner.failed.connect(self._on_lab_failure)
        self.runner.idle.connect(self.settled)
        top.neighbours.chosen.connect(lambda key: self.store.set("adjacency", key))
        top.undo.clicked.connect(self.store.history.undo)
        top.redo.clicked.connect(self.store.history.redo)
        top.present.clicked.connect(lambda: self.window.present())
        self.store.history.canUndoChanged.connect(top.undo.setEnabled)
        self.store.history.canRedoChanged.connect(top.redo.setEnabled)
        self.store.history.cleanChanged.connect(self.title)
        top.undo.setEnabled(False)
        top.redo.setEnabled(False)
        self.window.strip.fresh.connect(self.new_draws)
        board.dragged.connect(self.drag)
        board.nudged.connect(self.nudge)
        board.replayed.connect(self._on_replay)
        board.wanted.connect(self.saver.chart)

    def start(self, file: str) -> None:
        """Read the first table in the background, and meanwhile import what draws it."""
        self.open(file)
        QTimer.singleShot(0, self._import_plots)

    def _import_plots(self) -> None:
        for card in self.window.board.cards:
            card.make_view()
        self.order_tabs()

    # State to pictures

    def _on_change(self, _: Store) -> None:
        self.panel.show_state()
        self.window.top.neighbours.show_choice(getattr(self.store.lab, "adjacency", ""))
        self.compute()

    def compute(self, *, cancel: bool = False) -> None:
        """Let the runner work out the state as it now is."""
        if self.store.data is not None:
            self.runner.submit(partial(_run, self.store.lab, self.store.data), cancel=cancel)

    def _on_findings(self, outcome: tuple[Lab, Findings]) -> None:
        lab, findings = outcome
        if self._failed:
            self._failed = False
            self.window.message.say("")
        stops = [p for p in findings.problems if p.stops]
        self.window.stopped.setVisible(bool(stops))
        self.panel.show_findings(findings)
        if stops:
            # The last good picture would belong to another question: it is put away, the reason stands in its place.
            self.window.stopped.setText(shown(stops[0].say))
            self.window.board.hide()
            self.window.strip.hide()
            self.drawn = None
            return
        if self.window.board.isHidden():
            self.window.board.show()
            self.window.strip.setVisible(not self.window.presenting)
        if self.drawn is None:
            # The pictures come first; then what the columns hold is counted, so that no list waits for it later.
            self._late.start()
        self.drawn = (lab, findings)
        self._show(lab.frame(findings, self._shown_index))

    def _show(self, findings: Findings) -> None:
        self.window.strip.show_findings(findings, self.window.theme.look)
        self.window.board.show_figures(findings.figures, len(findings.replays))

    def _on_replay(self, index: int) -> None:
        self._shown_index = index
        if self.drawn is not None:
            lab, findings = self.drawn
            self._show(lab.frame(findings, index))

    @property
    def findings(self) -> Findings | None:
        """The findings that are drawn, None while a problem stands in their place."""
        return self.drawn[1] if self.drawn is not None else None

    def shown(self) -> tuple[Lab, Findings] | None:
        """The lab that is drawn, which a newer state may not be yet, and its findings with the simulated answer on the screen."""
        if self.drawn is None:
            return None
        lab, findings = self.drawn
        return lab, lab.frame(findings, self._shown_index)

    def _on_lab_failure(self, error: Exception) -> None:
        # Numbers and names of the code only: a log must hold no rows.
        print(
            f"dpstudio: {type(error).__name__} in the lab {self.store.lab.key}\n{getattr(error, '__traceback_text__', '')}", file=sys.stderr
        )
        text = say(
            N_("Something is wrong inside {lab}: {error}. Undo the last step; everything else still works."),
            lab=self.store.lab.label,
            error=type(error).__name__,
        )
        self._failed = True
        self.window.say(shown(text), tr(N_("Undo")), self.store.history.undo)

    # The hand on a chart

    def drag(self, path: str, value: float, last: bool) -> None:
        """A handle is dragged along its axis."""
        if self._nudging is None or self._nudging[0] != path or not self._nudging[1].startswith("gesture"):
            self._nudging = (path, self.store.gesture())
        self._put(path, value, self._nudging[1])
        if last:
            self._nudging = None

    def nudge(self, path: str, steps: int) -> None:
        """Arrow keys move a parameter by hundredths of its slider."""
        domain = self._domain(path)
        here = domain.position(get(self.store.lab, path))
        value = domain.at(here + steps / 100)
        if value == get(self.store.lab, path):  # coarse integers need a whole step
            value = min(domain.high, max(domain.low, value + (1 if steps > 0 else -1)))
        self._put(path, value, None)

    def _put(self, path: str, value: float, gesture: str | None) -> None:
        domain = self._domain(path)
        value = min(domain.high, max(domain.low, value))
        self.store.set(path, domain.at(domain.position(value)), gesture)

    def _domain(self, path: str) -> Real:
        *outer, name = path.split(".")
        held = get(self.store.lab, ".".join(outer)) if outer else self.store.lab
        domain = domains(type(held))[name]
        assert isinstance(domain, Real)
        return domain

    def new_draws(self) -> None:
        self.store.set("seed", (getattr(self.store.lab, "seed", 0) + 1) % 2**62)

    # Tables and sessions, which the opener brings

    def open(self, where: str) -> None:
        """Open a table, an example or a session in the background."""
        self.opener.open(where)

    def save_session(self, path: Path) -> None:
        """Write the session; the sentence of a failure goes to the bar."""
        self.opener.save(path)

    def take(self, data: Dataset, session: Session | None) -> None:
        """Show another table: a session as it was saved, else the state that there is, fitted to the table."""
        self.runner.cancel()
        self.drawn, self._shown_index = None, 0
        if session is not None:
            state = state_from(session.labs, session.active)
            self._take_view(session.view)
        else:
            old = self.store.state if self.store.data is not None else first_state()
            state = State(tuple(lab.suited(data) for lab in old.labs), old.active)
        self.store.open(state, data)
        self.window.top.name_table(shown(say(N_("{table} · {rows} rows"), table=tr(data.name), rows=Num(data.rows))))
        self.title()
        if self.page == DATA_PAGE:
            self._profile()

    def session(self, data: Dataset) -> Session:
        """Everything that a session keeps."""
        hidden = {c.figure.key: sorted(c.view.hidden) for c in self.window.board.cards if c.figure and c.view and c.view.hidden}
        view = {"hidden": hidden, "index": self._shown_index}
        return Session(data.origin, data.digest, self.store.state.labs, self.store.state.active, view)

    def _take_view(self, view: Any) -> None:
        index = view.get("index", 0)
        self._shown_index = index if isinstance(index, int) and not isinstance(index, bool) else 0
        hidden = view.get("hidden", {})
        for card, figure in zip(self.window.board.cards, ("published", "error", "tradeoff", "cost"), strict=True):
            keys = hidden.get(figure, []) if isinstance(hidden, dict) else []
            card.hide_layers(frozenset(k for k in keys if isinstance(k, str)) if isinstance(keys, list) else frozenset())

    def title(self, _: object = None) -> None:
        """Name the session or the table in the window's title, with a dot where something is not saved."""
        data, path = self.store.data, self.opener.session_path
        if data is not None:
            self.window.title(tr(data.name), path.name if path else "", not self.store.history.isClean())

    def order_tabs(self) -> None:
        """Tab goes as the eye does: top bar, pages, panel, strip, charts. To be called when widgets came or went."""
        self._tabs.start()

    def _order_tabs(self) -> None:
        window = self.window
        order_tabs([window.top, window.nav, self.panel, window.strip, window.board])

    # Pages

    def show_page(self, key: str) -> None:
        self.page = key
        for name, button in self.page_buttons.items():
            button.setChecked(name == key)
        self.window.lab_page.setVisible(key != DATA_PAGE)
        if key == DATA_PAGE:
            self._make_data_page()
            self._profile()
        if self.data_page is not None:
            self.data_page.setVisible(key == DATA_PAGE)

    def _profile(self) -> None:
        """Sum up the columns in the background; they are remembered, and shown where the page is open."""
        from dpstudio.gui.data_page import profiles

        data = self.store.data
        if data is None:
            return

        def job(cancelled: Any) -> Any:
            rows = []
            for row in profiles(data):
                if cancelled():
                    return
                rows.append(row)
            yield rows

        self.profiler.submit(job, cancel=True)

    def _make_data_page(self) -> None:
        from dpstudio.gui.data_page import DataPage

        if self.data_page is None:
            self.data_page = DataPage(self.window.theme.look)
            self.window.middle.addWidget(self.data_page, 1)

    def _on_profiles(self, rows: Any) -> None:
        if self.store.data is not None and self.data_page is not None:
            self.data_page.show_data(self.store.data, rows)

    def dress(self, look: Look) -> None:
        self.panel.dress(look)
        if self.data_page is not None:
            self.data_page.dress(look)
        self._on_replay(self._shown_index)

    def close(self) -> None:
        """Stop every worker; nothing is heard of them any more."""
        self.store.history.disconnect(self)
        self._late.stop()
        for runner in (self.runner, self.opener.loader, self.saver.writer, self.profiler):
            runner.close()
