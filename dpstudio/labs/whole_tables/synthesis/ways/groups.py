"""Micro-aggregation with a Gaussian for each group of rows."""

import math
from collections.abc import Iterator

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.labs.whole_tables.synthesis.ways.way import (
    Claim,
    SynthesisFacts,
    SyntheticTable,
    Task,
    Way,
)
from dpstudio.privacy.synthetic import clusters
from dpstudio.privacy.synthetic.chance import Chance
from dpstudio.privacy.synthetic.tree import rounded
from dpstudio.values.fields import choice, flag, integer
from dpstudio.values.messages import N_, say

GroupedRows = tuple[tuple[int, ...], list[clusters.Rows]]
SIZES = (25, 50, 75, 100)  # those that the texts compare
_QUICK = 1_000_000  # rows² over k that take a few tenths of a second
NOISE = {
    "fixed": N_("for groups that are fixed"),
    "insensitive": N_("for groups in a public order"),
    "printed": N_("as printed: divided by n"),
    "none": N_("none"),
}


class Groups(Way):
    """Columns that go together in groups of at least k rows, each drawn anew from a normal law with
    noisy mean and covariance; words stand for numbers in their order."""

    key = "groups"
    label = N_("Micro-aggregation")
    ink = "l2norm"
    source = "Domingo-Ferrer & Torra 2005; Soria-Comas et al. 2014"
    stays = N_(
        "This table cannot be published: means and covariances are no whole numbers, and exact "
        "noise is drawn for these alone. Choose a way that counts, such as “A tree of pairs (MST)”."
    )
    rounds = 2

    noise: str = choice(
        "fixed",
        N_("Noise"),
        N_("Groups that are found in the data break the promise, whatever their noise."),
        options=NOISE,
    )
    k: int = integer(
        1000, N_("Rows in a group k"), N_("At least so many."), low=25, high=20_000, log=True
    )
    apart: bool = flag(
        True,
        N_("Last column apart"),
        N_("Rows with each value of the last column form groups of their own."),
    )

    def claim(self, known: SynthesisFacts) -> Claim:
        if self.noise == "insensitive":
            text = N_(
                "A tenth of ε counts the rows of each class. With as many rows, one person moves "
                "at most one row into and one out of each group of a class, and can so move all "
                "of them: the noise is that of a group, as many times as there are groups."
            )
            return Claim(known.epsilon, 0.0, say(text), known.epsilon)
        if self.noise == "none":
            text = N_("No noise at all.")
            return Claim(known.epsilon, 0.0, say(text), math.inf)
        if self.noise == "printed":
            text = N_(
                "As printed, its noise is divided by the number of rows once more, and groups are "
                "found in the data outside the budget."
            )
            return Claim(known.epsilon, 0.0, say(text), math.inf)
        text = N_(
            "This holds for groups that are fixed. Here they are found in the data, where one "
            "person can move every one, so that there is no theorem."
        )
        return Claim(known.epsilon, 0.0, say(text), math.inf)

    def variants(self) -> tuple[tuple[int, Way], ...]:
        return tuple((k, self.with_(k=k)) for k in SIZES)

    def steps(
        self,
        task: Task,
        known: SynthesisFacts,
        chance: Chance,
        rng: np.random.Generator,
        rounds: int,
    ) -> Iterator[SyntheticTable]:
        few, n = math.isqrt(_QUICK * self.k), len(task.codes)
        if rounds > 1 and self.noise != "insensitive" and 2 * few < n:
            # By the same noise for groups of as many rows, of some rows that stand for all.
            part = Task(task.codes[:: math.ceil(n / few)], alive=task.alive)
            made = self._made(part, known, chance, rng.spawn(1)[0], n)
            yield SyntheticTable(np.resize(made.codes, (n, made.codes.shape[1])), made.noisy)
        yield self._made(task, known, chance, rng, n)

    def _made(
        self, task: Task, known: SynthesisFacts, chance: Chance, rng: np.random.Generator, n: int
    ) -> SyntheticTable:
        """A table of the rows of a task, with the noise of a table of n."""
        last = np.maximum(np.array(known.sizes) - 1, 1)
        features = len(last) - (self.apart and len(last) > 1)
        x = 2 * task.codes[:, :features] / last[:features] - 1
        classes, many = np.zeros(len(x), dtype=np.int64), 1
        if features < len(last):
            classes, many = task.codes[:, -1], known.sizes[-1]
        if self.noise == "insensitive":
            made, label = self._in_order(x, classes, many, known, chance, rng)
        else:
            made, label = self._found(task, x, classes, known, rng, n), classes
        steps = np.array(known.sizes[:features]) - 1  # 0 where a column has one cell alone
        codes = np.rint((made + 1) / 2 * steps).astype(np.int64)
        codes = np.column_stack([codes, label][: 1 + (features < len(last))])
        return SyntheticTable(codes, (None,) * len(last))

    def _in_order(
        self,
        x: Array,
        classes: clusters.Rows,
        many: int,
        known: SynthesisFacts,
        chance: Chance,
        rng: np.random.Generator,
    ) -> tuple[Array, clusters.Rows]:
        """Groups in a public order; every row that a neighbour has more or less costs as much."""
        row = known.epsilon / known.steps
        noise = chance.laplace(1 / (clusters.COUNT_SHARE * row), many)
        noisy = np.bincount(classes, minlength=many) + noise
        if known.rows is not None:
            shares = np.maximum(noisy, 0.0)
            noisy = rounded(shares, known.rows, rng).astype(np.float64)
        made, label = clusters.insensitive(
            x, classes, noisy, self.k, (1 - clusters.COUNT_SHARE) * row, rng
        )
        if not len(made):
            made, label = np.zeros((1, x.shape[1])), np.zeros(1, dtype=np.int64)
        return made, label

    def _found(
        self,
        task: Task,
        x: Array,
        classes: clusters.Rows,
        known: SynthesisFacts,
        rng: np.random.Generator,
        n: int,
    ) -> Array:
        """Groups that are found among the rows of each class."""
        made, epsilon = np.empty_like(x), known.epsilon / known.most
        for name in np.unique(classes).tolist():
            rows = classes == name
            one = np.ascontiguousarray(x[rows])
            k = min(self.k, len(one))
            found = task.remember(("groups", self.apart, name, k), lambda: _groups(one, k, task))  # noqa: B023

            def scales(size: int, columns: int, part: float) -> clusters.Scales:
                task.alive()
                return self._scales(size, columns, part, n)

            made[rows] = clusters.synthesised_by_sets(one, found, scales, epsilon, rng)
        return made

    def _scales(self, size: int, columns: int, epsilon: float, rows: int) -> clusters.Scales:
        if self.noise == "none":
            return clusters.Scales(0.0, 0.0)
        if self.noise == "printed":
            return clusters.printed_scales(size, columns, epsilon, rows)
        return clusters.fixed_scales(size, columns, epsilon)


def _groups(x: Array, k: int, task: Task) -> list[GroupedRows]:
    """Columns that go together, and the groups of rows in each of these sets."""
    return clusters.clusters_of_sets(x, clusters.feature_sets(x), k, task.alive)
