"""What somebody chose on a page, one field after another, and what became of the first choice."""

import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from random_states import paths, value

from dpstudio.data.dataset import Dataset
from dpstudio.gui.state.snapshot import Snapshot
from dpstudio.gui.state.store import Store
from dpstudio.labs.page import Lab
from dpstudio.values.domains import Choice, Column, ParamError
from dpstudio.values.parameters import OneOf, forgotten, get

Chosen = tuple[str, Any]


def lost_choices(kind: type[Lab], data: Dataset, most: int) -> list[tuple[Chosen, Chosen]]:
    """Of pairs of choices, at most so many, each in both orders, those after which one is not as it
    was chosen, or of which nothing says what stops the page."""
    choices = list(_choices(opened_page(kind, data).lab, data))
    pairs = [(a, b) for a in choices for b in choices if a[0] < b[0]]
    random.Random(kind.key).shuffle(pairs)
    tried = [order for a, b in pairs[: most // 2] for order in ((a, b), (b, a))]
    return [pair for pair in tried if not _kept(kind, data, *pair)]


def _choices(lab: Lab, data: Dataset) -> Iterator[Chosen]:
    rng = random.Random(lab.key)
    for path, domain in paths(lab):
        if isinstance(domain, OneOf):
            yield from ((path, kind.key) for kind in domain.family())
        elif isinstance(domain, Column):
            yield from ((path, column.name) for column in data.columns)
        elif type(domain) is Choice:
            yield from ((path, word) for word in domain.words)
        else:
            with suppress(ParamError):
                made = domain.check(value(domain, path, get(lab, path), rng, data))
                yield from [(path, made)] if made != get(lab, path) else []


def opened_page(kind: type[Lab], data: Dataset) -> Store:
    """A page as somebody opens it first."""
    store = Store()
    first = "explore" if kind.key == "stories" else "stories"
    store.open_session(Snapshot((), first), data, [])
    store.activate(kind.key)
    return store


def _kept(kind: type[Lab], data: Dataset, *chosen: Chosen) -> bool:
    store = opened_page(kind, data)
    for path, wanted in chosen:
        try:
            if isinstance(dict(paths(store.lab)).get(path), OneOf):
                store.choose(path, wanted)
            else:
                store.set(path, wanted)
        except (ParamError, AttributeError):  # refused at its field, or of another choice
            return True
        if _held(store.lab, path) != wanted:
            return False
    (path, wanted), (after, _) = chosen
    with suppress(AttributeError):
        mine, _, name = path.rpartition(".")
        theirs, _, column = after.rpartition(".")
        holder = get(store.lab, mine) if mine else store.lab
        bound = mine == theirs and name in forgotten(holder, column)
        if not bound and not path.startswith(f"{after}.") and _held(store.lab, path) != wanted:
            return False
    return all(problem.say.text for problem in store.lab.problems(data))


def _held(lab: Lab, path: str) -> Any:
    found = get(lab, path)
    return getattr(found, "key", found)
