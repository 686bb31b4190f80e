"""The door to a room of people who answer on their phones: nothing of it is imported, and nothing
is served, before it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from dpstudio.data.dataset import Dataset
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.frame.question import nothing
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.shell.pages import Pages
from dpstudio.gui.shell.pictures import Pictures
from dpstudio.gui.state.jobs import Jobs
from dpstudio.gui.state.store import Store
from dpstudio.labs import LABS
from dpstudio.labs.naming import lab_kind
from dpstudio.labs.room_protocol import REPORTS, Asks
from dpstudio.values.messages import N_, Message, Num, because, named, say

if TYPE_CHECKING:
    from dpstudio.gui.shell.overlay_sheet import OverlaySheet
    from dpstudio.gui.shell.survey.served import Left, Wanted
    from dpstudio.gui.shell.survey.sheet import RoomLine, RoomSheet
    from dpstudio.privacy.room import Question

LIVE_MS = 200  # at least between two pictures of what arrives, however many do
# The lab that can ask one; "" where there is none, and so no room.
_ASKS = next((about.key for about in LABS if about.rooms), "")


class Rooms(QObject):
    """At most one room is open. `rearranged`: widgets came or went. `_arrived` is told from the
    room's own thread."""

    rearranged = Signal()
    _arrived = Signal()

    def __init__(self, window: Window, store: Store, jobs: Jobs, pages: Pages, pictures: Pictures):
        super().__init__(window)
        self.window, self.store, self.pages, self.pictures = window, store, pages, pictures
        self.room: Any = None  # a dpstudio.serve.Room, whose code is imported when it is opened
        self.wanted: Wanted | None = None
        self._made: list[Any] = []
        self._looked = False
        self._told: tuple[Any, Dataset] | None = None
        self._starter, self._finder = jobs.channel("room"), jobs.channel("room-found")
        self._starter.value.connect(self._on_started)
        self._starter.failed.connect(self._on_failed)
        self._finder.value.connect(self._on_found)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(LIVE_MS)
        self._soon.timeout.connect(self._show)
        self._arrived.connect(self._on_arrived)
        pictures.tables = self._tables

    @cached_property
    def asks(self) -> Asks[Any]:
        """What the lab that can ask a room declares of it."""
        asks: Asks[Any] | None = lab_kind(_ASKS).page().room
        assert asks is not None
        return asks

    @cached_property
    def sheet(self) -> RoomSheet:
        """What is chosen, and what is seen of the room; made when it is first asked for."""
        from dpstudio.gui.shell.survey.form import RoomForm
        from dpstudio.gui.shell.survey.sheet import RoomSheet

        sheet = RoomSheet(RoomForm(self.store, self.asks.fields))
        sheet.left.connect(self.leave)
        sheet.form.wanted.connect(self._open)
        sheet.room.asked.connect(self._do)
        self.store.changed.connect(self._follow)
        self.window.resized.connect(self._dress)
        self.window.theme.changed.connect(self._dress)
        self.window.presented.connect(self._dress)
        return sheet

    @cached_property
    def line(self) -> RoomLine:
        """Where phones go, below a chart that is presented."""
        from dpstudio.gui.shell.survey.sheet import RoomLine

        line = RoomLine()
        self.pictures.stage.foot.middle.addWidget(line)
        return line

    @cached_property
    def overlay_sheet(self) -> OverlaySheet:
        """Lets it fill the middle of the window."""
        from dpstudio.gui.shell.overlay_sheet import OverlaySheet

        self.window.style_sheets.add(self.sheet)
        covers = OverlaySheet(self.window, self.pages, self.sheet)
        covers.rearranged.connect(self.rearranged)
        return covers

    @property
    def question(self) -> Question:
        """What the lab would ask."""
        question: Question = self.asks.question(self.store.state.held(_ASKS))
        return question

    # What a person asks for

    def toggle(self) -> None:
        """Show the room, or what is to be chosen before it is opened; or the charts again."""
        if "sheet" in self.__dict__ and self.overlay_sheet.on:
            self.leave()
            return
        self.pages.asked.emit(_ASKS)
        self.sheet.show_room(self.room is not None)
        if self.room is None:
            self._find()
        self.overlay_sheet.cover()
        self._dress()
        self._follow()
        self.sheet.take_focus()

    def leave(self) -> None:
        """Show the charts; the room stays as it is."""
        self.overlay_sheet.uncover()

    def _find(self) -> None:
        from dpstudio.gui.shell.survey.served import finding

        self._finder.submit(finding)

    def _open(self) -> None:
        self._start(self.sheet.form.want(self.question))

    def _start(self, wanted: Wanted) -> None:
        from dpstudio.gui.shell.survey import served

        self.wanted = wanted
        self.sheet.form.work(True)
        self._starter.submit(partial(served.starting, wanted, self._arrived.emit, self._made))

    def _do(self, what: str) -> None:
        """One of the buttons of the room that is open."""
        from dpstudio.gui.shell.survey import files

        acts: dict[str, Callable[[], object]] = {
            "stand": self._stand,
            "again": self._again,
            "add": self._add,
            "other": self._other,
            "save": lambda: files.save_reports(self.window, self.room),
            "print": lambda: files.save_codes(self.window, self.room),
            "charts": self.leave,
            "stop": self.stop,
        }
        if self.room is not None:
            try:
                acts[what]()
            except OSError as error:
                self._complain(error)
            self._show()

    def _stand(self) -> None:
        key = self.question.key
        taking = self.room.standing[key].open
        self._close_open()
        if not taking:
            self.room.open(key)

    def _again(self) -> None:
        self._close_open()
        self.room.reopen(self.question.key)
        self.window.say(
            tr(N_("Everyone is asked anew: who answers again spends again.")), tone="good"
        )

    def _close_open(self) -> None:
        """One question is asked at a time: what is said of the room here is of that one."""
        for key in [key for key, now in self.room.standing.items() if now.open]:
            self.room.close(key)

    def _other(self) -> None:
        """Let another question be typed; the room goes on, and offers to ask it."""
        self.leave()
        self.pages.panel_of(_ASKS).go_to(self.asks.fields[0])

    def _add(self) -> None:
        """Ask what the lab asks now too: the room comes back at once, at the same address."""
        from dataclasses import replace

        wanted = self.wanted
        assert wanted is not None
        self._close_open()
        asked = (*wanted.questions, self.question)
        self._end()
        self._start(replace(wanted, questions=asked, anew=False))

    def stop(self) -> None:
        """Serve nothing any more; what came stays, in the lab and on this machine."""
        self._end()
        self.sheet.show_room(False)
        self._find()
        self.window.say(tr(N_("The room is closed: nothing is served any more.")), tone="good")

    def _end(self) -> None:
        if self.room is not None:
            self._tables()  # what came last
            self.room.stop()
            self._made.remove(self.room)
            self.room = None
            self.pages.column.show_room(False)
            if "line" in self.__dict__:
                self.line.hide()

    # What comes back

    def _on_started(self, room: Any) -> None:
        self.room = room
        self.sheet.form.work(False)
        self.pages.column.show_room(True)
        seats = len(room.codes)
        self.sheet.room.show_address(room.address, seats, room.fingerprint or "")
        self.sheet.show_room(True)
        lab = self.store.state.held(_ASKS)
        if not self.asks.listens(lab):
            self.store.turn_to(self.asks.listening(lab))
        self._dress()
        self._show()
        if self.overlay_sheet.on:
            self.sheet.take_focus()

    def _on_failed(self, error: Exception) -> None:
        sentence = getattr(error, "sentence", None)
        if not isinstance(sentence, Message):
            if not isinstance(error, OSError):
                raise error
            sentence = say("The room could not be opened: {why}.", why=because(error))
        self.sheet.show_room(False)
        self.sheet.form.fail(sentence)

    def _complain(self, error: OSError) -> None:
        text = N_("The room could not keep that: {why}.")
        self.window.say(shown(say(text, why=because(error))))

    def _on_found(self, found: tuple[Left | None, tuple[str, ...] | None]) -> None:
        left, at = found
        if at is not None:
            self.sheet.form.show_left(left)
            self.sheet.form.show_addresses(at)
        elif left and left.reports and self.room is None and not self.window.question.busy:
            text = say(
                "{n} {n:report of an earlier room is|reports of an earlier room are} kept on this "
                "machine.",
                n=Num(left.reports),
            )
            answers = (
                (tr(N_("Open the room again …")), self.toggle),
                (tr(N_("Forget them")), self._forget),
                (tr(N_("Later")), nothing),
            )
            self.window.question.ask(shown(text), answers, held=False)

    def _forget(self) -> None:
        from dpstudio.gui.shell.survey.served import forget

        try:
            forget()
        except OSError as error:
            text = say("They could not be deleted: {why}.", why=because(error))
            self.window.say(shown(text))

    def look(self) -> None:
        """Look in the background for what an earlier room left, once."""
        if _ASKS and not self._looked:
            self._looked = True
            from dpstudio.gui.shell.survey.served import looking

            self._finder.submit(looking)

    def _on_arrived(self) -> None:
        """Something changed in the room: shown a moment later, with whatever else comes until
        then."""
        if not self._soon.isActive():
            self._soon.start()

    def _show(self) -> None:
        """What came until now, on the sheet and in the lab."""
        if self.room is None:
            return
        self._follow()
        if self.asks.listens(self.store.state.held(_ASKS)):
            self.pictures.renew(_ASKS)

    def _follow(self, _: object = None) -> None:
        """The question, or what came of it, is another now."""
        if self.overlay_sheet.on:
            self.sheet.form.show_state()
        room = self.room
        if room is None or not (self.overlay_sheet.on or self.window.presenting):
            return
        from dpstudio.serve.intake import REASONS

        question, standing, counts = self.question, room.standing, room.counts
        now = standing.get(question.key)
        taking = now is not None and now.open
        self.sheet.room.show_question(shown(named(question.text)), taking, now is not None)
        refused = [
            say("{why} ({n})", n=Num(n), why=Message(REASONS[why]))
            for why, n in counts.refused.items()
        ]
        alike = {key for key, other in room.questions.items() if question.same(other)}
        arrived = sum(report.question in alike for report in room.reports)
        self.sheet.room.show_counts(arrived, taking, now is not None, refused)
        if self.window.presenting:
            self.line.show_room(room.address, self.sheet.room.counts.text())
            self.line.setVisible(self.store.lab.key == _ASKS)

    def _tables(self) -> dict[str, Dataset]:
        """The reports as a table, made anew only where others came; asked for by the thread that
        works a lab out."""
        room, told = self.room, self._told
        if room is not None and (told is None or told[0] is not room.reports):
            from dpstudio.gui.shell.survey.served import table_of

            reports = room.reports
            self._told = told = reports, table_of(room)
        return {} if told is None else {REPORTS: told[1]}

    def _dress(self, _: object = None) -> None:
        size, barred = self.window.size(), self.window.bars.height()
        self.sheet.dress(self.window.theme.look, size.width(), size.height(), barred)
        if self.window.presenting and self.room is not None:
            self.line.dress(size.height())
            self._follow()

    def close(self) -> None:
        """The window closes, and with it what it serves; the workers have ended."""
        self._soon.stop()
        for room in self._made:
            room.stop()
        self._made.clear()
        self.room = None
