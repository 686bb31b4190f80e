"""What a seed finds does not depend on the processor."""

from pathlib import Path

import pytest
from recorder import machines, processors

# Which did: ties among places, rounding at all of 100 answers, last bits of logarithms.
STATES = ["035", "085", "187"]


def test_another_processor_finds_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In processes of their own: numpy chooses its instructions when it is imported."""
    others = processors()
    if not others:
        pytest.skip("numpy has no instructions here that could be turned off")
    name, less = others.popitem()
    assert machines(tmp_path, STATES, {name: less}) == 0, capsys.readouterr().out
