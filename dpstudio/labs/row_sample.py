"""What a page says that reads a sample of a table, because the table stays where it is."""

import math
from collections.abc import Iterator

from dpstudio.data.dataset import Dataset
from dpstudio.values.messages import N_, Num, say
from dpstudio.values.problem import Problem

DIGITS = 5  # of numbers that are too many to come here
_Z = 1.959963984540054  # of 95 %


def share_within(rows: int, of: int) -> float:
    """How far a share of `rows` that were drawn without replacement of `of` may be from that of
    all, at 95 %, whatever the share is (Cochran 1977, theorem 3.2, by the normal law)."""
    return _Z * math.sqrt(0.25 / rows * (of - rows) / (of - 1)) if of > rows > 0 else 0.0


def in_digits(data: Dataset, *columns: str) -> Iterator[Problem]:
    """That a page which takes the numbers of these columns in order takes their first digits."""
    text = N_(
        "“{column}” has so many different values that only their first digits, {n} of them, come "
        "here: this page counts rows of near values as one. How many rows there are, their sum, "
        "the smallest and the largest are exact."
    )
    for column in dict.fromkeys(columns):
        if data.rounded(column):
            yield Problem("data", say(text, column=column, n=DIGITS), stops=False)


def sampled(data: Dataset) -> Iterator[Problem]:
    """That what is shown is of a sample, and how far a share in it may be from the table's."""
    if data.glimpse_of:
        text = N_(
            "A first look at {n:# row|# rows} of {of}, from a few places of the table: counts and "
            "sums are theirs, and shares may be far from the table's. It stands here until the "
            "table has answered."
        )
        yield Problem("data", say(text, n=data.rows, of=data.glimpse_of), stops=False)
    if data.drawn_of <= data.rows:
        return
    text = N_(
        "This page reads rows one by one, and the table stays where it is: it reads "
        "{n:# row that was|# rows that were} drawn once of {of}. That alone moves a share of rows "
        "by up to ±{points} {points:point|points} at 95 %. Who is alone among these need not be so "
        "in the table; what is said of noise and of models is said of these rows."
    )
    points = Num(100 * share_within(data.rows, data.drawn_of), 2, "up")
    yield Problem("data", say(text, n=data.rows, of=data.drawn_of, points=points), stops=False)
