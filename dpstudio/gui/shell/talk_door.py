"""The door to talks and lessons: what the studio asks of them, of which nothing is imported before
one is wanted."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from dpstudio.files.session import SUFFIX, TALK
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.files.sessions import Sessions
from dpstudio.gui.shell.files.unsaved import Unsaved
from dpstudio.gui.shell.frame.question import nothing
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.shell.pages import Pages
from dpstudio.gui.shell.pictures import Pictures
from dpstudio.gui.state.drafts import left_talks, remove
from dpstudio.gui.state.history import History
from dpstudio.gui.state.jobs import Jobs, Work
from dpstudio.gui.table.opening import Opener
from dpstudio.values.messages import N_, say

if TYPE_CHECKING:
    from dpstudio.files.talk import Talk
    from dpstudio.gui.shell.talks.reports import Reports
    from dpstudio.gui.shell.talks.talks import Talks
    from dpstudio.gui.state.player import Player


class Talking(QObject):
    """`changed`: another talk or step, or none any more; `rearranged`: widgets came or went."""

    changed = Signal()
    rearranged = Signal()

    def __init__(
        self,
        window: Window,
        jobs: Jobs,
        opener: Opener,
        sessions: Sessions,
        unsaved: Unsaved,
        pages: Pages,
        pictures: Pictures,
    ):
        super().__init__(window)
        self.window, self.jobs, self.opener, self.sessions = window, jobs, opener, sessions
        self.unsaved, self.pages, self.pictures = unsaved, pages, pictures
        self._reports: Reports | None = None
        self._first = ""
        self._left: Path | None = None
        self._looked = False  # once: what was put off is not asked at every table
        self._finder = jobs.channel("talk-drafts")
        self._finder.value.connect(self._on_left)
        pages.taught.connect(self._teach)
        pages.read_along.connect(self._teach)
        pages.talk_new.connect(self.new)
        pages.talk_open.connect(self.ask_open)
        window.question.rearranged.connect(self._offer)

    @cached_property
    def talks(self) -> Talks:
        """All of it, made when it is first wanted."""
        from dpstudio.gui.shell.talks.talks import Talks

        talks = Talks(self.window, self.jobs, self.opener, self.unsaved, self.pages, self.pictures)
        talks.bar.rearranged.connect(self.rearranged)
        talks.player.changed.connect(self.changed)
        talks.files.saved.connect(self.changed)
        talks.player.history.changed.connect(self.changed)
        return talks

    @property
    def on(self) -> bool:
        """Whether a talk is open."""
        return "talks" in self.__dict__ and self.talks.on

    def name(self) -> tuple[str, bool] | None:
        """The name of the talk that is open, and whether it is not saved; None where there is
        none."""
        return self.talks.name() if self.on else None

    def first(self, file: str | None) -> str | None:
        """What to open at the start: a talk waits until there is a table, the first example."""
        if file is None or not file.endswith(TALK):
            return file
        self._first = file
        return None

    def opened(self) -> None:
        """There is a table."""
        if self._first:
            file, self._first = self._first, ""
            self.open(file)

    def open(self, where: str) -> None:
        """Open a table, an example, a session or a talk in the background. Tables belong to a talk
        that is open, sessions to one's own work."""
        if where.endswith(TALK):
            self.talks.files.open(Path(where))
        elif where.endswith(SUFFIX) and self.on:
            self.talks.leave_then(partial(self.opener.open, where))
        else:
            self.opener.open(where)

    def save(self) -> None:
        """Write the talk that is open, else the session."""
        self.talks.files.save() if self.on else self.sessions.save()

    def save_as(self) -> None:
        """The same, to a file that is asked for."""
        self.talks.files.ask_save() if self.on else self.sessions.ask_save()

    def report(self) -> None:
        """Write the pages that were opened on paper."""
        from dpstudio.gui.shell.talks.reports import Reports

        if self._reports is None:
            of = self.sessions
            self._reports = Reports(self.window, of.store, self.jobs, of.session)
        self._reports.ask()

    def hand_out(self) -> None:
        """Write the talk that is open on paper; where none is, it is said."""
        if self.on:
            self.talks.hand_out.ask()
        else:
            text = N_("No talk is open. Add what is on the screen, or open a talk or a lesson.")
            self.window.say(tr(text), tr(N_("Add this to the talk")), self.add_step)

    @property
    def history(self) -> History | Player:
        """Where undo goes to: the talk that is open and its lab, else the lab."""
        return self.talks.player if self.on else self.pages.store.history

    def turn(self, by: int) -> bool:
        """So many steps on in the talk that is open; False where none is."""
        if self.on:
            self.talks.player.turn(by)
        return self.on

    def may_close(self) -> bool:
        """Whether the window may close as far as a talk goes."""
        return not self.on or self.talks.may_close()

    def new(self) -> None:
        """Begin a talk of no steps."""
        self.talks.new()

    def ask_open(self) -> None:
        """Ask for a talk to open."""
        self.talks.files.ask_open()

    def add_step(self) -> None:
        """Add what is set now to the talk."""
        self.talks.add_step()

    # What a kill left

    def look(self) -> None:
        """Look in the background, once, for a talk that a window left when it ended."""
        if not self._looked:
            self._looked = True
            self._finder.submit(_find)

    def _on_left(self, path: Path) -> None:
        self._left = path
        self._offer()

    def _offer(self) -> None:
        """Offer it, once nothing else is asked."""
        path = self._left
        if path is None or self.on or self.window.question.busy:
            return
        self._left = None
        when = f"{datetime.fromtimestamp(path.stat().st_mtime):%Y-%m-%d %H:%M}"
        text = say("A talk was left and not saved: the work of {when} is still there.", when=when)
        answers = (
            (tr(N_("Take it up")), lambda: self.talks.take(path)),
            (tr(N_("Discard")), partial(remove, path)),
            (tr(N_("Later")), nothing),
        )
        self.window.question.ask(shown(text), answers, held=False)

    def close(self) -> None:
        """The window is closed: nothing is kept any more."""
        if "talks" in self.__dict__:
            self.talks.draft.close()

    def _teach(self, lesson: Talk, place: int = 0) -> None:
        self.talks.teach(lesson, place)


def _find(work: Work) -> Iterator[Path]:
    yield from left_talks()[:1]
