"""The charts of frequency matching."""

import numpy as np

from dpstudio.charts.figure import (
    Axis,
    Columns,
    Dots,
    Figure,
    Layer,
    Line,
    Ribbon,
    Rule,
    nice_above,
)
from dpstudio.labs.attacks.attackers.success_charts import percent
from dpstudio.labs.attacks.linkage.attackers.frequency.model import (
    FrequencyModel,
    against,
    commonest,
    here,
    ranked,
)
from dpstudio.labs.named_rows import names_axis
from dpstudio.values.messages import say


def charts(model: FrequencyModel) -> tuple[Figure, ...]:
    """What is read against what is known, and which code is taken for which word."""
    return _read_chart(model), _ranked_chart(model)


def _read_chart(model: FrequencyModel) -> Figure:
    x, shares = against(model)
    low, middle, high = 100 * np.quantile(shares, [0.025, 0.5, 0.975], axis=1)
    words = say("{share} read", share=percent(here(model)[0].middle))
    layers: tuple[Layer, ...] = (
        Rule(
            "commonest", "muted", say("always the most common"), 100 * commonest(model), "y", "dot"
        ),
        Ribbon("spread", "answer", say("95 % of splits"), 100 * x, low, high),
        Line("read", "answer", say("recovered"), 100 * x, middle),
        Dots("points", "answer", "", 100 * x, middle, marker="circle"),
        Rule("known", "target", words, 100 * model.attacker.known),
    )
    return Figure(
        "read",
        say("Encrypted rows recovered"),
        Axis(say("% of rows whose words are known"), log=True, range=(0.09, 60.0)),
        Axis(say("% of the others read"), range=(0.0, 102.0)),
        layers,
        exact=True,
        simulated=True,
        source=model.attacker.source,
    )


def _ranked_chart(model: FrequencyModel) -> Figure:
    found = ranked(model)
    x = np.arange(len(found.names), dtype=np.float64)
    top = nice_above(125 * float(max(found.known.max(), found.codes.max())))
    right = [at for at, yes in zip(x.tolist(), found.right, strict=True) if yes]
    layers: tuple[Layer, ...] = (
        Columns("known", "target", say("words known"), x - 0.2, 100 * found.known, 0.36),
        Columns("codes", "answer", say("code taken for it"), x + 0.2, 100 * found.codes, 0.36),
        Dots("right", "good", say("rightly"), right, [0.9 * top] * len(right), marker="circle"),
    )
    return Figure(
        "ranked",
        say("The most common words and codes"),
        names_axis("", found.names),
        Axis(say("% of rows"), range=(0.0, top)),
        layers,
        say("the first split by lot"),
        exact=True,
        simulated=True,
        source=model.attacker.source,
    )
