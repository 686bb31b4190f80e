"""What can be found by typing: pages and what they hold, terms, settings and actions, columns,
tables, lessons and the manual, from what is declared of them; and which of them stand first."""

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import islice
from pathlib import Path

from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QAbstractButton, QMenu

from dpstudio.data.dataset import Dataset
from dpstudio.files.assets import asset
from dpstudio.files.glossary import Term, glossary
from dpstudio.files.language import spoken
from dpstudio.files.manual import ManualPage, charts_told, manual_pages
from dpstudio.gui.panel.panels import Panel
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.frame.doing import does
from dpstudio.gui.shell.frame.nearness import Alike, Near, read_alike
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
    plain_words,
    read_synonyms,
    stem,
)
from dpstudio.labs import LABS, QUESTIONS, About
from dpstudio.labs.contents import LEAST, Content
from dpstudio.labs.naming import about_lab, names_of_old
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

    @property
    def shows(self) -> bool:
        """Whether it is a page, or something there."""
        return bool(self.lab) or self.where == tr(HERE_IT_IS)

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
    column: str = ""  # that the question is about

    @property
    def name(self) -> str:
        """What it is called."""
        return self.entry.name


def synonyms() -> Synonyms:
    """What people type for the names of the program, as they are in the language of the window."""
    return _synonyms(spoken())


@lru_cache(maxsize=2)
def _synonyms(language: str) -> Synonyms:
    files = asset("find", "synonyms.txt"), asset("find", f"synonyms.{language}.txt")
    return read_synonyms("\n".join(f.read_text(encoding="utf-8") for f in files if f.exists()))


@lru_cache(maxsize=1)
def alike() -> Alike:
    """Words that people type one for another."""
    return read_alike(asset("find", "alike.txt").read_text(encoding="utf-8"))


class Known(list[FinderEntry]):
    """All that can be found."""

    @cached_property
    def columns(self) -> Mapping[str, str]:
        """The names of columns by their words."""
        columns = [one.name for one in self if one.where == tr(COLUMN)]
        return {word: name for name in reversed(columns) for word in plain_words(name)}

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
    fits = _fits(typed, known)
    if not any(how.rank >= WHOLE for how, _ in fits) and not known.near.knows(typed):
        meant = known.near.righted(typed)  # a slip, where one thing is called so
        righted = _fits(meant, known) if meant != " ".join(plain_words(typed)) else []
        fits = righted if any(how.rank >= WHOLE for how, _ in righted) else fits
    column = ""
    if not any(how.rank >= WHOLE for how, _ in fits):
        fits, column = _of_a_column(typed, known) or (fits, "")
    # What is called just so comes first, but for what can be set on some other page; else whole
    # words are weighed, and half a word begins one.
    least = WHOLE if known.near.knows(typed) else MEANT_BEGINS
    if not any(how.rank >= least and one.kind != SETTING for how, one in fits):
        near = known.near.fits(typed)
        if any(each.rank for each in near):
            fits = list(zip(near, known, strict=True))
    worth = _WORTH | ({TERM: 1.25} if asks_meaning(typed) else {})

    def order_of(found: tuple[Fit, FinderEntry]) -> tuple[object, ...]:
        how, one = found
        known_by = 1.0 if one.named.meant or one.kind != HELD else UNCALLED
        share = how.share * (worth.get(one.kind, 1.0) * known_by if how.rank < WHOLE else 1.0)
        # half a name that another page holds is no more than half of what a page is called
        rank = MEANT_BEGINS if how.rank == BEGINS and one.kind == HELD else how.rank
        return -rank, -round(share, 3), one.kind, bool(how.why)

    order = sorted((f for f in fits if f[0].rank), key=order_of)
    seen, hits = set[tuple[str, ...]](), list[Hit]()
    for found, one in order:
        if (one.group, one.name, one.where) not in seen:
            seen.add((one.group, one.name, one.where))
            about = column if one.kind == HERE else ""
            more = _joined(_more(typed, one, found), about and f"“{about}”")
            hits.append(Hit(one, found, more, column=about))
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


def _of_a_column(typed: str, known: Known) -> tuple[list[tuple[Fit, FinderEntry]], str] | None:
    """“Mean of fines” is that question, where there is a column of fines: what is left without it
    is called just so, and can be chosen. With the column."""
    words = asked(typed)
    held = [known.columns.get(word, known.columns.get(word.rstrip("s"), "")) for word in words]
    rest = [word for word, column in zip(words, held, strict=True) if not column]
    if not 0 < len(rest) < len(words):
        return None
    fits = [
        (how, one)
        for how, one in _fits(" ".join(rest), known)
        if how.rank >= WHOLE and (one.kind == HELD or one.where == tr(HERE_IT_IS))
    ]
    return (fits, max(held)) if fits else None


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
        return Named(name, beside, said=said, told=told)
    return named_so(name, beside=beside, said=said, told=told)


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
    contents: Iterable[Content], here: str, go: Callable[[Content], object]
) -> Iterator[FinderEntry]:
    """What the labs hold, as their pages; on the page `here`, as what can be done. What can be
    set there its panel has told."""
    for one in contents:
        if one.lab == here and one.key:
            of, name = tr(one.of), tr(one.name)
            text = shown(say("{what}: {name}", what=of, name=name))
            named = _part_so(name, beside=of)
            yield FinderEntry(text, HERE, named, partial(go, one), "", tr(HERE_IT_IS))
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


def parameters(panel: Panel, go: Callable[[str], object]) -> Iterator[FinderEntry]:
    """Every parameter that plays a part on this page, and what it may be chosen to be."""
    here, told = tr(HERE_IT_IS), set[str]()
    for path, field in panel.editors():
        label = tr(field.domain.label)
        told.add(path)
        named = named_so(label, beside=path, said=tr(field.domain.help))
        yield FinderEntry(label, HERE, named, partial(go, path), tr(field.domain.help), here)
    for path, domain in domains(panel.kind).items():
        if isinstance(domain, OneOf):
            yield from _of_chosen(panel, path, set(told))
            for kind in domain.family():
                name, label = tr(kind.label), tr(domain.label)
                if len(name) < LEAST:
                    continue
                text = shown(say("{what}: {name}", what=label, name=name))
                named = named_so(name, beside=f"{label} {kind.key}")
                do = partial(panel.store.choose, path, kind.key)
                yield FinderEntry(text, HERE, named, do, "", here)


def _of_chosen(panel: Panel, path: str, told: Container[str]) -> Iterator[FinderEntry]:
    """What can be set of what is chosen there, where its editor is not made yet: a question's."""
    chosen, of = getattr(panel.store.lab, path), tr(domains(panel.kind)[path].label)
    for key, domain in domains(type(chosen)).items():
        inner, label = f"{path}.{key}", tr(domain.label)
        if inner not in told:
            named = named_so(label, beside=of, said=tr(domain.help))
            go, more = partial(panel.go_to, path), tr(domain.help)
            yield FinderEntry(label, HERE, named, go, more, tr(HERE_IT_IS))


def terms(go: Callable[[Term], object]) -> Iterator[FinderEntry]:
    """Every term of the glossary, by all that it is called."""
    for term in glossary():
        name, says = tr(term.name), tr(term.says)
        named = named_so(name, said=says, meant=term.names[1:])
        lab = term.words[0]
        where = next((tr(about.label) for about in LABS if about.key == lab), "")
        yield FinderEntry(name, TERM, named, partial(go, term), says, where, term)


def columns(data: Dataset | None, go: Callable[[str], object]) -> Iterator[FinderEntry]:
    """Every column of the table."""
    for column in data.columns if data is not None else ():
        named = Named(column.name)
        yield FinderEntry(column.name, THING, named, partial(go, column.name), "", tr(COLUMN))


def actions(*menus: QMenu, checked: bool = True) -> Iterator[FinderEntry]:
    """Every action of the menus that can be done now, with the names of the menus it stands in, and
    each menu within one; those that are `checked` only if wanted."""
    told = does()
    for menu in menus:
        for action in menu.actions():
            inner = action.menu()
            if isinstance(inner, QMenu):
                yield unfolded(inner.title(), inner, menu)
                yield from actions(inner)
            elif action.isEnabled() and action.text() and (checked or not action.isCheckable()):
                name, _, keys = action.text().partition("\t")
                more = told.get(name, menu.title())
                named = named_so(name, said=_joined(more, menu.title(), action.toolTip()))
                where = keys or action.shortcut().toString() or menu.title()
                yield FinderEntry(name, HERE, named, action.trigger, more, where)


def unfolded(name: str, menu: QMenu, within: QMenu) -> FinderEntry:
    """A menu by its name, which opens it below the button that it hangs from."""

    def unfold() -> None:
        hung = within.parentWidget()
        menu.popup(hung.mapToGlobal(hung.rect().bottomLeft()) if hung else QCursor.pos())

    more = does().get(name, within.title())
    return FinderEntry(name, HERE, named_so(name, said=more), unfold, more)


def button(one: QAbstractButton) -> FinderEntry:
    """A button that is always there, by what it says of itself: a name, and what it does."""
    name, _, said = one.toolTip().partition(": ")
    return FinderEntry(name, HERE, named_so(name, said=said), one.click, said)


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
