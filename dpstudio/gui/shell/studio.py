"""The studio behind the window: store, runners, files and pages, tied together."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QPushButton

from dpstudio.charts.figure import Axis
from dpstudio.data.dataset import Dataset
from dpstudio.files.session import Session
from dpstudio.files.tables import TableError
from dpstudio.gui.board.handles import landed, nudged
from dpstudio.gui.board.strip import simulates
from dpstudio.gui.panel.panels import Panel
from dpstudio.gui.parts.theme import Look
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.parts.widgets import order_tabs
from dpstudio.gui.shell.menus import fill_menus
from dpstudio.gui.shell.pages import DATA_PAGE, IMPORT_PAGE, Pages
from dpstudio.gui.shell.saving import Saver
from dpstudio.gui.state.jobs import Runner
from dpstudio.gui.state.store import State, Store, state_from
from dpstudio.gui.table.opening import Opener
from dpstudio.labs import LABS, Lab
from dpstudio.labs.context import Cancelled
from dpstudio.labs.findings import Findings
from dpstudio.labs.naming import lab_kind
from dpstudio.values.messages import N_, Num, Say, say
from dpstudio.values.params import Kind, ParamError, domains, get

if TYPE_CHECKING:
    from dpstudio.gui.shell.window import Window
    from dpstudio.gui.table.data_page import DataPage

# What the arrow keys move while a card without a point of its own is presented.
_BUDGETS = ("mechanism.epsilon", "protocol.epsilon", "epsilon")
Outcome = tuple[Lab, Findings]


def _log(error: Exception, where: str) -> None:
    """Numbers and names of the code only: a log must hold no rows."""
    print(
        f"dpstudio: {type(error).__name__} in {where}\n{getattr(error, '__traceback_text__', '')}",
        file=sys.stderr,
    )


def _run(lab: Lab, data: Dataset, cancelled: Cancelled) -> Iterator[Outcome]:
    """The findings of a lab, each with the lab that they belong to."""
    for findings in lab.run(data, cancelled):
        yield lab, findings


def _opened(view: Mapping[str, Any]) -> list[str] | None:
    """The labs that were opened when a session was saved; None where it was not said."""
    held = view.get("opened")
    return [key for key in held if isinstance(key, str)] if isinstance(held, list) else None


class Studio(QObject):
    """`settled()` is emitted when the charts show the newest state and nothing is left to do."""

    settled = Signal()

    def __init__(self, window: Window):
        super().__init__(window)
        self.window = window
        self.store = Store()
        self.runner = Runner(self)
        self.found: dict[str, Outcome] = {}
        self._whole: set[str] = set()
        self._failed = self._profiled = self._retold = False
        self._codebook = self.store.state.codebook
        self._shown_index = 0
        self._nudging: tuple[str, str] | None = None
        self._tabs = QTimer(self)
        self._tabs.setSingleShot(True)
        self._tabs.timeout.connect(self._order_tabs)
        self.pages = Pages(self)
        self.saver = Saver(self)
        self.opener = Opener(self)
        self._lab = self.store.state.active
        self._data: Dataset | None = None
        window.board.show_lab(self._lab)
        self.pages.turn(self._lab)
        fill_menus(self)
        self._tie()

    def _tie(self) -> None:
        top, board, history = self.window.top, self.window.board, self.store.history
        self.store.changed.connect(self._on_change)
        self.runner.value.connect(self._on_findings)
        self.pages.profiler.failed.connect(self._on_profile_failure)
        self.pages.asked.connect(self.show_page)
        self.runner.failed.connect(self._on_lab_failure)
        self.runner.idle.connect(self._on_idle)
        top.neighbours.chosen.connect(self._on_neighbours)
        top.undo.clicked.connect(self.undo)
        top.redo.clicked.connect(self.redo)
        top.present.clicked.connect(self._present)
        history.canUndoChanged.connect(self.tell_history)
        history.canRedoChanged.connect(self.tell_history)
        self.opener.importer.stepped.connect(self.tell_history)
        history.cleanChanged.connect(self.title)
        history.restored.connect(self._on_restored)
        top.undo.setEnabled(False)
        top.redo.setEnabled(False)
        self.window.strip.fresh.connect(self.new_draws)
        board.dragged.connect(self.drag)
        board.nudged.connect(self.nudge)
        board.picked.connect(self.pick)
        board.replayed.connect(self._on_replay)
        board.wanted.connect(self.saver.chart)
        board.rearranged.connect(self.order_tabs)

    def start(self, file: str) -> None:
        """Read the first table in the background, and meanwhile import what draws it."""
        self.open(file)
        QTimer.singleShot(0, self._import_plots)

    def _import_plots(self) -> None:
        for card in self.window.board.cards:
            card.make_view()
        self.order_tabs()

    def _present(self) -> None:
        self.window.present()

    @property
    def panel(self) -> Panel:
        """The panel of the lab that is active."""
        return self.pages.panel

    @property
    def page(self) -> str:
        return self.pages.page

    @property
    def page_buttons(self) -> dict[str, QPushButton]:
        return self.pages.buttons

    @property
    def data_page(self) -> DataPage | None:
        return self.pages.data_page

    @property
    def profiler(self) -> Runner:
        return self.pages.profiler

    # State to pictures

    def _on_change(self, store: Store) -> None:
        told = store.data is not self._data
        if told:  # pictures of other rows, or of other public bounds, are not shown again
            self._data = store.data
            self.found = {key: outcome for key, outcome in self.found.items() if key == self._lab}
            self._whole.clear()
            self._name_table()
        self._retold, self._codebook = self._codebook != store.state.codebook, store.state.codebook
        self.panel.show_state()
        self.pages.profile_again()
        adjacency = getattr(store.lab, "adjacency", None)
        self.window.top.show_neighbours(adjacency)
        if store.state.active == self._lab:
            self.compute(cancel=told)
        else:
            self._turn(store.state.active)

    def _turn(self, key: str) -> None:
        """Bring another lab to the eye: as it was last drawn, where that is still true, else as it
        is worked out now."""
        self._lab = key
        self.runner.cancel()
        self.window.board.show_lab(key)
        if self.page not in (DATA_PAGE, IMPORT_PAGE):
            self.pages.turn(key)
        outcome = self.found.get(key)
        if outcome is not None:
            self._show_outcome(outcome)
        else:
            self._show_nothing()
        if outcome is None or outcome[0] != self.store.lab or key not in self._whole:
            self.compute(cancel=True)

    def compute(self, *, cancel: bool = False) -> None:
        """Let the runner work out the state as it now is."""
        if self.store.data is not None:
            self.runner.submit(partial(_run, self.store.lab, self.store.data), cancel=cancel)

    def _on_findings(self, outcome: Outcome) -> None:
        self.found[outcome[0].key] = outcome
        self._whole.discard(outcome[0].key)
        if self._failed:
            self._failed = False
            self.window.message.say("")
        if outcome[0].key == self._lab:
            self._show_outcome(outcome)

    def _on_idle(self) -> None:
        # Findings come in several parts; only after the last one may they be shown again as they
        # are.
        outcome = self.found.get(self._lab)
        if outcome is not None and outcome[0] == self.store.lab:
            self._whole.add(self._lab)
        self.settled.emit()

    def _show_outcome(self, outcome: Outcome) -> None:
        lab, findings = outcome
        window = self.window
        stops = [p for p in findings.problems if p.stops]
        window.stopped.setVisible(bool(stops))
        self.panel.show_findings(findings)
        if stops:
            # The last good picture would belong to another question: it is put away, the reason
            # stands in its place.
            window.stopped.setText(shown(stops[0].say))
            for part in (window.board, window.strip, window.headline):
                part.hide()
            return
        if not self._profiled:
            # The pictures come first; then what the columns hold is counted, so that no list waits
            # for it later.
            self._profiled = True
            self.pages.late.start()
        self._show(lab.frame(findings, self._shown_index))
        if window.board.isHidden():
            window.board.show()
        window.show_around()

    def _show(self, findings: Findings) -> None:
        self.window.strip.offer_draws(self.draws)
        self.window.strip.show_findings(findings, self.window.theme.look)
        self.window.headline.show_findings(findings)
        tables = tuple(table for table in findings.tables if table.shown)
        self.window.board.show_figures(findings.figures, len(findings.replays), tables)

    def _show_nothing(self) -> None:
        """A lab that was never drawn: an empty page rather than the numbers of another."""
        self.window.stopped.hide()
        self.window.board.show()
        self._show(Findings())
        self.window.show_around()

    def _on_replay(self, index: int) -> None:
        self._shown_index = index
        drawn = self.drawn
        if drawn is not None:
            lab, findings = drawn
            self._show(lab.frame(findings, index))

    @property
    def drawn(self) -> Outcome | None:
        """The lab that is drawn, which a newer state may not be yet, and its findings; None while a
        problem stands in their place."""
        outcome = self.found.get(self._lab)
        return None if outcome is None or any(p.stops for p in outcome[1].problems) else outcome

    @property
    def findings(self) -> Findings | None:
        """The findings that are drawn."""
        return self.drawn[1] if self.drawn is not None else None

    def shown(self) -> Outcome | None:
        """What is drawn, with the simulated answer that is on the screen."""
        drawn = self.drawn
        if drawn is None:
            return None
        lab, findings = drawn
        return lab, lab.frame(findings, self._shown_index)

    def _on_profile_failure(self, error: Exception) -> None:
        _log(error, "the page of the table")
        text = say(
            "The columns of this table could not be summed up: {error}. The labs still work.",
            error=type(error).__name__,
        )
        self.window.say(shown(text))

    def on_trouble(self, error: Exception) -> None:
        """What was told of the columns could not be taken: the sentence goes to the bar."""
        if isinstance(error, ParamError | TableError):
            self.window.say(shown(error.sentence))
        else:
            self._on_profile_failure(error)

    def _on_lab_failure(self, error: Exception) -> None:
        if isinstance(error, TableError):
            self.window.say(shown(error.sentence), tr(N_("Open another …")), self.saver.ask_open)
            return
        _log(error, f"the lab {self.store.lab.key}")
        text = say(
            "Something is wrong inside {lab}: {error}. Undo the last step; everything else still "
            "works.",
            lab=self.store.lab.label,
            error=type(error).__name__,
        )
        self._failed = True
        self.window.say(shown(text), tr(N_("Undo")), self.store.history.undo)

    # The hand on a chart

    def drag(self, path: str, value: float, last: bool, axis: Axis) -> None:
        """A handle is dragged along its axis."""
        if (
            self._nudging is None
            or self._nudging[0] != path
            or not self._nudging[1].startswith("gesture")
        ):
            self._nudging = (path, self.store.gesture())
        self._put(
            path, landed(self.store.lab, path, value, axis, self.store.data), self._nudging[1]
        )
        if last:
            self._nudging = None

    def nudge(self, path: str, steps: int, axis: Axis | None = None, stands: float = 0.0) -> None:
        """Arrow keys move a parameter by hundredths of its slider, or of the axis along which its
        handle `stands`."""
        self._put(path, nudged(self.store.lab, path, steps, axis, stands, self.store.data), None)

    def nudge_budget(self, steps: int) -> None:
        """Move ε, in a lab that has one."""
        for path in _BUDGETS:
            *outer, name = path.split(".")
            holder = getattr(self.store.lab, outer[0], None) if outer else self.store.lab
            if isinstance(holder, Kind) and name in domains(type(holder)):
                self.nudge(path, steps)
                return

    def pick(self, pairs: tuple[tuple[str, Any], ...]) -> None:
        """A dot was clicked: take over its parameters, in one step."""
        try:
            self.store.set_all(pairs)
        except ParamError as error:
            self.window.say(shown(error.sentence))

    def _put(self, path: str, value: float, gesture: str | None) -> None:
        try:
            self.store.set(path, value, gesture)
        except ParamError:
            # A bound that would pass the other one: the handle stays where it is.
            return

    def _on_neighbours(self, key: str) -> None:
        self.store.set("adjacency", key)

    @property
    def draws(self) -> bool:
        """Whether anything on the page is drawn from a seed."""
        findings = self.findings
        return hasattr(self.store.lab, "seed") and findings is not None and simulates(findings)

    def hand(self, key: str) -> None:
        """Add what is set here to another lab, and offer to go there."""
        if self.store.hand(key):
            text = shown(say("Added to the lab {lab}.", lab=Say(lab_kind(key).label)))
            self.window.say(text, tr(N_("Go there")), partial(self.show_page, key), "good")

    def new_draws(self) -> None:
        """The next seed, where anything is drawn."""
        if self.draws:
            self.store.set("seed", (get(self.store.lab, "seed") + 1) % 2**62)

    # History: of the labs, or on the page of a table that waits to be opened of the choices there

    def undo(self) -> None:
        (self.opener.importer if self.page == IMPORT_PAGE else self.store.history).undo()

    def redo(self) -> None:
        (self.opener.importer if self.page == IMPORT_PAGE else self.store.history).redo()

    def tell_history(self, _: object = None) -> None:
        """Say which of both there is to do."""
        choices, history, top = self.opener.importer, self.store.history, self.window.top
        here = self.page == IMPORT_PAGE
        top.undo.setEnabled(choices.can_undo if here else history.canUndo())
        top.redo.setEnabled(choices.can_redo if here else history.canRedo())

    # Tables and sessions, which the opener brings

    def open(self, where: str) -> None:
        """Open a table, an example or a session in the background."""
        self.opener.open(where)

    def save_session(self, path: Path) -> None:
        """Write the session; the sentence of a failure goes to the bar."""
        self.opener.save(path)

    def take(self, data: Dataset, session: Session | None) -> None:
        """Show another table: a session as it was saved, else the labs as they were left on it, or
        as they are, fitted to it."""
        self._forget()
        self._shown_index = 0
        if session is not None:
            self._take_view(session.view)
            self.store.open_session(
                state_from(session.labs, session.active, session.codebook),
                data,
                _opened(session.view),
            )
        else:
            self.store.open_table(data)
        self.title()
        if self.page == DATA_PAGE:
            self.pages.profile()

    def take_again(self, data: Dataset) -> None:
        """Show the same table as it is now, or as it is now read: labs, codebook and history
        stay."""
        self._forget()
        self.store.renew(data)
        self.title()
        if self.page == DATA_PAGE:
            self.pages.profile()

    def _forget(self) -> None:
        """What was drawn and counted belongs to the table before."""
        self.runner.cancel()
        self.found, self._whole, self._profiled = {}, set(), False
        self.pages.forget()

    def _name_table(self) -> None:
        """The table, and who a person is where that is not each row: both belong to every number on
        the screen."""
        data = self.store.data
        if data is not None:
            text = (
                N_("{table} · {rows} rows, {m} a person")
                if data.person
                else N_("{table} · {rows} rows")
            )
            told = say(
                text, table=tr(data.name), rows=Num(data.whole.rows), m=Num(data.contributions)
            )
            self.window.top.name_table(shown(told))

    def session(self, data: Dataset) -> Session:
        """Everything that a session keeps."""
        hidden: dict[str, dict[str, list[str]]] = {}
        for (lab, figure), keys in self.window.board.hidden.items():
            if keys:
                hidden.setdefault(lab, {})[figure] = sorted(keys)
        view = {"hidden": hidden, "index": self._shown_index, "opened": list(self.store.opened)}
        state = self.store.state
        return Session(
            data.origin,
            data.digest,
            (*(lab for lab in state.labs if lab.key != state.active), state.lab),
            state.active,
            view,
            state.codebook,
            self.opener.reading,
        )

    def _take_view(self, view: Any) -> None:
        index = view.get("index", 0)
        self._shown_index = index if isinstance(index, int) and not isinstance(index, bool) else 0
        held = view.get("hidden", {})
        hidden: dict[tuple[str, str], frozenset[str]] = {}
        for name, value in held.items() if isinstance(held, dict) else ():
            # When there was only one lab, its figures stood here without it.
            figures = value if isinstance(value, dict) else {name: value}
            lab = name if isinstance(value, dict) else LABS[0].key
            for figure, keys in figures.items():
                if isinstance(keys, list):
                    hidden[str(lab), str(figure)] = frozenset(k for k in keys if isinstance(k, str))
        self.window.board.hide_layers(hidden)

    def title(self, _: object = None) -> None:
        """Name the session or the table in the window's title, with a dot where something is not
        saved."""
        data, path = self.store.data, self.opener.session_path
        if data is not None:
            self.window.title(
                tr(data.name), path.name if path else "", not self.store.history.isClean()
            )

    # Pages

    def show_page(self, key: str) -> None:
        """Turn to the page of a lab, or of the table."""
        if key in (DATA_PAGE, IMPORT_PAGE):
            self.pages.turn(key)
            return
        self.store.activate(key)
        self.pages.turn(key)

    def _on_restored(self, _: State) -> None:
        # What was undone is to be seen; what is told of the columns is seen on the page of the
        # table.
        if self.page != self.store.state.active and not (self.page == DATA_PAGE and self._retold):
            self.pages.turn(self.store.state.active)

    def order_tabs(self) -> None:
        """Tab goes as the eye does: top bar, pages, panel, strip, charts. To be called when widgets
        came or went."""
        self._tabs.start()

    def _order_tabs(self) -> None:
        window = self.window
        page = (
            [self.data_page.left, self.data_page.right]
            if self.data_page is not None and self.page == DATA_PAGE
            else []
        )
        preview = self.pages.import_page
        if preview is not None and self.page == IMPORT_PAGE:
            page = [preview.left, preview.right]
        order_tabs([window.top, window.nav, *page, self.panel, window.strip, window.board])

    def dress(self, look: Look) -> None:
        self.pages.dress(look)
        self.window.fit_nav()
        self._on_replay(self._shown_index)

    def close(self) -> None:
        """Stop every worker; nothing is heard of them any more."""
        self.store.history.disconnect(self)
        self.pages.close()
        for runner in (self.runner, self.opener.loader, self.opener.watcher, self.saver.writer):
            runner.close()
