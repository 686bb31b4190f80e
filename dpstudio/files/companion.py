"""The companion to the texts: their chapters and places in order, each with the state of a lab that
shows it, or with the reason why nothing here does; and what a reader is asked at some of them. One
file a text below assets/companion, and one of its questions below that."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from dpstudio.charts.figure import Rule
from dpstudio.files.assets import asset
from dpstudio.files.talk import Ask
from dpstudio.labs.findings import Findings
from dpstudio.labs.page import Lab
from dpstudio.labs.worded import lab_of_words
from dpstudio.values.messages import N_, Message, Num, render, say
from dpstudio.values.parameters import ParamError

# What a place may be called in its text, in both languages.
KINDS = {
    "listing": ("程序", "列表", "代码"),
    "figure": ("图",),
    "table": ("表",),
    "exercise": ("练习",),
    "theorem": ("定理",),
    "definition": ("定义",),
    "proposition": ("命题",),
    "algorithm": ("算法",),
    "formula": ("公式",),
    "section": ("节",),
}
_NUMBER = "[0-9A-Z]"  # how one begins
_ONE_TO_TEN = "一二三四五六七八九十"
ERRATUM = "printed"  # the lab that has the errata, by its parameter of the next name
ERRATUM_IS = "erratum"
SAID, DRAWN = "sentence", "chart"  # where a number stands that no fact is


@dataclass(frozen=True)
class Place:
    """A place of a text: `names` are what it is called there ("listing 4.7"; a place of an article
    has a heading instead), `about` what it is in our words, `words` the lab and its settings as
    on a command line, on the example `table`.

    `also` are other words of the text for it, in both languages, by which it is found.
    `finds`: facts of that state by key, as the digits that are held; `prints` what the text has
    there, `erratum` the entry of *As printed* on it; `out` why nothing here shows it. `ask` is what
    a reader is asked before it is shown: the places that ask are the talk of a chapter.
    """

    text: str
    chapter: str
    names: tuple[str, ...]
    about: str
    words: tuple[str, ...] = ()
    table: str = "adult"
    chart: str = ""
    finds: tuple[tuple[str, str], ...] = ()
    prints: str = ""
    erratum: str = ""
    out: str = ""
    ask: Ask | None = None
    also: tuple[str, ...] = ()

    @property
    def called(self) -> str:
        """All of its names in the text."""
        return ", ".join(self.names)

    @property
    def title(self) -> Message:
        """The same, to be shown."""
        told = _told(self.names[0])
        for name in self.names[1:]:
            told = say("{one}, {two}", one=told, two=_told(name))
        return told

    @property
    def key(self) -> str:
        """What a command line calls it: "book:listing-4.7"."""
        return f"{self.text}:{_slug(self.names[0])}"

    def lab(self) -> Lab:
        """The state that shows it. Raises ParamError, also where it is out of scope."""
        if not self.words:
            raise ParamError("place", say("{key} is not shown: {why}", key=self.key, why=self.out))
        return lab_of_words(self.words)

    @property
    def corrected_words(self) -> tuple[str, ...]:
        """The entry of *As printed* on it, as words; none where there is none."""
        return (ERRATUM, *f"{ERRATUM_IS}={self.erratum}".split()) if self.erratum else ()


@dataclass(frozen=True)
class Chapter:
    """A chapter of a text, and its places in order. An article is one chapter, named "". `talk`:
    what the talk of its questions is called, where it has a name of its own."""

    key: str
    name: str
    places: tuple[Place, ...]
    talk: str = ""


@dataclass(frozen=True)
class Text:
    """One of the texts, with who wrote it where that may be told."""

    key: str
    name: str
    by: str
    chapters: tuple[Chapter, ...]

    @property
    def places(self) -> Iterator[Place]:
        """All of them in order."""
        return (place for chapter in self.chapters for place in chapter.places)


@lru_cache(maxsize=1)
def texts() -> tuple[Text, ...]:
    """Every text in order. Read once: nobody writes them meanwhile."""
    paths = sorted(asset("companion").glob("*.json"))
    return tuple(_text(json.loads(path.read_text(encoding="utf-8"))) for path in paths)


def said() -> Iterator[str]:
    """Every text of the companion that people read."""
    for text in texts():
        yield from (text.name, text.by)
        yield from (name for each in text.chapters for name in (each.name, each.talk))
        for place in text.places:
            yield from (_told(name).text for name in place.names)
            yield from (place.about, place.prints, place.out)
            if place.ask is not None:
                yield from (place.ask.text, *place.ask.options)


def _told(name: str) -> Message:
    kind, _, number = name.partition(" ")
    known = kind in KINDS and re.match(_NUMBER, number)
    return say(f"{kind} {{n}}", n=number) if known else Message(name)


def places() -> Iterator[Place]:
    """All places of all texts in order."""
    return (place for text in texts() for place in text.places)


def places_named(asked: str) -> tuple[Place, ...]:
    """Every place that is called so: "book:listing-4.7", "listing 4.7", "表 3.1", "chapter 3".
    However it is spaced, in capitals or not; a chapter or section gives all of its places, and
    "4.7" whatever has that number."""
    text, _, name = asked.rpartition(":")
    wanted = _slug(_in_english(name))
    among = [place for place in places() if text.strip() in ("", place.text)]
    # Exercises are counted from 1 in each chapter: "exercise 1" is every 2.1, 6.1, …
    anew = re.compile(re.escape(wanted).replace("exercise\\-", r"exercise\-(\w+\.)?"))
    called = [p for p in among if any(map(anew.fullmatch, map(_slug, p.names)))]
    if exact := called or [p for p in among if wanted in map(_slug, p.also)]:
        return tuple(exact)
    return tuple(
        p
        for p in among
        if wanted in (f"chapter-{p.chapter}", f"section-{p.chapter}")
        or any(
            slug.startswith(f"{wanted}.") or slug.endswith(f"-{wanted}")
            for slug in map(_slug, p.names)
        )
    )


def place_named(asked: str) -> Place:
    """The one place that is called so, as `places_named`. Raises ParamError where there is none,
    or more than one: the sentence says which there are."""
    found = places_named(asked)
    if len(found) == 1:
        return found[0]
    if not found:
        text = N_("No place of the texts is called “{asked}”. “dpstudio places” lists them.")
        raise ParamError("place", say(text, asked=asked))
    text = N_("“{asked}” may be {keys}: say which.")
    raise ParamError("place", say(text, asked=asked, keys=" or ".join(p.key for p in found)))


@lru_cache(maxsize=2_000)
def _slug(name: str) -> str:
    """A name as it is compared and typed: "Listing 4.7" as "listing-4.7"."""
    return "-".join(re.findall(r"[\w.]+", name.casefold()))


def _in_english(name: str) -> str:
    """A name with the Chinese word for its kind in English: "表3.1" as "table 3.1"."""
    chapter = re.fullmatch(r"\s*第\s*(\w+)\s*章\s*", name)
    if chapter:
        number = _ONE_TO_TEN.find(chapter[1]) + 1
        return f"chapter {number or chapter[1]}"
    for english, chinese in KINDS.items():
        among = "|".join(chinese)
        name = re.sub(rf"^\s*({among})\s*(?={_NUMBER})", f"{english} ", name)
    return name


def said_so(name: str) -> tuple[str, ...]:
    """A name, and as it is in Chinese: "table 3.1" and "表 3.1"."""
    kind, _, number = name.partition(" ")
    chinese = KINDS.get(kind, ()) if re.match(_NUMBER, number) else ()
    return (name, *(f"{word}{gap}{number}" for word in chinese for gap in (" ", "")))


def chapter_said(key: str) -> tuple[str, ...]:
    """What people type for a chapter."""
    numbers = (key, *(_ONE_TO_TEN[int(key) - 1] if key in map(str, range(1, 11)) else ()))
    return (f"chapter {key}", *(f"第{gap}{n}{gap}章" for n in numbers for gap in ("", " ")))


def _text(held: Mapping[str, Any]) -> Text:
    key = str(held["key"])
    asked = json.loads(asset(f"companion/questions/{key}.json").read_text(encoding="utf-8"))
    chapters = tuple(
        Chapter(each["key"], each["name"], tuple(_places(key, each, asked)), each.get("talk", ""))
        for each in held["chapters"]
    )
    return Text(key, held["name"], held["by"], chapters)


def _places(text: str, chapter: Mapping[str, Any], asked: Mapping[str, Any]) -> Iterator[Place]:
    for each in chapter["places"]:
        words = tuple(shlex.split(each.get("open", "")))
        kept = {name: each[name] for name in _KEPT if name in each}
        kept["also"] = tuple(kept.get("also", ()))
        names = (each["at"],) if isinstance(each["at"], str) else tuple(each["at"])
        about = asked.get(_slug(names[0]), {})
        kept["finds"] = tuple({**each.get("finds", {}), **about.get("so", {})}.items())
        if about:
            options, right = tuple(about.get("options", ())), about.get("right", 0)
            kept["ask"] = Ask(about["text"], options, right, about.get("fact", ""))
        yield Place(text, chapter["key"], names, each["about"], words, **kept)


_KEPT = ("table", "chart", "prints", "erratum", "out", "also")


def found(findings: Findings, path: str) -> Any:
    """A number of what a lab found: "truth"; "sigma/0" of a fact that is a vector;
    "probabilities/epsilon_1/HIV" of a table, its column, and the row whose first cell that is, or
    by its number; "sentence/spread/ordered" of one, what stands there; "chart/error/law/7" of a
    chart, the height of a layer at that place or of a line across. Raises KeyError, IndexError."""
    head, *rest = path.split("/", 2)
    if head == SAID:
        held: Any = findings.sentence(rest[0]).say
        for name in rest[1].split("/"):
            held = held.values[name]
        return _plain(held)
    if head == DRAWN:
        layer, at = rest[1].rsplit("/", 1)
        drawn: Any = next(e for e in findings.figure(rest[0]).layers if e.key == layer)
        return drawn.at if isinstance(drawn, Rule) else drawn.y[int(at)]
    if len(rest) < 2:
        value = findings.fact(head).value
        return value[int(rest[0])] if rest else value
    table = next((each for each in findings.tables if each.key == head), None)
    if table is None:
        raise KeyError(head)
    column, row = rest
    names = [str(_plain(cell)) for cell in table.columns[0][1]]
    return _plain(dict(table.columns)[column][names.index(row) if row in names else int(row)])


def _plain(cell: Any) -> Any:
    """The number or the words of a cell."""
    if isinstance(cell, Num):
        return cell.value
    return render(cell) if isinstance(cell, Message | str) else cell
