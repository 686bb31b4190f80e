"""The charts of an erratum, without the side that is switched off, and what an audit proves."""

from collections.abc import Iterator
from dataclasses import replace

from dpstudio.charts.figure import Axis, Figure, Layer, Rule, nice_above
from dpstudio.labs.audit_bounds import SOURCE, bounds_by_draws
from dpstudio.labs.promise.printed.audits import Verdict
from dpstudio.labs.promise.printed.listings import erratum
from dpstudio.labs.promise.printed.model import Reading
from dpstudio.values.messages import Num, say

_HIDDEN = {"both": (), "printed": (erratum.CORRECTED,), "corrected": (erratum.PRINTED,)}


def charts(model: Reading) -> Iterator[Figure]:
    """The erratum's own, and behind them that of the audit."""
    found = model.audited
    figures = (*model.case.figures, audit_chart(found)) if found else model.case.figures
    hidden = _HIDDEN[model.lab.view]
    return (
        replace(
            figure,
            layers=tuple(layer for layer in figure.layers if not layer.key.startswith(hidden)),
        )
        for figure in figures
    )


def audit_chart(found: Verdict) -> Figure:
    """The lower bounds on the ε of both channels as the draws grow, with what is declared."""
    was, now = found.was, found.now
    curves = [bounds_by_draws(one.steps, found.confidence, 0.0) for one in (was, now)]
    rules: tuple[tuple[str, str, float, str], ...] = (
        (f"{erratum.PRINTED}claim", "second", was.claim, "dot"),
        (f"{erratum.CORRECTED}claim", "first", now.claim, "dot"),
    )
    if was.claim == now.claim:
        rules = (("claim", "target", was.claim, "solid"),)
    claims: tuple[Layer, ...] = tuple(
        Rule(key, ink, say("declared ε = {claim}", claim=Num(at, 4)), at, axis="y", dash=dash)
        for key, ink, at, dash in rules
    )
    top = nice_above(1.15 * max(was.claim, now.claim, was.bound, now.bound, 0.01))
    return Figure(
        "audit",
        say("What an audit proves"),
        Axis(say("draws on each side"), log=True, range=(150.0, 2.4e4)),
        Axis(say("lower bound on ε"), range=(0.0, top)),
        (
            *claims,
            erratum.corrected("audit", erratum.VERSIONS[1], *curves[1]),
            erratum.printed("audit", erratum.VERSIONS[0], *curves[0]),
        ),
        say(
            "{confidence} confidence; above what is declared a promise is broken",
            confidence=Num(found.confidence, percent=True),
        ),
        simulated=True,
        source=SOURCE,
    )
