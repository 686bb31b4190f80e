"""The page of the lab Inversion."""

from dpstudio.labs.attacks.inversion.charts import charts
from dpstudio.labs.attacks.inversion.model import InversionModel, stages
from dpstudio.labs.attacks.inversion.parameters import Inversion
from dpstudio.labs.attacks.inversion.words import facts, sentences
from dpstudio.labs.page import Page

PAGE: Page[Inversion, InversionModel] = Page(
    stages=stages,
    charts=charts,
    facts=facts,
    leads=("best", "promised"),
    sentences=sentences,
    headline=lambda model: ("gain", "exact"),
)
