"""A survey in the room: what its reports say together, whatever the order and the ε of each; what
weights do where ε follows the answer; and tables of reports, read back as they were sent."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from room_chances import chances
from scipy.stats import binom

from dpstudio.data.dataset import Dataset
from dpstudio.files.ledger import Ledger
from dpstudio.files.tables import open_table
from dpstudio.files.write.leaving import StaysError, leave
from dpstudio.labs.context import LITTLE, Context
from dpstudio.labs.findings import Findings
from dpstudio.labs.nobody.room import model as room
from dpstudio.labs.nobody.room import telling, words
from dpstudio.labs.nobody.room.invented import invented, misled, truth_of
from dpstudio.labs.nobody.room.parameters import (
    EPSILONS,
    OPERATIONS,
    ROLES,
    RULES,
    AnyNumber,
    Invented,
    LiveRoom,
    OneOption,
    OpenTable,
    RoomQuestion,
    RoomSurvey,
    Source,
    YesNo,
)
from dpstudio.labs.nobody.room.words import SEES, allowed
from dpstudio.labs.room_protocol import REPORTS
from dpstudio.privacy.room import Question, Report, combined, law
from dpstudio.serve.export import reports_csv, reports_table
from dpstudio.values.messages import Message, render
from dpstudio.values.parameters import ParamError, put

DATA = Dataset(pd.DataFrame({"x": [1.0]}), "one row")
KINDS: tuple[RoomQuestion, ...] = (YesNo(), OneOption(), OneOption(unary=True), AnyNumber())
each = pytest.mark.parametrize("asked", KINDS, ids=lambda a: f"{a.key} {getattr(a, 'unary', '')}")


def made(
    tables: dict[str, Dataset] | None = None, data: Dataset = DATA, **fields
) -> room.RoomModel:
    return room.room_model(RoomSurvey(**fields), Context(data, tables or {}, effort=LITTLE))


def run(tables: dict[str, Dataset] | None = None, data: Dataset = DATA, **fields) -> Findings:
    found = RoomSurvey(**fields).last(Context(data, tables or {}, effort=LITTLE))
    return found


def table(model: room.RoomModel) -> Dataset:
    """The reports of a model as the window hands them over."""
    held = reports_table({model.question.key: model.question}, model.reports)
    return Dataset(pd.DataFrame({name: list(cells) for name, cells in held.columns}), "reports")


@each
def test_the_line_is_the_estimate_of_the_first_reports(asked: RoomQuestion) -> None:
    """Its interval too; the last point is the whole; head counts are right on average over seeds,
    within four of the standard errors that are said."""
    model = made(asked=asked, part=0)
    people, values, half_widths = room.arriving(model)
    for n, estimate, wide in zip(people, values, half_widths, strict=True):
        found = combined(model.question, model.reports[: int(n)])
        assert found is not None
        assert (room.value(model, found), room.half(model, found)) == (estimate, wide)
    assert people[-1] == len(model.reports) == 200
    assert half_widths[-1] < half_widths[0]
    source = Invented(people=300, by_answer=True)
    true = truth_of(model.question, source)
    runs = [made(asked=asked, part=0, reports=source, seed=seed).whole for seed in range(30)]
    for at, exact in enumerate(true):
        mean = np.mean([r.values[at] for r in runs if r])
        error = np.mean([r.errors[at] for r in runs if r])
        assert abs(mean - exact) < 4 * error / math.sqrt(30)


def test_weights_mislead_where_epsilon_follows_the_answer() -> None:
    """.100 for a true .300, worked out here by the variance of Warner's coins; and where it does
    not follow, both are right and weights have less error."""
    noise = [math.exp(e) / (math.exp(e) - 1) ** 2 for e in (1.0, 2.0)]
    weights = [510 / noise[0], 490 / noise[1]]
    by_hand = weights[0] / sum(weights) * 300 / 510
    true, heads, found = misled()
    assert (true, round(found, 3)) == (0.3, 0.1)
    assert heads == pytest.approx(true, rel=1e-12)
    assert found == pytest.approx(by_hand, rel=1e-6)  # of 32-bit chances
    follows = made(reports=Invented(people=5_000, by_answer=True), offered=("1", "2"))
    weighed = room.by_weight(follows)
    assert follows.whole is not None
    assert weighed is not None
    assert abs(room.value(follows, follows.whole) - 0.3) < room.half(follows, follows.whole)
    assert room.value(follows, weighed) + room.half(follows, weighed) < 0.2
    chance = made(reports=Invented(people=5_000), offered=("1", "2"))
    fair = room.by_weight(chance)
    assert chance.whole is not None
    assert fair is not None
    assert abs(room.value(chance, fair) - 0.3) < 2 * room.half(chance, fair)
    assert room.half(chance, fair) < room.half(chance, chance.whole)


@each
def test_how_far_one_report_moves_the_estimate(asked: RoomQuestion) -> None:
    """The last report replaced by any that may be sent, at any ε offered: no two of the estimates
    are farther apart than is said, and two are as far. It is called more than the interval where
    it is."""
    unary = getattr(asked, "unary", False)
    for n, offered, also in ((12, ("0.5", "4"), 0.05), (40, ("1", "2"), None), (60, ("4",), 0.06)):
        source = Invented(people=n, share=0.4)
        model = made(asked=asked, part=0, reports=source, offered=offered, also=also)
        question = model.question
        found = []
        for epsilon in question.epsilons:
            mechanism = law(question, epsilon).mechanism
            values = 2 if mechanism == "duchi" else question.answers
            for sent in range(1 << values if unary else values):
                last = Report(question.key, mechanism, epsilon, sent)
                whole = combined(question, (*model.reports[:-1], last))
                assert whole is not None
                found.append(room.value(model, whole))
        assert telling.moved(model) == pytest.approx(max(found) - min(found), rel=1e-9)
        told = next(s for s in words.sentences(model) if s.key == "moved")
        assert model.whole is not None
        beyond = max(found) - min(found) > room.half(model, model.whole)
        assert (told.tone == "warn") == ("more than ±" in told.say.text) == beyond
        # Among as many as are named it moves by what is wanted, among one more by less.
        most = telling.outweighed(model)
        assert (
            telling.moved(model) * n / most
            >= room.aim(model.lab)
            > telling.moved(model) * n / (most + 1)
        )


def test_a_small_epsilon_beside_large_ones_is_warned_of() -> None:
    """Before it is offered: one of 50 at ε = .05 moves a yes by 81 points, beside 4; not where all
    are alike, or near."""
    for offered, also, warned in (
        (("0.5", "1", "2"), None, False),
        (("4",), 0.05, True),
        (("0.25", "4"), None, True),
        (("0.25", "0.5", "1"), None, False),
        (("4",), None, False),
        (("4",), 3.5, False),
        (("0.5",), 0.05, False),
    ):
        lab = RoomSurvey(offered=offered, also=also)
        told = [p for p in lab.problems(DATA) if p.field == "offered"]
        assert bool(told) is warned, offered
        assert not any(p.stops for p in told)
        if told:
            values = told[0].say.values
            n = values["n"].value
            alone = replace(lab.question, epsilons=lab.question.epsilons[-1:])
            half = 1.959964 * math.sqrt(float(law(alone, 4.0).p * law(alone, 4.0).q) / n)
            gap = {e: math.tanh(e / 2) for e in lab.question.epsilons}
            assert half / gap[4.0] <= lab.aim
            by = 1 / gap[lab.question.epsilons[0]] / n
            assert lab.aim < by <= values["by"].values["x"].value * 1.0001
    listening = RoomSurvey(offered=("4",), also=0.05, reports=LiveRoom())
    assert "nearer" in render(next(listening.problems(DATA)).say)
    assert "Among up to 800 people" in render(
        next(
            s.say
            for s in run(reports=LiveRoom(), offered=("4",), also=0.05).sentences
            if s.key == "moved"
        )
    )
    assert telling.moved(
        made(offered=("4",), also=0.05, reports=Invented(people=50))
    ) == pytest.approx(1 / math.tanh(0.025) / 50, rel=1e-6)


@each
def test_how_many_more_is_the_fewest(asked: RoomQuestion) -> None:
    model = made(asked=asked)
    assert model.whole is not None
    widest = replace_part(model)
    total = model.whole.n + room.more(widest)
    wide, _ = telling.halves(widest, np.array([total - 1.0, float(total)]))
    assert wide[1] <= room.aim(model.lab) * (1 + 1e-12) < wide[0]
    enough = made(asked=asked, aim=0.5)
    assert room.more(enough) == 0
    assert "nobody more" in render(run(asked=asked, aim=0.5).sentence("more").say)
    # It is no rounded half-width that people are counted for.
    said = render(run(asked=asked, aim=0.075).sentence("more").say)
    assert said.startswith("± 0.9 at" if isinstance(asked, AnyNumber) else "± 7.5 points at")


def replace_part(model: room.RoomModel) -> room.RoomModel:
    """The model that looks at the option with the widest interval, which decides."""
    assert model.whole is not None
    widest = int(np.argmax(model.whole.errors))
    return made(asked=model.lab.asked, part=widest)


def test_a_trusted_collector_is_off_by_less() -> None:
    """√2/ε of a count over n where all choose one ε; twice that where counts of options move by
    two; of a number by its range."""
    for asked, step in ((YesNo(), 1), (OneOption(), 2), (AnyNumber(), 12)):
        model = made(asked=asked, offered=("0.5",))
        assert telling.trusted(model) == pytest.approx(step * math.sqrt(2) / 0.5 / 200)
        assert telling.times(model) > 2

    # A total has one noise, however many there are; a room has one of each.
    own, other = telling.halves(made(asked=YesNo(), offered=("0.5",)), np.array([200.0, 800.0]))
    assert (own[0] / own[1], other[0] / other[1]) == (pytest.approx(2), pytest.approx(4))

    # Of one person at each ε, who is trusted throws the coins too, rather than be off by more.
    three = Dataset(table(made())._frame.drop_duplicates("epsilon"), "one each")
    few = made({REPORTS: three}, reports=LiveRoom())
    assert len(few.reports) == 3
    assert telling.trusted(few) == telling.untrusted(few)
    said = {each.key: render(each.say) for each in words.sentences(few)}
    assert "as the room is" in said["trusted"]
    assert " points" in said["trusted"]
    # So it is of many at a large ε.
    many = made(
        asked=YesNo(), reports=Invented(300, 0.0, by_answer=True), offered=("4",), also=10.0
    )
    assert [group.n for group in many.groups] == [300]
    assert telling.trusted(many) == telling.untrusted(many)
    said = {each.key: render(each.say) for each in words.sentences(many)}
    assert "or an ε so large, coins tell" in said["trusted"]


@pytest.mark.parametrize("asked", KINDS[:3], ids=lambda a: a.key)
def test_belief_is_that_of_bayes(asked: RoomQuestion) -> None:
    """Against the exact chances of every report, the other answers being alike likely: the surest
    that any report makes."""
    model, epsilon = made(asked=asked), 1.0
    d = model.question.answers
    laws = [chances(model.question, epsilon, answer) for answer in range(d)]
    prior = np.array([0.1, 0.5])
    others = {k: sum(float(laws[j][k]) for j in range(1, d)) / (d - 1) for k in laws[0]}
    report = max(laws[0], key=lambda k: float(laws[0][k]) / others[k])
    true, other = float(laws[0][report]), others[report]
    want = prior * true / (prior * true + (1 - prior) * other)
    assert telling.belief(model, epsilon, prior) == pytest.approx(want, rel=1e-12)


def test_the_interval_of_the_largest_holds() -> None:
    """Where the reports choose which option is looked at: twelve alike, at a small ε."""
    letters = OneOption(options=tuple("abcdefghijkl"))
    source, held = Invented(people=120, share=1 / 12), 0
    for seed in range(60):
        model = made(asked=letters, reports=source, offered=("0.5",), seed=seed)
        assert model.whole is not None
        held += abs(room.value(model, model.whole) - 1 / 12) <= room.half(model, model.whole)
    assert held >= 60 * 0.95 - 4 * math.sqrt(60 * 0.95 * 0.05)


def covered(asked: Question, n: int, yes: int) -> float:
    """The chance that the 95 % interval of the last option holds a share of `yes` in n."""
    (epsilon,), place = asked.epsilons, asked.answers - 1
    used = law(asked, epsilon)
    bit = 1 << place if used.mechanism == "oue" else place
    held = np.convolve(
        binom.pmf(np.arange(yes + 1), yes, float(used.p)),
        binom.pmf(np.arange(n - yes + 1), n - yes, float(used.q)),
    )
    told, total = Report(asked.key, used.mechanism, epsilon, bit), 0.0
    for k in np.flatnonzero(held > 1e-9):
        found = combined(asked, (told,) * k + (replace(told, value=0),) * (n - k))
        assert found is not None
        low, high = found.interval(place)
        total += held[k] * (low <= yes / n <= high)
    return total


def test_a_rough_interval_is_called_so() -> None:
    """Not only of few reports: 200 at ε = 8 may hold half as often as they say. From where nothing
    is said on, they hold in nine of ten rooms."""
    for options, unary in ((2, True), (3, False)):
        names = tuple("abcdef"[:options])
        for epsilon, n in ((4.0, 100), (6.0, 739)):
            asked = Question("q", "?", "choice", names, epsilons=(epsilon,), unary=unary)
            assert min(covered(asked, n, yes) for yes in (0, 1, 3, n // 2, n)) >= 0.9
    asked = Question("q", "?", "choice", ("a", "b"), epsilons=(8.0,), unary=True)
    assert covered(asked, 200, 1) < 0.6
    for kind, also, people, said in (
        (YesNo(), None, 100, False),
        (YesNo(), 8.0, 180, True),  # about half of them choose 4, and the others count little
        (YesNo(), 8.0, 260, False),
        (AnyNumber(), 8.0, 180, False),
    ):
        found = run(asked=kind, offered=("4",), also=also, reports=Invented(people=people))
        assert ("rough" in {s.key for s in found.sentences}) is said


def test_one_report_tells_what_the_largest_epsilon_of_a_table_tells() -> None:
    """Even where less is offered now."""
    data = table(made(offered=("4",)))
    model = made(data=data, reports=OpenTable(), offered=("0.5",))
    assert len(model.reports) == 200
    assert telling.most(model).epsilon == pytest.approx(4.0, abs=1e-6)


@each
def test_a_table_of_reports_is_read_as_it_was_sent(asked: RoomQuestion, tmp_path: Path) -> None:
    """Live, and from the file that is saved; what no phone sends is left out and counted, and what
    answers another question is passed over."""
    offer = {"offered": ("0.5", "ln3", "4")}
    model = made(asked=asked, **offer)
    live = made({REPORTS: table(model)}, **offer, asked=asked, reports=LiveRoom())
    assert live.reports == model.reports
    other = RoomSurvey(asked=YesNo(text="Another?")).question
    path = tmp_path / "room.csv"
    text = reports_csv({model.question.key: model.question}, model.reports)
    path.write_text(text)
    data = open_table(str(path))
    assert room.told_by(data, model.question, "report") == (model.reports, 0)
    assert room.told_by(data, other, "report") == ((), 0)
    found = run(data=data, asked=asked, reports=OpenTable(), **offer)
    assert found.fact("estimate").value[0] == room.value(model, model.whole)  # type: ignore[arg-type]
    assert not any(figure.simulated for figure in found.figures)
    frame = table(model)._frame.copy()
    frame.loc[0, "report"], frame.loc[1, "mechanism"] = "nothing", "laplace"
    frame.loc[2, "epsilon"] = math.nan
    assert room.told_by(Dataset(frame, "bad"), model.question, "report")[1] == 3


@pytest.mark.parametrize("unary", [False, True])
def test_options_that_a_file_changes_are_read_all_the_same(unary: bool, tmp_path: Path) -> None:
    """Formulas, numbers, yes and no, words for nothing, dates; and those that are almost alike."""
    words = (
        ("=1+1", "-2", "@x", "01", "true", "False"),
        ("NA", "null", "empty", "None", "N/A", "nan", "?", "-"),
        ("07:30", "2026-11-23", "50 %", "'n", "True", "true"),
        ("1", "1.0", "01", "1e5", "100000", "none"),
    )
    path = tmp_path / "room.csv"
    for options in words:
        lab = RoomSurvey(asked=OneOption(text="+1 or -1?", options=options, unary=unary))
        reports = invented(lab.question, Invented(people=80), 1)
        for some in (reports, reports[:1], reports[:2]):  # nobody is asked of few either
            path.write_text(reports_csv({lab.question.key: lab.question}, some))
            assert room.told_by(open_table(str(path)), lab.question, "report") == (some, 0)


def test_who_answers_again_counts_again() -> None:
    """At another ε too, and it is said; not who was asked the same with other answers."""
    model = made()
    (first, *_), asked = model.reports, model.question
    again = replace(first, round=2)
    other = RoomSurvey(offered=("4",)).question
    apart = RoomSurvey(asked=YesNo(text=asked.text)).question
    apart = replace(apart, key="apart", options=("no", "yes, often"))
    told = (*model.reports, again, replace(first, question=other.key, epsilon=4.0))
    told += (replace(first, question="apart", value=0),)
    held = reports_table({q.key: q for q in (asked, other, apart)}, told)
    data = Dataset(pd.DataFrame({name: list(cells) for name, cells in held.columns}), "reports")
    found = run({REPORTS: data}, reports=LiveRoom())
    assert found.fact("estimate").note.values["n"].value == 202  # type: ignore[union-attr]
    assert "asked 3 times" in render(found.sentence("rounds").say)


@pytest.mark.parametrize("source", [LiveRoom(), OpenTable()], ids=lambda s: s.key)
def test_reports_leave_as_they_are(source: Source, tmp_path: Path) -> None:
    """They hold no exact answer, so that there is nothing to be drawn anew."""
    data = table(made())
    with pytest.raises(StaysError) as caught:
        leave(RoomSurvey(reports=source), data, Ledger(tmp_path / "ledger.json"))
    assert "as it is" in render(caught.value.sentence)


def test_no_report_and_no_table_of_reports(adult: Dataset) -> None:
    """Nothing breaks: it says what it waits for, and what a table lacks, with a way on."""
    found = run(reports=LiveRoom())
    assert found.headline == ("waits", "more")
    assert "6,405" in render(waits(AnyNumber()))
    stopped = RoomSurvey(reports=OpenTable()).last(Context(adult))
    assert [p.stops for p in stopped.problems] == [True]
    assert "“report”" in render(stopped.problems[0].say)
    assert room.lacking(adult, "age") == "mechanism"


def waits(asked: RoomQuestion) -> Message:
    return run(asked=asked, reports=LiveRoom()).sentence("more").say


def test_what_is_asked_has_a_key_of_its_own() -> None:
    """Reports never count for another question; what cannot be asked is refused at its field."""
    keys = {
        RoomSurvey(asked=asked).question.key
        for asked in (*KINDS, YesNo(text="?"), OneOption(options=("a", "b")), AnyNumber(high=13))
    }
    keys.add(RoomSurvey(offered=("1",)).question.key)
    every = RoomSurvey(offered=tuple(EPSILONS), also=0.7).question
    assert every.epsilons == tuple(sorted((*EPSILONS.values(), 0.7)))
    keys.add(every.key)
    assert len(keys) == 9
    lab = RoomSurvey(asked=OneOption())
    for path, bad in (("asked.options", "one"), ("asked.text", ""), ("asked.options", "a|–")):
        with pytest.raises(ParamError) as caught:
            put(lab, path, bad)
        assert caught.value.field == path
    with pytest.raises(ParamError) as caught:
        put(RoomSurvey(asked=AnyNumber()), "asked.high", "-5")
    assert caught.value.field == "asked.high"


def test_every_option_can_be_looked_at() -> None:
    for part in range(4):
        model = made(asked=OneOption(), part=part)
        assert room.place(model) == part
    found = run(asked=OneOption(), part=2)
    assert (found.part, found.labels) == (2, OneOption().options)


def test_roles_may_do_what_the_policy_says() -> None:
    """Nobody but the owner reads rows or grants; who makes algorithms runs none on others' data. By
    the texts' rule providers grant and watch, and nothing else differs."""
    may, told = (
        {(role, do) for role in ROLES for do in OPERATIONS if allowed(rule, role, do)}
        for rule in RULES
    )
    assert told - may == {("provider", "grant"), ("provider", "watch")}
    assert may < told
    assert {role for role, do in may if do in ("rows", "grant")} == {"owner"}
    assert {do for role, do in may if role == "maker"} == {"submit"}
    assert {do for role, do in may if role == "provider"} == {"answer"}
    asked = {"role": "provider", "operation": "grant"}
    assert [run(**asked, rule=rule).sentence("allowed").tone for rule in RULES] == ["warn", "good"]
    found = run(role="user", operation="query")
    assert found.sentence("allowed").tone == "good"
    assert run(role="user", operation="rows").sentence("allowed").tone == "warn"
    assert len(next(t for t in found.tables if t.key == "sees").columns[0][1]) == len(SEES)


@each
def test_a_lane_for_each_epsilon_and_for_all_together(asked: RoomQuestion) -> None:
    """Its numbers are those of its estimate, and its bracket is its interval; together all reports
    are counted. One ε has one lane: the three would be the same."""
    found, model = run(asked=asked, part=0), made(asked=asked, part=0)
    figure = found.figures[0]
    assert figure.lanes is not None
    assert len(figure.y.ticks) == len(model.groups) + 2
    told = [[str(render(cell)) for cell in column.cells] for column in figure.lanes.columns]
    assert sum(int(n) for n in told[0][:-2]) == len(model.reports) == int(told[0][-2])
    for k, group in enumerate(model.groups):
        assert np.nanmin(figure.layer(f"at_{k}").x) == pytest.approx(room.ends(model, group)[0])
        assert np.nanmax(figure.layer(f"at_{k}").x) == pytest.approx(room.ends(model, group)[1])
    assert render(found.sentence("estimate").say).count(told[1][-2]) == 1
    assert told[2][-2] in render(found.sentence("estimate").say)
    assert len(run(asked=asked, offered=("2",)).figures[0].y.ticks) == 1
