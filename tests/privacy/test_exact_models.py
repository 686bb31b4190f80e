"""Models that may leave: what one person moves, in units of the noise, by going through neighbours;
and what the file says, loaded by scikit-learn, against the way that the page scores it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpstudio.privacy.learning import exact_models, naive_bayes
from dpstudio.privacy.learning.exact_models import MOST

EPSILON = 0.7
Rows = list[tuple[int, int, int, int]]  # two numbers in steps, a word, a class


@dataclass
class NoNoise:
    """No noise, and the scales that it would have had."""

    scales: list[Fraction] = field(default_factory=list)

    def discrete_laplace(self, scale: Fraction) -> int:
        self.scales.append(scale)
        return 0


def flat(held: Any) -> list[int]:
    return [n for each in held for n in flat(each)] if isinstance(held, list) else [held]


def bayes(rows: Rows, moved: int, chance: Any) -> list[int]:
    x = np.array(rows, dtype=np.int64).reshape(-1, 4)
    parts = exact_models.bayes_parts(EPSILON, 3, 1 / 3)
    columns = [x[:, 0], x[:, 1], x[:, 2]]
    told = exact_models.bayes_counts(columns, x[:, 3], (0, 0, 3), 2, parts, moved, chance)
    # The noise of each column is drawn in turn: so are the values here.
    numbers = zip(told["sums"], told["squares"], strict=True)
    return flat([told["counts"], [list(pair) for pair in numbers], told["cells"]])


def moments(rows: Rows, moved: int, chance: Any) -> list[int]:
    z = np.array(rows, dtype=np.int64).reshape(-1, 4)[:, :2]
    return exact_models.moments(z, EPSILON, 1, chance, replace=moved == 2)


def one_step(rows: Rows, moved: int, chance: Any) -> list[int]:
    z = np.array(rows, dtype=np.int64).reshape(-1, 4)[:, :2]
    start = np.array([[MOST // 2, 0], [-MOST // 3, MOST], [0, -MOST]])
    by = exact_models.scales(3.0, 5.0, 1, 2, moved, EPSILON)
    return flat(exact_models.centres(z, start, 1, by, chance)[1])


CORNERS: Rows = [
    (MOST, MOST, 0, 0),
    (-MOST, MOST, 1, 1),
    (-MOST, -MOST, 2, 0),
    (0, MOST, 0, 1),
    (MOST // 2, -7, 2, 1),
    (0, 0, 1, 0),
]


@pytest.mark.parametrize("made", [bayes, moments, one_step])
@pytest.mark.parametrize("replace", [False, True])
def test_no_neighbour_moves_a_model_further_than_its_noise_pays_for(
    made: Callable[[Rows, int, Any], list[int]], replace: bool
) -> None:
    """Σ|change|/scale is the privacy loss of Laplace noise at worst: at most ε, and, for one that
    comes or goes at a corner, all of it (but for k-means, where a step may keep a corner)."""
    moved, worst = (2 if replace else 1), 0.0
    held = CORNERS[:3]
    first = NoNoise()
    before = made([CORNERS[0], *held] if replace else held, moved, first)
    for other in CORNERS:
        after = made([other, *held], moved, NoNoise())
        spent = sum(
            (Fraction(abs(a - b)) / s for a, b, s in zip(before, after, first.scales, strict=True)),
            Fraction(0),
        )
        assert spent <= Fraction(EPSILON)
        worst = max(worst, float(spent))
    assert worst > (0.3 if replace else 0.99) * EPSILON


def test_the_split_of_a_budget_adds_up_exactly() -> None:
    for epsilon in (0.1, 0.7, 1 / 3, 12.3):
        for features in (0, 1, 3, 7):
            counts, each = exact_models.bayes_parts(epsilon, features, 0.333)
            assert counts + features * each == min(Fraction(epsilon), Fraction(str(epsilon)))
        count, sums = exact_models.scales(0.1, 0.3, 5, 4, 2, epsilon)
        assert 5 * 2 * (1 / count + 4 / sums) <= Fraction(str(epsilon))


def test_without_noise_it_is_the_model_of_the_page() -> None:
    """The statistics are those of `naive_bayes.statistics`, of rows on the grid."""
    rng = np.random.default_rng(3)
    rows = [
        (int(a), int(b), int(w), int(c))
        for a, b, w, c in zip(
            rng.integers(-MOST, MOST, 400), rng.integers(-MOST, MOST, 400),
            rng.integers(0, 3, 400), rng.integers(0, 2, 400), strict=True,
        )
    ]  # fmt: skip
    x = np.array(rows, dtype=np.float64)
    x[:, :2] /= MOST
    shape = naive_bayes.Shape((0, 0, 3), 2)
    exact = naive_bayes.statistics(x[:, :3], x[:, 3], shape)
    columns = [np.array(rows)[:, i] for i in range(3)]
    parts = exact_models.bayes_parts(1.0, 3, 0.5)
    told = exact_models.bayes_counts(
        columns,
        np.array(rows)[:, 3],
        (0, 0, 3),
        2,
        parts,
        1,
        NoNoise(),  # type: ignore[arg-type]
    )
    assert np.allclose(exact.counts, told["counts"][0])
    assert np.allclose(exact.sums.T, np.array(told["sums"]) / MOST)
    assert np.allclose(exact.squares.T, np.array(told["squares"]) / MOST**2)
    assert np.allclose(exact.cells.T, told["cells"])
