"""What everything in Many owners starts from: rows, how they are dealt out, and what their shares
add up to."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array, array
from dpstudio.data.column_roles import describing
from dpstudio.data.dataset import Dataset
from dpstudio.data.features import Feature, is_number, one_hot, sample_of
from dpstudio.data.memory import Sized
from dpstudio.labs.context import SCREEN, Effort
from dpstudio.labs.memo import once
from dpstudio.labs.nobody.owners.parameters import BITS_LEAST, Asking, Owners, Sharing, Trusting
from dpstudio.privacy.learning.reduction import Moments, discriminant, principal
from dpstudio.privacy.owners import shares
from dpstudio.privacy.owners.shares import BITS_MOST, Sums

COLUMNS_MOST, CLASSES_MOST = 64, 20
STEPS = 5  # messages of the exchange, the result among them


@dataclass(frozen=True, eq=False)
class Rows(Sized):
    """Rows in [−1, 1]^p, shape (n, p), and their classes, codes below `classes`, (n,). `left_out`
    rows have a value missing; `unattested` columns have bounds or words nobody says are public."""

    x: Array
    y: NDArray[np.int64]
    classes: int
    left_out: int
    unattested: tuple[str, ...]


@dataclass(frozen=True)
class Clock:
    """Seconds of one operation here: encryption, sum, decryption."""

    encryption: float
    addition: float
    decryption: float


@dataclass(frozen=True)
class Seen:
    """The first number of one owner’s share as each sees it, in words of digits: by the owner, by
    the user, by the key holder, and in the result."""

    owner: str
    sent: str
    blinded: str
    result: str


@dataclass(frozen=True)
class Live:
    """One run of the exchange: with so many owners, columns, key bits and numbers under encryption.
    `apart`: the largest difference between what came out and the shares added in the open, in
    single units of the grid."""

    owners: int
    columns: int
    key: int
    numbers: int
    apart: int
    seen: Seen


@dataclass(frozen=True)
class Answered:
    """One query that ran under encryption: the bits of its key, whether what was opened is the sum
    of what was sent, and the first ciphertext in digits."""

    bits: int
    same: bool
    first: str


@dataclass(frozen=True)
class Scores:
    """Weighted F1 on test rows with discriminant components from shares, and from numpy."""

    shared: float
    exact: float


@dataclass(frozen=True, eq=False)
class WorkSoFar:
    """What came of long work so far; `clocks` by the bits of the key."""

    clocks: tuple[tuple[int, Clock], ...] = ()
    live: Live | None = None
    scores: Scores | None = None
    answered: Answered | None = None


@dataclass(frozen=True, eq=False)
class OwnersModel:
    """One state of the lab."""

    lab: Owners
    data: Dataset
    effort: Effort = SCREEN
    found: WorkSoFar = field(default_factory=WorkSoFar)
    last: bool = True

    @property
    def sharing(self) -> Sharing | None:
        """The exchange, where that is looked at."""
        return self.lab.looks if isinstance(self.lab.looks, Sharing) else None

    @property
    def asking(self) -> Asking | None:
        """The query, where that is looked at."""
        return self.lab.looks if isinstance(self.lab.looks, Asking) else None

    @property
    def trusting(self) -> Trusting | None:
        """The count, where that is looked at."""
        return self.lab.looks if isinstance(self.lab.looks, Trusting) else None


def columns_of(asked: Sharing, data: Dataset) -> tuple[str, ...]:
    """The columns that are named, else all of numbers that hold any but the classes, the first
    64."""
    if asked.features:
        return asked.features
    names = (
        c.name
        for c in data.columns
        if c.name != asked.classes and is_number(data, c.name) and data.missing(c.name) < data.rows
    )
    return tuple(describing(data, names))[:COLUMNS_MOST]


def by_classes(asked: Sharing) -> bool:
    """Whether shares are by classes."""
    return asked.scatter != "pca"


def rows(asked: Sharing, data: Dataset) -> Rows:
    """The rows that have every value, by their public bounds. ParamError where there are none."""
    columns = columns_of(asked, data)
    label = asked.classes if by_classes(asked) else None

    def read() -> Rows:
        sample = sample_of(data, columns, label, classes=True)
        y = sample.y.astype(np.int64) if label else np.zeros(len(sample.x), dtype=np.int64)
        return Rows(
            array(one_hot(sample)), y, _classes(sample.label), sample.left_out, sample.unattested
        )

    return data.remember(("owners", columns, label), read)


def _classes(label: Feature | None) -> int:
    return len(label.words) if label else 1


def dealt(asked: Sharing, held: Rows) -> list[tuple[Array, NDArray[np.int64]]]:
    """The rows and classes of each owner: in turn, or each class with one."""
    if asked.scatter == "scdo":
        return [(held.x[held.y == k], held.y[held.y == k]) for k in range(held.classes)]
    return [(held.x[i :: asked.owners], held.y[i :: asked.owners]) for i in range(asked.owners)]


def added(asked: Sharing, held: Rows) -> Sums:
    """What each owner adds up."""
    return shares.sums_of(dealt(asked, held), held.classes, within=asked.scatter == "scdo")


def owner_count(asked: Sharing, classes: int) -> int:
    """How many owners there are: one for each class, where each has a whole one."""
    return classes if asked.scatter == "scdo" else asked.owners


def exact(held: Rows) -> Moments:
    """The moments of all rows, by numpy."""
    n = max(1, len(held.x))
    member = (held.y[:, None] == np.arange(held.classes)).astype(np.float64)
    return Moments(
        member.sum(axis=0) / n,
        shares.products(member, held.x) / n,
        shares.products(held.x, held.x) / n,
    )


def from_shares(asked: Sharing, sums: Sums, bits: int) -> Moments:
    """The same of all shares together."""
    return shares.moments_of(sums.pooled(bits), bits, asked.scatter == "scdo")


def matrices(asked: Sharing, m: Moments) -> tuple[Array, ...]:
    """The scatter matrices that are looked at, per row: of all rows, and within and between."""
    whole = shares.total(m)
    return (whole, shares.within(m), shares.between(m)) if by_classes(asked) else (whole,)


def directions(asked: Sharing, m: Moments, k: int) -> Array:
    """The k components that the user learns, (p, k)."""
    return discriminant(m, k) if by_classes(asked) else principal(m, k)


@once
def here(model: OwnersModel) -> Rows:
    """The rows of the state. KeyError where no shares are looked at."""
    if model.sharing is None:
        raise KeyError("no rows are shared")
    return rows(model.sharing, model.data)


@once
def _both(model: OwnersModel) -> tuple[Sums, tuple[Array, ...]]:
    """What the owners add up, and the scatter matrices by numpy."""
    asked, held = model.sharing, here(model)
    assert asked is not None
    return added(asked, held), matrices(asked, exact(held))


def apart(model: OwnersModel, bits: int) -> float:
    """The largest difference of an entry of the scatter matrices, in the units of the data, between
    those of shares of so many binary digits and numpy’s."""
    asked, (sums, by_numpy) = model.sharing, _both(model)
    assert asked is not None
    pairs = zip(matrices(asked, from_shares(asked, sums, bits)), by_numpy, strict=True)
    return max(float(np.abs(one - other).max()) for one, other in pairs) * len(here(model).x)


@once
def by_bits(model: OwnersModel) -> tuple[Array, Array, Array]:
    """(binary digits, the difference with so many, the most that rounding can make of it)."""
    asked, held = model.sharing, here(model)
    assert asked is not None

    def measure() -> tuple[Array, Array, Array]:
        count = model.effort.of_points(8, 3)
        tried = np.unique(np.linspace(BITS_LEAST, BITS_MOST, count).round().astype(int))
        found = [apart(model, int(bits)) for bits in tried]
        return array(tried), array(found), array([bound(asked, held, int(b)) for b in tried])

    key = "owners bits", columns_of(asked, model.data), asked.classes, asked.scatter
    return model.data.remember((*key, asked.owners, model.effort.points), measure)


def bound(asked: Sharing, held: Rows, bits: int) -> float:
    """The most that rounding shares can move an entry of a scatter matrix."""
    owners = owner_count(asked, held.classes)
    return shares.rounding(owners, len(held.x), bits, held.classes)


@once
def at_bits(model: OwnersModel) -> tuple[float, float]:
    """The difference and its bound at the chosen number of binary digits."""
    asked, held = model.sharing, here(model)
    assert asked is not None
    return apart(model, asked.bits), bound(asked, held, asked.bits)


def columns_shared(held: Rows) -> int:
    """How many numbers a row has: words are as many as there are of them."""
    return int(held.x.shape[1])


def numbers_sent(asked: Sharing, p: int, classes: int) -> int:
    """How many numbers each owner encrypts."""
    return shares.ciphertexts(p, classes if by_classes(asked) else 1)


def digits(value: int) -> str:
    """A whole number by its first and last digits, and how many there are."""
    text = str(abs(value))
    sign = "−" if value < 0 else ""
    if len(text) <= 12:
        return sign + text
    return f"{sign}{text[:5]}…{text[-3:]} ({len(text)} digits)"
