"""What leaves next and what it costs, before anything is drawn; and the one act that pays."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QVBoxLayout

from dpstudio.files.booked.releasing import Looked
from dpstudio.files.booked.telling import means, takes
from dpstudio.gui.parts.buttons import Words, plain_text, push
from dpstudio.gui.parts.labels import label
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.plans import frontier, methods, words
from dpstudio.plans.plan import Plan
from dpstudio.values.messages import N_, Message, Num, in_turn, say


class Offer(QFrame):
    """`wanted(names)`: these lines are to be paid for and drawn; `unwanted`: not now;
    `foretold`: a certificate of all of them, before any is drawn, is to be saved."""

    wanted = Signal(tuple)
    unwanted = Signal()
    foretold = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.headline = label("", "headline", wrap=True)
        self.values = [label("", "value") for _ in range(3)]
        self.names = [label("", "muted", wrap=True) for _ in range(3)]
        self.how, self.means = label("", "muted", wrap=True), label("", "muted", wrap=True)
        self.pay, self.all = push("", "primary"), push("")
        self.not_now, self.before = push(tr(N_("Not now"))), push(tr(N_("Certify the plan …")))
        tip = N_("A certificate of what would be released, without answers: nothing is paid for it")
        self.before.setToolTip(tr(tip))
        self.acts = Words()
        self.said = label("", "muted", wrap=True)
        self.line, self.rest_of = "", tuple[str, ...]()
        column, grid = QVBoxLayout(self), QGridLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.headline)
        for place, (value, name) in enumerate(zip(self.values, self.names, strict=True)):
            grid.addWidget(value, 0, place)
            grid.addWidget(name, 1, place, Qt.AlignmentFlag.AlignTop)
            grid.setColumnStretch(place, 1)
        column.addLayout(grid)
        column.addWidget(self.how)
        column.addWidget(self.means)
        acts = self.pay, self.all, self.before, self.not_now
        self.holders = {act: self.acts.add(act) for act in acts}
        self.acts.hide()  # nothing was looked at yet
        column.addWidget(self.acts)
        column.addWidget(self.said)
        self.pay.clicked.connect(lambda: self._pay((self.line,)))
        self.all.clicked.connect(lambda: self._pay(self.rest_of))
        self.not_now.clicked.connect(self.unwanted)
        self.before.clicked.connect(self.foretold)

    def _pay(self, names: tuple[str, ...]) -> None:
        """Once: until it is done nothing else can be wanted."""
        self.pay.setEnabled(False)
        self.all.setEnabled(False)
        self.said.setText(tr(N_("Paying, and then drawing …")))
        self.said.show()
        self.wanted.emit(names)

    def rest(self) -> None:
        """It failed: it may be wanted again."""
        self.pay.setEnabled(True)
        self.all.setEnabled(True)
        self.said.hide()

    def show_looked(self, found: Looked, here: str) -> None:
        """The line that is looked at, and what paying does."""
        plan, standing = found.plan, found.standing
        text = say("Nothing leaves before it is paid for.")
        if standing is not None:
            text = takes(standing)
        self.headline.setText(shown(text))
        told = plan is not None and bool(plan.split)
        for each in (*self.values, *self.names, self.how):
            each.setVisible(told)
        if plan is not None and told and here:
            self._tell(plan, here)
        if plan is not None and told and found.state is not None:
            self.means.setText(shown(in_turn(means(plan.charge, found.state))))
        self.means.setVisible(told and found.state is not None)
        answers = {} if standing is None else standing.answers
        names = [] if plan is None else [q.name for q in plan.questions]
        self.line, self.rest_of = here, tuple(n for n in names if n not in answers)
        paid = standing is not None and standing.paid is not None
        pay = N_("Publish “{name}”") if paid else N_("Pay and publish “{name}”")
        self.pay.setText(plain_text(shown(say(pay, name=here))))
        every = N_("Publish all {n}") if paid else N_("Pay and publish all {n}")
        if answers:
            every = N_("Pay and publish all {n} that are left")
        if answers and paid:
            every = N_("Publish all {n} that are left")
        self.all.setText(shown(say(every, n=Num(len(self.rest_of)))))
        for act, seen in (
            (self.pay, here not in answers),
            (self.all, len(self.rest_of) > 1),
            (self.before, not answers),
            (self.not_now, bool(self.rest_of)),
        ):
            self.holders[act].setVisible(found.ready and seen)
        self.acts.setVisible(found.ready and bool(self.rest_of))
        self.rest()
        self.said.setText(shown(_said(found, here, paid=paid)))
        self.said.setVisible(bool(self.said.text()))

    def _tell(self, plan: Plan, here: str) -> None:
        line = next(each for each in frontier.who_pays(plan) if each.name == here)
        place = [question.name for question in plan.questions].index(here)
        question, share = plan.questions[place], plan.split[place]
        each = N_("{n:the number|each of {n} numbers}, in {share} of releases")
        if not question.additive:
            each = N_("at most behind the best of {n}, in {share} of releases")
        kept = Num(float(plan.terms.confidence), 4, "down", percent=True)
        charged = Num(float(plan.charge.epsilon), 4, "up")  # as those beside it
        told = (
            (words.off(question, line), say(each, n=Num(question.cells), share=kept)),
            (words.paid(line.noise, line.cost), say("alone; the plan costs ε = {e}", e=charged)),
            (say("{share}", share=words.share(line)), say("of what all lines pay")),
        )
        for value, name, (shows, says) in zip(self.values, self.names, told, strict=True):
            value.setText(shown(shows))
            name.setText(shown(says))
        self.how.setText(shown(methods.mechanism(plan, question, share)))


def _said(found: Looked, here: str, *, paid: bool) -> Message:
    """What the act does to the ledger."""
    standing = found.standing
    if standing is None or not found.ready:
        return Message("")
    if here in standing.answers:
        return say("This line was published: asked again it gives the same answer for nothing.")
    if here in standing.elsewhere:
        text = N_("“{name}” was asked before of another version of the table: this is a new spend.")
        if paid:
            text = N_(
                "“{name}” was asked before of another version of the table: this is a new answer."
            )
        return say(text, name=here)
    if paid:
        return say("Its plan is paid for: the line is drawn, kept, and then shown.")
    return say(
        "One transaction: the whole plan is paid for, the line is drawn and kept, then shown."
    )
