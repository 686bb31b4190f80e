"""Stories: small tales about what privacy is for and what it costs, each with parameters of its
own."""

from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.page import Lab
from dpstudio.labs.start.stories import ABOUT
from dpstudio.labs.start.stories.stories import STORIES, Story
from dpstudio.labs.start.stories.stories.differencing import Newspaper
from dpstudio.values.messages import N_
from dpstudio.values.parameters import OneOf, param


class Stories(Lab, about=ABOUT):
    """One tale at a time. Only differencing of a row reads the table, and then says so."""

    story: Story = param(
        Newspaper(), OneOf(N_("Story"), N_("What is told."), family=lambda: STORIES, apart=True)
    )
    trials: int = shared.trials(
        20_000, N_("How many simulated attacks make the histogram."), 1_000, 200_000
    )
    seed: int = shared.seed()
    show_truth: bool = shared.show_truth(
        N_("Where a story is told of your table: the exact answers and whom they give away.")
    )
