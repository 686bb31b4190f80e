"""Whether a row names the columns: what names look like beside values."""

import re
from collections.abc import Sequence

from dpstudio.files.read.outcome import TableError
from dpstudio.files.read.typing.marks import MARKS, digits, is_name, is_value
from dpstudio.values.messages import N_, Num, say

_WIDEST = 20_000

# Words that name columns and are hardly ever values.
_TELLING = frozenset(
    re.findall(
        r"\S+",
        """
    id name names colour color size answer date time age sex gender city country state region
    province county year month day value values type category class label price amount count total
    rate score income salary title description email phone address zip zipcode postcode code group
    status weight height key index first last surname firstname lastname first_name last_name
    latitude longitude lat lon lng text comment notes url
    """,
    )
)
_IDENTIFIER = re.compile(
    r"[a-z]+[a-z0-9]*([_.-][a-z0-9]+)+|[a-z]+[a-z0-9]*([A-Z][a-z0-9]+)+|[A-Z0-9]+(_[A-Z0-9]+)+"
    r"|.*[ _](id|ID|Id|no\.?|name|date)"
)


def refuse_wide(path: str, width: int) -> None:
    """Raises TableError where a row has more values than can be shown as columns."""
    if width > _WIDEST:
        text = N_("{path} has {n} {n:value|values} in a row, which is no table that can be shown.")
        raise TableError(say(text, path=path, n=Num(width)))


def judged(head: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[str, bool]:
    """Whether `head` names the columns of the rows, "yes" or "no", and whether that is certain."""
    cells = [c.strip() for c in head]
    columns = [[r[i].strip() for r in rows if i < len(r)] for i in range(len(cells))]
    values = [is_value(c) for c in cells]
    filled = [[c for c in column if c and c not in MARKS] for column in columns]
    numeric = [bool(f) and 2 * sum(map(is_value, f)) >= len(f) for f in filled]
    names_over_values = sum(
        not v and bool(c) and c not in MARKS and n
        for c, v, n in zip(cells, values, numeric, strict=True)
    )
    values_over_values = [c for c, v, n in zip(cells, values, numeric, strict=True) if v and n]
    recurring = sum(
        not v and bool(c) and c in column
        for c, v, column in zip(cells, values, columns, strict=True)
    )
    blanks = sum(not c for c in cells)
    if names_over_values and len(rows) == 1 and _alike(cells, [c.strip() for c in rows[0]]):
        return "yes", False
    if names_over_values and (
        not values_over_values
        or all(_is_year(c) for c in values_over_values)
        or _sequence(values_over_values)
    ):
        # A word over numbers is a name, also beside years; not for certain where it stands among
        # them again.
        again = sum(
            not v and n and c in column
            for c, v, n, column in zip(cells, values, numeric, columns, strict=True)
            if c not in MARKS
        )
        return "yes", again < names_over_values and not (
            values_over_values and (recurring or blanks)
        )
    if names_over_values:
        return "yes", False
    if values_over_values:
        telling = [c for c in values_over_values if not _may_name(c)]
        return (
            ("no", True)
            if telling and not _sequence(cells)
            else ("yes" if _sequence(cells) or not telling else "no", False)
        )
    if not rows:
        return ("no", False) if any(values) else ("yes", True)
    if not any(values) and not blanks and recurring <= len(cells) / 10 and _repeats(filled):
        return "yes", True  # one of many names is a word of its column: won, above won and nowin
    if any(values) or recurring:
        return ("no" if 2 * recurring >= len(cells) else "yes"), False
    return "yes", any(_telling(c) for c in cells) or (not blanks and _repeats(filled))


def _alike(head: list[str], row: list[str]) -> bool:
    """Whether a first row and the only other one may be values both: a word recurs, or the numbers
    below are one alone or shares."""
    shares = all(c.endswith("%") for c in row if is_value(c))
    return shares or any(c in row for c in head if c) or (len(head) == 1 and not _telling(head[0]))


def _is_year(cell: str) -> bool:
    return digits(cell) and 1800 <= int(cell) <= 2100


def _may_name(cell: str) -> bool:
    """Whole numbers such as years may name columns; 5.1 and dates do not."""
    return digits(cell) and (_is_year(cell) or int(cell) < 100)


def _sequence(cells: Sequence[str]) -> bool:
    """0, 1, 2 … or 1, 2, 3 …: names that a program gave."""
    plain_ = [c for c in cells if c]
    return (
        len(plain_) > 1
        and all(digits(c) for c in plain_)
        and [int(c) for c in plain_] == list(range(int(plain_[0]), int(plain_[0]) + len(plain_)))
    )


def _telling(cell: str) -> bool:
    return cell.lower() in _TELLING or (bool(_IDENTIFIER.fullmatch(cell)) and is_name(cell))


def _repeats(columns: list[list[str]]) -> bool:
    """Whether values recur so often that a first row of values would have recurred too, or are
    texts that no name is like."""
    told = [c for c in columns if len(c) >= 6]
    recur = sum(1 for c in told if len(set(c)) <= len(c) / 3)
    long = sum(1 for c in told if sum(map(len, c)) / len(c) > 40)
    return recur >= 1 or long >= 1


def named(names: Sequence[str], width: int) -> tuple[list[str], int]:
    """`width` names, each its own: blank ones are numbered, and a second "a" is "a.1". Also how
    many repeat one before."""
    taken = {n.strip() for n in names}
    seen: set[str] = set()
    out, repeated = [], 0
    for place in range(width):
        name = names[place].strip() if place < len(names) else ""
        if not name:
            name = f"Unnamed: {place}" if names else f"column {place + 1}"
        if name in seen:
            repeated += 1
            count = 1
            while f"{name}.{count}" in seen or f"{name}.{count}" in taken:
                count += 1
            name = f"{name}.{count}"
        seen.add(name)
        out.append(name)
    return out, repeated
