"""How numbers are written as words, units stand at them, and months are named in English: patterns
for Python's re and Arrow's RE2 alike."""

import math
from decimal import Decimal

UNIT = r"(?:[$€£¥%]|CHF|EUR|USD|GBP|Fr\.)"
MONTH = (
    r"(?i:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DIGITS = 76  # the most that a column of decimals holds
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def number_text(value: float | Decimal, mark: str = ".") -> str:
    """A number as a word, by its value and not by the type that holds it: whole ones by all digits,
    others by the fewest that a double is known by, or by all where it does not hold them; `mark`
    stands before the tenths."""
    if isinstance(value, int):
        return str(value)
    if math.isfinite(value) and value == int(value) and abs(value) < 10**_DIGITS:
        return str(int(value))
    text = repr(float(value))
    if isinstance(value, Decimal) and Decimal(text) != value:
        text = f"{value:f}".rstrip("0")
    return text.replace(".", mark)
