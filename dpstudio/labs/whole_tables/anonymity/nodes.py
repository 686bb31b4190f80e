"""The lattice as a picture: where its nodes stand, which lie side by side, and which are worth a
look."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array, array
from dpstudio.labs.memo import once
from dpstudio.labs.whole_tables.anonymity.choices.algorithms import FullDomain
from dpstudio.labs.whole_tables.anonymity.heights import drawn_nodes
from dpstudio.labs.whole_tables.anonymity.model import AnonymityModel
from dpstudio.labs.whole_tables.rows.model import n
from dpstudio.privacy.anonymity.lattice import Judged


@once
def nodes(model: AnonymityModel) -> tuple[Judged, ...]:
    """Every node, where they are few enough to be drawn."""
    return drawn_nodes(model.lab, model.data, model.rows, model.check, model.second)


def _heights(model: AnonymityModel) -> NDArray[np.int64]:
    return np.array([each.node for each in nodes(model)], dtype=np.int64)


@once
def places(model: AnonymityModel) -> tuple[Array, Array]:
    """Where each node stands: up by its heights together, across in the order of its first
    heights, each level about the middle."""
    level = _heights(model).sum(1)
    x = np.zeros(len(level))
    for each in np.unique(level):
        there = np.flatnonzero(level == each)
        x[there] = np.arange(len(there)) - (len(there) - 1) / 2
    return array(x), array(level)


@once
def edges(model: AnonymityModel) -> tuple[Array, Array]:
    """From each node to those one height above it, as one curve with gaps."""
    heights, (x, y) = _heights(model), places(model)
    place = {tuple(node): i for i, node in enumerate(heights.tolist())}
    pairs = [
        (i, place[above])
        for node, i in place.items()
        for c in range(len(node))
        if (above := (*node[:c], node[c] + 1, *node[c + 1 :])) in place
    ]
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    gap = np.full(len(ends), np.nan)
    across, up = (
        np.stack([each[ends[:, 0]], each[ends[:, 1]], gap], axis=1).ravel() for each in (x, y)
    )
    return array(across), array(up)


@once
def allowed(model: AnonymityModel) -> NDArray[np.bool_]:
    """Which nodes leave out no more rows than they may, and keep what is promised to the rest."""
    assert isinstance(model.lab.algorithm, FullDomain)
    most = int(np.floor(model.lab.algorithm.suppressed * n(model) + 1e-9))
    return np.array([each.rest and each.suppressed <= most for each in nodes(model)])


def published(model: AnonymityModel) -> int:
    """The place of the node that is published."""
    assert model.walked is not None
    return [each.node for each in nodes(model)].index(model.walked.node)


@once
def frontier(model: AnonymityModel) -> tuple[Array, Array]:
    """Risk and loss of the allowed nodes than which none is better in both, by their risk."""
    points = sorted(
        (1 / each.k, each.loss)
        for each, fits in zip(nodes(model), allowed(model).tolist(), strict=True)
        if fits and each.k
    )
    best, least = list[tuple[float, float]](), np.inf
    for risk, loss in points:
        if loss < least:
            best.append((risk, loss))
            least = loss
    x, y = np.array(best).reshape(-1, 2).T
    return array(x), array(y)
