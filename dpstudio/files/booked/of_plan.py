"""A solved plan as a ledger books it: at one price, worked out where the plan shows it."""

from __future__ import annotations

from dpstudio.files.booked.approving import eyes
from dpstudio.files.ledgers.amounts import Cost, LedgerError, Terms
from dpstudio.files.ledgers.book import Line, Plan
from dpstudio.plans import plan as plans
from dpstudio.plans.charge import GAUSSIAN
from dpstudio.values.messages import N_, say
from dpstudio.values.parameters import to_json

# What changes no draw: the same question under another name is the same question.
_NO_LAW = ("name", "importance", "target", "who", "origin", "spend")


def booked_plan(plan: plans.Plan) -> Plan:
    """The plan for a ledger whose unit is a person. Raises LedgerError for one that has no split,
    costs more than it may, or is to look at."""
    if plan.terms.purpose != plans.RELEASE:
        raise LedgerError(say(_LOOKED))
    if not plan.split or not plan.keeps:
        raise LedgerError(say(_UNSOLVED))
    parts = plan.parts([s.noise for s in plan.split], [s.cost for s in plan.split])
    common = [plan.terms.adjacency, plan.terms.rows, plan.terms.columns]
    lines = []
    for question, share, part in zip(plan.questions, plan.split, parts, strict=True):
        law = {name: value for name, value in to_json(question).items() if name not in _NO_LAW}
        asked = [law, share.noise, str(share.cost), *common]
        epsilon = None if part.known == GAUSSIAN else part.epsilon
        lines.append(Line(question.name, asked, Cost(epsilon, rho=part.rho)))
    whole = Cost(plan.charge.epsilon, plan.charge.delta, plan.charge.rho)
    terms = Terms(adjacency=plan.terms.adjacency)
    return Plan(terms, tuple(lines), plans.digest(plan), whole, eyes(plan), plan.terms.population)


_LOOKED = N_("A plan to look at is not booked: it may follow from exact answers.")
_UNSOLVED = N_("The plan has no split below its ε and δ yet: dpstudio plan FILE solve.")
