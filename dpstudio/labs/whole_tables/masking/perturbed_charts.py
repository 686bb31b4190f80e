"""Masking's charts of numbers handed in with noise: their spread rebuilt, and how near it comes
step by step."""

from collections.abc import Iterator

import numpy as np

from dpstudio.charts.figure import Axis, Dots, Figure, Line, Rule, nice_above
from dpstudio.labs.percents import percent_axis
from dpstudio.labs.whole_tables.masking import perturbed
from dpstudio.labs.whole_tables.masking.choices.operations import Perturb
from dpstudio.labs.whole_tables.masking.model import MaskingModel
from dpstudio.values.messages import Num, plain, say


def perturbed_charts(model: MaskingModel) -> Iterator[Figure]:
    """The column before, as handed in and rebuilt; and the distance against steps."""
    operation = model.lab.operation
    assert isinstance(operation, Perturb)
    x, (true, noisy, rebuilt) = perturbed.shown_at(model), perturbed.spreads(model)
    high = nice_above(1.05 * float(max(true.max(), rebuilt.max())))
    yield Figure(
        "operated",
        say("Rebuilt from noise"),
        Axis(plain(model.rows.columns[0].name), range=(float(x[0]), float(x[-1]))),
        percent_axis(say("share of rows"), 0.0, high),
        (
            Line("before", "truth", say("as it is"), x, true),
            Line("after", "muted", say("handed in"), x, noisy),
            Line("rebuilt", "first", say("rebuilt"), x, rebuilt),
        ),
        say("after {steps} {steps:step|steps}", steps=Num(operation.steps)),
        exact=True,
        simulated=True,
        source=operation.source,
    )
    y = perturbed.by_steps(model)
    here, before = perturbed.rebuilt_distance(model), perturbed.noisy_distance(model)
    steps = np.arange(len(y), dtype=np.float64)
    yield Figure(
        "steps",
        say("Step by step"),
        Axis(say("steps"), range=(0.0, float(steps[-1])), whole=True),
        Axis(say("distance to the spread as it is"),
             range=(0.0, nice_above(1.05 * max(float(y.max()), before)))),
        (
            Line("rebuilt", "first", say("rebuilt"), steps, y),
            Dots("here", "first", "", [float(operation.steps)], [here]),
            Rule("noisy", "muted", say("handed in"), before, axis="y", dash="dash"),
        ),
        say("total variation; chance fits the noise after many steps"),
        exact=True,
        simulated=True,
        source=operation.source,
    )  # fmt: skip
