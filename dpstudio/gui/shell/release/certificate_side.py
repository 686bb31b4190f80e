"""The certificate of what was published, as it reads, and what the steward states on it."""

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QLineEdit, QVBoxLayout

from dpstudio.files.booked.certificate import LABELS, Stated
from dpstudio.files.booked.certificate_page import asked_rows, lead, parts
from dpstudio.gui.parts.buttons import push
from dpstudio.gui.parts.labels import hair, label
from dpstudio.gui.parts.tr import tr
from dpstudio.values.messages import N_

_LONGEST, _WORD, _CUT = 120, 28, 16  # letters of a line and of a word here; the file has all


def _rows(held: dict[str, Any], name: str) -> Iterator[tuple[str, str]]:
    yield from lead(held, tr)
    for question in held["questions"]:
        if question["name"] == name:
            yield from asked_rows(question, tr)
    yield from next(parts(held, tr))[1]


class CertificateSide(QFrame):
    """`wanted(Stated)`: it is to be written, with the tables."""

    wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.addWidget(hair())
        self.column.addWidget(label(tr(N_("Certificate")), "page-name"))
        self.sheet, self.body = QFrame(), QFrame()
        self.sheet.setObjectName("card")
        self.inside = QVBoxLayout(self.sheet)
        self.title = label("", "title", wrap=True)
        self.inside.addWidget(self.title)
        self.inside.addWidget(self.body)
        self.inside.addWidget(
            label(tr(N_("No row of the table is in this page.")), "small", wrap=True)
        )
        self.fold = push(tr(N_("▸  State on it …")), "fold")
        self.fold.setCheckable(True)
        self.fields = {name: QLineEdit() for name in LABELS}
        self.typed = QFrame()
        self.save = push(tr(N_("Save tables and certificate …")), "primary")
        tip = N_(
            "CSV with half-widths, its metadata, methods, and the certificate as PDF, HTML and JSON"
        )
        self.save.setToolTip(tr(tip))
        below = QVBoxLayout(self.typed)
        below.setContentsMargins(0, 0, 0, 0)
        for name, field in self.fields.items():
            field.setAccessibleName(tr(LABELS[name]))
            below.addWidget(label(tr(LABELS[name]), "muted"))
            below.addWidget(field)
        said = N_("These are your own words: the program checks none of them.")
        below.addWidget(label(tr(said), "muted", wrap=True))
        self.typed.hide()
        self.fold.toggled.connect(self.typed.setVisible)
        self.column.addWidget(self.save)
        self.column.addWidget(self.fold)
        self.column.addWidget(self.typed)
        self.column.addWidget(self.sheet)
        self.save.clicked.connect(lambda: self.wanted.emit(self.stated()))
        self.hide()

    def stated(self) -> Stated:
        """What was typed."""
        return Stated(**{name: field.text().strip() for name, field in self.fields.items()})

    def show_held(self, held: dict[str, Any] | None, name: str) -> None:
        """The certificate, of the line that is looked at where that was published."""
        self.setVisible(held is not None)
        if held is None:
            return
        names = [question["name"] for question in held["questions"]]
        self.title.setText(", ".join(names))
        before, self.body = self.body, QFrame()
        grid = QGridLayout(self.body)
        grid.setContentsMargins(0, 4, 0, 4)
        grid.setColumnStretch(1, 1)
        for row, (what, text) in enumerate(_rows(held, name if name in names else names[-1])):
            top = Qt.AlignmentFlag.AlignTop
            wide = (1, 1) if what else (1, 2)  # a sentence has no name
            if what:
                grid.addWidget(label(what, "muted", wrap=True), row, 0, top)
            grid.addWidget(label(_short(text), "small", wrap=True), row, 2 - wide[1], *wide, top)
        self.inside.replaceWidget(before, self.body)
        before.hide()
        before.deleteLater()


def _short(text: str) -> str:
    """A text without most of its digests and of a long list."""
    words = [word if len(word) <= _WORD else f"{word[:_CUT]} …" for word in text.split(" ")]
    said = " ".join(words)
    return said if len(said) <= _LONGEST else f"{said[:_LONGEST].rpartition(' ')[0]} …"
