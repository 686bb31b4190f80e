"""The exchange as it runs here: fresh keys, encryption owner by owner, and what came out; how long
its operations take; and how well components from shares sort rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial, reduce

import numpy as np

from dpstudio.labs.context import Context, Machine
from dpstudio.labs.nobody.owners import model as owners
from dpstudio.labs.nobody.owners.parameters import KEYS, Sharing
from dpstudio.privacy.learning.paillier import REAL_BITS, clocked, new_key
from dpstudio.privacy.learning.sorting import f1_scores
from dpstudio.privacy.owners import exchange
from dpstudio.privacy.sampling import SimulationRandom

# What is run under encryption here: more owners and columns only repeat it.
LIVE_OWNERS, LIVE_COLUMNS = 10, 8
_TOY = 256  # bits, where little effort is asked for
_SORTED = 600  # rows that are learnt from, and as many to test with
_STREAM = 81


@dataclass(frozen=True)
class Run:
    """How far a run is, 0 to 1, and what it found at its end."""

    done: float
    live: owners.Live | None = None


def key_bits(model: owners.OwnersModel, bits: int = REAL_BITS) -> int:
    """The length of the key that is run with: a toy where little effort is asked for."""
    return bits if model.effort.draws >= 1 else _TOY


def clocks(
    model: owners.OwnersModel, context: Context, machine: Machine
) -> Iterator[tuple[tuple[int, owners.Clock], ...]]:
    """How long operations take here with each length of a key, measured once for a table."""
    sizes = [int(key) for key in KEYS] if model.effort.draws >= 1 else [_TOY]
    found: tuple[tuple[int, owners.Clock], ...] = ()
    for bits in sizes:

        def measure(bits: int = bits) -> owners.Clock:
            taken = context.work(clocked, bits, machine.below, machine.seconds)
            return owners.Clock(taken[0], taken[1], taken[3])

        found += ((bits, model.data.remember(("owners clock", bits), measure)),)
        yield found


def cut(held: owners.Rows) -> owners.Rows:
    """The rows in the columns that are run with."""
    return owners.Rows(
        held.x[:, :LIVE_COLUMNS], held.y, held.classes, held.left_out, held.unattested
    )


def run_live(
    model: owners.OwnersModel, asked: Sharing, context: Context, machine: Machine
) -> Iterator[Run]:
    """Run the exchange on the table, owner by owner, with a fresh key; once for what is shared."""
    bits = key_bits(model, int(asked.modulus))
    shared = owners.columns_of(asked, model.data), asked.classes, asked.scatter
    question = "owners live", shared, asked.owners, asked.bits, bits
    if model.data.known(question):
        yield Run(1.0, model.data.remember(question, _unknown))
        return
    for step in _exchanged(asked, cut(owners.here(model)), bits, context, machine):
        if (live := step.live) is not None:
            model.data.remember(question, partial(_itself, live))
        yield step


def _unknown() -> owners.Live:
    raise KeyError("the exchange has not run")


def _itself(live: owners.Live) -> owners.Live:
    return live


def _exchanged(
    asked: Sharing, held: owners.Rows, bits: int, context: Context, machine: Machine
) -> Iterator[Run]:
    """All messages of one exchange. Each owner is one piece of work, so that it can be stopped."""
    few = asked.with_(owners=min(asked.owners, LIVE_OWNERS))
    sums = owners.added(few, held)
    given = sums.shares(asked.bits)
    pieces = len(given) + 3
    key = context.work(new_key, bits, machine.below)
    yield Run(1 / pieces)
    sent = []
    for place, share in enumerate(given, 2):
        sent.append(context.work(exchange.sealed, share, key.public, machine.below))
        yield Run(place / pieces)
    total = reduce(lambda one, other: exchange.added(one, other, key.public), sent)
    hidden, masks = context.work(exchange.blinded, total, key.public, machine.below)
    yield Run((pieces - 1) / pieces)
    seen = context.work(exchange.opened, hidden, key)
    found = exchange.trusted_box(seen, masks, key.public)
    expected = sums.pooled(asked.bits).listed()
    apart = max(abs(one - other) for one, other in zip(found, expected, strict=True))
    shown = owners.Seen(*map(owners.digits, (given[0].listed()[0], sent[0][0], seen[0], found[0])))
    yield Run(1.0, owners.Live(len(given), held.x.shape[1], bits, len(found), apart, shown))


def sort(model: owners.OwnersModel, asked: Sharing, context: Context) -> owners.Scores | None:
    """F1 of an RBF support vector machine on rows along their discriminant components, from shares
    of the rows that are learnt from and by numpy; None where there are none to test with."""
    held = owners.here(model)
    turn = SimulationRandom(model.lab.seed, _STREAM).generator.permutation(len(held.x))
    kept = min(_SORTED, len(turn) // 3)
    if not kept or not owners.by_classes(asked) or held.classes < 2:
        return None
    test, rest = turn[:kept], turn[kept:]
    part = owners.Rows(held.x[rest], held.y[rest], held.classes, 0, ())
    added = owners.added(asked, part)
    k = min(held.classes - 1, held.x.shape[1])
    both = [
        owners.directions(asked, m, k)
        for m in (owners.from_shares(asked, added, asked.bits), owners.exact(part))
    ]
    train = rest[:kept]
    given = held.x[train], held.y[train], held.x[test], held.y[test]
    one, other = context.work(f1_scores, np.stack(both), *given)
    return owners.Scores(float(one), float(other))


def secure(bits: int) -> bool:
    """Whether a key of so many bits is one that is in use (NIST SP 800-57)."""
    return bits >= REAL_BITS
