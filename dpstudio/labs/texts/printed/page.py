"""The page of the lab As printed."""

from __future__ import annotations

from dpstudio.labs.page import Page
from dpstudio.labs.texts.printed.charts import charts
from dpstudio.labs.texts.printed.model import stages
from dpstudio.labs.texts.printed.words import facts, sentences, tables

PAGE = Page(
    stages=stages,
    charts=charts,
    facts=facts,
    sentences=sentences,
    tables=tables,
    headline=lambda model: ("wrong", "follows"),
)
