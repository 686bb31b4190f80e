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
from dpstudio.labs.nobody.local_learning.model import class_told, each_epsilon
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


@pytest.mark.parametrize("careful", ["none", "lot", "class"])
def test_the_odds_between_any_two_rows(careful: str) -> None:
    """One question of six symbols, class and word; where the sentence bounds the odds between two
    rows, no report with its ε multiplies them by more, and where it says that nothing bounds them,
    some report comes from one of them alone."""
    rng, seen = random.Random(careful), set[bool]()
    kinds = [kind for kind in CELL_PROTOCOLS if listed(kind(epsilon=1.0), 6)]
    for _ in range(6):
        epsilon, own = (round(rng.uniform(0.1, 3), 2) for _ in range(2))
        own = epsilon if rng.random() < 0.3 else own
        lab = LocalLearning(
            features=("w",),
            predicts="label",
            protocol=rng.choice(kinds)(epsilon=epsilon),
            careful=careful,
            careful_epsilon=own,
            reports=rng.choice(["one", "all"]),
        )
        (*_, model) = PAGE.stages(lab, Context(TABLE, effort=LEAST))
        assert each_epsilon(model) == epsilon
        told = {s.key: s for s in PAGE.sentences(model)}
        factor = told["odds"].say.values["factor"].value
        most = worst(lab, careful, epsilon, own)
        assert most[class_told(model)] <= math.log(factor) + 1e-9
        assert math.isinf(most[False]) == class_told(model)
        assert ("nothing bounds them" in render(told["odds"].say)) == math.isinf(most[False])
        assert ("but one" in render(told["neighbours"].say)) == math.isinf(most[False])
        seen.add(class_told(model))
    assert seen == ({True, False} if careful == "class" else {False})


def worst(lab: LocalLearning, careful: str, epsilon: float, own: float) -> dict[bool, float]:
    """ln of the largest ratio of chances of (ε, report) between two rows: of those that choose the
    same ε (True), and of any two (False). The class c is the rarest; by lot a coin that no row has
    a part in says who is careful."""
    laws = []
    for symbol in range(6):
        share = {"none": 0.0, "lot": 0.5, "class": float(symbol // 2 == 2)}[careful]
        law: dict[tuple[float, int], float] = {}
        for chosen, weight in ((own, share), (epsilon, 1 - share)):
            for i, log in enumerate(lab.protocol.at(chosen).channel(6)[:, symbol]):
                law[chosen, i] = law.get((chosen, i), 0.0) + weight * math.exp(log)
        laws.append(law)
    found = {True: 0.0, False: 0.0}
    for one in range(6):
        for other in range(6):
            ratios = [
                np.inf if laws[other].get(at, 0.0) == 0 else p / laws[other][at]
                for at, p in laws[one].items()
                if p > 0
            ]
            found[False] = max(found[False], math.log(max(ratios)))
            if careful != "class" or (one // 2 == 2) == (other // 2 == 2):
                found[True] = max(found[True], math.log(max(ratios)))
    return found


def test_without_exact_scores_no_class_is_named() -> None:
    found = little(
        LocalLearning(features=("w",), predicts="label", careful="class", show_truth=False),
        TABLE,
        LEAST,
    )
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
