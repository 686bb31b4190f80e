"""How long the exchange computes, by what was measured here, beside the published tables; and how
many bytes it sends."""

from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.nobody.owners.live import key_bits
from dpstudio.labs.nobody.owners.model import (
    Clock,
    OwnersModel,
    by_classes,
    columns_shared,
    here,
    numbers_sent,
    owner_count,
)
from dpstudio.labs.nobody.owners.parameters import KEYS, Sharing
from dpstudio.privacy.learning.owners import Work
from dpstudio.privacy.owners import exchange
from dpstudio.privacy.owners.shares import ciphertexts

FEATURES_MOST = 64


@dataclass(frozen=True)
class Published:
    """One row of Tables 9.1 to 9.3: a table of so many features and classes; seconds of an owner,
    of the user (ms) and of the key holder for PCA and for DCA; weighted F1 of DCA by the protocol
    and by NumPy, in percent; seconds of the garbled circuit for PCA and for DCA. Keys of 1,024
    bits, 10 owners."""

    name: str
    p: int
    classes: int
    pca: tuple[float, float, float]
    dca: tuple[float, float, float]
    f1: tuple[float, float]
    circuit: tuple[float, float]


PUBLISHED = (
    Published("Diabetes", 8, 2, (0.63, 10, 0.67), (0.7, 12, 0.8), (76.5, 76.4), (13.8, 4.0)),
    Published("Breast", 10, 2, (0.93, 11, 1.0), (1.2, 13, 1.3), (96.9, 96.8), (20.7, 5.8)),
    Published("Australian", 14, 2, (1.7, 12, 1.8), (2.1, 15, 2.2), (86.1, 85.5), (37.4, 12.1)),
    Published("German", 24, 2, (5.0, 17, 5.0), (5.6, 22, 5.8), (72.7, 73.8), (196.8, 46.6)),
    Published("Ionosphere", 34, 2, (9.8, 24, 9.9), (11.2, 29, 11.6), (84.3, 83.4), (386.4, 114.0)),
    Published("SensIT", 50, 3, (22.5, 40, 22.7), (26.2, 48, 26.9), (67.8, 68.4), (828.0, 402.0)),
)


def sent(row: Published) -> tuple[int, int]:
    """How many ciphertexts an owner of a published table sends for PCA and for DCA."""
    return ciphertexts(row.p), ciphertexts(row.p, row.classes)


def each(row: Published) -> tuple[float, float]:
    """The published seconds of an owner over how many ciphertexts it sends, in milliseconds."""
    one, other = sent(row)
    return 1000 * row.pca[0] / one, 1000 * row.dca[0] / other


def span() -> tuple[float, float]:
    """The least and the most of these of all published tables."""
    found = [ms for row in PUBLISHED for ms in each(row)]
    return min(found), max(found)


def off() -> float:
    """The largest difference of the two published F1, in percentage points."""
    return round(max(abs(one - other) for one, other in (row.f1 for row in PUBLISHED)), 1)


def circuits() -> tuple[float, float]:
    """The least and the most seconds of the garbled circuit in the published tables."""
    found = [seconds for row in PUBLISHED for seconds in row.circuit]
    return min(found), max(found)


def owner_curve(asked: Sharing, classes: int, timed: Clock) -> tuple[Array, Array]:
    """(features, seconds that an owner encrypts) by one operation’s time here."""
    p = np.arange(2, FEATURES_MOST + 1)
    k = classes if by_classes(asked) else 1
    return array(p), array([ciphertexts(int(f), k) * timed.encryption for f in p])


def clock_of(model: OwnersModel, asked: Sharing) -> Clock | None:
    """The times of one operation with the chosen key; None before they are measured."""
    return dict(model.found.clocks).get(key_bits(model, int(asked.modulus)))


def work_here(model: OwnersModel, asked: Sharing) -> Work:
    """The operations of the whole exchange with all columns and owners."""
    held = here(model)
    owners = owner_count(asked, held.classes)
    return exchange.work(held.x.shape[1], held.classes, owners)


def seconds_here(model: OwnersModel, asked: Sharing) -> tuple[float, float, float] | None:
    """Seconds of one owner, of the user and of the key holder by it; None before it is known."""
    timed = clock_of(model, asked)
    if timed is None:
        return None
    w = work_here(model, asked)
    user = w.proxy * timed.encryption + w.sums * timed.addition
    return w.owner * timed.encryption, user, w.decryptions * timed.decryption


def each_here(model: OwnersModel, asked: Sharing) -> float | None:
    """Milliseconds of one encryption here; None before it is known."""
    timed = clock_of(model, asked)
    return None if timed is None else 1000 * timed.encryption


@dataclass(frozen=True)
class Bytes:
    """Of the public key, of one number under encryption, of all that one owner sends, of all owners
    together, and of the blinded sums."""

    key: int
    number: int
    owner: int
    owners: int
    blinded: int


def bytes_sent(model: OwnersModel, asked: Sharing) -> Bytes:
    """What is sent with the chosen key."""
    held, bits = here(model), int(asked.modulus)
    count = numbers_sent(asked, columns_shared(held), held.classes)
    one = exchange.sealed_size(count, bits)
    owners = owner_count(asked, held.classes)
    key, number = exchange.key_size(bits), exchange.sealed_size(1, bits)
    return Bytes(key, number, one, owners * one, exchange.sealed_size(count, bits))


def bytes_curve(asked: Sharing, classes: int, bits: int) -> tuple[Array, Array]:
    """(columns, bytes that one owner sends) with a key of so many bits."""
    p = np.arange(2, FEATURES_MOST + 1)
    sent = [exchange.sealed_size(numbers_sent(asked, int(f), classes), bits) for f in p]
    return array(p), array(sent)


def key_lengths() -> tuple[int, ...]:
    """The bits of the keys that can be chosen, the longest first."""
    return tuple(sorted(map(int, KEYS), reverse=True))
