"""The catalogues of questions that are answered with added noise, and of those that are answered by
a choice among candidates, in the order in which they are shown."""

from dpstudio.privacy.queries.candidates import Choosing
from dpstudio.privacy.queries.contingency import Contingency
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.queries.covariance import Covariance
from dpstudio.privacy.queries.grouped import Grouped
from dpstudio.privacy.queries.histogram import Histogram
from dpstudio.privacy.queries.mode import MostCommon, MostMet
from dpstudio.privacy.queries.quantile import Quantile
from dpstudio.privacy.queries.query import ADD_REMOVE, ADJACENCIES, REPLACE, MeasuredQuestion, Query
from dpstudio.privacy.queries.several import Counts
from dpstudio.privacy.queries.total import Mean, Sum
from dpstudio.privacy.queries.typed_scores import Typed
from dpstudio.privacy.queries.variance import Deviation, Variance

QUERIES: list[type[Query]] = [
    Count,
    Sum,
    Mean,
    Variance,
    Deviation,
    Histogram,
    Grouped,
    Contingency,
    Counts,
    Covariance,
]

CHOICES: list[type[Choosing]] = [MostCommon, MostMet, Quantile, Typed]

__all__ = [
    "ADD_REMOVE",
    "ADJACENCIES",
    "CHOICES",
    "QUERIES",
    "REPLACE",
    "Choosing",
    "MeasuredQuestion",
    "Query",
]
