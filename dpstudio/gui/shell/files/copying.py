"""One number, sentence or text to the clipboard: by the menu of the right button where it stands,
and with the keys by the menu of what is exported."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu, QWidget

from dpstudio.data.dataset import Dataset
from dpstudio.gui.parts.buttons import plain_text
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.files.saving import Saver
from dpstudio.gui.shell.frame.topbar import empty
from dpstudio.gui.shell.frame.window import Window
from dpstudio.labs import Lab
from dpstudio.labs.findings import Fact, Findings, Sentence, table_beside
from dpstudio.labs.outcome import MadeText
from dpstudio.values.messages import N_, with_name

_LONGEST = 60  # letters of a sentence in a menu
Copied = Fact | Sentence | MadeText
_ONE = {Fact: N_("Copy number"), Sentence: N_("Copy sentence"), MadeText: N_("Copy the statement")}


class Copying:
    """Ties strip, sentences and menu to what copies."""

    def __init__(self, window: Window, saver: Saver):
        self.window, self.saver = window, saver
        for part, pieces in ((window.strip, window.strip.tiles), (window.headline, None)):
            part.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            part.customContextMenuRequested.connect(partial(self._ask, part, pieces))
        self.menu = window.top.export.menu().addMenu(tr(N_("Copy one number or sentence")))
        self.menu.aboutToShow.connect(self._list)

    def _ask(self, part: QWidget, tiles: Sequence[QWidget] | None, at: QPoint) -> None:
        """The menu of what lies under the pointer."""
        found, child = self.saver.found(), part.childAt(at)
        if found is None:
            return
        menu = QMenu(part)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if tiles is not None:
            inside = (k for k, tile in enumerate(tiles) if child and tile.isAncestorOf(child))
            place = next(inside, None)
            if place is None or place >= len(found.facts):
                return
            self._offer(menu, found.facts[place])
        else:
            lines = self.window.headline.lines
            place = next((k for k, line in enumerate(lines) if line is child), None)
            if place is None or place >= len(found.headline):
                return
            self._offer(menu, found.sentence(found.headline[place]))
        menu.popup(part.mapToGlobal(at))

    def _offer(self, menu: QMenu, what: Copied) -> None:
        menu.addAction(tr(_ONE[type(what)]), partial(self.copy, what, False))
        menu.addAction(tr(N_("Copy with its parameters")), partial(self.copy, what, True))

    def _list(self) -> None:
        """All that can be copied, each with its ways."""
        empty(self.menu)
        found = self.saver.found()
        for what in _listed(found) if found else ():
            text = shown(what.title) if isinstance(what, MadeText) else _words(what, whole=True)
            short = text if len(text) <= _LONGEST else text[: _LONGEST - 1].rstrip() + "…"
            self._offer(self.menu.addMenu(plain_text(short)), what)

    def copy(self, what: Copied, told: bool) -> None:
        """What is seen, or what leaves in its place; `told`: with how it came about."""
        self.saver.copy_text(partial(_text, what, told))


def _listed(findings: Findings) -> list[Copied]:
    texts = (made for made in findings.outcomes if isinstance(made, MadeText))
    return [*findings.facts, *findings.sentences, *texts]


def _words(what: Copied, *, whole: bool) -> str:
    if isinstance(what, MadeText):
        return "\n".join(map(shown, what.lines))
    if isinstance(what, Sentence):
        return shown(what.say)
    return shown(with_name(what.label, what.text, what.note) if whole else what.text)


def _text(what: Copied, told: bool, lab: Lab, findings: Findings, data: Dataset) -> str:
    """The same number, sentence or text of what leaves; "" where there is none."""
    from dpstudio.files.write.export import made_with, warned

    same = (each for each in _listed(findings) if isinstance(each, type(what)))
    found = next((each for each in same if each.key == what.key), None)
    if found is None:
        return ""
    words = _words(found, whole=told)
    if not told:
        return words
    figures, second = findings.figures, findings.second
    warning = warned(figures[0], lab, data, tr) if figures else ""
    made = made_with(lab, data, tr, table_beside(second) if second is not None else None)
    return "\n".join(line for line in (words, made, warning) if line)
