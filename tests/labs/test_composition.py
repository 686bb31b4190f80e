"""Composition: the list's text, the facts' numbers, each bound against its bare formula, inverses,
the attack against its law."""

import json
import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from running import FEW_POINTS, little
from scipy import special

from dpstudio.charts.figure import Handle
from dpstudio.charts.figure import Line as Arrow
from dpstudio.charts.inks import OUTSIDE
from dpstudio.data.dataset import Dataset
from dpstudio.files.write.jsonout import findings_json
from dpstudio.labs.bound_names import SHORT, total_of
from dpstudio.labs.context import LITTLE, Context
from dpstudio.labs.findings import Findings
from dpstudio.labs.many_answers.composition import groups, page, parameters, total_charts
from dpstudio.labs.many_answers.composition.budget import (
    affordable,
    applying,
    epsilon_each,
    kept_by_bound,
)
from dpstudio.labs.many_answers.composition.curves import crossings, curves, drawn_k
from dpstudio.labs.many_answers.composition.model import (
    CompositionModel,
    bound_of,
    bounds,
    composition_model,
    tightest,
    valued,
)
from dpstudio.labs.release_list import Line, Parts, Releases, refitted
from dpstudio.labs.series_ledger import ledger_of
from dpstudio.labs.series_model import beginning, by_adding, delta_at, total_epsilon
from dpstudio.privacy.accounting import (
    ACCOUNTANTS,
    Ledger,
    Numeric,
    Optimal,
    Parallel,
    Shortcut,
    Spend,
    pays_from,
)
from dpstudio.privacy.accounting.optimal import optimal_log_delta
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.privacy.mechanisms.gaussian import AnalyticGaussian, TextbookGaussian
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.values.messages import raw, render
from dpstudio.values.parameters import ParamError, from_json, put, to_json

DATA = Dataset(pd.DataFrame({"x": [1.0]}), "one row")
CLOSED = ("sequential", "drv", "tanh", "kov35", "optimal", "zcdp", "zcdp_tight", "shortcut")
RELEASES = Releases("releases")
DELTA_PRIME = 1e-5

# More bounds than the five that a new page draws.
MANY = ("sequential", "drv", "kov35", "optimal", "zcdp_tight", "renyi", "gdp", "pld", "shortcut")


def lab(**fields) -> parameters.Composition:
    return parameters.Composition(**{"bounds": CLOSED, **fields})


def run(**fields) -> Findings:
    """What it finds with all of its draws, on curves of few points."""
    return little(lab(**fields), DATA, FEW_POINTS)


def model(**fields) -> CompositionModel:
    return composition_model(lab(**fields), DATA)


def values(**fields) -> dict[str, float]:
    return {v.bound.key: v.epsilon for v in valued(model(**fields))}


def printed(k: float, epsilon: float, delta_prime: float) -> dict[str, float]:
    """The closed forms, written out once more."""
    wide, rho = math.sqrt(2 * k * math.log(1 / delta_prime)), k * epsilon**2 / 2
    middle = k * epsilon * math.tanh(epsilon / 2)
    third = middle + epsilon * math.sqrt(
        2 * k * math.log(math.e + math.sqrt(k) * epsilon / delta_prime)
    )
    return {
        "sequential": k * epsilon,
        "drv": epsilon * wide + k * epsilon * math.expm1(epsilon),
        "tanh": epsilon * wide + middle,
        "kov35": min(k * epsilon, epsilon * wide + middle, third),
        "zcdp": rho + 2 * math.sqrt(rho * math.log(1 / delta_prime)),
        "shortcut": 2 * epsilon * wide,
    }


# The list


members = st.builds(
    lambda times, kind, epsilon, delta, chance: Line(
        times,
        kind(epsilon=epsilon) if kind.pure else kind(epsilon=epsilon, delta=delta),
        chance=chance,
    ),
    st.sampled_from([1, 2, 30, 1_000_000]),
    st.sampled_from(MECHANISMS),
    st.sampled_from([0.001, 0.1, 0.3, 2.5, 50.0]),
    st.sampled_from([1e-12, 1e-6, 0.5]),
    st.sampled_from([1.0, 1e-6, 0.01, 0.5]),
)
entries = st.one_of(
    st.builds(lambda line, locked: replace(line, locked=locked), members, st.booleans()),
    st.builds(
        lambda n, parts, locked: Parts(n, tuple(parts), locked),
        st.integers(1, 9),
        st.lists(members, min_size=2, max_size=4),
        st.booleans(),
    ),
)


@given(st.lists(entries, min_size=1, max_size=6))
def test_a_list_survives_text_and_json(value) -> None:
    assert RELEASES.check(RELEASES.show(value)) == tuple(value)
    assert RELEASES.check(json.loads(json.dumps(RELEASES.to_json(value)))) == tuple(value)


def test_what_people_type() -> None:
    """Order and brackets are kept; several ways to write a count, an exponent and spaces."""
    typed = " 1,000×laplace 0,1|2*( gaussian 5e-1 1e-6+3 x laplace 1e+0 ) |  laplace 0.1"
    assert (
        RELEASES.show(RELEASES.check(typed))
        == "1000 x laplace 0.1 | 2 x (gaussian 0.5 1e-6 + 3 x laplace 1) | laplace 0.1"
    )
    state = lab(given="list", releases=typed)
    assert from_json([parameters.Composition], json.loads(json.dumps(to_json(state)))) == state
    for bad, word in {
        "laplace": "laplace 0.1",
        "gaussian 0.5": "its ε and its δ",
        "laplace 0.5 1e-5": "its δ is 0",
        "noise 1": "not one of: laplace",
        "(laplace 1)": "two or more",
        "((laplace 1 + laplace 2) + laplace 1)": "brackets",
        "laplace 1 + laplace 2": "brackets",
        "laplace 70": "outside",
        "": "no release",
        "locked": "behind the release",
        "locked laplace 1": "at the end",
        "(laplace 1 locked + laplace 2)": "behind the brackets",
        "laplace 1 locked locked": "once",
        "laplace 1 sampled": "chance of everybody",
        "laplace 1 sampled 0": "outside",
        "laplace 1 sampled 0.1 0.2": "chance of everybody",
        "sampled 0.1": "a mechanism and its ε",
        "(laplace 1 + laplace 2) sampled 0.1": "brackets",
    }.items():
        with pytest.raises(ParamError) as caught:
            put(state, "releases", bad)
        sentence = render(caught.value.sentence)
        assert caught.value.field == "releases"
        assert word in sentence
        assert sentence.endswith(".")


SAMPLED = "100 x gaussian 1 1e-6 Sampled 0,01 | (laplace 0.2 sampled 1 + laplace 3 sampled 0.05)"


def test_sampled_releases() -> None:
    """What they cost by adding up is the closed form; every bound that is said is above what is
    certified; the budget's factor meets the budget; replace-one is refused and mended."""
    fields = {"given": "list", "releases": SAMPLED, "bounds": MANY}
    text = "100 x gaussian 1 1e-6 sampled 0.01 | (laplace 0.2 + laplace 3 sampled 0.05)"
    assert RELEASES.show(lab(**fields).releases) == text
    first, other = (math.log1p(q * math.expm1(e)) for q, e in ((0.01, 1.0), (0.05, 3.0)))
    one = composition_model(lab(**fields), DATA, fine=True)
    assert by_adding(one) == pytest.approx(100 * first + 0.2 + other, rel=1e-12)
    assert one.own_delta == pytest.approx(1e-6)
    least = Numeric().bracket(one.ledger, one.delta)[0]
    assert {v.bound.key for v in valued(one)} == {
        "sequential",
        "drv",
        "kov35",
        "optimal",
        "pld",
    } | {"renyi"}
    assert all(v.epsilon >= least for v in valued(one) if v.bound.proven)
    for kept in kept_by_bound(one):
        more = tuple(
            refitted(entry, lambda m, f=kept.factor: m.at(m.epsilon * f, m.total_delta))
            for entry in one.entries
        )
        total = kept.bound.epsilon(ledger_of(more, "add_remove", 1), one.delta)
        assert total == pytest.approx(10.0, rel=1e-6), kept.bound.key
    found = run(**fields)
    assert "sampled" in {s.key for s in found.sentences}
    replaced = run(**fields, adjacency="replace")
    (stopped,) = (p for p in replaced.problems if p.stops)
    assert stopped.field == "adjacency"
    assert stopped.mend is not None
    assert stopped.mend.changes == (("adjacency", "add_remove"),)


def test_a_release_of_another_lab_is_added() -> None:
    one = page.with_release(lab(), Laplace(epsilon=0.1234567890123456))
    two = page.with_release(one, AnalyticGaussian(epsilon=0.5, delta=1e-6))
    assert RELEASES.show(two.releases) == "laplace 0.123456789012 | gaussian 0.5 1e-6"
    assert put(two, "releases", RELEASES.show(two.releases)) == two


def test_a_locked_release_stays() -> None:
    """It may be moved and unlocked, but neither changed nor taken out, also of two equal ones; a
    new list from Explore keeps it."""
    typed = "laplace 1 LOCKED|2x(laplace 0.2+gaussian 1 1e-6)locked | laplace 1 locked | laplace 3"
    before = RELEASES.check(typed)
    assert (
        RELEASES.show(before)
        == "laplace 1 locked | 2 x (laplace 0.2 + gaussian 1 1e-6) locked | laplace 1 locked | "
        "laplace 3"
    )
    fine = (
        "laplace 4 | 2 x (laplace 0.2 + gaussian 1 1e-6) | laplace 1 | laplace 1 locked | laplace 5"
    )
    assert RELEASES.broken(before, RELEASES.check(fine)) is None
    for after, gone in {
        "laplace 1 | 2 x (laplace 0.2 + gaussian 1 1e-6) locked": before[2],
        "laplace 1 locked | 3 x (laplace 0.2 + gaussian 1 1e-6) locked | laplace 1": before[1],
        "laplace 1 locked | 2 x laplace 0.2 | laplace 1": before[1],
    }.items():
        assert RELEASES.broken(before, RELEASES.check(after)) == gone
    assert RELEASES.toggled(RELEASES.toggled(before[0])) == before[0]
    assert str(RELEASES.toggled(before[0])) == "laplace 1"
    new = page.with_release(lab(given="equal", releases=typed), Laplace(epsilon=0.5))
    assert RELEASES.show(new.releases).endswith("laplace 1 locked | laplace 0.5")
    assert len(new.releases) == 4
    # A session that was saved before there were locks.
    old = {
        "kind": "composition",
        "given": "list",
        "releases": ["3 x laplace 0.1", "(laplace 0.2 + laplace 0.3)"],
    }
    assert not any(entry.locked for entry in from_json([parameters.Composition], old).releases)


# The bounds


@pytest.mark.parametrize(
    ("epsilon", "k", "delta_prime"),
    [(1.0, 500, 1e-5), (0.1, 100, 1e-6), (0.01, 1_000_000, 1e-12), (50.0, 7, 0.1)],
)
def test_every_closed_form_is_its_formula(epsilon: float, k: int, delta_prime: float) -> None:
    found = values(mechanism=Laplace(epsilon=epsilon), answers=k, delta_prime=delta_prime)
    for key, expected in printed(k, epsilon, delta_prime).items():
        assert found[key] == pytest.approx(expected, rel=1e-9), key
    assert found["optimal"] <= min(found["sequential"], found["kov35"]) * (1 + 1e-9)


def test_the_numbers_of_the_facts() -> None:
    """central-local-learning 5.1 at ε = 1 and peers 4, to their printed digits."""
    found = values(answers=500)
    expected = {
        "optimal": 311.77,
        "drv": 966.4,
        "kov35": 338.36,
        "zcdp": 357.30,
        "shortcut": 214.597,
        "sequential": 500,
    }
    for key, value in expected.items():
        assert found[key] == pytest.approx(value, abs=0.06 if key == "drv" else 0.006), key
    tenth = values(mechanism=Laplace(epsilon=0.1), answers=100, delta_prime=1e-6)
    expected = {
        "optimal": 4.774568,
        "drv": 6.308231,
        "tanh": 5.756106,
        "zcdp": 5.756522,
        "zcdp_tight": 5.221534,
    }
    for key, value in expected.items():
        assert tenth[key] == pytest.approx(value, abs=1e-6), key


@pytest.mark.parametrize(("delta_prime", "proved", "true"), [(1e-5, 159, 175), (1e-4, 129, 143)])
def test_the_shortcut_of_the_texts_has_three_zones(
    delta_prime: float, proved: int, true: int
) -> None:
    """Each zone is a segment of its own that ends where the facts say, and the headline says which
    one this is."""
    for k, zone, tone in (
        (proved, "proved", "plain"),
        (true, "true", "warn"),
        (true + 1, "false", "bad"),
    ):
        found = run(answers=k, delta_prime=delta_prime, view_k=1_000)
        total = found.figure("total")
        reach = {key: total.layer(f"shortcut_{key}") for key in ("proved", "true", "false")}
        ends = {key: line.x[np.isfinite(line.y)] for key, line in reach.items()}
        assert ends["proved"].max() == proved + 1  # one point of overlap
        assert ends["true"].min() in (proved, proved + 1)
        assert ends["false"].min() in (true, true + 1)
        assert [line.dash for line in reach.values()] == ["solid", "dash", OUTSIDE]
        said = found.sentence("shortcut")
        assert said.tone == tone
        assert found.headline == ("tightest", "saved", "shortcut")
        assert {"proved": "proved", "true": "true, but", "false": "false"}[zone] in render(said.say)
        # By an own sum over the optimum's δ: the claim is true exactly where δ(claim) ≤ δ′.
        claim = printed(k, 1.0, delta_prime)["shortcut"]
        assert (own_delta(claim, k, 1.0) <= delta_prime) == (zone != "false")
        if zone == "false":  # rounded up, so it is what they cost at most
            most = re.search(r"can cost up to ([\d.]+);", render(said.say))
            assert most
            assert own_delta(float(most[1]), k, 1.0) <= delta_prime


def test_where_the_shortcut_crosses_adding_up() -> None:
    """By looking at every k; of answers of (ε, δ) the same ε′ is told, with kδ + δ′, and where that
    is proved is where the optimum of (ε, δ) shows it."""
    for delta, least in ((1e-5, 93), (1e-4, 74)):
        claims = ((k, 2 * math.sqrt(2 * k * math.log(1 / delta))) for k in range(1, 999))
        assert next(k for k, claim in claims if claim < k) == least == pays_from(delta)
    gaussian = AnalyticGaussian(epsilon=0.5, delta=1e-7)
    found = run(
        mechanism=gaussian, answers=100, bounds=("sequential", "shortcut"), delta_prime=DELTA_PRIME
    )
    said, own = found.sentence("shortcut"), Ledger((Spend(0.5, 1e-7, count=100),))
    claim = 2 * 0.5 * math.sqrt(2 * 100 * math.log(1 / DELTA_PRIME))
    assert said.say.values["claim"] == total_of(claim, Shortcut())
    assert said.tone == "plain"
    assert Optimal().epsilon(own, 100 * 1e-7 + DELTA_PRIME) <= claim
    assert found.sentence("crossing").say.values["here"].value == pays_from(DELTA_PRIME)


def own_delta(total: float, k: int, epsilon: float) -> float:
    """δ(total) of k-fold randomised response by the plain sum."""
    j = np.arange(k + 1)
    log_pmf = (
        special.gammaln(k + 1)
        - special.gammaln(j + 1)
        - special.gammaln(k - j + 1)
        + (k - j) * epsilon
        - k * np.logaddexp(0, epsilon)
    )
    gap = total - (k - 2 * j) * epsilon
    return float(np.sum(np.exp(log_pmf[gap < 0]) * -np.expm1(gap[gap < 0])))


@pytest.mark.parametrize(
    ("epsilon", "delta_prime"), [(1.0, 1e-5), (1.0, 1e-4), (0.1, 1e-6), (0.5, 1e-5)]
)
def test_crossings_are_computed(epsilon: float, delta_prime: float) -> None:
    found = crossings(model(mechanism=Laplace(epsilon=epsilon), delta_prime=delta_prime))
    totals = {k: printed(k, epsilon, delta_prime) for k in range(1, 10_001)}
    for key in ("drv", "tanh", "kov35", "zcdp"):
        below = (k for k, total in totals.items() if total[key] < k * epsilon * (1 - 1e-12))
        assert found[key] == next(below, None), key
    if epsilon == 1.0:
        assert (found["drv"], found["kov35"], found["zcdp"]) == (
            (None, 80, 93) if delta_prime == 1e-5 else (None, 64, 74)
        )


@pytest.mark.parametrize(("delta_prime", "tanh", "logarithm"), [(1e-5, 80, 96), (1e-4, 64, 79)])
def test_crossings_stand_at_the_curves(delta_prime: float, tanh: int, logarithm: int) -> None:
    """The numbers of the texts at ε = 1, found by the program; the first has its words in the
    chart, its neighbours a dot."""
    found = model(delta_prime=delta_prime, bounds=("sequential", "drv", "tanh", "kov35"))
    assert crossings(found) == {"drv": None, "tanh": tanh, "kov35": tanh}
    k = np.arange(1, 1000)
    third = k * math.tanh(0.5) + np.sqrt(2 * k * np.log(math.e + np.sqrt(k) / delta_prime))
    assert k[np.argmax(third < k)] == logarithm
    total = run(
        delta_prime=delta_prime, bounds=("sequential", "tanh", "kov35"), answers=300
    ).figure("total")
    flags = [render(layer.label) for layer in total.layers if layer.key.startswith("rise_")]
    assert [flag.partition(" from ")[2] for flag in flags] == [f"k = {tanh}"]
    assert total.layer("cross_tanh").y == pytest.approx([tanh])


def test_the_crossing_that_everybody_asks_for_has_its_flag() -> None:
    """Advanced composition falls below adding up later than zCDP and near it: it is named, and the
    others keep their dot; adding up lies within the frame at every k, on both scales."""
    for scale in ("linear", "log"):
        found = run(mechanism=Laplace(epsilon=0.1), answers=100, scale=scale)
        total = found.figure("total")
        flags = {each.key: each for each in total.layers if each.key.startswith("rise_")}
        drv = crossings(model(mechanism=Laplace(epsilon=0.1), answers=100))["drv"]
        assert render(flags["rise_drv"].label) == f"Advanced (2010) from k = {drv}"
        assert {"cross_drv", "cross_zcdp_tight"} <= {layer.key for layer in total.layers}
        assert total.layer("sequential").y.max() <= total.y.range[1]
        assert total.layer("sequential").y[-1] >= 100 * 0.1


def test_every_bound_has_its_own_name() -> None:
    """Where curves coincide the layout joins their names; the chart does not. None is called by
    its authors' letters, which no course says."""
    names = [*(each.label for each in ACCOUNTANTS), *SHORT.values()]
    assert not [name for name in names if "DRV" in name or "KOV" in name]
    found = run(mechanism=Laplace(epsilon=0.1), answers=100)
    for key in ("total", "afford", "privacy"):
        named = [
            render(layer.label)
            for layer in found.figure(key).layers
            if layer.key in (*CLOSED, "drv_worse") and layer.label
        ]
        assert len(named) == len(set(named)), key
        assert {
            "Sequential (adding up)",
            "Optimum",
            "Advanced (2015)",
            "zCDP (tight)",
            "Advanced (2010)",
        } <= set(named), key


def test_the_envelope_is_the_least_bound() -> None:
    """Also where the numeric bound, worked out at fewer k, is the least."""
    state = parameters.Composition(
        answers=60, view_k=200, bounds=("sequential", "kov35", "optimal", "renyi", "pld")
    )
    at = composition_model(state, DATA, fine=True)
    envelope = total_charts.total_chart(at).layer("envelope")
    assert len(envelope.x) >= 20
    for k, least in list(zip(envelope.x, envelope.y, strict=True))[::6]:
        ledger = Ledger((Spend.of(state.mechanism, count=int(k)),))
        assert least == pytest.approx(
            min(bound.epsilon(ledger, 1e-5) for bound in bounds(at)), rel=1e-3
        )


def test_the_shortcut_is_not_proved_in_a_list() -> None:
    """A list of one ε has the same zones as equal answers; where brackets leave it open, nothing is
    claimed."""
    for text, words in (
        ("100 x laplace 1 | 300 x laplace 1", "false"),
        ("100 x laplace 1 | (laplace 1 + laplace 1)", "not proved here"),
    ):
        found = run(given="list", releases=text)
        table = dict(found.tables[0].columns)
        row = [render(cell) for cell in table["bound"]].index("2ε√(2k ln 1/δ′), as printed")
        assert words in render(table["valid"][row])
    assert (
        run(given="list", releases="100 x laplace 1 | 300 x laplace 1").sentence("shortcut").tone
        == "bad"
    )


@pytest.mark.parametrize(("text", "adjacency", "numeric", "optimum"), [
    # dp_accounting 0.6 called directly, losses on a lattice of 1e-4: (Laplace, Gaussian, discrete
    # Laplace) and (ε, δ) alone.
    ("3 x laplace 0.1 | gaussian 0.5 1e-6 | (laplace 0.2 + laplace 0.3)", "add_remove", 0.933148, 1.099807),
    ("3 x laplace 0.1 | gaussian 0.5 1e-6 | (laplace 0.2 + laplace 0.3)", "replace", 1.106371, 1.299648),
    ("30 x laplace 0.2 | 7 x gaussian 0.8 1e-7 | 5 x geometric 0.4", "replace", 6.315380, 10.850531),
    ("12 x laplace 0.35 | 40 x laplace 0.07 | laplace 2", "add_remove", 6.763898, 7.047812),
])  # fmt: skip
def test_lists_as_another_library_counts_them(
    text: str, adjacency: str, numeric: float, optimum: float
) -> None:
    at = composition_model(
        parameters.Composition(given="list", releases=text, adjacency=adjacency), DATA, fine=True
    )
    assert total_epsilon(at, Numeric(), at.ledger, at.delta) == pytest.approx(numeric, rel=3e-5)
    assert total_epsilon(at, Optimal(), at.ledger, at.delta) == pytest.approx(optimum, rel=2e-6)


def test_curves_begin_where_they_help() -> None:
    """None above adding up, all of it below; the envelope is the least of the proved; curves and
    handle are the formulas."""
    found = run(mechanism=Laplace(epsilon=0.5), answers=100, view_k=2000)
    total = found.figure("total")
    drv = total.layer("drv")
    assert drv.dash in ("", "drv")  # not pale
    solid = np.isfinite(drv.y)
    assert solid.any()
    assert np.all(drv.y[solid][1:] <= 0.5 * drv.x[solid][1:] * (1 + 1e-9))
    for x, y in list(zip(drv.x[solid], drv.y[solid], strict=True))[::9]:
        assert y == pytest.approx(printed(x, 0.5, 1e-5)["drv"], rel=1e-12)
    envelope, optimal = total.layer("envelope"), total.layer("optimal")
    assert np.allclose(envelope.y, optimal.y, rtol=1e-9)
    here = total.layer("here")
    assert isinstance(here, Handle)
    assert (here.x, here.sets) == (100, "answers")
    assert own_delta(here.y, 100, 0.5) == pytest.approx(1e-5, rel=1e-6)


def test_the_table_and_the_order_of_bounds() -> None:
    found = run(answers=10_000, mechanism=Laplace(epsilon=0.1))
    table = dict(found.tables[0].columns)
    epsilons = [raw(cell) for cell in table["epsilon"]]
    assert epsilons == sorted(epsilons)
    loose = dict(zip((render(c) for c in table["bound"]), table["loose"], strict=True))
    best, plain = found.fact("total").value, found.fact("plain").value
    assert raw(loose["sequential (adding up)"].values["loose"]) == pytest.approx(plain / best)
    dots = [layer for layer in found.figure("loose").layers if layer.key.startswith("end_")]
    assert [float(d.y[0]) for d in dots] == sorted((float(d.y[0]) for d in dots), reverse=True)
    # A dot stands at its value; what lies beyond the axis is an arrow.
    high = found.figure("loose").x.range[1]
    for drawn, value in zip(dots, epsilons, strict=True):
        assert isinstance(drawn, Arrow) == (value > high)
        assert isinstance(drawn, Arrow) or float(drawn.x[0]) == pytest.approx(value)
    assert plain > high
    assert len(found.figure("loose").y.ticks) == len(dots) == len(epsilons)


def test_delta_against_epsilon_is_the_optimum() -> None:
    line = run(answers=30).figure("privacy").layer("optimal")
    for total, delta in list(zip(line.x, line.y, strict=True))[2::6]:
        assert own_delta(total, 30, 1.0) == pytest.approx(delta, rel=1e-6)


def test_the_numeric_bound_comes_second() -> None:
    """The first findings have none; the second hold the certified value, 258.4 by the facts; a
    newer state cuts in between."""
    state = parameters.Composition(answers=500, bounds=MANY)
    coarse, fine = state.run(Dataset(DATA._table, "fresh"))
    assert coarse.fact("total").ink == "renyi"
    assert "pld" not in {layer.key for layer in coarse.figure("total").layers}
    assert fine.fact("total").value == pytest.approx(258.4, abs=0.15)
    low, high = (raw(fine.sentence("numeric").say.values[key]) for key in ("low", "high"))
    assert low <= fine.fact("total").value <= high
    assert high - low < 0.1
    assert fine.figure("total").layer("pld").y[-1] > fine.fact("total").value
    found: list[Findings] = []
    for one in state.run(Dataset(DATA._table, "fresh"), lambda: bool(found)):
        found.append(one)
    assert len(found) == 1
    normal = parameters.Composition(
        mechanism=AnalyticGaussian(epsilon=0.5, delta=1e-6), answers=20, bounds=("gdp", "pld")
    )
    found = normal.last(Context(DATA))
    exact, numeric = sorted(raw(cell) for cell in dict(found.tables[0].columns)["epsilon"])
    assert numeric == pytest.approx(exact, rel=1e-3)


@pytest.mark.parametrize("given", ["equal", "list"])
def test_little_effort_changes_no_number(given: str) -> None:
    """Curves have fewer points and the attack fewer paths; what is said is the same."""
    state = lab(given=given, answers=300)
    full = state.last(Context(DATA))
    little = state.last(Context(DATA, effort=LITTLE))
    for fact in full.facts:
        assert little.fact(fact.key).value == fact.value
    for key in ("optimal", "kov35"):
        ends = [found.figure("total").layer(key).y[-1] for found in (full, little)]
        assert ends[0] == ends[1]
    sizes = [len(found.figure("total").layer("kov35").x) for found in (full, little)]
    assert (sizes[1] < sizes[0]) == (given == "equal")


# The inverse


@pytest.mark.parametrize("budget", [0.7, 10.0, 333.0])
def test_a_budget_buys_just_so_many(budget: float) -> None:
    at = model(budget=budget, mechanism=Laplace(epsilon=0.1), answers=40)
    for bound in bounds(at):
        if not bound.envelope:
            continue
        most = affordable(at, bound)

        def total(k: int, bound=bound) -> float:
            return bound.epsilon(Ledger((Spend(0.1, count=k),)), 1e-5)

        assert most == 0 or total(most) <= budget * (1 + 1e-9), bound.key
        assert most >= bound.most or total(most + 1) > budget * (1 - 1e-9), bound.key
        each = epsilon_each(at, bound)
        assert bound.epsilon(Ledger((Spend(each, count=40),)), 1e-5) <= budget * (1 + 1e-9)
        assert bound.epsilon(Ledger((Spend(each * 1.001, count=40),)), 1e-5) > budget
    assert affordable(at, bound_of(at, "sequential")) == math.floor(budget / 0.1 + 1e-9)


def test_gaussian_answers_have_their_own_delta() -> None:
    """At kδ + δ′ every bound is judged, also by the budget."""
    at = composition_model(
        parameters.Composition(
            mechanism=AnalyticGaussian(epsilon=1, delta=1e-6), answers=50, budget=20, bounds=MANY
        ),
        DATA,
    )
    assert at.delta == pytest.approx(50e-6 + 1e-5)
    assert by_adding(at) == 50
    assert tightest(at).bound.key == "gdp"
    sigma = at.spend.mechanism.law(at.spend.sensitivity).sigma
    mu = math.sqrt(50) / sigma
    z = tightest(at).epsilon / mu
    exact = special.ndtr(mu / 2 - z) - math.exp(tightest(at).epsilon) * special.ndtr(-mu / 2 - z)
    assert exact == pytest.approx(at.delta, rel=1e-6)
    gdp, most = bound_of(at, "gdp"), affordable(at, bound_of(at, "gdp"))
    totals = [
        gdp.epsilon(ledger_of((Line(k, at.lab.mechanism),), "add_remove", 1), delta_at(at, k))
        for k in (most, most + 1)
    ]
    assert totals[0] <= 20 < totals[1]
    stopped = run(mechanism=AnalyticGaussian(epsilon=1, delta=0.1), answers=50)
    assert not stopped.figures
    assert stopped.problems[0].field == "mechanism.delta"


HELD = "3 x laplace 0.1 locked | gaussian 0.5 1e-6 | 2 x (laplace 0.2 + laplace 0.3)"


@pytest.mark.parametrize(
    ("text", "budget"),
    [(HELD, 1.0), (HELD, 30.0), ("laplace 0.4 locked | 40 x laplace 0.07 | geometric 2", 2.0)],
)
def test_what_a_budget_leaves_to_the_unlocked(text: str, budget: float) -> None:
    """By every bound the list with the factor on its unlocked ε just meets the budget; by adding up
    and zCDP in closed form."""
    bounds = (*CLOSED, "renyi", "parallel", "pld")
    at = composition_model(
        lab(given="list", releases=text, budget=budget, bounds=bounds), DATA, fine=True
    )
    entries, locked = at.entries, [entry for entry in at.entries if entry.locked]
    for one in kept_by_bound(at):

        def total(factor: float, bound=one.bound) -> float:
            grown = tuple(
                refitted(e, lambda m: m.at(m.epsilon * factor, m.total_delta)) for e in entries
            )
            assert [entry for entry in grown if entry.locked] == locked
            return bound.epsilon(ledger_of(grown, "add_remove", 1), at.delta)

        if one.factor == 0:
            assert one.locked > budget, one.bound.key
            continue
        assert total(one.factor) <= budget * (1 + 1e-9), one.bound.key
        assert total(one.factor * 1.001) > budget, one.bound.key
    kept = {one.bound.key: one for one in kept_by_bound(at)}
    held, free = (
        sum(s.count * s.epsilon for s in ledger_of(part, "add_remove", 1).spends)
        for part in (tuple(locked), entries)
    )
    assert kept["sequential"].factor == pytest.approx((budget - held) / (free - held))
    assert kept["sequential"].locked == pytest.approx(held)
    assert {
        layer.key for layer in run(given="list", releases=text, budget=budget).figure("keep").layers
    } >= {"end_optimal", "end_drv"}


def test_the_list_that_meets_the_budget() -> None:
    """The tightest factor is offered as a list, rounded down; it keeps what is locked and costs no
    more than the budget."""
    found = run(given="list", releases=HELD, budget=1.0)
    said = found.sentence("keeps")
    assert "the unlocked releases may have 0.4666 times their ε by adding up" in render(said.say)
    offered = lab(given="list", releases=said.say.values["releases"], budget=1.0)
    assert offered.releases[0] == RELEASES.check(HELD)[0]
    assert offered.releases[1].mechanism.delta == 1e-6
    at = composition_model(offered, DATA)
    assert 0.999 <= tightest(at).epsilon <= 1.0
    assert found.fact("keeps").value == pytest.approx(
        max(one.factor for one in kept_by_bound(model(given="list", releases=HELD, budget=1.0)))
    )
    rows = dict(found.tables[1].columns)
    assert next(raw(cell) for cell in rows["tightest"]) == 0.1


def test_the_plan_is_an_outcome() -> None:
    """It is the list that the sentence offers, and opens as such; equal answers, a list that cannot
    be fitted and one that is all locked have none."""
    found = run(given="list", releases=HELD, budget=1.0)
    (plan,) = findings_json(found)["outcomes"]
    assert plan["key"] == "plan"
    assert not plan["exact"]
    held = plan["values"]
    assert " | ".join(held["releases"]) == found.sentence("keeps").say.values["releases"]
    assert held["factor"] == found.fact("keeps").value
    at = composition_model(lab(given="list", releases=held["releases"], budget=1.0), DATA)
    assert at.delta == held["delta"]
    assert total_epsilon(at, bound_of(at, held["bound"]), at.ledger, at.delta) <= held["budget"]
    for text in ("laplace 2 locked | laplace 1", "laplace 1 locked"):
        assert not run(given="list", releases=text, budget=1.5).outcomes
    assert not run().outcomes


@pytest.mark.parametrize(("text", "budget", "words", "tone"), [
    ("laplace 2 locked | laplace 1", 1.5, "The locked releases alone cost ε = ", "bad"),
    ("laplace 2 locked | laplace 1", 2.0, "leaves nothing", "bad"),
    ("300 x laplace 0.1 locked | laplace 1", 10.0, "adding up leaves nothing: the locked releases cost 30.", "good"),
    ("laplace 1 locked", 2.0, "Every release is locked", "plain"),
    ("laplace 1 locked", 0.5, "Every release is locked", "bad"),
    ("laplace 1 | laplace 0.1", 10_000, "the releases may have 50 times or more their ε", "good"),
    ("textbook 0.5 1e-6", 10, "the releases may have 17.56 times their ε", "good"),  # its δ(8.782) is 1e-6
])  # fmt: skip
def test_what_no_budget_can_buy(text: str, budget: float, words: str, tone: str) -> None:
    said = run(given="list", releases=text, budget=budget).sentence("keeps")
    assert words in render(said.say)
    assert said.tone == tone


# Lists, parts and groups


@pytest.mark.parametrize(
    ("adjacency", "cost"), [("add_remove", 0.3 + 0.5 + 0.3), ("replace", 0.3 + 0.5 + 0.3 + 0.2)]
)
def test_of_disjoint_parts_the_largest_counts(adjacency: str, cost: float) -> None:
    """Two where one person is replaced; plain addition knows of no brackets."""
    text = "3 x laplace 0.1 | gaussian 0.5 1e-6 | (laplace 0.2 + laplace 0.3 + laplace 0.1)"
    found = run(given="list", releases=text, adjacency=adjacency, bounds=(*CLOSED, "parallel"))
    assert found.fact("plain").value == pytest.approx(0.3 + 0.5 + 0.6)
    at = composition_model(
        lab(given="list", releases=text, adjacency=adjacency, bounds=(*CLOSED, "parallel")), DATA
    )
    assert {v.bound.key: v.epsilon for v in valued(at)}["parallel"] == pytest.approx(cost)


def test_a_list_is_composed_exactly() -> None:
    """Unequal pure ε against the enumeration of the facts: δ = 0.05725353367793 at a total of
    0.3."""
    text = "laplace 0.1 | laplace 0.2 | laplace 0.3"
    at = model(given="list", releases=text, delta_prime=0.05725353367793)
    assert total_epsilon(at, Optimal(), at.ledger, at.delta) == pytest.approx(0.3, abs=1e-9)
    assert drawn_k(at).tolist() == [1, 2, 3]
    assert beginning(at, 2).answers == 2
    assert curves(at)["sequential"][1] == pytest.approx([0.1, 0.3, 0.6])


def test_every_mechanism_in_brackets_is_held_to_its_theorem() -> None:
    """Also one that is not the dearest there."""
    found = run(given="list", releases="(laplace 4 + textbook 3 1e-6)")
    assert [p.stops for p in found.problems] == [False]
    assert "textbook" in render(found.problems[0].say).lower()


def test_groups_of_people() -> None:
    at = model(mechanism=Laplace(epsilon=0.01), answers=100, people=3)
    found, epsilon = groups.group(at, 3), 3 * tightest(at).epsilon
    assert found.epsilon == pytest.approx(epsilon)
    # Each answer grouped first, 3ε each, is below the total grouped after.
    first = math.exp(optimal_log_delta(epsilon, 100, 0.03))
    assert found.delta <= first < 1e-5 * (1 + math.exp(epsilon / 3) + math.exp(2 * epsilon / 3))
    added = groups.group_by_adding(at, 3)
    assert (added.epsilon, added.delta) == (pytest.approx(3.0), 0.0)
    figure = run(mechanism=Laplace(epsilon=0.01), answers=100, people=3).figure("group")
    assert figure.layer("here").y == pytest.approx(epsilon)


# The attack


@pytest.mark.parametrize("fields", [
    {"mechanism": Laplace(epsilon=0.001), "answers": 1_000_000, "delta_prime": 1e-12},
    {"mechanism": Laplace(epsilon=50.0), "answers": 1_000_000, "budget": 0.01},
    {"mechanism": AnalyticGaussian(epsilon=50.0, delta=1e-12), "answers": 10_000, "scale": "log"},
    {"answers": 1, "scale": "log", "view_k": 10},
    {"given": "list", "releases": "laplace 0.001 | 5 x gaussian 50 1e-3 | 2 x (catastrophe 1 1e-9 + 9 x staircase 0.3)", "scale": "log"},
    {"given": "list", "releases": "1000000 x laplace 0.001"},
])  # fmt: skip
def test_extremes_are_finite(fields) -> None:
    """No overflow, no NaN in JSON, axes that hold what is drawn."""
    for numeric in ((), ("renyi", "gdp", "gdp_clt", "kov33", "parallel", "group_privacy")):
        found = run(**{**fields, "bounds": (*CLOSED, *numeric)})
        json.dumps(findings_json(found), allow_nan=False)
        for figure in found.figures:
            for axis in (figure.x, figure.y):
                assert math.isfinite(sum(axis.range)), figure.key
                assert axis.range[0] < axis.range[1], figure.key
            for layer in figure.layers:
                if isinstance(layer, Handle):
                    assert math.isfinite(layer.x + layer.y), figure.key


@pytest.mark.parametrize("adjacency", ["add_remove", "replace"])
@pytest.mark.parametrize("mechanism", [Laplace(0.7), AnalyticGaussian(0.7, 1e-6)])
def test_answers_about_parts_cost_what_parts_in_a_list_do(adjacency: str, mechanism: Any) -> None:
    """ε and δ, for one part or two."""
    at = model(mechanism=mechanism, answers=3, adjacency=adjacency)
    parts = Ledger(tuple(Spend.of(mechanism, group="a") for _ in range(3)), adjacency)
    epsilon, delta = groups.in_parts(at)
    assert epsilon == pytest.approx(Parallel().epsilon(parts, delta), rel=1e-12)
    assert delta == pytest.approx(Parallel().delta(parts, epsilon), rel=1e-9)


def test_the_epsilon_that_a_budget_leaves_is_no_matter_of_the_epsilon_of_now() -> None:
    """Nothing that is remembered of one state is said of another one: budgets, numbers of answers,
    and noise whose theorem ends at ε = 1."""
    data = Dataset(pd.DataFrame({"x": [1.0]}), "remembers")
    for kind in (Laplace, TextbookGaussian):
        for fields in ({}, {"budget": 3.0, "answers": 7}):
            for epsilon in (0.2, 1.5):
                state = lab(mechanism=kind(epsilon=epsilon), **fields)
                fresh = composition_model(state, Dataset(pd.DataFrame({"x": [1.0]}), "new"))
                again = composition_model(state, data)
                for bound in applying(fresh):
                    assert epsilon_each(again, bound) == epsilon_each(fresh, bound), bound.key
