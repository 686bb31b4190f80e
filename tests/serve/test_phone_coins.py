"""The phone's randomiser, the very file that is served, against the laws that the estimate is made
with."""

import json
import random
import shutil
import subprocess
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from room_chances import chances
from scipy.stats import chi2

from dpstudio.files.assets import asset
from dpstudio.privacy.room import Question, law, randomise
from dpstudio.privacy.room.law import WORD

EPSILONS = (0.05, 0.5, 1.0, 1.0986122886681098, 4.0, 10.0)
ASKED = (
    Question("coins", "?", epsilons=EPSILONS),
    Question("two", "?", "choice", ("a", "b"), epsilons=EPSILONS),
    Question("grr", "?", "choice", tuple("abcdefg"), epsilons=EPSILONS),
    Question("oue", "?", "choice", tuple("abcdefghijkl"), epsilons=EPSILONS, unary=True),
    Question("duchi", "?", "number", low=-3, high=7, epsilons=EPSILONS),
)


def words(asked: Question, epsilon: float, rng: random.Random) -> list[int]:
    """Numbers as a phone draws them: any, and those at both sides of every threshold."""
    used = law(asked, epsilon)
    edges = [0, 1, WORD - 1, used.whole - 1, used.whole % WORD]
    edges += [at + more for at in (used.own, used.other, used.own + used.other) for more in (-1, 0)]
    edges = [edge for edge in edges if 0 <= edge < WORD]
    return [rng.choice(edges) if rng.random() < 0.6 else rng.randrange(WORD) for _ in range(60)]


def by_python(asked: Question, epsilon: float, answer: int, drawn: list[int]) -> tuple[int, int]:
    """The report that Python makes of the same numbers, and how many it takes."""
    at = 0

    def below(n: int) -> int:
        nonlocal at
        while True:
            word, at = drawn[at], at + 1
            if word < WORD - WORD % n:
                return word % n

    return randomise(asked, epsilon, answer, below), at


@pytest.fixture(scope="module")
def phone() -> dict[str, Any]:
    """What the phone's file made of 1,500 lists of numbers, and of its own chance."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node here to run the phone's file with")
    rng = random.Random(11)
    cases = []
    for _ in range(50):
        for asked in ASKED:
            for epsilon in EPSILONS:
                answer = rng.randrange(asked.answers)
                cases.append((asked, epsilon, answer, words(asked, epsilon, rng)))
    free = [
        (asked, epsilon, asked.answers - 2)
        for asked in (ASKED[0], ASKED[2], ASKED[4])
        for epsilon in (0.5, 1.0986122886681098)
    ]
    sent = {
        "cases": [
            {"law": asdict(law(asked, e)), "answer": a, "words": w} for asked, e, a, w in cases
        ],
        "free": [
            {"law": asdict(law(asked, e)), "answer": a, "times": 20_000} for asked, e, a in free
        ],
    }
    command = [node, str(Path(__file__).with_name("randomise.js")), str(asset("room", "coins.js"))]
    done = subprocess.run(
        command, input=json.dumps(sent), capture_output=True, text=True, check=True, timeout=60
    )
    return {"asked": cases, "drawn": free} | json.loads(done.stdout)


def test_phone_and_python_make_the_same_report_of_the_same_numbers(phone: dict[str, Any]) -> None:
    for (asked, epsilon, answer, drawn), made in zip(phone["asked"], phone["cases"], strict=True):
        want = by_python(asked, epsilon, answer, drawn)
        assert (made["value"], made["used"]) == want, (asked.key, epsilon, answer)
        # Every number that decided is shown to who answered.
        assert len(made["steps"]) == want[1] or asked.kind != "coins"


def test_the_phones_own_chance_has_the_law(phone: dict[str, Any]) -> None:
    for (asked, epsilon, answer), counts in zip(phone["drawn"], phone["free"], strict=True):
        want = chances(asked, epsilon, answer)
        assert {int(value) for value in counts} <= set(want)
        off = sum(
            (counts.get(str(value), 0) - 20_000 * float(chance)) ** 2 / (20_000 * float(chance))
            for value, chance in want.items()
        )
        assert off < chi2.isf(1e-7, len(want) - 1), (asked.key, epsilon)


def test_a_browser_without_secret_numbers_has_no_coins(phone: dict[str, Any]) -> None:
    assert phone["none"] is None
