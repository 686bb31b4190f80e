"""The page of the lab Attacks."""

from __future__ import annotations

from dpstudio.labs.attacks.attack.charts import charts
from dpstudio.labs.attacks.attack.model import problems, refused, stages, suited
from dpstudio.labs.attacks.attack.words import facts, sentences, tables
from dpstudio.labs.page import Page

PAGE = Page(
    stages=stages,
    charts=charts,
    facts=facts,
    leads=("off", "best", "promised", "left", "lines"),
    sentences=sentences,
    tables=tables,
    headline=lambda model: ("gain", "exact"),
    problems=problems,
    refused=refused,
    suited=suited,
    second=lambda lab, data, second: lab.attacker.beside_it(data, second),
)
