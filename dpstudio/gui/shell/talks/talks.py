"""Talks in the window: opened, made, gone through, presented, saved; and back to one's own work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from dpstudio.files.talk import Step, Talk
from dpstudio.gui.board.more_line import MORE
from dpstudio.gui.parts.ring import WindowRing
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.shell.files.sessions import Hidden
from dpstudio.gui.shell.files.unsaved import Unsaved
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.shell.pages import COMPANION, Pages
from dpstudio.gui.shell.pictures import Pictures
from dpstudio.gui.shell.talks import files, handout, making, question
from dpstudio.gui.shell.talks.bar import TalkBar
from dpstudio.gui.shell.talks.targets import TalkTargets
from dpstudio.gui.shell.talks.words import TalkWords
from dpstudio.gui.state.jobs import Jobs
from dpstudio.gui.state.player import Player
from dpstudio.gui.state.talk_drafts import TalkDraft
from dpstudio.gui.table.opening import Open, Opener
from dpstudio.values.messages import N_

if TYPE_CHECKING:
    from dpstudio.gui.shell.talks.presenter import Presenter


@dataclass
class _Own:
    """One's own work beside what the store holds: the table, and how it was looked at."""

    opened: Open
    hidden: Hidden
    index: int
    page: str  # where it was left: the one of the texts, or that of its lab


class Talks(QObject):
    """Ties a player to the window. `sessions`, `unsaved`, `pages` and `pictures` are told what is
    one's own work and what belongs to the talk."""

    def __init__(
        self,
        window: Window,
        jobs: Jobs,
        opener: Opener,
        unsaved: Unsaved,
        pages: Pages,
        pictures: Pictures,
    ):
        super().__init__(window)
        self.window, self.store, self.opener = window, opener.store, opener
        self.unsaved, self.pages, self.pictures = unsaved, pages, pictures
        self.player = Player(self.store, self)
        targets = TalkTargets(pictures)
        self.bar, self.pointing = TalkBar(self.player, targets), WindowRing()
        self.files = files.TalkFiles(window, opener, jobs, self.player)
        self.hand_out = handout.HandOut(window, jobs, self.player, self.files)
        self.words = TalkWords(self.player, targets)
        self.making = making.Making(window, opener, pictures, self.player)
        self.large = question.LargeQuestionSheet(window, pages, self.player)
        self.draft = TalkDraft(self.player, jobs, self)
        self._laid_out = QTimer(self)  # a chart that waited has its place
        self._laid_out.setSingleShot(True)
        self._laid_out.timeout.connect(self._settle)
        self._own: _Own | None = None
        pictures.telling = self.words.telling
        self.bar.hide()
        window.style_sheets.add(self.bar)
        window.outer.addWidget(self.bar)
        self._keys = {
            key: self._shortcut(key, act)
            for key, act in (
                (Qt.Key.Key_N, self.show_notes),
                (Qt.Key.Key_PageDown, partial(self.player.turn, 1)),
                (Qt.Key.Key_PageUp, partial(self.player.turn, -1)),
            )
        }
        self._tie()

    def _shortcut(self, key: Qt.Key, act: Callable[[], object]) -> QShortcut:
        shortcut = QShortcut(QKeySequence(key), self.window)
        shortcut.activated.connect(act)
        shortcut.setEnabled(False)
        return shortcut

    def _tie(self) -> None:
        player, bar = self.player, self.bar
        player.changed.connect(self._on_change)
        player.going.connect(self._on_going)
        player.went.connect(self._settle)
        self.pictures.arrived.connect(self._tell)
        self.pages.turned.connect(self._tell)
        self.pictures.settled.connect(self._settle)
        self.window.presented.connect(self._on_presented)
        self.files.read.connect(self._on_read)
        self.large.rearranged.connect(self._on_large)
        for signal, do in (
            (bar.added, self.add_step),
            (bar.retaken, self.making.retake),
            (bar.saved, self.files.save),
            (bar.saved_as, self.files.ask_save),
            (bar.handed_out, self.hand_out.ask),
            (bar.presented, self.window.present),
            (bar.noted, self.show_notes),
            (bar.copied, self._copy),
        ):
            signal.connect(lambda _=None, do=do: do())
        bar.left.connect(partial(self.leave_then, self.leave))

    @property
    def on(self) -> bool:
        """Whether a talk is open."""
        return self.player.talk is not None

    def name(self) -> tuple[str, bool] | None:
        """The name of the talk that is open, and whether it is not saved."""
        talk = self.player.talk
        return None if talk is None else (tr(talk.name), self.player.dirty)

    # Beginning and leaving

    def begin(
        self,
        talk: Talk,
        path: Path | None = None,
        *,
        shipped: bool = False,
        saved: bool = True,
        place: int = 0,
    ) -> None:
        """Go through a talk from a file, from one of its steps on; one that is `shipped` is not
        written to, and one that is not `saved` is in no file."""
        self._hold()
        self.files.path = path
        self.bar.mine = not shipped
        self.player.begin(talk, saved=saved, place=place)
        self._show_bar()

    def _on_read(self, path: Path, talk: Talk) -> None:
        if path == self.draft.taken:
            self.leave_then(partial(self.begin, talk, saved=False))
        else:
            self.leave_then(partial(self.begin, talk, path))

    def take(self, draft: Path) -> None:
        """Go on with a talk that a window left when it ended."""
        self.draft.taken = draft
        self.files.open(draft)

    def teach(self, lesson: Talk, place: int = 0) -> None:
        """Go through a lesson that is shipped, from one of its steps on."""
        self.leave_then(partial(self.begin, lesson, shipped=True, place=place))

    def new(self) -> None:
        """Begin a talk of no steps."""
        self.leave_then(self._new)

    def _new(self) -> None:
        self.begin(Talk(tr(N_("A talk"))))
        self.pages.turn(self.store.state.active)

    def _hold(self) -> None:
        """Remember one's own work, which nothing of the talk may touch."""
        self.unsaved.hold()
        hidden, index = dict(self.window.board.hidden), self.pictures.index
        active, texts = self.store.state.active, COMPANION.key
        page = texts if self.pages.page == texts else active
        self._own = _Own(self.opener.held(), hidden, index, page)
        self.bar.name_leaving(page == texts)

    def leave(self) -> None:
        """Close the talk; one's own work is there again as it was."""
        if not self.on:
            return
        self.window.leave_presenting()
        if (held := self.window.focusWidget()) is not None:
            held.clearFocus()  # else it goes to whatever follows the bar of the talk
        own, self._own = self._own, None
        self.files.forget()
        self.window.board.put_first("", "")
        if self.player.elsewhere:
            self.pictures.forget()
            self.pages.forget()
        if own is not None:
            self.opener.put_back(own.opened)
            self.pictures.index = own.index
            self.window.board.hide_layers(own.hidden)
        self.player.leave()
        self.pointing.point(None, self.window.theme.look)
        self._show_bar()
        self.pages.turn(self.store.state.active if own is None else own.page)
        self.pictures.show_answer(self.pictures.index)
        self.unsaved.resume()

    def leave_then(self, then: Callable[[], object]) -> None:
        """Close the talk that is open, if any, and do what follows; where it is not saved, it is
        asked first."""

        def go() -> None:
            self.leave()
            then()

        if self.files.sure():
            go()
        else:
            self.files.ask(N_("Close the talk “{name}” without saving it?"), go)

    def may_close(self) -> bool:
        """Whether the window may close as far as the talk goes, which is left then."""
        if not self.files.sure() and not self.unsaved.sure:
            text = N_("Close without saving the talk “{name}”?")
            self.files.ask(text, self.window.close)
            return False
        self.leave()
        return True

    # What is on the screen

    def _on_change(self) -> None:
        self._tell()
        player = self.player
        self.large.follow()
        step = player.step
        if player.asking or step is None or not step.point:
            self.pointing.point(None, self.window.theme.look)
        elif not player.moving:  # what it points at may have been chosen just now
            self.pointing.point(self._pointed(step), self.window.theme.look)
        lesson = player.talk is not None and player.talk.lesson
        if lesson and not self.large.on and not self.bar.editor.isVisible():
            self.bar.take_focus()

    def _on_going(self, step: Step) -> None:
        if self.files.forget() and self.opener.loader.busy:
            self.opener.cancel()  # the table of a step that was left again
        hidden = {
            key: names for key, names in self.window.board.hidden.items() if key[0] != step.lab.key
        }
        hidden |= {(step.lab.key, key): frozenset(names) for key, names in step.hidden.items()}
        self.window.board.hide_layers(hidden)
        self.pictures.index = step.index
        self.window.board.put_first(step.lab.key, step.chart)
        self.pages.turn(self.store.state.active)

    def _settle(self, _: object = None) -> None:
        """The step is on the screen: let its chart fill it, or point at what it speaks of."""
        step, following, board = self.player.step, self.player.following, self.window.board
        if step is None or self.player.asking or self.player.moving:
            return
        if following is not None:
            self.pages.near(following.lab.key)
        card = board.card(step.chart) if step.chart else None
        if card is not None and card.waits and not self.window.presenting:
            board.unfold(card.key)  # a table
            self._laid_out.start()
        if self.window.presenting:
            place = board.items.index(card) if card is not None else 0
            if board.filled != place:
                board.fill(place)
        self.pointing.point(self._pointed(step), self.window.theme.look)
        self._tell()

    def _pointed(self, step: Step) -> QWidget | None:
        if not step.point or self.window.presenting or self.pages.page != step.lab.key:
            return None
        board = self.window.board
        card = board.card(step.point)
        if card is None:
            return self.pages.panel.reveal(step.point)
        if card.waits:
            board.unfold(MORE)
            self._laid_out.start()
        board.area.ensureWidgetVisible(card)
        return card

    def _tell(self) -> None:
        """The sentence of the step, with the numbers that are on the screen, and of an answer."""
        if not self.on:
            return
        words = self.words
        self.bar.tell(words.said(), words.verdict())
        self.bar.editor.show_seen()
        self.pictures.tell_stage()
        if "presenter" in self.__dict__:
            self.presenter.tell(words.said())

    # The bar, and presenting

    def _show_bar(self) -> None:
        talk, presenting = self.player.talk, self.window.presenting
        self.bar.setVisible(talk is not None and not presenting)
        self.bar.show_state()
        if talk is not None and self.bar.mine and not talk.steps:
            self.bar.unfold(True)
        if talk is None:
            self.bar.unfold(False)
        self._keys[Qt.Key.Key_N].setEnabled(talk is not None)
        # A control that has the focus would take them from a remote.
        for key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            self._keys[key].setEnabled(talk is not None and presenting)
        self._tell()
        self.bar.rearranged.emit()

    def _on_presented(self) -> None:
        # A step that is written was shown without what it asks: who watches is asked first.
        if not self.window.presenting:
            self.player.unask()
        elif self.bar.edit.isChecked():
            self.player.ask()
        self.large.follow()
        self._show_bar()
        self._settle()

    def _on_large(self) -> None:
        self.bar.elsewhere = self.large.on
        self.bar.show_state()
        self.bar.rearranged.emit()

    @cached_property
    def presenter(self) -> Presenter:
        """The window of the speaker, made when it is first asked for."""
        from dpstudio.gui.shell.talks.presenter import Presenter

        presenter = Presenter(self.player, self.window)
        self.window.style_sheets.add(presenter)
        return presenter

    def show_notes(self) -> None:
        """Show the window of the speaker, or close it."""
        if self.presenter.isVisible():
            self.presenter.close()
        else:
            self.presenter.begin()
            self._tell()

    # Making one

    def add_step(self) -> None:
        """Add what is set now, with the chart that fills the screen or the first, after the step on
        the screen; to a new talk where none is open."""
        if self.making.seen:
            if not self.on:
                self._new()
            self.making.add()
            self._show_bar()

    def _copy(self) -> None:
        """Change a copy of a talk that is shipped: one's own, in no file yet."""
        self.bar.mine, self.files.path, self.player.saved = True, None, None
        self.bar.unfold(True)
        self.player.changed.emit()
