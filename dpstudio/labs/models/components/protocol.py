"""The encrypted protocol as it runs here: its identity, how long its operations take, and the
times that were published."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.labs.context import Context, Machine
from dpstudio.labs.models.components.model import ComponentsModel, chosen, move, rows
from dpstudio.labs.models.components.parameters import ManyOwners
from dpstudio.privacy.eigenvectors import eigh
from dpstudio.privacy.learning import components, paillier, ways
from dpstudio.privacy.learning import owners as protocol
from dpstudio.privacy.sampling import SimulationRandom
from dpstudio.values.messages import N_

# What is run under encryption here: more owners and columns only repeat it.
_LIVE_OWNERS, _LIVE_COLUMNS = 4, 6
_STREAM = 71
_TOY = "128"


@dataclass(frozen=True)
class Live:
    """One run of the protocol: with so many owners and columns, a key of so many bits, and rows.
    `apart` is the largest difference between what the user opened and S + G′, in single units of
    the grid; `rounded` that between S on the grid and S in floats, per row."""

    owners: int
    columns: int
    bits: int
    rows: int
    apart: int
    rounded: float


@dataclass(frozen=True)
class Clock:
    """Seconds of one operation here: encryption, sum, power, decryption, and the turn of one owner
    in the serial protocol."""

    encryption: float
    addition: float
    power: float
    decryption: float
    turn: float


def key_bits(model: ComponentsModel, many: ManyOwners) -> int:
    """The length of the key that is used: a toy where little effort is asked for."""
    return int(many.bits if model.effort.draws >= 1 else _TOY)


@dataclass(frozen=True)
class Run:
    """How far a run of the protocol is, 0 to 1, and what it found at its end."""

    done: float
    live: Live | None = None


def run_live(
    model: ComponentsModel, many: ManyOwners, context: Context, machine: Machine
) -> Iterator[Run]:
    """Run the protocol on the table, owner by owner, with a fresh key; once for a table and its
    columns, since the identity does not depend on how large the noise is."""
    owners, columns = min(many.owners, _LIVE_OWNERS), min(model.p, _LIVE_COLUMNS)
    asked = "components live", model.columns, owners, key_bits(model, many)
    if model.data.known(asked):
        yield Run(1.0, model.data.remember(asked, _unknown))
        return
    x, bits = rows(model).x[:, :columns], key_bits(model, many)
    key = context.work(paillier.new_key, bits, machine.below)
    shares = [protocol.share_of(part) for part in protocol.dealt(x, owners)]
    sent = []
    for place, share in enumerate(shares):
        sent.append(context.work(protocol.sealed, share, key.public, machine.below))
        yield Run((place + 1) / (owners + 2))
    total = reduce(lambda one, other: protocol.added(one, other, key.public), sent)
    noise = protocol.noise_times_n(_noise(model, columns), len(x))
    received = context.work(protocol.masked, total, noise, key.public, machine.below)
    yield Run((owners + 1) / (owners + 2))
    opened, _ = context.work(protocol.opened, received, key)
    exact = protocol.scatter_times_n(protocol.pooled(shares))
    apart = max(abs(int(d)) for d in opened - (exact + noise))
    gap = protocol.matrix_of(exact, len(x), columns) - components.second_moments(x, centred=True)
    rounded = float(np.abs(gap).max() / len(x))
    found = Live(owners, columns, bits, len(x), apart, rounded)
    yield Run(1.0, model.data.remember(asked, lambda: found))


def _unknown() -> Live:
    raise KeyError("the protocol has not run")


def _noise(model: ComponentsModel, columns: int) -> Array:
    """One draw of the noise G′ on and above the diagonal."""
    made = chosen(model)
    assert isinstance(made, ways.MatrixWay)  # others are refused with many owners
    size = (1, columns * (columns + 1) // 2)
    unit = made.unit_noise(SimulationRandom(model.lab.seed, _STREAM).generator, size)[0]
    return np.asarray(made.scale(move(model, True), columns, columns) * unit)


def clock(model: ComponentsModel, many: ManyOwners, context: Context, machine: Machine) -> Clock:
    """How long operations take here, measured once for a table and a key."""
    bits, p = key_bits(model, many), model.p

    def measure() -> Clock:
        taken = context.work(paillier.clocked, bits, machine.below, machine.seconds)
        return Clock(*taken, _turn(p, machine))

    return model.data.remember(("components clock", bits, p), measure)


def _turn(p: int, machine: Machine) -> float:
    """Seconds of one owner’s turn in the serial protocol: two eigenvalue problems."""
    a, taken = np.eye(p) + 1.0, []
    for _ in range(5):
        start = machine.seconds()
        eigh(a)
        eigh(a)
        taken.append(machine.seconds() - start)
    return sorted(taken)[2]


def seconds(model: ComponentsModel, timed: Clock, owners: int) -> float:
    """Seconds that the encrypted protocol computes with so many owners, who encrypt at the same
    time; all else is done by one party after the other."""
    w = protocol.work(model.p, owners)
    sealing, opening = (w.owner + w.proxy) * timed.encryption, w.decryptions * timed.decryption
    return sealing + w.sums * timed.addition + w.powers * timed.power + opening


def secure(bits: int) -> bool:
    """Whether a key of so many bits is one that is in use (NIST SP 800-57)."""
    return bits >= paillier.REAL_BITS


def ciphertexts(model: ComponentsModel) -> int:
    """How many ciphertexts an owner sends."""
    return protocol.work(model.p, 1).owner


# (owners, ms of the encrypted protocol, ms of the serial one) as published, means of 5 runs with
# keys of 128 bits, messages included; by the number of columns.
PUBLISHED: dict[int, tuple[str, tuple[tuple[int, int, int], ...]]] = {
    8: (
        N_("8 columns (diabetes)"),
        ((10, 42, 17), (30, 49, 40), (50, 54, 63), (70, 56, 84), (90, 69, 115), (110, 78, 164),
         (130, 90, 195), (150, 94, 249), (170, 99, 245), (190, 99, 267)),
    ),
    14: (
        N_("14 columns (australian)"),
        ((10, 75, 31), (30, 83, 66), (50, 102, 125), (70, 114, 149), (90, 132, 207),
         (110, 138, 221), (130, 143, 256), (150, 168, 319), (170, 178, 346), (190, 185, 425)),
    ),
    24: (
        N_("24 columns (german)"),
        ((10, 157, 69), (30, 197, 155), (50, 216, 224), (70, 251, 279), (90, 264, 346),
         (110, 292, 454), (130, 315, 511), (150, 311, 579), (170, 356, 640), (190, 329, 742)),
    ),
    34: (
        N_("34 columns (ionosphere)"),
        ((10, 270, 111), (50, 357, 426), (90, 438, 707), (130, 436, 1039), (190, 546, 1439)),
    ),
}  # fmt: skip


def published(model: ComponentsModel) -> tuple[Array, tuple[Array, Array], str]:
    """(owners, seconds of both protocols, words) of the published table whose number of columns is
    nearest."""
    words, runs = PUBLISHED[min(PUBLISHED, key=lambda p: abs(p - model.p))]
    counts, encrypted, serial = np.array(runs, dtype=np.float64).T
    return counts, (encrypted / 1000, serial / 1000), words
