"""How a file is to be read: what is in doubt first, each with its alternatives and the reason; all
other choices below."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from dpstudio.files.asking import sentence
from dpstudio.files.read.choices import Choices, free
from dpstudio.files.read.outcome import Doubt, Preview
from dpstudio.files.read.signs import AUTO
from dpstudio.gui.panel.editors import FormGrid, editor
from dpstudio.gui.panel.form import BoxField, ComboField, Field
from dpstudio.gui.parts.board_part import board_part
from dpstudio.gui.parts.buttons import Segments
from dpstudio.gui.parts.labels import ProblemLabel, label, restyle
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.state.store import Store
from dpstudio.values.messages import N_, Message, plain, say
from dpstudio.values.parameters import Choice, Domain, Maybe, domains, put

_BUTTONS = 4  # of more alternatives the first are buttons, and all of them a list
_SHORT = 36  # letters of a button that may stand beside another
_KNOWN: Mapping[str, Domain] = domains(Choices)
# What a box says while the file decides.
_EMPTY = {
    "skip": N_("as found"),
    "footer": N_("as found"),
    "side": N_("as found"),
    "down": N_("as found"),
    "part": N_("the first"),
    "missing_words": N_("none"),
    "types": N_("as found"),
}
_NUMBERS = {
    "skip": (
        N_("Leave out none"),
        N_("Leave out the first line"),
        N_("Leave out the first {n} {n:line|lines}"),
    ),
    "footer": (
        N_("Leave out none"),
        N_("Leave out the last row"),
        N_("Leave out the last {n} {n:row|rows}"),
    ),
}


def value_words(name: str, value: Any) -> Message:
    """A value of a choice as it is offered."""
    domain = _KNOWN[name]
    if isinstance(domain, Choice):
        return Message(domain.words[value])
    if name in _NUMBERS and isinstance(value, int):
        return say(_NUMBERS[name][min(value, 2)], n=f"{value:,}")
    return plain(domain.show(value))


class Reading:
    """What the editors need of a store: its `lab` is every choice as it is shown. `ask(choices)` is
    told what is wanted then.

    `wanted` holds what the person chose, and leaves the rest to the file; `found` is what the file
    was read with.
    """

    data = None

    def __init__(self, ask: Callable[[Choices], None]):
        self.found, self.wanted, self._ask = Choices(), Choices(), ask

    @property
    def lab(self) -> Choices:
        mine = {name: getattr(self.wanted, name) for name in _KNOWN if self.is_chosen(name)}
        return self.found.with_(**mine)

    def is_chosen(self, name: str) -> bool:
        return not free(self.wanted, name) and getattr(self.wanted, name) not in ("", ())

    def set(self, path: str, value: Any, gesture: str | None = None) -> None:
        """Raises ParamError at the path and changes nothing then."""
        wanted = put(self.wanted, path, value)
        if wanted != self.wanted:
            self._ask(wanted)


class DoubtCard(QFrame):
    """One choice that a person must make: why, the alternatives a click each, and an editor where
    they are not all."""

    def __init__(self, reading: Reading, doubt: Doubt):
        super().__init__()
        self.reading, self.name = reading, doubt.choice
        self.values = _values(doubt)
        _, column = board_part(_KNOWN[self.name].label, self)
        self.why = label("", "", wrap=True)
        column.addWidget(self.why)
        self.options = _options(
            {str(k): shown(value_words(self.name, v)) for k, v in enumerate(self.values[:_BUTTONS])}
        )
        self.options.setAccessibleName(tr(_KNOWN[self.name].label))
        self.options.chosen.connect(self._choose)
        column.addWidget(self.options)
        self.field = _other(cast(Store, reading), self.name, self.values)
        if self.field is not None:
            line = QHBoxLayout()
            caption = label(tr(N_("Another")), "muted")
            caption.setContentsMargins(0, 5, 0, 0)
            line.addWidget(caption, 0, Qt.AlignmentFlag.AlignTop)
            line.addWidget(self.field, 1)
            column.addLayout(line)
        self.complaint = ProblemLabel()
        column.addWidget(self.complaint)
        self.tell(doubt)

    def tell(self, doubt: Doubt) -> None:
        """Why it is asked, as it now is."""
        self.why.setText(sentence(shown(doubt.why)))

    def offers(self, doubt: Doubt) -> bool:
        """Whether the alternatives are those of this doubt, whichever is proposed."""
        return set(self.values) == set(_values(doubt))

    def _choose(self, key: str) -> None:
        self.complaint.say("")
        self.reading.set(self.name, self.values[int(key)])

    def show_state(self) -> None:
        held = getattr(self.reading.lab, self.name)
        places = [place for place, value in enumerate(self.values[:_BUTTONS]) if value == held]
        self.options.show_choice(str(places[0]) if places else "")
        self.complaint.say("")
        if self.field is not None:
            self.field.show_state()

    def refuse(self, text: str) -> None:
        """Say why the last choice could not be had."""
        self.complaint.say(text)


def _options(words: dict[str, str]) -> Segments:
    """Buttons side by side where their words are short, else one below the other."""
    short = all(len(text) <= _SHORT for text in words.values())
    return Segments(words, columns=0 if short else 1)


def _values(doubt: Doubt) -> tuple[Any, ...]:
    """The alternatives, and all others where that makes only a few."""
    domain = _KNOWN[doubt.choice]
    if not isinstance(domain, Choice):
        return doubt.values
    others = tuple(word for word in domain.words if word != AUTO and word not in doubt.values)
    return (*doubt.values, *others) if len(doubt.values) + len(others) <= _BUTTONS else doubt.values


def _other(store: Store, name: str, values: tuple[Any, ...]) -> Field | None:
    """The editor for another value than the alternatives on the buttons, where there may be one."""
    domain = _KNOWN[name]
    if isinstance(domain, Choice):
        every = {word for word in domain.words if word != AUTO}
        return (
            None if every <= set(values[:_BUTTONS]) | {"auto"} else ComboField(store, name, domain)
        )
    if isinstance(domain, Maybe):
        field = BoxField(store, name, domain)
        field.propose(tr(_EMPTY[name]))
        return field
    words = {value: value for value in values}
    return (
        ComboField(store, name, Choice(domain.label, domain.help, options=words))
        if len(words) > _BUTTONS
        else None
    )


class MoreChoices(QFrame):
    """Every other choice that plays a part for this file, folded away until it is asked for."""

    rearranged = Signal()

    def __init__(self, reading: Reading):
        super().__init__()
        self.reading = reading
        self.apart: frozenset[str] = frozenset()
        _, column = board_part(frame=self)
        self.fold = QPushButton()
        self.fold.setObjectName("link")
        self.fold.setCheckable(True)
        self.fold.toggled.connect(self.open)
        column.addWidget(self.fold)
        self.form = FormGrid()
        store = cast(Store, reading)
        for name, domain in _KNOWN.items():
            field = editor(store, name, domain)
            if isinstance(field, BoxField) and name in _EMPTY:
                field.propose(tr(_EMPTY[name]))
            self.form.add(field)
        self.fields = {field.path: field for field in self.form.fields}
        column.addWidget(self.form)
        self.open(False)

    def open(self, opened: bool) -> None:
        if self.fold.isChecked() != opened:
            self.fold.setChecked(opened)
            return
        self.fold.setText(tr(N_("More choices")) + ("  ▴" if opened else "  ▾"))
        self.form.setVisible(opened)
        self.rearranged.emit()

    def show_state(self, apart: set[str]) -> None:
        """The state, but for the choices that stand `apart` above."""
        for name, field in self.fields.items():
            # What the reader of this format left open plays no part in it.
            plays = name == "missing" or not free(self.reading.found, name)
            if name == "part":
                plays = bool(self.reading.lab.part)
            field.setVisible(plays and name not in apart | self.apart)
            field.show_state()
            _mark(field, self.reading.is_chosen(name))


def _mark(field: Field, chosen: bool) -> None:
    """What a person chose is not in grey."""
    if field.caption is not None:
        restyle(field.caption, chosen=chosen)


class ChoicesColumn(QWidget):
    """The cards of the doubts, then the rest. `rearranged`: editors came or went."""

    rearranged = Signal()

    def __init__(self, ask: Callable[[Choices], None]):
        super().__init__()
        self.reading = Reading(ask)
        self.cards: dict[str, DoubtCard] = {}
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 6, 0)
        self.column.setSpacing(0)
        frame, told = board_part(N_("What was found"))
        self.notes_card, self.notes = frame, label("", "", wrap=True)
        told.addWidget(self.notes)
        self.later = label("", "muted", wrap=True)
        self.column.addWidget(self.later)
        self.more = MoreChoices(self.reading)
        self.more.rearranged.connect(self.rearranged)
        self.column.addWidget(self.more)
        self.column.addWidget(frame)
        self.column.addStretch()

    def begin(self, doubts: bool, apart: Collection[str] = ()) -> None:
        """Another file: no choice is made yet, and only what is in doubt is open. What stands
        `apart` plays no part for it."""
        self.more.apart = frozenset(apart)
        for held in self.cards.values():
            self._remove(held)
        self.cards = {}
        self.more.open(not doubts)

    def show_preview(
        self, preview: Preview, wanted: Choices, doubts: tuple[Doubt, ...], notes: list[str]
    ) -> None:
        """What the file was read with, and what of it the person chose."""
        self.reading.found, self.reading.wanted = preview.choices, wanted
        asked = {doubt.choice: doubt for doubt in doubts}
        for name in [*self.cards]:
            # A doubt that was decided stays to be decided otherwise; one that is none any more
            # goes.
            if name not in asked and not self.reading.is_chosen(name):
                self._remove(self.cards.pop(name))
        for name, doubt in asked.items():
            held = self.cards.get(name)
            if held is not None and held.offers(doubt):
                held.tell(doubt)
                continue
            place = self.column.indexOf(held) if held is not None else len(self.cards)
            if held is not None:
                self._remove(held)
            self.cards[name] = DoubtCard(self.reading, doubt)
            self.column.insertWidget(place, self.cards[name])
        self.notes.setText("\n".join(notes))
        self.notes_card.setVisible(bool(notes))
        self.show_state()
        self.rearranged.emit()

    def _remove(self, widget: QWidget) -> None:
        self.column.removeWidget(widget)
        widget.hide()
        widget.deleteLater()

    def show_state(self) -> None:
        for held in self.cards.values():
            held.show_state()
        # One question at a time: those that are answered, and the first that is not.
        waiting = [name for name in self.cards if not self.reading.is_chosen(name)]
        for name, held in self.cards.items():
            held.setVisible(name not in waiting[1:])
        self.later.setText(
            shown(say("Questions after this one: {n}. All are answered as proposed.", n=n))
            if (n := len(waiting) - 1) > 0
            else ""
        )
        self.later.setVisible(len(waiting) > 1)
        self.more.show_state(set(self.cards))

    @property
    def asked(self) -> DoubtCard | None:
        """The question that is not answered yet, else the first; None where there is none."""
        waiting = [card for name, card in self.cards.items() if not self.reading.is_chosen(name)]
        return next(iter([*waiting, *self.cards.values()]), None)

    def refuse(self, names: list[str], bad: Choices, text: str) -> None:
        """Why a choice could not be had, at its editor; the box keeps what was typed."""
        for name in names:
            if name in self.cards:
                self.cards[name].refuse(text)
            field = self.cards[name].field if name in self.cards else self.more.fields[name]
            if field is None:
                continue
            if name not in self.cards:
                self.more.open(True)
                field.complaint.say(text)
            if isinstance(field, BoxField):
                field.box.setText(field.domain.show(getattr(bad, name)))
                field.box.refuse()

    def types(self) -> dict[str, str]:
        """The types that the person gave columns."""
        return self.reading.wanted.forced()

    def give_type(self, name: str, kind: str) -> None:
        """Read a column as another type; "auto" leaves it to what is in it."""
        others = tuple(
            entry
            for entry in self.reading.wanted.types
            if entry.rpartition("=")[0].strip() != name.strip()
        )
        self.reading.set("types", others if kind == "auto" else (*others, f"{name}={kind}"))
