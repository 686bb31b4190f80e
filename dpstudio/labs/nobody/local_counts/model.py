"""What everything in Local counts starts from: who is asked, and which value is looked at."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import SCREEN, Context, Draws, Effort
from dpstudio.labs.hidden_noise import hidden_noise
from dpstudio.labs.local_curves import normal_quantile
from dpstudio.labs.memo import once
from dpstudio.labs.named_rows import NamedRows, named_rows
from dpstudio.labs.nobody.local_counts.parameters import LocalCounts
from dpstudio.labs.nobody.local_counts.people import (
    Population,
    asked_of,
    likely,
    population,
    with_none,
)
from dpstudio.labs.public_reports import not_public
from dpstudio.privacy.mechanisms.additive import Guarantee
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.sampling import NotDrawnError, ReleaseRandom
from dpstudio.values.messages import N_, Message, plain, say
from dpstudio.values.parameters import to_json

_ROWS = 16  # values that have a row of their own, where there are no more


@dataclass(frozen=True, eq=False)
class CountsModel:
    """One survey of the people of a table: how many hold each of d values, and which value is
    looked at closely.

    Where exact counts are hidden, `population` is what the reader of one simulated survey takes it
    to be, and `hidden` are the totals of that survey, shape (1, d). All else follows from these, so
    that nothing exact can reach a picture by another way. How many people are asked is taken as
    known: the collector counts the reports. A `quick` model is for a drag, with few surveys.
    """

    lab: LocalCounts
    data: Dataset
    population: Population
    part: int
    hidden: Array | None = None
    effort: Effort = SCREEN
    quick: bool = False

    @property
    def counts(self) -> Array:
        """How many people have each category."""
        return self.population.counts

    @property
    def n(self) -> int:
        """How many people report."""
        return self.population.n

    @property
    def d(self) -> int:
        """How many categories there are."""
        return len(self.population.labels)

    @property
    def asks(self) -> bool:
        """Whether the question is answered by yes or no."""
        return isinstance(self.lab.query, Count)

    @property
    def z(self) -> float:
        """Half the width of an interval, in standard deviations."""
        return normal_quantile(self.lab.confidence)


@once
def laid_out(model: CountsModel) -> NamedRows:
    """The values in rows, the largest on top; yes and no in their order."""
    return named_rows(model.counts if model.d > 2 else np.arange(model.d), few=_ROWS)


def part_share(model: CountsModel) -> float:
    """The share of the people who hold the value that is looked at."""
    return float(model.counts[model.part]) / model.n


def judged_words(model: CountsModel, short: bool = False) -> Message:
    """What the error is that protocols are judged by; shorter in subtitles, and where nobody has a
    value but a yes or a no."""
    if model.lab.judged == "rare":
        return Message(
            N_("a count of 0") if short or model.asks else N_("a value that nobody holds")
        )
    if model.lab.judged == "part":
        return say("{part}", part=plain(model.population.labels[model.part]))
    return say("a value on average")


def counts_model(lab: LocalCounts, context: Context) -> CountsModel:
    """The state of the lab on a table that can answer its question."""
    data, exact, hidden = context.data, population(lab.query, context.data), None
    asked = exact
    if context.leaving is not None:
        asked = with_none(exact, data.rows)
        hidden = _leaving(lab, context, context.leaving, len(asked.labels))
        estimates = lab.protocol.estimate(hidden[0], data.rows)
        asked = replace(asked, counts=likely(estimates, data.rows))
    elif not lab.show_truth:
        told = [to_json(lab.query), to_json(lab.protocol)]
        hidden = lab.protocol.draw(hidden_noise(data, lab.seed, 1, told), exact.counts)
        estimates = lab.protocol.estimate(hidden[0], exact.n)
        asked = replace(exact, counts=likely(estimates, exact.n), notes=exact.openness)
    return CountsModel(lab, data, asked, _part(lab, asked), hidden, context.effort)


def _leaving(lab: LocalCounts, context: Context, leaving: Draws, d: int) -> Array:
    """Totals of a survey that may leave the program, shape (1, d): everybody reports, also who
    does not meet the condition."""
    why = lab.protocol.refuses(d) or not_public(context.data)
    if why is not None:
        raise NotDrawnError(why)

    def drawn(data: Dataset, chance: ReleaseRandom) -> list[int]:
        people = with_none(asked_of(lab.query, data), data.rows)
        return lab.protocol.leave(chance, people.counts)

    asked = ["survey", lab.seed, to_json(lab.query), to_json(lab.protocol)]
    return array([leaving.draw(asked, Guarantee(lab.protocol.claim, 0.0), drawn)])


def _part(lab: LocalCounts, people: Population) -> int:
    """The value that is looked at closely."""
    if isinstance(lab.query, Count):
        return 1
    if lab.part >= 0:
        return min(lab.part, len(people.labels) - 1)
    # The largest of noisy counts is chosen by its noise, and no interval about it would be honest:
    # then the first.
    return int(np.argmax(people.counts)) if lab.show_truth else 0
