"""The side panel of the lab Stories: cards of parameters and sentences."""

from dpstudio.labs.panel import Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Story"), ("story",)),
    Section(
        N_("As answered"),
        tuple(f"story.answered_{name}" for name in ("people", "before", "more", "after")),
        folded=True,
    ),
    Section(
        N_("What it means"),
        (
            Says("bound", "muted"),
            Says("weighted"),
            Says("worse"),
            Says("apart", "muted"),
            Says("each", "good"),
            Says("delta", "muted"),
        ),
    ),
    Section(N_("Drawing"), ("show_truth", "trials", "seed"), folded=True),
)
