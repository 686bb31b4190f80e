"""The survey in the room: whole-number laws by enumeration, and estimates against them."""

import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest
from room_chances import chances

from dpstudio.privacy.local.coins import FairCoins, Warner
from dpstudio.privacy.local.direct import Direct
from dpstudio.privacy.local.duchi import Duchi
from dpstudio.privacy.local.unary import Optimised
from dpstudio.privacy.room import (
    Question,
    Report,
    combined,
    estimates,
    law,
    needed,
    randomise,
    read_report,
    told,
    weighted,
    written,
)
from dpstudio.privacy.room.law import WORD
from dpstudio.values.parameters import ParamError

LN3, ROOMS = math.log(3), 150
SOME = (0.05, 0.5, 1.0, LN3, 4.0, 10.0)
ASKED = [
    Question("coins", "?", epsilons=SOME),
    Question("grr", "?", "choice", ("a", "b", "c", "d"), epsilons=SOME),
    Question("oue", "?", "choice", ("a", "b", "c"), epsilons=SOME, unary=True),
    Question("duchi", "?", "number", low=-2, high=3, epsilons=SOME),
]
EACH = [pytest.param(asked, id=asked.key) for asked in ASKED]


@pytest.mark.parametrize("asked", EACH)
def test_what_is_spent_is_the_largest_ratio_and_never_more_than_offered(asked: Question) -> None:
    for epsilon in SOME:
        laws = [chances(asked, epsilon, answer) for answer in range(asked.answers)]
        assert all(sum(one.values()) == 1 and min(one.values()) > 0 for one in laws)
        worst = max(a[r] / b[r] for a, b in itertools.permutations(laws, 2) for r in a)
        assert worst == law(asked, epsilon).odds
        assert worst <= Fraction(math.nextafter(math.exp(epsilon), math.inf))
        assert told(asked, epsilon).epsilon == pytest.approx(epsilon, rel=1e-5)


@pytest.mark.parametrize("asked", EACH)
def test_estimates_have_the_truth_as_exact_mean(asked: Question) -> None:
    """Over every report, and with the variance that is said where the estimate lies within what is
    possible."""
    epsilon, n = 1.0, 1
    for answer in range(asked.answers):
        one = chances(asked, epsilon, answer)
        found = [
            (float(c), estimates(asked, (Report(asked.key, "", epsilon, r),))[0].values)
            for r, c in one.items()
        ]
        mean = sum(c * np.array(v) for c, v in found)
        spread = sum(c * np.square(v) for c, v in found) - mean**2
        truth = asked.low + answer if asked.kind == "number" else np.eye(asked.answers)[answer]
        assert mean == pytest.approx(np.atleast_1d(truth), abs=1e-12)
        support = law(asked, epsilon).support
        if asked.kind == "number":
            t = 2 * answer / (asked.answers - 1) - 1
            width = (asked.high - asked.low) / 2
            assert spread[0] == pytest.approx(width**2 * (support.gap**-2 - t**2) / n)
        else:
            want = np.where(np.eye(asked.answers)[answer] > 0, support.own, support.other)
            assert spread == pytest.approx(want)


def test_laws_are_those_of_the_other_labs() -> None:
    """To the 2⁻³² that whole numbers allow; the fair coins exactly."""
    coins, grr, oue, duchi = ASKED
    assert law(coins, LN3).p == Fraction(3, 4)
    assert law(coins, LN3).mechanism == FairCoins.key
    for epsilon in (0.5, 1.0, 4.0):
        for asked, other in ((coins, Warner), (grr, Direct), (oue, Optimised)):
            want = other(epsilon).support(asked.answers)
            used = law(asked, epsilon)
            assert used.mechanism == other.key
            assert (float(used.p), float(used.q)) == pytest.approx((want.p, want.q), abs=2e-8)
        assert 1 / law(duchi, epsilon).support.gap == pytest.approx(Duchi(epsilon).size())
        up = chances(duchi, epsilon, 4)[1]
        assert float(up) == pytest.approx(float(Duchi(epsilon).chance(0.6)), abs=1e-9)


@pytest.mark.parametrize("asked", EACH)
def test_randomise_follows_its_law(asked: Question) -> None:
    rng, n, answer = random.Random(5), 4000, asked.answers - 1
    want = chances(asked, 1.0, answer)
    seen = dict.fromkeys(want, 0)
    for _ in range(n):
        seen[randomise(asked, 1.0, answer, rng.randrange)] += 1
    chi2 = sum((seen[r] - n * float(c)) ** 2 / (n * float(c)) for r, c in want.items())
    free = len(want) - 1
    assert chi2 < free + 4 * math.sqrt(2 * free) + 4


def test_the_last_number_below_a_threshold_tells_the_truth() -> None:
    coins, grr, _, _ = ASKED
    own, other = law(coins, 1.0).own, law(grr, 1.0)
    assert other.whole <= WORD
    assert other.own + 3 * other.other == other.whole
    draws = iter([own - 1, own, 0])
    assert [randomise(coins, 1.0, 1, lambda _: next(draws)) for _ in range(2)] == [1, 0]
    at = [other.own - 1, other.own, other.whole - 1]
    assert [randomise(grr, 1.0, 1, lambda _, r=r: r) for r in at] == [1, 0, 3]


def test_groups_go_together_by_heads_and_stay_unbiased() -> None:
    """Who says yes chooses ε = 0.5, who says no ε = 4: by head count the mean is the true share,
    weighted by variance it is not. Exact, over the mean reports of each group."""
    asked = ASKED[0]
    reports = []
    for epsilon, answer, people in ((0.5, 1, 30), (4.0, 0, 70)):
        yes = chances(asked, epsilon, answer)[1]
        scale = 10
        ones = round(float(yes) * people * scale)
        reports += [Report("coins", "", epsilon, int(i < ones)) for i in range(people * scale)]
    heads, weights = combined(asked, tuple(reports)), weighted(asked, tuple(reports))
    assert heads is not None
    assert weights is not None
    assert heads.n == 1000
    assert heads.values[1] == pytest.approx(0.3, abs=0.003)
    assert weights.values[1] < 0.05
    assert weights.errors[1] < heads.errors[1]


def test_intervals_hold_the_room_in_the_stated_share() -> None:
    """200 people in mixed ε, 150 rooms: within four standard deviations of a binomial."""
    rng = random.Random(7)
    for asked in ASKED:
        people = [(rng.choice((0.5, 1.0, 4.0)), rng.randrange(asked.answers)) for _ in range(200)]
        drawn = {(e, a): _sampler(asked, e, a, rng) for e, a in set(people)}
        truths = [a + asked.low if asked.kind == "number" else a == 1 for _, a in people]
        truth, place = sum(truths) / 200, 0 if asked.kind == "number" else 1
        held = 0
        for _ in range(ROOMS):
            reports = tuple(Report(asked.key, "", e, drawn[e, a]()) for e, a in people)
            found = combined(asked, reports)
            assert found is not None
            low, high = found.interval(place)
            held += low <= truth <= high
        # A number's error is an upper bound: Σt² is not known to whoever sees ± only.
        most = (
            ROOMS if asked.kind == "number" else ROOMS * 0.95 + 4 * math.sqrt(ROOMS * 0.95 * 0.05)
        )
        assert ROOMS * 0.95 - 4 * math.sqrt(ROOMS * 0.95 * 0.05) <= held <= most


def _sampler(asked: Question, epsilon: float, answer: int, rng: random.Random):  # type: ignore[no-untyped-def]
    law_ = chances(asked, epsilon, answer)
    waiting: list[int] = []

    def draw() -> int:
        if not waiting:
            weights = [float(c) for c in law_.values()]
            waiting.extend(rng.choices(list(law_), weights, k=500))
        return waiting.pop()

    return draw


def test_people_needed_suffice() -> None:
    asked = ASKED[0]
    reports = tuple(Report("coins", "", (0.5, LN3)[i % 2], i % 3 == 0) for i in range(100))
    more = needed(asked, reports, 0.05)
    grown = tuple(reports[i % 100] for i in range(100 + more))
    found = combined(asked, grown)
    assert found is not None
    assert 1.95 * max(found.errors) <= 0.05 <= 1.97 * max(found.errors)
    assert needed(asked, grown, 0.06) == 0
    # Before any came, also where all hold the option that OUE's reports speak of least surely.
    bits = Question("b", "?", "choice", ("a", "b"), epsilons=(4.0,), unary=True)
    asks = needed(bits, (), 0.05)
    sent = chances(bits, 4.0, 0)
    grown = tuple(
        Report("b", "oue", 4.0, k) for k, c in sent.items() for _ in range(round(float(c) * asks))
    )
    assert needed(bits, grown, 0.0505) == 0
    fair = Question("fair", "?")
    assert needed(fair, (), 0.05) == math.ceil(0.75 * (1.959964 / 0.05) ** 2)


def test_cells_of_a_table_read_back() -> None:
    blanks = [Question("b", "?", "choice", (" a", "b "), unary=unary) for unary in (True, False)]
    for asked in (*ASKED, *blanks):
        for value in chances(asked, 1.0, 0):
            used = law(asked, 1.0).mechanism
            sent = Report(asked.key, used, 1.0, value)
            assert read_report(asked, used, 1.0, written(asked, sent)) == sent
    with pytest.raises(ValueError):
        read_report(ASKED[1], "grr", 1.0, "e")


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("key", {"key": "a b"}),
        ("text", {"text": " "}),
        ("text", {"text": "x" * 301}),
        ("kind", {"kind": "free"}),
        ("options", {"options": ("no", "yes", "maybe")}),
        ("options", {"kind": "choice", "options": ("a", "a ")}),
        ("options", {"kind": "choice", "options": ("a  b", "a b")}),
        ("options", {"kind": "choice", "options": ("'NA", "NA")}),
        ("options", {"kind": "choice", "options": ("a|b", "c")}),
        ("high", {"kind": "number", "low": 3, "high": 3}),
        ("epsilons", {"epsilons": ()}),
        ("epsilons", {"epsilons": (1.0, 0.5)}),
        ("epsilons", {"epsilons": (math.nan,)}),
        ("epsilons", {"epsilons": (11.0,)}),
    ],
)
def test_what_cannot_be_asked_is_refused_at_its_field(
    field: str, change: dict[str, object]
) -> None:
    with pytest.raises(ParamError) as refused:
        Question(**{"key": "q", "text": "?", **change})  # type: ignore[arg-type]
    assert refused.value.field == field
