"""A lab made up for the tests: five charts of every kind, a table, a headline, dots to take, and
editors of every domain."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

from dpstudio.charts.figure import Axis, Dots, Figure, Handle, Heat, Line, Rule, array
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Cancelled, Context, never
from dpstudio.labs.findings import Fact, Findings, Sentence, Table
from dpstudio.labs.page import Lab, Page, nothing
from dpstudio.labs.panel import Section
from dpstudio.privacy.mechanisms import MECHANISMS, Additive
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.privacy.queries import ADD_REMOVE, ADJACENCIES, QUERIES, Query
from dpstudio.privacy.queries.count import Count
from dpstudio.values.messages import N_, Message, Num, plain, say
from dpstudio.values.parameters import (
    Choice,
    Column,
    Edges,
    Flag,
    Integer,
    Maybe,
    OneOf,
    Real,
    Several,
    Words,
    param,
)
from dpstudio.values.problem import Problem

SIZES = {"small": N_("small"), "large": N_("large")}
FORMS = {
    "a form of many words": N_("a form of many words"),
    "large": N_("a large form"),
    "other": N_("another form"),
}
COLOURS = {"red": N_("red"), "green": N_("green"), "blue": N_("blue"), "violet": N_("violet")}


class Many(Lab):
    """Nothing that is true; everything that a lab may show."""

    key = "many"
    label = N_("Many things")
    help = N_("A lab made up for the tests.")

    query: Query = param(Count(), OneOf(N_("Question"), family=lambda: QUERIES))
    mechanism: Additive = param(
        Laplace(epsilon=0.2), OneOf(N_("Mechanism"), family=lambda: MECHANISMS)
    )
    adjacency: str = param(ADD_REMOVE, Choice(N_("Neighbours"), options=ADJACENCIES))
    level: float = param(2.0, Real(N_("Level"), N_("How high."), low=0.1, high=100, log=True))
    steps: int = param(5, Integer(N_("Steps"), low=1, high=40))
    size: str = param("small", Choice(N_("Size"), options=SIZES))
    form: str = param("a form of many words", Choice(N_("Form"), options=FORMS))
    compared: tuple[str, ...] = param(
        ("laplace", "gaussian"),
        Several(N_("Mechanisms compared"), options=lambda: {m.key: m.label for m in MECHANISMS}),
    )
    colours: tuple[str, ...] = param(("red",), Several(N_("Colours"), options=COLOURS, least=1))
    column: str = param("age", Column(N_("Column of numbers"), numeric=True))
    edges: tuple[float, ...] = param((), Edges(N_("Edges")))
    words: tuple[str, ...] = param((), Words(N_("Words")))
    bound: float | None = param(None, Maybe(N_("Bound")))
    fine: bool = param(False, Flag(N_("Finer")))
    confidence: float = param(0.95, Real(N_("Confidence"), low=0.5, high=0.999))
    seed: int = param(1, Integer(N_("Seed"), low=0, high=2**62))
    show_truth: bool = param(True, Flag(N_("Show the exact answer")))

    def problems(self, data: Dataset) -> Iterator[Problem]:
        if self.level > 50:
            yield Problem("level", Message(N_("A level above 50 is advised against.")), stops=False)
        if self.steps == 40:
            yield Problem("steps", Message(N_("Forty steps are too many.")))

    @classmethod
    def beside(cls, module: str) -> Any:
        """It has no folder, but a panel, which leaves most to the last card."""
        budget = ("mechanism.epsilon", "mechanism.delta")
        return SimpleNamespace(PANEL=(Section(N_("Privacy"), ("mechanism", *budget)),))

    @classmethod
    def page(cls) -> Page[Any, Any]:
        """It runs by itself, and leaves all else as pages have it."""
        return Page(stages=lambda lab, context: iter(()), charts=nothing)

    def run(self, given: Context | Dataset, cancelled: Cancelled = never) -> Iterator[Findings]:
        data = given.data if isinstance(given, Context) else given
        problems = tuple(self.problems(data))
        if any(p.stops for p in problems):
            yield Findings(problems=problems)
            return
        text = N_("At level {level} the winner is {name}: ±{width} against ±{other}.")
        name = Message(N_("Laplace"))
        winner = say(
            text,
            level=Num(self.level),
            name=name,
            width=Num(3 * self.level),
            other=Num(4 * self.level),
        )
        rows = 3 if self.size == "small" else 40
        yield Findings(
            figures=(
                self._curve(),
                self._heat("heat", False),
                self._heat("uneven", True),
                self._round(),
                self._dots(),
            ),
            facts=(
                Fact("rows", Message(N_("Rows")), say("{n}", n=Num(data.rows)), value=data.rows),
            ),
            sentences=(
                Sentence("winner", winner, "good"),
                Sentence("second", Message(N_("A second sentence, which is plain."))),
                Sentence("sensitivity", Message(N_("One person changes this by at most 1."))),
            ),
            tables=(self._table(rows), Table("secret", "", (("a", (1.0,)),))),
            problems=problems,
            refused=self.refused(data),
            headline=("winner", "second"),
        )

    def _curve(self) -> Figure:
        x = np.geomspace(0.1, 100, 200)
        layers = (Line("curve", "laplace", Message(N_("Laplace")), array(x), array(np.sqrt(x))),
                  Handle("here", "accent", say("{x}", x=Num(self.level)), self.level, float(np.sqrt(self.level)), "level"))  # fmt: skip
        x_axis = Axis(Message(N_("level")), log=True, range=(0.1, 100))
        return Figure(
            "curve",
            Message(N_("A curve with a point")),
            x_axis,
            Axis(Message(N_("height")), range=(0, 10)),
            layers,
            Message(N_("drag it")),
        )

    def _heat(self, key: str, uneven: bool) -> Figure:
        n = self.steps
        edges = (
            array(np.cumsum(np.r_[0, np.arange(1, n + 1)])) if uneven else array(np.arange(n + 1))
        )
        middles = array(np.arange(n) + 0.5)
        values = array(np.subtract.outer(np.arange(n), np.arange(n)) * self.level / n)
        heat = Heat(
            "cells",
            "laplace",
            Message(N_("difference")),
            edges,
            edges,
            values,
            -self.level,
            self.level,
            "answer",
        )
        ticks = () if uneven else tuple((float(at), f"word {k}") for k, at in enumerate(middles))
        axis = Axis(Message(N_("first")), range=(0.0, float(edges[-1])), ticks=ticks)
        title = Message(N_("Unequal cells")) if uneven else Message(N_("Equal cells"))
        return Figure(
            key,
            title,
            axis,
            Axis(Message(N_("second")), range=(0.0, float(edges[-1])), ticks=ticks),
            (heat,),
            exact=True,
        )

    def _round(self) -> Figure:
        t = np.linspace(0, 2 * np.pi, 181)
        circle = Line(
            "circle", "gaussian", Message(N_("circle")), array(np.cos(t)), array(np.sin(t))
        )
        axis = Axis(Message(N_("across")), range=(-1.2, 1.2))
        layers = (circle, Rule("middle", "truth", Message(N_("middle")), 0.0))
        return Figure(
            "round",
            Message(N_("A round circle")),
            axis,
            Axis(Message(N_("up")), range=(-1.2, 1.2)),
            layers,
            square=True,
        )

    def _dots(self) -> Figure:
        x = np.arange(1.0, 6.0)
        picks = tuple((("level", float(at)), ("fine", bool(at > 3))) for at in x)
        layers = (Dots("dots", "geometric", Message(N_("choices")), array(x), array(x**2), picks=picks),
                  Dots("plain", "answer", "", array([2.5]), array([20.0])))  # fmt: skip
        return Figure("dots", Message(N_("Dots to take")), Axis(Message(N_("level")), range=(0, 6)), Axis(Message(N_("square")), range=(0, 30)), layers,
                      Message(N_("click one")), simulated=True)  # fmt: skip

    def _table(self, rows: int) -> Table:
        names: tuple[Any, ...] = tuple(
            Message(N_("row with a somewhat long name")) if k % 2 else plain(f"row {k}")
            for k in range(rows)
        )
        columns = (
            ("name", names),
            ("width", tuple(Num(self.level * (k + 1), 4) for k in range(rows))),
            ("share", tuple(k / rows for k in range(rows))),
            (
                "note",
                tuple(
                    Message(N_("what is to be said of it, in a few words more than fit"))
                    if k == 1
                    else "–"
                    for k in range(rows)
                ),
            ),
        )
        return Table("widths", Message(N_("Widths by row")), columns, shown=True,
                     heads=(Message(N_("Row")), Message(N_("Width")), Message(N_("Share")), Message(N_("Remark"))), exact=True)  # fmt: skip
