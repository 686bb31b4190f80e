"""What a person knows of a column from outside the data, and who a person is: the editors of the
codebook."""

from dataclasses import replace
from typing import Any, cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from dpstudio.data.codebook import MERGED, MOST, PEOPLE, TYPES, About
from dpstudio.data.profile import Profile
from dpstudio.files.asking import taken_for_missing
from dpstudio.gui.panel import fields, form
from dpstudio.gui.parts.board_part import board_part
from dpstudio.gui.parts.boxes import LineBox, combo
from dpstudio.gui.parts.labels import ProblemLabel, label, retone
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.state.store import Store
from dpstudio.gui.table.describing import CodebookStore
from dpstudio.labs.person_question import asked_about
from dpstudio.values.dates import date_text, days_of
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import ParamError, domains

_BOUNDS, _WORDS = ("low", "high"), ("categories",)
_ASKED = {"integer": _BOUNDS, "number": _BOUNDS, "date": _BOUNDS, "category": _WORDS}


class _BoundField(form.BoxField):
    """A bound: a number, or a date where the column holds dates."""

    dates = False

    def ask(self, value: Any, gesture: str | None = None) -> bool:
        if self.dates and isinstance(value, str) and value.strip():
            try:
                value = days_of(value)
            except ParamError as error:
                self.complaint.say(error.sentence)
                return False
        return super().ask(value, gesture)

    def show_state(self) -> None:
        super().show_state()
        if self.dates and self.value() is not None:
            self.box.show_text(date_text(self.value()))


class AboutCard(QFrame):
    """How a column is read, its public bounds or words, whether they are known from outside, and
    where from."""

    def __init__(self, book: CodebookStore):
        super().__init__()
        _, column = board_part(frame=self)
        self.book = book
        self.seen: Profile | None = None
        self.read_as: dict[str, str] = {}  # each column, when what is known of it was found
        self.fill = QPushButton(tr(N_("Fill in from the data")))
        self.fill.setObjectName("link")
        self.fill.setToolTip(
            tr(
                N_(
                    "Start from what the data holds, which is not private until you say that it is "
                    "known from outside."
                )
            )
        )
        self.fill.clicked.connect(self._fill)
        top = QHBoxLayout()
        top.addWidget(label(tr(N_("Known from outside the data")), "head"), 1)
        top.addWidget(self.fill)
        column.addLayout(top)
        self.ends: list[QLineEdit] = []
        self.fields = self._fields(cast(Store, book))
        grid = QGridLayout()
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        column.addLayout(grid)
        self.captions: dict[str, QWidget] = {}
        self._row(grid, 0, "type", N_("Read as"), self.fields["type"])
        self._row(grid, 1, "low", N_("Public bounds"), self._bounds())
        self._row(grid, 2, "categories", N_("Public words"), self.fields["categories"])
        grid.addWidget(self.fields["attested"], 3, 1)
        self._row(grid, 4, "source", N_("Source"), self.fields["source"])
        self.says = label("", "muted", wrap=True)
        column.addWidget(self.says)

    def _fields(self, store: Store) -> dict[str, form.Field]:
        known: dict[str, Any] = dict(domains(About))
        outside = replace(known["attested"], label=N_("I know these from outside the data"))
        words = fields.LinesField(store, "categories", known["categories"])
        words.box.setPlaceholderText(tr(N_("from the data; or one a line")))
        words.box.textChanged.connect(self._on_typed)
        self.words = words.box
        source = form.BoxField(store, "source", known["source"])
        source.box.setPlaceholderText(tr(N_("where you know them from")))
        return {
            "type": form.ComboField(store, "type", known["type"]),
            "low": _BoundField(store, "low", known["low"], apart=True),
            "high": _BoundField(store, "high", known["high"], apart=True),
            "categories": words,
            "attested": form.FlagField(store, "attested", outside),
            "source": source,
        }

    def _row(self, grid: QGridLayout, row: int, key: str, text: str, widget: QWidget) -> None:
        caption = self.captions[key] = label(tr(text), "muted")
        caption.setContentsMargins(0, 5, 0, 0)
        grid.addWidget(caption, row, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(widget, row, 1)

    def _bounds(self) -> QWidget:
        """Both boxes in one line, their complaints below it."""
        self.bounds = QWidget()
        column = QVBoxLayout(self.bounds)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        line = QHBoxLayout()
        line.setSpacing(8)
        column.addLayout(line)
        for key, text in (("low", N_("from")), ("high", N_("to"))):
            field = self.fields[key]
            assert isinstance(field, form.BoxField)
            field.propose(tr(N_("from the data")))
            field.box.textEdited.connect(self._on_typed)
            self.ends.append(field.box)
            line.addWidget(label(tr(text), "muted"))
            line.addWidget(field, 1)
            column.addWidget(field.complaint)
        return self.bounds

    def _on_typed(self) -> None:
        """What is being typed is taken by the click that says that it is known."""
        typed = (self.words.toPlainText(), *(box.text() for box in self.ends))
        self.fields["attested"].setEnabled(any(map(str.strip, typed)))

    def show_column(self, seen: Profile) -> None:
        """Another column, or what was found of it."""
        if self.book.column != seen.name:
            self.book.column = seen.name
            for field in self.fields.values():
                field.complaint.say("")
        self.seen = seen
        self.show_state()

    def show_state(self) -> None:
        if self.seen is None:
            return
        about, asked = self.book.lab, _ASKED.get(self.seen.type, ())
        for key in _BOUNDS:
            self.fields[key].dates = self.seen.type == "date"  # type: ignore[attr-defined]
        for field in self.fields.values():
            field.show_state()
        for key, part in (("low", self.bounds), ("categories", self.fields["categories"])):
            part.setVisible(key in asked)
            self.captions[key].setVisible(key in asked)
        for part in (self.fields["attested"], self.fields["source"], self.captions["source"]):
            part.setVisible(bool(asked))
        told = any(getattr(about, key) not in (None, ()) for key in asked)
        self.fields["attested"].setEnabled(told)
        self.fill.setVisible(bool(asked))
        self.fill.setEnabled(self._proposal() is not None)
        self._say(about, asked, told)

    def _say(self, about: About, asked: tuple[str, ...], told: bool) -> None:
        tone, more = "muted", ""
        if not asked:
            text = N_("Labs ask for neither bounds nor words of such a column.")
        elif not told:
            text = N_("Nothing is told: labs take it from the data, which is not private.")
        elif about.attested:
            tone = "good"
            text = N_(
                "Public: every lab that asks about this column uses it, and exports say that you "
                "know it."
            )
            if about.holds != "category":
                taken = N_(
                    "What leaves takes it for {what}, unless a question takes it for words: a "
                    "value that is none is missing."
                )
                more = shown(say(taken, what=Message(TYPES[about.holds])))
        else:
            tone, text = (
                "warn",
                N_(
                    "Labs use it, but call it “from the data, not private” until you say that you "
                    "know it from outside."
                ),
            )
        if about.type == MERGED:
            tone, text, more = (
                "warn",
                N_(
                    "Merged for looking: spellings of one word were found in the rows, which "
                    "nobody attests. Meanwhile no page of this table exports without its exact "
                    "answer, and what is released counts each spelling apart."
                ),
                "",
            )
        data = self.book.store.data
        if data is not None and (lost := taken_for_missing(data, self.book.column)):
            tone, more = "warn", shown(lost)
        self.says.setText(f"{tr(text)} {more}".rstrip())
        retone(self.says, tone)

    def _proposal(self) -> About | None:
        """What the data holds; None where it holds nothing, or too many words, and until a column
        that is to be read in another way has been."""
        spread, about = self.seen.spread if self.seen is not None else None, self.book.lab
        if spread is None or not spread.distinct:
            return None
        if about.type != self.read_as.get(self.book.column, ""):
            return None
        try:
            if spread.quantiles:
                return about.with_(
                    low=spread.quantiles[0], high=spread.quantiles[-1], attested=False
                )
            if spread.distinct == len(spread.common):
                return about.with_(
                    categories=tuple(sorted(word for word, _ in spread.common if word)),
                    attested=False,
                )
        except ParamError:
            return None  # one value alone, or more than bounds may be
        return None

    def _fill(self) -> None:
        about = self._proposal()
        if about is not None:
            self.book.take(about)


class UnitCard(QFrame):
    """Who a person is: each row, or whoever a column names, with at most so many rows each.
    `asked(change)` changes it."""

    asked = Signal(object)

    def __init__(self, store: Store):
        super().__init__()
        self.store = store
        frame, column = board_part(N_("Unit of privacy"), first=True)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(frame)
        self.who = combo(N_("Who is a person"))
        self.who.activated.connect(self._choose)
        self.most, self.people, self.complaint = LineBox("", 5), LineBox("", 9), ProblemLabel()
        for box, domain in ((self.most, MOST), (self.people, PEOPLE)):
            box.setAccessibleName(tr(domain.label))
            box.setToolTip(tr(domain.help))
            box.restored.connect(lambda: self.complaint.say(""))
        self.most.given.connect(self._limit)
        self.people.given.connect(self._tell)
        self.before, self.after = label(tr(N_("with at most"))), label(tr(N_("rows each")))
        line = QHBoxLayout()
        line.setSpacing(8)
        column.addLayout(line)
        self.who.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        for widget in (self.who, self.before, self.most, self.after):
            line.addWidget(widget, 1 if widget is self.who else 0)
        self.known = label(tr(N_("Persons, known from outside")))
        second = QHBoxLayout()
        second.setSpacing(8)
        column.addLayout(second)
        for widget in (self.known, self.people):
            second.addWidget(widget)
        second.addStretch(1)
        self.says = label("", "muted", wrap=True)
        column.addWidget(self.complaint)
        column.addWidget(self.says)
        self._names: tuple[str, ...] | None = None

    def show_state(self) -> None:
        """The codebook, and what it does to this table."""
        data, book = self.store.data, self.store.state.codebook
        if data is None:
            return
        names = tuple(info.name for info in data.columns if info.type != "other")
        if names != self._names:
            self._names = names
            self.who.clear()
            self.who.addItem(tr(N_("Each row is a person")), "")
            for name in names:
                self.who.addItem(shown(say("“{column}” says who", column=name)), name)
        self.who.setCurrentIndex(max(0, self.who.findData(book.person)))
        for widget in (self.before, self.most, self.after, self.known, self.people):
            widget.setVisible(bool(book.person))
        self.most.show_text(str(book.most))
        self.people.show_text(PEOPLE.show(book.people))
        self.says.setText(shown(self._effect()))

    def _effect(self) -> Message:
        data = self.store.data
        assert data is not None
        if column := asked_about(data):
            text = N_(
                "Each row is taken as a person, though “{column}” seems to tell persons apart. "
                "Choose who a person is."
            )
            return say(text, column=column)
        if not data.person:
            return say("One person has one row: neighbouring tables differ in one row.")
        m, rows = Num(data.contributions), Num(data.whole.rows)
        if not data.dropped:
            if data.contributions == 1:
                return say("No row has to be left out: each person has one.")
            return say("No row has to be left out. Every sensitivity is multiplied by {m}.", m=m)
        values = {"dropped": Num(data.dropped), "rows": rows, "m": m}
        if data.unowned:
            text = N_(
                "{dropped} of {rows:# row|# rows} {dropped:is|are} left out, {nobody} of them for "
                "want of a person. Sensitivities are times {m}."
            )
            if data.contributions == 1:
                text = N_(
                    "{dropped} of {rows:# row|# rows} {dropped:is|are} left out, {nobody} of them "
                    "for want of a person. Each person keeps one."
                )
            return Message(text, {**values, "nobody": Num(data.unowned)})
        if data.contributions == 1:
            return say(
                "{dropped} of {rows:# row|# rows} {dropped:is|are} left out: each person keeps "
                "one.",
                **values,
            )
        return say(
            "{dropped} of {rows:# row|# rows} {dropped:is|are} left out. Every sensitivity is "
            "multiplied by {m}.",
            **values,
        )

    def _choose(self, place: int) -> None:
        person, now = self.who.itemData(place), self.store.state.codebook
        if not person and not now.each_row:
            self.asked.emit(lambda book: book.with_each_row())
        elif person != now.person:
            self.asked.emit(lambda book: book.with_person(person, book.most if book.person else 1))

    def _limit(self, text: str) -> None:
        try:
            most = MOST.parse(text)
        except ParamError as error:
            self.complaint.say(error.sentence)
            self.most.refuse()
            return
        self.complaint.say("")
        self.asked.emit(lambda book: book.with_person(book.person, most))

    def _tell(self, text: str) -> None:
        try:
            people = PEOPLE.parse(text)
        except ParamError as error:
            self.complaint.say(error.sentence)
            self.people.refuse()
            return
        self.complaint.say("")
        self.asked.emit(lambda book: replace(book, people=people))
