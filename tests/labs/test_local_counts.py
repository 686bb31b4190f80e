"""Local counts: the numbers of the texts on Adult, the meetings and the border, what it hides, and
how a drag is drawn."""

import json
import math
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from running import little

from dpstudio.charts.figure import Handle, Rule
from dpstudio.cli import main
from dpstudio.data.dataset import Dataset
from dpstudio.files.write.jsonout import findings_json
from dpstudio.labs.context import LITTLE, Context
from dpstudio.labs.findings import Findings
from dpstudio.labs.nobody.local_counts import charts, error_words, errors
from dpstudio.labs.nobody.local_counts import surveys as local_counts_surveys
from dpstudio.labs.nobody.local_counts.curves import border, curve
from dpstudio.labs.nobody.local_counts.model import CountsModel, counts_model, judged_words
from dpstudio.labs.nobody.local_counts.parameters import JUDGED, LocalCounts
from dpstudio.labs.nobody.local_counts.people import likely
from dpstudio.privacy.local import POST, PROTOCOLS, Protocol, coins, hashing, histogram, subset
from dpstudio.privacy.local.direct import Direct
from dpstudio.privacy.mechanisms.additive import Sensitivity
from dpstudio.privacy.mechanisms.laplace import Laplace, LaplaceLaw
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.queries.histogram import Histogram
from dpstudio.values.messages import render
from dpstudio.values.parameters import put

AGES = ("query.column=age", "query.low=10", "query.high=101", "query.bins=91", "protocol.epsilon=5")
RACE = ("query.column=race", "protocol.epsilon=5")


def lab(*settings: str) -> LocalCounts:
    made = LocalCounts(trials=240, protocol=Direct())
    for setting in settings:
        name, _, value = setting.partition("=")
        made = put(made, name, value)
    return made


def run(made: LocalCounts, data: Dataset) -> Findings:
    found = made.last(Context(data))
    return found


def state(data: Dataset, *settings: str) -> CountsModel:
    return counts_model(lab(*settings), Context(data))


def columns(found: Findings, table: str) -> dict[str, list[float]]:
    held = dict(next(t for t in found.tables if t.key == table).columns)
    return {name: [getattr(cell, "value", cell) for cell in cells] for name, cells in held.items()}


def test_occupations_as_in_the_texts(adult: Dataset) -> None:
    """GRR at ε = 5: expected reports and standard deviations of all 14 occupations to the printed
    digit (facts, section 2.2)."""
    parts = columns(run(lab("protocol.epsilon=5"), adult), "parts")
    assert sum(parts["exact"]) == 30_718
    expected = [
        3633.3,
        198.5,
        3933.8,
        3903.6,
        1098.1,
        1441.5,
        2018.7,
        3199.5,
        326.4,
        3971.2,
        783.0,
        3523.7,
        1037.8,
        1648.8,
    ]
    sd = [23.1, 15.1, 23.7, 23.6, 17.5, 18.4, 19.7, 22.2, 15.5, 23.7, 16.7, 22.9, 17.4, 18.9]
    assert np.round(parts["expected"], 1).tolist() == expected
    assert np.round(parts["sd"], 1).tolist() == sd


def test_ages_and_races_as_in_the_texts(adult: Dataset) -> None:
    """Standard deviations per cell at ε = 5 (facts, 2.3 and 2.4), θ = 1 among them; true ε of
    thresholding below its claim."""
    found = columns(run(lab(*AGES), adult), "protocols")
    rare = dict(zip([p.key for p in PROTOCOLS[3:]], found["rare"], strict=True))
    spent = dict(zip([p.key for p in PROTOCOLS[3:]], found["spent"], strict=True))
    printed = {"she": 102.1, "the": 71.7, "sue": 56.3, "oue": 29.8, "grr": 18.9}
    assert {key: round(rare[key], 1) for key in printed} == printed
    assert spent["the"] == pytest.approx(3.41, abs=0.005)
    assert spent["oue"] == 5
    by_hand = run(lab(*AGES, "protocol=the", "protocol.threshold=hand", "protocol.theta=1"), adult)
    assert min(columns(by_hand, "parts")["sd"]) == pytest.approx(78.0, abs=0.05)
    assert by_hand.fact("cost").value == pytest.approx(3.15, abs=0.005)
    assert "spent" in by_hand.headline
    values = by_hand.sentence("spent").say.values
    assert values["spent"].value < values["claim"].value
    white = dict(
        zip(
            ("Amer", "Asian", "Black", "Other", "White"),
            columns(run(lab(*RACE, "protocol=oue"), adult), "parts")["sd"],
            strict=True,
        )
    )
    assert (round(white["White"], 1), round(white["Other"], 1)) == (169.4, 34.1)


def test_meetings_and_border(adult: Dataset) -> None:
    """GRR = OUE at e^ε = (d − 2)/3, and at d = 3e^ε + 2; for other values at the whole d up to
    which GRR has less error."""
    found = run(lab(), adult)
    rule = found.figure("tradeoff").layer("meet_0")
    assert isinstance(rule, Rule)
    assert rule.at == pytest.approx(math.log(4), rel=1e-8)
    model = state(adult)
    assert border(model) == pytest.approx(3 * math.e + 2)
    model = state(adult, "judged=part")
    d, share = int(border(model) or 0), 4140 / 30718
    for many, wins in ((d, True), (d + 1, False)):
        e = math.e
        direct = (many - 2 + e) / (e - 1) ** 2 + share * (many - 2) / (e - 1)
        unary = 4 * e / (e - 1) ** 2 + share
        assert (direct < unary) == wins


@pytest.mark.parametrize("epsilon", [0.5, 5.0])
def test_the_curve_over_thresholds(epsilon: float, adult: Dataset) -> None:
    """n q(1 − q)/(p − q)² from the tails of Laplace noise itself, least where the rule says."""
    settings = ("protocol=the", f"protocol.epsilon={epsilon}", "confidence=0.95")
    found = run(lab(*settings), adult).figure("theta")
    line, rule, law = found.layer("error"), found.layer("least"), LaplaceLaw(2 / epsilon)
    z = 1.959964
    for theta, width in zip(line.x[::15], line.y[::15], strict=True):
        p, q = 1 - float(law.cdf(theta - 1)), 1 - float(law.cdf(theta))
        assert width == pytest.approx(z * math.sqrt(30_718 * q * (1 - q)) / (p - q), rel=1e-4)
    assert isinstance(rule, Rule)
    assert abs(line.x[int(np.argmin(line.y))] - rule.at) <= line.x[1] - line.x[0]
    chosen = run(lab(*settings, "protocol.threshold=hand", "protocol.theta=0.25"), adult)
    assert chosen.figure("theta").layer("here").sets == "protocol.theta"
    assert "theta" not in [figure.key for figure in run(lab(), adult).figures]


def test_the_price_of_trust_is_that_of_the_value_shown() -> None:
    """At any state, also of a value that nobody holds: the trusted collector's half-width is that
    of Laplace noise, and this survey's is that of the value shown, person by person over all
    reports; so many people of the same shares as are named are as far off, whichever count
    protocols are judged by."""
    rng = np.random.default_rng(7)
    kinds = [kind for kind in PROTOCOLS if kind not in (histogram.Summation, coins.BiasedCoins)]
    for _ in range(40):
        protocol = any_protocol(rng, kinds[int(rng.integers(len(kinds)))])
        d = int(rng.choice([d for d in (2, 3, 4, 5) if not protocol.refuses(d)]))
        people = [*rng.integers(0, 300, size=d - 1).tolist(), 30]
        part = int(rng.integers(d))
        people[part - 1] = 0
        table = Dataset(pd.DataFrame({"c": np.repeat([*"abcde"[:d]], people)}), "t")
        asked = Histogram(column="c", categories=tuple("abcde"[:d]))
        judged = ("rare", "part", "all")[int(rng.integers(3))]
        made = LocalCounts(query=asked, protocol=protocol, judged=judged, part=part, trials=240)
        model = counts_model(made, Context(table))
        sent = protocol.listed(d)
        told = np.array([protocol.estimate(row, 1)[part] for row in sent])
        law = np.exp(protocol.channel(d))
        variance = sum(
            n * (law[:, v] @ told**2 - (law[:, v] @ told) ** 2) for v, n in enumerate(people)
        )
        local = model.z * math.sqrt(variance)
        l1 = 2.0 if d > 2 else 1.0
        noise = Laplace(epsilon=protocol.claim).law(Sensitivity(l1, l1, 1.0)).half_width(0.95)
        said = error_words.central_words(model).say
        values = said.values
        assert render(values["part"]) == "abcde"[part]
        assert values["central"].value == pytest.approx(noise)
        assert values["width"].value == pytest.approx(local)
        ratio = (local / noise) ** 2
        assert ("no better" in said.text) == (ratio <= 1)
        assert values["times"].value <= ratio <= values["times"].value * 1.01
        if ratio > 1:
            ends = charts.people_chart(model).layer("ends")
            many = sum(people) * ratio
            assert ends.x == pytest.approx([sum(people), many])
            at = 100 * model.z * math.sqrt(variance * ratio) / many
            assert ends.y == pytest.approx([at, at])


def test_every_comparison_of_protocols_names_its_count(adult: Dataset) -> None:
    """Protocols are compared by one count, and estimates are shown of another."""
    for settings in ((), ("protocol=subset",), ("query=count", "protocol=warner")):
        for judged in ("rare", "part", "all"):
            model = state(adult, *settings, f"judged={judged}")
            told = [
                error_words.winner(model)[0],
                error_words.meeting_words(model),
                error_words.border_words(model),
            ]
            assert [render(judged_words(model)) in render(s.say) for s in told if s] == [
                True for s in told if s
            ]
            (best,) = [fact for fact in run(model.lab, adult).facts if fact.key == "best"]
            assert best.note == judged_words(model, short=True)


def test_one_report_moves_belief_by_bayes(adult: Dataset) -> None:
    model = state(adult, "protocol.epsilon=2")
    (told,) = local_counts_surveys.report(model).supports
    weights = np.where(np.arange(14) == told, math.exp(2), 1.0) * model.counts
    assert local_counts_surveys.posterior(model) == pytest.approx(weights / weights.sum())


def any_protocol(rng: np.random.Generator, kind: type[Protocol]) -> Protocol:
    """One of that kind at a random ε, with a threshold, buckets or coins at random."""
    chosen: Protocol | None
    if kind is coins.BiasedCoins:
        chosen = coins.BiasedCoins(p=float(rng.uniform(0.05, 0.95)))
    elif kind is histogram.Thresholded and rng.random() < 0.5:
        chosen = histogram.Thresholded(threshold="hand", theta=float(rng.uniform(-1, 2)))
    elif kind is hashing.LocalHashing and rng.random() < 0.5:
        chosen = hashing.LocalHashing(hashing="hand", buckets=int(rng.integers(2, 9)))
    else:
        chosen = kind()
    return chosen.at(math.exp(rng.uniform(math.log(0.02), math.log(6)))) or chosen


@pytest.mark.parametrize("kind", [kind for kind in PROTOCOLS if kind is not histogram.Summation])
def test_what_an_attacker_guesses_right_is_that_of_every_report(kind: type[Protocol]) -> None:
    """Two values at even odds: the most that any report makes of them, by Bayes over all reports
    and pairs; no guess is right more often on average. Noisy numbers (SHE) are not listed."""
    rng = np.random.default_rng(PROTOCOLS.index(kind))
    for _ in range(12):
        protocol = any_protocol(rng, kind)
        d = int(rng.choice([d for d in (2, 3, 4, 5, 6) if not protocol.refuses(d)]))
        table = Dataset(pd.DataFrame({"c": [*"abcdef"[:d]] * 2}), "t")
        model = state(table, "query.column=c")
        model = replace(model, lab=model.lab.with_(protocol=protocol))
        assert model.d == d
        law = np.exp(protocol.channel(d))
        one, two = law[:, :, None], law[:, None, :]
        most = float((one / (one + two)).max())
        on_average = float(np.maximum(one, two).sum(axis=0).max()) / 2
        said = error_words.odds(model).say.values
        assert said["right"] == math.ceil(100 * most - 1e-9)
        assert on_average <= most + 1e-12
        assert said["factor"].values["x"].value == pytest.approx(float((one / two).max()))


def test_whole_guesses_are_not_rounded_up(adult: Dataset) -> None:
    """At ε = ln(k/(100 − k)) exactly k of 100 guesses are right, whatever floats make of it."""
    for k in range(51, 100):
        model = state(adult, f"protocol.epsilon={math.log(k / (100 - k))!r}")
        assert local_counts_surveys.right_guesses(model) == k


def test_a_survey_on_the_charts(adult: Dataset) -> None:
    """Each frame: a lane for each of the 14 values, the estimates from what arrived with the exact
    brackets, worked on as asked, those that miss the truth apart; the same in the columns and in
    the strip."""
    made = lab("post=clip", "protocol=oue")
    found = run(made, adult)
    assert found.truth is not None
    order = np.argsort(-found.truth, kind="stable")
    for index in (0, 7):
        shown = made.frame(found, index)
        published = shown.figure("published")
        raw = made.protocol.estimate(found.replays[index], 30_718)
        half = 1.959964 * np.sqrt(made.protocol.variance(found.truth))
        missed = np.abs(raw - found.truth) > half
        for dots, line, own in (("answer", "whiskers", ~missed), ("missing", "missed", missed)):
            here = order[own[order]]
            squares, ends = published.layer(dots), published.layer(line).x.reshape(-1, 9)
            assert squares.x == pytest.approx(np.maximum(raw, 0)[here])
            assert [published.y.ticks[int(13 - y)][1] for y in squares.y] == [
                found.labels[k] for k in here
            ]
            assert ends[:, 4] - raw[here] == pytest.approx(half[here], rel=1e-6)
        assert published.lanes is not None
        estimates, truths = published.lanes.columns
        told = [cell.values["x"].value for cell in estimates.cells]
        assert told == pytest.approx(np.maximum(raw, 0)[order])
        assert [cell.values["x"].value for cell in truths.cells] == found.truth[order].tolist()
        assert shown.fact("answer").value == pytest.approx(raw[found.part])
    post = found.figure("post")
    assert len(post.layer("bias").x) == len(POST)
    assert post.layer("bias").heights[0] == 0
    assert post.layer("bias").heights[1] > 0


def test_values_beyond_those_with_lanes_are_told_together(adult: Dataset) -> None:
    """Fourteen by name and the total of the others, as an estimate and exactly; none of it is left
    out, and a lane of one's own can be looked at."""
    made = lab("query.column=native-country", "protocol=oue")
    found = run(made, adult)
    published = made.frame(found, 3).figure("published")
    raw = made.protocol.estimate(found.replays[3], found.fact("asked").value)
    assert found.truth is not None
    assert len(published.y.ticks) == 15
    assert published.y.ticks[-1] == (0.0, "27 others")
    assert published.lanes is not None
    for column, all_of in zip(published.lanes.columns, (raw, found.truth), strict=True):
        told = [cell.values["x"].value for cell in column.cells]
        assert sum(told) == pytest.approx(all_of.sum())
    assert published.lanes.targets is not None
    assert len(published.lanes.targets.picks) == 14


def test_surveys_have_the_exact_law(adult: Dataset) -> None:
    """Mean and spread of simulated estimates: within 4 standard errors of the truth and of the
    exact variance."""
    for key in ("grr", "hadamard", "subset"):
        model = state(adult, f"protocol={key}", "trials=2000")
        error = local_counts_surveys.estimates(model) - model.counts
        assert np.all(np.abs(error.mean(axis=0)) < 4 * errors.deviations(model) / math.sqrt(2000))
        assert error.std(axis=0) == pytest.approx(errors.deviations(model), rel=4 / math.sqrt(4000))


@pytest.mark.parametrize("judged", ["rare", "part", "all"])
def test_curves_are_of_these_people(adult: Dataset, judged: str) -> None:
    """What a table remembers of one condition is not shown under another: every point is the error
    at that ε, worked out anew."""
    for where in ("", "query.where=age > 60 and sex = Female"):
        settings = ("protocol=hadamard", f"judged={judged}", where)
        model = state(adult, *(setting for setting in settings if setting))
        for protocol in (model.lab.protocol, Direct()):
            at = np.array([0.5, 2.0, 5.0])
            people = [protocol.at(float(e)) for e in at]
            anew = [errors.spread(model, p) for p in people if p is not None]
            assert curve(model, protocol, at) == pytest.approx(anew, rel=1e-12), (where, protocol)


def test_hidden_counts_reach_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two tables of as many people whose one simulated survey came in the same give the same
    findings, whatever they hold."""
    tables = [
        Dataset(pd.DataFrame({"c": ["a"] * a + ["b"] * b + ["z"] * (1000 - a - b)}), "t")
        for a, b in ((500, 300), (20, 20))
    ]
    original = Direct.draw

    def draw(
        self: Direct, rng: np.random.Generator, counts: object, surveys: int = 1
    ) -> np.ndarray:
        return (
            np.array([[420.0, 390.0, 190.0]])
            if surveys == 1
            else original(self, rng, counts, surveys)
        )  # type: ignore[arg-type]

    monkeypatch.setattr(Direct, "draw", draw)
    one, two = (run(lab("query.column=c", "show_truth=no"), table) for table in tables)
    assert json.dumps(findings_json(one)) == json.dumps(findings_json(two))
    assert len(one.replays) == 1
    assert "truth" not in {fact.key for fact in one.facts}


def test_what_a_reader_takes_for_the_population() -> None:
    """Whole counts that add up, none negative, the nearest ones where the estimates are such
    counts."""
    assert likely(np.array([3.0, 5.0, 2.0]), 10).tolist() == [3, 5, 2]
    assert likely(np.array([-4.0, 6.2, 5.8]), 10).tolist() == [0, 5, 5]
    assert likely(np.array([-1.0, -2.0, -3.0]), 10).sum() == 10


def test_coins_need_two_values(adult: Dataset) -> None:
    """Greyed with the reason on 14 occupations; on a yes/no question they run, and cannot be
    dragged where they have no ε."""
    for key in ("fair_coins", "biased_coins", "warner"):
        made = lab(f"protocol={key}")
        (problem,) = [p for p in made.problems(adult) if p.stops]
        assert problem.field == "protocol"
        assert render(problem.say) == render(made.refused(adult)["protocol"][key])
        assert made.suited(adult).protocol.key == "grr"
        found = run(put(made, "query", "count"), adult)
        assert found.fact("asked").value == 32_561
        assert isinstance(found.figure("tradeoff").layer("here"), Handle) == (key == "warner")
    assert found.labels == ()


def test_a_drag_draws_few_surveys_and_then_all(adult: Dataset) -> None:
    made = lab("protocol.epsilon=1.23", "trials=1000", "seed=5")
    quick, full = made.run(adult)
    assert render(quick.figure("surveys").subtitle).startswith("240 ")
    assert render(full.figure("surveys").subtitle).startswith("1,000 ")
    assert np.array_equal(quick.replays, full.replays)
    assert len(list(made.run(adult))) == 1


def test_words_of_the_strip_and_the_extremes(adult: Dataset) -> None:
    """Never quite 100 % sure; few reports are no normal law; what the bars are not is called raw;
    the price of trust to 3 digits."""
    sharp = run(lab("query.column=race", "protocol.epsilon=50", "post=clip"), adult)
    assert "to 99.9 %" in render(sharp.sentence("report").say)
    assert "far from a normal law" in render(sharp.sentence("seldom").say)
    assert render(sharp.fact("answer").label) == "Raw estimate"
    # Reports that all hold as many values add up to n: where none is clipped, all stay.
    summed = run(
        lab("query.column=race", "protocol=subset", "protocol.epsilon=3", "post=normalise"), adult
    )
    assert "changes none" in render(summed.sentence("post").say)
    found = run(lab("query.column=race", "protocol.epsilon=1"), adult)
    assert "seldom" not in {s.key for s in found.sentences}
    assert "moves by 2 in all" in render(found.sentence("neighbours").say)
    assert "takes at least 11,900 times" in render(found.sentence("central").say)
    assert "×1.0011" in render(
        run(lab("query.column=race", "protocol.epsilon=0.001"), adult).sentence("odds").say
    )


def test_little_effort_draws_less_and_says_the_same(adult: Dataset) -> None:
    """All but the simulated survey: also the meetings, which are looked for as closely."""
    for words in (("protocol=the", "judged=part"), ("query=count", "protocol=warner")):
        little = lab(*words).last(Context(adult, effort=LITTLE))
        full = run(lab(*words), adult)
        assert len(little.replays) == LITTLE.replays
        drawn = {"answer", "post"}
        for part in ("facts", "sentences"):
            one, two = ([x for x in getattr(f, part) if x.key not in drawn] for f in (little, full))
            assert one == two, part
        assert little.tables[0] == full.tables[0]
        for key, layer in (("tradeoff", lab(*words).protocol.key), ("surveys", "law")):
            few, many = (len(f.figure(key).layer(layer).x) for f in (little, full))
            assert few < many / 2, key


def test_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(
            [
                "run",
                "local",
                "query=histogram",
                "query.column=race",
                "protocol=sue",
                "protocol.epsilon=5",
                "--json",
            ]
        )
        == 0
    )
    found = json.loads(capsys.readouterr().out)
    (parts,) = (table["columns"] for table in found["tables"] if table["key"] == "parts")
    (sds,) = (column["values"] for column in parts if column["name"] == "sd")
    assert [round(sd, 1) for sd in sds] == [56.3] * 5
    assert found["truth"] == [311, 1039, 3124, 271, 27816]


@pytest.mark.parametrize("epsilon", [0.4, 1.6])
def test_worked_on_sets_err_as_persons_do(epsilon: float) -> None:
    """Reports of subset selection add up to nω, so that their estimates move together: what is said
    of working on them is so of 1,500 surveys, person by person (within four standard errors, 4 %)."""
    people = np.array([300, 120, 60, 40, 20, 10, 5, 0])
    table = Dataset(pd.DataFrame({"w": np.repeat(list("abcdefgh"), people)}), "sets")
    query = Histogram(column="w", categories=tuple("abcdefgh"))
    lab = LocalCounts(query=query, protocol=subset.SubsetSelection(epsilon=epsilon), trials=4000)
    model = counts_model(lab, Context(table))
    n, d, rng, surveys = int(people.sum()), len(people), np.random.default_rng(8), 1500
    assert model.counts.tolist() == people.tolist()
    reports = lab.protocol.reports(rng, np.tile(np.repeat(np.arange(d), people), surveys), d)
    totals = np.array([lab.protocol.tally(r, d) for r in np.split(reports, surveys)])
    raw = lab.protocol.estimate(totals, n)
    for key, (error, bias) in local_counts_surveys.worked(model).items():
        found = local_counts_surveys.processed(raw, n, key)
        assert error == pytest.approx(math.sqrt(np.mean((found - people) ** 2)), rel=0.04), key
        off = np.abs((found - raw).mean(axis=0)).max()
        assert bias == pytest.approx(off, rel=0.04, abs=0.05 * error), key


@pytest.mark.parametrize("judged", JUDGED)
def test_what_protocols_are_judged_by_is_spoken_of_as_one(judged: str, adult: Dataset) -> None:
    """“All values on average is known within” was said."""
    for query in (Histogram(column="occupation"), Count()):
        found = little(LocalCounts(query=query, judged=judged), adult)
        for said in found.sentences:
            assert not re.search(r"\b(all|these|those)( \w+){1,4} is\b", render(said.say))
