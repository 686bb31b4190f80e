"""What Find shows first for a list of queries, and what opens there, for a judge who sees no more:
`python tests/find_hits.py QUERIES HITS`. A line of the list is `query<TAB>what the person wants`."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from functools import cache
from pathlib import Path

from PySide6.QtTest import QTest

from dpstudio.files.companion import Place
from dpstudio.files.glossary import Term
from dpstudio.files.manual import ManualPage, charts_told, manual_page, manual_pages
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.shell.app import make_app, make_window
from dpstudio.gui.shell.frame.finding import best, grouped
from dpstudio.gui.shell.frame.known import CHART, HELD, HERE, PAGE, SETTING, FinderEntry, Known
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.shell.pages import GROUP_PAGES
from dpstudio.labs import LABS
from dpstudio.labs.contents import Content
from dpstudio.labs.worded import lab_of_words
from dpstudio.values.domains import Choice
from dpstudio.values.parameters import OneOf, domains

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
for name, inner in (("SETTINGS", "s.ini"), ("DRAFTS", "drafts"), ("LEDGER", "ledger.json")):
    os.environ[f"DPSTUDIO_{name}"] = f"{tempfile.mkdtemp()}/{inner}"
SENTENCES, LEAST = 3, 30
PAGES = {"About dpstudio": "use/about", "Keys": "use/keys", "Manual": "README"}  # of the manual
KINDS = {PAGE: "page", HELD: "page", CHART: "page", SETTING: "page", HERE: "to do or set here"}


def window() -> tuple[Window, Known]:
    """A window on its first page, and all that Find knows there."""
    make_app()
    opened = make_window()
    opened.show()
    while opened.studio is None or not _drawn(opened):
        QTest.qWait(10)
    opened.studio.seeking.find()
    palette = opened.studio.seeking.palette
    while not any(one.where == tr("lesson") for one in palette.known):
        QTest.qWait(10)
    return opened, palette.known


def _drawn(opened: Window) -> bool:
    """Whether the first chart is there, with its menu."""
    first = opened.board.items[:1]
    for each in first:
        each.menu.aboutToShow.emit()
    return any(each.menu.actions() for each in first)


def _begins(text: str) -> str:
    """The first sentences of a text in Markdown, without its marks."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)|[*`#|>]", r"\1", text)
    plain = " ".join(line for line in plain.splitlines() if not re.match(r"\s*(!|-{3})", line))
    return " ".join(re.split(r"(?<=[.?!。])\s+", " ".join(plain.split()))[:SENTENCES])


@cache
def _said() -> tuple[str, ...]:
    """Each sentence of the manual on the use of the program, and each row of its tables."""
    parts = (
        part
        for page in manual_pages()
        if page.key.startswith("use/") and page.key.count("/") == 1
        for part in re.split(r"\n\s*\n|\n(?=[-|#])", page.said)
    )
    plain = (
        " ".join(re.sub(r"\[([^\]]*)\]\([^)]*\)|[*`#]", r"\1", part).split()) for part in parts
    )
    return tuple(each for part in plain for each in re.split(r"(?<=[.?!。])\s+", part))


def _told(name: str) -> str:
    """What the manual says of an action: the first sentence that names it and says something."""
    named = re.compile(rf"(?:^|[^\w*]){re.escape(name.removesuffix(' …'))}\b")
    told = (each for each in _said() if len(each) > LEAST + len(name) and each[0] != "|")
    return next((each for each in told if named.search(each)), "")


def card(term: Term) -> str:
    """What stands on the card of a term."""
    formula = f"Formula: {term.formula}." if term.formula else ""
    return f"a card beside it that explains “{tr(term.name)}”: {tr(term.says)} {formula}"


def shows(term: Term) -> str:
    """The page that a term turns to, with what is chosen there."""
    lab = lab_of_words(term.words)
    about = next(a for a in LABS if a.key == lab.key)
    chosen = [word.partition("=")[0] for word in term.words[1:] if "." not in word]
    told = [f"{tr(domains(type(lab))[path].label)} “{_called(lab, path)}”" for path in chosen]
    with_it = f" with {', '.join(told)} chosen" if told else ""
    return f"the page {tr(about.label)}{with_it}: {tr(about.asks)} {tr(about.help)}"


def _called(lab: object, path: str) -> str:
    """What a parameter is chosen to be, as the page has it."""
    value, domain = getattr(lab, path), domains(type(lab))[path]
    if isinstance(domain, OneOf):
        return tr(type(value).label)
    if isinstance(domain, Choice) and isinstance(value, tuple):  # of several
        return ", ".join(tr(domain.words[each]) for each in value)
    return tr(domain.words[value]) if isinstance(domain, Choice) else str(value)


def opens(one: FinderEntry) -> str:
    """What somebody sees who takes it."""
    given = tuple(getattr(one.go, "args", ()))
    first = given[0] if given else ""
    if isinstance(first, Term):
        return f"{shows(first)}, with {card(first)}"
    if isinstance(first, ManualPage):
        heading = given[1]
        body = first.text.partition(f"# {heading}\n")[2] if heading else first.text
        title = f"{first.title}, at the heading " if heading else ""
        return f"the manual's page {title}“{heading or first.title}”: {_begins(body)}"
    if isinstance(first, Place):
        return f"a place of the texts: {one.more}"
    if isinstance(first, Path) and one.where == tr("lesson"):
        return f"the lesson “{one.name}” begins: {one.more}"
    if first in GROUP_PAGES:
        return f"the page {one.name}, with a tile for each of its pages: {one.more}"
    about = next((a for a in LABS if a.key == getattr(first, "lab", first)), None)
    if about is not None and one.kind != HERE:
        said = " ".join(map(tr, (about.asks, about.help, about.useful)))
        chosen = isinstance(first, Content) and first.key
        with_it = f" with {one.more} " + ("chosen" if chosen else "in view") if one.more else ""
        seen = "; ".join(charts_told(f"use/{about.key}"))
        return f"the page {tr(about.label)}{with_it if isinstance(first, Content) else ''}: {said} Its charts: {seen}."
    here = one.where == tr("on this page")
    if here and len(given) > 1:
        return f"chooses {one.name} on the page that is open (Explore), which shows it at once"
    if here:
        return f"goes to the setting “{one.name}” of the page that is open (Explore). {one.more}"
    if one.name in PAGES:
        return f"the manual's page “{one.name}”: {_begins(manual_page(PAGES[one.name]).text)}"
    return f"does “{one.name}”. {_told(one.name)}" if one.kind == HERE else one.more


def pointed(one: FinderEntry) -> str:
    """What somebody sees who asks how it is done."""
    where = "its menu opens, and it is marked there" if one.where else "its button has the focus"
    return f"carries nothing out, and shows where “{one.name}” is: {where}. {_told(one.name)}"


def line(typed: str, wish: str, known: Known) -> str:
    """The query, the wish, what is shown first, and what opens."""
    found = best(typed, known)
    hits = [hit for _, each in grouped(found) for hit in each]
    if found.lacks or not hits:
        none = f"nothing found that is called “{found.lacks or typed}”"
        near = f"below, as what is nearest: {hits[0].name}, {hits[0].more}" if hits else ""
        return "\t".join((typed, wish, none, "", near, ""))
    hit = hits[0]
    kind = KINDS.get(hit.entry.kind, "") or tr(hit.entry.group)
    told = pointed(hit.entry) if hit.only_shown else opens(hit.entry)
    told += f" With {card(hit.term)}" if hit.term else ""
    told += f" It is asked of {', by '.join(hit.asks.columns)}." if hit.asks else ""
    parts = (hit.name, f"{kind}, {hit.entry.where}", hit.more, told)
    return "\t".join((typed, wish, *(" ".join(part.split()) for part in parts)))


def main() -> None:
    queries, hits = map(Path, sys.argv[1:])
    opened, known = window()
    asked = [each.split("\t")[:2] for each in queries.read_text("utf-8").splitlines() if each]
    hits.write_text("\n".join(line(*each, known) for each in asked) + "\n", "utf-8")
    assert opened.studio is not None
    opened.studio.unsaved.discard()
    os._exit(0)


if __name__ == "__main__":
    main()
