"""What can be found by typing, from what is declared: pages and what they hold, terms, settings,
columns, tables, lessons and the manual."""

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path

from dpstudio.data.dataset import Dataset
from dpstudio.files.glossary import Term, glossary
from dpstudio.files.manual import ManualPage, charts_told, manual_pages
from dpstudio.gui.panel.panels import Panel
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.frame.known import (
    CHART,
    COLUMN,
    CRAFT,
    HELD,
    HERE,
    PAGE,
    SETTING,
    TERM,
    TEXT,
    THING,
    FinderEntry,
    named_so,
)
from dpstudio.gui.shell.frame.ranking import Named, plain_words, stem
from dpstudio.labs import LABS, QUESTIONS, About
from dpstudio.labs.contents import LEAST, Content
from dpstudio.labs.naming import about_lab, names_of_old
from dpstudio.values.messages import N_, Message, enumerated, say
from dpstudio.values.parameters import OneOf, domains

_MANY = 3  # headings of one name from which on each needs its page's
_LISTS = ("use/command-line", "use/parameters", "use/glossary")  # of all there is
_ALSO = ("publish",)  # groups whose name a setting has, too


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
        said = " · ".join((asks, names))
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
            said = " · ".join(filter(None, (tr(one.about), tr(about.label))))
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


def terms(go: Callable[[Term], object], abouts: Iterable[About]) -> Iterator[FinderEntry]:
    """Every term of the glossary, by all that it is called. What people type for a page of that
    name is the page."""
    of_pages = {plain_words(tr(about.label)) for about in abouts}
    for term in glossary():
        name, says = tr(term.name), tr(term.says)
        if plain_words(name) in of_pages:
            named = Named(name, meant=term.names[1:], said=says, own=False)
        else:
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
            if count[heading] > _MANY:
                named = Named(f"{title} {name}")
            elif "/glossary" in page.key or "/parameters" in page.key:
                named = Named(name, title)
            else:
                told = _told().get((page.key, " ".join(plain_words(heading))), "")
                named = named_so(name, beside=title, told=told)
            go_there = partial(go, page, heading)
            yield FinderEntry(name, kind, named, go_there, title, tr(N_("manual")))
