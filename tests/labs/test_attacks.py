"""Attacks: no attacker is right more often than the exact bound allows, exact answers give all
away, and what depends on nothing but chance says so."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from roundings import at_odds
from running import LEAST, lab_of, little, opened
from scipy.special import ndtr
from test_numbers import heard_of

from dpstudio.charts.figure import Figure, Ribbon
from dpstudio.data.dataset import Dataset
from dpstudio.data.statements import SUM, Statement
from dpstudio.labs.attacks.attack.attackers import ATTACKERS
from dpstudio.labs.attacks.attack.attackers.attacker import promised
from dpstudio.labs.attacks.attack.attackers.console.model import Console
from dpstudio.labs.attacks.attack.attackers.linkage import model as linkage
from dpstudio.labs.attacks.attack.attackers.tracker import model as tracker
from dpstudio.labs.attacks.attack.parameters import Attacks
from dpstudio.labs.context import SECOND, Context, Effort
from dpstudio.labs.findings import Findings
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.privacy.mechanisms.additive import Sensitivity
from dpstudio.privacy.mechanisms.gaussian import AnalyticGaussian, TextbookGaussian, analytic_sigma
from dpstudio.privacy.mechanisms.geometric import Geometric
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.values.messages import render
from dpstudio.values.parameters import domains

FULL = Effort(points=0.2, draws=0.5)
SMALL = {"people": 40, "questions": 40, "models": 32, "passes": 2}
NOISY = [kind for kind in ATTACKERS if kind.noisy]


def found(words: str, data: Dataset, effort: Effort = LEAST) -> Findings:
    lab, _ = lab_of(["attack", *words.split()])
    return little(lab, data, effort)


def facts(words: str, data: Dataset, effort: Effort = LEAST) -> dict[str, Any]:
    return {fact.key: fact.value for fact in found(words, data, effort).facts}


@pytest.mark.parametrize("attacker", NOISY, ids=lambda kind: kind.key)
@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda kind: kind.key)
def test_no_attack_exceeds_the_bound_beyond_its_interval(attacker, mechanism, adult: Dataset):
    lab = Attacks(attacker=attacker(), mechanism=mechanism(), confidence=0.999).suited(adult)
    chart = little(lab, adult, FULL).figure("success")
    best, band = chart.layer("best"), chart.layer("interval")
    assert (band.low <= best.y + 1e-9).all()
    assert best.y.max() > 70
    if mechanism.pure:
        assert (best.y <= chart.layer("promised").y + 1e-9).all()


@pytest.mark.parametrize("attacker", NOISY, ids=lambda kind: kind.key)
def test_a_broken_promise_is_told_to_who_is_attacked(attacker, adult: Dataset):
    """What ε and δ allow is a bound for nobody then."""
    for mechanism, broken in ((TextbookGaussian(epsilon=20, delta=0.1), True), (Laplace(), False)):
        lab = Attacks(attacker=attacker(), mechanism=mechanism).suited(adult)
        said = [render(p.say) for p in lab.page().problems(lab, adult) if p.grave]
        assert any("as if the promise held" in text for text in said) == (broken and lab.picked)


@pytest.mark.parametrize("attacker", [kind for kind in ATTACKERS if kind.measures])
def test_no_interval_is_without_width(attacker, adult: Dataset) -> None:
    """However many draws agree: nobody found among few, nearly no noise, or nothing but noise."""
    few = {**SMALL, "questions": 400, "numbers": 2, "ridge": 100.0}
    small = {name: value for name, value in few.items() if name in domains(attacker)}
    for epsilon in (0.01, 50.0):
        lab = Attacks(attacker=attacker(**small), mechanism=Laplace(epsilon=epsilon), seed=3)
        shown = little(lab.suited(adult), adult, LEAST)
        for band in (b for each in shown.figures for b in each.layers if isinstance(b, Ribbon)):
            assert (np.asarray(band.low) < band.high).all(), (epsilon, band.key)
        said = [f.note for f in shown.facts if "to {high}" in getattr(f.note, "text", "")]
        assert all(note.values["low"] != note.values["high"] for note in said)


def test_every_attack_stands_first_and_says_what_it_gains(adult: Dataset):
    """And every number that it says comes from its model."""
    for kind in ATTACKERS:
        small = {name: value for name, value in SMALL.items() if name in domains(kind)}
        shown, missing = heard_of(Attacks(attacker=kind(**small)).suited(adult), adult)
        assert missing == []
        assert list(at_odds(shown)) == []
        first: Figure = shown.figures[0]
        assert first.key == "success" or not kind.noisy
        assert shown.headline[0] == "gain", kind.key


def test_one_laplace_answer_gives_the_advantage_that_is_known(adult: Dataset):
    for epsilon in (0.1, 1.0, 5.0):
        known = facts(f"attacker=membership mechanism.epsilon={epsilon}", adult)
        assert known["best"] == pytest.approx(1 - math.exp(-epsilon / 2), rel=1e-9)
        assert known["best"] < known["promised"] == pytest.approx(math.tanh(epsilon / 2))


ALARMS = {  # of "in" where the answer is above half of what the person adds, by scipy
    "laplace": lambda e: scipy.stats.laplace(scale=1 / e).sf(0.5),
    "gaussian": lambda e: scipy.stats.norm(scale=analytic_sigma(e, 1e-5)).sf(0.5),
    "geometric": lambda e: scipy.stats.dlaplace(e).sf(0),
}


@pytest.mark.parametrize("name", ALARMS)
def test_false_alarms_of_membership_are_those_of_its_test(name: str, adult: Dataset):
    """The area beyond the threshold and the middle of the curve by the law; what was measured lies
    about the curve of the best test, and never on the other side of guessing."""
    for epsilon in (0.3, 1.5):
        words = f"attacker=membership mechanism={name} mechanism.epsilon={epsilon}"
        shown = found(words, adult, Effort(points=1.0, draws=0.5))
        wanted = float(ALARMS[name](epsilon))
        area = shown.figure("laws").layer("alarms")
        if name != "geometric":  # whole numbers are drawn as steps: half of one is cut off
            beyond = float(np.sum(area.heights * np.diff(area.edges)))
            assert beyond == pytest.approx(wanted, abs=0.03 * wanted + 0.015), epsilon
        roc = shown.figure("roc")
        best, seen = roc.layer("best"), roc.layer("measured")
        # Both mistakes of that test are alike; the curve has 200 points, and corners between them.
        missed = 1 - float(np.interp(wanted, best.x, best.y))
        assert missed == pytest.approx(wanted, abs=0.01)
        assert (seen.y >= seen.x - 0.02).all()
        assert np.abs(seen.y - np.interp(seen.x, best.x, best.y)).max() < 0.06


def test_a_row_follows_from_two_exact_totals(adult: Dataset):
    said = found("query=sum query.column=age attacker.row_of=3", adult).sentence("exact").say
    whole, rest, part = (said.values[name].value for name in ("whole", "rest", "part"))
    assert part == adult._frame["age"].iloc[2] == whole - rest
    hidden = found("query=sum query.column=age show_truth=no", adult).sentence("exact").say
    assert not hidden.values


@pytest.mark.parametrize(
    ("share", "known"), [(0.25, 0.963), (0.5, 0.813), (1.0, 0.675), (2.0, 0.576)]
)
def test_reconstruction_against_noise_is_as_the_facts_say(share: float, known: float, adult):
    chart = found("attacker=reconstruction", adult, Effort(points=0.1)).figure("noise")
    line = chart.layer("recovered")
    assert line.y[list(line.x).index(share)] == pytest.approx(100 * known, abs=1.5)


def test_the_census_block_is_known_after_its_last_step(adult: Dataset):
    known = [facts(f"attacker=census attacker.step={i}", adult)["left"] for i in range(1, 6)]
    assert known[-1] == 1
    assert known == sorted(known, reverse=True)


def test_pictures_are_found_by_confidences_and_not_by_labels(adult: Dataset):
    known = facts("attacker=inversion", adult)
    assert known["attack"] > 0.95
    assert known["off"] > known["best"] > known["promised"] == 0


def test_words_are_read_by_their_frequencies_and_only_where_answers_may_be_seen(adult: Dataset):
    known = facts("attacker=frequency attacker.column=sex attacker.known=0.1", adult)
    assert known["off"] == 1.0
    assert (
        facts("attacker=frequency attacker.column=occupation", adult)["off"] > known["promised"] / 5
    )
    hidden = found("attacker=frequency show_truth=no", adult)
    assert [problem.stops for problem in hidden.problems] == [True]


def test_what_is_read_by_frequencies_is_told_of_many_splits(adult: Dataset):
    """Words that are nearly as frequent as each other are taken for each other in one split and not
    in the next: nearly all splits by another chance lie between what is told."""
    codes = pd.factorize(adult._frame["occupation"].dropna())[0]
    told = found("attacker=frequency attacker.column=occupation", adult, Effort(1, 1))
    values = told.sentence("gain").say.values
    rng, shares = np.random.default_rng(17), []
    for _ in range(60):
        order = rng.permutation(codes)
        known, secret = order[: round(0.1 * len(order))], order[round(0.1 * len(order)) :]
        ranks = [np.argsort(-np.bincount(part), kind="stable") for part in (secret, known)]
        guess = np.empty(len(ranks[0]), dtype=np.int64)
        guess[ranks[0]] = ranks[1]
        shares.append(float(np.mean(guess[secret] == secret)))
    least, most = values["least"].value, values["most"].value
    assert values["runs"].value == 20
    assert least < values["rows"].value < most
    assert np.mean([least - 1e-9 <= share <= most for share in shares]) > 0.75
    assert max(shares) - min(shares) > 0.3  # no one split tells it


def test_shadow_models_find_members_until_noise_hides_them(adult: Dataset):
    lab, _ = lab_of(["attack", "attacker=shadows", "attacker.people=60"])
    chart = little(lab, adult, FULL).figure("success")
    assert chart.layer("exact").at > 70
    assert chart.layer("interval").low[0] < 51


def test_noise_in_every_step_keeps_shadow_models_below_its_bound(adult: Dataset):
    lab, _ = lab_of(["attack", "attacker=shadows", "attacker.private=steps", "confidence=0.999"])
    chart = little(lab, adult, FULL).figure("success")
    best, low = chart.layer("best").y, chart.layer("interval").low
    assert (low <= best).all()
    assert (best <= chart.layer("promised").y + 1e-9).all()
    assert low[0] < 51 < 60 < low[-1]


def test_a_few_ratings_find_a_person_whom_no_join_finds(adult: Dataset):
    few, many = (facts(f"attacker=linkage attacker.known={n}", adult) for n in (2, 8))
    assert few["off"] < 0.4
    assert many["off"] > 0.95
    assert many["best"] == many["promised"] == 0


@pytest.mark.parametrize(
    ("policy", "denied", "off"),
    [
        ("none", 0, 0.0),
        ("size", 2, 0.0),
        ("audit", 3, None),
        ("overlap", 6, None),
        ("rounding", 0, 4 / 98),  # 84 of a range of 1 to 99: to tens, in [80, 90), not rare, and
        ("recoding", 0, 1 / 98),
        ("suppression", 0, 0.0),
        ("output", 1, None),  # no noise hides a maximum
        ("data", 0, None),
    ],
)
def test_a_tracker_gets_around_a_set_size_on_the_users_table_and_not_around_an_audit(
    policy: str, denied: int, off: float | None, adult: Dataset
):
    known = facts(f"attacker=console attacker.policy={policy}", adult)
    assert known["best"] == denied
    assert known["off"] == pytest.approx(off) if off is not None else known["off"] > 0.1
    assert (known["off"] == 0) == (known["promised"] > 0)


def test_the_console_asks_something_of_other_tables():
    for name in ("yrbss", "diabetes"):
        data = opened(name)
        lab = Attacks(attacker=Console()).suited(data)
        shown = little(lab, data)
        assert not shown.problems, name
        assert shown.fact("promised").value >= 0


def test_rows_that_a_join_finds_are_the_unique_ones_and_false_values_hide_them(adult: Dataset):
    columns = ["age", "native-country", "occupation", "education", "race", "sex"]
    named = f"attacker=joining confidence=0.999 attacker.columns={'|'.join(columns)}"
    shown = found(f"{named} attacker.false=0", adult)
    frame = adult._frame[columns].astype(object).fillna("?")
    unique = 100 * float((~frame.duplicated(keep=False)).mean())
    for key in ("right", "joined"):
        band = shown.figure("found").layer(f"{key}_band")
        assert band.low[-1] <= unique <= band.high[-1]
    assert shown.fact("best").value == 0
    noisy = facts(f"{named} attacker.false=1", adult)
    assert noisy["off"] == noisy["promised"] == 0


def test_two_tables_are_joined_and_only_a_shared_column_tells_who_is_right(adult: Dataset):
    """Against pandas: of the second table all are looked for, some of whom the first lacks."""
    columns = ["age", "occupation", "education", "race", "sex", "income"]
    frame = adult._frame[columns].iloc[:400].reset_index(names="id")
    other = frame.iloc[350:390].sample(frac=1, random_state=1)
    other = pd.concat([other, other.iloc[:10].assign(id=range(900, 910))])
    data, second = (Dataset(each, "t", "t", "3" * 64) for each in (frame, other))
    words = f"attacker=joining confidence=0.9 attacker.columns={'|'.join(columns)}"

    def shares(more: str) -> Findings:
        lab, _ = lab_of(["attack", *words.split(), *more.split()])
        last = lab.last(Context(data, {SECOND: second}, effort=FULL))
        return last

    told, untold = shares("attacker.who=id"), shares("")
    alone = ~frame.fillna("?").duplicated(columns, keep=False)
    exact = other["id"].isin(frame["id"][alone]).mean()
    claimed = other.fillna("?").merge(frame[alone].fillna("?"), on=columns).shape[0] / len(other)
    assert told.fact("promised").value == pytest.approx(exact)
    assert untold.fact("promised").value == pytest.approx(claimed)
    assert claimed > exact
    both = told.fact("off").value + told.fact("best").value
    assert untold.fact("off").value == pytest.approx(both)
    assert told.fact("best").value > 0
    assert not any(fact.key == "best" for fact in untold.facts)
    assert told.second is second


@pytest.mark.parametrize("kind", ["tracker", "shadows", "reconstruction"])
def test_what_was_drawn_is_said_with_how_far_off_it_may_be(kind: str, adult: Dataset):
    """At a tiny ε a few draws beat the coin, and nobody does: the interval says so."""
    at = "mechanism.epsilon=0.01 confidence=0.999"
    lucky = []
    for seed in range(1, 5):
        words = f"attacker={kind} {at} seed={seed}"
        told = found(words, adult, Effort(0.1, 0.5)).sentence("gain").say.values
        right = told.get("right") or told.get("noisy") or told["share"]
        best = told["best"].values["best"].value
        assert right.value - told["within"].value <= best
        lucky.append(round(right.value, 1) > math.ceil(10 * best - 1e-9) / 10)
        assert ("luck" in render(told["best"])) == lucky[-1]
    assert any(lucky)


def test_what_is_said_of_a_rule_holds_where_it_is_looked_at(adult: Dataset):
    """The referee's states: a least set size of half the people, few groups, and a siege that was
    luckier than most."""
    words = "attacker=tracker attacker.policy=size attacker.least="
    for least, around in ((7, True), (8, False)):
        said = render(found(f"{words}{least}", adult).sentence("exact").say)
        assert ("go around it" in said) == around
    words = "attacker=console attacker.policy=size attacker.least="
    for least, around in ((16_280, True), (16_281, False)):
        said = render(found(f"{words}{least}", adult).sentence("exact").say)
        assert ("go around it" in said) == around
    few = found("attacker=reconstruction attacker.people=100 attacker.questions=20", adult)
    assert "every bit" not in render(few.sentence("exact").say)
    assert "every bit" in render(found("attacker=reconstruction", adult).sentence("exact").say)
    shown = found("attacker=tracker attacker.policy=overlap attacker.least=5", adult, FULL)
    told = shown.sentence("exact").say.values
    apart = abs(told["estimate"].value - told["salary"].value) / 100_000
    assert shown.fact("off").value == pytest.approx(apart)


def test_nobody_is_near_a_number_that_is_not_there():
    """A bar of 0 % off would say that the attacker knows it."""
    table = pd.DataFrame({"x": [np.nan, 1.0, 2.0, 3.0], "word": list("abab")})
    asks = (Statement(SUM),)
    lab = Attacks(attacker=Console(column="x", row_of=1, asks_for=asks))
    for row, there in ((1, False), (2, True)):
        lab = lab.with_(attacker=replace(lab.attacker, row_of=row))
        shown = little(lab, Dataset(table, "t")).figure("rules")
        assert any(layer.key == "attacker" for layer in shown.layers) == there
        assert shown.y.range[0] < 0  # what picks a rule is seen whole


@pytest.mark.parametrize(("numbers", "rare"), [((1.0, 1, 2), True), ((1.0, 1, 2, 2), False)])
def test_what_is_said_of_rare_numbers_where_there_are_none(numbers: tuple[float, ...], rare: bool):
    ruled = Console(column="x", row_of=1, asks_for=(Statement(SUM),), policy="suppression", least=2)
    table = Dataset(pd.DataFrame({"x": numbers, "word": "a"}), "t")
    shown = little(Attacks(attacker=ruled), table)
    assert ("are replaced by" in render(shown.sentence("exact").say)) == rare
    assert (shown.fact("cost").value > 0) == rare


@pytest.mark.parametrize("epsilon", [1.0, 50.0])
def test_half_of_the_differences_of_integers_are_a_whole_number_off(epsilon: float, adult: Dataset):
    """At ε = 50 they were 10⁻²⁷ off."""
    off = facts(f"mechanism=geometric mechanism.epsilon={epsilon}", adult)["off"]
    law, rng = Geometric(epsilon=epsilon / 2).law(Sensitivity(1, 1, 1)), np.random.default_rng(1)
    apart = np.abs(law.sample(rng, 20_000) - law.sample(rng, 20_000))
    assert np.mean(apart <= off) >= 0.49
    assert off == 0 or np.mean(apart < off) <= 0.51


def test_a_tracker_meets_the_noise_of_all_it_may_ask(adult: Dataset):
    """Three of four counts hold the person: Φ(√3/2σ) for Gaussian noise; and a console pays for all
    65 sums by their bounds, or for a salary by its range."""
    normal = AnalyticGaussian(epsilon=1.0, delta=1e-5)
    sigma = normal.law(Sensitivity(4.0, 2.0, 1.0)).sigma
    assert tracker.best_right(normal) == pytest.approx(ndtr(math.sqrt(3) / 2 / sigma))
    lab = lab_of(["attack", "attacker=tracker", "mechanism.epsilon=2"])[0]
    model = next(lab.attacker.stages(lab.asked(), lab.looked(LEAST), Context(adult)))
    mine, everyone = tracker.salary(model), tracker.salaries(model)
    assert tracker.guess(model) == pytest.approx(abs(everyone.mean() - mine) / 1_000)
    allowed = [1 / (1 + math.exp(-1.5)), (math.exp(0.1) + 0.01) / (1 + math.exp(0.1))]
    for made, most in zip((Laplace(epsilon=1.5), normal.at(0.1, 0.01)), allowed, strict=True):
        assert promised(made, np.array([made.epsilon])) == pytest.approx([most])
    rng = np.random.default_rng(5)
    told = tracker._answering(model, "output", rng)
    answers = [told(0.0, np.ones(16, dtype=bool)) for _ in range(4_000)]
    assert np.mean(np.abs(answers)) == pytest.approx(120_000 * 65 / 2, rel=0.06)
    held = [tracker._held(model, "data", rng) - everyone for _ in range(500)]
    assert np.mean(np.abs(held)) == pytest.approx(100_000 / 2, rel=0.06)


def test_who_is_never_sure_names_nobody_wrongly(adult: Dataset):
    lab = lab_of(["attack", "attacker=linkage", "attacker.sure=10"])[0]
    model = next(lab.attacker.stages(lab.asked(), lab.looked(LEAST), Context(adult)))
    assert linkage.here(model)[:2] == (0, 0)
