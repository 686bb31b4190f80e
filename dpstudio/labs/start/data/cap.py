"""How many rows each person keeps, m: what is left of the table, and the error of a count of all
rows."""

from collections.abc import Iterator

import numpy as np

from dpstudio.charts.figure import Array, Axis, Dots, Figure, Layer, Line, Rule
from dpstudio.data.column_counts import Persons
from dpstudio.data.profile import Profile
from dpstudio.labs.findings import Sentence
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.values.messages import N_, Message, Num, say

SHARE = 0.95  # of answers
EPSILON = 0.1  # that is judged by
_INKS = {0.01: "third", EPSILON: "first"}
_POINTS, _LINEAR = 200, 60


def error(persons: Persons, m: int, epsilon: float) -> float:
    """How far a noisy count is from all rows, at most, in 95 % of answers or more: the rows that
    go, and Laplace noise of scale m/ε."""
    return persons.left_out(m) + LaplaceLaw(m / epsilon).half_width(SHARE)


def best(persons: Persons, epsilon: float) -> int:
    """The smallest m of least error."""
    scales = np.arange(1, len(persons.kept) + 1) / epsilon
    return 1 + int(np.argmin(LaplaceLaw(1.0).half_width(SHARE) * scales - persons.kept))


def judged(persons: Persons, m: int) -> Message:
    """What m costs, beside the one that costs least."""
    least = best(persons, EPSILON)
    text = N_(
        "Where each person keeps {m:# row|# rows} (m), {gone} of {rows} {gone:goes|go}: at ε = "
        "{epsilon}, 95 % of noisy counts are within {error} of all rows; at m = {best}, the best, "
        "within {least}."
    )
    if least == m:
        text = N_(
            "Where each person keeps {m:# row|# rows} (m), {gone} of {rows} {gone:goes|go}: at ε = "
            "{epsilon}, 95 % of noisy counts are within {error} of all rows, and no other m is "
            "better."
        )
    values = {"m": Num(m, 7), "gone": Num(persons.left_out(m), 12), "rows": Num(persons.rows, 12)}
    values |= {"epsilon": Num(EPSILON), "error": Num(error(persons, m, EPSILON), 3, "up")}
    values |= {"best": Num(least, 7), "least": Num(error(persons, least, EPSILON), 3, "up")}
    return say(text, **values)


def sentences(seen: Profile, persons: Persons) -> Iterator[Sentence]:
    """What the m that is told costs, and why that is no promise."""
    gone = persons.left_out(seen.most)
    yield Sentence("cap", judged(persons, seen.most), "warn" if gone else "plain")
    text = N_(
        "This looks at the rows, which is not private: the promise holds of an m that was fixed "
        "without them."
    )
    yield Sentence("looked", say(text))


def chart(seen: Profile, persons: Persons) -> Figure:
    """Rows kept, and the error at two ε, against m; a dot is where that is least."""
    top = len(persons.kept)
    ms = np.unique(np.geomspace(1, top, _POINTS).round())
    kept = persons.kept[ms.astype(np.int64) - 1]
    layers: list[Layer] = [Line("kept", "truth", say("rows kept"), ms, kept)]
    for epsilon, ink in _INKS.items():
        least = best(persons, epsilon)
        if error(persons, least, epsilon) < persons.rows:
            name = say("error at ε = {epsilon}", epsilon=Num(epsilon))
            layers.append(Line(f"error {epsilon}", ink, name, ms, _errors(persons, ms, epsilon)))
            dot = error(persons, least, epsilon)
            layers.append(Dots(f"best {epsilon}", ink, "", (least,), (dot,)))
    layers.append(Rule("m", "target", say("m = {m}", m=Num(seen.most, 7)), seen.most, dash="dash"))
    across = Axis(
        say("rows that each person keeps, m"),
        range=(1, max(top, seen.most, 2)),
        log=max(top, seen.most) > _LINEAR,
    )
    up = Axis(say("rows"), range=(0, 1.03 * persons.rows))
    return Figure(
        "cap",
        say("Rows kept, and the error of a count of all rows"),
        across,
        up,
        tuple(layers),
        say("95 % of noisy counts are within this error; Laplace noise of scale m/ε"),
        exact=True,
    )


def _errors(persons: Persons, ms: Array, epsilon: float) -> Array:
    return np.array([error(persons, int(m), epsilon) for m in ms])
