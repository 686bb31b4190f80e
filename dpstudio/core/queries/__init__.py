"""The catalogue of queries, in the order in which they are shown."""

from dpstudio.core.queries.count import Count
from dpstudio.core.queries.histogram import Histogram
from dpstudio.core.queries.query import ADD_REMOVE, ADJACENCIES, REPLACE, Asked, Query
from dpstudio.core.queries.total import Mean, Sum

QUERIES: list[type[Query]] = [Count, Sum, Mean, Histogram]

__all__ = ["ADD_REMOVE", "ADJACENCIES", "QUERIES", "REPLACE", "Asked", "Query"]
