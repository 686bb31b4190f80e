"""The page of the lab Hidden rules."""

from collections.abc import Iterator

from dpstudio.data.codebook import QUASI, SENSITIVE
from dpstudio.data.column_roles import columns_for
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context
from dpstudio.labs.lacking import few_to_hide, short
from dpstudio.labs.page import Page
from dpstudio.labs.whole_tables.rows.table import known_names, named, suited_sensitive, unasked
from dpstudio.labs.whole_tables.rules import charts, parameters, words
from dpstudio.labs.whole_tables.rules.model import RulesModel, found
from dpstudio.values.messages import N_, say
from dpstudio.values.parameters import ParamError
from dpstudio.values.problem import Problem

_LEAST = {"support": 0.01, "sure": 0.05}


def _stages(lab: parameters.Rules, context: Context) -> Iterator[RulesModel]:
    yield RulesModel(lab, context.data)


def _problems(lab: parameters.Rules, data: Dataset) -> Iterator[Problem]:
    yield from (stopped := tuple(unasked(lab.show_truth, data)))
    if stopped:
        return
    names = known_names(lab.known, data)
    if data.rows < 2:
        yield Problem("data", few_to_hide(data.rows, names or (lab.sensitive,)))
        return
    try:
        if not found(lab, data):
            text = N_(
                "No rule from {known} to “{column}” is found. Ask for less support or confidence, "
                "or for others."
            )
            found_by = short(names or (lab.sensitive,))
            yield Problem("support", say(text, known=found_by, column=lab.sensitive))
    except ParamError as error:
        yield Problem(error.field, error.sentence)


def _suited(lab: parameters.Rules, data: Dataset) -> parameters.Rules:
    """With columns that the table has, of few words where others must be taken, and with any rule
    at all."""
    lab = lab.with_(sensitive=suited_sensitive(lab.sensitive, data))
    apart = (c for c in named(data) if c != lab.sensitive and data.more_than(c, 1))
    few = [name for name in apart if not data.more_than(name, 20)]
    if not {*known_names(lab.known, data)} & {*few}:
        lab = lab.with_(known=tuple(columns_for(data, QUASI, few))[:8] or (lab.sensitive,))
    if not data.rows or _any(lab, data):
        return lab
    lab = lab.with_(**_LEAST)
    others = (lab.with_(sensitive=name) for name in columns_for(data, SENSITIVE, few))
    return next((other for other in (lab, *others) if _any(other, data)), lab)


def _any(lab: parameters.Rules, data: Dataset) -> bool:
    """Whether a rule is found, or something else stops it first."""
    try:
        return bool(found(lab, data))
    except ParamError:
        return True


PAGE = Page(
    row_by_row=True,
    stages=_stages,
    charts=charts.rule_charts,
    facts=words.facts,
    leads=("ghosts",),
    sentences=words.sentences,
    headline=lambda model: ("operated", "rule", "promise"),
    tables=charts.rule_table,
    problems=_problems,
    suited=_suited,
)
