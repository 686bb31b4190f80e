"""The page of the lab As printed."""

from dpstudio.labs.page import Page
from dpstudio.labs.promise.printed.charts import charts
from dpstudio.labs.promise.printed.model import stages
from dpstudio.labs.promise.printed.words import facts, sentences, tables

PAGE = Page(
    stages=stages,
    charts=charts,
    facts=facts,
    sentences=sentences,
    tables=tables,
    headline=lambda model: ("wrong", "follows", "right"),
)
