"""What single cells look like: numbers, dates, words for missing. Patterns are for Python's re and
for Arrow's RE2 alike."""

import re
from collections.abc import Iterable

from dpstudio.values.written import MONTH, UNIT

# Words that mean missing whatever the column holds, and those that do so among numbers and dates.
CLEAR = ("?", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "<NA>", "#N/A", "-", "--", "\\N")
AMONG_NUMBERS = (
    *re.findall(
        r"\S+",
        """
    na Na n.a. N.A. n.d. None none NONE Null nil NIL missing Missing MISSING unknown Unknown
    UNKNOWN . .. ... * ** — – − --- #NA #NULL! #DIV/0! #VALUE! #REF! #NAME? #NUM! -1.#IND
    -1.#QNAN 1.#IND 1.#QNAN -NaN -nan NAN k.A. refused Refused (null) (blank) undefined tbd
    TBD
    """,
    ),
    "#N/A N/A",
    "not available",
    "Not available",
    "no data",
    "No data",
    "k. A.",
)
MARKS = frozenset((*CLEAR, *AMONG_NUMBERS))

# A number with a decimal point, with a decimal comma, and grouped by the sign G.
POINT = r"[-+−]?((\d+\.?\d*|\.\d+)([eE][-+]?\d+)?|inf|Inf|INF|[iI]nfinity)"
COMMA = r"[-+−]?(\d+,?\d*|,\d+)([eE][-+]?\d+)?"
ZERO_LED = r"[-+]?0\d+"  # 01234: a code, not a number
TOO_LONG = r"[-+]?\d{16,}"  # more digits than a float holds
ISO = r"\d{4}-\d{1,2}-\d{1,2}([ T]\d{1,2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[-+]\d{2}:?\d{2})?)?"
SLASHED = r"\d{1,4}([/.-])\d{1,2}[/.-]\d{1,4}([ T]\d{1,2}:\d{2}(:\d{2})?)?"
_CLOCK = r"(,?[ T]\d{1,2}:\d{2}(:\d{2})?)?"
NAMED = (
    rf"(\d{{1,2}}([-/ ]|\.? ){MONTH}\.?,?[-/ ](\d{{4}}|\d{{2}})"
    rf"|{MONTH}\.? \d{{1,2}}(st|nd|rd|th)?,? \d{{4}}){_CLOCK}"
)
TIME = r"\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?"
_NUMBER = re.compile(
    rf"({POINT}|{COMMA}|[-+−]?\d{{1,3}}([.,' \u00a0\u202f]\d{{3}})+([.,]\d+)?"
    rf"|[-+−]?{UNIT}\s?[-+−]?\d[\d.,']*|[-+−]?\d[\d.,' \u00a0\u202f]*{UNIT})",
    re.ASCII,  # Arrow reads no digits of other scripts
)
_UNIT = re.compile(UNIT)
_DATE = re.compile(rf"({ISO}|{SLASHED}|{TIME}|{NAMED})", re.ASCII)
_NAME = re.compile(r"[^\W\d][\w .()%/#-]*")
_ODD_SIGNS = re.compile(r"[,;\t|^~¦¬§\x01\x1e\x1f]|::|  ")


def is_number(cell: str) -> bool:
    """Whether the cell is written as a number, perhaps with groups, a currency or percent."""
    return bool(_NUMBER.fullmatch(cell))


def units_in(cells: Iterable[str]) -> list[str]:
    """The units that stand at cells, each once."""
    return sorted({found[0] for cell in cells if (found := _UNIT.search(cell))})


def is_date(cell: str) -> bool:
    """Whether the cell is written as a date, a moment or a time of day."""
    return bool(_DATE.fullmatch(cell))


def is_value(cell: str) -> bool:
    """Whether the cell is written as a number or a date."""
    return bool(cell) and (is_number(cell) or is_date(cell))


def digits(cell: str) -> bool:
    """Whether the cell is made of the digits 0 to 9 alone, of which `int` makes a number."""
    return cell.isascii() and cell.isdigit()


def is_name(cell: str) -> bool:
    """Whether the cell could name a column: a letter, then letters, digits and a few signs."""
    return bool(_NAME.fullmatch(cell))


def natural(cell: str, quoted: bool = False, quote: str = "") -> float:
    """How much this looks like one value of a table, 0 to 1: a number, a date, a mark or nothing at
    all, or a word without delimiters."""
    cell = cell.strip()
    if not cell or cell in MARKS or is_number(cell) or is_date(cell):
        return 1.0
    # A quote of this reading stands in a value only where it was written twice.
    if any(c in "\"'" and c != quote for c in (cell[0], cell[-1])):
        return 0.3
    if not quoted and _ODD_SIGNS.search(cell):
        # A comma and a space is how people write; a bare sign between letters is a delimiter that
        # was missed.
        return 0.8 if re.search(r", ", cell) and not re.search(r"[;\t|^~¦¬§]|,\S", cell) else 0.4
    return 1.0 if is_name(cell) else 0.85
