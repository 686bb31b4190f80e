"""Scores of a table that was made: what is learnt from it, and how often attackers are right."""

from dataclasses import dataclass

from dpstudio.charts.figure import Array, array
from dpstudio.privacy.rates import Rate

NEAR = 25  # neighbours that vote
SEPARATED = 700  # rows at most that a machine learns from: its work grows with their square


@dataclass(frozen=True)
class Scores:
    """The share of classes told right by the nearest rows and by a support vector machine
    (`machine`), and the mean squared error of numbers in shares of their range: learnt from
    synthetic rows and tried on real ones, and with `_back` the other way round; NaN where none of
    these rows has a number. `grouped`: how far two groups found in them agree with two found in
    real rows, on real rows."""

    right: float
    right_back: float
    machine: float
    machine_back: float
    error: float
    error_back: float
    grouped: float


@dataclass(frozen=True)
class Attacks:
    """How often each attack is right on rows that the table was made of, and on those that it was
    not: singling out, linking, inferring. `copies`: the share of synthetic rows that a real row
    equals; `apart`: in how many columns one differs from the nearest real row, on average."""

    used: tuple[Rate, Rate, Rate]
    control: tuple[Rate, Rate, Rate]
    copies: float
    apart: float


@dataclass(frozen=True, eq=False)
class Uses:
    """`real` is learnt from real rows, `crowd` the score of the best single answer on the `tried`
    rows; `lines`
    are those at each ε, `here` those at the ε in use, with the attacks on that table. `variants`
    are those of the same way with another number each, at that ε, () where it has none."""

    epsilons: Array
    lines: tuple[Scores, ...]
    real: Scores
    crowd: float
    here: Scores
    attacks: Attacks
    tried: int
    variants: tuple[tuple[int, Scores], ...] = ()

    def line(self, name: str) -> Array:
        """One of the scores at each ε."""
        return array([getattr(each, name) for each in self.lines])


def voters() -> int:
    """How many neighbours vote."""
    return NEAR
