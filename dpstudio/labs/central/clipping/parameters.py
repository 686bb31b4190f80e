"""Clipping: what bounds cost and gain, and a way to choose them that is private itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from dpstudio.charts.figure import array
from dpstudio.data.conditions import Where
from dpstudio.data.dataset import Dataset
from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.central.clipping import ABOUT
from dpstudio.labs.central.clipping.charts import (
    best_chart,
    choice_chart,
    error_chart,
    noise_chart,
    share_chart,
)
from dpstudio.labs.central.clipping.choice import CHOICES
from dpstudio.labs.central.clipping.exact import Stop
from dpstudio.labs.central.clipping.model import ClippingModel
from dpstudio.labs.central.clipping.words import facts, headline, sentences, tables
from dpstudio.labs.context import Cancelled, never
from dpstudio.labs.findings import Findings
from dpstudio.labs.page import Lab
from dpstudio.privacy.mechanisms import MECHANISMS, Additive
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.privacy.queries.query import (
    HIGH,
    LOW,
    REPLACE,
    WHERE,
    WIDEST,
    condition_problems,
    number_problem,
    range_problem,
)
from dpstudio.values.messages import N_, Say, say
from dpstudio.values.params import (
    Choice,
    Column,
    Flag,
    Integer,
    Maybe,
    OneOf,
    ParamError,
    Real,
    param,
    switch,
)
from dpstudio.values.problem import Problem

STATISTICS = {"sum": N_("Sum"), "mean": N_("Mean"), "variance": N_("Variance")}
MOVING = {
    "upper": N_("Upper bound"),
    "lower": N_("Lower bound"),
    "both": N_("Both, about the centre"),
}
GRIDS = {"doubling": N_("doubling"), "equal": N_("equal steps")}


@dataclass(frozen=True)
class Clipping(Lab, about=ABOUT):
    """Clipping bias, noise and sampling error of a sum, mean or variance against its bounds, and a
    private choice of them."""

    statistic: str = param(
        "mean", Choice(N_("Statistic"), N_("What is published of the column."), options=STATISTICS)
    )
    column: str = param(
        "capital-loss", Column(N_("Column"), N_("A column of numbers."), numeric=True)
    )
    where: Where = param(Where(), WHERE)
    low: float | None = param(None, LOW)
    high: float | None = param(None, HIGH)
    centre: float | None = param(
        None,
        Maybe(
            N_("Centre"),
            N_("Where both bounds move, they stay equally far from this."),
            inner=Real("", low=-WIDEST, high=WIDEST),
        ),
    )
    moving: str = param(
        "upper",
        Choice(
            N_("Along the axis"),
            N_("Which bound the charts sweep and the handle moves."),
            options=MOVING,
        ),
    )
    mechanism: Additive = param(
        Laplace(epsilon=0.1), OneOf(N_("Mechanism"), family=lambda: MECHANISMS)
    )
    adjacency: str = shared.adjacency()
    n_public: bool = param(
        False,
        Flag(
            N_("n is public"),
            N_(
                "For a mean or a variance: the number of rows is known to all and every row has a "
                "value."
            ),
        ),
    )
    centred: bool = param(
        False,
        Flag(
            N_("Centre first"),
            N_(
                "For a mean: subtract the middle of the bounds before summing. A variance is "
                "always centred."
            ),
        ),
    )
    sampling: bool = param(
        True,
        Flag(
            N_("Count sampling error"),
            N_(
                "The rows are a sample: count how far the clipped answer would lie for another "
                "sample of as many rows."
            ),
        ),
    )
    choose: str = param(
        "exponential",
        Choice(
            N_("Choose the bound by"),
            N_("A way to choose the upper bound that is private itself."),
            options=CHOICES,
        ),
    )
    choose_epsilon: float = param(
        0.2,
        Real(
            N_("Share of ε for the choice"),
            N_("The rest of ε (and all of δ) goes to the answer."),
            low=0.001,
            high=0.99,
        ),
    )
    q: float = param(
        0.99,
        Real(
            N_("Rows to keep"),
            N_("The choice looks for the bound that this share of the rows stays below."),
            low=0.01,
            high=0.99999,
        ),
    )
    grid: str = param(
        "doubling",
        Choice(
            N_("Grid"),
            N_("Candidates for the bound; they must be known from outside."),
            options=GRIDS,
        ),
    )
    grid_low: float | None = param(
        None,
        Maybe(
            N_("Grid from"), N_("The smallest candidate."), inner=Real("", low=-WIDEST, high=WIDEST)
        ),
    )
    grid_high: float | None = param(
        None,
        Maybe(
            N_("Grid to"), N_("The largest candidate."), inner=Real("", low=-WIDEST, high=WIDEST)
        ),
    )
    points: int = param(
        33,
        Integer(
            N_("Candidates"),
            N_("How many there are at equal steps, or at most where the ends are empty."),
            low=2,
            high=1000,
            log=True,
        ),
    )
    attested: bool = param(
        False,
        Flag(
            N_("Grid known from outside"),
            N_("I know the grid from outside the data, so that using it reveals nothing."),
        ),
    )
    trials: int = param(
        100_000,
        Integer(
            N_("Trials"),
            N_("Simulated answers for each bound, where no exact law is known (variance)."),
            low=1_000,
            high=1_000_000,
            log=True,
        ),
    )
    seed: int = shared.seed()
    show_truth: bool = param(
        True,
        Flag(
            N_("Show the exact answer"),
            N_("All error pictures here come from the data. Without it only the noise is left."),
        ),
    )

    def agree(self) -> None:
        if (
            self.moving != "both"
            and self.low is not None
            and self.high is not None
            and self.low >= self.high
        ):
            raise ParamError(
                "high",
                say("The highest value must lie above the lowest ({low}).", low=f"{self.low:g}"),
            )
        if (
            self.moving == "both"
            and self.centre is not None
            and self.high is not None
            and self.centre >= self.high
        ):
            raise ParamError(
                "high",
                say(
                    "The highest value must lie above the centre ({centre}).",
                    centre=f"{self.centre:g}",
                ),
            )
        if (
            self.grid_low is not None
            and self.grid_high is not None
            and self.grid_low >= self.grid_high
        ):
            raise ParamError(
                "grid_high",
                say("The grid must end above its start ({low}).", low=f"{self.grid_low:g}"),
            )
        if self.grid == "doubling":
            for name in ("grid_low", "grid_high"):
                end = getattr(self, name)
                if end is not None and end < 1e-12:
                    raise ParamError(
                        name,
                        say("A doubling grid lies above 0. Start at 1, or choose equal steps."),
                    )

    def problems(self, data: Dataset) -> Iterator[Problem]:
        for problem in self._question_problems(data):
            yield problem
            return
        for option, why in self.refused(data)["mechanism"].items():
            if option == self.mechanism.key:
                yield Problem("mechanism", why)

    def _question_problems(self, data: Dataset) -> Iterator[Problem]:
        """Why the table cannot answer; the first one counts."""
        if data.rows == 0:
            yield Problem("data", say("The table has no rows. Open another table."))
            return
        if not any(column.numeric for column in data.columns):
            yield Problem(
                "column",
                say("This table has no column of numbers. Count rows in another lab instead."),
            )
            return
        found = [*condition_problems(self.where, data)]
        number = number_problem(self.column, data)
        if number is None:
            number = range_problem(self.column, data)
        yield from (
            replace(p, field=p.field.removeprefix("query."))
            for p in (*found, *([number] if number else []))
        )
        if found or number:
            return
        model = ClippingModel(self, data)
        if not model.finite:
            text = N_(
                "“{column}” holds infinite values, so there is nothing to compare a clipped "
                "{statistic} with. Choose another column."
            )
            yield Problem("column", say(text, column=self.column, statistic=Say(self.statistic)))
        elif model.column is None:
            yield Problem(
                "where", say("No row meets the condition and has a value. Widen the condition.")
            )
        elif self.moving == "both" and model.bounds[0] >= model.bounds[1]:
            yield Problem(
                "high",
                say(
                    "The highest value must lie above the centre ({centre}).",
                    centre=f"{model.centre:g}",
                ),
            )
        else:
            yield from self._public_problems(data)

    def _public_problems(self, data: Dataset) -> Iterator[Problem]:
        if not self.n_public or self.statistic == "sum":
            return
        if data.person:
            text = N_(
                "Another person may have another number of rows, so n is not public. Publish the "
                "count too instead."
            )
            yield Problem("n_public", Say(text))
        elif self.adjacency != REPLACE:
            yield Problem(
                "n_public",
                say(
                    "A public n needs the neighbours “replace one”: adding a person would change n."
                ),
            )
        elif self.where:
            text = N_(
                "With a condition a row can drop out, so n is not public. Remove the condition, or "
                "publish the count too."
            )
            yield Problem("n_public", Say(text))
        elif data.missing(self.column):
            text = N_(
                "Rows that lack “{column}” drop out, so n is not public. Publish the count too "
                "instead."
            )
            yield Problem("n_public", say(text, column=self.column))

    def refused(self, data: Dataset) -> Mapping[str, Mapping[str, Say]]:
        why: dict[str, Say] = {}
        if not any(self._question_problems(data)) and not ClippingModel(self, data).integers:
            reason = say(
                "Integer noise needs integer answers: an integer column with integer bounds. "
                "Choose Laplace instead."
            )
            why = {m.key: reason for m in MECHANISMS if m.integers}
        return {"mechanism": why}

    def suited(self, data: Dataset) -> Clipping:
        lab = self
        if not data.has(self.column) or not data.info(self.column).numeric:
            fitting = [c.name for c in data.columns if c.numeric]
            # Bounds, centre and grid belonged to the other column.
            gone = dict.fromkeys(("low", "high", "centre", "grid_low", "grid_high"))
            lab = lab.with_(column=fitting[0], attested=False, **gone) if fitting else lab
        if any(condition_problems(lab.where, data)):
            lab = lab.with_(where=Where())
        if lab.mechanism.key in lab.refused(data)["mechanism"]:
            lab = lab.with_(mechanism=switch(Laplace, lab.mechanism))
        return lab.with_(grid="equal") if lab._needs_steps(data) else lab

    def _needs_steps(self, data: Dataset) -> bool:
        """Whether no two powers of two suit the column, as with years."""
        if (
            not self.show_truth
            or self.grid != "doubling"
            or self.grid_low is not None
            or self.grid_high is not None
        ):
            return False
        if any(self._question_problems(data)):
            return False
        model = ClippingModel(self, data)
        return len(model.candidates) < 2 or model.above

    def run(self, data: Dataset, cancelled: Cancelled = never) -> Iterator[Findings]:  # type: ignore[override]
        problems = tuple(self.problems(data))
        if any(p.stops for p in problems):
            yield Findings(problems=problems, refused=self.refused(data))
            return
        if cancelled():
            return
        try:
            for model in ClippingModel(self, data, cancelled=cancelled).stages():
                yield self._find(model)
        except Stop:
            return

    def _find(self, model: ClippingModel) -> Findings:
        if self.show_truth:
            made = [error_chart(model), share_chart(model)]
            made += [choice_chart(model)] if model.chosen else []
            made += [best_chart(model)]
        else:
            made = [noise_chart(model)]
        return Findings(
            tuple(made),
            facts(model),
            sentences(model),
            tables(model),
            model.advice(),
            truth=array([model.truth]) if self.show_truth else None,
            refused=self.refused(model.data),
            headline=headline(model),
        )
