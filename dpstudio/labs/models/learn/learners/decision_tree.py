"""A decision tree whose splits are chosen, and whose leaves are counted, with noise."""

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array
from dpstudio.labs.models.learn.learners import learner
from dpstudio.privacy.learning import tree
from dpstudio.privacy.learning.forest import ALL, leaf_counts, leaf_noise, leaf_scale, votes
from dpstudio.values.fields import integer, real
from dpstudio.values.messages import N_, Num, say

_EXACT = 1e9  # by what scores are multiplied where the best split is chosen


class DecisionTree(learner.Learner):
    """Each node takes a split by the exponential mechanism; leaves count their classes with
    noise."""

    most_runs = 40
    single = True
    key = "decision_tree"
    label = N_("Decision tree")
    family = "tree"
    place = "algorithm"
    where = N_("on the choice of each split, and on the leaves")
    ink = "discrete_gaussian"
    source = "Friedman & Schuster 2010; exponential: McSherry & Talwar 2007"

    depth: int = integer(3, N_("Depth"), N_("How many splits lead to a leaf."), low=1, high=6)
    choosing: float = real(
        0.5,
        N_("Share for the splits"),
        N_("The rest of ε goes to the counts in the leaves."),
        low=0.01,
        high=0.99,
        percent=True,
    )

    def claim(self, known: learner.LearningFacts) -> learner.Claim:
        text = N_(
            "A row lies in one node of each of {depth} {depth:level|levels} and in one leaf: the "
            "splits of a level are parallel, levels and leaves add up. Each split is a choice of "
            "the exponential mechanism, whose score (Gini) one row moves by at most 2."
        )
        return learner.Claim(known.epsilon, 0.0, say(text, depth=Num(self.depth)), known.epsilon)

    def parts(self, known: learner.LearningFacts) -> tuple[learner.Part, ...]:
        chosen = known.epsilon * self.choosing
        splits = learner.Part(
            say("splits"),
            say("choice"),
            chosen,
            1 / tree.split_strength(chosen, self.depth, known.moved),
        )
        return splits, learner.Part(
            say("leaves"), say("count"), known.epsilon - chosen, self.scale(known)
        )

    def scale(self, known: learner.LearningFacts) -> float:
        """Scale of the noise on each count of a leaf."""
        left = known.epsilon * (1 - self.choosing)
        return leaf_scale(left, 1, ALL, known.adjacency, known.most)

    def noiseless(self, task: learner.Task, known: learner.LearningFacts) -> float:
        learnt, tested = _cells(task)
        none = np.zeros((1, 2**self.depth - 1, len(tree.candidates(learnt))))
        chosen = tree.grow_trees(learnt, _classes(task), task.classes, _EXACT, none)
        return float(self._right(task, learnt, tested, chosen, None)[0])

    def scores(
        self, task: learner.Task, known: learner.LearningFacts, looked: learner.Replays
    ) -> Array:
        learnt, tested = _cells(task)
        rng = looked.generator
        noise = tree.tree_noise(rng, looked.runs, learnt, self.depth)
        strength = tree.split_strength(known.epsilon * self.choosing, self.depth, known.moved)
        chosen = tree.grow_trees(learnt, _classes(task), task.classes, strength, noise)
        return self._right(task, learnt, tested, chosen, (rng, self.scale(known)))

    def _right(
        self,
        task: learner.Task,
        learnt: tree.Cells,
        tested: tree.Cells,
        chosen: NDArray[np.intp],
        noise: tuple[np.random.Generator, float] | None,
    ) -> Array:
        """The share that trees with these splits tell right, counts with noise or without."""
        where = tree.tree_leaves(learnt, chosen)
        counts = leaf_counts(where, _classes(task), task.classes, self.depth)
        if noise is not None:
            counts = counts + noise[1] * leaf_noise(noise[0], counts)
        told = votes(counts, tree.tree_leaves(tested, chosen)).argmax(axis=-1)
        return np.asarray(np.mean(told == task.test_y, axis=1))


def _cells(task: learner.Task) -> tuple[tree.Cells, tree.Cells]:
    made: tuple[tree.Cells, tree.Cells] = task.remember(
        "cells", lambda: (tree.cells(task.x, task.sizes), tree.cells(task.test_x, task.sizes))
    )
    return made


def _classes(task: learner.Task) -> NDArray[np.intp]:
    return task.y.astype(np.intp)
