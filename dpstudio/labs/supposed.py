"""What is said of a bound that goes by a promise which is broken: once a chart, where several of
its labels would say so."""

from dataclasses import replace

from dpstudio.charts.figure import Figure
from dpstudio.values.messages import N_, Message, say

_HELD = N_("{bound}, if the promise held")


def supposing(name: Message) -> Message:
    """The name of such a bound."""
    return Message(_HELD, {"bound": name})


def said_once(figure: Figure) -> Figure:
    """The chart with a mark at these names and its meaning beside the title, where there are two or
    more: small charts have no room for whole clauses at their ends."""
    labels = [layer.label for layer in figure.layers]
    if sum(_supposes(label) for label in labels) < 2:
        return figure
    layers = tuple(
        replace(layer, label=_marked(layer.label)) if _supposes(layer.label) else layer
        for layer in figure.layers
    )
    meaning = say("† if the promise held")
    if figure.subtitle:
        meaning = say("{meaning}; {subtitle}", meaning=meaning, subtitle=figure.subtitle)
    return replace(figure, layers=layers, subtitle=meaning)


def _supposes(label: object) -> bool:
    """Whether it says so, or a part of it does."""
    if not isinstance(label, Message):
        return False
    return label.text == _HELD or any(map(_supposes, label.values.values()))


def _marked(label: Message | str) -> Message | str:
    if isinstance(label, str):
        return label
    parts = {
        key: _marked(part) if isinstance(part, Message) else part
        for key, part in label.values.items()
    }
    return Message(N_("{bound} †") if label.text == _HELD else label.text, parts)
