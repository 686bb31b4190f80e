"""Where stacked dots stand: in cells as wide as high, whose side follows from the area under their
law, so that they fill it in a chart of any size. Pure, shared by the live view and the SVG
writer."""

from collections.abc import Callable

import numpy as np

from dpstudio.charts.figure import Array, Dots

FILLED = 0.92  # of a cell, that its dot is wide
_LEAST = 2.0  # px of a side


def stacked(
    layer: Dots, across: Callable[[Array], Array], down: Callable[[Array], Array]
) -> tuple[Array, float]:
    """The middles of the dots in px of the plot, y down, (n, 2), and the side of a cell. `across`
    and `down` take data to px on axes that are not logarithmic.

    Where the highest column would leave the chart all cells are smaller.
    """
    if layer.stack is None or not len(layer.x):
        return np.zeros((0, 2)), _LEAST
    area, place = layer.stack
    (middle, next_x), (floor, next_y) = across(np.array([place, place + 1.0])), down(np.arange(2.0))
    units = abs((next_x - middle) * (next_y - floor))
    side = max(_LEAST, float(np.sqrt(area * units / len(layer.x))))
    x = np.sort(across(layer.x))
    while True:
        column = np.floor((x - middle) / side)
        first = np.append(True, column[1:] != column[:-1])
        order = np.arange(len(x))
        level = order - np.maximum.accumulate(order * first)
        high = (float(level.max()) + 1) * side
        if high <= floor or side <= _LEAST:
            break
        side = max(_LEAST, side * min(floor / high, 0.98))
    places = middle + (column + 0.5) * side, floor - (level + 0.5) * side
    return np.stack(places, axis=1), side
