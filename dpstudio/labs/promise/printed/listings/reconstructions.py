"""Errata of compressive privacy: pictures turned back from few directions, of which errors are
printed that rise, means that are forgotten, and what is called lost for ever.

All of it on 165 synthetic faces, as many as the texts' pictures: they vary along 164 directions."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpstudio.charts.figure import Array, Axis, Rule, array
from dpstudio.labs.promise.printed.listings import erratum
from dpstudio.privacy.compression.faces import album
from dpstudio.privacy.compression.inverse import errors_of_inverse, errors_of_taught
from dpstudio.privacy.compression.printed import errors_in_order, errors_uncentred
from dpstudio.privacy.compression.projections import Dca, Pca
from dpstudio.privacy.compression.scatter import span, sums_of
from dpstudio.privacy.sampling import SimulationRandom
from dpstudio.values.fields import integer
from dpstudio.values.messages import N_, Message, Num, say

PEOPLE, EACH, LIGHT, RANK = 15, 11, 0.8, 164
LISTED = 4_096  # the largest number of dimensions that is listed
PRINTED_FIRST, PRINTED_LAST = 3987.93, 4190.11  # the published errors of PCA, 5 and 160 dimensions
OTHERS, OF_EACH = 40, 25  # public pictures of other people, that a decoder learns from
_SEED, _PUBLIC, _TESTED = 9, 10, 16
_NONE = 1e-9  # of the variance: rounding
_FACES = say("PCA of 165 synthetic faces")
_WORSE = N_(
    "Of {k:# number|# numbers} by DCA the inverse misses {was} of the variance, and a linear "
    "decoder that learnt from {public:# picture|# pictures} of other people {now}: no better here, "
    "and far better with more."
)


@dataclass(frozen=True, eq=False)
class Errors:
    """Squared errors, as shares of the variance, of 1, 2, …, 164 directions: PCA in order, out of
    order, without the mean; DCA by the minimum-norm inverse, and by a decoder that other people's
    pictures teach."""

    right: Array
    order: Array
    uncentred: Array
    inverse: Array
    decoder: Array


def errors(draws: erratum.Draws) -> Errors:
    """Of the faces, worked out once."""

    def made() -> Errors:
        faces = album(PEOPLE, EACH, LIGHT, _SEED)
        mean, basis, z = span(faces.x)
        sums = sums_of(z, ((faces.who, PEOPLE), (faces.who, PEOPLE)))
        looking, spread, ks = SimulationRandom(_SEED), sums.spread, tuple(range(1, RANK + 1))
        pca, dca = (way.directions(sums, looking)[1] for way in (Pca(), Dca()))
        lot = looking.generator.permutation(len(z))
        order = np.concatenate([lot[_TESTED:], lot[:_TESTED]])
        along = mean @ basis
        # The mean may point out of all directions in which faces vary.
        beyond = float(mean @ mean - along @ along)
        found = (
            errors_of_inverse(spread, pca)[1:],
            errors_in_order(z, pca, order, ks),
            errors_uncentred(z, along, pca, ks) + beyond,
            errors_of_inverse(spread, dca)[1:],
            errors_of_taught(faces.x, album(OTHERS, OF_EACH, LIGHT, _PUBLIC).x, basis @ dca),
        )
        whole = np.trace(spread)
        return Errors(*(array(np.where(e > _NONE * whole, e, 0.0) / whole) for e in found))

    held: Errors = draws.remember(("errata of reconstruction",), made)
    return held


def _directions(many: int) -> Any:
    text = N_("Of the 164 along which 165 pictures vary.")
    return integer(many, N_("Directions K"), text, low=1, high=RANK, log=True)


class Reconstruction(erratum.Erratum):
    """Base of errata along the number of directions K, each with the curves that it compares."""

    k: int = _directions(5)

    def _compare(
        self,
        draws: erratum.Draws,
        was: Array,
        now: Array,
        title: Message,
        under: Message,
        *,
        names: tuple[Message, Message] = erratum.VERSIONS,
        rows: tuple[erratum.Row, ...] = (),
        tone: str = "warn",
    ) -> erratum.Case:
        """Errors of both versions by K, at the chosen one and with all directions."""
        ks = np.arange(1.0, RANK + 1)
        figure = erratum.compared(
            self,
            draws,
            "errors",
            title,
            erratum.Along(
                "k", Axis(say("directions K"), log=True, range=(0.9, 1.1 * RANK)), 1, RANK, 97
            ),
            erratum.from_zero(say("squared error, in the variance")),
            lambda k: np.interp(k, ks, was),
            lambda k: np.interp(k, ks, now),
            under,
            names=names,
            notes=(Rule("rank", "muted", say("rank"), float(RANK), dash="dot"),),
        )
        here, end = (float(was[self.k - 1]), float(now[self.k - 1])), (float(was[-1]), now[-1])
        values = {
            "k": Num(self.k),
            "rank": Num(RANK),
            "was": _share(here[0]),
            "now": _share(here[1]),
            "end": _share(end[0]),
            "listed": Num(LISTED),
            "public": Num(OTHERS * OF_EACH),
            "first": Num(PRINTED_FIRST, 6),
            "last": Num(PRINTED_LAST, 6),
        }
        told = (
            erratum.Row("here", say("error at K = {k}", k=Num(self.k)),
                Num(here[0], 3), Num(here[1], 3)),
            erratum.Row("last", say("error with all {rank}", rank=Num(RANK)),
                Num(end[0], 3), Num(float(end[1]), 3)),
        )  # fmt: skip
        return erratum.Case(tone, values, (*told, *rows), (figure,))


def _share(value: float) -> Num:
    return Num(value, 3, percent=True)


class OtherPictures(Reconstruction):
    """Listing 9.3: pictures in the order of a split are compared with those of the file."""

    key = "other_pictures"
    label = N_("Errors of other pictures")
    source = N_("an introductory book, listing 9.3")
    wrong = N_("Reconstructed pictures are compared with others: errors of PCA rise.")
    right = N_(
        "They stand in the order of a split and are compared with those of the file: errors from "
        "{first} to {last} are printed."
    )
    follows = {
        "warn": N_(
            "At K = {k} the listing’s error is {was} of the variance, and the right one {now}; "
            "with all {rank} it prints {end} where nothing is lost."
        )
    }

    def case(self, draws: erratum.Draws) -> erratum.Case:
        found = errors(draws)
        title = say("Errors of reconstructed pictures")
        return self._compare(draws, found.order, found.right, title, _FACES)


class NoCentring(Reconstruction):
    """Section 9.3: rows are projected with their mean in them, and on more directions than there
    are."""

    key = "no_centring"
    label = N_("Projections with the mean")
    source = N_("an introductory book, section 9.3")
    wrong = N_("The mean is neither taken off nor added back.")
    right = N_(
        "Up to {listed} {listed:dimension is|dimensions are} listed: 165 pictures vary about their "
        "mean along {rank} at most."
    )
    follows = {
        "warn": N_(
            "At K = {k} it misses {was} of the variance and not {now}; with all {rank} it still "
            "misses {end} where nothing is lost."
        )
    }

    def case(self, draws: erratum.Draws) -> erratum.Case:
        found = errors(draws)
        title = say("Pictures with and without their mean")
        most = erratum.Row("rank", say("most dimensions"), Num(LISTED), Num(RANK))
        return self._compare(draws, found.uncentred, found.right, title, _FACES, rows=(most,))


class NeverRecovered(Reconstruction):
    """Section 9.1: what is projected is said never to be fully recovered, as the minimum-norm
    inverse shows."""

    key = "never_recovered"
    label = N_("“Never fully recovered”")
    source = N_("an introductory book, section 9.1")
    wrong = N_("What is projected is called never fully recovered.")
    right = N_(
        "It is tried by the minimum-norm inverse alone: a decoder that learns from public pictures "
        "can do far better."
    )
    follows = {
        "warn": N_(
            "Of {k:# number|# numbers} by DCA the inverse misses {was} of the variance, and a "
            "linear decoder that learnt from {public:# picture|# pictures} of other people {now}; "
            "what is left bounds nobody who knows more."
        ),
        "bad": N_(
            "With all {rank} {rank:direction|directions} nothing is missed: each picture is had "
            "back whole."
        ),
    }
    proof = (
        N_(
            "165 pictures less their mean span {rank} {rank:direction; one number "
            "fixes|directions; as many numbers fix} each of them."
        ),
    )

    k: int = _directions(PEOPLE - 1)  # as many as tell who it is

    def case(self, draws: erratum.Draws) -> erratum.Case:
        found, at = errors(draws), self.k - 1
        made = self._compare(
            draws,
            found.inverse,
            found.decoder,
            say("What an inverse and a decoder miss"),
            say("DCA of 165 synthetic faces; a decoder of others"),
            names=(say("minimum-norm inverse"), say("a decoder")),
            tone="bad" if self.k >= RANK else "warn",
        )
        worse = found.inverse[at] <= found.decoder[at] and self.k < RANK
        return replace(made, follows=_WORSE) if worse else made
