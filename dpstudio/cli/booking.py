"""`dpstudio ledger`: make the ledger of a population, show it, check it, raise its cap. It opens no
table."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dpstudio.cli import parsing
from dpstudio.files.booked.telling import KINDS, heads, titled, what
from dpstudio.files.language import shown, tr
from dpstudio.files.ledgers.amounts import EPSILON, RHO, Cap, Terms, amount
from dpstudio.files.ledgers.book import Book, State, make_ledger
from dpstudio.files.ledgers.own import known_beside
from dpstudio.values.lines import padded, width
from dpstudio.values.messages import N_, listed, say

_VERBS = N_(
    "After the file comes one of: show; new population=… epsilon=… | rho=… [delta=…] "
    "[apart=…] [unit=person-month periods=…] [adjacency=replace]; check [HASH]; raise "
    "epsilon=… | rho=… [delta=…] [apart=…] because=…; withdraw ENTRY because=… [by=ENTRY]."
)
SETTINGS = {
    "new": ("population", EPSILON, RHO, "delta", "apart", "unit", "periods", "adjacency"),
    "raise": (EPSILON, RHO, "delta", "apart", "because"),
    "withdraw": ("because", "by"),
}


def ledger(asked: Sequence[str]) -> int:
    """What the words after `dpstudio ledger` say; the exit status."""
    given = parsing.ledger_parser().parse_intermixed_args(asked)
    path, (verb, *more) = Path(given.file), given.words or ["show"]
    book = Book(path)
    if verb == "new":
        said = _pairs(verb, more)
        terms = {name: said[name] for name in ("unit", "adjacency") if name in said}
        months = _whole(said.get("periods", "1"))
        cap = _cap(said, None)
        book = make_ledger(path, said.get("population", ""), Terms(**terms, periods=months), cap)
        for message in known_beside("", path):
            print(f"dpstudio: {shown(message)}", file=sys.stderr)
    elif verb == "raise":
        said = _pairs(verb, more)
        book.raise_cap(_cap(said, book.state().cap), said.get("because", ""))
    elif verb == "withdraw" and more:
        said = _pairs(verb, more[1:])
        by = _whole(said["by"]) if "by" in said else None
        book.withdraw(_whole(more[0]), said.get("because", ""), by)
    elif verb == "check" and len(more) <= 1:
        return _checked(book, more)
    elif verb != "show" or more:
        raise parsing.UsageError(say(_VERBS))
    state = book.state()
    print(json.dumps(_json(state), ensure_ascii=False) if given.json else "\n".join(listing(state)))
    return 0


def _pairs(verb: str, more: Sequence[str]) -> dict[str, str]:
    """The words name=value. Raises UsageError."""
    found = dict[str, str]()
    for word in more:
        name, equals, value = word.partition("=")
        if not equals or name not in SETTINGS[verb] or name in found:
            known = listed(f"{each}=…" for each in SETTINGS[verb])
            text = N_("“{word}” is none of {known}, each once.")
            raise parsing.UsageError(say(text, word=word, known=known))
        found[name] = value
    return found


def _whole(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 10):
        raise parsing.UsageError(say("“{word}” is no whole number.", word=word))
    return int(word)


def _cap(said: dict[str, str], was: Cap | None) -> Cap:
    """The cap that the words tell; what they leave out stays as it was."""
    measures = [name for name in (EPSILON, RHO) if name in said] or [was.measure if was else ""]
    if len(measures) > 1 or not measures[0]:
        text = N_("Say one cap: epsilon=… (with delta=…), or rho=… with delta=…")
        raise parsing.UsageError(say(text))
    most = amount(said[measures[0]]) if measures[0] in said or was is None else was.amount
    delta, apart = (
        amount(said[name]) if name in said else getattr(was, name) if was else amount("0")
        for name in ("delta", "apart")
    )
    return Cap(measures[0], most, delta, apart)


def _checked(book: Book, more: Sequence[str]) -> int:
    """Whether each entry is the one that was written, and that of a certificate is among them."""
    state = book.state()
    if more and not state.holds(more[0]):
        print(tr(_GONE))
        return 1
    text = N_("Each of {n} entries is bound to those before it.")
    print(shown(say(text, n=len(state.entries))))
    print(tr(_AMONG if more else _ALONE))
    return 0


_GONE = N_(
    "The entry of this hash is not in the ledger: it was cut off or written anew since, or the "
    "hash is that of another ledger."
)
_AMONG = N_("The entry of this hash is among them, and so is all that came before it.")
_ALONE = N_(
    "An edit in the middle is noticed so. Entries cut off at the end, and a ledger written anew by "
    "somebody who read its key, are noticed against the hash of a certificate alone: dpstudio "
    "ledger FILE check HASH. Two copies that are both spent from are not noticed."
)


def listing(state: State) -> list[str]:
    """A ledger as text."""
    rows = [
        (str(e.n), e.body["at"], tr(KINDS[e.body["kind"]]), shown(what(state, e)))
        for e in state.entries
    ]
    wide = [max(width(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [shown(titled(state)), *map(shown, heads(state)), ""]
    lines += ["  ".join(map(padded, row, wide)).rstrip() for row in rows]
    return [*lines, "", shown(say("Hash {hash}", hash=state.head))]


def _json(state: State) -> dict[str, Any]:
    """What is in it, without the names under a key."""
    hidden = ("table", "line", "lines", "plan", "made", "key")
    entries = []
    for entry in state.entries:
        body = {name: value for name, value in entry.body.items() if name not in hidden}
        if "lines" in entry.body:
            body["names"] = [name for name, _ in entry.body["lines"]]
        entries.append({"n": entry.n, "hash": entry.mac, **body})
    left = None if state.cap.none else state.cap.left(state.spent)
    return {
        "population": state.population,
        "measure": state.cap.measure,
        "spent": {"amount": str(state.spent.amount), "delta": str(state.spent.delta)},
        "left": left and {"amount": str(left.amount), "delta": str(left.delta)},
        "hash": state.head,
        "entries": entries,
    }
