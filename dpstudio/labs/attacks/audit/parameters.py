"""Audit: what draws alone prove about a mechanism, as a lower bound on its ε, against what it
claims."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.attacks.audit import ABOUT
from dpstudio.labs.attacks.audit.charts import (
    bounds_chart,
    catalogue_chart,
    events_chart,
    outputs_chart,
)
from dpstudio.labs.attacks.audit.words import facts, sentences, tables
from dpstudio.labs.context import Cancelled, never
from dpstudio.labs.findings import Findings
from dpstudio.labs.page import Lab
from dpstudio.privacy.attacks.audit import Trial, audit, ceiling, sizes
from dpstudio.privacy.attacks.subject import L2Laplace, Subject, score
from dpstudio.privacy.attacks.subjects import SUBJECTS, everyone
from dpstudio.values.messages import N_
from dpstudio.values.params import Choice, Integer, OneOf, Real, param

EVENTS = {"loss": N_("the largest privacy loss"), "lines": N_("half-lines of the output")}
FIRST = 5_000
SWEEP = 100_000
_CELLS = 1_000_000


@dataclass(frozen=True)
class Audit(Lab, about=ABOUT):
    """A mechanism is run many times on D and on D′; an event that is too likely under one of them
    proves a larger ε."""

    subject: Subject = param(
        L2Laplace(),
        OneOf(
            N_("Audited"),
            N_("A right mechanism or a wrong one."),
            family=lambda: SUBJECTS,
            apart=True,
        ),
    )
    trials: int = param(
        100_000,
        Integer(
            N_("Draws"),
            N_("How often it is run on D, and as often on D′."),
            low=1_000,
            high=1_000_000,
            log=True,
        ),
    )
    confidence: float = param(
        0.95,
        Real(
            N_("Confidence"),
            N_("How rarely the bound may be wrong: in 5 % of audits at 95 %."),
            low=0.5,
            high=0.9999,
        ),
    )
    events: str = param(
        "loss",
        Choice(
            N_("Events"),
            N_(
                "What the auditor looks at: likelihood ratios, which need the law, or the size of "
                "the output."
            ),
            options=EVENTS,
        ),
    )
    split: float = param(
        0.5,
        Real(
            N_("Share that chooses"),
            N_("This part of the draws chooses the event; the others test it."),
            low=0.1,
            high=0.9,
        ),
    )
    seed: int = shared.seed()

    def run(self, data: Dataset, cancelled: Cancelled = never) -> Iterator[Findings]:  # type: ignore[override]
        # While draws are made, a picture of few of them; what is remembered needs no such stage.
        known = AuditModel(self, data, self.trials).drawn
        for trials in (self.trials,) if known or self.trials <= FIRST else (FIRST, self.trials):
            model = AuditModel(self, data, trials)
            if not model.draw(cancelled):
                return
            yield self._found(model)
            if cancelled():
                return
        if not model.swept and model.sweep(cancelled):
            yield self._found(model)

    def _found(self, model: AuditModel) -> Findings:
        figures = [bounds_chart(model), outputs_chart(model), events_chart(model)]
        if model.swept:
            figures.append(catalogue_chart(model))
        return Findings(
            tuple(figures),
            facts(model),
            sentences(model),
            tables(model),
            headline=("verdict", "ground"),
        )


class AuditModel:
    """One state of the lab on so many draws. Everything is worked out when it is first asked for,
    and remembered."""

    def __init__(self, lab: Audit, data: Dataset, trials: int):
        self.lab, self.data, self.trials = lab, data, trials
        self.subject: Subject = lab.subject
        self.claim, self.delta = lab.subject.claim
        self._question = ("audit", lab.subject, lab.events, lab.seed)

    @property
    def drawn(self) -> bool:
        return self.data.known((*self._question, self.trials))

    def draw(self, cancelled: Cancelled = never) -> bool:
        """Make the draws; False where that was cancelled."""
        question = (*self._question, self.trials)
        if not self.data.known(question):
            scores = draws(self.subject, self.lab.events, self.lab.seed, self.trials, cancelled)
            if scores is None:
                return False
            self.data.remember(question, lambda: scores)
        return True

    @cached_property
    def scores(self) -> tuple[Array, Array]:
        """The score of every draw under D and under D′, shape (trials,) each."""
        both = self.data.remember((*self._question, self.trials), self._draws)
        return both[0], both[1]

    def _draws(self) -> Array:
        """Where the memory has forgotten them meanwhile."""
        made = draws(self.subject, self.lab.events, self.lab.seed, self.trials, never)
        assert made is not None
        return made

    @cached_property
    def steps(self) -> tuple[Trial, ...]:
        """Whole audits, each with fewer draws than the next; the last one has all."""
        return self.data.remember(
            (*self._question, "steps", self.trials, self.lab.split),
            lambda: tuple(
                audit((self.scores[0][:n], self.scores[1][:n]), self.lab.split, self.delta)
                for n in sizes(self.trials)
            ),
        )

    @property
    def trial(self) -> Trial:
        return self.steps[-1]

    @property
    def bound(self) -> float:
        """The lower bound on ε from all draws."""
        return self.trial.bound(self.lab.confidence, self.delta)

    @property
    def exposed(self) -> bool:
        return self.bound > self.claim

    @cached_property
    def exact(self) -> float:
        return float(self.data.remember(("audit", "exact", self.subject), self.subject.exact))

    @property
    def broken(self) -> bool:
        return self.exact > self.claim * (1 + 1e-9)

    @property
    def ceiling(self) -> float:
        """The largest bound that so many draws can give."""
        return ceiling(self.trial.tests, self.lab.confidence, self.delta)

    @property
    def halves(self) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        """The scores that chose the event and those that tested it, each as (D, D′), unsorted."""
        cut = self.trials - self.trial.tests
        one, other = self.scores
        return (one[:cut], other[:cut]), (one[cut:], other[cut:])

    @cached_property
    def sample(self) -> tuple[Array, Array] | None:
        """Some outputs under D and D′ for a histogram; None where they are vectors."""
        question = ("audit", "outputs", self.subject, self.lab.seed)
        first = self.data.remember(
            question, lambda: tuple(_block(self.subject, self.lab.seed, side, 0) for side in (0, 1))
        )
        return None if first[0].ndim > 1 else (first[0], first[1])

    @property
    def swept(self) -> bool:
        return self.data.known(self._sweep_question)

    @property
    def _sweep_question(self) -> tuple[object, ...]:
        return ("audit", "sweep", self.lab.events, self.lab.seed)

    def sweep(self, cancelled: Cancelled = never) -> bool:
        """Audit every subject as it is by default, half of the draws choosing; False where that was
        cancelled."""
        found = []
        for subject in everyone():
            scores = draws(subject, self.lab.events, self.lab.seed, SWEEP, cancelled)
            if scores is None:
                return False
            found.append(
                (subject, audit((scores[0], scores[1]), 0.5, subject.claim[1]), subject.exact())
            )
        self.data.remember(self._sweep_question, lambda: tuple(found))
        return True

    @property
    def everyone(self) -> tuple[tuple[Subject, Trial, float], ...]:
        """(subject, its audit, its exact ε) of the whole catalogue; empty until it is swept."""
        return self.data.remember(self._sweep_question, lambda: ()) if self.swept else ()

    @property
    def joint(self) -> float:
        """The confidence of each audit of the catalogue with which all of them hold together
        (Bonferroni)."""
        return 1 - (1 - self.lab.confidence) / max(1, len(self.everyone))


def draws(
    subject: Subject, events: str, seed: int, trials: int, cancelled: Cancelled
) -> Array | None:
    """Scores of `trials` outputs on each side, shape (2, trials), in blocks with streams of their
    own: more draws begin with the same ones. None where it was cancelled."""
    out = np.empty((2, trials))
    for side in (0, 1):
        done = block = 0
        while done < trials:
            if block and cancelled():
                return None
            part = score(subject, events, _block(subject, seed, side, block))[: trials - done]
            out[side, done : done + len(part)] = part
            done, block = done + len(part), block + 1
    return array(out)


def _block(subject: Subject, seed: int, side: int, block: int) -> Array:
    """Outputs number `block` of one side: first a small block, for the first picture, then large
    ones."""
    rng = np.random.Generator(np.random.SFC64([seed, 11, side, block]))
    wide = int(getattr(subject, "dims", 1))
    return subject.outputs(
        rng, side, FIRST if block == 0 else max(FIRST, min(50_000, math.ceil(_CELLS / wide)))
    )
