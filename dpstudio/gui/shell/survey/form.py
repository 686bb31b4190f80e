"""What is to be chosen before a room is opened."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from dpstudio.gui.panel.editors import FormGrid, editor
from dpstudio.gui.parts.boxes import LineBox, combo
from dpstudio.gui.parts.buttons import Segments, push
from dpstudio.gui.parts.labels import ProblemLabel, label
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.survey.served import Left, Wanted
from dpstudio.gui.state.store import Store
from dpstudio.privacy.room import Question
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import domains

_SEATS, _MOST, _PORTS = 30, 500, 65_535
_HERE = "127.0.0.1"
_DOORS = {"open": N_("Open address"), "codes": N_("Single-use codes")}
_TELLS = {
    "open": N_("Whoever has the address can answer, and one person can answer often."),
    "codes": N_("Each code answers each question once: print them, and let people draw one."),
    "http": N_(
        "What is sent is noisy, but not encrypted: somebody on this network who attacks can "
        "replace the page, and with it the noise."
    ),
    "https": N_(
        "The certificate is the room’s own, so that each phone warns of it once: let people "
        "compare the fingerprint on the screen before they go on."
    ),
    "go": N_("Reports are shown with those that come, at the same address; used codes stay so."),
    "new": N_("All of that is deleted from this machine when the room is opened."),
}
_WAYS = {"http": "HTTP", "https": "HTTPS"}
_BEFORE = {"go": N_("Go on with it"), "new": N_("Begin anew")}


class RoomForm(QScrollArea):
    """`wanted`: the room is to be opened; `left`: not now."""

    wanted = Signal()
    left = Signal()

    def __init__(self, store: Store, fields: tuple[str, ...]):
        super().__init__()
        self.store = store
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.asked = FormGrid()
        for path in fields:
            self.asked.add(editor(store, path, domains(type(store.lab))[path]))
        self.door, self.way = Segments(_DOORS, line=True), Segments(_WAYS, line=True)
        self.before = Segments(_BEFORE)
        self.chosen = {self.door: "open", self.way: "http", self.before: "go"}
        self._picked: set[Segments] = set()  # of these, what a person has chosen: that stays
        self.tells = {choice: label("", "muted", wrap=True) for choice in self.chosen}
        self.seats, self.port = LineBox(chars=4), LineBox(chars=6)
        self.host = combo(N_("Address of this machine"))
        self.host.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.kept, self.complaint = label("", "sentence", wrap=True), ProblemLabel()
        self.open = push(tr(N_("Open the room")), "primary")
        self.back = push(tr(N_("Not now")))
        self.open.clicked.connect(self._ask)
        self.back.clicked.connect(self.left)
        for choice in self.chosen:
            choice.chosen.connect(lambda key, choice=choice: self._pick(choice, key))
        self._name()
        self._lay_out()
        for choice, key in self.chosen.items():
            self._choose(choice, key)
        self.show_left(None)

    def _name(self) -> None:
        self.seats.setValidator(QIntValidator(1, _MOST, self.seats))
        self.seats.show_text(str(_SEATS))
        self.seats.setAccessibleName(tr(N_("Seats")))
        self.port.setValidator(QIntValidator(1, _PORTS, self.port))
        self.port.setPlaceholderText(tr(N_("any")))
        self.port.setAccessibleName(tr(N_("Port")))
        for choice, text in (
            (self.door, N_("Who may answer")),
            (self.way, N_("How pages are sent")),
            (self.before, N_("Reports of an earlier room")),
        ):
            choice.setAccessibleName(tr(text))

    def _lay_out(self) -> None:
        self.ground, row, self.sheet = QFrame(), QHBoxLayout(), QWidget()
        self.ground.setObjectName("sheet")
        self.ground.setLayout(row)
        row.setContentsMargins(24, 16, 24, 16)
        row.addWidget(self.sheet, 1)
        row.addStretch()
        column, grid = QVBoxLayout(self.sheet), QGridLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(label(tr(N_("Open a room")), "headline"))
        text = N_(
            "People of this network answer on their own phones. The noise is added there, before "
            "anything is sent; nothing is stored of a phone. Nothing is served until you open it."
        )
        column.addWidget(label(tr(text), "muted", wrap=True))
        column.addWidget(self.asked)
        column.addLayout(grid)
        self.words = label(tr(N_("seats")), "muted")
        for y, (name, choice, more) in enumerate(
            (
                (N_("Who answers"), self.door, (self.seats, self.words)),
                (N_("Pages by"), self.way, ()),
            )
        ):
            grid.addWidget(label(tr(name), "muted"), 2 * y, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(choice, 2 * y, 1)
            for x, widget in enumerate(more):
                grid.addWidget(widget, 2 * y, 2 + x)
            grid.addWidget(self.tells[choice], 2 * y + 1, 1, 1, 4)
        grid.addWidget(label(tr(N_("Address")), "muted"), 4, 0)
        grid.addWidget(self.host, 4, 1)
        grid.addWidget(self.port, 4, 2)
        grid.addWidget(label(tr(N_("port")), "muted"), 4, 3)
        grid.setColumnStretch(4, 1)
        for part in (self.kept, self.before, self.tells[self.before], self.complaint):
            column.addWidget(part)
        buttons = QHBoxLayout()
        buttons.addWidget(self.open)
        buttons.addWidget(self.back)
        buttons.addStretch()
        column.addLayout(buttons)
        column.addStretch(1)  # all that is left: no field grows
        self.setWidget(self.ground)

    def _pick(self, choice: Segments, key: str) -> None:
        self._picked.add(choice)
        self._choose(choice, key)

    def _choose(self, choice: Segments, key: str) -> None:
        self.chosen[choice] = key
        choice.show_choice(key)
        self.tells[choice].setText(tr(_TELLS[key]))
        for part in (self.seats, self.words):
            part.setVisible(self.chosen[self.door] == "codes")

    def show_state(self) -> None:
        """The question as it is now."""
        if not self.isHidden():
            self.asked.show_state()
            lab, data = self.store.lab, self.store.data
            found = () if data is None else lab.problems(data)
            told = {problem.field: problem.say for problem in found if not problem.stops}
            for field in self.asked.fields:
                field.warn(told.get(field.path, ""), "warn")

    def show_addresses(self, found: tuple[str, ...]) -> None:
        """Those to choose from; without a network only this machine, which is said."""
        self.host.clear()
        for at in found:
            self.host.addItem(at, at)
        self.host.addItem(tr(N_("this machine alone")), _HERE)
        if not found:
            text = N_("No network was found: phones cannot reach this machine until it has one.")
            self.complaint.say(tr(text), "warn")

    def show_left(self, left: Left | None) -> None:
        """What an earlier room kept, whose way in is proposed; None where there was none."""
        text = say("The address and the codes of an earlier room are kept on this machine.")
        if left is not None and left.reports:
            text = say(
                "{n} {n:report of an earlier room is|reports of an earlier room are} kept on this "
                "machine.",
                n=Num(left.reports),
            )
        self.kept.setText(shown(text))
        for part in (self.kept, self.before, self.tells[self.before]):
            part.setVisible(left is not None)
        if left is None:
            self._choose(self.before, "go")
        elif left.codes is not None and self.door not in self._picked:
            self._choose(self.door, "codes" if left.codes else "open")
            self.seats.show_text(str(left.codes or _SEATS))

    def fail(self, why: Message) -> None:
        """Why the room could not be opened."""
        self.work(False)
        self.complaint.say(why)
        self.ensureWidgetVisible(self.complaint)

    def work(self, on: bool) -> None:
        """A room is being opened."""
        self.open.setEnabled(not on)
        self.open.setText(tr(N_("Opening …") if on else N_("Open the room")))

    def fit(self, px: int) -> None:
        """As wide as lines are read well."""
        self.sheet.setMaximumWidth(px)

    def want(self, question: Question) -> Wanted:
        """What is chosen, for this question."""
        codes = self.chosen[self.door] == "codes"
        seats = int(self.seats.text()) if self.seats.hasAcceptableInput() else _SEATS
        port = int(self.port.text()) if self.port.hasAcceptableInput() else 0
        return Wanted(
            (question,),
            seats if codes else 0,
            self.chosen[self.way] == "https",
            self.host.currentData() or _HERE,
            port,
            self.chosen[self.before] == "new",
        )

    def _ask(self) -> None:
        self.complaint.say("")
        self.wanted.emit()
