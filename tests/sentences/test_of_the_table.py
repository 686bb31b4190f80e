"""An interval about an answer is about the table: whatever page leads with one says so, and what a
sample adds to it is one click away, as resampled tables show it."""

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from random_states import random_state
from running import LEAST, little

from dpstudio.charts.figure import array
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context
from dpstudio.labs.findings import Findings
from dpstudio.labs.naming import every_lab
from dpstudio.labs.one_answer.explore.parameters import Explore
from dpstudio.labs.page import Lab
from dpstudio.privacy.queries import ADD_REMOVE, QUERIES
from dpstudio.values.messages import render
from dpstudio.values.parameters import put

LEADS = re.compile(r"±|% of (answers|releases)|at \d+ %|with(in)? [\d,.]+ % of")
WHOSE = re.compile(
    r"are a random sample|sampling (included|left out|error)|who (was|is) not (asked|in the room)|"
    r"the sample alone|hidden; the noise"
)
# Numbers of the noise alone, of models on the rows of a test, or of what a text prints.
OF_NO_ANSWER = {
    "selection", "sensitivity", "dimension", "printed", "stories", "composition", "averaging",
    "differencing", "reconstruction", "membership", "linkage", "inversion", "float_leak",
    "learn", "components", "clusters", "local_learning", "synthesis", "owners", "anonymity",
    "risk", "masking", "rules",
    "compress", "audit", "guarantee",
}  # fmt: skip


@pytest.mark.parametrize(
    "kind", [k for k in every_lab() if k.key not in OF_NO_ANSWER], ids=lambda kind: kind.key
)
def test_a_page_that_leads_with_an_interval_says_of_whom_it_is(
    kind: type[Lab], adult: Dataset, default_findings: Callable[[type[Lab]], Findings]
) -> None:
    found = [default_findings(kind)]
    found += [random_state(kind, seed, adult).last(Context(adult, effort=LEAST)) for seed in (1, 2)]
    for one in found:
        first = [render(one.sentence(key).say) for key in one.headline if not one.problems]
        first += [render(fact.text) + render(fact.note) for fact in one.facts[: one.leading]]
        said = [render(sentence.say) for sentence in one.sentences]
        if LEADS.search(" ".join(first)):
            assert WHOSE.search(" ".join(said)), first


ROWS = 160
TABLE = pd.DataFrame(
    {
        "age": np.random.default_rng(1).integers(17, 90, ROWS),
        "hours": np.random.default_rng(2).normal(40, 12, ROWS).round(1),
        "work": np.random.default_rng(3).choice(["a", "b", "c"], ROWS, p=[0.5, 0.3, 0.2]),
    }
)
OLD, AGED = TABLE["age"] > 50, (TABLE["age"] > 30) | (TABLE["hours"] < 20)
IS = [TABLE["work"] == word for word in "abc"]
BOTH = {"column": "hours", "low": 30.0, "high": 60.0}
BY = {**BOTH, "by": "work", "where": "age > 30 or hours < 20"}
# The question, and the rows that each part of its answer is about.
ASKED: list[tuple[str, dict[str, Any], list[Any]]] = [
    ("count", {"where": "age > 50"}, [OLD]),
    ("sum", {**BOTH, "where": "age > 50"}, [OLD]),
    ("mean", {**BOTH, "where": "age > 50"}, [OLD]),
    ("histogram", {"column": "work"}, IS),
    ("grouped", {**BY, "statistic": "count"}, [AGED & one for one in IS]),
    ("grouped", {**BY, "statistic": "sum"}, [AGED & one for one in IS]),
    ("grouped", {**BY, "statistic": "mean"}, [AGED & one for one in IS]),
    ("contingency", {"first": "work", "second": "work"}, [a & b for a in IS for b in IS]),
    ("counts", {"conditions": ("age > 50", "hours > 40")}, [OLD, TABLE["hours"] > 40]),
]


@pytest.mark.parametrize(("key", "settings", "rows"), ASKED)
def test_sampling_against_resampled_tables(
    key: str, settings: dict[str, Any], rows: list[Any]
) -> None:
    query = next(kind for kind in QUERIES if kind.key == key)()
    for name, value in settings.items():
        query = put(query, name, value)
    data = Dataset(TABLE, "t")
    asked = query.ask(data, ADD_REMOVE)
    drawn = np.random.default_rng(7).integers(0, ROWS, (4000, ROWS))
    values = np.clip(TABLE["hours"].to_numpy(), 30.0, 60.0)
    statistic = settings.get("statistic", key)
    for part, mask in enumerate(rows):
        inside = mask.to_numpy()[drawn].astype(float)
        counts, sums = inside.sum(axis=1), (inside * values[drawn]).sum(axis=1)
        seen = {"sum": sums, "mean": sums / np.maximum(counts, 1)}.get(statistic, counts)
        found = query.sampling_variance(data, asked.truth, part)
        assert math.sqrt(found) == pytest.approx(np.std(seen), rel=0.06)


def test_every_other_question_claims_nothing_of_sampling() -> None:
    """Not a number that was worked out for another one."""
    known = {key for key, _, _ in ASKED}
    for kind in QUERIES:
        if kind.key not in known:
            assert kind().sampling_variance(Dataset(TABLE, "t"), array([1.0]), 0) is None


def test_a_hidden_answer_tells_nothing_of_its_sample() -> None:
    """And of rows that do not differ nothing is claimed."""
    told = {}
    for shown in (True, False):
        for age in (50, 51):
            data = Dataset(TABLE.assign(age=TABLE["age"].where(TABLE["age"] < 60, age)), "t")
            lab = Explore(query=Explore().query.with_(where="age > 50"), show_truth=shown)
            told[shown, age] = render(little(lab, data).sentence("sampling").say)
    assert told[True, 50] != told[True, 51]
    assert told[False, 50] == told[False, 51]
    assert "±" not in told[False, 50]
    lab = put(put(Explore(), "query", "count"), "query.where", "")
    assert "cannot be told" in render(little(lab, Dataset(TABLE, "t")).sentence("sampling").say)
