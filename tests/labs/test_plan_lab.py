"""The page Plan: its numbers are those of the plan, hands move what they hold, and the two kinds never mix."""

import json
import random
from dataclasses import replace
from fractions import Fraction

import pandas as pd
import pytest

from dpstudio.data.codebook import EMPTY, About, Codebook
from dpstudio.data.conditions import parse
from dpstudio.data.dataset import Dataset
from dpstudio.files.write.jsonout import findings_json
from dpstudio.labs import LABS
from dpstudio.labs.context import LITTLE, Context
from dpstudio.labs.findings import Findings
from dpstudio.labs.panel import Hands
from dpstudio.labs.publish.plan import editing
from dpstudio.labs.publish.plan.parameters import Planning, at_row, split
from dpstudio.labs.publish.plan.taking import taking
from dpstudio.labs.worded import lab_of_words
from dpstudio.plans.drafts import DRAFTS, draft_of, finished
from dpstudio.plans.errors import Errors
from dpstudio.plans.frontier import dropping
from dpstudio.plans.plan import LOOK, RELEASE, Plan, digest, read_plan
from dpstudio.plans.question import GAUSSIAN, LAPLACE, Count
from dpstudio.plans.solve import least_total
from dpstudio.privacy.accounting import ADD_REMOVE, REPLACE
from dpstudio.values.messages import render
from dpstudio.values.parameters import ParamError, from_json, put, to_json

TOLD = {"who": "the steward", "origin": "the form"}


def found(lab: Planning, data: Dataset) -> Findings:
    return lab.last(Context(data, effort=LITTLE))


def solved(lab: Planning) -> Plan:
    plan = split(lab)
    assert isinstance(plan, Plan)
    return plan


def shares(lab: Planning) -> dict[str, float]:
    """The part of Σρ that each pays: in a plan of Gaussian noise that is its share."""
    plan = solved(lab)
    costs = {q.name: float(s.cost) for q, s in zip(plan.questions, plan.split, strict=True)}
    return {name: cost / sum(costs.values()) for name, cost in costs.items()}


@pytest.mark.parametrize("seed", range(6))
def test_what_is_shown_is_what_the_plan_says_by_itself(adult: Dataset, seed: int) -> None:
    rng = random.Random(seed)
    lab = Planning(
        epsilon=round(0.2 * 20 ** rng.random(), 3), adjacency=rng.choice([ADD_REMOVE, REPLACE])
    )
    lab = put(lab.with_(confidence=rng.choice([0.9, 0.95])), "row", rng.randint(1, 6))
    lab = put(lab, "share", rng.uniform(0.05, 0.6))
    lab = lab.with_(
        find=rng.choice(["hand", "hand", "worst", "least", "weighted"]), rows=rng.randint(1, 3)
    )
    plan, seen = solved(lab), found(lab, adult)
    assert plan.keeps
    assert plan.charge.epsilon <= plan.terms.epsilon
    at = {line.key: line for line in seen.figure("shares").layers}
    target = 0
    for k, (question, pays) in enumerate(zip(plan.questions, plan.split, strict=True)):
        alone = Errors(question, plan.terms.unit, lab.confidence)
        assert question.target is not None
        target += alone.at(pays.noise, float(pays.cost)) <= float(question.target.amount)
        if f"needs {k}" in at:  # there its error is its target
            cost = float(pays.cost) * at[f"needs {k}"].x[0] / at[f"share {k}"].x[1]
            assert alone.at(pays.noise, cost * 1.001) <= float(question.target.amount) * 1.001
            assert alone.at(pays.noise, cost * 0.99) >= float(question.target.amount) * 0.999
    assert sum(float(at[f"share {k}"].x[1]) for k in range(6)) == pytest.approx(1)
    met = seen.sentence("met").say.values
    assert int(met.get("k", met.get("n")).value) == target
    assert seen.fact("least").value == pytest.approx(least_total(plan))
    without = min(dropping(plan), key=lambda one: one.epsilon)
    told, best = seen.fact("without").value, least_total(plan.without(without.name))
    assert (
        best * (1 - 1e-9) <= told <= least_total(plan)
    )  # it is enough: with the noise of the whole


def test_a_knob_takes_from_who_is_not_locked_in_proportion() -> None:
    lab = editing.locked(put(Planning(), "row", 3))
    before = shares(lab)
    moved = put(put(lab, "row", 2), "share", 0.4)
    after = shares(moved)
    assert after["Schooling"] == pytest.approx(0.4, abs=1e-4)
    assert solved(moved).split[2] == solved(lab).split[2]
    rest = [name for name in before if name not in ("Schooling", "Hours")]
    assert len({round(after[name] / before[name], 3) for name in rest}) == 1
    with pytest.raises(ParamError, match="let go"):
        put(put(moved, "row", 3), "share", 0.5)
    assert put(moved, "row", 3).share == pytest.approx(after["Hours"])


def test_a_plan_goes_out_and_comes_in_as_its_file() -> None:
    lab = put(put(Planning(**TOLD, purpose=RELEASE, epsilon=0.7), "row", 4), "share", 0.3)
    text = editing.text_of(lab)
    plan, again = read_plan(text), editing.read(Planning(), text)
    assert plan.terms.purpose == RELEASE
    assert digest(plan) in text
    assert (again.questions, again.purpose, again.epsilon) == (lab.questions, RELEASE, 0.7)
    assert editing.text_of(again) == text
    with pytest.raises(ParamError):
        editing.read(Planning(), text.replace('"25"', '"26"'))


def test_what_leaves_is_the_finest_plan_and_comes_back_as_it_left(adult: Dataset) -> None:
    """Of mixed noises a coarse plan is shown first, which never says that it leaves: its digest is
    not told, and what the last one tells otherwise is marked."""
    mixed = (
        *(Count(name=f"c{k}", target="40", noise=GAUSSIAN) for k in range(3)),
        Count(name="one", noise=LAPLACE, target="9"),
    )
    lab = at_row(Planning(**TOLD, purpose=RELEASE), tuple(map(draft_of, mixed)), 1)
    for find in ("hand", "worst", "weighted"):
        asked = lab.with_(find=find)
        first, *_, last = asked.run(Context(adult, effort=LITTLE))
        left = read_plan(editing.text_of(asked))
        assert len({share.noise for share in left.split}) == 2
        assert left.terms.epsilon >= left.charge.epsilon >= Fraction(999, 1000)
        told = [render(seen.sentence("digest").say) for seen in (first, last)]
        assert told[0] == "Its digest begins with ….", find
        assert digest(left)[:16] in told[1]
        assert {"digest", "charged", "met", "shares"} <= first.coarse
        assert not last.coarse
        assert last.figure("frontier").layer("here").x[0] == float(left.charge.epsilon)
        assert editing.text_of(editing.read(Planning(), editing.text_of(asked))) == editing.text_of(
            asked
        )


def test_a_part_of_nothing_known_is_said_beside_its_row(adult: Dataset) -> None:
    """And in the headline, until the size is typed: then it is judged."""
    lab = at_row(Planning(), (draft_of(Count(name="a", target="5 %")),), 1)
    for size, head, beside in (
        (None, "1 target is a part of a size not typed: type it.", "of what?"),
        (3000, "The one target is met.", "✓ met"),
    ):
        *_, found = lab.with_(asked=lab.asked.with_(size=size)).run(Context(adult, effort=LITTLE))
        assert render(found.sentence("met").say) == head
        lanes = found.figure("shares").lanes
        assert lanes is not None
        assert render(lanes.columns[1].cells[0]) == beside


def test_all_that_keeps_a_plan_from_the_desk_is_listed_with_the_way_there() -> None:
    """At once and each by itself, where the lab of a way has the question whose field is meant; and
    a plan that lacks nothing goes."""
    proposed = replace(parse("age > 50"), proposed=True)
    begun = next(kind for kind in DRAFTS if kind.key == "by_group")(name="d")
    asked = (Count(name="a", where=proposed), Count(name="b", target="5 %"), Count(name="c"))
    lab = at_row(Planning(purpose=LOOK), (*map(draft_of, asked), begun), 3)
    lacks = list(editing.lacks(lab))
    ways = [(lack.lab.asked.name, lack.path) for lack in lacks]
    assert ways == [
        ("d", "asked.groups"),
        ("c", "purpose"),
        ("c", "who"),
        ("a", "asked.where"),
        ("b", "asked.target"),
    ]
    assert [lab.questions == lack.lab.questions for lack in lacks] == [True] * 5
    mended = at_row(lab.with_(purpose=RELEASE, **TOLD), (draft_of(asked[2]),), 1)
    assert not list(editing.lacks(mended))
    assert editing.text_of(mended)


def test_a_plan_to_release_is_the_same_beside_any_table_of_its_columns() -> None:
    """Not one row alike, other words, other persons, other counts: what is proposed for a new
    question of each kind, what leaves, and all that the page finds are the same to the last
    letter."""
    tables = (
        {"Fallnr": [f"p{k}" for k in range(40)], "ward": ["A", "B"] * 20, "age": range(40)},
        {"Fallnr": ["q0", "q1", "q1"], "ward": ["Z"] * 3, "age": [500, 500, 7]},
    )
    release = Planning(purpose=RELEASE, **TOLD)
    of_each = []
    for columns in tables:
        data, seen = Dataset(pd.DataFrame(columns), "visits"), []
        for kind in DRAFTS:
            lab = release.with_(before=(draft_of(Count(name="all")),), asked=kind(name="new"))
            lab = lab.page().suited(lab, data)
            told = findings_json(lab.last(Context(data, effort=LITTLE)))
            seen += [repr(lab), str(lab.counted(data)), json.dumps(told, sort_keys=True)]
        of_each.append(seen)
    assert of_each[0] == of_each[1]
    assert "ward" in "".join(of_each[0])
    assert "Fallnr" not in "".join(of_each[0])  # which names a row, and is no group


def test_the_two_kinds_never_mix(adult: Dataset) -> None:
    release = Planning(purpose=RELEASE)
    assert (release.counted(adult), Planning().counted(adult)) == (0, adult.rows)  # beside δ
    with pytest.raises(ParamError, match="attests"):
        editing.text_of(release)
    seen = lab_of_words(["clipping", "low=0", "high=4000"])
    looked, left = taking(Planning(), seen), taking(release.with_(**TOLD), seen)
    assert looked is not None
    assert left is not None
    assert looked.asked.bounds == (Fraction(0), Fraction(4000))
    with pytest.raises(ParamError, match="Type between"):  # nobody attests them: they are typed
        finished(left.asked)
    with pytest.raises(ParamError, match="written to the end"):
        editing.text_of(left)


def test_a_page_with_the_button_hands_over_its_question() -> None:
    found = set()
    for about in LABS:
        panel = about.kind.beside("panel").PANEL
        if any(isinstance(row, Hands) and row.to == "plan" for part in panel for row in part.rows):
            found.add(about.key)
            made = taking(Planning(), about.kind())
            assert made is not None, about.key
            assert len(made.questions) == 7
            assert made.row == 7
    assert found == {"explore", "compare", "clipping", "selection"}


def test_the_plan_of_an_own_table_counts_a_person_as_it_is_told_there() -> None:
    """Told of four rows a person, the plan that nobody wrote counts four; another number is said."""
    frame = pd.DataFrame({"who": [1, 1, 2, 3] * 30, "ward": ["a", "b"] * 60, "cost": range(120)})
    told = Dataset(frame, "visits").described(EMPTY.with_person("who", 4))
    lab = Planning().suited(told)
    assert (lab.person, lab.whose, lab.rows) == ("who “who” names", "who", 4)
    assert "whose" not in {problem.field for problem in lab.problems(told)}
    assert "whose" in {problem.field for problem in lab.with_(whose="").problems(told)}
    assert "whose" in {problem.field for problem in lab.with_(whose="nobody").problems(told)}
    assert "rows" not in {problem.field for problem in lab.problems(told)}
    assert "rows" in {problem.field for problem in lab.with_(rows=1).problems(told)}
    own = editing.added(lab).with_(rows=1)
    assert own.suited(told) == own
    one = told.described(EMPTY.with_person("who", 1))  # its count is of people, and called so
    names = [Planning().suited(data).questions[0].name for data in (told, one)]
    assert names == ["Rows used", "All people"]


def test_a_plan_that_nobody_wrote_counts_a_person_as_it_is_told_later() -> None:
    """Opened first, it kept one row a person; told again, also of nobody, it follows. One that was
    written stays."""
    frame = pd.DataFrame({"who": [1, 1, 2, 3] * 30, "ward": ["a", "b"] * 60, "cost": range(120)})
    bare = Dataset(frame, "visits")
    lab = Planning().suited(bare)
    for book in (EMPTY.with_person("who", 4), EMPTY.with_person("who", 1), EMPTY):
        told = bare.described(book)
        lab = lab.with_(epsilon=2.0).retold(bare, told)
        assert lab == Planning().suited(told).with_(epsilon=2.0)
        bare = told
    own = lab.with_(asked=lab.asked.with_(name="mine"))
    assert own.retold(bare, bare.described(EMPTY.with_person("who", 4))) == own


def test_a_column_that_does_not_serve_is_said_at_its_field() -> None:
    data = Dataset(pd.DataFrame({"ward": ["a", "b"] * 60, "cost": range(120)}), "visits")
    for asked, field in (
        ({"asked": "mean", "asked.column": "ward", "asked.size": "9"}, "asked.column"),
        ({"asked": "by_group", "asked.groups": "a|b"}, "asked.column"),
        ({"asked": "mean", "asked.column": "cost"}, "asked.size"),
        ({"asked": "mean", "asked.column": "cost", "asked.size": "100"}, ""),
    ):
        lab = lab_of_words(["plan", *(f"{name}={value}" for name, value in asked.items())])
        lab = put(lab, "asked.name", "new")
        if "mean" in asked.values():
            lab = put(put(lab, "asked.low", "0"), "asked.high", "9")
        told = {each.field for each in lab.problems(data) if each.field.startswith("asked.")}
        assert told == ({field} - {""}), asked


def test_a_question_is_added_and_taken_out() -> None:
    more = editing.added(editing.added(Planning()))
    assert [q.name for q in more.questions[6:]] == ["New question", "New question 2"]
    assert editing.dropped(editing.dropped(more)).questions == Planning().questions
    with pytest.raises(ParamError, match="only question"):
        editing.dropped(Planning(before=(), after=()))


def test_a_question_that_is_not_finished_has_a_row_to_be_found_by(adult: Dataset) -> None:
    lab = put(editing.added(Planning()), "asked", "by_group")
    for row, chosen in ((7, "New question"), (1, lab.questions[0].name)):
        figure = found(put(lab, "row", row), adult).figure("shares")
        assert figure.lanes is not None
        assert figure.lanes.targets is not None
        names = [name for _, name in figure.y.ticks]
        assert names[figure.lanes.chosen] == chosen
        assert names[-1] == "New question"
        assert figure.lanes.targets.picks[-1] == (("row", 7),)
    with pytest.raises(ParamError, match="“New question” is not written"):
        editing.leaving(put(lab, "row", 1))


def test_another_kind_asks_about_columns_of_the_table() -> None:
    """By names and types, never by what the rows hold; what a person wrote stays, and no column
    that tells rows apart is asked about by itself."""
    frame = {
        "patient_id": ["p", "q"] * 60,
        "Case UUID": ["c", "d"] * 60,
        "ward": ["a", "b"] * 60,
        "cost": range(120),
    }
    data = Dataset(pd.DataFrame(frame), "visits")
    lab = editing.added(Planning().suited(data))
    mean = put(lab, "asked", "mean").suited(data)
    assert mean.asked.column == "cost"
    assert put(put(mean, "asked", "mean"), "asked.column", "ward").suited(data) == mean
    years = {"Year of birth": range(120), "zip": range(120)}
    late = Dataset(pd.DataFrame(years | frame), "visits")
    assert put(lab, "asked", "mean").suited(late).asked.column == "cost"
    grouped = put(mean, "asked", "by_group").suited(data)
    assert grouped.asked.column == "ward"
    two = put(lab, "asked", "two_way").suited(data).asked
    assert two.column == "ward"
    data = Dataset(pd.DataFrame(frame | {"plan": ["x", "y"] * 60}), "visits")
    two = put(put(lab, "asked", "by_group").suited(data), "asked", "two_way").suited(data).asked
    assert (two.column, two.other) == ("ward", "plan")  # type: ignore[attr-defined]
    written = put(put(grouped, "asked.column", "cost"), "asked.groups", "a|b")
    assert written.suited(data) == written


def test_what_was_typed_of_a_column_is_not_typed_again() -> None:
    """Its words and bounds, in another question or as known from outside the table; the column that
    the name of the question speaks of. What nobody attests is not taken."""
    frame = {
        "cost": range(120),
        "waiting_minutes": range(120),
        "age": range(120),
        "Ward": ["a", "b"] * 60,
        "town": ["x", "y"] * 60,
    }
    known = About(low=0.0, high=110.0, attested=True)
    book = Codebook((("age", known), ("waiting_minutes", replace(known, attested=False))))
    data = Dataset(pd.DataFrame(frame), "visits").described(
        book.with_about("town", About(categories=("x", "y"), attested=True))
    )

    def asked(lab: Planning, name: str, kind: str) -> Planning:
        lab = put(put(editing.added(lab), "asked.name", name), "asked", kind)
        return put(lab, "asked.name", name).suited(data)

    lab = asked(Planning().suited(data), "Median age", "quantile")
    assert lab.asked.column == "age"
    lab = asked(lab, "Mean age", "mean")
    assert (lab.asked.column, lab.asked.low, lab.asked.high) == ("age", 0, 110)
    lab = asked(lab, "Mean waiting time", "mean")
    assert (lab.asked.column, lab.asked.low, lab.asked.high) == ("waiting_minutes", None, None)
    assert asked(lab, "Average cost", "mean").asked.column == "cost"
    lab = put(asked(lab, "By ward", "by_group"), "asked.groups", "a|b")
    lab = put(put(asked(lab, "Cost by ward", "sum_by_group"), "asked.low", "1"), "asked.high", "9")
    assert (lab.asked.groups, lab.asked.measured) == (("a", "b"), "cost")
    assert lab.asked == lab.suited(data).asked
    two = asked(lab, "Wards and towns", "two_way").asked
    assert (two.column, two.groups, two.other, two.other_groups) == (
        *("Ward", ("a", "b"), "town", ("x", "y")),
    )
    assert (again := asked(lab, "Mean cost", "mean").asked).low == 1 < again.high == 9


def test_words_between_commas_and_bars_are_said_to_be_one_word(adult: Dataset) -> None:
    lab = put(put(editing.added(Planning()), "asked", "by_group"), "asked.column", "race")
    for typed, said in (("North, South | East", True), ("North, South", False), ("a|b", False)):
        told = [
            render(each.say)
            for each in put(lab, "asked.groups", typed).problems(adult)
            if each.field == "asked.groups"
        ]
        assert (
            told
            == ["“North, South” is taken for one word: words are separated by | alone."][
                : 1 if said else 0
            ]
        )


def test_another_column_takes_no_words_and_no_bounds_with_it(adult: Dataset) -> None:
    """They are those of the column they were typed for; and where nobody typed any, no question is
    planned with others, and none is counted as met."""
    start = editing.added(Planning())
    for kind, column, typed in (
        ("by_group", "column", {"groups": "a|b"}),
        ("two_way", "other", {"other_groups": "a|b"}),
        ("sum_by_group", "measured", {"low": "1", "high": "9"}),
        ("mean", "column", {"low": "1", "high": "9"}),
        ("histogram", "column", {"edges": "0, 1, 2"}),
        ("quantile", "column", {"grid": "0, 1, 2"}),
    ):
        lab = fresh = put(start, "asked", kind)
        for name, text in typed.items():
            lab = put(lab, f"asked.{name}", text)
        again = read_again(lab)
        assert again.asked == lab.asked != fresh.asked
        moved = put(lab, f"asked.{column}", "another")
        assert moved.asked == put(fresh, f"asked.{column}", "another").asked
    data = Dataset(pd.DataFrame({"ward": ["a", "b"] * 60, "cost": range(120)}), "visits")
    total = put(put(put(start, "asked", "sum"), "asked.low", "0"), "asked.high", "9")
    by_ward = put(total, "asked", "sum_by_group").suited(data)
    assert (by_ward.asked.measured, by_ward.asked.low) == ("cost", None)  # type: ignore[attr-defined]
    lab = put(put(start, "asked", "mean"), "epsilon", "50")
    waits = "6 targets are met; 1 question is not finished."
    for path, value, said in (
        ("asked.size", "1000", waits),
        ("asked.low", "17", waits),
        ("asked.high", "90", "6 targets are met; 1 question has none."),
        ("asked.target", "5", "All 7 targets are met."),
    ):
        lab = put(lab, path, value)
        assert render(found(lab, adult).sentence("met").say) == said


def read_again(lab: Planning) -> Planning:
    """It from a session."""
    again = from_json([Planning], json.loads(json.dumps(to_json(lab))))
    assert isinstance(again, Planning)
    return again


def test_a_question_without_a_target_leaves_those_of_others_shown(adult: Dataset) -> None:
    lab = put(put(Planning(), "row", 3), "asked.target", None)
    seen, others = found(lab, adult), solved(lab).without("Hours")
    assert seen.fact("least").value == pytest.approx(least_total(others))
    assert len(seen.figure("dropping").y.ticks) == len(others.questions) == 5
    assert seen.figure("frontier").layers
    assert seen.figure("dropping").lanes.chosen == -1, "its row is not there"


def test_what_dropping_one_saves_marks_the_chosen_question(adult: Dataset) -> None:
    """As the chart of who pays what does, also where it is not the first."""
    lab = put(Planning(), "row", 3)
    figure = found(lab, adult).figure("dropping")
    names = [name for _, name in figure.y.ticks]
    assert names[figure.lanes.chosen] == lab.asked.name != names[0]


def test_the_plan_lies_on_the_frontier_of_equal_shares(adult: Dataset) -> None:
    """By hand all pay the same at first: its worst error is what the curve says at its ε."""
    for unit in (ADD_REMOVE, REPLACE):
        curve = found(Planning(adjacency=unit), adult).figure("frontier").layer("equal")
        for total, worst in list(zip(curve.x, curve.y, strict=True))[2::4]:
            told = Planning(adjacency=unit, epsilon=round(float(total), 6))
            here = found(told, adult).figure("frontier").layer("here")
            assert float(here.y[0]) == pytest.approx(float(worst), rel=0.01)


def test_numbers_that_are_still_worked_out_have_their_places(adult: Dataset) -> None:
    """Under a hand they would go and come back, and the charts below with them."""
    first, last = Planning(delta=3.7e-7).run(Context(adult, effort=LITTLE))
    assert [fact.key for fact in first.facts] == [fact.key for fact in last.facts]
    assert {fact.key for fact in first.facts} <= first.coarse
    assert [fact.value for fact in first.facts] == [None] * len(last.facts)


def test_what_is_locked_has_a_lock_and_no_knob(adult: Dataset) -> None:
    lab = editing.locked(Planning())
    shares = found(lab, adult).figure("shares")
    keys = {layer.key for layer in shares.layers}
    assert {key for key in keys if key.startswith("knob")} == {f"knob {k}" for k in (0, 2, 3, 4, 5)}
    assert shares.lanes is not None
    locks = next(column for column in shares.lanes.columns if column.wide < 1)
    assert [k for k, word in enumerate(locks.cells) if word] == [1]
    assert [k for k, ink in enumerate(locks.inks) if ink == "muted"] == [0, 2, 3, 4, 5]
    assert len(set(locks.curves)) == 2


def test_what_a_plan_opens_with_follows_from_no_row() -> None:
    """The question that may leave is the same of 30 rows and of 30,000; the other is never
    released."""
    opened = [
        Planning().suited(Dataset(pd.DataFrame({"ward": ["a", "b", "c"] * many}), "t"))
        for many in (10, 10_000)
    ]
    few, all_ = (lab.questions[0] for lab in opened)
    assert few == all_
    assert few.target is not None


def test_a_step_of_a_slider_makes_no_draft_anew() -> None:
    """Each was made and checked again, four times at a step."""
    asked = Count(name="a", target="5 %"), Count(name="b")
    lab = at_row(Planning(), tuple(map(draft_of, asked)), 2)
    before = [id(draft) for draft in lab.before]
    assert len(before) == 1
    assert [id(draft) for draft in put(lab, "epsilon", 2.0).before] == before
    assert [id(draft) for draft in replace(lab, epsilon=2.0).before] == before
