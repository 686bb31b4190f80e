"""What can be audited: all that one person sends for naive Bayes under local privacy, right and as
printed."""

from functools import cached_property

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.attacks.local import LocalReport, ranked
from dpstudio.privacy.learning.local_bayes import People, people_of
from dpstudio.privacy.learning.naive_bayes import Shape
from dpstudio.privacy.local.direct import Direct
from dpstudio.privacy.local.histogram import Thresholded
from dpstudio.privacy.local.protocol import Protocol
from dpstudio.privacy.local.unary import Optimised, Symmetric
from dpstudio.values.fields import choice
from dpstudio.values.messages import N_
from dpstudio.values.parameters import OneOf, param

_KINDS: list[type[Protocol]] = [Direct, Symmetric, Optimised, Thresholded]
_WAYS = {"one": N_("one question by lot"), "all": N_("all, each with a part of ε")}


class LearningReport(LocalReport):
    """A person with a word of d, a word of two and a class of two: D and D′ differ in all of
    them."""

    key = "learning_report"
    label = N_("Local learning")
    what = N_(
        "All that one person sends of a word of d, a word of two and a class of two: D and D′ "
        "differ in all of them."
    )

    protocol: Protocol = param(
        Direct(), OneOf(N_("Protocol"), N_("How a person reports."), family=lambda: _KINDS)
    )
    reports: str = choice("one", N_("Reports"), N_("What a person is asked."), options=_WAYS)

    @property
    def people(self) -> People:
        """Both people."""
        rows = np.array([[0.0, 0.0], [1.0, 1.0]])
        return people_of(rows, rows[:, 0], Shape((self.values, 2), 2))

    @cached_property
    def pair(self) -> tuple[Array, Array]:
        people, parts = self.people, []
        many = len(people.questions)
        told = self.protocol if self.reports == "one" else self.protocol.at(self.claim[0] / many)
        assert told is not None
        for i, question in enumerate(people.questions):
            law = told.channel(2 * question.words)
            parts.append([law[:, symbol] for symbol in people.symbols[:, i]])
        if self.reports == "one":  # which question it was is seen as well
            here, there = (np.concatenate(part) - np.log(many) for part in zip(*parts, strict=True))
        else:
            here, there = (np.add.outer(*part).ravel() for part in zip(*parts, strict=True))
        return ranked(here, there)


class EveryReport(LocalReport):
    """As printed: a report of the class, and for every class one of the word, which is random where
    the class is another, each with all of ε."""

    key = "every_report"
    label = N_("Everything at full ε")
    what = N_(
        "Local naive Bayes as printed: the class and for every class a word, which is random where "
        "the class is another. Each report has all of ε."
    )

    protocol: Protocol = param(
        Direct(), OneOf(N_("Protocol"), N_("How a person reports."), family=lambda: _KINDS)
    )

    @cached_property
    def pair(self) -> tuple[Array, Array]:
        law, of_class = self.protocol.channel(self.values), self.protocol.channel(2)
        random = np.log(np.exp(law).mean(axis=1))
        words = (law[:, 0], random), (random, law[:, 1])
        here, there = (
            np.add.outer(of_class[:, side], np.add.outer(*words[side])).ravel() for side in (0, 1)
        )
        return ranked(here, there)
