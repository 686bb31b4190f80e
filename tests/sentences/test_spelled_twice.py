"""Where a column that a page asks about holds a word in several spellings, the page says so, and
nothing of it leaves without the exact answer."""

import json

import pandas as pd
import pytest

from dpstudio.data.codebook import EMPTY, codebook_words
from dpstudio.data.dataset import Dataset
from dpstudio.files.write.export import leaving
from dpstudio.files.write.jsonout import findings_json
from dpstudio.labs import Lab
from dpstudio.labs.context import LITTLE, Context
from dpstudio.labs.naming import every_lab
from dpstudio.labs.spelled_twice import TWICE, asked_columns, spelled_twice
from dpstudio.values.messages import render
from dpstudio.values.parameters import domains, put

WORDS = ("Cardiology", "cardiology", "Surgery", "Neurology")
WARDS = pd.DataFrame(
    {
        "ward": [WORDS[i * i % 7 % 4] for i in range(240)],
        "age": [20 + 7 * i % 60 for i in range(240)],
        "sex": ["mf"[i % 3 % 2] for i in range(240)],
    }
)


@pytest.fixture(scope="module")
def wards() -> Dataset:
    return Dataset(WARDS, "wards")


@pytest.mark.parametrize("kind", every_lab(), ids=lambda kind: kind.key)
def test_every_lab_says_of_its_columns_what_is_spelled_twice(
    kind: type[Lab], wards: Dataset
) -> None:
    lab = kind().suited(wards)
    first = next(iter(lab.run(Context(wards, effort=LITTLE))))
    told = [render(p.say) for p in first.problems if p.field == TWICE]
    assert len(told) == ("ward" in asked_columns(lab))
    assert all("“Cardiology” = “cardiology”" in each for each in told)
    merged = wards.described(codebook_words(["ward: type=merged"]))
    assert not spelled_twice(merged, "ward")
    if "show_truth" in domains(kind):
        hidden = put(lab, "show_truth", False)
        left = leaving(next(iter(hidden.run(Context(wards, effort=LITTLE)))), hidden)
        assert "several spellings" not in json.dumps(findings_json(left))


def test_some_labs_ask_about_such_a_column(wards: Dataset) -> None:
    """Else the test above holds of nothing; who is a person, or a column of many words, is none."""
    asks = [kind for kind in every_lab() if "ward" in asked_columns(kind().suited(wards))]
    assert len(asks) > 5
    assert not spelled_twice(wards.described(EMPTY.with_person("ward")), "ward")
    many = pd.DataFrame({"word": [f"w{i}" for i in range(400)] + ["W1"]})
    assert not spelled_twice(Dataset(many, "many"), "word")
