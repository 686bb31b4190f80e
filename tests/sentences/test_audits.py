"""Certificates of single answers: what Audit and Errata say that draws prove, by binomial tails and by
draws of another seed; what Guarantee says of one answer's law, from its density alone."""

import math
import random

import numpy as np
import pytest
from random_states import random_state
from running import little, opened
from scipy import optimize, special
from test_certificates import losses

from dpstudio.labs.context import LITTLE, Context
from dpstudio.labs.promise.audit.model import audit_model, broken
from dpstudio.labs.promise.audit.parameters import Audit
from dpstudio.labs.promise.guarantee.parameters import Guarantee
from dpstudio.labs.promise.printed.listings import ERRATA
from dpstudio.labs.promise.printed.model import reading
from dpstudio.labs.promise.printed.parameters import Printed
from dpstudio.privacy.attacks.audit import Trial, audit
from dpstudio.privacy.attacks.draws import scores
from dpstudio.privacy.attacks.subject import Subject
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.privacy.queries import ADJACENCIES
from dpstudio.privacy.queries.count import Count

SURE = 1 - 1e-7


def proved(trial: Trial, confidence: float, delta: float) -> float:
    """ln((p − δ)/q): p from below and q from above are where as many hits, or as few, come with the
    half of what the confidence leaves."""
    miss, n = (1 - confidence) / 2, trial.tests
    p, q = 0.0, 1.0
    if trial.hits:
        p = optimize.brentq(lambda p: special.bdtrc(trial.hits - 1, n, p) - miss, 0, 1, xtol=1e-15)
    if trial.others < n:
        q = optimize.brentq(lambda q: special.bdtr(trial.others, n, q) - miss, 0, 1, xtol=1e-15)
    return math.log(max((p - delta) / q, 1.0))


def refuted(subject: Subject, seed: int) -> bool:
    """Whether fresh draws leave no doubt that the exact ε of a subject is larger than is said."""
    here, there = scores(subject, "loss", seed, 4000)
    bound = audit((here, there), 0.5, subject.claim[1]).bound(SURE, subject.claim[1])
    return bound > subject.exact() * (1 + 1e-9)


@pytest.mark.parametrize("seed", range(14))
def test_what_an_audit_exposes_is_proved(seed: int) -> None:
    """The bound is that of the binomial tails, rounded down; who is exposed is above the claim by
    it; and the exact ε that is said beside it withstands other draws."""
    data = opened("adult")
    lab = random_state(Audit, seed, data).suited(data)
    found = little(lab, data)
    model = audit_model(lab, Context(data, effort=LITTLE), LITTLE.of_draws(lab.trials))
    said = found.sentence("verdict").say
    true = proved(model.trial, lab.confidence, model.delta)
    shown = said.values["bound"]
    assert shown.value == pytest.approx(true, rel=1e-6, abs=1e-9)
    assert float(str(shown).replace(",", "")) <= true * (1 + 1e-6) + 1e-9
    assert said.text.startswith("Exposed") == (true > model.claim)
    ground = found.sentence("ground").say.text
    assert ("broken all the same" in ground or ground.startswith("By its law the exact")) == broken(
        model
    )
    assert not refuted(model.subject, seed + 1000)


@pytest.mark.parametrize("kind", ERRATA, ids=lambda kind: kind.key)
def test_what_an_erratum_is_said_to_break_is_proved(kind: type) -> None:
    """At a random setting, of both versions: the bounds by binomial tails, the exact ε by draws."""
    made = random_state(kind, 3, opened("adult"))
    lab = Printed(erratum=made)
    verdict = reading(lab, Context(opened("adult"), effort=LITTLE)).audited
    if verdict is None:
        return
    found = little(lab, opened("adult")).sentence("verdict").say
    for name, one in (("was", verdict.was), ("now", verdict.now)):
        assert one.bound == pytest.approx(proved(one.steps[-1], verdict.confidence, 0.0), rel=1e-6)
        assert not refuted(one.subject, 77)
        if name in found.values:
            assert float(str(found.values[name]).replace(",", "")) <= found.values[name].value
    proves = found.text.startswith("An audit proves it")
    assert proves == (verdict.was.subject.broken and verdict.was.exposed)


@pytest.mark.parametrize("adjacency", ADJACENCIES)
@pytest.mark.parametrize("kind", MECHANISMS, ids=lambda kind: kind.key)
def test_what_one_answer_is_said_to_lose_is_what_its_density_says(
    kind: type, adjacency: str
) -> None:
    """δ at a typed ε, the largest loss, and that no δ is needed."""
    rng = random.Random(f"{kind.key} {adjacency}")
    for _ in range(3):
        epsilon, delta = round(math.exp(rng.uniform(-2, 1)), 3), 10 ** rng.uniform(-6, -2)
        made = kind(epsilon=epsilon) if kind.pure else kind(epsilon=epsilon, delta=delta)
        at = round(epsilon * rng.choice((0.3, 0.8, 1.0, 1.4)), 4)
        lab = Guarantee(query=Count(), mechanism=made, adjacency=adjacency, at_epsilon=at)
        found = little(lab, opened("adult"))
        x, mass, lost = losses(made, 1, 1.0)
        true = lost + float(mass @ np.maximum(-np.expm1(np.minimum(at - x, 0)), 0))
        said = found.sentence("delta").say
        if "needs no" in said.text:
            assert true <= 1e-9
        else:
            delta_said = said.values["delta"].value
            assert delta_said == pytest.approx(true, rel=3e-3, abs=1e-9)
        largest = found.fact("loss").value
        # A node on a jump, whose cell is as wide as a rounding error, is left out.
        assert largest is None or largest >= float(x[mass > 1e-14].max()) * (1 - 1e-9)
        assert (largest is None) <= (lost > 0 or not made.pure)
