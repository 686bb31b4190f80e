"""The page of the lab Float leak."""

from dpstudio.labs.page import Page, Part
from dpstudio.labs.promise.float_leak import charts, words
from dpstudio.labs.promise.float_leak.model import stages

PAGE = Page(
    stages=stages,
    parts=(
        Part(
            (charts.share_chart, charts.grid_chart, charts.bits_chart),
            words.facts,
            words.sentences,
            words.tables,
        ),
        Part((charts.samplers_chart,), when=lambda model: model.every),
    ),
    source=lambda model: (
        "Mironov 2012, “On significance of the least significant bits for differential privacy”"
    ),
    leads=("reverse", "rounding", "sampler"),
    awaits=lambda model: model.trials < model.effort.of_draws(model.lab.trials),
    refines=("verdict", "meaning", "share", "rounding", "sampler", "bits"),
    headline=lambda model: ("verdict", "studio"),
)
