"""What is drawn together can be told apart by every eye, in light and in dark."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from sight import apart, ciede2000

from dpstudio.charts.figure import Figure, Heat
from dpstudio.files.write.palette import contrast, palette, word_ink
from dpstudio.labs.findings import Findings
from dpstudio.labs.naming import every_lab
from dpstudio.labs.page import Lab

# What carries no meaning of its own: grounds, and the grey of what is drawn for reference.
GROUND = {"surface", "ground", "grid", "band", "accent_soft"}
PLAIN = GROUND | {"text", "muted"}
VERDICTS = {"good", "warn", "bad"}
# Where a verdict is what is drawn.
JUDGED = {("audit", "verdict"), ("audit", "bounds"), ("audit", "events"), ("audit", "catalogue")}


def inks_of(figure: Figure) -> list[str]:
    heats = {layer.below for layer in figure.layers if isinstance(layer, Heat)}
    return sorted(({layer.ink for layer in figure.layers} | heats) - PLAIN)


@pytest.fixture
def drawn(default_findings: Callable[[type[Lab]], Findings]) -> Iterator[tuple[str, Figure]]:
    return ((k.key, figure) for k in every_lab() for figure in default_findings(k).figures)


def test_inks_drawn_together_are_apart_for_every_eye(drawn: Iterator[tuple[str, Figure]]) -> None:
    """ΔE (CIEDE2000) of 12 at least under usual, deutan, protan and tritan sight; no more than
    eight in a chart; red and green for verdicts only."""
    for lab, figure in drawn:
        inks = inks_of(figure)
        assert len(inks) <= 8, (lab, figure.key, inks)
        if (lab, figure.key) not in JUDGED:
            assert not VERDICTS & set(inks), (lab, figure.key, inks)
        for dark in (False, True):
            least = apart([palette(dark)[ink] for ink in inks]) + 100 * np.eye(len(inks))
            if len(inks) > 1:
                i, j = np.unravel_index(least.argmin(), least.shape)
                assert least[i, j] >= 12, (lab, figure.key, dark, inks[i], inks[j], least[i, j])


@pytest.mark.parametrize("dark", [False, True])
def test_strokes_and_words_can_be_read(dark: bool) -> None:
    """WCAG 2.1: 3 : 1 for strokes, 4.5 : 1 for words."""
    inks = palette(dark)
    for name in set(inks) - GROUND:
        assert contrast(inks[name], inks["surface"]) >= 3, name
        assert contrast(word_ink(inks, name), inks["surface"]) >= 4.5, name


def test_the_difference_is_that_of_its_authors() -> None:
    """Pairs 1, 2 and 17 of Sharma, Wu & Dalal 2005, Table 1."""
    one = np.array([[50, 2.6772, -79.7751], [50, 3.1571, -77.2803], [50, 2.5, 0]])
    two = np.array([[50, 0, -82.7485], [50, 0, -82.7485], [73, 25, -18]])
    assert ciede2000(one, two) == pytest.approx([2.0425, 2.8615, 27.1492], abs=1e-4)
