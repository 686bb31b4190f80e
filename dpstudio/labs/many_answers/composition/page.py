"""The page of the lab Composition."""

from collections.abc import Iterator

from dpstudio.charts.figure import Figure
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context
from dpstudio.labs.many_answers.composition import budget, charts
from dpstudio.labs.many_answers.composition import model as known
from dpstudio.labs.many_answers.composition.budget_charts import (
    afford_chart,
    each_chart,
    keep_chart,
)
from dpstudio.labs.many_answers.composition.budget_words import plan
from dpstudio.labs.many_answers.composition.certificate import awaited, ended
from dpstudio.labs.many_answers.composition.curves import curve, marks, over_delta, privacy_curve
from dpstudio.labs.many_answers.composition.groups import group_promise
from dpstudio.labs.many_answers.composition.model import CompositionModel
from dpstudio.labs.many_answers.composition.parameters import Composition
from dpstudio.labs.many_answers.composition.total_charts import total_chart
from dpstudio.labs.many_answers.composition.words import facts, headline, sentences, tables
from dpstudio.labs.page import Lab, Page, Refused
from dpstudio.labs.release_list import Line
from dpstudio.labs.series_model import series_problems, total_here, total_of_first, why_not
from dpstudio.privacy.accounting import ACCOUNTANTS
from dpstudio.privacy.mechanisms import Additive
from dpstudio.values.problem import Problem


def with_release(lab: Composition, mechanism: Additive) -> Composition:
    """The lab with one more line at the end of its list: the mechanism at its ε and δ. A new list
    keeps what was locked."""
    new = lab.given != "list"
    started = (entry for entry in lab.releases if entry.locked) if new else lab.releases
    return lab.with_(given="list", releases=(*started, str(Line(1, mechanism))))


def _taking(lab: Composition, other: Lab) -> Composition | None:
    mechanism = getattr(other, "mechanism", None)
    return with_release(lab, mechanism) if isinstance(mechanism, Additive) else None


def _problems(lab: Composition, data: Dataset) -> Iterator[Problem]:
    yield from series_problems(known.composition_model(lab, data))


def _refused(lab: Composition, data: Dataset) -> Refused:
    model = known.composition_model(lab, data)
    why = {kind.key: why_not(model, known.bound_of(model, kind.key)) for kind in ACCOUNTANTS}
    return {"bounds": {key: said for key, said in why.items() if said is not None}}


def _stages(lab: Composition, context: Context) -> Iterator[CompositionModel]:
    yield known.composition_model(lab, context.data, effort=context.effort)
    fine = known.composition_model(lab, context.data, fine=True, effort=context.effort)
    for _ in _pieces(fine):
        context.check()
    yield fine


def _pieces(model: CompositionModel) -> Iterator[object]:
    """Work out what is slow piece by piece, so that a newer state can cut in between."""
    for bound in known.bounds(model):
        yield total_here(model, bound)
        for k in () if model.equal else marks(model, bound):
            yield total_of_first(model, bound, int(k))
        yield curve(model, bound)
    for bound in over_delta(model):
        yield privacy_curve(model, bound)
    for bound in budget.sought(model):
        yield budget.keep(model, bound)
    for bound in budget.applying(model) if model.equal else ():
        yield budget.affordable(model, bound)
        yield budget.epsilon_each(model, bound)
    for bound in ended(model):
        yield curve(model, bound)
    yield group_promise(model)


def _charts(model: CompositionModel) -> Iterator[Figure]:
    yield total_chart(model)
    yield charts.loose_chart(model)
    if model.equal:
        yield afford_chart(model)
    elif budget.kept_by_bound(model):
        yield keep_chart(model)
    yield charts.privacy_chart(model)
    if model.equal:
        yield each_chart(model)
    yield charts.group_chart(model)


PAGE = Page(
    stages=_stages,
    charts=_charts,
    facts=facts,
    leads=("afford", "averaged", "from", "keeps", "claimed"),
    sentences=sentences,
    tables=tables,
    headline=headline,
    outcomes=plan,
    problems=_problems,
    refused=_refused,
    taking=_taking,
    awaits=awaited,
    refines=(
        "total",
        "tightest",
        "saved",
        "adaptive",
        "numeric",
        "least",
        "mitigations",
        "loose",
        "afford",
        "privacy",
        "each",
        "group",
    ),
)
