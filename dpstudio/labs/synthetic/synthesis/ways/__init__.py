"""The catalogue of ways to make a table: one file each, and one name here."""

from dpstudio.labs.synthetic.synthesis.ways.graphical import Graphical
from dpstudio.labs.synthetic.synthesis.ways.groups import Groups
from dpstudio.labs.synthetic.synthesis.ways.histogram import Histogram
from dpstudio.labs.synthetic.synthesis.ways.independent import Independent
from dpstudio.labs.synthetic.synthesis.ways.one_table import OneTable
from dpstudio.labs.synthetic.synthesis.ways.records import Records
from dpstudio.labs.synthetic.synthesis.ways.tree import SpanningTree
from dpstudio.labs.synthetic.synthesis.ways.way import Way
from dpstudio.labs.synthetic.synthesis.ways.weights import Weights

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
