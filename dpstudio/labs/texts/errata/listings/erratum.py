"""What an erratum is: a formula as it is printed beside the right one, with what is wrong and what
follows."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpstudio.charts.figure import Axis, Figure, Handle, Layer, Line, nice_above
from dpstudio.privacy.attacks.subject import Subject
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.values.messages import Num, Say, say
from dpstudio.values.params import Kind

PRINTED, CORRECTED = "printed_", "corrected_"
NONE = say("none")


@dataclass(frozen=True)
class Row:
    """One quantity as printed and corrected; each is a Num or a message."""

    key: str
    label: Say
    printed: Num | Say
    corrected: Num | Say


@dataclass(frozen=True, eq=False)
class Verdict:
    """What an audit says of a local channel, as printed (`was`) and corrected (`now`): a chart, a
    row and a sentence with its tone."""

    was: Subject
    now: Subject
    figure: Figure
    row: Row
    said: Say
    tone: str


@dataclass(frozen=True, eq=False)
class Reading:
    """What one erratum shows. Layers whose key starts with `printed_` or `corrected_` belong to one
    side of the switch.

    `tone` judges the printed version: "good" where it happens to be right, "warn" where it is
    private but wrong, "bad" where the promise is broken. `proof` is empty for a mechanism that is
    private; local reports are `audited`.
    """

    figures: tuple[Figure, ...]
    wrong: Say
    follows: Say
    tone: str
    rows: tuple[Row, ...]
    proof: tuple[Say, ...] = ()
    audited: Verdict | None = None


@dataclass(frozen=True)
class Draws:
    """What a simulation needs: `remember(key, answer)` works an answer out once."""

    seed: int
    trials: int
    remember: Callable[[Hashable, Callable[[], Any]], Any]


@dataclass(frozen=True)
class Erratum(Kind):
    """Base of the errata; `source` names the text. A member gives `read`."""

    def read(self, draws: Draws) -> Reading:
        raise NotImplementedError


def printed(key: str, label: Say | str, x: ArrayLike, y: ArrayLike) -> Line:
    """The curve of the text: red and dashed."""
    return Line(PRINTED + key, "bad", label, x, y, dash="dash")


def corrected(key: str, label: Say | str, x: ArrayLike, y: ArrayLike, ink: str = "good") -> Line:
    return Line(CORRECTED + key, ink, label, x, y)


def handles(sets: str, x: float, was: float, now: float) -> tuple[Handle, Handle]:
    """A handle on either curve; both set the same parameter of the erratum."""
    label = say("{x}", x=Num(x, 5))
    return (
        Handle(f"{PRINTED}at_{sets}", "bad", "", x, was, f"erratum.{sets}"),
        Handle(f"{CORRECTED}at_{sets}", "good", label, x, now, f"erratum.{sets}"),
    )


def epsilons(points: int = 97) -> np.ndarray:
    return np.geomspace(EPSILON.low, EPSILON.high, points)


EPSILON_AXIS = Axis(say("declared ε"), log=True, range=(0.9 * EPSILON.low, 57.0))


def decades(*curves: ArrayLike, least: float = 0.0, most: float = np.inf) -> tuple[float, float]:
    """Powers of ten about all finite positive values, within `least` and `most`."""
    values = np.concatenate([np.ravel(np.asarray(curve, dtype=np.float64)) for curve in curves])
    values = np.clip(values[np.isfinite(values) & (values > 0)], max(least, 1e-300), most)
    low, high = (
        10.0 ** np.floor(np.log10(values.min()) - 0.05),
        10.0 ** np.ceil(np.log10(values.max()) + 0.05),
    )
    return float(low), float(high)


def linear(*curves: ArrayLike) -> tuple[float, float]:
    """0 to a rung above all finite values."""
    values = np.concatenate([np.ravel(np.asarray(curve, dtype=np.float64)) for curve in curves])
    return 0.0, nice_above(1.05 * float(np.max(values[np.isfinite(values)], initial=1e-300)))


def spent_chart(
    real: Callable[[np.ndarray], np.ndarray],
    epsilon: float,
    source: str,
    notes: tuple[Layer, ...] = (),
    sets: str = "epsilon",
) -> Figure:
    """The ε that the printed noise really costs, against the declared one; corrected they are the
    same."""
    x = epsilons()
    was = real(x)
    now = float(real(np.array([epsilon]))[0])
    both = handles(sets, epsilon, now, epsilon)
    return Figure(
        "spent",
        say("Privacy really spent"),
        EPSILON_AXIS,
        Axis(say("real ε"), log=True, range=decades(x, was, least=1e-6, most=1e5)),
        (
            printed("spent", say("as printed"), x, was),
            corrected("spent", say("corrected"), x, x),
            *notes,
        )
        + (both if np.isfinite(now) else both[1:]),
        say("above the corrected line the text promises more than it keeps"),
        source=source,
    )
