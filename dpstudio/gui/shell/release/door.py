"""The door to the release desk and to the page of a ledger: their code is imported when one of them
is first opened. What is paid and drawn there, is by the functions of the command line."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from dpstudio.files.tables import called
from dpstudio.gui.parts.folder_dialog import asked_folder
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.apart import LEDGER, RELEASE
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.shell.pages import Pages
from dpstudio.gui.state.jobs import Jobs
from dpstudio.gui.state.shared_settings import suited
from dpstudio.gui.state.store import Store
from dpstudio.gui.table.opening import Opener
from dpstudio.labs.carry_over import epsilon_path
from dpstudio.labs.panel import TO_DECIDE, TO_PLAN, Lack
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.values.messages import N_, Message, in_turn, listed, plain, say
from dpstudio.values.parameters import ParamError, put

if TYPE_CHECKING:
    from dpstudio.plans.plan import Plan

_KIND = N_("Ledgers (*.dpledger)")
_OTHER = N_(
    "{path} holds another plan by now than the one that lies here: nothing was signed. Open it "
    "again."
)
_MADE = N_(
    "The key is in {path}, which its owner alone keeps. Its public part was copied; a plan names "
    "it after who approves, below “Approval by”: {key}"
)


class Releasing(QObject):
    """Keeps what lies on the desk, and asks for files."""

    def __init__(self, window: Window, store: Store, jobs: Jobs, pages: Pages, opener: Opener):
        super().__init__(window)
        self.window, self.store, self.pages, self.opener = window, store, pages, opener
        self.plan: Plan | None = None
        self.plan_name = self.person = ""
        self.plan_path: Path | None = None  # where an approval of it is written to
        self.seen: Any = None
        self.looker, self.payer = jobs.channel("desk"), jobs.channel("release")
        self.reader, self.writer = jobs.channel("ledger"), jobs.channel("certificate")
        self.changer = jobs.channel("change of a ledger")
        pages.makers |= {RELEASE.key: self._make_desk, LEDGER.key: self._make_ledger}
        pages.turned.connect(self.look_again)
        opener.opened.connect(lambda _: self.look_again())
        self.looker.value.connect(self._on_seen)
        self.payer.value.connect(self._on_seen)
        self.reader.value.connect(self._on_read)
        self.changer.value.connect(self._on_read)
        self.writer.value.connect(self._on_saved)
        for channel in (self.looker, self.writer):
            channel.failed.connect(self._on_failure)
        self.reader.failed.connect(self._on_unread)
        self.changer.failed.connect(self._on_unchanged)
        self.payer.failed.connect(self._on_unpaid)
        self._sheet: Any = None  # on which a plan of a page is approved
        self._lacking: Any = None  # that lists what keeps one of a page from the desk
        self._why: Any = None  # why the last act failed, said once it was looked again

    @property
    def desk(self) -> Any:
        """The DeskPage, once it is made."""
        return self.pages.apart.get(RELEASE.key)

    @property
    def ledger_page(self) -> Any:
        """The LedgerPage, once it is made."""
        return self.pages.apart.get(LEDGER.key)

    @property
    def ledger(self) -> Path | None:
        """The file that was used last."""
        held = self.window.kept.ledger
        return Path(held) if held else None

    def take(self, text: str) -> None:
        """Lay the plan of a page on the desk, and go there. Raises ParamError."""
        from dpstudio.plans.plan import read_plan

        self.plan, self.plan_name, self.plan_path = read_plan(text), "", None
        self.pages.asked.emit(RELEASE.key)
        self.look()

    def lack(self, title: str, missing: Sequence[Lack]) -> None:
        """List all that keeps the plan of a page from the desk, with the ways there."""
        if self._lacking is None:
            from dpstudio.gui.shell.release.missing_sheet import MissingSheet

            self._lacking = MissingSheet(self.window, self._mend)
        self._lacking.ask(title, missing)

    def _mend(self, lack: Lack) -> None:
        self.store.edit(lack.lab)
        self.pages.panel.go_to(lack.path)

    def sign(self, text: str, then: Callable[[str], object]) -> None:
        """Show what approving the plan of a page signs; `then` gets its file, approved. Raises
        ParamError."""
        if self._sheet is None:
            from dpstudio.gui.shell.release.approval_sheet import ApprovalSheet

            self._sheet = ApprovalSheet(self.window)
        self._sheet.ask(text, then)

    def _make_desk(self) -> Any:
        from dpstudio.gui.shell.release.desk_page import DeskPage

        page = DeskPage(self.window.theme, self._ask_new)
        page.left.connect(self._leave)
        page.way.connect(self._go)
        page.told.connect(self._tell)
        page.publish.connect(self._publish)
        page.save.connect(self._save)
        page.foretell.connect(self._foretell)
        page.finishing.chosen.connect(lambda _: self.look())
        page.ledger_made.connect(self._use)
        return page

    def _make_ledger(self) -> Any:
        from dpstudio.gui.shell.release.ledger_page import LedgerPage

        page = LedgerPage(self.window.theme)
        page.opening.connect(self._open_ledger)
        page.checking.connect(self._check)
        page.own.connect(self._use_own)
        page.changes.wanted.connect(self._change)
        page.named.connect(self._name)
        page.desk.connect(partial(self.pages.asked.emit, RELEASE.key))
        return page

    def look_again(self) -> None:
        """One of both is shown, or the table is another: look again."""
        if self.pages.page == RELEASE.key:
            self.look()
        elif self.pages.page == LEDGER.key and self.ledger is not None:
            self._read(None)

    # The desk

    def look(self) -> None:
        """What is missing, and what it would cost."""
        from dpstudio.gui.shell.release import work
        from dpstudio.gui.table.attesting import as_read

        desk, data = self.desk, self.store.data
        names = () if data is None else tuple(column.name for column in data.columns)
        self.person = self.person if self.person in names else self.store.state.codebook.person
        given = self._given()
        name = self.plan_name or (tr(N_("of the page")) if self.plan is not None else "")
        ledger = "" if self.ledger is None else self.ledger.name
        desk.name(name, called(given.where), ledger)
        planned = "" if self.plan is None else self.plan.terms.naming
        desk.show_columns((planned,) if planned else names, given.person, chosen=not planned)
        desk.as_read = as_read(self.opener) if given.where else None
        self.looker.submit(partial(work.look, given, self.seen), cancel=True)

    def _given(self) -> Any:
        """What lies on the desk now, which may be more than was looked at."""
        from dpstudio.files.read.choices import Choices
        from dpstudio.gui.shell.release.work import Given

        now = self.opener.open_now
        where, choices = "", Choices()
        if now is not None and now.request.pasted is None:
            where, choices = now.request.where, now.chosen
        finish = self.desk.finishing.finish
        return Given(self.plan, self.ledger, where, choices, self._whose(), finish)

    def _whose(self) -> str:
        """The column that says whose row it is, that of the plan first: also of one row a person,
        since nothing else keeps them from having more."""
        return "" if self.plan is None else self.plan.terms.naming or self.person

    def _on_seen(self, seen: Any) -> None:
        self.seen = seen
        if self.desk is None:
            return
        self.desk.show_seen(seen)
        if self._why is not None:
            self.desk.say(self._why)
            self._why = None
        elif seen.told:
            self.desk.say(shown(in_turn(seen.told)), "good")
        elif warned := [*seen.beside, *filter(None, [self._apart()])]:
            self.desk.say(" ".join(map(shown, warned)), "warn")
        if seen.given != self._given():
            self.look()  # others were laid there meanwhile

    def _apart(self) -> Message | None:
        """That what leaves is read as its file is, where spellings are merged on the screen."""
        from dpstudio.files.booked.drawing import columns_of

        asked = () if self.plan is None else self.plan.questions
        used = {name for question in asked for name in columns_of(question)}
        names = [name for name in self.store.state.codebook.merged if name in used]
        text = N_(
            "The spellings of {columns} are merged for looking alone: a release counts each apart, "
            "so that rows of a spelling that the plan does not name are in no cell."
        )
        return say(text, columns=listed(names)) if names else None

    def _tell(self, person: str) -> None:
        self.person = person
        self.look()

    def _publish(self, names: tuple[str, ...]) -> None:
        """The one deliberate act. It goes on where the window is closed meanwhile, to its end."""
        from dpstudio.gui.shell.release import work

        if self.seen.given != self._given():
            return self.look()  # its names stand there, and its price does not yet
        self.looker.cancel()
        self.payer.submit(partial(work.publish, self.seen, names))

    def _save(self, said: Any) -> None:
        from dpstudio.gui.shell.release import work

        folder = self._asked_folder(N_("An empty folder for the tables and the certificate"))
        if folder is not None:
            finish = self.desk.finishing.finish
            self.writer.submit(partial(work.save, self.seen, finish, folder, said))

    def _foretell(self, said: Any) -> None:
        from dpstudio.gui.shell.release import work

        folder = self._asked_folder(N_("An empty folder for the certificate"))
        if folder is not None:
            self.writer.submit(partial(work.foretell, self.seen, folder, said))

    def _asked_folder(self, title: str) -> Path | None:
        kept = self.window.kept
        folder = asked_folder(self.window, tr(title), kept.folder)
        if folder:
            kept.keep_folder(folder)
        return Path(folder) if folder else None

    def _on_saved(self, done: tuple[Path, int]) -> None:
        folder, count = done
        text = N_("{n} {n:file was|files were} saved to {folder}.")
        self.desk.say(say(text, n=count, folder=plain(folder)), "good")

    def _on_failure(self, error: Exception) -> None:
        from dpstudio.gui.shell.release.work import sentence_of

        if self.desk is not None:
            self.desk.say(sentence_of(error))

    def _on_unpaid(self, error: Exception) -> None:
        """Some of what was asked may have been paid and drawn before: it is looked at again."""
        from dpstudio.gui.shell.release.work import sentence_of

        self._why = sentence_of(error)
        self.look()

    def _leave(self) -> None:
        self.pages.asked.emit(self.store.state.active)

    def _go(self, key: str) -> None:
        """To what is missing."""
        from dpstudio.gui.shell.release import desk_page

        if key == desk_page.WRITE_PLAN:
            self.pages.bring(TO_PLAN.to)
        elif key == desk_page.OPEN_PLAN:
            self._open_plan()
        elif key == desk_page.OPEN_LEDGER:
            self._open_ledger()
        elif key == desk_page.OPEN_TABLE:
            self.pages.file_wanted.emit()
        elif key == desk_page.TELL:
            self._tell_reading()
        elif key == desk_page.APPROVE:
            self._approve()
        elif key == desk_page.MAKE_KEY:
            self._make_key()
        elif key == TO_DECIDE.to:
            self._decide()

    def _decide(self) -> None:
        """To what the ε of the plan does to a person and to an answer, and whose is alike."""
        if self.plan is None:
            return
        lab = self.store.opening()(TO_DECIDE.to)
        dial = EPSILON.check(min(max(float(self.plan.charge.epsilon), EPSILON.low), EPSILON.high))
        self.store.turn_to(suited(put(lab, epsilon_path(lab), dial), self.store.data))
        self.pages.bring(TO_DECIDE.to)

    def _tell_reading(self) -> None:
        from dpstudio.gui.table.attesting import tell_as_read

        why = tell_as_read(self.opener)
        if why is not None:
            self.desk.say(why)

    def _open_plan(self) -> None:
        from dpstudio.files.plan_file import read_plan_file
        from dpstudio.files.session import SessionError

        path = self._asked(N_("Open a plan"), "dpstudio (*.json)")
        if path is None:
            return
        try:
            self.plan, self.plan_name, self.plan_path = read_plan_file(path), path.name, path
        except (SessionError, ParamError) as error:
            self.desk.say(error.sentence)
            return
        self.look()

    # Four eyes

    def _approve(self) -> None:
        """Sign the plan that lies there, and keep the approval in its file, if that is still of
        this very plan."""
        from dpstudio.files.booked.approving import approved
        from dpstudio.files.plan_file import read_plan_file, write_plan_file
        from dpstudio.files.session import SessionError
        from dpstudio.gui.shell.release.approval_sheet import asked_key

        path = asked_key(self.window, tr(N_("Approve the plan with a key")))
        if path is None or self.plan is None:
            return
        try:
            signed = approved(self.plan, path)
            if self.plan_path is not None:
                if replace(read_plan_file(self.plan_path), approved="") != replace(
                    signed, approved=""
                ):
                    raise SessionError(say(_OTHER, path=self.plan_path))
                write_plan_file(self.plan_path, signed)
        except (SessionError, ParamError) as error:
            self.desk.say(error.sentence)
            return
        self.plan = signed
        self.look()

    def _make_key(self) -> None:
        """A new key in a file, whose public part plans name."""
        from dpstudio.files.booked.approving import make_key
        from dpstudio.files.session import SessionError
        from dpstudio.gui.shell.release.approval_sheet import asked_key

        path = asked_key(self.window, tr(N_("Make a key")), new=True)
        if path is None:
            return
        try:
            public = make_key(path)
        except SessionError as error:
            self.desk.say(error.sentence)
            return
        QGuiApplication.clipboard().setText(public)
        self.desk.say(say(_MADE, path=plain(path), key=public), "good")

    # Ledgers

    def _asked(self, title: str, kind: str) -> Path | None:
        kinds = f"{kind};;{tr(N_('All files'))} (*)"
        path, _ = QFileDialog.getOpenFileName(
            self.window, tr(title), self.window.kept.folder, kinds
        )
        if not path:
            return None
        self.window.kept.keep_folder(path)
        return Path(path)

    def _ask_new(self) -> Path | None:
        start = os.path.join(self.window.kept.folder, "population.dpledger")
        title = tr(N_("Make a ledger"))
        path, _ = QFileDialog.getSaveFileName(self.window, title, start, tr(_KIND))
        if not path:
            return None
        self.window.kept.keep_folder(path)
        return Path(path)

    def _open_ledger(self) -> None:
        path = self._asked(N_("Open a ledger"), tr(_KIND))
        if path is not None:
            self._use(path)

    def _use(self, path: Path) -> None:
        """From now on it is this one, on both pages."""
        self.window.kept.keep_ledger(str(path.absolute()))
        self.look_again()

    def _use_own(self) -> None:
        from dpstudio.files.ledgers.own import OwnLedger, ledger_path

        self._use(OwnLedger(ledger_path()).book.path)

    def _change(self, change: Any) -> None:
        """A cap is raised, or an answer withdrawn: to its end, also where the window is closed."""
        from dpstudio.gui.shell.release import work

        if self.ledger is not None:
            self.changer.submit(partial(work.changed, self.ledger, change, self._where()))

    def _where(self) -> str:
        """The table that is open, if it lies somewhere."""
        now, data = self.opener.open_now, self.store.data
        if data is None or now is None or now.request.pasted is not None:
            return ""
        return data.origin

    def _name(self) -> None:
        from dpstudio.gui.shell.release import work

        self._change(partial(work.of_table, self._where()))

    def _on_unchanged(self, error: Exception) -> None:
        from dpstudio.gui.shell.release.work import sentence_of

        self.ledger_page.changes.say(sentence_of(error))
        self.ledger_page.trouble.say(sentence_of(error) if self.ledger_page.changes.idle else "")

    def _on_unread(self, error: Exception) -> None:
        from dpstudio.gui.shell.release.work import sentence_of

        if self.ledger_page is not None and self.ledger is not None:
            self.ledger_page.show_trouble(str(self.ledger), sentence_of(error))

    def _check(self) -> None:
        path = self._asked(N_("Verify a certificate"), tr(N_("Certificates (*.json *.html *.pdf)")))
        if path is not None:
            self._read(path)

    def _read(self, check: Path | None) -> None:
        from dpstudio.gui.shell.release import work

        if self.ledger is not None:
            self.reader.submit(partial(work.read, self.ledger, check, self._where()), cancel=True)
        elif check is not None:
            self.reader.submit(partial(work.alone, check), cancel=True)

    def _on_read(self, opened: Any) -> None:
        if self.ledger_page is not None and self.ledger is None:
            self.ledger_page.show_found(opened, alone=True)
        elif self.ledger_page is not None and self.ledger is not None:
            table = called(self._where())
            self.ledger_page.show_opened(self.ledger, opened, table)
