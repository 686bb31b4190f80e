"""The sheet on which a plan is approved: what is signed, who must approve it, and by which key."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QLineEdit, QVBoxLayout, QWidget

from dpstudio.files.booked.approving import approval, approved, make_key, public_of, unapproved
from dpstudio.files.session import SessionError
from dpstudio.gui.parts.buttons import Words, plain_text, push
from dpstudio.gui.parts.labels import ProblemLabel, label
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.frame.sheet import Sheet
from dpstudio.gui.shell.frame.window import Window
from dpstudio.plans import frontier, words
from dpstudio.plans.plan import MOST_QUESTIONS, Plan, digest, plan_text, read_plan
from dpstudio.values.messages import N_, Message, plain, say
from dpstudio.values.parameters import ParamError

KEYS = N_("Keys (*.pem)")
_GROUP = 16  # digits of a digest that stand together
_ANY = N_("Not bound to a population: it may be released against any ledger of such a unit.")
_ONE = N_("It may be released against a ledger of “{population}” alone.")


def asked_key(window: Window, title: str, *, new: bool = False) -> Path | None:
    """The file of a key, chosen or to be made."""
    kind, folder = tr(KEYS), window.kept.folder
    if new:
        path, _ = QFileDialog.getSaveFileName(window, title, os.path.join(folder, "key.pem"), kind)
    else:
        kinds = f"{kind};;{tr(N_('All files'))} (*)"
        path, _ = QFileDialog.getOpenFileName(window, title, folder, kinds)
    if path:
        window.kept.keep_folder(path)
    return Path(path) if path else None


class ApprovalSheet(Sheet):
    """`then(text)` of `ask` gets the file of the plan each time that it was changed here."""

    def __init__(self, window: Window):
        super().__init__(window, QWidget())
        self._plan = Plan()
        self._then: Callable[[str], object] = lambda text: None
        self.lines = [label("", wrap=True) for _ in range(MOST_QUESTIONS + 4)]
        self.who, self.complaint, self.ways = QLineEdit(), ProblemLabel(), Words()
        self.who.setAccessibleName(tr(N_("Who must approve it")))
        self.who.setPlaceholderText(tr(N_("Who must approve it")))
        self.choose = push(plain_text(tr(N_("Choose their key …"))), "link")
        self.make = push(plain_text(tr(N_("Make a key …"))), "link")
        rows = QVBoxLayout(self.body)
        rows.setContentsMargins(0, 0, 0, 0)
        for line in self.lines:
            rows.addWidget(line)
        for way in (self.choose, self.make):
            self.ways.add(way)
        for part in (self.who, self.ways, self.complaint):
            rows.addWidget(part)
        self.title.setText(tr(N_("Approve this plan")))
        self.does.setText(plain_text(tr(N_("Approve it with a key …"))))
        self.does.clicked.connect(self._approve)
        self.choose.clicked.connect(lambda: self._name(new=False))
        self.make.clicked.connect(lambda: self._name(new=True))

    def ask(self, text: str, then: Callable[[str], object]) -> None:
        """Show the plan of a file. Raises ParamError."""
        self._plan, self._then = read_plan(text), then
        self.complaint.say("")
        self._show()
        (self.does if self.does.isEnabled() else self.who).setFocus()

    def _show(self) -> None:
        plan, named = self._plan, bool(self._plan.terms.approval)
        texts = [shown(each) for each in _told(plan)]
        for line, text in zip(self.lines, (*texts, *[""] * len(self.lines)), strict=False):
            line.setText(text)
            line.setVisible(bool(text))
        for part in (self.who, self.ways):
            part.setVisible(not named)
        self.does.setEnabled(named and unapproved(plan) is not None)
        self.rise()

    def _changed(self, plan: Plan) -> None:
        self._plan = plan
        self._then(plan_text(plan))
        self._show()

    def _name(self, *, new: bool) -> None:
        """Who must approve it, by the key of that file."""
        name = " ".join(self.who.text().split())
        if not name:
            self.complaint.say(say("Write who must approve it first."))
            self.who.setFocus()
            return
        title = tr(N_("Make a key")) if new else tr(N_("Their key"))
        path = asked_key(self._window, title, new=new)
        if path is None:
            return
        try:
            key = make_key(path) if new else public_of(path)
            terms = self._plan.terms.with_(approval=f"{name} {key}")
            self._changed(replace(self._plan, terms=terms, approved=""))
            self.complaint.say("")
        except (SessionError, ParamError) as error:
            self.complaint.say(error.sentence)

    def _approve(self) -> None:
        path = asked_key(self._window, tr(N_("Approve the plan with a key")))
        if path is None:
            return
        try:
            self._changed(approved(self._plan, path))
            self.complaint.say("")
        except (SessionError, ParamError) as error:
            self.complaint.say(error.sentence)


def _told(plan: Plan) -> list[Message]:
    """What is signed, and who must approve it or did."""
    found = [words.heading(plan)]
    for question, line in zip(plan.questions, frontier.who_pays(plan), strict=True):
        text = N_("{name} ({asks}): {off}, pays {cost}")
        if not question.additive:
            text = N_("{name} ({asks}): {off} behind the best at most, pays {cost}")
        off = words.off(question, line)
        values = {"name": plain(line.name), "asks": words.asks(question), "off": off}
        found.append(say(text, cost=words.paid(line.noise, line.cost), **values))
    population = plan.terms.population
    found.append(say(_ONE, population=plain(population)) if population else say(_ANY))
    whole = digest(plan)
    fours = " ".join(whole[k : k + _GROUP] for k in range(0, len(whole), _GROUP))
    found.append(say("Digest {digest}", digest=fours))
    if plan.terms.approval:
        found.append(approval(plan))
    return found
