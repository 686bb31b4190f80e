"""An axis without a range is fitted to what the layers of its figure hold."""

import numpy as np
import pytest

from dpstudio.charts import figure
from dpstudio.charts.figure import Axis, Figure, nice_above


def fitted(up: Axis, *layers: figure.Layer) -> tuple[float, float]:
    return Figure("f", "", Axis(""), up, layers).y.range


@pytest.mark.parametrize("seed", range(8))
def test_all_that_is_drawn_is_seen(seed: int) -> None:
    """Of every kind of layer, whatever it holds: gaps, infinities, whiskers, a point to drag."""
    rng = np.random.default_rng(seed)
    x, scale = np.sort(rng.normal(size=9)), 10.0 ** rng.integers(-6, 7)
    y, low, high = scale * (rng.normal(size=(3, 9)) + rng.integers(-3, 4))
    y[rng.integers(9)] = [np.nan, np.inf][seed % 2]
    layers = (
        figure.Line("line", "first", "", x, y),
        figure.Ribbon("ribbon", "first", "", x, low, high),
        figure.Columns("bars", "first", "", x, y / 2, 0.1, low, high),
        figure.Area("area", "first", "", [*x, 9.0], np.abs(y)),
        figure.Handle("here", "first", "", 12.0, 2 * scale),
    )
    some = tuple(layer for layer in layers if rng.random() < 0.6) or layers
    drawn = Figure("f", "", Axis(""), Axis(""), some)
    for name, axis in (("x", drawn.x), ("y", drawn.y)):
        held = (getattr(layer, field) for layer in some for field in layer.reaches[name])
        values = np.concatenate([[0.0], *(np.ravel(each) for each in held)])
        values = values[np.isfinite(values)]
        bottom, top = axis.range
        assert bottom <= values.min() <= values.max() <= top
        assert bottom < top
        # No more room than the next step of the ladder takes.
        assert top <= nice_above(1.08 * max(values.max(), 0))
        assert bottom >= (-nice_above(-1.08 * values.min()) if values.min() < 0 else 0)


def test_the_rules_of_a_fit() -> None:
    """0 is there, a step above the highest; even; room; powers of ten, at most nine of them."""
    line = figure.Line("line", "first", "", [1, 2, 3], [2.0, 7.0, 0.5])
    assert fitted(Axis(""), line) == (0.0, 8.0)
    assert fitted(Axis("", room=1.3), line) == (0.0, 10.0)
    assert fitted(Axis("", even=True), line) == (-8.0, 8.0)
    assert fitted(Axis("", log=True), line) == (0.1, 10.0)
    small = figure.Dots("dots", "first", "", [1], [1e-30])
    assert fitted(Axis("", log=True, floored=True), line, small) == pytest.approx((1e-8, 10.0))
    far = figure.Rule("rule", "first", "", 1e6, axis="y"), figure.Band("band", "band", "", 0, 1e6)
    assert fitted(Axis(""), line, *far) == (0.0, 8.0), "what points out does not stretch the chart"
    below = figure.Line("line", "first", "", [1, 2], [-3.0, -1.0])
    assert fitted(Axis(""), below) == (-4.0, 0.0)
    assert fitted(Axis("")) == (0.0, 1.0)
    assert fitted(Axis("", range=(1.0, 2.0)), line) == (1.0, 2.0)
