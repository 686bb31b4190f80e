"""What Find knows: each thing that can be gone to or done, with all that it is called, in the
language of the window and in the other."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from dpstudio.files.assets import asset
from dpstudio.files.glossary import Term
from dpstudio.files.language import CHINESE, ENGLISH, spoken, texts
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.shell.frame.nearness import Alike, Near, read_alike
from dpstudio.gui.shell.frame.ranking import Named, Synonyms, read_synonyms
from dpstudio.values.messages import N_

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
COLUMN = N_("column")
_SHORT = re.compile(r"(.{3,}) \(([A-Z]{2,6})\)")
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


def named_so(
    name: str, *, beside: str = "", said: str = "", meant: tuple[str, ...] = (), told: str = ""
) -> Named:
    short = _SHORT.fullmatch(name)  # “Direct encoding (GRR)” is called by each of the two
    called = (*meant, *(short.groups() if short else ()), *synonyms().meant(name))
    return Named(name, beside, called, said, told)
