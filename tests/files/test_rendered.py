"""Charts as others read them: a second renderer draws an SVG as Qt does, and a CSV holds the arrays
of a chart to the last bit."""

import csv
import io
import itertools
import re
from collections.abc import Callable
from dataclasses import replace
from html import unescape

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from dpstudio.charts.figure import Area, Band, Columns, Figure, Handle, Heat, Layer, Ribbon, Rule
from dpstudio.data.dataset import Dataset
from dpstudio.files.assets import asset
from dpstudio.files.write import csvout, export, paper
from dpstudio.gui.board.render import headless, svg_to_image
from dpstudio.labs import LABS
from dpstudio.labs.findings import Findings
from dpstudio.labs.naming import lab_kind
from dpstudio.labs.page import Lab

Found = Callable[[type[Lab]], Findings]
# Greys from 0 to 255, each the mean of a square of BLOCK px at twice the size of the screen: how
# far two pictures are apart on average, and which share of their squares by more than FAR. Edges
# are smoothed in different ways; a word or a curve that is missing is far.
BLOCK, MEAN, FAR, SHARE = 8, 4.0, 48.0, 0.002


def squares(image: QImage) -> NDArray[np.float64]:
    grey = image.convertToFormat(QImage.Format.Format_Grayscale8)
    wide, high = grey.width() // BLOCK, grey.height() // BLOCK
    rows = np.frombuffer(grey.constBits(), np.uint8).reshape(grey.height(), grey.bytesPerLine())
    cut = rows[: high * BLOCK, : wide * BLOCK].astype(float)
    return cut.reshape(high, BLOCK, wide, BLOCK).mean((1, 3))


def apart(one: QImage, other: QImage) -> tuple[float, float]:
    """How far two pictures are apart on average, and the share of squares that are far."""
    a, b = squares(one), squares(other)
    high, wide = np.minimum(a.shape, b.shape)
    assert np.abs(np.subtract(a.shape, b.shape)).max() <= 1
    off = np.abs(a[:high, :wide] - b[:high, :wide])
    return float(off.mean()), float((off > FAR).mean())


@pytest.mark.parametrize("key", ["explore", "local_counts"])
def test_another_renderer_draws_the_same_picture(
    key: str, adult: Dataset, default_findings: Found
) -> None:
    reason = "there is no second renderer of SVG here: pip install resvg-py"
    resvg = pytest.importorskip("resvg_py", reason=reason)
    headless()
    kind = lab_kind(key)
    fonts = [str(path) for path in asset("fonts").glob("*.otf")]

    def drawn(svg: str) -> QImage:
        given = {"dpi": 96.0, "zoom": 2.0, "font_files": fonts, "skip_system_fonts": True}
        return QImage.fromData(bytes(resvg.svg_to_bytes(svg_string=svg, **given)))

    for figure in default_findings(kind).figures[:2]:
        svg = export.chart_svg(figure, kind(), adult, paper=paper.PAPERS["one-column"])
        ours = svg_to_image(svg, 2.0)
        mean, far = apart(ours, drawn(svg))
        assert (mean < MEAN, far < SHARE) == (True, True), (figure.key, mean, far)
        without = re.sub("<text.*</text>", "", svg)
        assert apart(ours, drawn(without))[1] > SHARE  # what is missing is seen


# px at normal type: the margin of a picture, and how far what is drawn may begin from it: a dot on
# the edge of a plot reaches 4 px into it, and where no letter reaches below its line 2 px are free.
MARGIN, LESS, MORE = 16.0, 4.0, 6.0
FOOT = 0.2  # of the height, that caption and footer take


def margins(image: QImage) -> tuple[float, float, float, float]:
    """The px of ground left and right of all that is drawn, above and below it."""
    made = image.convertToFormat(QImage.Format.Format_RGB32)
    wide, high = made.width(), made.height()
    rows = np.frombuffer(made.constBits(), np.uint8).reshape(high, wide, 4)[..., :3].astype(int)
    ink = np.abs(rows - rows[0, 0]).max(axis=2) > 12
    x, y = np.flatnonzero(ink.any(axis=0)), np.flatnonzero(ink.any(axis=1))
    return x[0], wide - 1 - x[-1], y[0], high - 1 - y[-1]


def lowest(svg: str, told: str, line: float) -> list[float]:
    """The sizes of the lines at the foot, from below up to the first that is not told there, begins
    elsewhere or stands further off than `line` px."""
    found = re.findall('<text x="([^"]*)" y="([^"]*)" font-size="([^"]*)"[^>]*>([^<]*)', svg)
    lines = sorted(((float(y), float(size), words, x) for x, y, size, words in found), reverse=True)
    out, (below, *_, left) = list[float](), lines[0]
    for y, size, words, x in lines:
        if x != left or below - y > line or unescape(words).rstrip("… ·") not in told:
            break
        out, below = [*out, size], y
    return out


def uneven(figure: Figure, lab: Lab, data: Dataset, page: paper.Paper) -> list[object]:
    """What is wrong with the page of a chart: its margins, the height or the type of its foot."""
    svg, bad = export.chart_svg(figure, lab, data, paper=page), list[object]()
    image = svg_to_image(svg, 1 / page.scale)
    for side, px in zip(("left", "right", "top", "bottom"), margins(image), strict=True):
        # What has no axes has no line that goes from one side of its plot to the other.
        bare = (side, True) in (("right", figure.x.hidden), ("top", figure.y.hidden))
        most = np.inf if bare else MARGIN + MORE
        bad += [(side, px)] if not MARGIN - LESS <= px <= most else []
    told = "\n".join(line.text for line in export.foot(figure, lab, data, paper=page))
    sizes = lowest(svg, told, 16 * page.scale)
    share = len(sizes) * 15 / image.height()
    bad += [("foot", share)] if not 0 < share <= FOOT else []
    return bad + [("type", size) for size in sizes if size >= 12 * page.scale]


@pytest.mark.parametrize("kind", [about.key for about in LABS])
def test_pages_have_one_margin_and_a_low_foot(
    kind: str, adult: Dataset, default_findings: Found
) -> None:
    """Of each chart on one of the papers, with or without its title, by turns; all of them on all
    are looked at by `tests/soak.py --only painted`."""
    headless()
    lab, pages = lab_kind(kind), itertools.cycle(paper.PAPERS.values())
    for place, figure in enumerate(default_findings(lab).figures):
        page = replace(next(pages), title=place % 3 < 2)
        assert uneven(figure, lab(), adult, page) == [], figure.key


def held(layer: Layer) -> dict[str, NDArray[np.float64]]:
    """The arrays of a layer by the columns that they must be in."""
    if isinstance(layer, Area):
        return {"low": layer.edges[:-1], "high": layer.edges[1:], "y": layer.heights}
    if isinstance(layer, Columns):
        ends = {"low": layer.low, "high": layer.high}
        whiskers = {name: end for name, end in ends.items() if end is not None}
        return {"x": layer.x, "y": layer.heights, **whiskers}
    if isinstance(layer, Ribbon):
        return {"x": layer.x, "low": layer.low, "high": layer.high}
    if isinstance(layer, Heat):
        return {"low": layer.values.ravel(), "high": layer.values.ravel()}
    if isinstance(layer, Band):
        return {"low": np.array([layer.low]), "high": np.array([layer.high])}
    if isinstance(layer, Rule):
        return {layer.axis: np.array([layer.at])}
    if isinstance(layer, Handle):
        return {"x": np.array([layer.x]), "y": np.array([layer.y])}
    return {"x": layer.x, "y": layer.y}  # type: ignore[attr-defined]


def test_a_csv_holds_every_chart_of_every_lab_bit_for_bit(default_findings: Found) -> None:
    figures: list[Figure] = []
    for about in LABS:
        figures += default_findings(lab_kind(about.key)).figures
    assert figures
    for figure in figures:
        text = csvout.figure_csv(figure, {"seed": "1"})
        rows = list(csv.DictReader(io.StringIO(re.sub("(?m)^#.*\n", "", text))))
        for layer in figure.layers:
            mine = [row for row in rows if row["layer"] == layer.key]
            for column, values in held(layer).items():
                read = np.array([float(row[column]) for row in mine])
                if isinstance(layer, Columns) and mine[0]["name"]:  # as they stand over words
                    values = np.asarray(values)[np.argsort(layer.x, kind="stable")]
                    assert all(row["name"] in {word for _, word in figure.x.ticks} for row in mine)
                assert read.tobytes() == np.asarray(values, float).tobytes(), (
                    figure.key, layer.key, column,
                )  # fmt: skip
