"""What a page says that reads a sample of a table, because the table stays where it is."""

import math
from collections.abc import Iterator

from dpstudio.data.dataset import Dataset
from dpstudio.values.messages import N_, Num, say
from dpstudio.values.problem import Problem

_Z = 1.959963984540054  # of 95 %


def share_within(rows: int, of: int) -> float:
    """How far a share of `rows` that were drawn without replacement of `of` may be from that of
    all, at 95 %, whatever the share is (Cochran 1977, theorem 3.2, by the normal law)."""
    return _Z * math.sqrt(0.25 / rows * (of - rows) / (of - 1)) if of > rows > 0 else 0.0


def sampled(data: Dataset) -> Iterator[Problem]:
    """That what is shown is of a sample, and how far a share in it may be from the table's."""
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
