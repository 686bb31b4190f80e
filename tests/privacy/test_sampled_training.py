"""Private gradient descent: what one person moves, by brute force; the law of one step and of the
samples; the minimum that it finds without noise; its statement."""

import math

import numpy as np
import pytest
from scipy import special, stats
from sklearn.linear_model import LogisticRegression

from dpstudio.privacy.learning import sampled_training, training_statement
from dpstudio.values.messages import render
from dpstudio.values.parameters import ParamError

FREE = 1e-12  # of noise: none that is seen


def rows_of(n: int, p: int, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.uniform(-1, 1, (n, p))
    x[:, 0] = 1
    return x, (rng.random(n) < special.expit(x @ np.arange(p))).astype(np.float64)


@pytest.mark.parametrize("loss", [sampled_training.LOGISTIC, sampled_training.LINEAR])
def test_nobody_moves_the_sum_by_more_than_the_clip(loss: str) -> None:
    """Every subset of persons with and without each of them, at several weights; somebody moves it
    by all of it."""
    x, y = rows_of(7, 3)
    persons = np.array([5, 2, 5, 9, 2, 5, 7])
    names, clip, most = np.unique(persons), 0.7, 0.0
    rows = sampled_training.Rows.of(7, persons)
    assert rows.people == len(names)

    def total(some: np.ndarray, w: np.ndarray) -> np.ndarray:
        if not len(some):
            return np.zeros(3)
        none = np.zeros(len(some), dtype=np.int64)
        return sampled_training.clipped_sums(x, y, w[None], (none, some), rows, clip, loss)[0]

    def alone(name: int, w: np.ndarray) -> np.ndarray:
        here = persons == name
        z = x[here] @ w
        bare = ((special.expit(z) if loss == sampled_training.LOGISTIC else z) - y[here]) @ x[here]
        return bare * min(1, clip / max(np.linalg.norm(bare), 1e-99))

    for w in (np.zeros(3), np.array([3.0, -2.0, 1.0]), np.full(3, -40.0)):
        for drawn in range(1, 1 << len(names)):
            inside = np.flatnonzero([drawn >> i & 1 for i in range(len(names))])
            for one in inside:
                moved = total(inside, w) - total(inside[inside != one], w)
                assert moved == pytest.approx(alone(names[one], w), abs=1e-12)
                most = max(most, float(np.linalg.norm(moved)))
    assert most == pytest.approx(clip, rel=1e-12)


def test_samples_are_of_each_by_itself() -> None:
    """Each place as often as its chance says, pairs as their product, and rounds like each
    other."""
    rng, places, chance, rounds = np.random.default_rng(8), 6, 0.3, 20_000
    drawn = np.zeros((rounds, places))
    for one, found in zip(
        drawn, sampled_training.sampled(rng, places, chance, rounds), strict=True
    ):
        assert (np.diff(found) > 0).all()
        one[found] = 1
    codes = np.bincount((drawn @ (1 << np.arange(places))).astype(np.int64), minlength=64)
    ones = np.array([bin(code).count("1") for code in range(64)])
    expected = rounds * chance**ones * (1 - chance) ** (places - ones)
    assert stats.chisquare(codes, expected).pvalue > 1e-3
    after = np.mean(drawn[1:] * np.roll(drawn, 1, axis=1)[:-1])
    assert after == pytest.approx(chance**2, abs=4 * chance / math.sqrt(rounds * places))
    assert [len(s) for s in sampled_training.sampled(rng, 5, 1.0, 3)] == [5, 5, 5]


@pytest.mark.parametrize("there", [False, True])
def test_one_step_has_the_law_that_is_accounted_for(there: bool) -> None:
    """Of one person or nobody beside a public constant: N(0, σ²C²), and its mixture with the one
    shifted by C, which is the pair of laws behind the numeric bound."""
    plan = sampled_training.Plan(steps=1, chance=0.3, noise=0.8, clip=0.5, rate=1.0, people=1.0)
    x, y = np.full((int(there), 1), 4.0), np.zeros(int(there))
    found = (
        -sampled_training.trained(x, y, plan, np.random.default_rng(4), 20_000)[:, 0] * plan.batch
    )

    def law(z: np.ndarray) -> np.ndarray:
        apart = special.ndtr(z / 0.4), special.ndtr((z - 0.5) / 0.4)
        return apart[0] if not there else 0.7 * apart[0] + 0.3 * apart[1]

    assert stats.kstest(found, law).pvalue > 1e-3


def test_seeds_do_not_depend_on_each_other() -> None:
    x, y = rows_of(50, 3)
    plan = sampled_training.Plan(steps=3, chance=0.2, noise=1.0, clip=1.0, rate=1.0, people=50.0)
    found = sampled_training.trained(x, y, plan, np.random.default_rng(1), 5000)
    tied = np.corrcoef(found[:-1, 1], found[1:, 1])[0, 1]
    assert abs(tied) < 4 / math.sqrt(5000)


def test_without_noise_it_finds_the_minimum() -> None:
    """Of the ridged logistic loss as scikit-learn does, of squared errors as its equations do."""
    x, y = rows_of(300, 3)
    plan = sampled_training.Plan(400, 1.0, FREE, 1e6, 2.0, 300.0, ridge=0.01)
    found = sampled_training.trained(x, y, plan, np.random.default_rng(1))
    model = LogisticRegression(C=1 / (0.01 * 300), fit_intercept=False, tol=1e-10).fit(x, y)
    assert found[0] == pytest.approx(model.coef_[0], abs=1e-5)
    plan = sampled_training.Plan(400, 1.0, FREE, 1e6, 0.5, 300.0)
    found = sampled_training.trained(
        x, y, plan, np.random.default_rng(1), 2, sampled_training.LINEAR
    )
    best = np.linalg.lstsq(x, y, rcond=None)[0]
    assert found == pytest.approx(np.stack([best, best]), abs=1e-6)


def test_every_step_is_told() -> None:
    x, y = rows_of(40, 2)
    plan = sampled_training.Plan(7, 0.5, 1.0, 1.0, 1.0, 40.0)
    told = list(sampled_training.descent(x, y, plan, np.random.default_rng(2), 3))
    assert len(told) == 7
    assert (told[-1] == sampled_training.trained(x, y, plan, np.random.default_rng(2), 3)).all()


def test_what_it_refuses() -> None:
    for field, value in {"chance": 0.0, "steps": 0, "noise": 0.0, "clip": math.inf}.items():
        with pytest.raises(ParamError) as caught:
            sampled_training.Plan(
                **{**vars(sampled_training.Plan(5, 0.1, 1.0, 1.0, 1.0, 10.0)), field: value}
            )
        assert caught.value.field == field
    x, y = rows_of(5, 2)
    plan = sampled_training.Plan(1, 0.5, 1.0, 1.0, 1.0, 5.0)
    with pytest.raises(ParamError, match="two classes"):
        sampled_training.trained(x, y + 1, plan, np.random.default_rng(1))
    with pytest.raises(ParamError, match="logistic and the linear"):
        sampled_training.trained(x, y, plan, np.random.default_rng(1), loss="hinge")


def test_its_statement() -> None:
    plan = sampled_training.Plan(200, 0.01, 1.0, 0.5, 5.0, 39_000.0)
    told = [render(one) for one in training_statement.statement(plan, 1e-5, persons=True)]
    assert "one person with all of their rows" in told[0]
    assert "add/remove" in told[0]
    assert "200 steps" in told[1]
    assert "chance 0.01" in told[1]
    assert "390 on average if they are 39,000" in told[1]
    assert "length 0.5" in told[2]
    assert "deviation 0.5" in told[2]
    assert "ε = 0.9125 with δ = 10⁻⁵" in told[3]
    assert "numeric bound" in told[3]
    assert told[4].startswith("Not covered: settings")
    assert training_statement.promised(plan, 1e-5).lower == pytest.approx(0.9125, rel=1e-3)
    assert "one row" in render(training_statement.statement(plan, 1e-5, persons=False)[0])
