"""What can be found by typing: pages and what they hold, terms, settings and actions, columns,
tables, lessons and the manual, from what is declared of them; and which of them stand first."""

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import islice
from pathlib import Path

from dpstudio.data.dataset import Dataset
from dpstudio.files.assets import asset
from dpstudio.files.glossary import Term, glossary
from dpstudio.files.language import CHINESE, ENGLISH, spoken, texts
from dpstudio.files.manual import ManualPage, charts_told, manual_pages
from dpstudio.gui.panel.panels import Panel
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.frame.nearness import Alike, Near, read_alike
from dpstudio.gui.shell.frame.question_typed import typed_of_columns
from dpstudio.gui.shell.frame.ranking import (
    BEGINS,
    MEANT_BEGINS,
    NEAR,
    SAID,
    WHOLE,
    Fit,
    Named,
    Synonyms,
    asked,
    asks_meaning,
    fit,
    is_foreign,
    is_question,
    plain_words,
    read_synonyms,
    stem,
)
from dpstudio.labs import LABS, QUESTIONS, About
from dpstudio.labs.contents import LEAST, Content
from dpstudio.labs.naming import about_lab, names_of_old
from dpstudio.labs.typed_question import OF_GROUPS, Typed, question_of
from dpstudio.values.messages import N_, Message, enumerated, say
from dpstudio.values.parameters import OneOf, domains

# The groups that are shown, in the order in which they stand where none fits better.
PAGES, TERMS, DO, THINGS, PLACES, MANUAL = (
    N_("Pages"),
    N_("Terms"),
    N_("Do"),
    N_("Columns, tables and lessons"),
    N_("The texts"),
    N_("Manual"),
)
# The kinds, which tell equals apart: what a page is called, what is on the page now, what another
# page holds, a term, and the rest.
PAGE, HERE, HELD, TERM, CHART, THING, PLACE, SETTING, TEXT, CRAFT = range(10)
HERE_IT_IS, COLUMN = N_("on this page"), N_("column")
EACH = 3  # entries of a group that are shown
GROUPS = 6
# What is found near by is worth less where it is a part of something.
_WORTH = {
    CHART: 0.85, SETTING: 0.75, THING: 0.85, PLACE: 0.8, TEXT: 0.75, CRAFT: 0.5,
}  # fmt: skip
_LISTS = ("use/command-line", "use/parameters", "use/glossary")  # of all there is
_SHORT = re.compile(r"(.{3,}) \(([A-Z]{2,6})\)")
_ALSO = ("publish",)  # groups whose name a setting has, too
UNCALLED = 0.9  # an option that nobody calls anything else
_GROUP = {
    PAGE: PAGES, HERE: DO, TERM: TERMS, HELD: PAGES, CHART: PAGES, SETTING: PAGES,
    THING: THINGS, PLACE: PLACES, TEXT: MANUAL, CRAFT: MANUAL,
}  # fmt: skip


@dataclass(frozen=True)
class FinderEntry:
    """Something that can be gone to or done. `name` and `more` are shown, `where` says where it
    leads; it is looked for by `named`."""

    name: str
    kind: int
    named: Named
    go: Callable[[], object]
    more: str = ""
    where: str = ""
    term: Term | None = None
    lab: str = ""  # whose page it turns to
    own: str = ""  # of the lab that is open: what it is by its key there, or where it is set
    numeric: bool = False  # a column of numbers
    point: Callable[[], object] | None = None  # shows where it is done, and does nothing

    @property
    def shows(self) -> bool:
        """Whether it is a page, or something there."""
        return bool(self.lab or self.own)

    @property
    def group(self) -> str:
        """The group it stands in."""
        return _GROUP[self.kind]


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


def synonyms() -> Synonyms:
    """What people type for the names of the program, as they are in the language of the window."""
    return _synonyms(*dict.fromkeys((ENGLISH, spoken())))


@lru_cache(maxsize=4)
def _synonyms(*languages: str) -> Synonyms:
    names = ("synonyms.txt" if each == ENGLISH else f"synonyms.{each}.txt" for each in languages)
    return read_synonyms("\n".join(asset("find", n).read_text(encoding="utf-8") for n in names))


@lru_cache(maxsize=1)
def alike() -> Alike:
    """Words that people type one for another."""
    return read_alike(asset("find", "alike.txt").read_text(encoding="utf-8"))


class Known(list[FinderEntry]):
    """All that can be found."""

    @cached_property
    def columns(self) -> Mapping[str, bool]:
        """The names of columns, and whether each is of numbers."""
        return {one.name: one.numeric for one in self if one.where == tr(COLUMN)}

    @cached_property
    def in_both(self) -> "Known":
        """All, also by what each is called in the other language, and what people type for that."""
        other = CHINESE if spoken() == ENGLISH else ENGLISH
        called = dict[str, list[str]]()
        for english, chinese in texts(CHINESE).items():
            here, there = (english, chinese) if other == CHINESE else (chinese, english)
            called.setdefault(here, []).append(there)
        typed = _synonyms(other)

        def meant(name: str) -> tuple[str, ...]:
            names = called.get(name, [])
            return (*names, *(each for known in names for each in typed.meant(known)))

        return Known(
            replace(one, named=replace(one.named, meant=(*one.named.meant, *more)))
            if (more := meant(one.named.name))
            else one
            for one in self
        )

    @cached_property
    def near(self) -> Near:
        """What says how near each is to what is typed."""
        return Near((one.named for one in self), alike())


def best(typed: str, known: Known) -> list[Hit]:
    """The entries that fit, the best first: by rank, by kind, the name before what is meant by
    it, equals as they came; a page, or
    whatever else has one name in one place, once."""
    if not plain_words(typed):
        return []
    if is_foreign(typed, spoken()):
        known = known.in_both
    fits = _fits(typed, known)
    if not any(how.rank >= WHOLE for how, _ in fits) and not known.near.knows(typed):
        meant = known.near.righted(typed)  # a slip, where one thing is called so
        righted = _fits(meant, known) if meant != " ".join(plain_words(typed)) else []
        fits = righted if any(how.rank >= WHOLE for how, _ in righted) else fits
    asks: Typed | None = None
    if not any(how.rank >= WHOLE for how, _ in fits):
        fits, asks = _of_columns(typed, known) or (fits, None)
    # What is called just so comes first, but for what can be set on some other page; else whole
    # words are weighed, and half a word begins one.
    least = WHOLE if known.near.knows(typed) else MEANT_BEGINS
    if not any(how.rank >= least and one.kind != SETTING for how, one in fits):
        near = known.near.fits(typed)
        if any(each.rank for each in near):
            fits = list(zip(near, known, strict=True))
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


def named_so(
    name: str, *, beside: str = "", said: str = "", meant: tuple[str, ...] = (), told: str = ""
) -> Named:
    short = _SHORT.fullmatch(name)  # “Direct encoding (GRR)” is called by each of the two
    called = (*meant, *(short.groups() if short else ()), *synonyms().meant(name))
    return Named(name, beside, called, said, told)


def _part_so(name: str, *, beside: str, said: str = "", told: str = "") -> Named:
    """A part of a page: where it is called as a whole page is, what is meant is that page."""
    if name in (tr(about.label) for about in LABS):
        return Named(name, beside, said=said, told=told, own=False)
    return replace(named_so(name, beside=beside, said=said, told=told), own=False)


@lru_cache(maxsize=1)
def _told() -> Mapping[tuple[str, str], str]:
    """What the manual tells below each heading of each page on the use of the program, each word
    once; below none what the whole page tells."""
    told = dict[tuple[str, str], str]()
    for page in manual_pages():
        if not page.key.startswith("use/") or page.key.count("/") > 1 or page.key in _LISTS:
            continue
        text = page.text.partition("## See also")[0]
        for part in ("\n" + text, *re.split(r"\n#{1,6} +", text)):
            heading, _, body = part.partition("\n")
            words = dict.fromkeys(plain_words(body))
            told[page.key, " ".join(plain_words(heading))] = " ".join(words)
    return told


def pages(ask: Callable[[str], object], abouts: Iterable[About]) -> Iterator[FinderEntry]:
    """Every page, also by the name of its group, by what that asks, and by what it was called."""
    count = Counter(old for about in LABS for old in names_of_old(about.key))
    labels = {about.label for about in LABS}  # an old name that is another page's now is that one's
    today = {stem(name.casefold()) for name in (*labels, *(q.label for q in QUESTIONS.values()))}
    for about in abouts:
        group = QUESTIONS[about.question]
        said = " ".join(map(tr, (about.asks, about.help, about.useful, group.label, group.asks)))
        # One of several pages is theirs unless a page or a group of today is called so.
        olds = names_of_old(about.key)
        of_old = {old for old in olds if count[old] == 1 or stem(old) not in today} - labels
        meant, told = tuple(sorted(of_old)), _told().get((f"use/{about.key}", ""), "")
        named = named_so(tr(about.label), said=said, meant=meant, told=told)
        go = partial(ask, about.key)
        label, asks = tr(about.label), tr(about.asks)
        yield FinderEntry(label, PAGE, named, go, asks, tr(group.label), lab=about.key)


def groups(ask: Callable[[str], object], keys: Mapping[str, str]) -> Iterator[FinderEntry]:
    """The page of every group, with all that stand in it, by their `keys`."""
    for key, question in keys.items():
        group = QUESTIONS[question]
        label, asks = tr(group.label), tr(group.asks)
        held = [Message(about.label) for about in LABS if about.question == question]
        names = shown(enumerated(held))
        said = _joined(asks, names)
        named = Named(label, said=said) if question in _ALSO else named_so(label, said=said)
        yield FinderEntry(label, PAGE, named, partial(ask, key), f"{asks} {names}")


def held(
    contents: Iterable[Content], here: str, go: Callable[[Content], object], where: str
) -> Iterator[FinderEntry]:
    """What the labs hold, as their pages; on that of the lab `here`, as what can be done, with
    `where` that is. What can be set there its panel has told."""
    for one in contents:
        if one.lab == here and one.key:
            of, name = tr(one.of), tr(one.name)
            text = shown(say("{what}: {name}", what=of, name=name))
            named = _part_so(name, beside=of)
            yield FinderEntry(text, HERE, named, partial(go, one), "", where, own=one.key)
        elif one.lab != here:
            about, name, of = about_lab(one.lab), tr(one.name), tr(one.of)
            more = shown(say("{what} “{name}”", what=of, name=name)) if of else f"“{name}”"
            said = _joined(tr(one.about), tr(about.label))
            yield FinderEntry(
                tr(about.label),
                HELD if one.key and not one.inner else SETTING,
                _part_so(name, beside=f"{of} {tr(about.label)}", said=said),
                partial(go, one),
                more,
                tr(QUESTIONS[about.question].label),
                lab=one.lab,
            )


def charts(ask: Callable[[str], object]) -> Iterator[FinderEntry]:
    """Every chart that the manual tells of, as its page."""
    for about in LABS:
        for title, told in charts_told(f"use/{about.key}").items():
            more = shown(say("chart “{name}”", name=title))
            named = named_so(title, beside=tr(about.label), said=told)
            group, go = tr(QUESTIONS[about.question].label), partial(ask, about.key)
            yield FinderEntry(tr(about.label), CHART, named, go, more, group, lab=about.key)


def parameters(
    panel: Panel, go: Callable[[str], object], choose: Callable[[str, str], object], here: str
) -> Iterator[FinderEntry]:
    """Every parameter that plays a part in the lab that is open, and what it may be chosen to be;
    `here` says where that is."""
    told = set[str]()
    for path, field in panel.editors():
        label = tr(field.domain.label)
        told.add(path)
        named = _part_so(label, beside=path, said=tr(field.domain.help))
        more = tr(field.domain.help)
        yield FinderEntry(label, HERE, named, partial(go, path), more, here, own=path)
    for path, domain in domains(panel.kind).items():
        if isinstance(domain, OneOf):
            yield from _of_chosen(panel, path, set(told), here)
            for kind in domain.family():
                name, label = tr(kind.label), tr(domain.label)
                if len(name) < LEAST:
                    continue
                text = shown(say("{what}: {name}", what=label, name=name))
                named = named_so(name, beside=f"{label} {kind.key}")
                do = partial(choose, path, kind.key)
                yield FinderEntry(text, HERE, named, do, "", here, own=kind.key)


def _of_chosen(panel: Panel, path: str, told: Container[str], here: str) -> Iterator[FinderEntry]:
    """What can be set of what is chosen there, where its editor is not made yet: a question's."""
    chosen, of = getattr(panel.store.lab, path), tr(domains(panel.kind)[path].label)
    for key, domain in domains(type(chosen)).items():
        inner, label = f"{path}.{key}", tr(domain.label)
        if inner not in told:
            named = named_so(label, beside=of, said=tr(domain.help))
            go, more = partial(panel.go_to, path), tr(domain.help)
            yield FinderEntry(label, HERE, named, go, more, here, own=inner)


def terms(go: Callable[[Term], object]) -> Iterator[FinderEntry]:
    """Every term of the glossary, by all that it is called."""
    for term in glossary():
        name, says = tr(term.name), tr(term.says)
        named = replace(named_so(name, said=says, meant=term.names[1:]), own=False)
        lab = term.words[0]
        where = next((tr(about.label) for about in LABS if about.key == lab), "")
        yield FinderEntry(name, TERM, named, partial(go, term), says, where, term)


def columns(data: Dataset | None, go: Callable[[str], object]) -> Iterator[FinderEntry]:
    """Every column of the table."""
    for column in data.columns if data is not None else ():
        named = Named(column.name)
        go_there, numeric = partial(go, column.name), column.numeric
        yield FinderEntry(column.name, THING, named, go_there, "", tr(COLUMN), numeric=numeric)


def recent(paths: Iterable[str], go: Callable[[str], object]) -> Iterator[FinderEntry]:
    """Files that were open before."""
    for path in paths:
        file = Path(path)
        if file.name != path:  # else it is an example, which the menu has by its name
            named = Named(file.name, said=path)
            where = tr(N_("recent"))
            yield FinderEntry(file.name, THING, named, partial(go, path), str(file.parent), where)


def lessons(
    told: Iterable[tuple[Path, str, str]], go: Callable[[Path], object]
) -> Iterator[FinderEntry]:
    """The lessons that ship, by file, name and what they are about."""
    for path, name, about in told:
        named = named_so(tr(name), beside=path.stem.partition("-")[2], said=tr(about))
        yield FinderEntry(tr(name), THING, named, partial(go, path), tr(about), tr(N_("lesson")))


def manual(go: Callable[[ManualPage, str], object]) -> Iterator[FinderEntry]:
    """Every page of the manual, and every heading of them. What all pages have a heading for is
    found by that and the page's name."""
    count = Counter(heading for page in manual_pages() for heading in page.headings)
    for page in manual_pages():
        kind = CRAFT if page.key.startswith(("add/", "build/")) else TEXT
        title, *below = page.headed
        named = named_so(title, said=page.key, told=_told().get((page.key, ""), ""))
        yield FinderEntry(title, kind, named, partial(go, page, ""), "", tr(N_("manual")))
        for heading, name in zip(page.headings, below, strict=True):
            if count[heading] > EACH:
                named = Named(f"{title} {name}")
            elif "/glossary" in page.key or "/parameters" in page.key:
                named = Named(name, title)
            else:
                told = _told().get((page.key, " ".join(plain_words(heading))), "")
                named = named_so(name, beside=title, told=told)
            go_there = partial(go, page, heading)
            yield FinderEntry(name, kind, named, go_there, title, tr(N_("manual")))
