"""Clusters: k-means with noise in every step."""

from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.models.clusters import ABOUT
from dpstudio.labs.page import Lab
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.values.fields import choice, integer
from dpstudio.values.lists import WordLines
from dpstudio.values.messages import N_
from dpstudio.values.parameters import Column, OneOf, Parameters, param

SPLITS = {
    "su": N_("least error of a centre (Su et al.)"),
    "even": N_("the same noise on counts and sums"),
    "printed": N_("as printed: counts and sums each spend all"),
}
STARTS = {"spread": N_("far from each other"), "lot": N_("by lot")}
STEPPING = {"given": N_("as many as given"), "su": N_("as ε pays for (Su et al.)")}
SCORES = {
    "ari": N_("adjusted Rand index"),
    "ami": N_("adjusted mutual information"),
    "homogeneity": N_("homogeneity"),
    "completeness": N_("completeness"),
    "v": N_("V-measure"),
    "silhouette": N_("silhouette"),
    "inertia": N_("inertia of a row"),
}
LEAST_RUNS = 20


def opens(steps: int) -> int:
    """The number of the step, from 0 on, with which the page opens: the one in the middle."""
    return (steps - 1) // 2


class Points(Parameters):
    """Base of where the points come from."""


class FourGaussians(Points):
    """Points in the plane of four clusters, made from the seed."""

    key = "gaussians"
    label = N_("Four made clusters")

    size: int = integer(
        5_000, N_("Points"), N_("How many points are made."), low=50, high=50_000, log=True
    )


class TableRows(Points):
    """The rows of the table, scaled to [−1, 1] by public bounds."""

    key = "table"
    label = N_("Rows of the table")

    features: tuple[str, ...] = param(
        (),
        WordLines(
            N_("Columns"),
            N_("Columns of numbers, one a line, scaled by their public bounds."),
            empty=N_("all columns of numbers but the classes"),
            purpose="feature",
        ),
    )
    classes: str = param(
        "income",
        Column(
            N_("Classes"),
            N_("What the clusters are compared with; no step sees it."),
            purpose="label",
        ),
    )


class Clusters(Lab, about=ABOUT):
    """Lloyd's steps with noise on every count and sum; how well the clusters are found against
    ε."""

    points: Points = param(
        FourGaussians(), OneOf(N_("Points"), family=lambda: [FourGaussians, TableRows])
    )
    epsilon: float = param(0.1, EPSILON)
    adjacency: str = shared.adjacency()
    k: int = integer(
        4,
        N_("Clusters k"),
        N_("How many centres there are."),
        low=2,
        high=20,
        own=True,
        in_caption=True,
    )
    stepping: str = choice(
        "given", N_("Number of steps"), N_("It is set before any step."), options=STEPPING
    )
    steps: int = integer(
        5,
        N_("Steps"),
        N_("Each step costs its part of ε."),
        low=1,
        high=20,
        active_when=("stepping", "given"),
        in_caption=True,
    )
    about: int = integer(
        5_000,
        N_("Rows, about"),
        N_("A public guess at how many rows there are: their number is itself private."),
        low=10,
        high=100_000_000,
        log=True,
        active_when=("stepping", "su"),
    )
    split: str = choice("su", N_("Split of ε"), options=SPLITS, in_caption=True)
    start: str = choice(
        "lot", N_("First centres"), N_("The points have no part in them."), options=STARTS
    )
    score: str = choice(
        "ari", N_("Score"), N_("How well the clusters are found."), options=SCORES, own=True
    )
    wanted: float = shared.wanted(
        N_(
            "How much of what the steps gain: from the first centres alone, 0 %, to the centres "
            "without noise, 100 %."
        )
    )
    confidence: float = shared.confidence(N_("The share of runs that a band keeps."))
    runs: int = shared.trials(
        40, N_("How often k-means is run at each ε."), LEAST_RUNS, 400, N_("Runs")
    )
    seed: int = shared.seed()
    show_truth: bool = shared.show_truth(
        N_("Hides points and scores on this screen: they are exact."), N_("Show points and scores")
    )

    @property
    def method(self) -> str:
        """There is but one."""
        return N_("Noisy k-means")
