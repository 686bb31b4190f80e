"""What a lab gives to be worked out again without the program: settings, and plain Python that
makes its numbers of them; what may be known of the table while that is written."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from textwrap import dedent

from dpstudio.data.codebook import MERGED, About
from dpstudio.data.conditions import Test, Where, as_word
from dpstudio.data.dataset import Dataset
from dpstudio.values.dates import span_of
from dpstudio.values.domains import number_of
from dpstudio.values.messages import Message, SentenceError


class NoScript(SentenceError):
    """A state that no script works out; `sentence` says why."""


@dataclass(frozen=True)
class Script:
    """`settings` are names with literals, in the order in which they are written; `lines` fill
    `numbers["KEY"]` for the facts of those keys. Facts in `law` agree within that relative
    tolerance, which `beside` makes one of another fact; all others to 1e-9; those `drawn` are one
    draw of chance, and those `left_out` are not made, each with the reason. `hero` draws the first
    picture on `axes`."""

    settings: Mapping[str, object]
    lines: str
    law: Mapping[str, float] = field(default_factory=dict)
    hero: str = ""
    drawn: tuple[str, ...] = ()
    left_out: Mapping[str, Message] = field(default_factory=dict)
    beside: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("lines", "hero"):
            object.__setattr__(self, name, dedent(getattr(self, name)).strip("\n"))


class Known:
    """What a script may be written by: the columns of a table, what they hold, and what was told of
    them. It gives nothing of the rows."""

    def __init__(self, data: Dataset):
        self._columns = {info.name: info for info in data.columns}
        self._about, self._documented = data.about, data.documented.about
        self.person, self.most = data.person, data.contributions
        self.role, self.answered = data.codebook.role, data.codebook.answered

    @property
    def names(self) -> tuple[str, ...]:
        """The columns, in their order."""
        return tuple(self._columns)

    def has(self, column: str) -> bool:
        """Whether there is a column of that name."""
        return column in self._columns

    def type_of(self, column: str) -> str:
        """ "integer", "number", "date", "category" or "other"; "" where there is no such column."""
        return self._columns[column].type if self.has(column) else ""

    def numeric(self, column: str) -> bool:
        """Whether it holds numbers that are no dates."""
        return self.has(column) and self._columns[column].numeric

    def about(self, column: str) -> About:
        """What was told of it from outside the data."""
        return self._about(column)

    def documented(self, column: str) -> About:
        """What is published of it with the table."""
        return self._documented(column)

    def merged(self, column: str) -> bool:
        """Whether spellings of its words are merged."""
        return self.about(column).type == MERGED


def condition(where: Where, known: Known) -> str:
    """The rows that meet a condition, as a Python expression over `table`."""
    if not where:
        return "every_row(table)"
    parts = [
        _test(part, known) if isinstance(part, Test) else condition(part, known)
        for part in where.parts
    ]
    sign = " & " if where.joined == "and" else " | "
    return parts[0] if len(parts) == 1 else sign.join(f"({part})" for part in parts)


def _test(test: Test, known: Known) -> str:
    column = f"table[{quoted(test.column)}]"
    if test.operator in ("is missing", "is not missing"):
        return f"{'~' if 'not' not in test.operator else ''}present({column})"
    kind = known.type_of(test.column)
    if kind == "date":
        return _of_dates(column, test)
    values: list[float | str] = (
        [number_of(v) if isinstance(v, str) else float(v) for v in test.values]
        if known.numeric(test.column)
        else [as_word(v) for v in test.values]
    )
    shown = [quoted(v) if isinstance(v, str) else f"{v:.17g}" for v in values]
    if test.operator in ("=", "!=") or test.operator in ("<", "<=", ">", ">="):
        sign = "==" if test.operator == "=" else test.operator
        found = f"{column} {sign} {shown[0]}"
    else:
        found = f"among({column}, [{', '.join(shown)}])"
        found = f"~{found}" if test.operator == "not in" else found
    return f"({found}) & present({column})" if test.operator in ("!=", "not in") else found


def _of_dates(column: str, test: Test) -> str:
    """A date stands for all of the year, month, day or minute that it names."""
    spans = [span_of(as_word(value)) for value in test.values]
    start, end = (f"{float(day):.17g}" for day in spans[0])
    ordered = {"<": f"< {start}", "<=": f"< {end}", ">": f">= {end}", ">=": f">= {start}"}
    if test.operator in ordered:
        return f"{column} {ordered[test.operator]}"
    within = " | ".join(f"(({column} >= {s:.17g}) & ({column} < {e:.17g}))" for s, e in spans)
    return within if test.operator in ("=", "in") else f"~({within}) & present({column})"


def quoted(word: str) -> str:
    """A literal as ruff has it, in double quotes."""
    return json.dumps(word, ensure_ascii=False) if word.isprintable() else repr(word)


def paragraphs(*parts: str) -> str:
    """Lines put together of several parts, a blank one between those that say anything."""
    return "\n\n".join(dedent(part).strip() for part in parts if part)


def one_row_each(known: Known) -> str:
    """The line that keeps one row of each person, where that may have more; else nothing."""
    if known.most == 1:
        return ""
    return f"table = rows_of_each(table, {quoted(known.person)}, 1)  # each is asked once"
