"""The side panel of the lab Clusters: cards of parameters and sentences."""

from dpstudio.labs.models.clusters.parameters import opens
from dpstudio.labs.panel import PERSONS, Design, Says, Section, Stages
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Privacy"), ("epsilon", Says("odds")), pinned=True),
    Section(N_("Points"), ("points", Says("rows", "muted"), *PERSONS)),
    Section(N_("Steps"), ("k", "steps", Stages(N_("Step shown"), opens))),
    Section(
        N_("For a target"),
        ("score", "wanted", Says("wanted_epsilon", "muted", sets="epsilon", value="own")),
        folded=True,
    ),
    Section(
        N_("Way"), ("stepping", "about", "split", Says("theorem", "muted"), "start"), folded=True
    ),
    Section(N_("Drawing"), ("confidence", "show_truth", "runs", "seed"), folded=True),
)
