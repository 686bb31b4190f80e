"""The names of every chart of the catalogue stand where they can be read: none leaves the picture,
meets another, or lies on a curve, dot or rule, at any size and type. On the pure layout, which the
screen and the export share."""

from collections.abc import Callable

import numpy as np
import pytest
from geometry import faults
from running import speaking

from dpstudio.charts.label_gutter import spread
from dpstudio.charts.scaling import corners
from dpstudio.files.language import LANGUAGES
from dpstudio.labs.findings import Findings
from dpstudio.labs.naming import every_lab
from dpstudio.labs.page import Lab

# The room of plot and names in px, and the type scale: small multiples, a hero, a projector.
SIZES = ((330, 190, 1.0), (344, 150, 1.0), (500, 330, 1.0), (740, 400, 1.15), (1800, 900, 1.5))


@pytest.mark.parametrize("kind", every_lab(), ids=lambda kind: kind.key)
def test_no_name_is_cut_struck_or_over_another(
    kind: type[Lab], default_findings: Callable[[type[Lab]], Findings]
) -> None:
    found = []
    for tag in LANGUAGES:
        with speaking(tag):
            found += [
                f"{tag} {figure.key} {width}x{height} x{scale}: {fault}"
                for figure in default_findings(kind).figures
                for width, height, scale in SIZES
                for fault in faults(figure, width, height, scale)
            ]
    assert not found, "\n".join(found)


def test_names_are_moved_as_little_as_possible() -> None:
    """Against brute force: no other places in the same order, as far apart, are nearer."""
    rng = np.random.default_rng(1)
    for _ in range(60):
        n = int(rng.integers(1, 5))
        wanted, sizes = np.sort(rng.uniform(0, 60, n)), rng.uniform(5, 15, n)
        got = spread(wanted.tolist(), sizes.tolist(), 0.0, 70.0)
        gaps = (sizes[1:] + sizes[:-1]) / 2
        assert (np.diff(got) >= gaps - 1e-9).all()
        assert got[0] >= sizes[0] / 2 - 1e-9
        assert got[-1] <= 70 - sizes[-1] / 2 + 1e-9
        tried = got + rng.normal(0, 3, (4000, n))
        fits = (np.diff(tried, axis=1) >= gaps).all(axis=1)
        fits &= (tried[:, 0] >= sizes[0] / 2) & (tried[:, -1] <= 70 - sizes[-1] / 2)
        cost = ((tried[fits] - wanted) ** 2).sum(axis=1)
        assert cost.min(initial=np.inf) >= ((got - wanted) ** 2).sum() - 1e-9


def test_a_straightened_curve_runs_where_it_ran() -> None:
    """Against the distance of every point to every segment; gaps, peaks and steps are kept."""
    near, x = 1 / 32, np.linspace(0, 600, 361)
    y = 300 * np.exp(-np.abs(x - 200) / 40)
    y[100:103] = np.nan
    steps = np.array([10.0, 20, 20, 20, 30, 40, 50, 50]), np.array([0.0, 0, 90, 0, 0, 0, 0, 7])
    back = (
        np.array([10.0, 20, 20, 20, 30]),
        np.array([0.0, 0, 90, 0, 0]),
    )  # a spike, at an odd place
    early = back[0][1:], back[1][1:]
    for xs, ys, most in ((x, y, 180), (*steps, 7), (*back, 5), (*early, 4)):
        kept = corners(xs, ys, near)
        thin_x, thin_y = xs[kept], ys[kept]
        assert len(thin_x) <= most
        assert np.isnan(thin_y).sum() == np.isnan(ys).sum()
        a, b = (np.stack([thin_x[cut], thin_y[cut]], 1) for cut in (np.s_[:-1], np.s_[1:]))
        p = np.stack([xs, ys], 1)[np.isfinite(ys)][:, None]
        length = ((b - a) ** 2).sum(1)
        along = np.clip(((p - a) * (b - a)).sum(2) / np.where(length, length, 1), 0, 1)
        away = np.sqrt(((p - a - along[..., None] * (b - a)) ** 2).sum(2))
        assert np.nanmin(away, axis=1).max() <= 4 * near
        assert np.nanmax(thin_y) == np.nanmax(ys)
