"""The catalogue of ways to make classes."""

from collections.abc import Sequence

from dpstudio.labs.whole_tables.anonymity.ways.boxes import Mondrian
from dpstudio.labs.whole_tables.anonymity.ways.heights.full_domain import FullDomain
from dpstudio.labs.whole_tables.anonymity.ways.way import Way

WAYS: Sequence[type[Way]] = (Mondrian, FullDomain)
