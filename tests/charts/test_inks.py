"""What is drawn together can be told apart by every eye, in light and in dark."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from random_states import random_state
from sight import apart, ciede2000

from dpstudio.charts.figure import Axis, Dots, Figure, Line
from dpstudio.charts.inks import MOST, OUTSIDE, PLAIN, inks_of, marker, stroke, told_apart
from dpstudio.data.dataset import Dataset
from dpstudio.files.write.palette import contrast, palette, word_ink
from dpstudio.labs.context import Context, Effort
from dpstudio.labs.findings import Findings
from dpstudio.labs.naming import every_lab
from dpstudio.labs.page import Lab
from dpstudio.privacy.accounting import ACCOUNTANTS
from dpstudio.privacy.local import NUMBERS, PROTOCOLS
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.privacy.mechanisms.choosing import SELECTIONS

# States of each lab, and the work that one is worth: what is drawn counts, not how finely.
STATES, FEW = 4, Effort(points=0.05, draws=0.01, replays=12)
VERDICTS = {"good", "warn", "bad"}
# Where a verdict is what is drawn.
JUDGED = {("audit", "verdict"), ("audit", "bounds"), ("audit", "events"), ("audit", "catalogue")}


def _drawn(
    default_findings: Callable[[type[Lab]], Findings], adult: Dataset
) -> Iterator[tuple[str, Figure]]:
    """Every chart of every lab, as it starts and in states at random."""
    for kind in every_lab():
        for figure in default_findings(kind).figures:
            yield kind.key, figure
        for seed in range(STATES):
            for found in random_state(kind, seed, adult).run(Context(adult, effort=FEW)):
                yield from ((f"{kind.key} {seed}", figure) for figure in found.figures)


def test_inks_drawn_together_are_apart_for_every_eye(
    default_findings: Callable[[type[Lab]], Findings], adult: Dataset
) -> None:
    """ΔE (CIEDE2000) of 12 at least under usual, deutan, protan and tritan sight; no more than
    eight in a chart; red and green for verdicts only."""
    seen: dict[tuple[str, ...], tuple[str, str]] = {}
    for lab, figure in _drawn(default_findings, adult):
        inks = sorted(inks_of(figure))
        if (lab.split()[0], figure.key) not in JUDGED:
            assert not VERDICTS & set(inks), (lab, figure.key, inks)
        seen.setdefault(tuple(inks), (lab, figure.key))
    for inks, where in seen.items():
        assert len(inks) <= MOST, (where, inks)
        for dark in (False, True) if len(inks) > 1 else ():
            least = apart([palette(dark)[ink] for ink in inks]) + 100 * np.eye(len(inks))
            i, j = np.unravel_index(least.argmin(), least.shape)
            assert least[i, j] >= 12, (where, dark, inks[i], inks[j], least[i, j])


def test_every_curve_of_a_family_has_a_dash_and_a_marker_of_its_own() -> None:
    """Two that may be drawn together share no dash and marker; none looks like a bound outside its
    theorem."""
    families = (MECHANISMS, SELECTIONS, ACCOUNTANTS, PROTOCOLS, NUMBERS)
    for family in families:
        lines = {kind.ink: stroke(Line("", kind.ink)) for kind in family}
        looks = {(lines[ink], marker(Dots("", ink))) for ink in lines}
        assert len(looks) == len(lines) == len(family)
        for kind in family:
            assert stroke(Line("", kind.ink, dash=OUTSIDE)) not in lines.values()
        greyed = told_apart(_of_lines([kind.ink for kind in family]))
        assert len(inks_of(greyed)) <= MOST
        assert [stroke(layer) for layer in greyed.layers] == list(lines.values())


def _of_lines(inks: list[str]) -> Figure:
    layers = tuple(Line(ink, ink, "", [0, 1], [0, 1]) for ink in inks)
    return Figure("all", "", Axis(""), Axis(""), layers)


@pytest.mark.parametrize("dark", [False, True])
def test_strokes_and_words_can_be_read(dark: bool) -> None:
    """WCAG 2.1: 3 : 1 for strokes, 4.5 : 1 for words."""
    inks = palette(dark)
    for name in set(inks) - (PLAIN - {"text", "muted"}):
        assert contrast(inks[name], inks["surface"]) >= 3, name
        assert contrast(word_ink(inks, name), inks["surface"]) >= 4.5, name


def test_the_difference_is_that_of_its_authors() -> None:
    """Pairs 1, 2 and 17 of Sharma, Wu & Dalal 2005, Table 1."""
    one = np.array([[50, 2.6772, -79.7751], [50, 3.1571, -77.2803], [50, 2.5, 0]])
    two = np.array([[50, 0, -82.7485], [50, 0, -82.7485], [73, 25, -18]])
    assert ciede2000(one, two) == pytest.approx([2.0425, 2.8615, 27.1492], abs=1e-4)
