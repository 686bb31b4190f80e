"""What a lab found, as it is shown: worked out off the GUI thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from dpstudio.data.aggregates import Cost
from dpstudio.data.dataset import Dataset
from dpstudio.files.deployments import deployments
from dpstudio.files.engines.costs import LOOK, CostlyError, Spending, reading, spending
from dpstudio.files.machine import MACHINE
from dpstudio.gui.state.jobs import UNKNOWN, Processes, Work, findings_of
from dpstudio.labs import Lab
from dpstudio.labs.context import SECOND, Context
from dpstudio.labs.findings import Findings
from dpstudio.values.problem import Problem


@dataclass(frozen=True, eq=False)
class LabResult:
    """A lab, its findings, and these with the simulated answer number `index` in them."""

    lab: Lab
    findings: Findings
    index: int
    framed: Findings
    glimpse: bool = False  # of a few rows, until the table has answered

    def at(self, index: int) -> LabResult:
        """The same with another simulated answer."""
        if index == self.index:
            return self
        return replace(self, index=index, framed=self.lab.frame(self.findings, index))

    @property
    def ahead(self) -> bool:
        """Whether it is but the first figure of the next result."""
        return self.findings.ahead

    @property
    def stopped(self) -> Problem | None:
        """Why there is nothing to be seen."""
        return next((p for p in self.findings.problems if p.stops), None)


@dataclass(frozen=True)
class KeptResult:
    """What is kept of a lab on the tables that are open: the `newest` result, `whole` where its run
    has ended, and the last `good` one, that could be drawn and was."""

    newest: LabResult
    good: LabResult | None = None
    whole: bool = False


def worked_out(
    lab: Lab,
    data: tuple[Dataset, Dataset | None],
    tables: Callable[[], Mapping[str, Dataset]],
    index: int,
    lane: Processes,
    hero_first: bool,
    work: Work,
) -> Iterator[LabResult]:
    """The findings of a lab, each with the simulated answer that is on the screen in it;
    `hero_first` where a hand moves it."""
    first, second = data
    named = {**tables(), SECOND: second} if second is not None else tables()
    context = Context(
        first,
        named,
        cancelled=work.cancelled,
        progress=work.progress,
        lane=lane,
        machine=MACHINE,
        hero_first=hero_first,
        index=index,
        deployments=deployments,
    )
    for findings, glimpse in _found(lab, context, work):
        # A lab draws answer 0 by itself, but in what comes ahead.
        drawn = index if findings.ahead else 0
        yield LabResult(lab, findings, drawn, findings, glimpse).at(index)


def _found(lab: Lab, context: Context, work: Work) -> Iterator[tuple[Findings, bool]]:
    """The findings, and whether they are a first look at a few rows of a table that stays
    elsewhere: where a statement reads much, that look comes before it."""
    spent = Spending(tell=partial(_tell, work))
    if context.data.asked is None:
        yield from ((each, False) for each in findings_of(lab, context))
        return
    told = False
    try:
        for each in _spent(lab, context, replace(spent, most=LOOK)):
            told = True
            yield each, False
        return
    except CostlyError:
        few = None if told else context.data.glimpse()
    if few is not None:
        looked = replace(context, data=few, hero_first=False)
        for each in islice(_spent(lab, looked, spent), 1):
            keys = {f.key for f in each.figures} | {f.key for f in each.facts}
            keys |= {sentence.key for sentence in each.sentences}
            yield replace(each, coarse=frozenset(keys), outcomes=()), True
    for each in _spent(lab, context, spent):
        yield each, False


def _spent(lab: Lab, context: Context, spent: Spending) -> Iterator[Findings]:
    found = findings_of(lab, context)
    while True:
        with spending(spent):
            each = next(found, None)
        if each is None:
            return
        yield each


def _tell(work: Work, engine: str, cost: Cost, share: float | None, seconds: float) -> None:
    work.progress(UNKNOWN if share is None else share, reading(engine, cost, seconds))
