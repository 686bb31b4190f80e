"""From the state to the screen: the lab is worked out in the background, and shown."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property, partial
from time import monotonic

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, Signal

from dpstudio.data.dataset import Dataset
from dpstudio.files.tables import TableError
from dpstudio.gui.board.overlays import Act
from dpstudio.gui.board.strip import simulates
from dpstudio.gui.parts.afterwards import Afterwards
from dpstudio.gui.parts.layout_pass import IdleStep
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.frame.message import LONG_MS
from dpstudio.gui.shell.frame.presenting import PresentingFrame
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.shell.lab_result import KeptResult, LabResult, worked_out
from dpstudio.gui.shell.pages import Pages
from dpstudio.gui.state.jobs import Jobs
from dpstudio.gui.state.store import Store
from dpstudio.labs.carry_over import SEED
from dpstudio.labs.findings import Findings
from dpstudio.values.messages import N_, Message
from dpstudio.values.parameters import domains
from dpstudio.values.problem import Problem

AFTER_PAINT = Qt.EventPriority.LowEventPriority.value - 1
_WORDS = "words"
# Under the hand words follow so often, and all else when it holds still for so long.
WORDS_S, STILL_MS = 1.0, 40
HERO = QEvent.Type(QEvent.registerEventType())  # the hero that came ahead is to be painted


class Due(Enum):
    """What of the newest result is still to come on the screen: its `CHARTS`, whose cards are made
    one after the other and then shown, or the `REST`, small charts and words, piece by piece after
    the hero was painted."""

    NOTHING, CHARTS, REST = range(3)


@dataclass(frozen=True)
class ToldProgress:
    """Progress is told; `stood` says again what stood in the bar before."""

    stood: Callable[[], None] | None


class Pictures(QObject):
    """What is on the screen, and what was drawn of labs that are not.

    `arrived`: there is a picture. `settled`: the charts show the newest state and nothing is left
    to do. `recovered`: there are findings again, after a failure. `elsewhere`: another table is
    asked for.
    """

    arrived = Signal()
    settled = Signal()
    recovered = Signal()
    elsewhere = Signal()

    def __init__(self, window: Window, store: Store, jobs: Jobs, pages: Pages):
        super().__init__(window)
        self.window, self.store, self.pages = window, store, pages
        self.kept: dict[str, KeptResult] = {}  # by lab
        # What a talk says of its step, and which step it is; nothing where none is open.
        self.telling: Callable[[], tuple[str, str]] = lambda: ("", "")
        # Tables that labs know by a name, besides those that are open; asked for by the worker.
        self.tables: Callable[[], Mapping[str, Dataset]] = dict
        self.runner = jobs.channel("lab")
        self._lane = jobs.processes
        self._failed = self._holding = False
        self._progress: ToldProgress | None = None
        self._lab = store.state.active
        self._data: tuple[Dataset | None, Dataset | None] = (None, None)
        # A lab that was never drawn is shown in parts: its panel, an empty page, then its charts.
        self._charts = IdleStep(self, self._bring_charts)
        self._rest = Afterwards(self)
        self._rest.done.connect(self._on_rest)
        self._due = Due.NOTHING
        self._worded = 0.0  # when the words were told last
        self._ahead = False  # whether the hero is another than that of the newest result
        self.runner.painting = lambda: self.busy or self._ahead
        window.board.card_pool.complete.connect(self._await_paint)
        self.runner.value.connect(self._on_findings)
        self.runner.failed.connect(self._on_failure)
        self.runner.idle.connect(self._on_idle)
        self.runner.progress.connect(self._on_progress)
        store.grasped.connect(self._on_hand)
        pages.left.connect(self.runner.cancel)
        pages.stayed.connect(self.follow)
        window.board.show_lab(self._lab)

    @property
    def index(self) -> int:
        """Which simulated answer is seen; Step goes on from it."""
        return self.window.board.index

    @index.setter
    def index(self, index: int) -> None:
        self.window.board.index = index

    def follow(self) -> None:
        """The store has changed: work out what is on the screen."""
        data, second = self.store.data, self.store.second
        told = data is not self._data[0] or second is not self._data[1]
        if told:  # pictures of other rows, or of other public bounds, are not shown again
            self._data = data, second
            here = self.kept.get(self._lab)
            self.kept = {} if here is None else {self._lab: KeptResult(here.newest)}
        if self.store.state.active != self._lab:
            self._turn(self.store.state.active)
        elif told or not self._stands:
            self.compute(cancel=told)
        else:  # a step and back, before the first of them was drawn
            self.runner.cancel()
            if not self.runner.busy:
                self._settle()

    @property
    def _stands(self) -> bool:
        """Whether the state of the lab is what was drawn of it last, to its finest part."""
        kept = self.kept.get(self._lab)
        return (
            kept is not None
            and kept.whole
            and kept.newest.lab == self.store.lab
            and not self._failed
        )

    def _await(self, due: Due) -> None:
        """Nothing but this is still to come."""
        self._due = due
        self._charts.start() if due is Due.CHARTS else self._charts.stop()
        if due is not Due.REST:
            self._rest.forget()

    def _turn(self, key: str) -> None:
        """Bring another lab to the eye: as it was last drawn, where that is still true, else as it
        is worked out now."""
        self._lab = key
        self._await(Due.NOTHING)
        self.runner.cancel()
        kept = self.kept.get(key)
        if kept is not None:
            self.pages.panel.show_findings(kept.newest.findings)
            self.window.board.show_lab(key, at_once=kept.newest.stopped is None)
            self._show_charts()
        else:
            self.window.board.show_lab(key)
            for said in (self.window.headline, self.window.strip):  # of another lab
                said.hide()
            self._await(Due.CHARTS)
            self.tell_stage()
        if not self._stands:
            self.compute(cancel=True)

    def compute(self, *, cancel: bool = False) -> None:
        """Let the runner work out the state as it now is; not while it is still being fitted to the
        table, which will be heard of."""
        if cancel:
            self.runner.cancel()
        if self.store.data is not None and not self.store.fitting:
            lab, data = self.store.lab, (self.store.data, self.store.second)
            hand = self._holding and self.window.board.on_hero
            if self._holding and self._rest.isActive():
                self._rest.start()  # it has not come to rest
            job = partial(worked_out, lab, data, self.tables, self.index, self._lane, hand)
            self.runner.submit(job)
            self.window.working.expect()

    def renew(self, key: str) -> None:
        """A table that this lab knows by a name has more in it by now: work it out again, or, where
        another one is on the screen, when it is turned to."""
        if key in self.kept:
            self.kept[key] = replace(self.kept[key], whole=False)
        if key == self._lab:
            self.compute()

    def forget(self) -> None:
        """What was drawn belongs to the table before."""
        self.runner.cancel()
        self.kept = {}

    # What comes back

    def _on_hand(self, holds: bool) -> None:
        """Axes stand still while a hand moves, and until what it left is drawn."""
        self._holding = holds
        self._rest.setInterval(STILL_MS if holds else 0)
        self.runner.grasp(holds)
        if holds:
            self.window.headline.hold(True)
            self.window.board.hold()
        else:
            self._let_go()

    def _let_go(self) -> None:
        """Let the axes go where no hand holds them and all is drawn that it left."""
        if not (self._holding or self.runner.busy or self._due is Due.REST):
            self.window.headline.hold(False)
            self.window.board.let_go()

    def _on_findings(self, drawn: LabResult) -> None:
        self.window.working.over()
        if drawn.ahead:
            self._show_ahead(drawn)
            return
        before = self.kept.get(drawn.lab.key)
        self.kept[drawn.lab.key] = KeptResult(drawn, before.good if before else None)
        if self._failed:
            self._failed = False
            self.recovered.emit()
        if drawn.lab.key != self._lab:
            return
        if self.store.history.moving and self.window.board.items:
            self._show_charts(Due.REST)
        else:
            self.pages.panel.show_findings(drawn.findings)
            self._await(Due.CHARTS)

    def _on_failure(self, error: Exception) -> None:
        self._failed = not isinstance(error, TableError)  # a table that is gone stays gone

    def _on_progress(self, share: float, doing: Message) -> None:
        """How far a long run is; when it has ended, what stood in the bar before stands there."""
        now = self.window.message.standing
        if now is not None or self._progress is None:
            self._progress = ToldProgress(now)
        self.window.message.soon(shown(doing), self._give_up, share, LONG_MS)

    def _give_up(self) -> None:
        """A person waits no longer for a long run."""
        self.runner.cancel()
        text = N_("It was stopped: what is shown is of an earlier question, or not finished.")
        self.window.message.say(tr(text), tr(N_("Start again")), self.compute, "")

    def _on_idle(self) -> None:
        # Findings come in several parts; only after the last one may they be shown again as they
        # are; a run that was cancelled, by another page that was wanted, may have had no last.
        self.window.working.over()
        kept = self.kept.get(self._lab)
        newest = kept is not None and kept.newest.lab == self.store.lab
        if kept is not None and newest and self.runner.heard and not kept.newest.glimpse:
            self.kept[self._lab] = replace(kept, whole=True)
        if self._progress is not None:
            told, self._progress = self._progress, None
            self.window.message.over(self._give_up, told.stood)
        self._settle()

    def _settle(self) -> None:
        """Say that nothing is left to do, once it is so."""
        if self._ahead:  # of a run that was cancelled
            self._show_charts()
        if self._due is not Due.REST:
            self._let_go()
            self.settled.emit()

    # What is shown

    def _show_charts(self, due: Due = Due.NOTHING) -> None:
        """Show the newest that was drawn, or why there is nothing; all of it is painted before the
        next event of this object, in which what is still `due` comes."""
        self._await(due)
        self._await_paint()
        self._ahead = False
        kept, window = self.kept.get(self._lab), self.window
        if kept is None:
            self._show_nothing()
            return
        drawn = kept.newest
        if drawn.stopped is not None:
            self._stop(drawn.stopped, kept.good)
            return
        # Since another table came every chart is another.
        fresh, self.kept[self._lab] = kept.good is None, replace(kept, good=drawn)
        window.stopped.hide()
        self.arrived.emit()
        self._show(self._at_index(drawn).framed, fresh)
        if window.board.isHidden():
            window.board.show()
        window.show_around()

    def _show_ahead(self, drawn: LabResult) -> None:
        """Show the hero of what comes next, where the eye is on one."""
        kept, (figure,) = self.kept.get(self._lab), drawn.findings.figures
        if drawn.lab.key == self._lab and kept is not None and kept.newest.stopped is None:
            self._ahead = self.window.board.show_hero(figure)
            self.window.board.mark(drawn.findings.coarse)
        # In the next event: a job that waits has begun by then, and works while this is painted.
        QCoreApplication.postEvent(self, QEvent(HERO))

    def _bring_charts(self) -> None:
        """The same, after the cards that are missing were made, one at a time."""
        drawn, stock = self.drawn, self.window.board.card_pool
        given = Findings() if drawn is None else drawn.findings
        tables = sum(table.shown for table in given.tables)
        if stock.make_for(self._lab, len(given.figures), tables):
            self._charts.start()
        else:
            self._show_charts()

    def _stop(self, why: Problem, good: LabResult | None) -> None:
        """Dim the last `good` picture, which is of another question; offer what mends it, and to go
        back to it. Where nothing in the lab mends it, another table may."""
        store, window = self.store, self.window
        acts: list[Act] = []
        if why.mend is not None:
            acts.append((shown(why.mend.name), partial(store.set_all, why.mend.changes)))
        if good is not None:
            acts.append((tr(N_("Back to this picture")), partial(store.edit, good.lab)))
            if not window.board.items:
                self._show(good.framed)
        else:
            window.board.hide()
        if why.mend is None:
            acts.append((tr(N_("Open another …")), self.elsewhere.emit))
        window.stopped.say(shown(why.say), acts)
        self.tell_stage()

    def _at_index(self, drawn: LabResult) -> LabResult:
        """With the simulated answer that is on the screen."""
        now = drawn.at(self.index)
        self.kept[now.lab.key] = replace(self.kept[now.lab.key], newest=now)
        return now

    def _await_paint(self) -> None:
        QCoreApplication.postEvent(self, QEvent(QEvent.Type.User), AFTER_PAINT)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.User:
            if self._due is Due.REST:
                if monotonic() >= self._worded + WORDS_S:
                    self._rest.hasten(_WORDS)
                self._rest.start()
            self.runner.go_on()
        elif event.type() == HERO:
            self.window.paint_now()
            self.runner.go_on(ahead=True)
        return super().event(event)

    def _on_rest(self) -> None:
        """All of the newest result is shown."""
        self._await(Due.NOTHING)
        self.runner.go_on()
        if not self.runner.busy:
            self._settle()

    def _tell(self) -> None:
        """Say of the newest charts what waited for their paint."""
        kept, drawn, self._worded = self.kept.get(self._lab), self.drawn, monotonic()
        if kept is not None:
            self.pages.panel.show_findings(kept.newest.findings)
        if drawn is not None:
            self._say(self._at_index(drawn).framed)
            self.window.show_around()  # what had nothing to say may have by now

    def _say(self, findings: Findings) -> None:
        window = self.window
        window.headline.show_findings(findings, window.theme.look)
        window.strip.offer_draws(self.draws)
        window.strip.show_findings(findings, window.theme.look)

    def _show(self, findings: Findings, fresh: bool = False) -> None:
        window = self.window
        later = self._due is Due.REST
        if later:
            self._rest.put_off(_WORDS, self._tell)
        else:
            self._say(findings)
        tables = tuple(table for table in findings.tables if table.shown)
        figures = findings.figures
        replays, beside = len(findings.replays), findings.beside
        self.pages.panel.show_answer(self.index, replays)
        for card in window.board.show_figures(figures, replays, tables, beside, fresh, later):
            self._rest.put_off(card, card.wake)
        window.board.mark(findings.coarse)
        self.tell_stage()

    @cached_property
    def stage(self) -> PresentingFrame:
        """What stands around a chart that is presented."""
        stage = PresentingFrame(self.store, self.window.theme.look, self.window)
        stage.foot.locked.connect(self.window.board.lock)
        self.window.board.rearranged.connect(self.tell_stage)
        self.window.presented.connect(self.tell_stage)
        return stage

    def tell_stage(self) -> None:
        """Say around a chart that is presented what it is; of a lab without one its name."""
        board, drawn = self.window.board, self._seen
        if not self.window.presenting:
            return
        told, place = self.telling()
        if drawn is None and (board.isHidden() or not board.items):
            self.stage.show(Findings(), tr(self.store.lab.label), "", place, told)
        if drawn is None or not board.items or board.filled is None:
            return
        question, card = self.pages.panel.question, board.items[board.filled]
        title = card.title.text()
        asks = "" if question is None or question.isHidden() else question.sentence.words.text()
        heroes = drawn.framed.figures[:1]  # the sentence is about it: another says what it shows
        if card.key not in [figure.key for figure in heroes]:
            asks = title
        self.stage.header.take(card)
        place = place or f"{board.filled + 1} / {len(board.items)}"
        self.stage.show(drawn.framed, title, asks, place, told)

    def _show_nothing(self) -> None:
        """A lab that was never drawn: an empty page rather than the numbers of another."""
        self.window.stopped.hide()
        self.window.board.show()
        self._show(Findings())
        self.window.show_around()

    def show_answer(self, index: int) -> None:
        """Show another simulated answer, in colours that may be others by now."""
        self.index = index
        if (seen := self._seen) is not None:
            self._show(seen.framed)

    def retell(self) -> None:
        """Say and draw what is seen in the language that is in force now."""
        kept = self.kept.get(self._lab)
        if kept is not None:
            self.pages.panel.show_findings(kept.newest.findings)
        self._show_charts()

    # What can be seen

    @property
    def busy(self) -> bool:
        """Whether charts are still missing."""
        return self._due is not Due.NOTHING or self.window.board.busy

    @property
    def drawn(self) -> LabResult | None:
        """The lab that is drawn, which a newer state may not be yet, and its findings; None while a
        problem stands in their place."""
        kept = self.kept.get(self._lab)
        return None if kept is None or kept.newest.stopped is not None else kept.newest

    @property
    def shown(self) -> LabResult | None:
        """What is drawn, with the simulated answer that is on the screen."""
        drawn = self.drawn
        return None if drawn is None else self._at_index(drawn)

    @property
    def _seen(self) -> LabResult | None:
        """What is drawn, or the last that could be, which is dimmed."""
        kept = self.kept.get(self._lab)
        return self.shown or (kept.good if kept else None)

    @property
    def draws(self) -> bool:
        """Whether anything on the page is drawn from a seed."""
        drawn = self.drawn
        seeded = SEED in domains(type(self.store.lab))
        return seeded and drawn is not None and simulates(drawn.findings)
