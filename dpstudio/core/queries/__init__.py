"""The catalogue of queries that are answered with added noise, in the order in which they are shown."""

from dpstudio.core.queries.contingency import Contingency
from dpstudio.core.queries.count import Count
from dpstudio.core.queries.covariance import Covariance
from dpstudio.core.queries.grouped import Grouped
from dpstudio.core.queries.histogram import Histogram
from dpstudio.core.queries.query import ADD_REMOVE, ADJACENCIES, REPLACE, Asked, Query
from dpstudio.core.queries.several import Counts
from dpstudio.core.queries.spread import Deviation, Variance
from dpstudio.core.queries.total import Mean, Sum

QUERIES: list[type[Query]] = [Count, Sum, Mean, Variance, Deviation, Histogram, Grouped, Contingency, Counts, Covariance]

__all__ = ["ADD_REMOVE", "ADJACENCIES", "QUERIES", "REPLACE", "Asked", "Query"]
