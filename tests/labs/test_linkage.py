"""Linkage: who is found by columns, ratings or a second table, and words by how often they come."""

import numpy as np
import pandas as pd
import pytest
from running import LEAST, facts, found, lab_of

from dpstudio.data.dataset import Dataset
from dpstudio.labs.attacks.linkage.attackers.linkage import model as linkage
from dpstudio.labs.context import SECOND, Context, Effort
from dpstudio.labs.findings import Findings
from dpstudio.values.messages import render

FULL = Effort(points=0.2, draws=0.5)


def test_words_are_read_by_their_frequencies_and_only_where_answers_may_be_seen(adult: Dataset):
    known = facts("linkage attacker=frequency attacker.column=sex attacker.known=0.1", adult)
    assert known["off"] == 1.0
    assert (
        facts("linkage attacker=frequency attacker.column=occupation", adult)["off"]
        > known["promised"] / 5
    )
    hidden = found("linkage attacker=frequency show_truth=no", adult)
    assert [problem.stops for problem in hidden.problems] == [True]


def test_what_is_read_by_frequencies_is_told_of_many_splits(adult: Dataset):
    """Words that are nearly as frequent as each other are taken for each other in one split and not
    in the next: nearly all splits by another chance lie between what is told."""
    codes = pd.factorize(adult._frame["occupation"].dropna())[0]
    told = found("linkage attacker=frequency attacker.column=occupation", adult, Effort(1, 1))
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


def test_a_few_ratings_find_a_person_whom_no_join_finds(adult: Dataset):
    few, many = (facts(f"linkage attacker=linkage attacker.known={n}", adult) for n in (2, 8))
    assert few["off"] < 0.4
    assert many["off"] > 0.95
    assert many["best"] == many["promised"] == 0


def test_rows_that_a_join_finds_are_the_unique_ones_and_false_values_hide_them(adult: Dataset):
    columns = ["age", "native-country", "occupation", "education", "race", "sex"]
    named = f"linkage confidence=0.999 attacker.columns={'|'.join(columns)}"
    shown = found(f"{named} attacker.false=0", adult)
    frame = adult._frame[columns].astype(object).fillna("?")
    unique = 100 * float((~frame.duplicated(keep=False)).mean())
    figure = shown.figure("found")
    low, high = np.nanmin(last := figure.layer("right_band").x[-9:]), np.nanmax(last)
    assert low <= unique / 100 <= high
    # The lanes tell the same numbers as the strip, the last of them of all columns.
    assert figure.lanes is not None
    assert figure.lanes.chosen == len(columns) - 1
    ends = [render(column.cells[-1]) for column in figure.lanes.columns]
    assert ends == [render(shown.fact(key).text) for key in ("off", "promised", "best")]
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
    words = f"linkage confidence=0.9 attacker.columns={'|'.join(columns)}"

    def shares(more: str) -> Findings:
        lab, _ = lab_of([*words.split(), *more.split()])
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


def test_who_is_never_sure_names_nobody_wrongly(adult: Dataset):
    lab = lab_of(["linkage", "attacker=linkage", "attacker.sure=10"])[0]
    model = next(lab.attacker.stages(lab.asked(), lab.looked(LEAST), Context(adult)))
    assert linkage.here(model)[:2] == (0, 0)
