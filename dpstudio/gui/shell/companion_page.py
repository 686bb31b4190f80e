"""The page of the texts: their chapters, and of the one that is open every place, with what it is
and what the text has there. A place opens as a step of its chapter, which is gone through as a
lesson."""

from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from dpstudio.files import reading_along
from dpstudio.files.companion import Chapter, Place, Text, chapter_said, said_so, texts
from dpstudio.files.talk import Talk
from dpstudio.gui.parts.buttons import Segments, push
from dpstudio.gui.parts.labels import label
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.frame.known import PLACE, FinderEntry, named_so
from dpstudio.values.messages import N_, Message, plain, say

_AROUND, _GAP = (24, 16, 24, 16), 8


def told(place: Place) -> str:
    """What a place is, and what the text has there."""
    about = tr(place.about)
    if not place.prints:
        return about
    return shown(say("{about} The text has: {prints}", about=plain(about), prints=place.prints))


def corrected(place: Place) -> str:
    """The name of the step that shows what is printed wrongly."""
    return shown(say(reading_along.AS_PRINTED, place=place.title))


def chapter_name(text: Text, chapter: Chapter) -> str:
    """A chapter by its number and name; an article by its own name."""
    if not chapter.key:
        return tr(text.name)
    number, name = plain(chapter.key), Message(chapter.name)
    return shown(say("Chapter {number}: {name}", number=number, name=name))


def read_along(text: Text, chapter: Chapter, place: Place | None = None) -> tuple[Talk, int]:
    """The lesson of a chapter, and at which of its steps it begins."""
    name = chapter_name(text, chapter)
    lesson = reading_along.lesson_of(text, chapter, name, told, corrected)
    return lesson, reading_along.first_step(chapter, place) if place is not None else 0


def questions_name(text: Text, chapter: Chapter) -> str:
    """What the talk of its places that ask is called."""
    if chapter.talk:
        return tr(chapter.talk)
    return shown(say(N_("{chapter}, in questions"), chapter=plain(chapter_name(text, chapter))))


def questions(text: Text, chapter: Chapter) -> tuple[Talk, int]:
    """The talk of its places that ask, and the step it begins with."""
    name = questions_name(text, chapter)
    return reading_along.lesson_of(text, chapter, name, told, corrected, asking=True), 0


def entries(
    go: Callable[[Talk, int], object], turn: Callable[[str, str], object]
) -> Iterator[FinderEntry]:
    """Every chapter and place, to be found by each of its names in both languages and by what the
    text has there; `go` takes the lesson of its chapter and the step. A chapter, and a place that
    nothing here shows, lead to the page of the texts: `turn` takes the keys of both."""

    def begin(text: Text, chapter: Chapter, place: Place) -> None:
        go(*read_along(text, chapter, place))

    def ask(text: Text, chapter: Chapter) -> None:
        go(*questions(text, chapter))

    for text in texts():
        for chapter in text.chapters:
            there = partial(turn, text.key, chapter.key)
            name, meant = chapter_name(text, chapter), chapter_said(chapter.key or text.name)
            named = named_so(name, meant=meant, said=tr(text.by))
            yield FinderEntry(name, PLACE, named, there, tr(text.by), tr(text.name))
            if any(place.ask is not None for place in chapter.places):
                name = questions_name(text, chapter)
                asked = named_so(name, meant=(f"quiz {chapter.key}", f"talk {chapter.key}"))
                go_ask = partial(ask, text, chapter)
                yield FinderEntry(name, PLACE, asked, go_ask, "", tr(text.name))
            for place in chapter.places:
                more = tr(place.about) if place.words else tr(place.out)
                said = f"{tr(place.about)} {tr(place.prints)} {tr(place.out)}"
                go_there = partial(begin, text, chapter, place) if place.words else there
                for name in place.names:
                    also = place.also if name == place.names[0] else ()
                    named = named_so(name, said=said, meant=(*said_so(name), *also))
                    yield FinderEntry(name, PLACE, named, go_there, more, tr(text.name))


class CompanionPage(QScrollArea):
    """`chosen(Talk, step)`: a chapter is to be gone through from one of its steps on.
    `rearranged`: rows came or went."""

    chosen = Signal(object, int)
    rearranged = Signal()

    def __init__(self) -> None:
        super().__init__()
        ground = QFrame()
        ground.setObjectName("sheet")
        self.column = QVBoxLayout(ground)
        self.column.setContentsMargins(*_AROUND)
        self.column.setSpacing(_GAP)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(ground)
        self.column.addWidget(label(tr(N_("The texts")), "page-name"))
        headline = N_("What each place of the texts looks like, and what is true of it")
        self.column.addWidget(label(tr(headline), "headline", wrap=True))
        self.rows: dict[Place, QWidget] = {}
        self.text, self.chapter = texts()[0], texts()[0].chapters[0]
        self.choice = Segments({text.key: text.name for text in texts()})
        self.choice.chosen.connect(self._choose_text)
        self.column.addWidget(self.choice)
        self.numbers = {text.key: self._numbers(text) for text in texts()}
        self.title = label("", "title", wrap=True)
        self.by = label("", "muted", wrap=True)
        self.go = push(tr(N_("Go through it")), "primary")
        self.go.clicked.connect(lambda: self._open(None))
        self.ask = push(tr(N_("Ask its questions")))
        self.ask.clicked.connect(lambda: self.chosen.emit(*questions(self.text, self.chapter)))
        for each in (self.title, self.by):
            self.column.addWidget(each)
        ways = QHBoxLayout()
        ways.addWidget(self.go)
        ways.addWidget(self.ask)
        ways.addStretch(1)
        self.column.addLayout(ways)
        self.body = QFrame()
        self.column.addWidget(self.body)
        self.column.addStretch(1)
        self._choose_text(next(text.key for text in texts() if len(text.chapters) > 1))

    def show_chapter(self, text: str, chapter: str) -> None:
        """Turn to a chapter by its keys."""
        self.text = next(each for each in texts() if each.key == text)
        self.chapter = next(each for each in self.text.chapters if each.key == chapter)
        self._fill()

    def _choose_text(self, key: str) -> None:
        text = next(each for each in texts() if each.key == key)
        self.show_chapter(key, text.chapters[0].key)

    def _fill(self) -> None:
        self.choice.show_choice(self.text.key)
        for key, numbers in self.numbers.items():
            numbers.setVisible(key == self.text.key and len(numbers.buttons) > 1)
        self.numbers[self.text.key].show_choice(self.chapter.key)
        self.title.setText(chapter_name(self.text, self.chapter))
        self.by.setText(tr(self.text.by))
        self.ask.setVisible(any(place.ask is not None for place in self.chapter.places))
        self._empty()
        heads = (N_("Place"), N_("What it is"), N_("What stands there"))
        for column, head in enumerate(heads):
            self.grid.addWidget(label(tr(head), "muted"), 0, column)
        for row, place in enumerate(self.chapter.places, 1):
            self._add(row, place)
        self.rearranged.emit()

    def _numbers(self, text: Text) -> Segments:
        """The chapters of a text, to choose among."""
        numbers = Segments({each.key: each.key for each in text.chapters}, line=True)
        for each in text.chapters:
            numbers.buttons[each.key].setAccessibleName(chapter_name(text, each))
            numbers.buttons[each.key].setToolTip(tr(each.name))
        numbers.chosen.connect(partial(self.show_chapter, text.key))
        self.column.addWidget(numbers)
        return numbers

    def _empty(self) -> None:
        """Room for the places of another chapter."""
        before, self.body, self.rows = self.body, QFrame(), {}
        self.body.setObjectName("plain")
        self.grid = QGridLayout(self.body)
        self.grid.setContentsMargins(0, 8, 0, 8)
        self.grid.setHorizontalSpacing(16)
        self.grid.setVerticalSpacing(0)
        self.grid.setColumnStretch(1, 3)
        self.grid.setColumnStretch(2, 2)
        self.column.replaceWidget(before, self.body)
        before.hide()
        before.deleteLater()

    def _add(self, row: int, place: Place) -> None:
        name: QWidget = label(shown(place.title), "cell-muted", wrap=True)
        if place.words:
            name = push(shown(place.title), "cell")
            told = say("{name}: {about}", name=place.title, about=Message(place.about))
            name.setAccessibleName(shown(told))
            name.clicked.connect(partial(self._open, place))
        self.rows[place] = name
        about, stands = tr(place.about), tr(place.prints or place.out)
        cells = name, label(about, "cell", wrap=True), label(stands, "cell-muted", wrap=True)
        for column, cell in enumerate(cells):
            if isinstance(cell, QLabel):
                cell.setIndent(0)  # else as wide as half a letter, where a style gives room around
            self.grid.addWidget(cell, row, column, Qt.AlignmentFlag.AlignTop)

    def _open(self, place: Place | None) -> None:
        self.chosen.emit(*read_along(self.text, self.chapter, place))
