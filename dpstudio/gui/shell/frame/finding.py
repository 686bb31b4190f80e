"""What can be found by typing: pages, parameters, choices, columns, actions, and what the manual
says, from what is declared of them; and how well a few typed letters fit."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from PySide6.QtWidgets import QMenu

from dpstudio.data.dataset import Dataset
from dpstudio.files.manual import ManualPage, manual_pages
from dpstudio.gui.panel.panels import Panel
from dpstudio.gui.parts.tr import tr
from dpstudio.labs import LABS, QUESTIONS
from dpstudio.labs.naming import names_of_old
from dpstudio.values.messages import N_
from dpstudio.values.parameters import OneOf, domains

MOST = 9
PAGE, PARAMETER, CHOICE, COLUMN, ACTION, MANUAL = (
    N_("page"),
    N_("parameter"),
    N_("choice"),
    N_("column"),
    N_("action"),
    N_("manual"),
)


@dataclass(frozen=True)
class FinderEntry:
    """Something that can be gone to or done. `more` is found as well, though worse than its
    name."""

    name: str
    kind: str
    more: str
    go: Callable[[], object]


def fit(typed: str, name: str, more: str = "") -> int:
    """How well typed letters fit, 0 where they do not: a name that begins with them, a word of it
    that does, a name that holds them, words of the rest, letters of the name in their order."""
    typed, name, more = typed.casefold().strip(), name.casefold(), more.casefold()
    if not typed:
        return 1
    if name.startswith(typed):
        return 6
    if any(word.startswith(typed) for word in name.split()):
        return 5
    if typed in name:
        return 4
    words = f"{name} {more}".replace("_", " ").replace(".", " ").split()
    if all(any(word.startswith(part) for word in words) for part in typed.split()):
        return 3
    letters = iter(name)
    return 2 if len(typed) > 1 and all(letter in letters for letter in typed) else 0


def best(typed: str, known: Iterable[FinderEntry]) -> list[FinderEntry]:
    """The entries that fit, the best first, equals as they came."""
    fits = [(fit(typed, one.name, one.more), one) for one in known]
    return [one for much, one in sorted(fits, key=lambda pair: -pair[0]) if much][:MOST]


def pages(ask: Callable[[str], object]) -> Iterator[FinderEntry]:
    """Every page, also by the name of its group, by what that asks, and by what it was called."""
    for about in LABS:
        group = QUESTIONS[about.question]
        more = " ".join(map(tr, (about.asks, about.help, group.label, group.asks)))
        more = " ".join((more, *names_of_old(about.key)))
        yield FinderEntry(tr(about.label), PAGE, more, partial(ask, about.key))


def parameters(panel: Panel, go: Callable[[str], object]) -> Iterator[FinderEntry]:
    """Every parameter that plays a part in a lab, and what it may be chosen to be."""
    for path, field in panel.editors():
        words = f"{path} {tr(field.domain.help)}"
        yield FinderEntry(tr(field.domain.label), PARAMETER, words, partial(go, path))
    for path, domain in domains(panel.kind).items():
        if isinstance(domain, OneOf):
            for kind in domain.family():
                do = partial(panel.store.choose, path, kind.key)
                yield FinderEntry(tr(kind.label), CHOICE, f"{kind.key} {tr(domain.label)}", do)


def columns(data: Dataset | None, go: Callable[[str], object]) -> Iterator[FinderEntry]:
    """Every column of the table."""
    for column in data.columns if data is not None else ():
        yield FinderEntry(column.name, COLUMN, "", partial(go, column.name))


def actions(*menus: QMenu) -> Iterator[FinderEntry]:
    """Every action of the menus that can be done now, with the names of the menus it stands in."""
    for menu in menus:
        for action in menu.actions():
            inner = action.menu()
            if isinstance(inner, QMenu):
                yield from actions(inner)
            elif action.isEnabled() and action.text():
                name, _, keys = action.text().partition("\t")
                more = f"{menu.title()} {action.shortcut().toString()} {keys}"
                yield FinderEntry(name, ACTION, more, action.trigger)


def manual(go: Callable[[ManualPage, str], object]) -> Iterator[FinderEntry]:
    """Every page of the manual, and every heading of them."""
    for page in manual_pages():
        yield FinderEntry(page.title, MANUAL, page.key, partial(go, page, ""))
        for heading in page.headings:
            yield FinderEntry(
                f"{page.title} · {heading}", MANUAL, page.key, partial(go, page, heading)
            )
