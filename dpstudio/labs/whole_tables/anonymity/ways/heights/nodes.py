"""The lattice as a picture: where its nodes stand, which lie side by side, and which are worth a
look."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array, array
from dpstudio.labs.whole_tables.anonymity.ways.heights.lattice import drawn_nodes
from dpstudio.labs.whole_tables.anonymity.ways.task import Task
from dpstudio.privacy.anonymity.lattice import Node


def _heights(task: Task) -> NDArray[np.int64]:
    return np.array([each.node for each in drawn_nodes(task)], dtype=np.int64)


def places(task: Task) -> tuple[Array, Array]:
    """Where each node stands: up by its heights together, across in the order of its first
    heights, each level about the middle."""
    level = _heights(task).sum(1)
    x = np.zeros(len(level))
    for each in np.unique(level):
        there = np.flatnonzero(level == each)
        x[there] = np.arange(len(there)) - (len(there) - 1) / 2
    return array(x), array(level)


def edges(task: Task) -> tuple[Array, Array]:
    """From each node to those one height above it, as one curve with gaps."""
    heights, (x, y) = _heights(task), places(task)
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


def allowed(task: Task, suppressed: float) -> NDArray[np.bool_]:
    """Which nodes leave out no more than this share of the rows, and keep what is promised to the
    rest."""
    most = int(np.floor(suppressed * len(task.rows.kept) + 1e-9))
    return np.array([each.rest and each.suppressed <= most for each in drawn_nodes(task)])


def frontier(task: Task, suppressed: float) -> tuple[Array, Array]:
    """Risk and loss of the allowed nodes than which none is better in both, by their risk."""
    points = sorted(
        (1 / each.k, each.loss)
        for each, fits in zip(drawn_nodes(task), allowed(task, suppressed).tolist(), strict=True)
        if fits and each.k
    )
    best, least = list[tuple[float, float]](), np.inf
    for risk, loss in points:
        if loss < least:
            best.append((risk, loss))
            least = loss
    x, y = np.array(best).reshape(-1, 2).T
    return array(x), array(y)


def named(quasi: Sequence[str], node: Node) -> tuple[str, ...]:
    """A node as the parameter names it."""
    return tuple(f"{name}={height}" for name, height in zip(quasi, node, strict=True))
