"""Clipping: what bounds cost and gain, and a way to choose them that is private itself."""

from typing import Any

from dpstudio.data.conditions import Where
from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.one_answer.clipping import ABOUT
from dpstudio.labs.page import Lab
from dpstudio.privacy.mechanisms import Additive
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.privacy.queries.query import HIGH, LOW, WHERE, range_end, refuse_crossed
from dpstudio.values.fields import choice, flag, integer, real
from dpstudio.values.messages import N_, Message, say
from dpstudio.values.parameters import Column, ParamError, param

STATISTICS = {"sum": N_("Sum"), "mean": N_("Mean"), "variance": N_("Variance")}
MOVING = {
    "upper": N_("Upper bound"),
    "lower": N_("Lower bound"),
    "both": N_("Both, about the centre"),
}
CHOICES = {
    "none": N_("not privately"),
    "exponential": N_("Exponential mechanism"),
    "noisy": N_("Noisy quantile"),
}
GRIDS = {"doubling": N_("doubling"), "equal": N_("equal steps")}


class Clipping(Lab, about=ABOUT):
    """Clipping bias, noise and sampling error of a sum, mean or variance against its bounds, and a
    private choice of them."""

    statistic: str = choice(
        "mean",
        N_("Statistic"),
        N_("What is published of the column."),
        options=STATISTICS,
        in_caption=True,
    )
    column: str = param(
        "capital-loss",
        Column(N_("Column"), N_("A column of numbers."), numeric=True),
        in_caption=True,
    )
    where: Where = param(Where(), WHERE)
    low: float | None = param(None, LOW, of=("column",), in_caption=True)
    high: float | None = param(None, HIGH, of=("column",), in_caption=True)
    centre: float | None = param(
        None,
        range_end(N_("Centre"), N_("Where both bounds move, they stay equally far from this.")),
        of=("column",),
    )
    moving: str = choice(
        "upper",
        N_("Along the axis"),
        N_("Which bound the charts sweep and the handle moves."),
        options=MOVING,
    )
    mechanism: Additive = shared.mechanism(Laplace(epsilon=0.1))
    adjacency: str = shared.adjacency()
    n_public: bool = flag(
        False,
        N_("n is public"),
        N_(
            "For a mean or a variance: the number of rows is known to all and every row has a "
            "value."
        ),
    )
    centred: bool = flag(
        False,
        N_("Centre first"),
        N_(
            "For a mean: subtract the middle of the bounds before summing. A variance is "
            "always centred."
        ),
    )
    sampling: bool = flag(
        True,
        N_("Count sampling error"),
        N_(
            "The rows are a sample: count how far the clipped answer would lie for another "
            "sample of as many rows."
        ),
    )
    choose: str = choice(
        "exponential",
        N_("Choose the bound by"),
        N_("A way to choose the upper bound that is private itself."),
        options=CHOICES,
    )
    choose_epsilon: float = real(
        0.2,
        N_("Share of ε for the choice"),
        N_("The rest of ε (and all of δ) goes to the answer."),
        low=0.001,
        high=0.99,
    )
    q: float = real(
        0.99,
        N_("Rows to keep"),
        N_("The choice looks for the bound that this share of the rows stays below."),
        low=0.01,
        high=0.99999,
    )
    grid: str = choice(
        "doubling",
        N_("Grid"),
        N_("Candidates for the bound; they must be known from outside."),
        options=GRIDS,
    )
    grid_low: float | None = param(
        None, range_end(N_("Grid from"), N_("The smallest candidate.")), of=("column",)
    )
    grid_high: float | None = param(
        None, range_end(N_("Grid to"), N_("The largest candidate.")), of=("column",)
    )
    points: int = integer(
        33,
        N_("Candidates"),
        N_("How many there are at equal steps, or at most where the ends are empty."),
        low=2,
        high=1000,
        log=True,
    )
    attested: bool = flag(
        False,
        N_("Grid known from outside"),
        N_("I know the grid from outside the data, so that using it reveals nothing."),
        of=("column",),
    )
    trials: int = shared.trials(
        100_000,
        N_("Simulated answers for each bound, where no exact law is known (variance)."),
        low=1_000,
        high=1_000_000,
    )
    seed: int = shared.seed()
    show_truth: bool = shared.show_truth(
        N_("All error pictures here come from the data. Without it only the noise is left.")
    )

    @property
    def handed(self) -> dict[str, Any]:
        """What another lab takes over: which statistic, and the parameters of its question. The
        bounds are as they were typed; nobody has attested them."""
        low, high, centre = self.low, self.high, self.centre
        if self.moving == "both":
            low = None if high is None or centre is None else 2 * centre - high
        same = {name: getattr(self, name) for name in ("column", "where", "n_public", "centred")}
        return {"statistic": self.statistic, "low": low, "high": high, **same}

    def agree(self) -> None:
        high, centre = self.high, self.centre
        if self.moving != "both":
            refuse_crossed(self.low, high)
        elif high is not None and centre is not None and centre >= high:
            raise ParamError("high", above_centre(centre))
        first, last = self.grid_low, self.grid_high
        if first is not None and last is not None and first >= last:
            text = N_("The grid must end above its start ({low}).")
            raise ParamError("grid_high", say(text, low=f"{first:.12g}"))
        for name, place in (("grid_low", first), ("grid_high", last)):
            if self.grid == "doubling" and place is not None and place < 1e-12:
                text = N_("A doubling grid lies above 0. Start at 1, or choose equal steps.")
                raise ParamError(name, Message(text))


def above_centre(centre: float) -> Message:
    """Why an upper bound cannot lie at or below the centre that both bounds move about."""
    text = N_("The highest value must lie above the centre ({centre}).")
    return say(text, centre=f"{centre:.12g}")
