"""The page of the lab Stories: each story says all of it."""

from collections.abc import Iterator

from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context
from dpstudio.labs.page import Page
from dpstudio.labs.start.stories.parameters import Stories
from dpstudio.labs.start.stories.stories import Tale, Telling
from dpstudio.values.problem import Problem


def _stages(lab: Stories, context: Context) -> Iterator[Tale]:
    trials = context.effort.of_draws(lab.trials)
    yield lab.story.tell(Telling(context.data, lab.seed, trials, lab.show_truth, context.effort))


def _problems(lab: Stories, data: Dataset) -> Iterator[Problem]:
    return lab.story.problems(data)


def _suited(lab: Stories, data: Dataset) -> Stories:
    return lab.with_(story=lab.story.suited(data))


PAGE = Page(
    stages=_stages,
    charts=lambda story: iter(story.figures),
    facts=lambda story: story.facts,
    sentences=lambda story: story.sentences,
    tables=lambda story: (story.table,),
    headline=lambda story: story.headline,
    problems=_problems,
    suited=_suited,
)
