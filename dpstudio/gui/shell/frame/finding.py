"""Which of all that Find knows stand first for what is typed, and what nothing is called."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from dpstudio.files.glossary import Term
from dpstudio.files.language import spoken
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.shell.frame.known import (
    CHART,
    CRAFT,
    HELD,
    PAGE,
    PLACE,
    SETTING,
    TERM,
    TEXT,
    THING,
    FinderEntry,
    Known,
    named_so,
)
from dpstudio.gui.shell.frame.lacking import lacked
from dpstudio.gui.shell.frame.question_typed import typed_of_columns
from dpstudio.gui.shell.frame.ranking import (
    BEGINS,
    MEANT_BEGINS,
    NEAR,
    SAID,
    WHOLE,
    Fit,
    asked,
    asks_meaning,
    fit,
    is_foreign,
    is_question,
    plain_words,
)
from dpstudio.labs.typed_question import OF_GROUPS, Typed, question_of
from dpstudio.values.messages import N_

EACH = 3  # entries of a group that are shown
GROUPS = 6
# What is found near by is worth less where it is a part of something.
_WORTH = {
    CHART: 0.85, SETTING: 0.75, THING: 0.85, PLACE: 0.8, TEXT: 0.75, CRAFT: 0.5,
}  # fmt: skip
UNCALLED = 0.9  # an option that nobody calls anything else


@dataclass(frozen=True)
class Hit:
    """An entry, how well it fits, and what is shown beside its name: the word that matched, too."""

    entry: FinderEntry
    fit: Fit
    more: str
    term: Term | None = None  # that comes with it
    asks: Typed | None = None  # the columns that the question is about
    only_shown: bool = False  # it was asked how to do it: that is no wish that it be done

    @property
    def name(self) -> str:
        """What it is called."""
        return self.entry.name


class Found(list[Hit]):
    """What is found, the best first; the words that nothing is called, where it is but nearest."""

    def __init__(self, hits: Iterable[Hit] = (), lacks: str = ""):
        super().__init__(hits)
        self.lacks = lacks


def best(typed: str, known: Known) -> Found:
    """The entries that fit, the best first; or what is nearest, where the program has nothing of
    what carries what is typed."""
    if not plain_words(typed):
        return Found()
    if is_foreign(typed, spoken()):
        known = known.in_both
    lacks, nearest = lacked(typed)
    if lacks and not _wholly(_fits(typed, known)):
        return Found(best(nearest, known)[:1], lacks)
    fits, asks = _fitting(typed, known)
    hits = _in_order(typed, fits, asks)
    near = bool(hits) and hits[0].fit.rank == NEAR and not asks
    return Found(hits, known.near.lacks(typed) if near else "")


def _fitting(typed: str, known: Known) -> tuple[list[tuple[Fit, FinderEntry]], Typed | None]:
    """How well each fits, and the question of columns that was typed."""
    fits, asks = _fits(typed, known), None
    if not _wholly(fits) and not known.near.knows(typed):
        meant = known.near.righted(typed)  # a slip, where one thing is called so
        righted = _fits(meant, known) if meant != " ".join(plain_words(typed)) else []
        fits = righted if _wholly(righted) else fits
    if not _wholly(fits):
        fits, asks = _of_columns(typed, known) or (fits, None)
    # What is called just so comes first, but for what can be set on some other page; else whole
    # words are weighed, and half a word begins one.
    least = WHOLE if known.near.knows(typed) else MEANT_BEGINS
    if not any(how.rank >= least and one.kind != SETTING for how, one in fits):
        near = known.near.fits(typed)
        if any(each.rank for each in near):
            fits = list(zip(near, known, strict=True))
    return fits, asks


def _wholly(fits: Iterable[tuple[Fit, FinderEntry]]) -> bool:
    """Whether something is called just so."""
    return any(how.rank >= WHOLE for how, _ in fits)


def _in_order(typed: str, fits: Iterable[tuple[Fit, FinderEntry]], asks: Typed | None) -> list[Hit]:
    """By rank, by kind, the name before what is meant by it, equals as they came; a page, or
    whatever else has one name in one place, once."""
    worth = _WORTH | ({TERM: 1.25} if asks_meaning(typed) else {})
    words = {*plain_words(typed)}
    shows = {one.term.words[0] for how, one in fits if one.term and how.rank >= WHOLE}

    def order_of(found: tuple[Fit, FinderEntry]) -> tuple[object, ...]:
        how, one = found
        known_by = 1.0 if one.named.meant or one.kind != HELD else UNCALLED
        share = how.share * (worth.get(one.kind, 1.0) * known_by if how.rank < WHOLE else 1.0)
        # half a name that another page holds is no more than half of what a page is called
        rank = MEANT_BEGINS if how.rank == BEGINS and one.kind == HELD else how.rank
        # An option that is called as a term is comes first where the term is shown, or on a page
        # that is named with it; else after the term.
        named = words.issuperset(plain_words(one.name))
        elsewhere = bool(shows) and one.kind == HELD and one.lab not in shows and not named
        return -rank, -round(share, 3), TERM if elsewhere else one.kind, elsewhere, bool(how.why)

    order = sorted((f for f in fits if f[0].rank), key=order_of)
    seen, hits = set[tuple[str, ...]](), list[Hit]()
    for found, one in order:
        if (one.group, one.name, one.where) not in seen:
            seen.add((one.group, one.name, one.where))
            of = asks.columns if asks else ()
            shown_only = one.point is not None and is_question(typed)
            where = tr(N_("shows where that is done")) if shown_only else ""
            more = _joined(where, _more(typed, one, found), *(f"“{each}”" for each in of))
            hits.append(Hit(one, found, more, asks=asks, only_shown=shown_only))
    return [*_with_term(hits), *hits[1:]]


def _with_term(hits: list[Hit]) -> Iterator[Hit]:
    """The first, with the term that is called as it was typed, where it is what shows it: who
    typed a term wants to see it, or to read what it is."""
    term = next((h for h in hits if h.entry.kind == TERM and h.fit.rank >= WHOLE), None)
    for first in hits[:1]:
        called = first.entry.kind == PAGE and not first.fit.why  # as it stands at the left
        if term is None or called or not first.entry.shows:
            yield first
        else:
            yield replace(first, more=_joined(first.more, term.entry.more), term=term.entry.term)


def _of_columns(typed: str, known: Known) -> tuple[list[tuple[Fit, FinderEntry]], Typed] | None:
    """“Mean of fines” is that question, where there is a column of fines: what is left without it
    is called just so, and can be chosen. “Mean fine by branch” is one for each branch. With what
    it is about."""
    read = typed_of_columns(typed, known.columns)
    if read is None:
        return None
    kind, asks = question_of(read, _statistic(read.rest), known.columns)
    name = tr(kind.label) if kind else read.rest
    fits = [
        (how, one)
        for how, one in (_fits(name, known) if name else ())
        if how.rank >= WHOLE and (one.kind == HELD or one.own)
    ]
    asked_here = [found for found in fits if found[1].own]  # as the page that is open asks it
    return (asked_here or fits, asks) if fits else None


def _statistic(rest: str) -> str:
    """Which statistic of a group that is, "" for none."""
    ranks = {kind.key: fit(rest, named_so(tr(kind.label))).rank for kind in OF_GROUPS}
    return next((key for key, rank in ranks.items() if rank >= WHOLE), "") if rest else ""


def _fits(typed: str, known: Known) -> list[tuple[Fit, FinderEntry]]:
    """How well each fits as it is typed, of those that may."""
    longest = max(asked(typed), key=len)
    return [(fit(typed, one.named), one) for one in known if longest in one.named.letters]


def grouped(hits: Iterable[Hit], most: int = 15) -> list[tuple[str, list[Hit]]]:
    """At most `EACH` of a group, the group of the best hit first, and `most` in all."""
    groups = dict[str, list[Hit]]()
    for hit in hits:
        mine = groups.setdefault(hit.entry.group, [])
        if len(mine) < EACH:
            mine.append(hit)
    kept, left = list[tuple[str, list[Hit]]](), most
    for group, mine in groups.items():
        if left > 0:
            kept.append((group, list(islice(mine, left))))
            left -= len(mine)
    return kept


def _more(typed: str, one: FinderEntry, found: Fit) -> str:
    """What is shown beside a name. Where neither shows the word that matched, that comes first."""
    if not found.why or found.why == one.more:
        return one.more
    if set(plain_words(typed)) <= set(plain_words(f"{one.name} {one.more}")):
        return one.more
    return found.why if found.rank in (SAID, NEAR) else _joined(f"“{found.why}”", one.more)


def _joined(*parts: str) -> str:
    return " · ".join(filter(None, parts))
