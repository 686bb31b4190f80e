"""Survey: the numbers of the texts out of the program, the exact law against brute force, and what
it says in words."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from dpstudio.charts.figure import Dots
from dpstudio.data.dataset import Dataset
from dpstudio.files.write.jsonout import findings_json
from dpstudio.labs.context import LITTLE, Context
from dpstudio.labs.findings import Findings
from dpstudio.labs.nobody.survey import asking, charts, law
from dpstudio.labs.nobody.survey import model as survey
from dpstudio.labs.nobody.survey.parameters import Drawn, Survey, Typed
from dpstudio.labs.percents import percent
from dpstudio.privacy.local.coins import BiasedCoins, Coins, FairCoins, Warner
from dpstudio.values.messages import render
from dpstudio.values.parameters import ParamError, put

DATA = Dataset(pd.DataFrame({"x": [1.0]}), "one row")


def run(**fields) -> Findings:
    found = Survey(**fields).last(Context(DATA))
    return found


def made(**fields) -> survey.SurveyModel:
    return survey.survey_model(Survey(**fields), Context(DATA))


def said(found: Findings, key: str) -> str:
    return render(found.sentence(key).say)


def test_numbers_of_the_texts() -> None:
    """30 of 100 means 10 %, from −8 % to 28 %; 3,586 people for ± 3 % at 95 %, 834 for the coins
    alone; 40 if 30 % were the truth."""
    found = run()
    estimate, low, high = found.fact("estimate").value
    assert estimate == pytest.approx(0.1, abs=1e-12)
    spread = 2 * math.sqrt(0.3 * 0.7 / 100)
    z = stats.norm.ppf(0.975)
    assert (low, high) == pytest.approx((0.1 - z * spread, 0.1 + z * spread), rel=1e-12)
    assert found.fact("needed").value == 3586 == math.ceil((2 * z) ** 2 * 0.3 * 0.7 / 0.03**2)
    assert found.headline == ("estimate", "needed")
    assert (
        said(found, "estimate")
        == "30 of 100 said yes. That means 10 %, at 95 % between −8 % and 28 %."
    )
    text = "± 3 points at 95 % takes 3,586 people; for a standard error of 3 points from the coins alone, 834 are enough."
    assert said(found, "needed") == text
    assert (
        said(found, "expected") == "If 30 % were truly yes, 40 of 100 would be expected to say it."
    )
    assert said(found, "why").startswith(
        "Were nobody truly yes, 25 of 100 would still say it. The 5 more come from the 50 %"
    )
    assert found.fact("epsilon").value == math.log(3)
    # The printed run of Adult: its 11,424 yes mean 6,567.5 people.
    adult = run(n=32_561, observed=Typed(11_424 / 32_561))
    assert adult.fact("said").value == 11_424
    assert adult.fact("estimate").value[0] * 32_561 == pytest.approx(6_567.5)


@pytest.mark.parametrize("coins", [FairCoins(), BiasedCoins(0.2), Warner(2.0)], ids=lambda c: c.key)
@pytest.mark.parametrize("asked", [1, 3])
def test_exact_law(coins: Coins, asked: int) -> None:
    """One question: binomial. Several: sums over people, by adding them up one after the other;
    mean and variance agree."""
    n, share = 60, 0.15
    counts, chances = law.yes_law(coins, share, n, asked)
    chance = float(coins.yes(share))
    if asked == 1:
        assert np.allclose(chances, stats.binom.pmf(counts, n, chance), atol=1e-14)
    else:
        support = coins.support()
        k = np.arange(asked + 1)
        one = share * stats.binom.pmf(k, asked, support.p) + (1 - share) * stats.binom.pmf(
            k, asked, support.q
        )
        brute = np.array([1.0])
        for _ in range(n):
            brute = np.convolve(brute, one)
        assert np.allclose(chances, brute[counts.astype(int)], atol=1e-14)
    mean = float(counts @ chances)
    assert mean == pytest.approx(n * asked * chance)
    variance = float((counts - mean) ** 2 @ chances) / (n * asked * coins.truth) ** 2
    assert variance == pytest.approx(float(coins.sampling(share, n, asked)))


def test_law_of_a_million() -> None:
    """Only a window is worked out; it holds everything, and charts get few cells."""
    counts, chances = law.yes_law(FairCoins(), 0.002, 1_000_000, 1)
    assert len(counts) <= 1 << 14
    middle = np.abs(counts - 251_000) < 1_500
    assert np.allclose(
        chances[middle], stats.binom.pmf(counts[middle], 1_000_000, 0.251), rtol=1e-6
    )
    edges, heights = law.cells(counts, chances, 249_500, 252_500)
    assert len(heights) <= 170
    assert heights.sum() == pytest.approx(
        stats.binom.cdf(edges[-1], 1_000_000, 0.251) - stats.binom.cdf(edges[0], 1_000_000, 0.251)
    )


def test_intervals_hold_the_truth() -> None:
    """Simulated surveys, also asked three times, hold it as often as the exact law says, and the
    parts add up."""
    for asked in (1, 3):
        lab = Survey(n=400, observed=Drawn(), share=0.3, coins=Warner(1.0), asked=asked)
        polls = [survey.survey_model(lab.with_(seed=seed), Context(DATA)) for seed in range(600)]
        held = np.mean([low <= 0.3 <= high for low, high in map(survey.interval, polls)])
        exact = law.coverage(polls[0])
        assert exact == pytest.approx(0.95, abs=0.01)
        assert abs(held - exact) < 4 * math.sqrt(0.05 / 600)
        estimates = [model.estimate for model in polls]
        assert np.std(estimates) == pytest.approx(law.deviation(polls[0]), rel=0.12)
        assert abs(np.mean(estimates) - 0.3) < 4 * law.deviation(polls[0]) / math.sqrt(600)
        near = np.abs(np.array(estimates) - 0.3) <= law.sure_within(polls[0])
        assert np.mean(near) == pytest.approx(0.95, abs=0.03)
        counts, chances = law.yes_law(lab.coins, 0.0, 400, asked)
        assert survey.yes_of_nobody(polls[0]) == pytest.approx(counts @ chances)
    parts = survey.half_width(polls[0], sample=False), survey.half_width(polls[0], coins=False)
    assert math.hypot(*parts) == pytest.approx(survey.half_width(polls[0]))


def test_asking_again() -> None:
    """Twice with fresh coins: twice the ε, half the coins' variance; one question at that ε is
    better."""
    model = made(asked=2, observed=Typed(0.3))
    assert asking.total_epsilon(model) == 2 * math.log(3)
    fresh, whole = 0.09 / 100 + 0.75 / 200, 0.09 / 100 + 9 / 64 / 100
    assert survey.half_width_of(model, model.coins, 2) == pytest.approx(model.z * math.sqrt(fresh))
    assert survey.half_width_of(model, asking.one_question(model, 2)) == pytest.approx(
        model.z * math.sqrt(whole)
    )
    text = "Asked twice with fresh coins each spends ε 2.20, and ± 18 points becomes ± 14 points; one question at that ε gives ± 10 points."
    assert said(run(), "again") == text
    for kind in (BiasedCoins(0.3), BiasedCoins(0.9), Warner(0.5)):
        other = made(coins=kind)
        for m in range(2, 8):
            assert survey.half_width_of(
                other, asking.one_question(other, m)
            ) < survey.half_width_of(other, kind, m)


def test_beliefs() -> None:
    model = made()
    assert float(survey.belief(model, 0.1)) == pytest.approx(0.25)
    assert float(survey.belief(model, 0.1, yes=False)) == pytest.approx(0.025 / 0.7)
    sure = made(coins=Warner(50.0), asked=20)
    assert float(survey.belief(sure, 0.1)) == 1.0
    assert float(survey.belief(sure, 0.1, yes=False)) == pytest.approx(0.0, abs=1e-300)


def test_people_and_words() -> None:
    """Dots are people up to 200, else a hundred of them; percentages keep to the safe side; the
    texts' formula is called wrong."""
    chart = run().figure("people")
    counts = {
        key: len(chart.layer(key).x) for key in ("yes_true", "yes_coin", "no_coin", "no_true")
    }
    assert counts["yes_true"] + counts["yes_coin"] == 30
    assert sum(counts.values()) == 100
    assert charts.hundred([1, 1, 1, 997]) == [0, 0, 0, 100]
    assert sum(charts.hundred([333, 333, 333, 1])) == 100
    for value, width, rounding, shown in (
        (-0.07963, 0.18, "down", "−8 %"), (0.27963, 0.18, "up", "28 %"), (0.0712, 0.03, "down", "7.1 %"), (0.0031, 0.18, "down", "0 %"),
        (-0.0031, 0.18, "down", "−1 %"), (0.0, 0.18, "near", "0 %"), (1.0004, 0.0003, "up", "100.04 %"), (-3.2, 9.0, "down", "−320 %"),
        (-0.003, 0.18, "near", "0 %"), (6e-12, 0.18, "up", "6·10⁻¹⁰ %"), (-0.003, 0.18, "up", "0 %"), (0.0996, 0.18, "near", "10 %"),
    ):  # fmt: skip
        assert str(percent(value, width, rounding)) == shown
    found = run(coins=BiasedCoins(0.25))
    assert "claims ε = 0.368" in said(found, "variant")
    assert found.sentence("variant").tone == "bad"
    assert "It forgets the yes" in said(found, "variant")
    # At p = 1/4 the yes tells more: 1 + 1/(1 − p) against 1 + p/(1 − p)² for the no.
    channel = BiasedCoins(0.25).channel(2)
    assert (
        channel[1, 1] - channel[1, 0]
        > channel[0, 0] - channel[0, 1]
        == pytest.approx(math.log(1 + 0.25 / 0.75**2))
    )


@pytest.mark.parametrize("n", [10, 40, 100, 180, 200])
def test_a_bracket_spans_what_it_counts(n: int) -> None:
    """30 said yes over 5 that are true and 25 of the coin; dots that stand in its height, and in
    no other, are as many as it says, and so are those beside each name."""
    chart = run(n=n, observed=Typed(0.3)).figure("people")
    rows = [layer for layer in chart.layers if isinstance(layer, Dots)]
    for key in ("yes", "no"):
        bracket, told = chart.layer(key), chart.layer(f"{key}_said").texts[0]
        inside = [(bracket.y.min() < row.y) & (row.y < bracket.y.max()) for row in rows]
        assert [part.all() for part in inside if part.any()] == [True] * sum(map(np.any, inside))
        assert sum(map(np.count_nonzero, inside)) == told.values["x"].value
        assert render(told).endswith(f"said {key}")
    for row in rows:
        assert len(row.x) == chart.layer(f"{row.key}_name").texts[0].values["x"].value


def test_typed_counts_and_extremes() -> None:
    assert put(Survey(), "observed.yes", "30/100") == Survey()
    for bad in ("3/0", "7/5", "1/2/3", "a/b"):
        with pytest.raises(ParamError):
            put(Survey(), "observed.yes", bad)
    for coins in (Warner(0.001), Warner(50.0), BiasedCoins(0.001), BiasedCoins(0.999)):
        for share, n in ((0.0, 10), (1.0, 1_000_000)):
            for observed in (Typed(0.0), Typed(1.0), Drawn()):
                found = run(
                    coins=coins, share=share, n=n, observed=observed, asked=2 if n == 10 else 1
                )
                json.dumps(findings_json(found), allow_nan=False)
                assert all(
                    axis.range[0] < axis.range[1] for f in found.figures for axis in (f.x, f.y)
                )


def test_many_questions_at_a_large_epsilon() -> None:
    """ε = 1,000 in all: coins of that ε are still had, and the bound on the odds is none, not
    e^700."""
    found = run(coins=Warner(50.0), asked=20)
    assert "∞" in render(found.fact("epsilon").note)
    for epsilon in (1.0, math.log(3), 3.0, 60.0, 700.0):
        coins = BiasedCoins().at(epsilon)
        assert coins is not None
        assert coins.claim == pytest.approx(epsilon, rel=1e-12)
    far = BiasedCoins().at(1200.0)
    assert far is not None
    assert 0 < far.lie < 1e-200


def test_answers_that_tell_nothing_or_cannot_be() -> None:
    """Intervals that hold every share, or none, are not called findings; and nothing is concluded
    from no yes at all."""
    assert "anything from 0 % to 100 %" in said(run(coins=Warner(0.001), n=10), "estimate")
    assert "no share can be: so many" in said(run(coins=BiasedCoins(0.001)), "estimate")
    assert "no share can be: so few" in said(run(n=10_000, observed=Typed(0.1)), "estimate")
    none = run(coins=Warner(50.0), observed=Typed(0.0))
    assert none.headline == ("estimate", "few")
    assert said(none, "few").startswith("0 yes in 100 answers are too few")
    assert said(none, "estimate") == "0 of 100 answers were yes. That means 0 %."
    assert [render(none.fact(key).text) for key in ("half_width", "needed")] == ["–", "–"]
    assert "deny" not in {s.key for s in none.sentences}
    assert render(none.figure("people").subtitle) == "nobody said yes"
    # A few of ten still say roughly how many it takes.
    assert render(run(n=10).fact("needed").text) == "3,586"


def test_a_share_that_cannot_be_is_called_so() -> None:
    """Also where so few said it that no interval is given; and few answers of people who were asked
    often are told as theirs."""
    for yes, shown in ((0.0, "−50 %"), (1.0, "150 %")):
        found = run(n=10_000, observed=Typed(yes))
        assert said(found, "estimate").endswith(
            f"answers were yes. That would mean {shown}, which no share can be."
        )
    often = run(n=10, asked=20, observed=Typed(0.4))
    assert said(often, "few").startswith("80 yes in 200 answers of 10 people are too few")


def test_a_fair_second_coin_is_compared_alike() -> None:
    """Asked as often as here, against the number that the strip shows; two coins that are fair are
    not said to be worse."""
    for asked in (1, 4):
        found = run(coins=BiasedCoins(0.25), asked=asked)
        likely, z = found.fact("estimate").value[0], stats.norm.ppf(0.975)
        odds = math.exp(BiasedCoins(0.25).claim)
        better = math.ceil(
            (z / 0.03) ** 2 * (likely * (1 - likely) + odds / (odds - 1) ** 2 / asked)
        )
        needed = found.fact("needed").value
        assert (
            said(found, "better")
            == f"A fair second coin at the same ε needs {better:,} people instead of {needed:,}."
        )
    assert "better" not in {s.key for s in run(coins=BiasedCoins(0.5)).sentences}


def test_the_handle_of_the_coins_stays_in_its_chart() -> None:
    for p in (0.001, 0.5, 0.999):
        chart = run(coins=BiasedCoins(p)).figure("epsilon")
        assert chart.y.range[0] <= chart.layer("here").y <= chart.y.range[1]


def test_chances_are_told_apart_and_never_sure() -> None:
    faint, sharp = run(coins=Warner(0.001)), run(coins=Warner(50.0))
    assert said(faint, "channel").startswith(
        "Who is yes says yes with 50.024 %, who is no with 49.976 %"
    )
    assert render(faint.fact("epsilon").note) == "odds × 1.0011 at most"
    assert said(sharp, "channel").startswith("Who is yes says yes with 99.9 %")
    assert "is 99.9 % sure" in said(sharp, "belief")
    assert "from the 99.99 % who tell the truth" in said(sharp, "why")
    here, axis = faint.figure("needed").layer("here"), faint.figure("needed").x
    assert axis.range[0] <= here.x <= axis.range[1]


def test_shares_in_percent() -> None:
    assert put(Survey(), "observed.yes", "30 %") == Survey() == put(Survey(), "aim", "3%")
    with pytest.raises(ParamError):
        put(Survey(), "share", "101 %")


def test_little_effort_draws_less_and_says_the_same() -> None:
    lab = Survey(coins=BiasedCoins(0.3))
    little = lab.last(Context(DATA, effort=LITTLE))
    full = run(coins=BiasedCoins(0.3))
    for part in ("facts", "sentences", "tables"):
        assert getattr(little, part) == getattr(full, part), part
    for key, layer in (
        ("law", "normal"),
        ("needed", "warner"),
        ("belief", "yes"),
        ("epsilon", "warner"),
    ):
        few, many = (len(found.figure(key).layer(layer).x) for found in (little, full))
        assert few < many / 2, key
