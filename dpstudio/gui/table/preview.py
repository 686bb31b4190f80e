"""The page that is shown before a table is opened whose reading is not certain: how it will be
read, and what may be chosen."""

from collections.abc import Collection

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from dpstudio.files.asking import note_words, odd_rows, unsettled
from dpstudio.files.read import choices, outcome, told
from dpstudio.gui.parts.board_part import BETWEEN, board_part, on_board
from dpstudio.gui.parts.labels import ElidedLabel, label
from dpstudio.gui.parts.theme import Look
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.table.preview_choices import ChoicesColumn, value_words
from dpstudio.gui.table.preview_table import FirstRows, OddRows
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import domains

_LEFT, _ODD = 360, 246


class PreviewPage(QWidget):
    """`chosen(choices)`: read it so; `accepted()`, `cancelled()`; `stopped()`: leave the reading
    that goes on, and keep the one before."""

    chosen = Signal(object)
    accepted = Signal()
    cancelled = Signal()
    stopped = Signal()
    rearranged = Signal()

    def __init__(self, look: Look):
        super().__init__()
        on_board(self)
        self.look = look
        self.preview: outcome.Preview | None = None
        self._unseen: tuple[str, ...] = ()
        self.choices = ChoicesColumn(self.chosen.emit)
        self.choices.rearranged.connect(self.rearranged)
        self.left = QScrollArea()
        self.left.setWidgetResizable(True)
        self.left.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.left.setFrameShape(QFrame.Shape.NoFrame)
        self.left.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.left.setWidget(self.choices)
        self.right = QWidget()
        column = QVBoxLayout(self.right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head())
        frame, inside = board_part()
        self.rows_title = label("", "title")
        inside.addWidget(self.rows_title)
        self.rows = FirstRows(look)
        self.rows.typed.connect(self.choices.give_type)
        inside.addWidget(self.rows, 1)
        column.addWidget(frame, 1)
        self.odd_card, inside = board_part()
        self.odd_title = label("", "warn", wrap=True)
        self.odd = OddRows(look)
        inside.addWidget(self.odd_title)
        inside.addWidget(self.odd, 1)
        column.addWidget(self.odd_card)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(BETWEEN)
        layout.addWidget(self.left)
        layout.addWidget(self.right, 1)
        self.dress(look)

    def _head(self) -> QFrame:
        """What is to be opened, the counts, and the two ways on."""
        frame, column = board_part(first=True)
        self.title, self.counts, self.found = (
            ElidedLabel("title"),
            label("", "", wrap=True),
            label("", "muted", wrap=True),
        )
        self.note = label("", "warn", wrap=True)
        self.state = ElidedLabel("muted")
        self.progress = QProgressBar()
        self.progress.setRange(0, 100)
        self.progress.setFixedWidth(120)
        self.progress.setTextVisible(False)
        self.stop = QPushButton(tr(N_("Stop")))
        self.stop.setObjectName("link")
        self.stop.clicked.connect(self.stopped)
        self.leave, self.accept = QPushButton(tr(N_("Cancel"))), QPushButton(tr(N_("Open it so")))
        self.accept.setObjectName("primary")
        self.leave.setToolTip(tr(N_("Go back to the table that is open")) + "  Esc")
        self.leave.clicked.connect(self.cancelled)
        self.accept.clicked.connect(self.accepted)
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(self.title, 1)
        top.addWidget(self.leave)
        top.addWidget(self.accept)
        below = QHBoxLayout()
        below.setSpacing(8)
        below.addWidget(self.state, 1)
        below.addWidget(self.progress)
        below.addWidget(self.stop)
        for part in (top, below):
            column.addLayout(part)
        column.insertWidget(1, self.found)
        column.insertWidget(1, self.counts)
        column.insertWidget(1, self.note)
        return frame

    # What is shown

    def begin(
        self, preview: outcome.Preview, name: str, note: Message | None, pasted: bool = False
    ) -> None:
        """Another file, or a pasted text, whose letters are letters already."""
        self._unseen = ("encoding",) if pasted else ()
        self.choices.begin(bool(unsettled(preview)), self._unseen)
        self.title.set_text(shown(say("How {name} will be read", name=name)))
        self.note.setText(shown(note) if note is not None else "")
        self.note.setVisible(note is not None)
        self.left.verticalScrollBar().setValue(0)
        self.rows.scrollToTop()

    def show_preview(self, preview: outcome.Preview, wanted: choices.Choices) -> None:
        """The table as it was read, and what of that the person chose."""
        self.preview = preview
        notes = [*note_words(preview), *_stays(preview)]
        self.choices.show_preview(
            preview, wanted, unsettled(preview), [shown(note) for note in notes]
        )
        self.rows.show_preview(preview, wanted.forced())
        self.odd_card.setVisible(odd_rows(preview.counts))
        if odd_rows(preview.counts):
            self.odd.show_counts(preview.counts)
            self.odd_title.setText(_odd_words(preview.counts))
        self.counts.setText(" · ".join(shown(part) for part in _parts(preview.counts)))
        found = _found(preview, self._unseen)
        self.found.setText(" · ".join(found))
        self.found.setVisible(bool(found))
        self._name_rows(preview)
        self.rest()
        self.dress(self.look)

    def _name_rows(self, preview: outcome.Preview) -> None:
        seen, kept = len(preview.rows), preview.counts.kept
        text = (
            N_("All {n:# row|# rows} · {columns:# column|# columns}")
            if seen == kept
            else N_("The first {seen} of {n:# row|# rows} · {columns:# column|# columns}")
        )
        self.rows_title.setText(
            shown(say(text, seen=Num(seen), n=Num(kept), columns=Num(len(preview.columns))))
        )

    def show_state(self, wanted: choices.Choices) -> None:
        """What is wanted now, while it is read or where nothing else is to be read."""
        self.choices.reading.wanted = wanted
        self.choices.show_state()

    def work(self, share: float) -> None:
        """It is being read anew."""
        self.state.set_text(tr(N_("Reading it so …")))
        self.progress.setValue(round(100 * share))
        self.progress.show()
        self.stop.show()
        self.accept.setEnabled(False)

    def rest(self) -> None:
        """Nothing is being read."""
        self.progress.hide()
        self.stop.hide()
        self.accept.setEnabled(True)
        text = N_(
            "Nothing changes before you open it. Click a head to read that column as another type."
        )
        if self.rows.typed_already:
            text = N_("Nothing changes before you open it.")
        self.state.set_text(tr(text))

    def refuse(self, names: list[str], bad: choices.Choices, text: str) -> None:
        self.rest()
        self.choices.refuse(names, bad, text)

    def focus_first(self) -> None:
        """The first alternative of what is in doubt, else the way on."""
        first = self.choices.asked
        if first is None:
            self.accept.setFocus()
            return
        buttons = list(first.options.buttons.values())
        next((button for button in buttons if button.isChecked()), buttons[0]).setFocus()

    def dress(self, look: Look) -> None:
        self.look = look
        self._fit()
        self.rows.dress(look)
        self.odd.dress(look)
        lines = self.odd.grid.rowCount()
        head = self.odd.horizontalHeader().sizeHint().height()
        self.odd.setFixedHeight(min(look.px(_ODD), lines * look.px(26) + head + look.px(4)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """The choices take less than half of a narrow page."""
        room = round(0.46 * self.contentsRect().width())
        self.left.setFixedWidth(min(self.look.px(_LEFT), room))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)


def _parts(counts: outcome.Counts) -> list[Message]:
    """How many rows there are, and what else stands in the file."""
    others = (
        (counts.repaired.count, N_("{n} of them repaired")),
        (counts.refused.count, N_("{n} {n:row is|rows are} left out")),
        (counts.preamble, N_("{n} {n:line|lines} before the table")),
        (counts.footer, N_("{n} {n:row|rows} after the table")),
        (counts.comments, N_("{n} comment {n:line|lines}")),
        (counts.blank, N_("{n} blank {n:line|lines}")),
        (counts.empty, N_("{n} {n:row|rows} without any value")),
    )
    kept = say("{n} {n:row is|rows are} kept", n=f"{counts.kept:,}")
    return [kept, *(say(text, n=f"{n:,}") for n, text in others if n)]


def _found(preview: outcome.Preview, unseen: Collection[str]) -> list[str]:
    """What the file was found to be, in short."""
    numbers = any(column.kind == "number" for column in preview.columns)
    names = ("part", "encoding", "delimiter", *(("decimal",) if numbers else ()))
    held = [
        (name, getattr(preview.choices, name))
        for name in names
        if name not in unseen and not choices.free(preview.choices, name)
    ]
    known, text = domains(choices.Choices), N_("{choice}: {value}")
    return [
        shown(say(text, choice=Message(known[name].label), value=value_words(name, value)))
        for name, value in held
        if value
    ]


def _stays(preview: outcome.Preview) -> list[Message]:
    """That no release can be made of the table as it is read."""
    why = told.why_stays(preview)
    text = N_("Nothing of a table read so can be saved without the exact answer. {why}")
    return [] if why is None else [say(text, why=why)]


def _odd_words(counts: outcome.Counts) -> str:
    """What the list below holds, and what it does not."""
    whole = counts.repaired.count + counts.refused.count
    listed = len(counts.repaired.first) + len(counts.refused.first)
    if whole == 1:
        return tr(N_("The row that does not fit"))
    if listed < whole:
        return shown(
            say(
                "Rows that do not fit: the first {listed} of {n}",
                listed=Num(listed),
                n=f"{whole:,}",
            )
        )
    return shown(say("Rows that do not fit: all {n}", n=f"{whole:,}"))
