"""The release desk: another room, in which nothing is simulated. At the left the plan and the
budget, in the middle what leaves and the one act, at the right the ledger and the certificate."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from dpstudio.files.booked.approving import approval, unapproved
from dpstudio.files.booked.releasing import (
    APPROVAL,
    BUDGET,
    LEDGER,
    PERSONS,
    PLAN,
    READING,
    TABLE,
    Missing,
)
from dpstudio.files.booked.telling import asking_less
from dpstudio.gui.parts.boxes import add_name, combo
from dpstudio.gui.parts.buttons import Words, plain_text, push
from dpstudio.gui.parts.labels import ElidedLabel, ProblemLabel, hair, label
from dpstudio.gui.parts.theme import Theme
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.release import lines, numbers
from dpstudio.gui.shell.release.budget import Budget
from dpstudio.gui.shell.release.certificate_side import CertificateSide
from dpstudio.gui.shell.release.entries import Entries
from dpstudio.gui.shell.release.finishing import Finishing
from dpstudio.gui.shell.release.ledger_form import LedgerForm
from dpstudio.gui.shell.release.offer import Offer
from dpstudio.gui.shell.release.work import Seen
from dpstudio.labs.panel import TO_DECIDE
from dpstudio.values.messages import N_, Message, say

LEFT, RIGHT, EDGE, NARROW = 304, 320, 24, 1160  # px at normal type
OPEN_PLAN, WRITE_PLAN, OPEN_LEDGER, OPEN_TABLE, TELL = "open", "write", "ledger", "table", "tell"
NEW_LEDGER, APPROVE, MAKE_KEY = "new", "approve", "key"
_WAYS = {
    PLAN: (WRITE_PLAN, OPEN_PLAN),
    LEDGER: (OPEN_LEDGER, NEW_LEDGER),
    TABLE: (OPEN_TABLE,),
    READING: (TELL, OPEN_TABLE),
    PERSONS: (),
    APPROVAL: (APPROVE, OPEN_PLAN),
    BUDGET: (WRITE_PLAN,),  # and no second ledger on the same people
}
_CALLED = {
    OPEN_PLAN: N_("Open a plan …"),
    WRITE_PLAN: N_("To the page Plan"),
    OPEN_LEDGER: N_("Choose a ledger …"),
    NEW_LEDGER: N_("Make a ledger …"),
    OPEN_TABLE: N_("Open a table …"),
    TELL: N_("I know this from outside"),
    APPROVE: N_("Approve it with a key …"),
    MAKE_KEY: N_("Make a key …"),
    TO_DECIDE.to: TO_DECIDE.text,
}


class _Column(QScrollArea):
    """One of the three, which scrolls in a low window."""

    def __init__(self, style: str):
        super().__init__()
        self.ground = QFrame()
        self.ground.setObjectName(style)
        self.rows = QVBoxLayout(self.ground)
        self.rows.setContentsMargins(EDGE, EDGE, EDGE, EDGE)
        self.rows.setSpacing(8)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(self.ground)


class DeskPage(QFrame):
    """`left`: back to the studio; `way(key)`: a person goes to what is missing; `told(person)`:
    that column says whose row it is; `publish(names)`: these lines are to be paid and drawn;
    `save(Stated)`: what was published is to be written; `foretell(Stated)`: a certificate without
    answers is; `ledger_made(Path)`. `rearranged`: widgets
    came or went."""

    left = Signal()
    way = Signal(str)
    told = Signal(str)
    publish = Signal(tuple)
    save = Signal(object)
    foretell = Signal(object)
    ledger_made = Signal(object)
    rearranged = Signal()

    def __init__(self, theme: Theme, ask_new: Callable[[], Path | None]):
        super().__init__()
        self.setObjectName("sheet")
        self.theme = theme
        self.seen: Seen | None = None
        self.back = push(tr(N_("Back to the studio")), "apart")
        self.lines, self.budget = lines.Lines(), Budget(theme)
        self.plan_name, self.table_name = ElidedLabel("muted"), ElidedLabel("muted")
        self.ledger_name = ElidedLabel("muted")
        self.approval = label("", "muted", wrap=True)
        self.person = combo(N_("The column that says whose row it is"))
        self.person_row = QFrame()
        self.missing, self.trouble = QFrame(), ProblemLabel()
        self.offer, self.numbers = Offer(), numbers.Numbers(theme)
        self.entries, self.certificate = Entries(), CertificateSide()
        self.form, self.finishing = LedgerForm(ask_new), Finishing()
        self.ways: dict[str, QWidget] = {}
        self.as_read: Message | None = None  # how the table was read, where that is not told
        self.sides = [_Column("side"), _Column("sheet"), _Column("beside")]
        self._lay_out()
        self._tie()

    def _tie(self) -> None:
        self.back.clicked.connect(self.left)
        self.lines.chosen.connect(self._on_line)
        self.offer.wanted.connect(self.publish)
        self.offer.unwanted.connect(self.left)
        self.certificate.wanted.connect(self.save)
        self.offer.foretold.connect(lambda: self.foretell.emit(self.certificate.stated()))
        self.form.made.connect(self.ledger_made)
        self.person.activated.connect(lambda at: self.told.emit(self.person.itemData(at)))

    def _lay_out(self) -> None:
        whole, row = QVBoxLayout(self), QHBoxLayout()
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self._chrome())
        row.setSpacing(0)
        whole.addLayout(row, 1)
        for side, stretch in zip(self.sides, (0, 1, 0), strict=True):
            row.addWidget(side, stretch)
        left, middle, right = (side.rows for side in self.sides)
        left.addLayout(_headed(N_("Plan"), self.plan_name, far=True))
        left.addWidget(self.lines)
        left.addWidget(self.approval)
        left.addWidget(self._links(OPEN_PLAN, WRITE_PLAN, MAKE_KEY))
        left.addWidget(hair())
        left.addLayout(_headed(N_("Table"), self.table_name, far=True))
        left.addWidget(self._whose())
        left.addWidget(self.budget)
        left.addStretch()
        middle.addLayout(
            _headed(N_("Release"), label(tr(N_("What leaves, and what it costs")), "muted"))
        )
        self.deciding = self._links(TO_DECIDE.to)
        for each in (
            self.offer, self.deciding, self.missing, self.trouble, self.finishing, self.numbers
        ):  # fmt: skip
            middle.addWidget(each)
        middle.addStretch()
        self.aside = QFrame()
        aside = QVBoxLayout(self.aside)
        aside.setContentsMargins(0, 0, 0, 0)
        aside.addLayout(_headed(N_("Ledger"), self.ledger_name, far=True))
        ways = self._links(OPEN_LEDGER, NEW_LEDGER)
        parts: tuple[QWidget, ...] = (self.entries, ways, self.form, self.certificate)
        for part in parts:
            aside.addWidget(part)
        aside.addStretch()
        right.addWidget(self.aside)

    def _chrome(self) -> QFrame:
        bar = QFrame()
        bar.setObjectName("apart")
        row = QHBoxLayout(bar)
        row.setContentsMargins(EDGE, 10, EDGE, 10)
        row.addWidget(label(tr(N_("Release desk")), "apart-name"))
        said = ElidedLabel("apart-said")
        said.show_text(tr(N_("Nothing here is simulated: what is published cannot be taken back.")))
        row.addWidget(said, 1)
        row.addWidget(self.back)
        return bar

    def _links(self, *keys: str) -> Words:
        """Ways that are always there."""
        held = Words()
        for key in keys:
            held.add(self._link(key))
        return held

    def _link(self, key: str) -> QPushButton:
        button = push(plain_text(tr(_CALLED[key])), "link")
        button.clicked.connect(lambda: self._go(key))
        return button

    def _go(self, key: str) -> None:
        if key == NEW_LEDGER:
            plan = None if self.seen is None else self.seen.looked.plan
            self.form.begin(plan)
            # Once its rows are laid out: before that it has no height to scroll to.
            QTimer.singleShot(0, self.form, self._show_form)
        else:
            self.way.emit(key)

    def _show_form(self) -> None:
        side = self.sides[1 if self._narrow else 2]
        side.ensureWidgetVisible(self.form)
        side.ensureWidgetVisible(self.form.population)  # where the form is higher than the window

    def _whose(self) -> QFrame:
        column = QVBoxLayout(self.person_row)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(label(tr(N_("Whose row it is, by the column")), "muted", wrap=True))
        column.addWidget(self.person)
        self.person_row.hide()
        return self.person_row

    # What is shown

    def name(self, plan: str, table: str, ledger: str) -> None:
        """What lies on the desk is called."""
        for where, text in (
            (self.plan_name, plan), (self.table_name, table), (self.ledger_name, ledger)
        ):  # fmt: skip
            where.show_text(text)

    def show_columns(self, names: tuple[str, ...], person: str, chosen: bool) -> None:
        """The columns that may say whose row it is: those of the table, of which one is `chosen`
        here, or that of the plan."""
        self.person.setEnabled(chosen)
        self.person.setToolTip("" if chosen else tr(N_("The plan says so.")))
        self.person.clear()
        self.person.addItem(tr(N_("none")), "")
        for name in names:
            add_name(self.person, name, name)
        self.person.setCurrentIndex(max(0, self.person.findData(person)))

    def show_seen(self, seen: Seen) -> None:
        """What was found."""
        self.seen, found = seen, seen.looked
        self.trouble.say("")
        plan = found.plan
        self.person_row.setVisible(plan is not None)
        self.lines.show_plan(found)
        there = (
            plan is not None and unapproved(plan) is None
        )  # else it stands among what is missing
        self.approval.setText(shown(approval(plan)) if there and plan is not None else "")
        self.approval.setVisible(bool(self.approval.text()))
        self.finishing.show_seen(seen)
        self._list_missing(found.missing)
        self._show_line()

    def _on_line(self, _: str) -> None:
        self._show_line()

    def _show_line(self) -> None:
        seen, here = self.seen, self.lines.here
        if seen is None:
            return
        found = seen.looked
        self.offer.show_looked(found, here)
        self.deciding.setVisible(found.plan is not None and bool(found.plan.split))
        self.budget.show_state(found.state, found.standing)
        standing, text = found.standing, Message("")
        if found.ready and standing is not None and here not in standing.answers:
            text = say("the payment, and then “{name}”, if you pay", name=here)
            if standing.paid is not None:
                text = say("“{name}”, if you publish it", name=here)
        self.entries.show_state(found.state, shown(text))
        of = () if seen.made is None else seen.made.lines
        line = next((line for line in of if line.question.name == here), of[-1] if of else None)
        if found.plan is not None:
            of_whom = "" if seen.made is None else seen.made.person
            self.numbers.show_line(found.plan, line, seen.given.finish.base, of_whom)
        self.certificate.show_held(seen.held, "" if line is None else line.question.name)
        self.rearranged.emit()

    def _list_missing(self, missing: tuple[Missing, ...]) -> None:
        """What is missing, each with the ways there."""
        before, self.missing = self.missing, QFrame()
        column = QVBoxLayout(self.missing)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self.ways = {}
        if missing:
            column.addWidget(label(tr(N_("Missing")), "head"))
        for each in missing:
            column.addWidget(label(shown(each.why), "warn", wrap=True))
            if each.of == READING and self.as_read is not None:
                column.addWidget(label(shown(self.as_read), "small", wrap=True))
            links = {key: self._link(key) for key in _WAYS[each.of]}
            if each.of == BUDGET and self.seen is not None and self.seen.looked.standing:
                text = shown(asking_less(self.seen.looked.standing))
                links[WRITE_PLAN].setText(plain_text(text))
                links[WRITE_PLAN].setAccessibleName(text)
            self.ways |= links
            held = Words()
            for link in links.values():
                held.add(link)
            column.addWidget(held)
        self.sides[1].rows.replaceWidget(before, self.missing)
        before.hide()
        before.deleteLater()

    def say(self, text: Message | str, tone: str = "bad") -> None:
        """What went wrong, or well."""
        self.trouble.say(text, tone)
        self.offer.rest()

    # Small windows, and keys

    @property
    def _narrow(self) -> bool:
        return self.width() < self.theme.look.px(NARROW)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """Where there is no room for three columns the third stands below the second."""
        px, narrow = self.theme.look.px, self._narrow
        self.sides[0].setFixedWidth(min(px(LEFT), int(0.34 * self.width())))
        self.sides[2].setFixedWidth(px(RIGHT))
        self.sides[2].setVisible(not narrow)
        rows, other = self.sides[1].rows, self.sides[2].rows
        if narrow == (other.indexOf(self.aside) >= 0):
            if narrow:
                rows.insertWidget(rows.count() - 1, self.aside)
            else:
                other.insertWidget(0, self.aside)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.form.hide() if self.form.isVisible() else self.left.emit()
        else:
            super().keyPressEvent(event)


def _headed(name: str, beside: QLabel, far: bool = False) -> QHBoxLayout:
    """A name of a part and what is said beside it, or at the other edge."""
    row = QHBoxLayout()
    if far:
        beside.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    row.addWidget(label(tr(name), "page-name"))
    row.addWidget(beside, 1)
    return row
