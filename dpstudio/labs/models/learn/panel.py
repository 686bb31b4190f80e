"""The side panel of the lab Learn: cards of parameters and sentences."""

from dpstudio.labs.panel import PERSONS, Design, Line, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Privacy"), ("epsilon", Says("odds")), pinned=True),
    Section(
        N_("What is learnt"), ("predicts", "features", Says("rows", "muted"), *PERSONS), folded=True
    ),
    Section(N_("Learner"), ("learner", Says("guess"))),
    Section(N_("Proof"), (Says("theorem", "muted"), Says("beside", "muted")), folded=True),
    Section(
        N_("For a target"),
        (
            "wanted",
            "solve",
            Says("wanted", "muted"),
            Says("wanted_epsilon", "muted", sets="epsilon", value="own"),
            Says("wanted_steps", "muted", sets="learner.steps", value="value"),
            Says("wanted_chance", "muted", sets="learner.chance", value="value"),
        ),
        folded=True,
    ),
    Section(
        N_("Test and drawing"),
        (
            Line((("", "test", 4), ("", "split", 0))),
            Says("tested", "muted"),
            Says("border", "muted"),
            "feature",
            "others",
            "confidence",
            "show_truth",
            "runs",
            "seed",
        ),
        folded=True,
    ),
)
