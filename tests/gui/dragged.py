"""What a hand that drags ε, or what else turns a page, through three decades must not do: axes
stand still, a ghost stays where something began, and on release each chart eases once at most."""

from collections import Counter
from collections.abc import Iterator

from hand import settle
from pytestqt.qtbot import QtBot

from dpstudio.charts.figure import Area, Columns, Dots, Figure, Handle, Layer, Line, Ribbon, Rule
from dpstudio.charts.ghost import INK
from dpstudio.gui.board.held import same_axes
from dpstudio.gui.board.layers import alike
from dpstudio.gui.board.plotview import PlotView
from dpstudio.gui.panel.form import SliderField
from dpstudio.gui.shell.studio import Studio
from dpstudio.labs.carry_over import lever_path

PLACES = (150, 300, 450, 600, 750)  # of the slider
OUTLINED = (Line, Rule, Handle, Area, Columns, Ribbon)


def views(studio: Studio) -> list[PlotView]:
    return [card.view for card in studio.window.board.cards if card.view and card.drawn]


def ranges(studio: Studio) -> list[list[list[float]]]:
    """What each chart is painted on, in its own coordinates."""
    return [_seen(view) for view in views(studio)]


def _seen(view: PlotView) -> list[list[float]]:
    return [list(end) for end in view.plot.vb.viewRange()]


def ghosts(view: PlotView) -> list[str]:
    return [key for key in view.area.layers.layers if key.startswith(INK)]


def dragged(studio: Studio, waits: QtBot) -> Iterator[str]:
    """Drag ε, or what else turns the page, and say what went wrong; nothing where that has no
    slider. Numbers of people or groups move words and fills, which have no ghost."""
    path = lever_path(studio.store.lab)
    shown = (f for f in studio.panel.findChildren(SliderField) if f.isVisibleTo(studio.panel))
    slider = next((field.slider for field in shown if field.path == path), None)
    if slider is None:
        return
    began = {view: (view.given, _seen(view)) for view in views(studio)}
    eased: Counter[str] = Counter()
    for view in began:
        _count(view, eased)
    slider.setSliderDown(True)
    for place in PLACES:
        slider.setValue(place)
        settle(waits, studio)
        for view, (first, axes) in began.items():
            if first is None or view.given is None or view.given.key != first.key:
                continue
            if _seen(view) != axes:
                yield f"{first.key}: axes went from {axes} to {_seen(view)} under the hand"
            if "epsilon" in path and _moved(first, view.given) and not ghosts(view):
                yield f"{first.key}: no ghost of where it began"
    if eased:
        yield f"{', '.join(eased)}: axes came to their own under the hand"
    slider.setSliderDown(False)
    settle(waits, studio)
    waits.waitUntil(lambda: not any(view.held.easing for view in began), timeout=5_000)
    yield from (f"{key}: axes came {n} times" for key, n in eased.items() if n > 1)
    yield from (f"{view.given.key}: a ghost is left" for view in began if ghosts(view))
    for view in began:
        del view.held._start


def _count(view: PlotView, eased: Counter[str]) -> None:
    start = view.held._start

    def counted(seen: object) -> None:
        eased[view.given.key] += 1
        start(seen)

    view.held._start = counted


def _moved(first: Figure, now: Figure) -> bool:
    """Whether something with an outline stands elsewhere."""
    there = {layer.key: layer for layer in now.layers}
    return same_axes((first.x, first.y), (now.x, now.y)) and any(
        _outlined(layer) and layer.key in there and not alike(layer, there[layer.key])
        for layer in first.layers
        if type(there.get(layer.key)) is type(layer)
    )


def _outlined(layer: Layer) -> bool:
    return isinstance(layer, OUTLINED) or (isinstance(layer, Dots) and not layer.diameter)
