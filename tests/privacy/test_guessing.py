"""What attackers get right: never more than the exact laws allow, measured over the catalogue, and
more than was promised only where a promise is broken."""

from dataclasses import field, replace

import numpy as np
import pytest

from dpstudio.data.dataset import Dataset
from dpstudio.labs.question import measured as measured_question
from dpstudio.privacy.accounting import ADD_REMOVE
from dpstudio.privacy.attacks import differencing, lists, subjects
from dpstudio.privacy.attacks.audit import audit
from dpstudio.privacy.attacks.guessing import loss_of, measured, right_by_loss
from dpstudio.privacy.attacks.subject import Catalogued, Subject, score
from dpstudio.privacy.learning.ways import WAYS
from dpstudio.privacy.local import NUMBERS, PROTOCOLS
from dpstudio.privacy.local.histogram import Summation
from dpstudio.privacy.mechanisms import MECHANISMS, Additive, additive, choosing
from dpstudio.privacy.neighbours.attacker import share_right
from dpstudio.privacy.neighbours.one_number import pair_of
from dpstudio.privacy.queries import Query, count, total
from dpstudio.privacy.release.attacked import best_right
from dpstudio.privacy.release.release import Release
from dpstudio.values.parameters import Choice, OneOf, domains

ONE, DRAWS, SURE = additive.Sensitivity(1.0, 1.0, 1.0), 20_000, 0.9999


@pytest.mark.parametrize("kind", MECHANISMS, ids=lambda kind: kind.key)
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 6.0])
def test_differencing_is_right_as_its_law_says_and_below_the_best(
    kind: type[Additive], epsilon: float
):
    law, rng = kind().at(epsilon, kind().total_delta).share(0.5).law(ONE), np.random.default_rng(3)
    apart = law.sample(rng, DRAWS) - law.sample(rng, DRAWS)
    hits = int(np.count_nonzero(apart >= -0.5))
    told = measured(hits, DRAWS, SURE)
    assert told.low <= differencing.right(law, 1.0) <= told.high
    assert differencing.right(law, 1.0) <= (1 + pair_of(law, 1.0).advantage) / 2
    ends = differencing.below(law, np.array([-1e9, 0.0, 1e9]))
    assert ends == pytest.approx([0, 0.5, 1], abs=1e-9)


@pytest.mark.parametrize("kind", MECHANISMS, ids=lambda kind: kind.key)
@pytest.mark.parametrize("query", [count.Count(), total.Mean()], ids=lambda query: query.key)
def test_the_best_attacker_on_an_answer_is_who_goes_by_its_likelihood(
    kind: type[Additive], query: Query, adult: Dataset
):
    """What Explore says, by draws of every number of the answer: a mean is two of them."""
    release = Release(measured_question(query, adult, ADD_REMOVE), kind())
    rng, found = np.random.default_rng(5), []
    for move in release.asked.moves:
        losses = np.zeros((2, DRAWS))
        for law, shifts in zip(release.laws, move.shifts, strict=True):
            for _, by in shifts:
                losses[0] += loss_of(law, by, law.sample(rng, DRAWS) + by) if by else 0
                losses[1] += loss_of(law, by, law.sample(rng, DRAWS)) if by else 0
        found.append(measured(right_by_loss(losses[0], losses[1]), 2 * DRAWS, SURE))
    best = best_right(release)
    assert max(told.low for told in found) <= best <= max(told.high for told in found)
    assert best <= share_right(release.guarantee.epsilon, release.guarantee.delta) + 1e-12


class Summed(Subject):
    """A report of the one protocol whose reports cannot be listed: noise on a one-hot vector."""

    key = "summed"
    label = "Summed histogram"
    epsilon: float = 1.0
    protocol: Summation = field(default_factory=Summation)

    def exact(self) -> float:
        return self.protocol.epsilon

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> np.ndarray:
        return np.asarray(self.protocol.reports(rng, np.full(size, side), 3))

    def loss(self, outputs: np.ndarray) -> np.ndarray:
        far = [np.abs(outputs - np.eye(3)[side]).sum(axis=1) for side in (0, 1)]
        return np.asarray((far[1] - far[0]) / self.protocol.scale)


def others() -> list[Subject]:
    """Every other choice that right subjects have: each protocol, each noise, each way."""
    found: list[Subject] = [Summed()]
    for subject in subjects.everyone():
        if subject.broken:
            continue
        for name, domain in domains(type(subject)).items():
            held = getattr(subject, name)
            if isinstance(domain, OneOf) and not isinstance(subject, Catalogued | lists.Chosen):
                kinds = [kind for kind in domain.family() if not isinstance(held, kind)]
                found += [replace(subject, **{name: kind()}) for kind in kinds]
            elif isinstance(domain, Choice):
                found += [replace(subject, **{name: key}) for key in domain.options if key != held]
    return found


def test_no_mechanism_of_a_catalogue_is_left_out():
    held = {type(value) for s in (*subjects.everyone(), *others()) for value in vars(s).values()}
    assert {*MECHANISMS, *choosing.SELECTIONS, *PROTOCOLS, *NUMBERS, *WAYS} <= held


@pytest.mark.parametrize("subject", [*subjects.everyone(), *others()], ids=repr)
def test_the_best_test_beats_a_claim_only_where_it_is_broken(subject: Subject):
    """At even odds, or at the one event where it shows most: every mechanism of the catalogues
    keeps its claim within the interval, and every planted broken one exceeds it."""
    rng, size = np.random.default_rng(4), 60_000
    scores = [score(subject, "loss", subject.outputs(rng, side, size)) for side in (0, 1)]
    epsilon, delta = subject.claim
    even = measured(right_by_loss(*scores), 2 * size, SURE).low > share_right(epsilon, delta)
    event = audit((scores[0], scores[1]), 0.5, delta).bound(SURE, delta) > epsilon
    assert (even or event) == subject.broken
