"""The charts of the census block."""

from dpstudio.charts.figure import Axis, Columns, Dots, Figure, Layer, Line, nice_above
from dpstudio.labs.attacks.reconstruction.attackers.census import model as census
from dpstudio.values.messages import N_, Num, say, worded


def charts(model: census.CensusModel) -> tuple[Figure, ...]:
    """Who may be how old at this step, and how many possibilities each step leaves."""
    return _ages_chart(model), _steps_chart(model)


def _ages_chart(model: census.CensusModel) -> Figure:
    found = census.ages(model)
    rows = [float(len(census.PLACES) - 1 - i) for i in range(len(census.PLACES))]
    layers: list[Layer] = []
    for i, (row, known) in enumerate(zip(rows, found, strict=True)):
        if not len(known):
            ends, name = (
                [0.0, float(census.oldest())],
                say("any age") if i == len(census.PLACES) - 1 else "",
            )
            layers.append(Line(f"open_{i}", "muted", name, ends, [row, row], "dot", named="head"))
    points = [(age, row) for row, known in zip(rows, found, strict=True) for age in known.tolist()]
    x, y = ([p[i] for p in points] for i in (0, 1))
    layers.append(Dots("ages", "answer", say("possible"), x, y, marker="circle"))
    ticks = tuple((row, worded(name)) for row, (_, name) in zip(rows, census.PLACES, strict=True))
    return Figure(
        "ages",
        say("Who may be how old"),
        Axis(say("age"), range=(-2.0, census.oldest() + 2.0), whole=True),
        Axis("", range=(-0.6, len(census.PLACES) - 0.4), ticks=ticks),
        tuple(layers),
        say(N_("possibilities: {n}"), n=Num(census.possible_now(model))),
        source=model.attacker.source,
    )


def _steps_chart(model: census.CensusModel) -> Figure:
    many = census.possible(model)
    x = [float(i + 1) for i in range(len(many))]
    here = model.attacker.step
    ticks = tuple((at, str(i + 1)) for i, at in enumerate(x))
    layers: tuple[Layer, ...] = (
        Columns("left", "target", say("possibilities"), x, many, 0.6),
        Columns("here", "answer", say("this step"), [float(here)], [many[here - 1]], 0.6),
    )
    return Figure(
        "steps",
        say("What each step leaves"),
        Axis(say("step"), range=(0.4, len(many) + 0.6), ticks=ticks),
        Axis(say("possibilities"), range=(0.0, nice_above(1.1 * max(many))), whole=True),
        layers,
        source=model.attacker.source,
    )
