"""The reader against files as the world gives them: wrong 0, and no question of a clean file."""

from collections import Counter

import pytest
from nasty import Nasty
from polluted import CLEAN as FINE
from polluted import Polluted, polluted, verdict
from test_reading import outcome
from wild import CLEAN, WILD


@pytest.mark.parametrize("nasty", WILD, ids=lambda n: n.name)
def test_wild(nasty: Nasty) -> None:
    outcome(nasty)


def test_clean_files_are_not_asked_about() -> None:
    verdicts = Counter(outcome(n) for n in WILD if n.name in CLEAN)
    assert verdicts == {"right": len(CLEAN)}
    assert len({n.name for n in WILD}) == len(WILD) >= 180


@pytest.mark.parametrize("case", polluted()[::23], ids=lambda case: case.name)
def test_polluted(case: Polluted) -> None:
    """Some of more than 800; `tests/soak.py --only polluted` tries all."""
    what, why = verdict(case)
    assert what != "wrong", why
    assert case.kind != FINE or what == "certain", why
