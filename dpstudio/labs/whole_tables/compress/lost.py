"""What cannot be had back of the rows, by the number of directions: errors, pictures, the order of
directions, and what is printed of all of it. From all rows, without splits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.memo import once
from dpstudio.labs.whole_tables.compress import model as compress
from dpstudio.privacy.compression.inverse import (
    decoder,
    errors_of_decoder,
    errors_of_inverse,
    inverse,
)
from dpstudio.privacy.compression.printed import errors_in_order, errors_uncentred
from dpstudio.privacy.compression.projections import UTILITY, Dca, Projection, ridge
from dpstudio.privacy.sampling import SimulationRandom

_DOTS, SIGNS = 500, (-0.1, 0.1)
_STRIP = (1, 2, 3, 5, 9, 14, 30, 60, 120)
_PLAIN = 1e-4  # the least ρ′ either way; between them the order is by chance
_ROUNDED = 1e-9  # of the variance, which with all directions is none
RATIOS = array(np.geomspace(1e-3, 1e3, 97))


def ranked(model: compress.CompressModel, way: Projection) -> tuple[Array, Array]:
    """What the directions of a way are ranked by, (r,), and the directions as columns, (r, r),
    learnt from all rows; remembered."""
    lab = model.lab

    def made() -> tuple[Array, Array]:
        model.check()
        values, w = way.directions(
            compress.space(model).sums, SimulationRandom(lab.seed, compress.STREAM + 4)
        )
        return array(values), array(w)

    key = ("compress all", lab.points, lab.seed, way)
    return model.data.remember(key, made)


def ks_of_errors(model: compress.CompressModel, way: Projection) -> Array:
    """0, 1, …: as many as mean anything."""
    return np.arange(compress.most(model, way) + 1, dtype=np.float64)


def variance(model: compress.CompressModel) -> float:
    """All that varies: the mean of |x − μ|²."""
    return float(np.trace(compress.space(model).sums.spread))


def lost_by_inverse(model: compress.CompressModel, way: Projection) -> Array:
    """The share of the variance that the minimum-norm inverse misses, from 0 directions on."""
    return _lost(model, way, errors_of_inverse)


def lost_by_decoder(model: compress.CompressModel, way: Projection) -> Array:
    """The same of the linear decoder that these rows teach: no other linear one misses less."""
    return _lost(model, way, errors_of_decoder)


def _lost(
    model: compress.CompressModel, way: Projection, errors: Callable[[Array, Array], Array]
) -> Array:
    lab, k = model.lab, compress.most(model, way)

    def made() -> Array:
        space = compress.space(model)
        lost = errors(space.sums.spread, ranked(model, way)[1][:, :k]) / variance(model)
        whole = np.arange(len(lost)) >= space.rank
        return array(np.where(whole & (lost < _ROUNDED), 0.0, lost))

    key = ("compress lost", lab.points, lab.seed, way, errors.__name__)
    return model.data.remember(key, made)


def lost_here(model: compress.CompressModel) -> tuple[float, float]:
    """Both at the chosen number of directions of the chosen way."""
    k, way = compress.k_of(model), model.lab.way
    return float(lost_by_inverse(model, way)[k]), float(lost_by_decoder(model, way)[k])


def signed(model: compress.CompressModel, sign: int) -> Dca:
    """DCA with the ρ of the chosen way and its ρ′ of that sign, 0.1 where that is 0 or not set."""
    way = model.lab.way if isinstance(model.lab.way, Dca) else Dca()
    size = abs(way.rho_prime) or SIGNS[1]
    return replace(way, rho_prime=sign * size)


def order(model: compress.CompressModel) -> int:
    """What the sign of ρ′ does: 1 where directions of the least variance come next, −1 of the most,
    0 where it is so small that they tie."""
    way = model.lab.way
    if not isinstance(way, Dca) or abs(way.rho_prime) < _PLAIN:
        return 0
    return 1 if way.rho_prime > 0 else -1


def law(rho_prime: float) -> Array:
    """1 + ρ′/(λ + ρ) along `RATIOS` of λ to ρ, with ρ′ as a share of ρ."""
    return np.asarray(1 + rho_prime / (RATIOS + 1))


def ridges(model: compress.CompressModel) -> tuple[float, float]:
    """ρ and ρ′ of DCA as numbers, for rows in [−1, 1]."""
    way = model.lab.way if isinstance(model.lab.way, Dca) else Dca()
    sums = compress.space(model).sums
    rho = float(ridge(sums.within(UTILITY), way.rho, sums.spread)[0, 0])
    return rho, rho * way.rho_prime


@once
def dots(model: compress.CompressModel) -> tuple[Array, Array]:
    """Some rows along the first two directions of the chosen way, each to a spread of 1, (rows, 2),
    and both labels of these, (2, rows). Where there is one direction, the second is chance."""
    z, lab = compress.space(model).z, model.lab
    lot = SimulationRandom(lab.seed, compress.STREAM + 5).generator
    some = np.sort(lot.permutation(len(z))[: model.effort.of_draws(_DOTS, 100)])
    w = ranked(model, lab.way)[1][:, : min(2, compress.most(model, lab.way))]
    along = z[some] @ w
    if along.shape[1] == 1:
        along = np.column_stack([along, lot.standard_normal(len(along))])
    sizes = along.std(axis=0)
    codes = np.array([compress.held(model).codes[0][some], compress.held(model).codes[1][some]])
    return array(along / np.where(sizes > 0, sizes, 1.0)), array(codes)


def row_shown(model: compress.CompressModel) -> int:
    """The number of the row whose picture is drawn."""
    return model.lab.picture % len(compress.space(model).z)


def strip_ks(model: compress.CompressModel) -> tuple[int, ...]:
    """At how many directions it is drawn."""
    rank = compress.space(model).rank
    return (*(k for k in _STRIP if k < rank), rank)


@once
def strip(model: compress.CompressModel) -> tuple[tuple[str, ...], Array]:
    """Pictures of one row: the exact one and what is turned back from more and more directions, in
    rows: PCA, the chosen way by the minimum-norm inverse, and by the decoder. Cells in [0, 1], the
    lowest row of pixels first, blank between pictures."""
    shape = compress.held(model).shape
    assert shape is not None
    z, way, ks = compress.space(model).z[row_shown(model)], model.lab.way, strip_ks(model)
    spread = compress.space(model).sums.spread
    names, rows = list[str](), list[Array]()
    for name, made, back in (
        ("pca", compress.way_of(model, "pca"), "inverse"),
        ("inverse", way, "inverse"),
        ("decoder", way, "decoder"),
    ):
        if name == "inverse" and way.key == "pca":
            continue
        w, pictures = ranked(model, made)[1], [z]
        for k in ks:
            some = w[:, : min(k, compress.most(model, made))]
            matrix = inverse(some) if back == "inverse" else decoder(spread, some)
            pictures.append(matrix @ (z @ some))
        names.append(name)
        rows.append(_beside(model, pictures, shape))
    blank = np.zeros((1, rows[0].shape[1]))
    cells = np.vstack([part for row in rows for part in (row, blank)][:-1])
    return tuple(names), array(cells[::-1])


def _beside(model: compress.CompressModel, pictures: list[Array], shape: tuple[int, int]) -> Array:
    """Pictures of coordinates side by side."""
    turned = compress.space(model)
    parts: list[Array] = []
    for picture in pictures:
        pixels = (turned.mean + turned.basis @ picture + 1) / 2
        # Ink is dark on paper: what is bright takes none.
        ink = np.clip(1 - pixels if compress.held(model).bright else pixels, 0, 1)
        parts += [ink.reshape(shape), np.zeros((shape[0], 1))]
    return np.hstack(parts[:-1])


def printed_errors(model: compress.CompressModel) -> tuple[tuple[int, ...], Array]:
    """Errors of PCA as shares of the variance by the number of directions: (ks, (3, ks)): rows in
    their order, as a listing compares them, and without the mean. Remembered."""
    turned, lab = compress.space(model), model.lab
    ks = compress.ladder(model, turned.rank)

    def made() -> Array:
        w, n = ranked(model, compress.way_of(model, "pca"))[1], len(turned.z)
        lot = SimulationRandom(lab.seed, compress.STREAM + 6).generator.permutation(n)
        # A tenth by lot stands behind the others: the listing’s order of a split.
        tested = max(1, n // 10)
        order = np.concatenate([lot[tested:], np.sort(lot[:tested])])
        found = (
            errors_in_order(turned.z, w, np.arange(n), ks),
            errors_in_order(turned.z, w, order, ks),
            errors_uncentred(turned.z, turned.mean @ turned.basis, w, ks)
            # The mean may point out of all directions in which rows vary.
            + float(np.sum(turned.mean**2) - np.sum((turned.mean @ turned.basis) ** 2)),
        )
        return array(np.array(found) / variance(model))

    return ks, model.data.remember(("compress printed", lab.points, lab.seed, ks), made)


def last_errors(model: compress.CompressModel) -> tuple[float, float, float]:
    """The same with as many directions as there are, what rounding leaves taken for none."""
    found = printed_errors(model)[1][:, -1]
    one, two, three = np.where(found > _ROUNDED, found, 0.0)
    return float(one), float(two), float(three)


def first_mismatched(model: compress.CompressModel) -> float:
    """What the listing prints with the fewest directions tried."""
    return float(printed_errors(model)[1][1, 0])
