"""What Local learning says of odds, by the channel of every person: each report with the ε that
comes with it, between any two rows."""

import math
import random

import numpy as np
import pandas as pd
import pytest
from running import LEAST, little
from scipy.stats import binomtest

from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context
from dpstudio.labs.nobody.local_learning.model import each_epsilon
from dpstudio.labs.nobody.local_learning.page import PAGE
from dpstudio.labs.nobody.local_learning.parameters import CELL_PROTOCOLS, LocalLearning
from dpstudio.labs.nobody.local_learning.task import task_of
from dpstudio.values.messages import render

ROWS = [("a", "u"), ("a", "v"), ("b", "u"), ("b", "v"), ("c", "u")]
TABLE = Dataset(
    pd.DataFrame(ROWS * 20 + [("a", "v")] * 15 + [("b", "u")] * 9, columns=["label", "w"]), "t", "t"
)


def listed(protocol, d: int) -> bool:
    """Whether the protocol lists its reports."""
    try:
        protocol.channel(d)
    except NotImplementedError:
        return False
    return True


def test_the_odds_between_any_two_rows() -> None:
    """One question of six symbols, class and word: no report multiplies the odds between two rows
    by more than the sentence says."""
    rng = random.Random(1)
    kinds = [kind for kind in CELL_PROTOCOLS if listed(kind(epsilon=1.0), 6)]
    for _ in range(6):
        epsilon = round(rng.uniform(0.1, 3), 2)
        lab = LocalLearning(
            features=("w",),
            predicts="label",
            protocol=rng.choice(kinds)(epsilon=epsilon),
            reports=rng.choice(["one", "all"]),
        )
        (*_, model) = PAGE.stages(lab, Context(TABLE, effort=LEAST))
        assert each_epsilon(model) == epsilon
        told = {s.key: s for s in PAGE.sentences(model)}
        factor = told["odds"].say.values["factor"].value
        logs = lab.protocol.channel(6)
        assert (logs.max(axis=1) - logs.min(axis=1)).max() <= math.log(factor) + 1e-9


def test_without_exact_scores_no_class_is_named() -> None:
    lab = LocalLearning(features=("w",), predicts="label", show_truth=False)
    found = little(lab, TABLE, LEAST)
    assert "“c”" not in " ".join(render(s.say) for s in found.sentences)


def test_no_single_answer_is_right_more_often_than_the_one_that_is_told() -> None:
    """Whichever rows test, and whoever learns; its interval is SciPy's."""
    for seed in range(1, 12):
        lab = LocalLearning(features=("w",), predicts="label", seed=seed, test=0.1)
        (*_, model) = PAGE.stages(lab, Context(TABLE, effort=LEAST))
        tested = task_of(lab, TABLE).test_y
        most = max(int(np.sum(tested == answer)) for answer in np.unique(tested))
        found = {fact.key: fact for fact in PAGE.facts(model)}["majority"]
        assert found.value == most / len(tested)
        ends = binomtest(most, len(tested)).proportion_ci(method="wilson")
        said = found.note.values
        assert (said["low"].value, said["high"].value) == pytest.approx(tuple(ends))
