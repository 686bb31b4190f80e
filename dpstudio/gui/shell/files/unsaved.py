"""Nothing lost: closing asks where something is not saved, and what is not saved is kept as a
draft, which the next start offers where the program was killed."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from dpstudio.files.session import Session
from dpstudio.files.tables import called
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.files.sessions import Sessions
from dpstudio.gui.shell.frame.question import nothing
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.state.drafts import OF, SINCE, Draft, LostDraft, left, remove
from dpstudio.gui.state.jobs import Jobs, Work
from dpstudio.gui.state.store import Store
from dpstudio.gui.table.opening import Opener
from dpstudio.gui.table.reading import Request, of_session
from dpstudio.values.messages import N_, because, say

# After an edit: with the writing it is well below a second. Seldomer under a hand, whose next
# picture waits for the writing.
KEEP_MS, HELD_MS = 300, 1000


class Unsaved(QObject):
    """Keeps the draft of this window."""

    def __init__(
        self, window: Window, store: Store, jobs: Jobs, opener: Opener, sessions: Sessions
    ):
        super().__init__(window)
        self.window, self.store, self.opener, self.sessions = window, store, opener, sessions
        self._draft = Draft()
        self._taken: Path | None = None  # the draft of another window, until it is in ours
        self._sure = self._looked = False
        self._told = ""  # why what is not saved cannot be kept
        self._asked = ""
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(KEEP_MS)
        self._soon.timeout.connect(self._keep)
        self._keeper, self._finder = jobs.channel("draft"), jobs.channel("drafts")
        self._keeper.value.connect(self._on_kept)
        self._keeper.failed.connect(self._on_unkept)
        self._finder.value.connect(self._offer)
        opener.leaving.connect(self._put_aside)
        sessions.wrote = self._forgetting
        sessions.saved.connect(self._later)
        self._carried, self._turn = False, 0
        self._held = False
        store.changed.connect(self._later)
        store.grasped.connect(self._on_hand)
        store.history.cleanChanged.connect(self._later)

    # While one works

    def _on_hand(self, holds: bool) -> None:
        self._soon.setInterval(HELD_MS if holds else KEEP_MS)

    def _later(self, _: object = None) -> None:
        if self._held:
            return
        self._turn += 1
        # Not put off by the next edit: a drag of a minute is kept all the while.
        if not self._soon.isActive() and (self._draft.kept or not self._clean()):
            self._soon.start()

        if self._clean() and self.window.question.text.text() == self._asked:
            self.window.question.leave()  # it was saved by another way, or taken back

    def hold(self) -> None:
        """A talk is gone through: what changes now is none of one's own work, whose draft stays as
        it is."""
        if self._soon.isActive():
            self._soon.stop()
            self._keep()
        self._held = True

    def resume(self) -> None:
        """One's own work is there again."""
        self._held = False
        self.look()

    @property
    def sure(self) -> bool:
        """Whether the person wants to close, whatever is lost."""
        return self._sure

    def _clean(self) -> bool:
        return self.store.data is None or self.store.history.isClean()

    def _keep(self) -> None:
        session = None if self._clean() else self._drafted()
        self._keeper.submit(partial(_write, self._draft, session, self._turn, self._taken))

    def _forgetting(self) -> Callable[[], None]:
        """What is to be done once all that is set now is saved."""
        return partial(_forget, self._draft, self._turn, self._taken)

    def _drafted(self) -> Session | None:
        """The session, with the file that it belongs to."""
        session, of = self.sessions.session(), self.opener.session_path
        if session is None:
            return None
        since = {OF: str(of.absolute()) if of is not None else "", SINCE: self.opener.session_mark}
        return replace(session, view={**session.view, **since})

    def _put_aside(self, request: Request) -> None:
        """Another table or session comes: what is not saved of a session is kept as a draft, and
        offered; labs that go on to another table are as unsaved there."""
        if self._held:
            return
        self._carried = not self._clean() and request.session is None
        if self._clean() or (self.opener.session_path is None and self._carried):
            return
        session, old = self._drafted(), self._draft
        self._draft, self._carried = Draft(), False
        if session is not None:
            self._finder.submit(partial(_leave, old, session, self._turn))

    def _on_kept(self, taken: Path | None) -> None:
        self.window.message.unsay(self._told)
        self._told = ""
        if self._taken == taken:
            self._taken = None

    def _on_unkept(self, error: Exception) -> None:
        if not self._told:
            why = because(error)
            text = say("What is not saved cannot be kept for the next start: {why}", why=why)
            self._told = shown(text)
            self.window.say(self._told, tone="warn")

    # Closing

    def may_close(self) -> bool:
        """Whether the window may close; where something is not saved, it is asked first."""
        focused = self.window.focusWidget()
        if focused is not None and not self._sure:
            focused.clearFocus()  # what was typed is taken
        if self._sure:
            return True
        if self.sessions.busy:  # what is being saved need not be asked about
            self.sessions.then(self.window.close)
            return False
        if self._clean():
            return True
        answers = (
            (tr(N_("Save")), self._save),
            (tr(N_("Discard")), self.discard),
            (tr(N_("Cancel")), nothing),
        )
        name = self.opener.session_path
        text = N_("Close without saving? What you set since the last saving would be lost.")
        named = N_("Close without saving {name}? What you set since the last saving would be lost.")
        self._asked = shown(say(named, name=name.name)) if name is not None else tr(text)
        self.window.question.ask(self._asked, answers)
        return False

    def _save(self) -> None:
        self.sessions.save()
        if self.sessions.busy:
            self.sessions.then(self.window.close)

    def discard(self) -> None:
        """Close all the same."""
        self._sure = True
        self.window.close()

    def close(self) -> None:
        """Remove the draft, and let go of the session; nothing is written any more."""
        self._soon.stop()
        self._draft.close()
        self.sessions.free()

    # The next start

    def look(self) -> None:
        """Look in the background, once, for work of windows that ended before they could ask."""
        if not self._looked and not self._held:
            self._looked = True
            self._finder.submit(_find)

    def _offer(self, found: list[LostDraft]) -> None:
        if not found or self._held or self.window.question.busy:
            return
        newest = found[0]
        when = datetime.fromtimestamp(newest.written)
        day = "" if when.date() == datetime.now().date() else f"{when:%Y-%m-%d} "
        name = newest.of.name if newest.of is not None else called(newest.session.table)
        text = N_("{name} was left and not saved: the work of {when} is still there.")
        told = say(text, name=name or tr(N_("the pasted table")), when=f"{day}{when:%H:%M:%S}")
        answers = (
            (tr(N_("Take it up")), partial(self.take, newest)),
            (tr(N_("Discard")), partial(remove, newest.path)),
            (tr(N_("Later")), nothing),
        )
        self.window.question.ask(shown(told), answers, held=False)

    def take(self, found: LostDraft) -> None:
        """Open what was found; it is as unsaved as it was."""
        session = replace(found.session, mark=found.since)
        request = of_session(session, found.of, session.table)
        self.opener.open_session(replace(request, unsaved=True, draft=found.path))

    def opened(self, request: Request) -> None:
        """A table or a session was opened, and stands in the store."""
        if self._held:
            return
        if not request.again and (request.unsaved or self._carried):
            self._taken = request.draft
            self.store.history.setUnclean()
        self._later()


def _write(
    draft: Draft, session: Session | None, turn: int, taken: Path | None, work: Work
) -> Iterator[Path | None]:
    """Write the draft, or remove it where there is nothing to keep. The draft of another window
    goes once it is in this one. Raises SessionError or OSError."""
    if session is None:
        remove(draft.path)
    else:
        draft.write(session, turn)
        if taken is not None:
            remove(taken)
    yield taken if session is not None else None


def _forget(draft: Draft, turn: int, taken: Path | None) -> None:
    draft.forget(turn)
    if taken is not None:
        remove(taken)


def _leave(draft: Draft, session: Session, turn: int, work: Work) -> Iterator[list[LostDraft]]:
    draft.write(session, turn)
    draft.leave()
    yield left()


def _find(work: Work) -> Iterator[list[LostDraft]]:
    yield left()
