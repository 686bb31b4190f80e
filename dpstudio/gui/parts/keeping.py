"""Widgets keep what their words say: Qt holds letters alone, and two messages may have one text."""

from collections.abc import Callable, Hashable, Iterator
from functools import lru_cache, partial
from typing import Any, cast

from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from dpstudio.gui.parts.tr import Said

_SAYS = "toolTip", "whatsThis", "statusTip"
_NAMED = "accessibleName", "accessibleDescription", "windowTitle"
# Of each kind, what of it says words; what sets one is named after it.
_WORDS: dict[type, tuple[str, ...]] = {
    QAction: (*_SAYS, "text"),
    QWidget: (*_SAYS, *_NAMED),
    QLabel: ("text",),
    QAbstractButton: ("text",),
    QMenu: ("title",),
    QLineEdit: ("placeholderText",),
    QPlainTextEdit: ("placeholderText",),
}
_MADE: dict[type, str] = {QLabel: "text", QPushButton: "text", QCheckBox: "text", QMenu: "title"}


def words(one: QWidget | QAction) -> Iterator[tuple[str, Callable[[str], object]]]:
    """Each text of a widget or an entry that is not empty, and what gives it another."""
    kept, kind = one.__dict__.get("_ours", {}), cast(Hashable, type(one))
    for name in _names(kind):
        if now := getattr(one, name)():  # most are empty
            said = kept.get(name, "")
            yield said if said == now else now, getattr(one, _setter(name))


@lru_cache(maxsize=256)
def _names(kind: Any) -> tuple[str, ...]:
    """What of a kind of widget says words."""
    return tuple(name for of, names in _WORDS.items() if issubclass(kind, of) for name in names)


def entry(box: QComboBox, at: int) -> str:
    """The text of an entry of a list."""
    now, said = box.itemText(at), box.__dict__.get("_ours", {}).get(at, "")
    return said if said == now else now


def _setter(name: str) -> str:
    return f"set{name[0].upper()}{name[1:]}"


@lru_cache(maxsize=1)
def keep_words() -> None:
    """From now on whatever is given a text of ours keeps it, until it is given another."""
    for kind, names in _WORDS.items():
        for name in names:
            _follow(kind, _setter(name), partial(_given, name))
    for kind, name in _MADE.items():
        _follow(kind, "__init__", partial(_given, name))
    _follow(QMenu, "addAction", lambda _, made, *given: _given("text", made, None, *given))
    _follow(QMenu, "addMenu", lambda _, made, *given: _given("title", made, None, *given))
    _follow(QComboBox, "addItem", lambda box, _, *given: _keep(box, box.count() - 1, given[0]))
    _follow(QComboBox, "setItemText", lambda box, _, at, text: _keep(box, at, text))


def _follow(kind: type, name: str, then: Callable[..., None]) -> None:
    """Let what Qt does be followed by `then`, which is told of whom, of what came of it, and of
    what was given."""
    qt: Callable[..., Any] = getattr(kind, name)

    def method(self: Any, *given: Any, **named: Any) -> Any:
        made = qt(self, *given, **named)
        then(self, made, *given)
        return made

    setattr(kind, name, method)


def _given(name: str, one: Any, _: Any, *given: Any) -> None:
    if given and isinstance(given[0], str):
        _keep(one, name, given[0])


def _keep(one: Any, place: str | int, text: str) -> None:
    if isinstance(text, Said):
        one.__dict__.setdefault("_ours", {})[place] = text
    elif "_ours" in one.__dict__:
        one.__dict__["_ours"].pop(place, None)
