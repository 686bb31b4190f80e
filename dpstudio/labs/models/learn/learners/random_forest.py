"""A forest of random trees whose leaves are counted with noise."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array
from dpstudio.data.memory import Sized
from dpstudio.labs.models.learn.learners import learner
from dpstudio.privacy.learning import forest as learning_forest
from dpstudio.values.fields import integer
from dpstudio.values.messages import N_, Num, say


@dataclass(frozen=True, eq=False)
class Grown(Sized):
    """Exact counts in the leaves of forests, (runs, trees, leaves, classes), and the leaf of each
    test row, (runs, trees, rows): one of 256 at most."""

    counts: Array
    where: NDArray[np.uint8]

    def right(self, counts: Array, task: learner.Task) -> Array:
        """The share of test rows that forests with these counts tell right, (runs,)."""
        told = learning_forest.votes(counts, self.where.astype(np.intp)).argmax(axis=-1)
        return np.asarray(np.mean(told == task.test_y, axis=1))


class RandomForest(learner.Learner):
    """Trees drawn without a look at the rows; each counts all of them in its leaves."""

    most_runs = 40
    single = True
    key = "random_forest"
    label = N_("Random forest")
    family = "tree"
    place = "output"
    where = N_("on the counts in the leaves of random trees")
    ink = "textbook"
    source = "Jagannathan, Pillaipakkamnatt & Wright 2009"

    trees: int = integer(
        4, N_("Trees"), N_("Each of them costs its part of ε."), low=1, high=16, log=True
    )
    depth: int = integer(5, N_("Depth"), N_("How many splits lead to a leaf."), low=1, high=8)

    def claim(self, known: learner.LearningFacts) -> learner.Claim:
        text = N_(
            "The splits are drawn by lot, and no row has a part in them; a row is counted once in "
            "each of {trees} {trees:tree|trees}, with Laplace noise on every count. What draws the "
            "trees must not look at the rows."
        )
        return learner.Claim(known.epsilon, 0.0, say(text, trees=Num(self.trees)), known.epsilon)

    def scale(self, known: learner.LearningFacts) -> float:
        """Scale of the noise on each count of a leaf."""
        return learning_forest.leaf_scale(
            known.epsilon, self.trees, learning_forest.ALL, known.adjacency, known.most
        )

    def parts(self, known: learner.LearningFacts) -> tuple[learner.Part, ...]:
        return (learner.Part(say("leaves"), say("count"), known.epsilon, self.scale(known)),)

    def noiseless(self, task: learner.Task, known: learner.LearningFacts) -> float:
        grown = self._grown(task, 20, 0)
        return float(np.median(grown.right(grown.counts, task)))

    def scores(
        self, task: learner.Task, known: learner.LearningFacts, looked: learner.Replays
    ) -> Array:
        grown = self._grown(task, looked.runs, looked.seed)
        noise = self.scale(known) * learning_forest.leaf_noise(looked.generator, grown.counts)
        return grown.right(grown.counts + noise, task)

    def _grown(self, task: learner.Task, runs: int, seed: int) -> Grown:
        """So many forests; remembered, since no ε has a part in them."""

        def made() -> Grown:
            rng = np.random.Generator(np.random.SFC64([seed, 9]))
            forest = learning_forest.grow(rng, runs, self.trees, self.depth, task.sizes)
            where = learning_forest.leaves(forest, task.x)
            counts = learning_forest.leaf_counts(
                where, task.y.astype(np.intp), task.classes, self.depth
            )
            return Grown(counts, learning_forest.leaves(forest, task.test_x).astype(np.uint8))

        return task.remember(("forest", self.trees, self.depth, runs, seed), made)
