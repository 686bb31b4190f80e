"""Where labels go: beside what they name, instead of in a legend. Pure, shared by the live view and
the SVG writer."""

from __future__ import annotations

import math
from collections.abc import Callable

from dpstudio.charts.figure import Band, Figure, Handle, Layer, Line, Rule
from dpstudio.charts.label_ground import Ground, Placed, _Box, _Found, _Spots
from dpstudio.charts.scaling import Measure, clip, thin, ticks, to_unit
from dpstudio.values.messages import Say, render

__all__ = ["Measure", "Placed", "clip", "place_labels", "thin", "ticks", "to_unit"]


def place_labels(
    figure: Figure,
    width: float,
    height: float,
    measure: Measure,
    previous: tuple[Placed, ...] | None = None,
    text: Callable[[Say | str], str] = render,
) -> tuple[Placed, ...]:
    """Labels for the visible layers of a plot area of width x height px, in the order of the
    layers.

    None leaves the area, no two overlap, and curves and rules are crossed only where nothing else
    is free. A label is left out when its layer is out of sight, or when no free place is as large
    as its box. With `previous`, a label keeps its spot along its curve while that is still fine.
    """
    scene = Ground(figure, width, height)
    before = {label.key: label for label in previous or ()}
    todo: list[tuple[Layer, str, _Spots]] = []
    for layer in figure.layers:
        words = text(layer.label)
        box = measure(words) if words else (math.inf, math.inf)
        if box[0] <= width and box[1] <= height:
            spots = scene.spots(layer, *box)
            if spots is not None:
                todo.append((layer, words, spots))
    # The least free and the widest choose first.
    todo.sort(key=lambda one: (_RANK.get(type(one[0]), 9), -one[2].width))
    done: dict[str, Placed] = {}
    taken: list[_Box] = []

    def put(layer: Layer, words: str, spots: _Spots, found: _Found) -> None:
        ink = {Band: "muted", Handle: "text"}.get(type(layer), layer.ink)
        done[layer.key] = Placed(layer.key, words, found[0], found[1], ink, found[2])
        taken.append((found[0], found[1], found[0] + spots.width, found[1] + spots.height))

    for keeping in (True, False):
        for layer, words, spots in todo:
            if layer.key not in done:
                found = (scene.kept if keeping else scene.best)(
                    layer, spots, taken, before.get(layer.key)
                )
                if found is not None:
                    put(layer, words, spots, found)
    return tuple(done[layer.key] for layer in figure.layers if layer.key in done)


_RANK: dict[type[Layer], int] = {Handle: 0, Rule: 1, Band: 2, Line: 3}
