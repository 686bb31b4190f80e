"""Sentences of Synthesis: what is learnt from rows that were made, and rows that nobody holds."""

import numpy as np
import pandas as pd
import pytest
from running import LEAST, little
from scipy.stats import binomtest

from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context
from dpstudio.labs.whole_tables.synthesis import page, uses, words
from dpstudio.labs.whole_tables.synthesis.parameters import Synthesis
from dpstudio.labs.whole_tables.synthesis.ways.one_table import OneTable
from dpstudio.values.messages import render


def test_what_is_learnt_has_the_chance_of_the_rows_that_were_tried(adult: Dataset):
    """By Wilson's interval of SciPy; no single answer is right more often than the one told."""
    lab = Synthesis(columns=("age", "sex", "income"), column="income", other="sex", epsilon=1.0)
    *_, model = page.PAGE.stages(lab, Context(adult, effort=LEAST))
    assert model.uses is not None
    n = model.uses.tried
    for found, share in zip(
        uses.told_right(model.uses),
        (model.uses.here.right, model.uses.real.right, model.uses.crowd),
        strict=True,
    ):
        assert found.right == share
        interval = binomtest(round(n * share), n).proportion_ci(method="wilson")
        assert (found.low, found.high) == pytest.approx(tuple(interval))
    said = {s.key: render(s.say) for s in words.sentences(model)}["used"]
    assert said.count("at 95 %") == 3
    assert model.uses.crowd >= 1 / 2 - 1 / n  # of two classes


@pytest.mark.parametrize("epsilon", [0.05, 50.0])
def test_rows_that_nobody_holds_are_told_as_they_are_made(epsilon: float):
    """A table of cells by the thousand, of which noise alone fills most."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.integers(0, 40, (200, 2)), columns=["a", "b"])
    lab = Synthesis(columns=("a", "b"), way=OneTable(), epsilon=epsilon)
    found = little(lab, Dataset(frame, "t", "t"), LEAST)
    told = [p for p in found.problems if "rows are made of" in render(p.say)]
    made = found.sentence("range").say.values["n"].value
    assert [p.say.values["made"].value for p in told] == [made] * (epsilon < 1)
    assert (160 <= made <= 250) == (epsilon > 1)
