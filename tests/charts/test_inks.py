"""What is drawn together can be told apart by every eye, in light and in dark."""

import numpy as np
import pytest
from sight import Array, ciede2000, projected
from sight import lab as cielab

from dpstudio.charts.figure import Axis, Dots, Figure, Line
from dpstudio.charts.inks import (
    MOST,
    OUTSIDE,
    PLAIN,
    SAMPLE,
    dashes,
    inks_of,
    marker,
    sampled,
    stroke,
    told_apart,
)
from dpstudio.files.write.palette import contrast, palette, word_ink
from dpstudio.gui.parts.theme import Look, frame_color
from dpstudio.privacy.accounting import ACCOUNTANTS
from dpstudio.privacy.local import NUMBERS, PROTOCOLS
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.privacy.mechanisms.choosing import SELECTIONS


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


@pytest.mark.parametrize("dark", [False, True])
def test_words_of_the_frame_can_be_read_on_all_its_tones(dark: bool) -> None:
    """4.5 : 1 (WCAG 2.1, 1.4.3), also where a row is chosen; and those of a chart on a stage."""
    inks, stage = palette(dark), palette(dark, stage=True)
    tones = [frame_color(Look(dark=dark), each).name() for each in ("side", "wash")]
    for name in ("text", "muted", "good", "warn", "bad", "accent"):
        for ground in (inks["surface"], *tones):
            assert contrast(inks[name], ground) >= 4.5, (name, ground)
    for name in set(stage) - (PLAIN - {"text", "muted"}):
        words = word_ink(stage, name, stage=True)
        assert contrast(words, stage["surface"]) >= 4.5, name


@pytest.mark.parametrize("dark", [False, True])
def test_words_and_strokes_in_any_ink_are_seen_through_a_weak_projector(dark: bool) -> None:
    """Whose black is a quarter of white, and that halves what is left of hues: 3.4 : 1 is the most
    that it shows. Olive words were 1.5 : 1 on a dark stage."""
    stage = palette(dark, stage=True)
    names = [name for name in stage if name not in PLAIN or name in ("text", "muted", "ghost")]
    beams = {name: word_ink(stage, name, stage=True) for name in names}
    (ground,) = cielab(projected([stage["surface"]]))
    for name, drawn in zip(names, cielab(projected([stage[name] for name in names])), strict=True):
        (word,), (under,) = (_light(projected([ink])) for ink in (beams[name], stage["surface"]))
        high, low = max(word, under), min(word, under)
        assert (high + 0.05) / (low + 0.05) >= 2.2, name
        assert ciede2000(drawn, ground) >= 6, name


def _light(colours: Array) -> list[float]:
    """The luminance of sRGB colours, by the lightness of CIELAB."""
    return [((one + 16) / 116) ** 3 for one in cielab(colours)[:, 0].tolist()]


def test_the_difference_is_that_of_its_authors() -> None:
    """Pairs 1, 2 and 17 of Sharma, Wu & Dalal 2005, Table 1."""
    one = np.array([[50, 2.6772, -79.7751], [50, 3.1571, -77.2803], [50, 2.5, 0]])
    two = np.array([[50, 0, -82.7485], [50, 0, -82.7485], [73, 25, -18]])
    assert ciede2000(one, two) == pytest.approx([2.0425, 2.8615, 27.1492], abs=1e-4)


def test_a_sample_before_a_name_shows_whole_dashes_at_both_ends() -> None:
    """What was cut off of a dash looked like a dot, and a dashed line like one of dashes and dots."""
    for ink in ("gaussian", "drv", "kov35", "catastrophe", "textbook", "parallel"):
        line = Line("a", ink, "", [0.0, 1.0], [0.0, 1.0], width=2.0)
        drawn = sampled(stroke(line))
        first = drawn.dashes[0]
        times = (SAMPLE / drawn.width - first) / sum(drawn.dashes)
        assert times == pytest.approx(max(1, round(times)))
        assert drawn.dashes[1] / first == pytest.approx(dashes(ink)[1] / dashes(ink)[0])
