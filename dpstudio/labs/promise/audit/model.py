"""What an audit knows: the trials of one subject, and of every subject of the catalogue."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.data.memory import OF_NO_TABLE, Memory
from dpstudio.labs.context import Context, Effort
from dpstudio.labs.memo import once
from dpstudio.labs.promise.audit.parameters import Audit
from dpstudio.privacy.attacks import audit as attacks_audit
from dpstudio.privacy.attacks.draws import FIRST, outputs, scores
from dpstudio.privacy.attacks.subject import Subject
from dpstudio.privacy.attacks.subjects import everyone
from dpstudio.privacy.sampling import SimulationRandom
from dpstudio.values.messages import Message, say

SWEEP = 100_000
_SHOWN = 50_000
SWEPT = Memory(1 << 24)  # every subject, audited: no table is asked, so one does for all


@dataclass(frozen=True, eq=False)
class Audited:
    """A subject of the catalogue as it is by default, with its audit and its exact ε."""

    subject: Subject
    trial: attacks_audit.Trial
    exact: float

    @property
    def broken(self) -> bool:
        """Whether the claim is broken by the exact law."""
        return self.exact > self.subject.claim[0] * (1 + 1e-9)


@dataclass(frozen=True, eq=False)
class AuditModel:
    """One state of the lab on so many draws of each side. `claim` and `delta` are what the subject
    declares, `exact` the smallest true ε at that δ; `steps` are whole audits, the last one of all
    draws; `catalogue` is empty until every subject is audited."""

    lab: Audit
    data: Dataset
    effort: Effort
    trials: int
    claim: float
    delta: float
    exact: float
    steps: tuple[attacks_audit.Trial, ...]
    catalogue: tuple[Audited, ...]

    @property
    def subject(self) -> Subject:
        """What is audited."""
        return self.lab.subject

    @property
    def trial(self) -> attacks_audit.Trial:
        """The audit with all draws."""
        return self.steps[-1]


def audit_model(lab: Audit, context: Context, trials: int) -> AuditModel:
    """The state of the lab on `trials` draws; what was worked out before is remembered.
    Raises Stopped where the run is cancelled."""
    data, effort, subject = context.data, context.effort, lab.subject
    delta, most = subject.claim[1], effort.of_points(15)

    def steps() -> tuple[attacks_audit.Trial, ...]:
        both = _scores(lab, context, trials)
        return attacks_audit.growing((both[0], both[1]), lab.split, delta, most)

    return AuditModel(
        lab,
        data,
        effort,
        trials,
        subject.claim[0],
        delta,
        float(OF_NO_TABLE.remember(("audit", "exact", subject), subject.exact)),
        OF_NO_TABLE.remember((*_question(lab), "steps", trials, lab.split, most), steps),
        SWEPT.recall(_sweep_question(lab, effort)) or (),
    )


def _question(lab: Audit) -> tuple[object, ...]:
    return "audit", lab.subject, lab.events, lab.seed


def drawn(lab: Audit, trials: int) -> bool:
    """Whether so many draws are at hand."""
    return OF_NO_TABLE.known((*_question(lab), trials))


def _scores(lab: Audit, context: Context, trials: int) -> Array:
    """The score of every draw under D and under D′, shape (2, trials)."""
    told = _telling(context, say("Drawing outputs"))
    return OF_NO_TABLE.remember(
        (*_question(lab), trials), lambda: scores(lab.subject, lab.events, lab.seed, trials, told)
    )


def _telling(
    context: Context, doing: Message, start: float = 0.0, part: float = 1.0
) -> Callable[[float], None]:
    """What long work tells the context: that it is at a share of this part of all; it raises
    Stopped where nobody waits."""

    def told(share: float) -> None:
        context.check()
        context.progress(start + part * share, doing)

    return told


def _sweep_question(lab: Audit, effort: Effort) -> tuple[object, ...]:
    return lab.events, lab.seed, effort.of_draws(SWEEP)


def swept(lab: Audit, context: Context) -> bool:
    """Whether every subject has been audited."""
    return SWEPT.known(_sweep_question(lab, context.effort))


def sweep(lab: Audit, context: Context) -> tuple[Audited, ...]:
    """Audit every subject as it is by default, half of the draws choosing the event; remembered.
    Raises Stopped where the run is cancelled."""
    return SWEPT.remember(_sweep_question(lab, context.effort), lambda: _sweep(lab, context))


def _sweep(lab: Audit, context: Context) -> tuple[Audited, ...]:
    found, trials, all_of_them = [], context.effort.of_draws(SWEEP), everyone()
    for place, subject in enumerate(all_of_them):
        start, part = place / len(all_of_them), 1 / len(all_of_them)
        told = _telling(context, say("Auditing {name}", name=Message(subject.name)), start, part)
        told(0.0)
        both = scores(subject, lab.events, lab.seed, trials, told)
        trial = attacks_audit.audit((both[0], both[1]), 0.5, subject.claim[1])
        found.append(Audited(subject, trial, subject.exact()))
    return tuple(found)


@once
def bound(model: AuditModel) -> float:
    """The lower bound on ε from all draws."""
    return model.trial.bound(model.lab.confidence, model.delta)


def exposed(model: AuditModel) -> bool:
    """Whether the draws prove that the claim is broken."""
    return bound(model) > model.claim


def broken(model: AuditModel) -> bool:
    """Whether the claim is broken by the exact law."""
    return model.exact > model.claim * (1 + 1e-9)


@once
def most_provable(model: AuditModel) -> float:
    """The largest bound that so many draws can give."""
    return attacks_audit.ceiling(model.trial.tests, model.lab.confidence, model.delta)


def all_scores(model: AuditModel) -> tuple[Array, Array]:
    """The score of every draw under D and under D′, shape (trials,) each."""
    both = _scores(model.lab, Context(model.data), model.trials)
    return both[0], both[1]


def sample(model: AuditModel) -> tuple[Array, Array] | None:
    """Some outputs under D and D′ for a histogram; None where they are vectors."""
    subject, seed = model.subject, model.lab.seed
    if subject.outputs(SimulationRandom(seed, 11, 0, 0).generator, 0, 1).ndim > 1:
        return None
    first = OF_NO_TABLE.remember(
        ("audit", "outputs", subject, seed),
        lambda: tuple(outputs(subject, seed, side, 0) for side in (0, 1)),
    )
    return first[0], first[1]


def many_shown(model: AuditModel) -> int:
    """How many outputs, or scores of vectors, of each side a histogram is made of."""
    some = sample(model)
    return min(_SHOWN, model.trials) if some is None else len(some[0])


def events_curves(model: AuditModel) -> dict[int, tuple[Array, Array, Array]]:
    """For each tail (thresholds, bound on the choosing draws, bound on the testing draws)."""
    lab, most = model.lab, model.effort.of_points(90)
    question = ("curves", model.trials, lab.split, lab.confidence, most)
    return OF_NO_TABLE.remember((*_question(lab), *question), lambda: _curves(model, most))


def _curves(model: AuditModel, most: int) -> dict[int, tuple[Array, Array, Array]]:
    cut, both = model.trials - model.trial.tests, all_scores(model)
    halves = [
        (np.sort(both[0][part]), np.sort(both[1][part])) for part in (slice(cut), slice(cut, None))
    ]
    # The dot stands on its curve.
    at = np.unique(np.append(attacks_audit.thresholds(*halves[0], most), model.trial.event.at))
    out: dict[int, tuple[Array, Array, Array]] = {}
    for tail in (attacks_audit.ABOVE, attacks_audit.BELOW):
        bounds = []
        for half in halves:
            here, there = (attacks_audit.counts(side, at, tail) for side in half)
            # The other way round nothing is proved.
            more, fewer = np.maximum(here, there), np.minimum(here, there)
            bounds.append(
                attacks_audit.lower_epsilon(
                    more, fewer, len(half[0]), model.lab.confidence, model.delta
                )
            )
        out[tail] = array(at), array(bounds[0]), array(bounds[1])
    return out


def joint(model: AuditModel) -> float:
    """The confidence of each audit of the catalogue with which all of them hold together
    (Bonferroni)."""
    return 1 - (1 - model.lab.confidence) / max(1, len(model.catalogue))


@once
def joint_bounds(model: AuditModel) -> tuple[float, ...]:
    """The lower bound on the ε of each of the catalogue, at the joint confidence."""
    trials = [(one.trial.hits, one.trial.others, one.trial.tests) for one in model.catalogue]
    hits, others, tests = np.array(trials).T
    deltas = np.array([one.subject.claim[1] for one in model.catalogue])
    return tuple(attacks_audit.lower_epsilon(hits, others, tests, joint(model), deltas).tolist())


def stage_sizes(lab: Audit, context: Context) -> tuple[int, ...]:
    """Numbers of draws: while all are made a picture of few of them is shown; what is remembered
    needs no such stage."""
    trials = context.effort.of_draws(lab.trials)
    first = trials <= FIRST or drawn(lab, trials)
    return (trials,) if first else (FIRST, trials)
