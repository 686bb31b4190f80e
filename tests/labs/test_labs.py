"""What every lab must keep, by being listed: it runs, says what it hides, refuses by name, and
leaves the table alone."""

import json
import math
import re
from collections.abc import Callable
from dataclasses import is_dataclass
from functools import cache, partial
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd
import pytest
from choices import check_choices, choices, together
from odd_tables import HARDLY, odd_tables
from random_states import random_state
from running import FEW, LEAST, first_rows, lab_of, little, opened
from test_random_states import CHARTS
from test_random_states import check as check_drawn

from dpstudio.charts.figure import PART, Band, Handle, Rule
from dpstudio.charts.scaling import ticks
from dpstudio.data.dataset import Dataset
from dpstudio.data.memory import OF_NO_TABLE
from dpstudio.files.write.export import provenance, warnings
from dpstudio.files.write.jsonout import findings_json
from dpstudio.files.write.palette import palette
from dpstudio.labs import Lab
from dpstudio.labs.carry_over import carried
from dpstudio.labs.context import Context
from dpstudio.labs.findings import Findings
from dpstudio.labs.naming import about_lab, every_lab
from dpstudio.labs.outcome import NamedValues
from dpstudio.labs.page import Page, nothing
from dpstudio.labs.page import run as run_page
from dpstudio.values import parameters
from dpstudio.values.domains import Choice, Domain, Flag, Real
from dpstudio.values.messages import Message, Num, render

LABS = every_lab()
OF_ROWS = ("risk", "anonymity", "masking")

Default = Callable[[type[Lab]], Findings]

every = pytest.mark.parametrize("kind", LABS, ids=lambda kind: kind.key)


@pytest.mark.parametrize(
    "words",
    [
        "explore query=mean query.column=day",
        "clipping column=day",
        "local_means query.column=day",
        "selection query=quantile query.column=day",
        "explore query=covariance query.columns=day|x",
        "local_means query.column=x more=day",
        "components features=day|x",
        "owners looks.features=day|x",
    ],
)
def test_dates_are_not_called_words(words: str) -> None:
    """Nor is a count proposed where none can be asked."""
    days = pd.date_range("2020-01-01", periods=60)
    data = Dataset(pd.DataFrame({"day": days, "x": [float(i % 7) for i in range(60)]}), "t")
    lab = lab_of(words.split())[0]
    said = " ".join(render(problem.say) for problem in lab.problems(data))
    assert "“day” holds dates, not numbers." in said
    assert ("count rows" in said) == (lab.key == "explore" and "mean" in words)


@every
def test_no_default_is_a_number_of_persons(kind: type[Lab]) -> None:
    """Of a table with running numbers and patients the first columns that say something are
    proposed; an id was learnt from, clipped, and nothing but “age” found people."""
    rng, n = np.random.default_rng(1), 400
    columns = {
        "id": np.arange(1, n + 1),
        "patient_id": np.arange(n) // 4,
        "age": rng.integers(18, 90, n),
    }
    columns |= {"zip": rng.integers(10, 40, n), "sex": rng.choice(["m", "f"], n)}
    columns["income"] = rng.choice(["low", "high"], n)
    lab: Any = kind().suited(Dataset(pd.DataFrame(columns), "people"))
    if kind.key in ("learn", "clipping", *OF_ROWS):
        chosen = {getattr(lab, name, ()) for name in ("column", "features", "feature", "quasi")}
        flat = {each for one in chosen for each in ([one] if isinstance(one, str) else one)}
        assert not {"id", "patient_id"} & flat
    if kind.key in OF_ROWS:
        assert lab.quasi == ("age", "zip", "sex")


@cache
def once_more(kind: type[Lab]) -> tuple[Dataset, Findings]:
    """A table like Adult of which nothing was asked before, and what the lab finds on it, after all
    that it finds first."""
    adult = opened("adult")
    again = Dataset(adult._table, adult.name, adult.origin, adult.digest)
    again.documented = adult.documented
    OF_NO_TABLE.forget(lambda question: False)
    *_, found = kind().suited(again).run(Context(again, effort=FEW))
    return again, found


@cache
def every_second(adult: Dataset) -> Dataset:
    """Every second row of many: another table with the same columns, read once for all labs."""
    return Dataset(adult._table.take(np.arange(0, 20_000, 2)), "half", "half")


# In words, digits and all: of one digit alone two may be the same by chance.
_NUMBER = re.compile(r"\d[\d.,·⁻⁰¹²³⁴-⁹]*[\d⁰¹²³⁴-⁹]")


def words(value: Any) -> str:
    return render(value) if isinstance(value, Message) else str(value)


@every
def test_the_default_shows_something(
    kind: type[Lab], adult: Dataset, default_findings: Default
) -> None:
    """Figures with finite axes, inks of the palette, a headline that exists, and JSON without
    NaN."""
    found = default_findings(kind)
    assert not [p for p in found.problems if p.stops]
    assert len(found.figures) >= 1
    assert len({f.key for f in found.figures}) == len(found.figures)
    for figure in found.figures:
        assert len({layer.key for layer in figure.layers}) == len(figure.layers), figure.key
        for axis in (figure.x, figure.y):
            assert all(math.isfinite(end) for end in axis.range), figure.key
            assert axis.range[0] < axis.range[1], figure.key
            assert not axis.log or axis.range[0] > 0
        for layer in figure.layers:
            assert layer.ink in palette(dark=False), (figure.key, layer.key, layer.ink)
            assert layer.ink in palette(dark=True)
            if isinstance(layer, Handle):
                assert isinstance(parameters.get(kind(), layer.sets), int | float | None), (
                    layer.sets
                )
        assert any(not isinstance(layer, Rule | Band) for layer in figure.layers), figure.key
    keys = [s.key for s in found.sentences]
    assert set(found.headline) <= set(keys)
    assert len(set(keys)) == len(keys)
    # The strip says something else than the headline: Sensitivity’s said the same number.
    first = set(_NUMBER.findall(render(found.sentence(found.headline[0]).say)))
    for fact in found.facts[: found.leading]:
        told = set(_NUMBER.findall(words(fact.text)))
        assert not told or not told <= first, fact.key
    for sentence in found.sentences:
        shown = render(sentence.say)
        assert shown
        assert "{" not in shown
        assert shown.rstrip()[-1] in ".:”" or shown.endswith("met"), (sentence.key, shown)
        assert ".." not in shown.replace("...", "").replace("..", "", shown.count("0..")), (
            sentence.key,
            shown,
        )
    json.dumps({**provenance(kind(), adult), **findings_json(found)}, allow_nan=False)
    assert kind.key
    assert kind.label
    assert kind.help.endswith(".")


@every
def test_tables_are_whole(kind: type[Lab], default_findings: Default) -> None:
    """Columns of equal length; a shown table has a head for each column and cells that people can
    read."""
    for table in default_findings(kind).tables:
        assert len({len(column) for _, column in table.columns}) <= 1, table.key
        if table.shown:
            assert len(table.heads) in (0, len(table.columns)), table.key
            for _, column in table.columns:
                assert all(
                    isinstance(cell, Message | Num | str | int | float) or cell is None
                    for cell in column
                ), table.key


@every
def test_the_state_alone_decides(kind: type[Lab], default_findings: Default) -> None:
    """Not what was asked before, nor whether what comes first was drawn."""
    again, found = once_more(kind)
    assert kind().suited(again) == kind()
    one, two = (
        json.dumps(findings_json(found), sort_keys=True)
        for found in (default_findings(kind), found)
    )
    assert one == two


@pytest.mark.parametrize(
    "words",
    [
        "composition",
        "reconstruction",
        "audit",
        "owners looks=trusting",
        "linkage attacker=linkage",
        "membership attacker=shadows",
    ],
)
def test_another_table_leaves_what_is_asked_of_none(words: str) -> None:
    """Telling a bound of a column had all totals, attacks and audits worked out anew."""
    lab, _ = lab_of(words.split())
    OF_NO_TABLE.forget(lambda question: False)
    little(lab, first_rows(300), LEAST)
    known = set(OF_NO_TABLE._answers)
    assert known
    little(lab, Dataset(first_rows(300)._table, "another", "another"), LEAST)
    assert set(OF_NO_TABLE._answers) == known


@every
def test_json_round_trip_and_bad_values(kind: type[Lab]) -> None:
    lab = kind()
    assert parameters.from_json(LABS, json.loads(json.dumps(parameters.to_json(lab)))) == lab
    for name, domain in parameters.domains(kind).items():
        if not isinstance(domain, parameters.OneOf):
            assert parameters.put(lab, name, domain.show(getattr(lab, name))) == lab, name
    bad = list(kind.invalid_examples())
    assert {name for name, _ in bad} == set(parameters.domains(kind))
    for name, value in bad:
        with pytest.raises(parameters.ParamError) as caught:
            kind(**{name: value})
        assert caught.value.field.split(".")[0] == name, (name, value)


@every
def test_every_choice_runs(kind: type[Lab]) -> None:
    """Options of choices, flags, families, and both ends of numbers, six at a time, and of these lots
    every third: findings, said and drawn as those of states at random are, or a sentence. All of
    them, each alone, are tried by `soak.py --only choices`."""
    for lot in together(choices(kind()))[LABS.index(kind) % 3 :: 3]:
        check_choices(kind, lot, first_rows(2_000), partial(check_drawn, kind, lot))


@every
def test_hidden_answers_are_nowhere(
    kind: type[Lab], adult: Dataset, default_findings: Default
) -> None:
    """Where a lab can hide the exact answer it has no exact chart, no truth, no exact outcome, no
    seed, no number of rows."""
    if "show_truth" not in parameters.domains(kind):
        found = default_findings(kind)
        assert not any(shown.exact for shown in (*found.figures, *found.outcomes))
        return
    lab = kind().with_(show_truth=False)
    found = little(lab, adult)
    assert found.truth is None
    assert not any(figure.exact for figure in found.figures)
    assert not any(table.exact for table in found.tables)
    assert not any(outcome.exact for outcome in found.outcomes)
    assert not any(
        "exact answer: not private" in words(note)
        for figure in found.figures
        for note in warnings(figure)
    )
    made = provenance(lab, adult)
    assert "seed" not in made["lab"]
    assert "rows" not in made.get("table", {})


@pytest.mark.parametrize("shown", [True, False])
def test_a_page_cannot_give_an_exact_outcome_of_a_hidden_answer(
    shown: bool, adult: Dataset
) -> None:
    made = NamedValues("sum", "a sum", {"value": 3}, exact=True), NamedValues("plan", "a plan", {})
    page: Page[Any, Any] = Page(
        stages=lambda lab, context: iter([lab]), charts=nothing, outcomes=lambda model: made
    )
    (found,) = run_page(page, LABS[0](show_truth=shown), Context(adult))
    assert found.outcomes == (made if shown else made[1:])


@every
def test_exact_charts_say_so(kind: type[Lab], adult: Dataset, default_findings: Default) -> None:
    """Findings that differ between two tables with the same columns are marked exact, or simulated
    from an exact answer."""
    small = every_second(adult)
    lab = kind().suited(adult)
    assert lab == kind()
    whole, half = default_findings(kind), little(lab, small)
    if not (whole.figures and half.figures):
        return
    for figure, other in zip(whole.figures, half.figures, strict=True):
        if not (figure.exact or figure.simulated):
            one, two = (_arrays(f) for f in (figure, other))
            assert len(one) == len(two), figure.key
            for a, b in zip(one, two, strict=True):
                assert a.shape == b.shape, figure.key
                assert np.allclose(a, b, equal_nan=True), figure.key


@every
def test_the_first_sentence_is_one_short_line(kind: type[Lab], default_findings: Default) -> None:
    found = default_findings(kind)
    (first, *_) = found.headline
    assert len(render(found.sentence(first).say)) <= 70


@every
def test_a_rule_has_a_name_or_is_one_of_the_numbers_beside_it(
    kind: type[Lab], default_findings: Default
) -> None:
    """A dotted line in Compress stood for nothing that a reader could find, and one in
    Components."""
    for figure in default_findings(kind).figures:
        for layer in figure.layers:
            if not isinstance(layer, Rule) or PART in layer.key or layer.ink == "grid":
                continue
            if not layer.label:
                axis = figure.x if layer.axis == "x" else figure.y
                numbered = {0.0, *(at for at, _ in ticks(axis, 100.0, 20.0))}
                assert min(abs(layer.at - at) for at in numbered) < 1e-9, (figure.key, layer.key)


def _arrays(figure: Any) -> list[np.ndarray]:
    return [
        value
        for layer in figure.layers
        for value in vars(layer).values()
        if isinstance(value, np.ndarray)
    ]


@every
def test_no_slider_touches_the_table(kind: type[Lab], touched: list[str]) -> None:
    """After the first picture no number, flag or choice of a mechanism reads a column again."""
    data, _ = once_more(kind)
    lab = kind().suited(data)
    touched.clear()
    steps = _sliders(lab)
    apart = -(-len(steps) // 3)
    for at in range(apart):
        # Three at once: whichever of them read a column would be heard.
        moved = lab
        for path, value in steps[at::apart]:
            moved = parameters.put(moved, path, value)
        found = little(moved, data, LEAST)
        assert touched == [], steps[at::apart]
        assert found.figures, steps[at::apart]


def _sliders(lab: parameters.Parameters, outer: str = "") -> list[tuple[str, Any]]:
    out: list[tuple[str, Any]] = []
    for name, domain in parameters.domains(type(lab)).items():
        path, held = f"{outer}{name}", getattr(lab, name)
        if isinstance(held, parameters.Parameters) and name != "query":
            out += _sliders(held, f"{path}.")
        elif (
            isinstance(domain, Real)
            and name not in ("points", "bins", "grid_low", "grid_high")
            and math.isfinite(domain.low + domain.high)
        ):
            out.append((path, domain.at(0.93 * domain.position(held) + 0.02)))
    return out


@every
@pytest.mark.parametrize("table", HARDLY)
def test_hardly_a_table(kind: type[Lab], table: str) -> None:
    """A table that a lab cannot answer stops it with one sentence; fitted to the table it runs, or
    says why not."""
    data = Dataset(HARDLY[table], table, table)
    for lab in dict.fromkeys((kind(), kind().suited(data))):
        opens(lab, data)


# Of the rest each lab one in so many: all of them are walked by `soak.py --only states`.
APART = 10


@every
def test_odd_tables(kind: type[Lab]) -> None:
    """Fitted to any table a lab opens with a picture, or says in plain words why not."""
    for name, frame in list(odd_tables().items())[LABS.index(kind) % APART :: APART]:
        data = Dataset(frame, name, name)
        opens(kind().suited(data), data)


def opens(lab: Lab, data: Dataset) -> None:
    found = little(lab, data, LEAST)
    stops = [p for p in found.problems if p.stops]
    assert bool(found.figures) != bool(stops), data.name
    for p in stops:
        assert render(p.say).endswith(".")
        assert len(render(p.say)) > 15
    json.dumps(findings_json(found), allow_nan=False)


@every
def test_cancelling_stops(kind: type[Lab], adult: Dataset) -> None:
    """A run that is cancelled from the start yields at most what it had ready."""
    assert len(list(kind().run(adult, lambda: True))) <= 1


@every
def test_frames_go_round(kind: type[Lab], default_findings: Default) -> None:
    """Any number of a simulated answer can be shown, and each keeps all charts."""
    lab, found = kind(), default_findings(kind)
    for index in (0, 1, len(found.replays) + 1, 10_007):
        shown = lab.frame(found, index)
        assert [f.key for f in shown.figures] == [f.key for f in found.figures]
        json.dumps(findings_json(shown), allow_nan=False)


@every
def test_the_first_chart_comes_ahead_as_it_stands_in_all(kind: type[Lab], adult: Dataset) -> None:
    """Under a hand it is sent before all else, with the simulated answer that is looked at in it."""
    framed = kind().page().hero_frame is not None
    for lab in (kind(), random_state(kind, 1, adult)) if framed else ():
        held = Context(adult, effort=LEAST, hero_first=True, index=2)
        ahead, found = (*islice(lab.run(held), 2), None, None)[:2]
        if ahead is not None and found is not None and ahead.ahead:
            assert _plain(ahead.figures) == _plain(lab.frame(found, 2).figures[:1])
            assert ahead.coarse == found.coarse


def _plain(value: Any) -> Any:
    """A value with all that it is made of, arrays as lists, to be compared as text."""
    if is_dataclass(value):
        return type(value).__name__, {name: _plain(held) for name, held in vars(value).items()}
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    return repr(value.tolist() if isinstance(value, np.ndarray) else value)


@pytest.mark.parametrize("key", ["explore", "compare", "selection", "local_counts", "local_means"])
def test_hidden_answers_of_two_tables_have_noise_of_their_own(key: str, adult: Dataset) -> None:
    """With one noise for both, the difference of two hidden answers would be that of the exact
    ones."""
    kind = next(kind for kind in LABS if kind.key == key)
    shown = []
    for digest in ("a", "b", "c", "d", "a"):
        data = Dataset(adult._table, "t", "t", digest * 64)
        lab = parameters.put(kind().suited(data), "show_truth", False)
        lab = (
            parameters.put(lab, "mechanism.epsilon", 0.001) if key == "selection" else lab
        )  # all of 14 winners are alike then
        shown.append(json.dumps(findings_json(little(lab, data)), sort_keys=True))
    assert shown[0] == shown[4]
    assert len(set(shown)) > (1 if key == "selection" else 3)


@pytest.mark.parametrize("sort", [Real, Flag])
def test_what_is_taken_over_is_called_alike(sort: type[Domain]) -> None:
    """Numbers and switches of one name that mean something else in another lab are a lab's own:
    Clusters opened with as many centres as Dimension had coordinates."""
    held = {
        (kind.key, name): domain.label
        for kind in every_lab()
        for name, domain in parameters.domains(kind).items()
        if isinstance(domain, sort)
        and not parameters.roles(kind)[name].own
        and name != "show_truth"
    }
    for name in {name for _, name in held}:
        labels = {key: label for (key, of), label in held.items() if of == name}
        assert len(set(labels.values())) == 1, (name, labels)


def test_what_is_a_labs_own_is_not_taken_over_from_another() -> None:
    for kind in every_lab():
        start = kind()
        lab = carried(start, [other() for other in every_lab() if other is not kind])
        for name, role in parameters.roles(kind).items():
            if role.own:
                assert getattr(lab, name) == getattr(start, name), (kind.key, name)


@every
def test_no_choice_of_what_is_looked_at_brings_more_charts_than_anybody_looks_at(
    kind: type[Lab],
) -> None:
    """In the first picture; test_random_states.py counts those of the start and of random states."""
    few = first_rows(300)
    for name, domain in parameters.domains(kind).items():
        if parameters.roles(kind)[name].look and isinstance(domain, Choice):
            for word in domain.words:
                lab = kind().with_(**{name: word}).suited(few)
                first = next(iter(lab.run(Context(few, effort=LEAST))))
                assert len(first.figures) <= CHARTS, (lab, [f.key for f in first.figures])


@every
def test_a_page_says_in_one_line_to_whom_it_is_useful_and_what_to_do_first(kind: type[Lab]) -> None:
    useful = about_lab(kind.key).useful
    whom, _, first = useful.partition(": ")
    assert whom
    assert first.endswith(".")
    assert len(useful) <= 90
