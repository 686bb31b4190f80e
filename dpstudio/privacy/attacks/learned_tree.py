"""What can be audited: a decision tree of one split, and a forest of random trees, learned from a
small table and from its neighbour."""

from functools import cached_property

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.attacks.subject import Subject
from dpstudio.privacy.learning import forest, tree
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.queries.query import ADD_REMOVE
from dpstudio.values.fields import integer
from dpstudio.values.messages import N_
from dpstudio.values.parameters import param


class NoisyTree(Subject):
    """A tree of depth 1, of which the split and the noisy counts of both leaves leave; D′ has a row
    more. Half of ε chooses, half counts."""

    key = "noisy_tree"
    label = N_("Noisy tree")
    what = N_(
        "A decision tree of one split, chosen by the exponential mechanism, with noisy counts in "
        "its leaves: a row enters between D and D′."
    )
    whole = False

    epsilon: float = param(1.0, EPSILON)

    @property
    def strength(self) -> float:
        """By what scores are multiplied before the choice."""
        return tree.split_strength(self.epsilon / 2, 1)

    @property
    def scale(self) -> float:
        """Of the noise on a count."""
        return forest.leaf_scale(self.epsilon / 2, 1, forest.ALL, ADD_REMOVE)

    def table(self, side: int) -> tuple[tree.Cells, tree.Rows]:
        """Places of a number and of a word, and classes: those of D tell the word from the class,
        and the last row of D′ does not."""
        codes = np.array([[0, 0]] * 8 + [[3, 1]] * 8 + [[3, 0]] * side, dtype=np.intp)
        classes = np.array([0] * 8 + [1] * 8 + [1] * side, dtype=np.intp)
        return tree.Cells(codes, (4, 2), (True, False)), classes

    @cached_property
    def log_chances(self) -> Array:
        """ln of the chance of each split, (2, splits): of D and of D′."""
        out = []
        for side in (0, 1):
            table, y = self.table(side)
            root, ones = np.zeros(len(y), dtype=np.intp), np.ones(len(y))
            scores = self.strength * tree.split_scores(table, y, ones, root, 1, 2)[0]
            out.append(scores - np.logaddexp.reduce(scores))
        return np.array(out)

    def counts(self, side: int, chosen: tree.Rows) -> Array:
        """Rows of each class in both leaves of each chosen split, (len(chosen), 4)."""
        table, y = self.table(side)
        where = tree.tree_leaves(table, chosen[:, None])
        return forest.leaf_counts(where, y, 2, 1).reshape(len(chosen), 4)

    def exact(self) -> float:
        """The largest change of a chance, and one count that moves by 1."""
        apart = np.abs(self.log_chances[0] - self.log_chances[1]).max()
        return float(apart) + 1 / self.scale

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        table, y = self.table(side)
        noise = tree.tree_noise(rng, size, table, 1)
        chosen = tree.grow_trees(table, y, 2, self.strength, noise)[:, 0]
        every = self.counts(side, np.arange(noise.shape[2]))
        counts = every[chosen] + self.scale * forest.leaf_noise(rng, every[chosen])
        return np.column_stack([chosen, counts])

    def loss(self, outputs: Array) -> Array:
        chosen = outputs[:, 0].astype(np.intp)
        splits = np.arange(self.log_chances.shape[1])
        here, there = (
            self.log_chances[side][chosen]
            - np.abs(outputs[:, 1:] - self.counts(side, splits)[chosen]).sum(axis=1) / self.scale
            for side in (0, 1)
        )
        return np.asarray(here - there)


class NoisyForest(Subject):
    """Random trees that no row has a part in, the noisy counts of whose leaves leave; D′ has a row
    more, which every tree counts."""

    key = "noisy_forest"
    label = N_("Noisy forest")
    what = N_(
        "A forest of random trees with noisy counts in their leaves: a row enters between D and "
        "D′, and every tree counts it."
    )
    whole = False

    epsilon: float = param(1.0, EPSILON)
    trees: int = integer(2, N_("Trees"), N_("Each of them costs its part of ε."), low=1, high=8)

    @property
    def scale(self) -> float:
        """Of the noise on a count."""
        return forest.leaf_scale(self.epsilon, self.trees, forest.ALL, ADD_REMOVE)

    @cached_property
    def held(self) -> tuple[Array, Array]:
        """Exact counts of all leaves of D and of D′, (counts,) each."""
        drawn = forest.grow(np.random.default_rng(1), 1, self.trees, 2, (0, 2))
        x = np.array([[-0.5, 0.0], [0.5, 1.0], [0.9, 0.0]])
        here, there = (
            forest.leaf_counts(
                forest.leaves(drawn, x[: 2 + side]), np.array([0, 1, 1])[: 2 + side], 2, 2
            ).ravel()
            for side in (0, 1)
        )
        return here, there

    def exact(self) -> float:
        return float(np.abs(self.held[0] - self.held[1]).sum()) / self.scale

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        exact = np.broadcast_to(self.held[side], (size, len(self.held[side])))
        return exact + self.scale * forest.leaf_noise(rng, exact)

    def loss(self, outputs: Array) -> Array:
        here, there = (np.abs(outputs - held).sum(axis=1) for held in self.held)
        return np.asarray((there - here) / self.scale)
