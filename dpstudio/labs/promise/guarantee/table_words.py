"""Guarantee's tables: the exact law against what (ε, δ) allows; two mechanisms of one (ε, δ)."""

import math

from dpstudio.labs.findings import Table
from dpstudio.labs.promise.guarantee import attack
from dpstudio.labs.promise.guarantee.loss import fates, largest_loss, passing
from dpstudio.labs.promise.guarantee.model import GuaranteeModel, in_row, whole_pair
from dpstudio.labs.promise.guarantee.terms import chance, passed, share
from dpstudio.values.messages import N_, Message, Num, say

# By whether the promise is kept.
_ALLOW = {True: N_("ε and δ allow"), False: N_("ε and δ would allow")}


def tables(model: GuaranteeModel) -> tuple[Table, ...]:
    """What an attacker can gain; how it compares with Gaussian noise where that is drawn."""
    return (_risk_table(model), *((_fates_table(model),) if model.late else ()))


def _risk_table(model: GuaranteeModel) -> Table:
    lab, epsilon, delta = model.lab, model.epsilon, model.delta
    most, allowed = largest_loss(model), math.inf if delta else epsilon
    naming = attack.named(model)
    prior, alpha = Num(lab.prior, 4, percent=True), Num(lab.false_positives, 3, percent=True)
    rows: tuple[tuple[Message, Num, Num], ...] = (
        (say("largest privacy loss"), Num(most, 4, "up"), Num(allowed, 5)),
        (
            say("δ at ε = {epsilon}", epsilon=Num(epsilon, 5)),
            chance(whole_pair(model).delta(epsilon)),
            Num(delta, 3, "up"),
        ),
        (
            say("advantage: true minus false positive rate"),
            share(whole_pair(model).advantage),
            share(attack.advantage_allowed(model)),
        ),
        (
            say("found at {alpha} false alarms", alpha=alpha),
            share(attack.hits(model)),
            share(attack.hits_allowed(model)),
        ),
        (
            say("most certain after any answer, from {prior}", prior=prior),
            share(attack.belief_after(model, most)),
            share(attack.belief_after(model, allowed)),
        ),
        (say("one named among {n}", n=Num(lab.people)), share(naming.exact), share(naming.allowed)),
    )
    return Table(
        "risk",
        say("What an attacker can gain"),
        tuple(zip(("quantity", "exact", "allowed"), zip(*rows, strict=True), strict=True)),
        shown=True,
        heads=(say("At most"), say("this noise"), Message(_ALLOW[model.promise.kept])),
        exact=in_row(model),
    )


def _fates_table(model: GuaranteeModel) -> Table:
    epsilon = model.epsilon
    rows = [
        (
            Message(mechanism.label),
            Num(mechanism.epsilon, 5),
            Num(mechanism.total_delta, 3, "up"),
            Num(math.sqrt(law.variance), 3, "up"),
            passed(passing(whole, epsilon * (1 + 1e-9))),
            passed(passing(whole, 2 * epsilon)),
            Num(whole.certain, 3, "up"),
            share(whole.advantage),
        )
        for mechanism, law, whole in fates(model)
    ]
    heads = {
        "mechanism": say("Mechanism"),
        "epsilon": say("ε"),
        "delta": say("δ"),
        "deviation": say("std deviation"),
        "beyond": say("loss above ε"),
        "twice": say("above 2ε"),
        "certain": say("told for certain"),
        "advantage": say("advantage"),
    }
    return Table(
        "equal",
        say("Same ε and δ"),
        tuple(zip(heads, zip(*rows, strict=True), strict=True)),
        shown=True,
        heads=tuple(heads.values()),
        exact=in_row(model),
    )
