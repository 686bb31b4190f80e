"""The lines of a plan at the desk, of which one is looked at: what it asks, and what it pays or
that it was published."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QPushButton, QVBoxLayout

from dpstudio.files.booked.releasing import Looked
from dpstudio.gui.parts.labels import ElidedLabel, label
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.plans import words
from dpstudio.plans.plan import Plan, Share
from dpstudio.plans.question import Question
from dpstudio.values.messages import N_, with_name

_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class _Row(QPushButton):
    def __init__(self, question: Question, share: Share | None, published: bool):
        super().__init__()
        self.setObjectName("row")
        self.setCheckable(True)
        about = shown(words.asks(question))
        pays = tr(N_("no share yet"))
        if share is not None:
            pays = shown(words.paid(share.noise, float(share.cost)))
        grid = QGridLayout(self)
        grid.setContentsMargins(8, 6, 8, 6)
        grid.setSpacing(2)
        grid.setColumnStretch(0, 1)
        name, under = ElidedLabel("title"), ElidedLabel("muted")
        name.show_text(question.name)
        under.show_text(about)
        grid.addWidget(name, 0, 0)
        grid.addWidget(
            label(tr(N_("published")) if published else pays, "good" if published else "muted"),
            0,
            1,
        )
        grid.addWidget(under, 1, 0, 1, 2)
        for each in (name, under):
            each.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        state = tr(N_("published")) if published else pays
        self.setAccessibleName(shown(with_name(question.name, about, state)))
        self.setToolTip(f"{question.name}\n{about}\n{state}")

    def sizeHint(self) -> QSize:
        layout = self.layout()
        return QSize(120, layout.sizeHint().height() if layout is not None else 40)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if Qt.Key(event.key()) in _STEPS:
            event.ignore()  # else Qt goes to the next button without choosing it
        else:
            super().keyPressEvent(event)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class Lines(QFrame):
    """`chosen(name)`: another line is looked at; arrows go between them."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.rows: dict[str, QPushButton] = {}
        self.here = ""
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(2)
        self._shown: tuple[Plan | None, frozenset[str]] = (None, frozenset())

    def show_plan(self, found: Looked) -> None:
        """The lines of the plan, and which were published."""
        plan, standing = found.plan, found.standing
        published = frozenset() if standing is None else frozenset(standing.answers)
        if (plan, published) == self._shown:
            return
        self._shown, held = (plan, published), any(r.hasFocus() for r in self.rows.values())
        for row in self.rows.values():
            row.hide()
            row.deleteLater()
        self.rows.clear()
        questions = () if plan is None else plan.questions
        shares = dict(zip(questions, plan.split, strict=False)) if plan is not None else {}
        for question in questions:
            row = _Row(question, shares.get(question), question.name in published)
            row.clicked.connect(lambda _=False, name=question.name: self.choose(name))
            self.rows[question.name] = row
            self.column.addWidget(row)
        if self.here not in self.rows:
            self.here = next(iter(self.rows), "")
        self._mark()
        if held and self.here:
            self.rows[self.here].setFocus()

    def choose(self, name: str) -> None:
        """Look at a line."""
        self.here = name
        self._mark()
        self.chosen.emit(name)

    def _mark(self) -> None:
        for name, row in self.rows.items():
            row.setChecked(name == self.here)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        by, names = _STEPS.get(Qt.Key(event.key())), [*self.rows]
        if by is None or self.here not in names:
            return super().keyPressEvent(event)
        at = min(len(names) - 1, max(0, names.index(self.here) + by))
        self.choose(names[at])
        self.rows[names[at]].setFocus(Qt.FocusReason.ShortcutFocusReason)
