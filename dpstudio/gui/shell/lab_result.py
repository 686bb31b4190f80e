"""What a lab found, as it is shown: worked out off the GUI thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from dpstudio.data.dataset import Dataset
from dpstudio.files.deployments import deployments
from dpstudio.files.machine import MACHINE
from dpstudio.gui.state.jobs import Processes, Work, findings_of
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
    for findings in findings_of(lab, context):
        # A lab draws answer 0 by itself, but in what comes ahead.
        drawn = index if findings.ahead else 0
        yield LabResult(lab, findings, drawn, findings).at(index)
