"""What a person knows of a table from outside it: how columns are to be read, public bounds and
words, and who a person is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from dpstudio.values.dates import date_text, days_of
from dpstudio.values.fields import choice, flag
from dpstudio.values.messages import N_, Message, say
from dpstudio.values.parameters import (
    Domain,
    Integer,
    Maybe,
    ParamError,
    Parameters,
    Real,
    Words,
    domains,
    from_json,
    param,
    put,
)

AS_READ, IDENTIFIER, MERGED = "", "identifier", "merged"
TYPES = {
    AS_READ: N_("as it is"),
    "integer": N_("whole numbers"),
    "number": N_("numbers"),
    "date": N_("dates"),
    "category": N_("words"),
    MERGED: N_("words, spellings merged"),
    "text": N_("free text"),
    IDENTIFIER: N_("identifier"),
}
# What a column is to the people of the table. PERSON is told as the unit of privacy, not here.
PERSON, QUASI, SENSITIVE, LABEL = "person", "quasi", "sensitive", "label"
WEIGHT, PLACE, NONE, AS_PROPOSED = "weight", "place", "none", ""
ROLES = {
    AS_PROPOSED: N_("as proposed"),
    IDENTIFIER: N_("identifier"),
    QUASI: N_("quasi-identifier"),
    SENSITIVE: N_("sensitive"),
    LABEL: N_("label"),
    WEIGHT: N_("weight"),
    PLACE: N_("place"),
    NONE: N_("none of these"),
}
ROLE_NAMES = {PERSON: N_("person")} | ROLES
MOST = Integer(
    N_("Rows of each person"),
    N_("How many rows of one person are used at most: those of the smallest MD5."),
    low=1,
    high=1_000_000,
    log=True,
)
PEOPLE = Maybe(
    N_("Persons"),
    N_(
        "How many persons the table is of, known from outside the data. What leaves where one of "
        "them is replaced is of so many."
    ),
    inner=Integer("", low=1, high=1_000_000_000),
)
_BOUND = Real("", low=-1e15, high=1e15)
_LONGEST = 500


@dataclass(frozen=True)
class FreeText(Domain):
    """Words for people to read, on one line."""

    def check(self, value: Any) -> str:
        if not isinstance(value, str) or len(value) > _LONGEST:
            raise ParamError(
                "",
                say("Write a text of at most {most} {most:character|characters}.", most=_LONGEST),
            )
        return " ".join(value.split())

    def describe(self) -> Message:
        return say("a text")

    def invalid_examples(self) -> Iterable[Any]:
        yield from (3, None, "x" * (_LONGEST + 1))


class About(Parameters):
    """What is known of one column. `low` and `high` are numbers, or days since 1970 where the
    column holds dates."""

    key = "about"
    label = N_("Column")

    type: str = choice(
        AS_READ,
        N_("Read as"),
        N_("What the column holds, where the file does not tell it."),
        options=TYPES,
    )
    role: str = choice(
        AS_PROPOSED,
        N_("Role"),
        N_("What the column is to the people of the table: pages start with it."),
        options=ROLES,
    )
    low: float | None = param(
        None, Maybe(N_("Lowest"), N_("Values below are raised to this public bound."), inner=_BOUND)
    )
    high: float | None = param(
        None,
        Maybe(N_("Highest"), N_("Values above are lowered to this public bound."), inner=_BOUND),
    )
    categories: tuple[str, ...] = param(
        (), Words(N_("Categories"), N_("The words that there can be."))
    )
    attested: bool = flag(
        False,
        N_("Known from outside"),
        N_("I know these from outside the data, so that using them reveals nothing."),
    )
    # Of a `Parameters` `source` is where its formula is from; of a column it is where that person
    # knows it from.
    source: str = param(  # type: ignore[misc]
        "", FreeText(N_("Source"), N_("Where this is known from, in your own words."))
    )

    def agree(self) -> None:
        """The highest value lies above the lowest. Raises ParamError at “high”."""
        if self.low is not None and self.high is not None and self.low >= self.high:
            low = date_text(self.low) if self.type == "date" else f"{self.low:.12g}"
            text = N_("The highest value must lie above the lowest ({low}).")
            raise ParamError("high", say(text, low=low))

    @property
    def holds(self) -> str:
        """What the column holds as far as that is public: the type that is told, else what is said
        by attested words or bounds, which are numbers; "" where nothing says it."""
        if self.type or not self.attested:
            return self.type
        bounded = self.low is not None or self.high is not None
        return "category" if self.categories else "number" if bounded else AS_READ


NOTHING = About()


@dataclass(frozen=True)
class Codebook:
    """`columns` are the columns of which anything is known, by name in the order of the alphabet.

    The unit of privacy: with `person` empty each row is a person, else that column says whose row
    it is, and at most `most` rows of each person are used; `people` is how many persons there are,
    as far as somebody knows it from outside: no row can tell, as one may name nobody. `each_row`
    says that somebody knows each row to be a person, so that a column that looks otherwise needs no
    further word.
    """

    columns: tuple[tuple[str, About], ...] = ()
    person: str = ""
    most: int = 1
    each_row: bool = False
    people: int | None = None

    def __post_init__(self) -> None:
        known = {name: about for name, about in self.columns if about != NOTHING}
        object.__setattr__(self, "columns", tuple(sorted(known.items())))
        try:
            object.__setattr__(self, "most", MOST.check(self.most) if self.person else 1)
        except ParamError as error:
            raise error.within("most") from None
        try:
            object.__setattr__(self, "people", PEOPLE.check(self.people) if self.person else None)
        except ParamError as error:
            raise error.within("people") from None

    def __bool__(self) -> bool:
        return self != EMPTY

    def about(self, column: str) -> About:
        """What is known of a column: an empty About for most."""
        return next((about for name, about in self.columns if name == column), NOTHING)

    def role(self, column: str) -> str:
        """What a person told that the column is; "" where nobody did."""
        about = self.about(column)
        told = IDENTIFIER if about.type == IDENTIFIER else AS_PROPOSED
        return PERSON if column and column == self.person else about.role or told

    @property
    def merged(self) -> tuple[str, ...]:
        """The columns of which spellings are merged: for looking, as nobody attests it."""
        return tuple(name for name, about in self.columns if about.type == MERGED)

    @property
    def apart(self) -> Codebook:
        """The same with each spelling a word of its own, as in the file."""
        book = self
        for name in self.merged:
            book = book.with_about(name, replace(book.about(name), type=AS_READ))
        return book

    @property
    def tells_roles(self) -> bool:
        """Whether a person told the role of a column, its being a person aside."""
        return any(about.role for _, about in self.columns)

    @property
    def without_roles(self) -> Codebook:
        """What answers can depend on: roles decide what is asked, and never what is answered."""
        columns = tuple((name, replace(about, role=AS_PROPOSED)) for name, about in self.columns)
        return replace(self, columns=columns)

    def with_about(self, column: str, about: About) -> Codebook:
        """The codebook with `about` in place of what it knew of this column."""
        return replace(
            self,
            columns=(
                *((name, held) for name, held in self.columns if name != column),
                (column, about),
            ),
        )

    def with_role(self, column: str, role: str) -> Codebook:
        """With another role of a column, told by a person. Raises ParamError at “role”."""
        if role == PERSON:
            return self.with_about(
                column, replace(self.about(column), role=AS_PROPOSED)
            ).with_person(column, self.most)
        book = self.with_person("") if column == self.person else self
        return book.with_about(column, put(book.about(column), "role", role))

    def with_person(self, person: str, most: int = 1) -> Codebook:
        """With another unit of privacy; "" takes each row as a person without saying that it is.
        Raises ParamError at “most”."""
        people = self.people if person == self.person else None
        return replace(self, person=person, most=most, each_row=False, people=people)

    def with_each_row(self) -> Codebook:
        """With the word of somebody who knows it that each row is a person."""
        return replace(self, person="", most=1, each_row=True)

    @property
    def answered(self) -> bool:
        """Whether somebody said who a person is."""
        return bool(self.person) or self.each_row

    @property
    def reading(self) -> Codebook:
        """Only what decides which rows there are and how their values are read."""
        return Codebook(
            tuple((name, About(type=about.type)) for name, about in self.columns),
            self.person,
            self.most,
        )

    @property
    def public(self) -> Codebook:
        """The same, with what is known from outside the data: other bounds and words may be those
        of single rows."""
        columns = tuple(
            (name, about if about.attested else About(type=about.type, role=about.role))
            for name, about in self.columns
        )
        return replace(self.reading, columns=columns, people=self.people)

    def to_json(self) -> dict[str, Any]:
        """What is known of the columns, and whose rows are one person's, as JSON can hold it."""
        columns = {}
        for name, about in self.columns:
            held = {
                field: domain.to_json(getattr(about, field))
                for field, domain in domains(About).items()
            }
            columns[name] = {
                field: value
                for field, value in held.items()
                if getattr(about, field) != getattr(NOTHING, field)
            }
        unit: dict[str, Any] = {}
        if self.person:
            unit = {"person": self.person, "most": self.most, "kept": KEPT}
        unit |= {"people": self.people} if self.people else {}
        return {"columns": columns, **unit, **({"each_row": True} if self.each_row else {})}


EMPTY = Codebook()
_FIELDS = {"columns", "person", "most", "kept", "each_row", "people"}
KEPT = "md5"  # the rule of `data.kept_rows`; before there was one, the first rows were kept


def of_first_rows(data: Any) -> bool:
    """Whether what `to_json` gave is of a program that kept the first rows of each person."""
    return isinstance(data, Mapping) and bool(data.get("person")) and "kept" not in data


def codebook_from_json(data: Any) -> Codebook:
    """Inverse of `to_json`. Raises ParamError with the dotted field."""
    columns = data.get("columns", {}) if isinstance(data, Mapping) else None
    if not isinstance(columns, Mapping) or set(data) - _FIELDS:
        raise ParamError("codebook", say("What is known of the columns was expected here."))
    person, each_row = data.get("person", ""), data.get("each_row", False)
    if not isinstance(person, str):
        raise ParamError("codebook.person", say("Name a column of the table."))
    if data.get("kept", KEPT) != KEPT:
        text = N_("The rows of a person are kept by a rule that this program does not know.")
        raise ParamError("codebook.kept", say(text))
    if not isinstance(each_row, bool) or (each_row and person):
        raise ParamError("codebook.each_row", say("Either each row is a person, or a column says."))
    try:
        known = tuple(
            (str(name), from_json([About], {"kind": About.key, **held}))
            for name, held in columns.items()
        )
        return Codebook(known, person, data.get("most", 1), each_row, data.get("people"))
    except ParamError as error:
        raise error.within("codebook") from None
    except TypeError:
        raise ParamError(
            "codebook", say("What is known of the columns was expected here.")
        ) from None


_BOUNDS = ("low", "high")
_DATE = re.compile(r"\d{4}-\d")
_SETTING = re.compile(r"(?<![\w-])(" + "|".join(domains(About)) + r")\s*=\s*")


def _settled(settings: Iterable[tuple[str, str]]) -> About:
    """What is known of a column by all settings that are typed of it. A bound that is a date says
    that the column holds dates, so that the other one is a date too, 1990 the first day of that
    year; raises ParamError where something else is said."""
    told, about = sorted(settings, key=lambda setting: setting[0] != "type"), NOTHING
    date = next((given for field, given in told if field in _BOUNDS and _DATE.match(given)), "")
    for field, given in told:
        days = field in _BOUNDS and given and (date or about.type == "date")
        try:
            about = put(about, field, days_of(given) if days else given)
        except ParamError as error:
            raise error if error.field else error.within(field) from None
        if date and about.type not in (AS_READ, "date"):
            text = N_("“{value}” is a date, and the column is told to hold {type}.")
            raise ParamError(field, say(text, value=date, type=Message(TYPES[about.type])))
        about = replace(about, type="date") if date else about
    return about


def codebook_words(
    abouts: Iterable[str],
    person: str = "",
    most: str | int = 1,
    *,
    each_row: bool = False,
    people: str = "",
) -> Codebook:
    """A codebook typed as lines like `age: low=17 high=90 attested=yes source=the form`. Raises
    ParamError."""
    try:
        book = EMPTY.with_person(person, MOST.check(most))
    except ParamError as error:
        raise error.within("most") from None
    if book.most != MOST.check(most):
        raise ParamError("person", say("Name the column that says whose row it is, too."))
    try:
        book = replace(book, people=PEOPLE.parse(people))
    except ParamError as error:
        raise error.within("people") from None
    if people and not person:
        raise ParamError("person", say("Name the column that says whose row it is, too."))
    if each_row:
        if person:
            raise ParamError("person", say("Either each row is a person, or a column says."))
        book = book.with_each_row()
    held: dict[str, list[tuple[str, str]]] = {}
    for line in abouts:
        column, *parts = _SETTING.split(line)
        name = column.strip().removesuffix(":").rstrip()
        if not name or not parts:
            example = "age: low=17 high=90 attested=yes"
            raise ParamError(
                "about", say("“{value}” is not of the form {example}.", value=line, example=example)
            )
        held.setdefault(name, []).extend(
            (field, value.strip().rstrip(",;").rstrip())
            for field, value in zip(parts[::2], parts[1::2], strict=True)
        )
    for name, settings in held.items():
        try:
            book = book.with_about(name, _settled(settings))
        except ParamError as error:
            raise error.within(name) from None
    return book


def words_of_codebook(book: Codebook) -> tuple[list[str], dict[str, str]]:
    """(lines, the rest by name) that `codebook_words` reads back."""
    lines = []
    for name, about in book.columns:
        told = {}
        for field, domain in domains(About).items():
            value = getattr(about, field)
            if value != getattr(NOTHING, field):
                dates = field in _BOUNDS and about.type == "date"
                told[field] = date_text(value) if dates else domain.show(value).replace("\n", " | ")
        lines.append(f"{name}: " + " ".join(f"{field}={text}" for field, text in told.items()))
    unit = {"person": book.person, "most": str(book.most)} if book.person else {}
    unit |= {"people": str(book.people)} if book.people else {}
    return lines, unit | ({"each-row": ""} if book.each_row else {})
