"""Masking: what each operation keeps, what leaves, and what is rebuilt."""

import io
import json
import math
import runpy
from itertools import islice
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from running import first_rows, lab_of, little, opened

from dpstudio.data.dataset import Dataset
from dpstudio.files.machine import MACHINE
from dpstudio.files.tables import open_table
from dpstudio.files.write.published import published_files
from dpstudio.labs.context import LITTLE, Context
from dpstudio.labs.outcome import PublishedTable
from dpstudio.labs.whole_tables.masking import model, operated, perturbed, published
from dpstudio.labs.whole_tables.masking.choices.operations import OPERATIONS
from dpstudio.labs.whole_tables.masking.page import PAGE
from dpstudio.labs.whole_tables.masking.parameters import Masking
from dpstudio.privacy.anonymity.rebuilt import rebuilt
from dpstudio.privacy.anonymity.sanitise import pram_exactly
from dpstudio.values.messages import render


def made(words: str, data: Dataset | None = None) -> model.MaskingModel:
    lab, _ = lab_of(["masking", *words.split()])
    assert isinstance(lab, Masking)
    (found,) = model.stages(lab, Context(data or opened("adult"), effort=LITTLE))
    return found


@pytest.mark.parametrize(
    ("words", "chance"),
    [
        ("top_code operation.share=0.1", False),
        ("micro_aggregate operation.rows=100", False),
        ("suppress operation.rows=40", False),
        ("suppress operation.column=true", False),
        ("resample", True),
        ("swap operation.share=0.5", True),
        ("permute operation.rows=20", True),
        ("pram operation.keep=0.5", True),
    ],
)
def test_what_is_done_to_a_column_leaves(words: str, chance: bool, tmp_path: Path) -> None:
    """The published table shows the column after and all others as they are, and is made again: the
    same one where no chance decides. Its report is of what was written."""
    source = tmp_path / "some.csv"
    first_rows(1500)._frame.to_csv(source, index=False)
    data = open_table(str(source))
    lab, _ = lab_of(["masking", *f"operation={words}".split()])
    run = lab.last(Context(data, effort=LITTLE, machine=MACHINE))
    (outcome,) = (o for o in run.outcomes if isinstance(o, PublishedTable))
    paths = published_files(outcome, "table", tmp_path)
    table, told = pd.read_csv(paths[0], dtype=str), json.loads(paths[2].read_text())
    sizes = table.groupby(["age", "education-num"]).size()
    assert (told["k"], told["classes"], told["rows"]) == (sizes.min(), len(sizes), 1500)
    assert told["loss"] is None
    assert told["operation"]["kind"] == words.split()[0]
    assert ("a further look" in str(told["operation"]["drawn"])) == chance
    frame = data._frame[list(table)].astype(str)
    secret = words.split()[0] in ("swap", "permute", "pram")
    held, masked = ("age", "income") if secret else ("education-num", "age")
    assert sorted(table[held]) == sorted(frame[held])
    assert frame.groupby(["age", "education-num", "income"]).size().tolist() != (
        table.groupby(["age", "education-num", "income"]).size().tolist()
    )
    if not chance:
        seen = operated.operated(made(f"operation={words}", data)).after
        shown = [f"{value:.12g}" if not np.isnan(value) else "*" for value in seen]
        assert sorted(table[masked]) == sorted(shown)
    again = dict(runpy.run_path(str(paths[3]))["columns"](data))
    assert ({name: list(again[name]) for name in again} == table.to_dict("list")) != chance
    assert ("drawn anew" in paths[3].read_text()) == chance
    assert run.sentence("leaves").tone == "plain"
    assert ("system" in render(run.sentence("leaves").say)) == chance
    assert bool(little(lab, data).outcomes) == (not chance)


def test_the_two_tables_of_anatomy_leave(tmp_path: Path) -> None:
    frame = first_rows(1500)._frame
    lab, _ = lab_of(["masking", "sensitive=education", "quasi=age | sex", "operation=anatomy",
                     "operation.l=2"])  # fmt: skip
    run = lab.last(Context(Dataset(frame, "some"), effort=LITTLE, machine=MACHINE))
    (outcome,) = (o for o in run.outcomes if isinstance(o, PublishedTable))
    paths = published_files(outcome, "table", tmp_path)
    people, held, told = (
        pd.read_csv(paths[0]),
        pd.read_csv(paths[-1]),
        json.loads(paths[2].read_text()),
    )
    assert list(people) == ["age", "sex", "group"]
    sizes = people.groupby("group").size()
    assert sizes.tolist() == held.groupby("group")["count"].sum().tolist()
    assert (held.groupby("group").size() >= 2).all()
    whole, given = (
        each["education"] for each in (frame, held.loc[held.index.repeat(held["count"])])
    )
    assert (whole.value_counts() - given.value_counts()).sum() == 1500 - len(people)
    assert told["surest_guess"] == (held["count"] / held["group"].map(sizes)).max() <= 1 / 2
    alike = people.groupby(["age", "sex"]).size()
    risk = {"highest": 1 / alike.min(), "mean": len(alike) / len(people)}
    assert told["k"] == 0
    assert told["risk"] == {**risk, "unique": (alike == 1).sum() / len(people)}
    assert little(lab, Dataset(frame, "some")).outcomes == ()
    again = runpy.run_path(str(paths[3]))
    drawn = again["made"](Dataset(frame, "some"))
    groups = pd.read_csv(io.StringIO(again["beside"](drawn)["groups.csv"]))
    people = pd.Series(dict(again["published_table"](drawn).columns)["group"])
    assert groups.groupby("group")["count"].sum().tolist() == (
        people.value_counts().sort_index().tolist()
    )


def test_noise_that_people_add_leaves_no_table() -> None:
    lab, _ = lab_of(["masking", "operation=perturb"])
    found = little(lab, first_rows(1500))
    assert "stays here" in render(found.sentence("leaves").say)
    assert not lab.last(Context(first_rows(1500), effort=LITTLE, machine=MACHINE)).outcomes
    assert PAGE.publishes is not None
    assert PAGE.publishes(lab, first_rows(1500)) is not None


@pytest.mark.parametrize(
    "words", ["operation=pram", "operation=suppress", "operation=top_code quasi=age"]
)
def test_who_is_alone_is_counted_by_what_stays(words: str) -> None:
    found = made(words, first_rows(1500))
    names = [each.name for each in published.staying(found)]
    assert names == {3: ["age", "education-num"], 2: []}.get(
        2 if "quasi" in words else 3 if "pram" in words else 1, ["education-num"]
    )
    if names:
        frame = first_rows(1500)._frame
        alone = (~frame.duplicated(names, keep=False)).mean()
        assert published.risk_left(found).unique == alone


def test_values_are_shuffled_within_groups_of_enough_rows() -> None:
    found = made("operation=permute operation.rows=50 sensitive=occupation")
    sizes, of = operated.near(found).sizes, operated.near(found).of
    assert sizes.min() >= 50
    done = operated.operated(found)
    for group in range(0, len(sizes), 20):
        there = of == group
        assert sorted(done.before[there]) == sorted(done.after[there])
    assert (done.before != done.after).mean() > 0.5


def test_the_curve_of_a_tie_is_the_share_in_each_part() -> None:
    frame = first_rows(1500)._frame
    found = made("operation=pram quasi=sex", first_rows(1500))
    word = found.rows.sensitive.words[operated.telling(found)]
    _, before, after = operated.tie_curve(found)
    shares = (frame["income"] == word).groupby(frame["sex"]).mean()
    assert before.tolist() == pytest.approx(shares.tolist())
    assert np.ptp(after) < np.ptp(before)
    assert np.isfinite(operated.tie_curve(made("operation=suppress"))[2]).all()


def test_what_cannot_be_done_says_why() -> None:
    data = Dataset(pd.DataFrame({"job": list("ab") * 20, "ill": list("aaab") * 10}), "words")
    numbers = {kind.key for kind in OPERATIONS if kind.numbers}
    for kind in OPERATIONS:
        lab, _ = lab_of(["masking", "quasi=job", "sensitive=ill", f"operation={kind.key}"])
        stops = [problem.field for problem in lab.problems(data) if problem.stops]
        assert stops == (["operation"] if kind.key in (*numbers, "anatomy") else [])
    assert not [*Masking().suited(data).problems(data)]


def test_what_pram_draws_has_the_chances_of_its_matrix() -> None:
    """All draws that there are, each as often as its chance: below gives every number in turn."""
    codes, drawn = np.zeros(8 * 12, dtype=np.int64), iter(list(range(4)) * 24)
    second = iter([0, 1, 2, 0, 1, 2] * 12)
    told = pram_exactly(codes, 4, 0.25, lambda n: next(drawn) if n == 4 else next(second))
    assert np.bincount(told).tolist() == [24, 24, 24, 24]
    told = pram_exactly(np.arange(4), 4, 0.0, lambda n: 0)
    assert told.tolist() == [1, 2, 3, 0]


def test_operations_keep_what_they_say() -> None:
    for key, kept in (("swap", True), ("permute", True), ("pram", False)):
        found = operated.operated(made(f"operation={key} sensitive=occupation"))
        counts = [np.bincount(each.astype(int)).tolist() for each in (found.before, found.after)]
        assert (counts[0] == counts[1]) == kept
    assert operated.pram_epsilon(made("operation=pram operation.keep=0.75")) == pytest.approx(
        math.log(3)
    )
    found = made("operation=anatomy sensitive=occupation operation.l=4")
    assert operated.belief(found) <= 1 / 4
    assert np.count_nonzero(operated.anatomy(found).counts, axis=1).min() >= 4
    # A guess in each group finds each value as often as it is there, but for chance.
    guessed = operated.operated(found)
    before, after = (np.bincount(each.astype(int)) for each in (guessed.before, guessed.after))
    assert (np.abs(after - before) <= 5 * np.sqrt(before)).all()
    found = operated.operated(made("operation=micro_aggregate operation.rows=50"))
    _, sizes = np.unique(found.after, return_counts=True)
    assert sizes.min() >= 50


def test_columns_are_drawn_anew_each_by_itself() -> None:
    """As listing 7.2 does: numbers and words lose their tie to each other, the rest stays as it was
    in what is seen and in what leaves."""
    frame, names = first_rows(1500)._frame, ["age", "relationship", "sex"]
    words = f"masking quasi={'|'.join(names)} operation=resample operation.columns=2".split()
    found, *_ = model.stages(
        lab_of(words)[0], Context(first_rows(1500), effort=LITTLE, machine=MACHINE)
    )
    assert [made.name for made in operated.masked(found)] == names[:2]
    left = pd.DataFrame(dict(published.published_table(found).columns))
    stays = ["sex", "income"]
    assert left[stays].value_counts().to_dict() == frame[stays].value_counts().to_dict()
    both = (pd.crosstab(each["relationship"], each["sex"]).loc["Husband"] for each in (frame, left))
    assert next(both).min() == 0
    assert next(both).min() > 50
    assert left["age"].astype(float).mean() == pytest.approx(frame["age"].mean(), abs=2)
    assert all(float(age).is_integer() for age in left["age"])
    assert published.risk_left(found).unique == 0


def test_a_tie_is_measured_in_the_same_bins() -> None:
    """40 numbers drawn anew are all different, and told the other column each: by chance."""
    frame = pd.DataFrame({"age": np.arange(40) % 4, "ill": list("abab") * 10})
    data = Dataset(frame, "toy", "toy", "3" * 64)
    before, after = operated.tie(made("quasi=age sensitive=ill operation=resample", data))
    assert before == pytest.approx(1)
    assert after < 0.6


def test_cells_of_rare_values_are_blanked() -> None:
    for quasi, gone in (("age", np.isnan), ("native-country", lambda codes: codes == 42)):
        found = made(f"operation=suppress operation.rows=50 quasi={quasi}")
        done = operated.operated(found)
        _, places, counts = np.unique(done.before, return_inverse=True, return_counts=True)
        assert np.array_equal(gone(done.after), counts[places] < 50)
        assert operated.blanked(found) == (gone(done.after).mean(), counts[counts >= 50].min())


def test_a_spread_is_rebuilt_step_by_step() -> None:
    found = made("operation=perturb operation.law=uniform operation.steps=7")
    given = perturbed.handed(found)
    steps = list(islice(rebuilt(given.noisy, given.noise, given.grid), 8))
    assert np.allclose(perturbed.spreads(found)[2], steps[7])
    distances = perturbed.by_steps(found)
    assert distances[7] == pytest.approx(perturbed.rebuilt_distance(found))
    assert distances.min() < perturbed.noisy_distance(found) / 3
    assert perturbed.best_steps(found) == int(np.argmin(distances))
    assert perturbed.off_by(found) == pytest.approx(given.noise.scale / 2, rel=0.02)
