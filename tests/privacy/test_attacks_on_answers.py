"""Attacks on exact and noisy answers: what they recover, and the numbers that are known of them."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from dpstudio.data.statements import AVERAGE, LARGEST, SUM
from dpstudio.privacy.attacks import (
    asking,
    block,
    console,
    denials,
    guessing,
    linked,
    ratings,
    shadow,
)
from dpstudio.privacy.attacks.answers import asked, least_absolute, recovered, solver
from dpstudio.privacy.attacks.database import AggregateQuestion, learnt, replies
from dpstudio.privacy.learning.sampled_training import Plan, trained

NONE = np.zeros((0, 6), dtype=bool)


def least_squares(told):
    """Each person's bit by the least sum of squared errors, then rounded at ½; shape (n,)."""
    found = np.linalg.lstsq(told.groups, told.answers, rcond=None)[0]
    return (found > 0.5).astype(np.float64)


@pytest.mark.parametrize(
    ("n", "questions", "known"),
    [
        (100, 400, (0.963, 0.813, 0.675, 0.576)),
        (100, 1000, (0.999, 0.931, 0.772, 0.650)),
        (400, 2000, (0.979, 0.844, 0.697, 0.600)),
    ],
)
def test_reconstruction_recovers_the_known_share(n: int, questions: int, known: tuple[float, ...]):
    """With noise of ¼, ½, 1 and 2 times √n; one solver does for all noise."""
    rng, runs = np.random.default_rng(5), 30 if n == 100 else 4
    shares, got = np.array([0.25, 0.5, 1.0, 2.0]) * np.sqrt(n), []
    for _ in range(runs):
        bits = rng.integers(0, 2, n).astype(float)
        told = asked(bits, questions, np.zeros(questions), rng)
        noise = rng.laplace(0, 1 / np.sqrt(2), questions)[:, None] * shares
        guess = solver(told.groups) @ (told.answers[:, None] + noise) > 0.5
        got.append((guess == bits[:, None]).mean(axis=0))
    by_squares = least_squares(replace(told, answers=told.answers + noise[:, 1]))
    assert (by_squares == guess[:, 1]).all()
    assert np.mean(got, axis=0) == pytest.approx(known, abs=0.02)


def test_the_linear_program_recovers_all_from_exact_answers_and_more_than_squares_from_gross_ones():
    rng = np.random.default_rng(6)
    bits = rng.integers(0, 2, 20).astype(float)
    exact = asked(bits, 80, np.zeros(80), rng)
    assert recovered(bits, least_absolute(exact)) == recovered(bits, least_squares(exact)) == 1
    gross = asked(bits, 80, np.where(rng.random(80) < 0.1, 1000.0, 0.0), rng)
    assert recovered(bits, least_absolute(gross)) == 1
    assert recovered(bits, least_squares(gross)) < 0.8


def test_seven_people_are_found_from_seven_lines():
    steps = list(block.solved())
    assert len(steps[-1].possible) == 1
    (people,) = steps[-1].possible
    assert people == (
        (8, "F", "B", "S"), (18, "M", "W", "S"), (24, "F", "W", "S"), (30, "M", "W", "M"),
        (36, "F", "B", "M"), (66, "F", "B", "M"), (84, "M", "B", "M"),
    )  # fmt: skip
    assert all(line.fits(line.of(people)) for line in block.BLOCK)
    assert len(steps[0].possible) == 37


def who(*rows: int) -> np.ndarray:
    return np.isin(np.arange(6), rows)


def test_overlap_and_rank_refuse_what_would_tell():
    overlap = console.Overlap(2, 1)
    assert overlap.answers(who(0, 1), NONE)
    assert not overlap.answers(who(0, 1, 2), who(0, 1, 3)[None])
    audit = console.RankAudit()
    assert audit.answers(who(0, 1, 2), NONE)
    assert not audit.answers(who(0, 1), who(0, 1, 2)[None])
    assert not audit.answers(who(3), NONE)
    assert audit.answers(who(3, 4), who(0, 1, 2)[None])
    # Three sums of pairs tell each of three: the last is refused.
    assert not audit.answers(who(0, 2), np.vstack((who(0, 1), who(1, 2))))
    assert console.told(np.vstack((who(0, 1, 2), who(0, 1)))).tolist() == [2]


@pytest.mark.parametrize(
    ("policy", "known"),
    [
        (console.Anything(), True),
        (console.SetSize(3), True),
        (console.Overlap(3, 1), True),
        (console.RankAudit(), False),
    ],
)
def test_only_an_audit_by_rank_keeps_a_number_from_who_asks_long_enough(policy, known: bool):
    rng = np.random.default_rng(3)
    values = rng.uniform(20, 120, 16)
    made = asking.besieged(values, 5, policy, lambda exact, who: exact, rng, 200)
    assert made.told is known
    assert (abs(made.estimate - values[5]) < 1e-6) == known
    assert (made.denied > 0) == (type(policy) is not console.Anything)


def test_what_is_told_is_what_a_rank_says():
    rng = np.random.default_rng(7)
    for _ in range(60):
        sets = rng.random((rng.integers(1, 6), 6)) < 0.5
        rank = np.linalg.matrix_rank(sets.astype(float)) if sets.any() else 0
        assert len(console.echelon(sets.astype(np.int64))) == rank
        by_rank = [
            i for i in range(6)
            if sets.any() and np.linalg.matrix_rank(np.vstack((sets, who(i))).astype(float)) == rank
        ]  # fmt: skip
        assert console.told(sets).tolist() == by_rank


def test_tables_are_joined_and_ratings_find_a_person():
    named, stripped = np.array([[1, 2], [3, 4], [5, 6]]), np.array([[3, 4], [1, 2], [1, 2], [9, 9]])
    made = linked.joined(named, stripped)
    assert (made.matches.tolist(), made.only.tolist()) == ([2, 1, 0], [-1, 0, -1])
    assert made.found == pytest.approx(1 / 3)
    rng = np.random.default_rng(8)
    table = np.where(rng.random((500, 60)) < 0.3, rng.integers(1, 6, (500, 60)), np.nan)
    row = int(np.flatnonzero((~np.isnan(table)).sum(1) > 12)[0])
    known = np.full(60, np.nan)
    seen = np.flatnonzero(~np.isnan(table[row]))[:8]
    known[seen] = table[row, seen]
    scores = linked.scoreboard(known, table, 0.5)
    assert np.argmax(scores) == row
    assert ratings.joined(table, known) == row
    for one in table[:40, :4]:  # as a join by codes finds it
        columns = ~np.isnan(one)
        codes = (
            np.nan_to_num(side, nan=9).astype(int)[:, columns] for side in (one[None], table[:, :4])
        )
        assert (ratings.joined(table[:, :4], one) is not None) == (
            linked.joined(*codes).only[0] >= 0
        )
    assert linked.eccentricity(scores) > 1.5
    assert linked.eccentricity(np.ones(4)) == 0


def test_words_behind_a_deterministic_cipher_are_read_by_how_often_they_come():
    rng, shares = np.random.default_rng(9), np.array([0.5, 0.3, 0.15, 0.05])
    truth = rng.choice(4, 5000, p=shares)
    cipher = np.array([2, 0, 3, 1])
    guess = linked.matched_frequencies(cipher[truth], shares)
    assert np.mean(guess[cipher[truth]] == truth) == 1
    assert linked.matched_frequencies(np.array([0, 0, 1]), np.array([1.0])).tolist() == [0, -1]


def test_a_console_lets_nobody_be_solved_that_an_audit_protects() -> None:
    """Of random sums, averages and maxima: without a rule what is said to be told is what a solver
    over many tables that fit finds; under the audit nobody is by sums alone or by maxima alone."""
    rng = np.random.default_rng(8)
    for _ in range(20):
        values = rng.integers(1, 50, 6).astype(np.float64)
        asked = [
            AggregateQuestion(what, who)
            for what in rng.choice([SUM, AVERAGE, LARGEST], 6).tolist()
            if (who := rng.random(6) < 0.5).any()
        ]
        free, held = (
            replies(asked, values, values, policy, lambda place, answer: answer)
            for policy in (console.Anything(), console.RankAudit())
        )
        open_, closed = (
            learnt(asked, [reply.answer for reply in given], 20.0, (0.0, 50.0))
            for given in (free, held)
        )
        assert open_.estimate[open_.told] == pytest.approx(values[open_.told])
        assert closed.estimate[closed.told] == pytest.approx(values[closed.told])
        for kinds in ((SUM, AVERAGE), (LARGEST,)):
            alone = [
                reply.answer if one.what in kinds else None
                for one, reply in zip(asked, held, strict=True)
            ]
            assert len(learnt(asked, alone, 20.0, (0.0, 50.0)).told) == 0
        assert sum(r.answer is None for r in held) > 0 or len(open_.told) == 0
        sums = [one.who for one in asked if one.what != LARGEST]
        rows = np.array(sums, dtype=np.float64).reshape(-1, 6)
        solved = [
            np.allclose(rows.T @ np.linalg.lstsq(rows.T, e, rcond=None)[0], e) for e in np.eye(6)
        ]
        assert set(np.flatnonzero(solved)) <= set(open_.told.tolist())


def test_what_sums_and_maxima_tell_together_is_counted() -> None:
    """Against every table of small numbers that fits all answers: who is said to be known is, with
    the right number; and nearly all of those who are, in whole numbers, with and without the
    audit. Two whose sum is twice their maximum are given away though each is audited."""
    two = np.array([True, True, False])
    asked, held = (
        [AggregateQuestion(SUM, two), AggregateQuestion(LARGEST, two)],
        np.array([5.0, 5.0, 2.0]),
    )
    given = replies(asked, held, held, console.RankAudit(), lambda place, answer: answer)
    found = learnt(asked, [reply.answer for reply in given], 3.0, (0.0, 9.0))
    assert (found.told.tolist(), found.estimate[:2].tolist()) == ([0, 1], [5.0, 5.0])
    rng, worlds = np.random.default_rng(3), np.array(list(product(range(5), repeat=5)), float)
    said = real = 0
    for turn in range(80):
        values = rng.integers(0, 5, 5).astype(np.float64)
        asked = [
            AggregateQuestion(what, who)
            for what in rng.choice([SUM, AVERAGE, LARGEST], 4).tolist()
            if (who := rng.random(5) < 0.5).any()
        ] or [AggregateQuestion(SUM, values >= 0)]
        policy = console.RankAudit() if turn % 2 else console.Anything()
        given = replies(asked, values, values, policy, lambda place, answer: answer)
        found = learnt(asked, [reply.answer for reply in given], 2.0, (0.0, 4.0))
        fits = np.ones(len(worlds), dtype=np.bool_)
        for one, reply in zip(asked, given, strict=True):
            if reply.answer is not None:
                exact = {SUM: np.sum, AVERAGE: np.mean, LARGEST: np.max}[one.what]
                fits &= np.abs(exact(worlds[:, one.who], axis=1) - reply.answer) < 1e-9
        known = np.flatnonzero(worlds[fits].min(0) == worlds[fits].max(0))
        assert set(found.told.tolist()) <= set(known.tolist())
        assert found.estimate[found.told] == pytest.approx(values[found.told])
        said, real = said + len(found.told), real + len(known)
    assert said > 0.85 * real > 0


def test_a_denial_tells_what_no_answer_does() -> None:
    """Largest of three is 5, and largest of the first two is denied: the third has 5. A denied
    count of two says that both are alike."""
    first, denied = denials.audited((2, 3, 5), range(1, 6), [max, lambda w: max(w[:2])])
    assert (first.answer, first.by_answers, first.known) == (5, 61, (None, None, None))
    assert (denied.answer, denied.by_denials, denied.known) == (None, 16, (None, None, 5))
    (both,) = denials.audited((1, 1, 0), (0, 1), [lambda w: w[0] + w[1]])
    assert (both.answer, both.by_answers, both.by_denials) == (None, 8, 4)
    (open_,) = denials.audited((1, 0, 0), (0, 1), [lambda w: w[0] + w[1]])
    assert open_.answer == 1


def test_noisy_steps_of_shadow_models_are_those_of_a_training() -> None:
    """Of a model that all learn from, against the one route that trains; and the share found with
    so many false alarms is that of the curve."""
    rng = np.random.default_rng(4)
    given = shadow.crowd(rng, 30, 4, 3)
    everyone = replace(given, member=np.ones((1, 30), dtype=np.bool_))
    pace = 1 / (30 / 4 + 0.2)
    plan = Plan(7, 1.0, 1e-12, 1.0, pace * 30, 30, ridge=0.2 / 30)
    known = trained(given.x, (given.y + 1) / 2, plan, np.random.default_rng(1))
    made = shadow.descended(everyone, 0.2, 1e-12, 7, np.random.default_rng(1))
    assert made == pytest.approx(known, abs=1e-9)
    apart = shadow.descended(given, 0.2, 2.0, 1, rng) - shadow.descended(given, 0.2, 0.0, 1, rng)
    assert 0.5 < apart.std() * (15 / 4 + 0.2) / 2 < 2
    scores, member = rng.normal(size=(40, 50)), rng.random((40, 50)) < 0.5
    scores[member] += 2
    alarms, found = shadow.roc(scores, member)
    assert shadow.found_with(scores, member, 0.05).mean() == pytest.approx(
        np.interp(0.05, alarms, found), abs=0.02
    )


def test_the_interval_of_shadow_models_is_as_wide_as_they_scatter() -> None:
    """Where nothing tells of members: attacked models that were shadows of each other scattered
    more than twice as much as was said."""
    rng, middles, halves = np.random.default_rng(6), [], []
    for _ in range(60):
        told = rng.random((64, 60))
        member = rng.random((64, 60)).argsort(axis=1) < 30
        scores = shadow.by_shadows(told[:32], member[:32], told[32:])
        found = guessing.mean_of_runs(shadow.right_by_model(scores, member[32:], 0.0), 0.95)
        middles.append(float(found.share))
        halves.append(float(found.high - found.low) / 2)
    assert np.mean(middles) == pytest.approx(0.5, abs=0.005)
    covered = np.abs(np.array(middles) - 0.5) <= np.array(halves)
    assert 0.87 < covered.mean() <= 1


@pytest.mark.parametrize("draws", [1, 25])
@pytest.mark.parametrize("told", [0.0, 0.3, 1.0])
def test_runs_that_agree_have_an_interval(told: float, draws: int) -> None:
    """It had no width. At its ends the law that says `told` most often, the rest of which lies as
    far off as can be, does so in every draw with 2.5 %; in every run, where a share of some draws
    does not say what each of them was."""
    found = guessing.mean_of_runs(np.full((2, 12), told), 0.95, draws)
    assert found.share == pytest.approx(told)
    assert (found.low < found.high).all()
    seen = 12 * draws if told in (0, 1) else 12
    for end, far in ((found.low[0], 0.0), (found.high[0], 1.0)):
        assert end == found.share[0] == far or (
            (end - far) / (told - far)
        ) ** seen == pytest.approx(0.025)
