"""Stories: small tales about what privacy is for and what it costs, each with parameters of its
own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dpstudio.data.dataset import Dataset
from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.context import Cancelled, never
from dpstudio.labs.findings import Findings
from dpstudio.labs.page import Lab
from dpstudio.labs.texts.story import ABOUT
from dpstudio.labs.texts.story.stories import STORIES, Desk, Story
from dpstudio.labs.texts.story.stories.differencing import Newspaper
from dpstudio.values.messages import N_
from dpstudio.values.params import Flag, Integer, OneOf, param
from dpstudio.values.problem import Problem


@dataclass(frozen=True)
class Stories(Lab, about=ABOUT):
    """One tale at a time. Only differencing of a row reads the table, and then says so."""

    story: Story = param(
        Newspaper(), OneOf(N_("Story"), N_("What is told."), family=lambda: STORIES, apart=True)
    )
    trials: int = param(
        20_000,
        Integer(
            N_("Trials"),
            N_("How many simulated attacks make the histogram."),
            low=1_000,
            high=200_000,
            log=True,
        ),
    )
    seed: int = shared.seed()
    show_truth: bool = param(
        True,
        Flag(
            N_("Show the exact answer"),
            N_("Where a story is told of your table: the exact answers and whom they give away."),
        ),
    )

    def problems(self, data: Dataset) -> Iterator[Problem]:
        yield from self.story.problems(data)

    def suited(self, data: Dataset) -> Stories:
        return self.with_(story=self.story.suited(data))

    def run(self, data: Dataset, cancelled: Cancelled = never) -> Iterator[Findings]:  # type: ignore[override]
        problems = tuple(self.problems(data))
        if any(p.stops for p in problems):
            yield Findings(problems=problems)
            return
        if not cancelled():
            yield self.story.tell(Desk(data, self.seed, self.trials, self.show_truth))
