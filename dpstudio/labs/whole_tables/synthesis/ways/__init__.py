"""The catalogue of ways to make a table: one file each, and one name here."""

from dpstudio.labs.whole_tables.synthesis.ways.graphical import Graphical
from dpstudio.labs.whole_tables.synthesis.ways.groups import Groups
from dpstudio.labs.whole_tables.synthesis.ways.histogram import Histogram
from dpstudio.labs.whole_tables.synthesis.ways.independent import Independent
from dpstudio.labs.whole_tables.synthesis.ways.one_table import OneTable
from dpstudio.labs.whole_tables.synthesis.ways.records import Records
from dpstudio.labs.whole_tables.synthesis.ways.tree import SpanningTree
from dpstudio.labs.whole_tables.synthesis.ways.way import Way
from dpstudio.labs.whole_tables.synthesis.ways.weights import Weights

WAYS: list[type[Way]] = [
    SpanningTree,
    Records,
    Histogram,
    Independent,
    OneTable,
    Weights,
    Groups,
    Graphical,
]
