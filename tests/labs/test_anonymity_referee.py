"""Anonymity at random states against pandas, and at those that a hand may type by mistake."""

import numpy as np
import pandas as pd
import pytest
from random_states import random_state
from running import first_rows, little

from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import LITTLE, Context
from dpstudio.labs.whole_tables.anonymity import attacked, model
from dpstudio.labs.whole_tables.anonymity.choices.promises import Closeness, Diversity, Size
from dpstudio.labs.whole_tables.anonymity.parameters import Anonymity
from dpstudio.labs.whole_tables.anonymity.ways.boxes import Mondrian
from dpstudio.labs.whole_tables.anonymity.ways.heights.full_domain import FullDomain
from dpstudio.labs.whole_tables.rows.model import risk_before
from dpstudio.privacy.anonymity.loss import average_class, discernibility
from dpstudio.privacy.anonymity.models import EQUAL, ORDERED
from dpstudio.values.messages import render

RNG = np.random.default_rng(18)
GAPS = Dataset(
    pd.DataFrame(
        {
            "word": RNG.choice(list("abc"), 60),
            "gone": np.full(60, np.nan),
            "some": np.where(RNG.random(60) < 0.3, np.nan, RNG.integers(0, 9, 60)),
            "kind": RNG.choice(list("xy"), 60),
        }
    ),
    "gaps",
)
NAMES = ("age", "sex", "race", "education-num", "workclass", "hours-per-week")


def last(lab: Anonymity, data: Dataset) -> model.AnonymityModel:
    *_, found = model.stages(lab, Context(data, effort=LITTLE))
    return found


def words(frame: pd.DataFrame, names: tuple[str, ...]) -> pd.Series:
    """The values of some columns as one number a row, a missing one as one of its own."""
    return frame.groupby(list(names), dropna=False, observed=True).ngroup()


def alone(values: pd.Series) -> np.ndarray:
    return (values.map(values.value_counts()) == 1).to_numpy()


@pytest.mark.parametrize("seed", range(6))
def test_every_number_of_a_random_state_by_pandas(seed: int, adult: Dataset) -> None:
    rng = np.random.default_rng(seed)
    promise = [Size(k=4), Diversity(k=3, l=2.0), Closeness(k=5, t=0.4)][seed % 3]
    chosen = random_state([Mondrian, FullDomain][seed % 2], seed, adult)
    names = tuple(rng.permutation(NAMES)[: rng.integers(1, 4)].tolist())
    known = tuple(rng.permutation(NAMES)[:3].tolist())
    lab = Anonymity(
        quasi=names, sensitive="marital-status", promise=promise, algorithm=chosen, known=known
    )
    frame = first_rows(2000)._frame
    found = last(lab, Dataset(frame, "some of Adult"))
    before = words(frame, names)
    assert risk_before(found).unique == alone(before).mean()
    assert risk_before(found).highest == 1 / before.value_counts().min()
    assert risk_before(found).marketer == before.nunique() / len(frame)
    of, there = found.classes.of, found.classes.of >= 0
    values = frame["marital-status"].astype(str)
    held = pd.crosstab(of[there], values[there].to_numpy())
    sizes, gone = held.sum(axis=1), int((~there).sum())
    assert found.classes.k == sizes.min() >= promise.k
    assert discernibility(found.classes) == (sizes**2).sum() + gone * len(frame)
    assert average_class(found.classes, promise.k) == pytest.approx(
        len(frame[there]) / len(held) / promise.k
    )
    assert model.lines(found) == (held > 0).to_numpy().sum()
    different = (held > 0).sum(axis=1)
    assert model.same(found) == ((different == 1).sum(), sizes[different == 1].sum())
    assert model.least_diverse(found) == different.min() >= getattr(promise, "l", 1)
    inside, order = held.div(sizes, axis=0), list(found.rows.sensitive.words)
    overall = values.value_counts(normalize=True).reindex(order)
    shown = values[there].value_counts(normalize=True).reindex(order).fillna(0.0)
    apart = inside.reindex(columns=order).fillna(0.0) - shown
    assert model.farthest(found, EQUAL) == pytest.approx(apart.abs().sum(axis=1).max() / 2)
    moved = apart.cumsum(axis=1).abs().sum(axis=1) / (len(order) - 1)
    assert model.farthest(found, ORDERED) == pytest.approx(moved.max())
    assert attacked.times_likelier(found) == pytest.approx((inside / overall).max(axis=None))


def test_what_might_be_known_may_be_missing_in_all_rows() -> None:
    """A run broke off half way: a column without a number has no classes."""
    lab = Anonymity(quasi=("word",), sensitive="kind", known=("word", "gone"))
    assert len(attacked.by_columns(last(lab, GAPS))[0]) == 1
    assert not little(lab.with_(known=("gone", "word")), GAPS).problems


def test_weights_name_columns_of_the_table_and_are_spoken_of_where_they_count() -> None:
    lab = Anonymity(quasi=("word", "some"), sensitive="kind", known=())
    for wrong, said in ((("ward=2",), "no column"), (("word=2", "word = 3"), "twice")):
        (problem,) = little(lab.with_(weights=wrong), GAPS).problems
        assert (problem.field, said in render(problem.say)) == ("weights", True)
    for weights, counted in ((("gone=2",), False), (("word=2",), True), (("word=1",), False)):
        note = little(lab.with_(weights=weights), GAPS).fact("loss").note
        assert ("weighed" in render(note)) == counted
    sums = little(lab.with_(quasi=("word",)), GAPS).sentence("averages")
    assert sums.say.values["dm"].value == (60 * words(GAPS._frame, ("word",)).value_counts(
        normalize=True
    )).pow(2).sum()  # fmt: skip


def test_rows_that_are_left_out_are_spoken_of(adult: Dataset) -> None:
    """Discernibility counts each as all rows, and nobody guesses who is not there."""
    for part, out in ((0.0, False), (0.05, True)):
        lab = Anonymity(algorithm=FullDomain(suppressed=part), known=())
        shown = little(lab, adult)
        assert ("left out, is" in render(shown.sentence("averages").say)) == out
        assert ("row that is left" in render(shown.sentence("marketer").say)) == out
