"""The side panel of the lab Anonymity: cards of parameters and sentences."""

from dpstudio.labs.panel import PERSONS, Design, Says, Section
from dpstudio.values.messages import N_

PANEL: Design = (
    Section(N_("Every class has"), ("promise", "look"), pinned=True),
    Section(
        N_("Table"),
        (
            "quasi",
            "sensitive",
            "identifiers",
            Says("suggested", "muted", sets="identifiers", value="named"),
            Says("rows", "muted"),
            Says("valueless", "muted"),
            Says("dropped", "muted"),
            *PERSONS,
        ),
        folded=True,
    ),
    Section(
        N_("Made by"),
        (
            "algorithm",
            Says("search", "muted"),
            Says("node", "muted"),
            Says("averages", "muted"),
            Says("spread", "muted"),
            "weights",
            "trees",
            Says("tree", "muted", sets="trees", value="tree"),
        ),
    ),
    Section(
        N_("The population"),
        (Says("stands", "muted"), "among", Says("journalist", "muted"), Says("presence", "muted")),
        folded=True,
    ),
    Section(
        N_("What it does not protect"),
        (
            Says("same"),
            Says("ruled_out"),
            Says("similar"),
            Says("skew"),
            "again",
            "again_quasi",
            "again_by",
            Says("twice"),
            Says("both"),
            "known",
            Says("dimension"),
            Says("minimality"),
            Says("not_dp"),
        ),
        folded=True,
    ),
    Section(
        N_("From k to ε"),
        ("drawn", "failure", Says("bridge"), Says("bridge_here", "muted")),
        folded=True,
    ),
    Section(
        N_("As printed"),
        (
            Says("printed_distance"),
            Says("printed_k"),
            Says("printed_hidden"),
            Says("printed_labels"),
        ),
        folded=True,
    ),
    Section(N_("Drawing"), ("show_truth", "seed"), folded=True),
)
