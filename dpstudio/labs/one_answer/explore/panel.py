"""The side panel of the lab Explore: cards of parameters and sentences."""

from dpstudio.labs.panel import PERSONS, TO_PLAN, Design, Hands, Line, Says, Section
from dpstudio.values.messages import N_

TO_COMPOSITION = Hands(
    "composition",
    N_("Add to the composition"),
    N_(
        "One more line in the list of the Composition lab. How many answers there are and the "
        "noise of each are to be fixed before the first one is seen."
    ),
)
TO_CLIPPING = Hands(
    "clipping",
    N_("Look for bounds in Clipping"),
    N_(
        "The lab Clipping asks this question, with these bounds, at this ε. By group: of all "
        "groups together."
    ),
)
_SCORE = N_(
    "100 · (1 + TV(P, Q))/2: P and Q are the exact laws of all noisy numbers of the answer, with "
    "the person who moves it most and without; TV is the most by which any test has more true than "
    "false positives (Neyman & Pearson 1933). At most by the promise: 100 · (e^ε + δ)/(e^ε + 1) "
    "(Kairouz, Oh & Viswanath 2015)."
)

PANEL: Design = (
    Section(N_("Privacy"), ("mechanism.epsilon", Says("odds", tip=_SCORE)), pinned=True),
    Section(
        N_("Target and rounding"),
        (
            Line(
                ((N_("within ±"), "target", 3), ("", "target_unit", 0), (N_("at"), "confidence", 4))
            ),
            Says("needed", "good", sets="mechanism.epsilon", value="epsilon"),
            Says("needed_each", "muted"),
            "post_processing",
            Says("bias", "muted"),
        ),
        folded=True,
    ),
    Section(N_("Question"), ("query", Says("pointer", "muted"), *PERSONS)),
    Section(N_("Bounds"), (TO_CLIPPING,), needs="clipped"),
    Section(N_("Mechanism"), ("mechanism", "mechanism.delta")),
    Section(
        N_("Many answers"),
        (
            "answers",
            "delta_prime",
            Says("crossover", "muted"),
            Says("leak", "muted"),
            TO_COMPOSITION,
            TO_PLAN,
        ),
        folded=True,
    ),
    Section(
        N_("Drawing"),
        ("measure", "part", "largest", "relative", "show_truth", "trials", "dots", "seed"),
        folded=True,
    ),
)
