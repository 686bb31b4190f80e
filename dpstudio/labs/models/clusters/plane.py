"""Clusters' hero: what one noisy step does to each centre, in the plane and beside it."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import Array, Axis, Dots, Figure, Layer, Line, Words
from dpstudio.labs.findings import Findings, Sentence
from dpstudio.labs.models.clusters import model as clusters
from dpstudio.labs.models.clusters.parameters import opens
from dpstudio.values.messages import N_, Message, Num, plain, say

_INKS = ("first", "second", "third", "gaussian", "geometric", "staircase")
_TURN = np.append(np.linspace(0, 2 * np.pi, 49), np.nan)
_POINT, _MARK = 0.014, 0.05  # of the box
# Beside the box, in its units: where names stand, bars begin and end, and the ends of two columns.
_NAME, _FROM, _TO, _COLUMNS = 1.18, 1.36, 2.36, (2.8, 3.36)
_LANES, _PITCH = 8, 0.29  # lanes at most, and from one to the next
_HEAD, _TOP, _ROOM = 0.93, 0.7, 1.26  # y of the heads and of the first lane; that of all lanes
_BEYOND = 0.08, 0.14  # from the tip of an arrow to its name
_AROUND = np.radians([0, 30, -30, 60, -60, 90, -90, 120, -120, 150, -150, 180])
_CLEAR = 0.068  # from a name to whatever arrow
_HEADS = N_("moved by"), N_("points"), N_("noise")
_FOOT = (-0.44, -0.6, -0.76, -0.92)  # y of the marks that are explained, and of the box
_RING = 0.05
_SEEN = 0.5  # of a ring, less of which would be an arc about nothing


def plane_chart(model: clusters.ClustersModel) -> Figure:
    """The points, and of the step in the middle where each centre stood, where the points alone
    would have put it, and where the noise did."""
    held, (across, up) = clusters.cloud(model), clusters.axes(model)
    rows = clusters.moves(model)
    xy, chosen = clusters.drawn(model)
    layers: list[Layer] = [
        Line("frame", "axis", "", [-1, 1, 1, -1, -1], [-1, -1, 1, 1, -1], "solid", 1, behind=True),
        Line("cross", "hair", "", [-1, 1, np.nan, 0, 0], [0, 0, np.nan, -1, 1], "solid", 1,
             behind=True),
    ]  # fmt: skip
    if held.classes is None:
        layers.append(Dots("points", "grid", say("points"), xy[:, 0], xy[:, 1], _POINT))
    else:
        for i, kind in enumerate(np.unique(held.classes).tolist()[: len(_INKS)]):
            here = xy[held.classes[chosen] == kind]
            layers.append(Dots(f"class_{i}", _INKS[i], "", here[:, 0], here[:, 1], _POINT))
    layers += _key(plain(held.names[across]), plain(held.names[up]))
    step = opens(len(rows))
    layers += _moved(rows, step)
    return Figure(
        "plane",
        say("Centres, step by step"),
        Axis("", range=(-1.006, _COLUMNS[1]), hidden=True),
        Axis("", range=(-1.006, 1.006), hidden=True),
        tuple(layers),
        _step(step + 1, len(rows)),
        exact=True,
        simulated=True,
        square=True,
    )


def in_step(rows: Array, step: int) -> Sentence:
    """What a step, from 0 on, did in words, to the centres as they are drawn."""
    noise, points = clusters.moved(rows, step)
    text = N_("In step {n} noise moves drawn centres by {noise} (median), points by {points}.")
    return Sentence("moved", say(text, n=Num(step + 1), noise=Num(noise, 2), points=Num(points, 2)))


def _step(number: int, steps: int) -> Message:
    text = N_("step {n} of {steps}: where each stood, and where the noisy step put it")
    return say(text, n=Num(number), steps=Num(steps))


def _key(across: Message, up: Message) -> Iterator[Layer]:
    """What the marks are, each before its words, and what the box shows."""
    x, rows = _NAME + _RING, _FOOT[:3]
    yield Dots("key_stood", "truth", "", [x], [rows[0]], _MARK, marker="hollow")
    yield Dots("key_alone", "truth", "", [x], [rows[1]], _MARK, marker="plus")
    ring = x + _RING * np.cos(_TURN), rows[2] + _RING * np.sin(_TURN)
    yield Line("key_ring", "muted", "", *ring, "dash", 1.0)
    said = (
        say("where it stood"),
        say("where its points alone put it"),
        say("one deviation of the noise"),
        say("across {x}, up {y}, −1 to 1", x=across, y=up),
    )
    for number, (text, y) in enumerate(zip(said, _FOOT, strict=True)):
        left = _NAME + 4 * _RING * (number < len(rows))
        room, tall, key = _COLUMNS[1] - left, _FOOT[0] - _FOOT[1], f"key_{number}"
        yield Words(key, "muted", "", (text,), [left], [y], "start", room=room, lines=1, tall=tall)


def _moved(rows: Array, step: int) -> Iterator[Layer]:
    """What step number `step`, from 0 on, did: the scale of its lanes is that of all steps."""
    parts = np.split(rows[step], 9)
    before, after, alone = (np.stack(parts[k : k + 2], axis=1) for k in (0, 2, 4))
    radii, points, noise = parts[6:]
    names = tuple(chr(ord("A") + k) for k in range(len(radii)))
    rings = alone[:, :, None] + radii[:, None, None] * np.stack([np.cos(_TURN), np.sin(_TURN)])
    inside = (np.abs(rings) <= 1).all(axis=1)
    inside &= inside.mean(axis=1, keepdims=True) >= _SEEN
    ring = np.where(inside[:, None], rings, np.nan)
    yield Line("rings", "muted", "", ring[:, 0].ravel(), ring[:, 1].ravel(), "dash", 1.0)
    for j, name in enumerate(names):
        ends = np.stack([before[j], after[j]], axis=1)
        yield Line(f"way_{name}", "truth", "", ends[0], ends[1], "solid", 2.0, arrow=True)
    yield Dots("before", "truth", "", before[:, 0], before[:, 1], _MARK, marker="hollow")
    yield Dots("alone", "truth", "", alone[:, 0], alone[:, 1], _MARK, marker="plus")
    beyond = _named_at(before, after, alone)
    yield Words("names", "truth", "", names, beyond[:, 0], beyond[:, 1], strong=True)
    yield from _lanes(names, points, noise, float(rows[:, 7 * len(names) :].max()) or 1.0)


def _named_at(before: Array, after: Array, alone: Array) -> Array:
    """Where the name of each arrow stands: beyond its tip, or as near to that as is within the box
    and away from every arrow, every cross and the names before it."""
    ways, placed = after - before, after.copy()
    lengths = np.maximum((ways**2).sum(axis=1), 1e-12)
    for j, tip in enumerate(after):
        angles = np.arctan2(ways[j, 1], ways[j, 0]) + _AROUND
        round_it = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        at = tip + np.concatenate([far * round_it for far in _BEYOND])
        from_start = at[:, None] - before
        along = np.clip((from_start * ways).sum(axis=2) / lengths, 0, 1)
        room = np.linalg.norm(from_start - along[..., None] * ways, axis=2).min(axis=1)
        marks = np.concatenate([placed[:j], alone])
        others = np.linalg.norm(at[:, None] - marks, axis=2).min(axis=1, initial=np.inf)
        room = np.minimum(room, others / 2)
        room[(np.abs(at) > 0.96).any(axis=1)] -= 4
        placed[j] = at[np.argmax(np.minimum(room, _CLEAR))]
    return placed


def _lanes(names: tuple[str, ...], points: Array, noise: Array, far: float) -> Iterator[Layer]:
    """Of each centre how far points and noise moved it; of many those that noise moved most."""
    cut = len(names) > _LANES
    order = np.argsort(-noise, kind="stable") if cut else np.arange(len(names))
    shown = order[: _LANES - cut].tolist()
    pitch = min(_PITCH, _ROOM / (len(shown) + cut))
    heads = zip(_HEADS, (_NAME, *_COLUMNS), ("start", "end", "end"), strict=True)
    for text, x, anchor in heads:
        head = (Message(text),)
        yield Words(
            f"head_{text}",
            "muted",
            "",
            head,
            [x],
            [_HEAD],
            anchor,
            room=0.6,
            lines=1,
            tall=_HEAD - _TOP,
        )
    low = _TOP - pitch * (len(shown) - 0.5)
    edge = [_TOP + pitch / 2, low]
    yield Line("edge", "axis", "", [_FROM, _FROM], edge, "solid", 1.0, behind=True)
    for k, j in enumerate(shown):
        yield from _lane(k, names[j], pitch, (float(points[j]), float(noise[j])), far)
    if cut:
        more, y = (say("{n} more", n=Num(len(names) - len(shown))),), _TOP - len(shown) * pitch
        yield Words("more", "muted", "", more, [_NAME], [y], "start", lines=1, tall=pitch)


def _lane(
    k: int, name: str, pitch: float, moved: tuple[float, float], far: float
) -> Iterator[Layer]:
    """The lane of one centre: two bars, of which one as long as there is room says `far`."""
    y = _TOP - k * pitch
    hair = [y + pitch / 2] * 2
    yield Line(f"hair_{k}", "hair", "", [_NAME, _COLUMNS[1]], hair, "solid", 1.0, behind=True)
    yield Words(f"lane_{k}", "truth", "", (name,), [_NAME], [y], "start", strong=True, tall=pitch)
    for ink, value, side, x in zip(("truth", "answer"), moved, (1, -1), _COLUMNS, strict=True):
        ends, at = [_FROM, _FROM + (_TO - _FROM) * value / far], [y + side * 0.19 * pitch] * 2
        yield Line(f"{ink}_{k}", ink, "", ends, at, "solid", 8.0)
        told = (say("{far}", far=Num(value, 2)),)
        yield Words(f"{ink}_told_{k}", ink, "", told, [x], [y], "end", 0.0, 0.55, True, tall=pitch)


def with_step(findings: Findings, index: int) -> Findings:
    """The plane after another step: first the one in the middle, then those that follow."""
    rows = findings.replays
    step = (index + opens(len(rows))) % len(rows)
    plane = findings.figure("plane")
    moved = {layer.key: layer for layer in _moved(rows, step)}
    kept = tuple(layer for layer in plane.layers if layer.key not in moved)
    changed = replace(plane, layers=(*kept, *moved.values()), subtitle=_step(step + 1, len(rows)))
    figures = tuple(changed if f.key == "plane" else f for f in findings.figures)
    sentences = tuple(
        in_step(rows, step) if said.key == "moved" else said for said in findings.sentences
    )
    return replace(findings, figures=figures, sentences=sentences)
