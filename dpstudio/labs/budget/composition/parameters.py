"""Composition: what many answers cost, by every bound that the field knows, on equal answers or on
a list of different ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dpstudio.data.dataset import Dataset
from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.budget.composition import ABOUT
from dpstudio.labs.budget.composition.attack import UNIT
from dpstudio.labs.budget.composition.attack_charts import attack_chart, right_chart
from dpstudio.labs.budget.composition.budget import afford_chart, each_chart, keep_chart
from dpstudio.labs.budget.composition.charts import (
    group_chart,
    ledger_chart,
    loose_chart,
    privacy_chart,
    total_chart,
)
from dpstudio.labs.budget.composition.model import CompositionModel
from dpstudio.labs.budget.composition.releases import Entry, Line, Releases
from dpstudio.labs.budget.composition.words import facts, sentences, tables
from dpstudio.labs.context import Cancelled, never
from dpstudio.labs.findings import Findings
from dpstudio.labs.page import Lab
from dpstudio.privacy.accounting import ACCOUNTANTS
from dpstudio.privacy.mechanisms import MECHANISMS, Additive
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.values.messages import N_, Num, Say, say
from dpstudio.values.params import Choice, Integer, OneOf, Real, Several, param
from dpstudio.values.problem import Problem

GIVEN = {"equal": N_("k equal answers"), "list": N_("a list of answers")}
SCALES = {"log": N_("logarithmic"), "linear": N_("linear")}
K_HIGH = 1_000_000
SHOWN = ("sequential", "drv", "kov35", "optimal", "zcdp_tight", "renyi", "gdp", "pld", "shortcut")
DELTA_PRIME = Real(
    N_("δ′"),
    N_("What composition may add to the δ of the answers, once for all of them."),
    low=1e-12,
    high=0.1,
    log=True,
)


@dataclass(frozen=True)
class Composition(Lab, about=ABOUT):
    """Total ε of many answers by every bound, what a budget buys, and what whoever averages the
    answers learns."""

    given: str = param(
        "equal",
        Choice(N_("Answers"), N_("Equal ones, or a list of different ones."), options=GIVEN),
    )
    mechanism: Additive = param(
        Laplace(epsilon=1.0), OneOf(N_("Mechanism"), family=lambda: MECHANISMS)
    )
    answers: int = param(
        500,
        Integer(
            N_("Answers k"),
            N_("How many such answers are published in all."),
            low=1,
            high=K_HIGH,
            log=True,
        ),
    )
    releases: tuple[Entry, ...] = param(
        "3 x laplace 0.1 | gaussian 0.5 1e-6 | (laplace 0.2 + laplace 0.3)",
        Releases(
            N_("Releases"),
            N_(
                "Each as: how many x mechanism ε δ. Brackets hold disjoint parts of the table, "
                "joined by +. "
                "“locked” at the end keeps a release as it is."
            ),
        ),
    )
    delta_prime: float = param(1e-5, DELTA_PRIME)
    adjacency: str = shared.adjacency()
    people: int = param(
        2,
        Integer(
            N_("Group of"),
            N_("How many people a group has whose privacy is looked at."),
            low=1,
            high=10,
        ),
    )
    bounds: tuple[str, ...] = param(
        SHOWN,
        Several(
            N_("Bounds"),
            N_("Which are drawn and compared."),
            options=lambda: {a.key: a.label for a in ACCOUNTANTS},
        ),
    )
    budget: float = param(
        10.0,
        Real(
            N_("Budget ε"),
            N_("The total ε that all answers may cost together."),
            low=0.01,
            high=10_000,
            log=True,
        ),
    )
    scale: str = param("linear", Choice(N_("Axes"), options=SCALES))
    view_k: int = param(
        1_000,
        Integer(
            N_("Draw k up to"),
            N_("How far the charts reach, at least."),
            low=10,
            high=K_HIGH,
            log=True,
        ),
    )
    seed: int = shared.seed()

    def with_release(self, mechanism: Additive) -> Composition:
        """This lab with one more line at the end of its list: the mechanism at its ε and δ. A new
        list keeps what was locked."""
        started = (
            self.releases
            if self.given == "list"
            else tuple(entry for entry in self.releases if entry.locked)
        )
        return self.with_(given="list", releases=(*started, str(Line(1, mechanism))))

    def taking(self, other: Lab) -> Composition | None:
        mechanism = getattr(other, "mechanism", None)
        return self.with_release(mechanism) if isinstance(mechanism, Additive) else None

    def problems(self, data: Dataset) -> Iterator[Problem]:
        model = CompositionModel(self, data, fine=False)
        if model.delta >= 1:
            text = N_(
                "These answers have a δ of {delta} in all, which promises nothing. Take fewer "
                "answers, or a smaller δ."
            )
            yield Problem(
                "mechanism.delta" if model.equal else "releases",
                say(text, delta=Num(min(model.delta, 1.0))),
            )
            return
        try:
            model.ledger.worlds()
        except ValueError:
            yield Problem(
                "releases",
                say("There are too many different parts in brackets; write fewer of them."),
            )
        for mechanism in dict.fromkeys(line.mechanism for line in model.asked):
            guarantee = mechanism.guarantee(UNIT)
            if not guarantee.sound:
                yield Problem(
                    "mechanism" if model.equal else "releases", guarantee.note, stops=False
                )

    def refused(self, data: Dataset) -> Mapping[str, Mapping[str, Say]]:
        model = CompositionModel(self, data, fine=False)
        why = {kind.key: model.why_not(model.bound(kind.key)) for kind in ACCOUNTANTS}
        return {"bounds": {key: said for key, said in why.items() if said is not None}}

    def run(self, data: Dataset, cancelled: Cancelled = never) -> Iterator[Findings]:  # type: ignore[override]
        problems = tuple(self.problems(data))
        if any(p.stops for p in problems):
            yield Findings(problems=problems)
            return
        coarse = CompositionModel(self, data, fine=False)
        yield self._find(coarse, problems)
        fine = CompositionModel(self, data, fine=True)
        for _ in fine.steps():
            if cancelled():
                return
        yield self._find(fine, problems)

    def _find(self, model: CompositionModel, problems: tuple[Problem, ...]) -> Findings:
        charts = [
            total_chart,
            loose_chart,
            afford_chart,
            privacy_chart,
            attack_chart,
            right_chart,
            each_chart,
            group_chart,
        ]
        if not model.equal:
            charts = [total_chart, loose_chart, ledger_chart, *[keep_chart][: len(model.kept)], privacy_chart, attack_chart, right_chart,
                      group_chart]  # fmt: skip
        said = sentences(model)
        told = ("tightest", "shortcut" if model.equal else "keeps")
        headline = tuple(s.key for s in said if s.key in told)
        return Findings(
            tuple(chart(model) for chart in charts),
            facts(model),
            said,
            tables(model),
            problems,
            refused=self.refused(model.data),
            headline=headline,
        )
