"""What a run is given besides the lab: tables, how much work to do, whom to tell, when to stop."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from dpstudio.data.dataset import Dataset
from dpstudio.privacy.deployments import Deployment
from dpstudio.privacy.mechanisms.additive import Guarantee
from dpstudio.privacy.sampling import Below, ReleaseRandom
from dpstudio.values.messages import Message

# The name by which the table that somebody opened beside the first stands among the tables of a
# context.
SECOND = "second"

R = TypeVar("R")
Cancelled = Callable[[], bool]
Progress = Callable[[float, Message], None]


class Stopped(Exception):
    """A run that nobody waits for any more."""


def never() -> bool:
    """The `cancelled` of a caller that does not cancel."""
    return False


def silent(share: float, doing: Message) -> None:
    """The `progress` of a caller that shows none."""


def none_known() -> tuple[Deployment, ...]:
    """The `deployments` of a caller that has no register."""
    return ()


@dataclass(frozen=True)
class Effort:
    """How much work a picture is worth: shares of the points of curves and of the draws of
    simulations, and the number of simulated answers to step through.

    What is exact stays exact at any effort; it only changes how finely a curve is drawn and how
    many draws stand for a law.
    """

    points: float = 1.0
    draws: float = 1.0
    replays: int = 240

    def of_points(self, full: int, least: int = 8) -> int:
        """How many points a curve has that has `full` of them on the screen."""
        return max(min(full, least), round(full * self.points))

    def of_draws(self, full: int, least: int = 500) -> int:
        """How many draws are made where the screen takes `full`."""
        return max(min(full, least), round(full * self.draws))


SCREEN = Effort()
LITTLE = Effort(points=0.25, draws=0.1, replays=12)


class Draws(Protocol):
    """The one way from a table to what leaves the program, where a run sees but a stand-in for
    it."""

    def draw(
        self,
        asked: Sequence[Any],
        promise: Guarantee,
        make: Callable[[Dataset, ReleaseRandom], Any],
    ) -> Any:
        """What `make` draws of the table, integers in lists, exactly and with chance from the
        system. `asked` says as JSON what is drawn: where that was drawn before, it is that draw.
        `promise` is what it costs. Raises NotDrawnError, also where that is not kept."""
        ...


@dataclass(frozen=True)
class Machine:
    """What only a machine has: `below(n)`, an integer from 0 to n − 1 that nobody can guess, and
    `seconds`, a clock. No state decides what comes of them, so a run goes without where it has
    none. Both can travel to another process."""

    below: Below
    seconds: Callable[[], float]


@dataclass(frozen=True, eq=False)
class Context:
    """What a run is given. `data` is the table that is open; `tables` holds others by the name that
    a lab knows them by. `lane`, where there is one, runs functions that take seconds in processes
    of their own. With `leaving`, what is made will leave the program without the exact answer:
    `data` is a stand-in then, and all that is known of the table is drawn there. `machine` is there
    for what is shown alone. With `hero_first` a run may yield its first figure ahead of all else,
    for an eye that follows a hand, with simulated answer number `index` in it. `deployments` reads
    the register of them."""

    data: Dataset
    tables: Mapping[str, Dataset] = field(default_factory=dict)
    effort: Effort = SCREEN
    cancelled: Cancelled = never
    progress: Progress = silent
    lane: Executor | None = None
    leaving: Draws | None = None
    machine: Machine | None = None
    hero_first: bool = False
    index: int = 0
    deployments: Callable[[], tuple[Deployment, ...]] = none_known

    @property
    def second(self) -> Dataset | None:
        """The table that was opened beside the first, where there is one and the lab reads it."""
        return self.tables.get(SECOND)

    def check(self) -> None:
        """Raise Stopped where the run is cancelled: to be called between pieces of long work."""
        if self.cancelled():
            raise Stopped

    def work(self, function: Callable[..., R], *arguments: object) -> R:
        """The answer of a function that takes seconds, from another process where there is a lane.

        The function and its arguments must be able to travel there: no closures, no tables.
        Raises Stopped as soon as the run is cancelled.
        """
        self.check()
        if self.lane is None or self.effort.draws < 1:  # done before a process would have begun
            return function(*arguments)
        future = self.lane.submit(function, *arguments)
        while True:
            try:
                return future.result(timeout=0.05)
            except TimeoutError:
                if future.done():  # the function itself ran out of time
                    raise
                if self.cancelled():
                    future.cancel()
                    raise Stopped from None
