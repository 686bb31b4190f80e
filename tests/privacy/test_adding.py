"""A mechanism or a query is added by its class and its name in the catalogue: everything else
follows."""

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pytest
from contracts import CHECKS, even
from numpy.typing import ArrayLike
from running import LEAST, little

from dpstudio import cli
from dpstudio.data.dataset import Dataset
from dpstudio.labs.naming import every_lab, lab_kind
from dpstudio.labs.one_answer.explore.parameters import Explore
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.privacy.mechanisms.additive import Additive, Sensitivity
from dpstudio.privacy.mechanisms.law import Array, Law
from dpstudio.privacy.neighbours.one_number import pair_of
from dpstudio.privacy.queries import QUERIES, MeasuredQuestion
from dpstudio.privacy.queries.total import Mean
from dpstudio.values.messages import render
from dpstudio.values.parameters import ParamError, Real, from_json, param, put, to_json

LABS = every_lab()


@dataclass(frozen=True)
class LogisticLaw(Law):
    """Density e^(−x/s) / s(1 + e^(−x/s))²: only what a law must give, with no δ of its own."""

    s: float

    def density(self, x: ArrayLike) -> Array:
        decay = np.exp(-np.abs(np.asarray(x, dtype=np.float64)) / self.s)
        return decay / (self.s * (1 + decay) ** 2)

    def cdf(self, x: ArrayLike) -> Array:
        x = np.asarray(x, dtype=np.float64)
        decay = np.exp(-np.abs(x) / self.s)
        return np.where(x < 0, decay, 1.0) / (1 + decay)

    def quantile(self, u: ArrayLike) -> Array:
        u = np.asarray(u, dtype=np.float64)
        return self.s * (np.log(u) - np.log1p(-u))

    @property
    def mean_abs(self) -> float:
        return 2 * math.log(2) * self.s

    @property
    def variance(self) -> float:
        return math.pi**2 * self.s**2 / 3


class Logistic(Additive):
    """Logistic noise of scale `wide`·Δ₁/ε: its log-density is 1/s-Lipschitz, so it is ε-DP."""

    key = "logistic"
    label = "Logistic"
    source = "this test"
    wide: float = param(1.0, Real("Wide", low=1, high=10))

    def law(self, sensitivity: Sensitivity) -> LogisticLaw:
        return LogisticLaw(self.wide * sensitivity.l1 / self.epsilon)


@pytest.fixture(autouse=True)
def added() -> Iterator[None]:
    """The name in the catalogue, and nothing else."""
    MECHANISMS.append(Logistic)
    yield
    MECHANISMS.remove(Logistic)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_contract_of_the_new_mechanism(check) -> None:
    for epsilon in (0.1, 1.0, 5.0):
        for size in (1, 3.7):
            check(Logistic(epsilon=epsilon), even(size))


def run(lab: Explore, data: Dataset):
    *_, found = lab.run(data)
    return found


def test_it_is_explored(adult: Dataset) -> None:
    """Interval, curve and the ε that a target needs follow from the law alone."""
    lab = put(Explore(), "mechanism", "logistic")
    assert lab.mechanism == Logistic(epsilon=0.1)
    found = run(lab, adult)
    half = 10 * math.log(1.95 / 0.05)
    assert found.fact("interval").value == pytest.approx((6460 - half, 6460 + half))
    line = found.figure("tradeoff").layer("trade")
    assert line.y == pytest.approx(math.log(1.95 / 0.05) / line.x, rel=1e-9)
    assert found.sentence("needed").say.values["epsilon"].value == pytest.approx(
        math.log(39) / 64.6, rel=1e-6
    )
    assert found.figure("tradeoff").layer("beside").label.text == "Gaussian"


def test_its_own_parameter_moves_every_picture(adult: Dataset) -> None:
    """What is remembered on the dataset must not mix up two values of a parameter that no other
    mechanism has."""
    narrow = put(Explore(), "mechanism", "logistic")
    wide = put(narrow, "mechanism.wide", "2")
    one, two = run(narrow, adult), run(wide, adult)
    assert two.fact("typical").value == pytest.approx(2 * one.fact("typical").value)
    needed = [f.sentence("needed").say.values["epsilon"].value for f in (one, two)]
    assert needed[1] == pytest.approx(2 * needed[0], rel=1e-6)
    curves = [f.figure("tradeoff").layer("trade").y for f in (one, two)]
    assert curves[1] == pytest.approx(2 * curves[0], rel=1e-9)


@pytest.mark.parametrize(
    "settings",
    [
        ["query=mean"],
        ["query=histogram", "largest=yes", "adjacency=replace"],
        ["query=sum", "show_truth=no"],
    ],
)
def test_it_works_with_every_question(adult: Dataset, settings: list[str]) -> None:
    lab = put(Explore(), "mechanism", "logistic")
    for setting in settings:
        lab = put(lab, *setting.split("="))
    assert len(run(lab, adult).figures) == 4


def test_its_pairs_are_those_of_its_law(adult: Dataset) -> None:
    """Cut into cells: tanh(1/4) is the exact distance of two logistic laws one scale apart. Where
    many losses are rounded up, nobody is said to be right more often than the promise allows."""
    assert pair_of(LogisticLaw(1.0), 1.0).advantage == pytest.approx(math.tanh(0.25), abs=1e-6)
    assert pair_of(LogisticLaw(0.08), 1.0).certain < 1e-12  # no answer tells all
    lab = put(lab_kind("reconstruction")(), "mechanism", "logistic")
    chart = little(lab.suited(adult), adult, LEAST).figure("success")
    assert (chart.layer("best").y <= chart.layer("promised").y + 1e-9).all()


def test_it_is_saved_and_read() -> None:
    lab = put(put(Explore(), "mechanism", "logistic"), "mechanism.wide", "3")
    assert from_json(LABS, json.loads(json.dumps(to_json(lab)))) == lab
    for name, value in Logistic.invalid_examples():
        with pytest.raises(ParamError, match=name):
            Logistic(**{name: value})


def test_the_command_line_knows_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", "explore", "mechanism=logistic", "mechanism.wide=2", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["lab"]["mechanism"] == {"kind": "logistic", "epsilon": 0.1, "wide": 2.0}
    assert cli.main(["run", "explore", "--help"]) == 0
    assert "(logistic)" in capsys.readouterr().out


class Average(Mean):
    """A mean whose measurements have names that no other query has."""

    key = "average"
    label = "Average"

    def measure_rows(self, data: Dataset, adjacency: str) -> MeasuredQuestion:
        found = super().measure_rows(data, adjacency)
        named = zip(("purse", "heads"), found.measurements, strict=True)
        return replace(
            found, measurements=tuple(replace(m, name=name, about="") for name, m in named)
        )


@pytest.mark.parametrize("lab", ["explore", "sensitivity"])
def test_a_new_query_names_its_measurements(lab: str, adult: Dataset) -> None:
    QUERIES.append(Average)
    try:
        made = put(lab_kind(lab)(), "query", "average")
        said = [render(s.say) for s in little(made.suited(adult), adult, LEAST).sentences]
    finally:
        QUERIES.remove(Average)
    assert any("purse" in one for one in said)
