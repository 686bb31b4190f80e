"""Hidden rules' chart and table: the rules before and after one is hidden."""

from collections.abc import Iterator, Sequence

from dpstudio.charts.figure import Axis, Dots, Figure, Rule
from dpstudio.labs.findings import Table
from dpstudio.labs.percents import percent_ticks
from dpstudio.labs.whole_tables.rules.model import RulesModel, before, outcomes, told
from dpstudio.privacy.anonymity.rules import AssociationRule
from dpstudio.values.messages import Message, Num, say

_LINES = 12
_SOURCE = "Verykios, Elmagarmid, Bertino, Saygin & Dasseni 2004"
Picks = tuple[tuple[tuple[str, object], ...], ...]


def rule_charts(model: RulesModel) -> Iterator[Figure]:
    """Support and confidence of each rule, and what became of it."""
    lab, found = model.lab, outcomes(model)
    every = *before(model), *found.ghosts
    # What is drawn stands at or above both thresholds, which have some room to be seen.
    left, right = _around(lab.support, [rule.support for rule in every])
    low, high = _around(lab.sure, [rule.confidence for rule in every])
    yield Figure(
        "operated",
        say("Rules"),
        Axis(say("support"), range=(left, right), ticks=percent_ticks(left, min(right, 1.0))),
        Axis(say("confidence"), range=(low, high), ticks=percent_ticks(low, min(high, 1.0))),
        (
            _dots("kept", "first", say("stay"), found.kept, picks=_picks(model, found.kept)),
            _dots("lost", "muted", say("lost"), found.lost, picks=_picks(model, found.lost)),
            _dots("ghosts", "second", say("made up"), found.ghosts),
            _dots("secret", "gaussian", say("hidden"), found.secret, "star"),
            Rule("support", "muted", _least(lab.support), lab.support, dash="dot"),
            Rule("sure", "muted", _least(lab.sure), lab.sure, axis="y", dash="dot"),
        ),
        say("a click hides another one"),
        exact=True,
        simulated=True,
        source=_SOURCE,
    )


def _around(least: float, shares: Sequence[float]) -> tuple[float, float]:
    """An axis from a threshold to the largest share, with a tenth beside each, where a mark at the
    edge is whole."""
    most = max([least, *shares])
    room = 0.1 * max(most - least, 0.05)
    return max(least - room, -0.1 * room), most + room


def _least(share: float) -> Message:
    return say("at least {share}", share=Num(share, 3, percent=True))


def _picks(model: RulesModel, rules: Sequence[AssociationRule]) -> Picks:
    """Each of these rules as the one that is hidden."""
    every = before(model)
    return tuple((("rank", every.index(rule) + 1),) for rule in rules)


def _dots(
    key: str,
    ink: str,
    label: Message,
    rules: Sequence[AssociationRule],
    marker: str = "",
    picks: Picks = (),
) -> Dots:
    x, y = [rule.support for rule in rules], [rule.confidence for rule in rules]
    return Dots(key, ink, label, x, y, marker=marker, picks=picks)


def rule_table(model: RulesModel) -> Iterator[Table]:
    """The rules, the surest first, and what became of each."""
    found = outcomes(model)
    fate = {(rule.given, rule.then): say("lost") for rule in found.lost}
    fate |= {(rule.given, rule.then): say("hidden") for rule in found.secret}
    kept = say("stays")
    rules = before(model)[:_LINES]
    ghosts = found.ghosts[: _LINES - 1]
    every = (*rules, *ghosts)
    ends = [fate.get((rule.given, rule.then), kept) for rule in rules]
    ends += [say("made up")] * len(ghosts)
    columns = (
        ("if", tuple(told(model, rule.given) for rule in every)),
        ("then", tuple(told(model, rule.then) for rule in every)),
        ("support", tuple(Num(rule.support, 3, percent=True) for rule in every)),
        ("confidence", tuple(Num(rule.confidence, 3, percent=True) for rule in every)),
        ("lift", tuple(Num(rule.lift, 3) for rule in every)),
        ("fate", tuple(ends)),
    )
    heads = (say("if"), say("then"), say("support"), say("confidence"), say("lift"), say("fate"))
    title = say("Association rules, highest confidence first")
    yield Table("rules", title, columns, shown=True, heads=heads, exact=True)
