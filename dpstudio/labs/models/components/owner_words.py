"""Sentences, facts and the table of many owners."""

import math
from collections.abc import Iterator

from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.models.components import owners, parameters, protocol
from dpstudio.labs.models.components.model import ComponentsModel, epsilon
from dpstudio.privacy.learning.partial_noise import FAMILIES
from dpstudio.privacy.queries.query import ADD_REMOVE
from dpstudio.values.messages import N_, Message, Num, say


def owner_facts(model: owners.OwnersModel) -> Iterator[Fact]:
    """What both protocols keep with all rows, and what the encrypted one takes."""
    both = owners.whole(model)
    if both is not None:
        text = say("{one} and {other}", one=_share(both[0]), other=_share(both[1]))
        note = say("encrypted and serial, all rows")
        yield Fact("owned", say("The two protocols keep"), text, note, value=both)
    seconds = owners.cost_here(model)
    if seconds is not None:
        text = say("{s} s", s=Num(seconds, 2, "up"))
        yield Fact("cost", say("Encryption takes"), text, say("computing only"), value=seconds)


def _share(value: float) -> Num:
    return Num(value, 3, "down", percent=True)


def owner_sentences(model: ComponentsModel, many: parameters.ManyOwners) -> Iterator[Sentence]:
    """Whom one trusts, what is told, the identity that was checked, and what collusion costs."""
    text = N_(
        "Each of {owners:# owner|# owners} sends {c:# encrypted sum|# encrypted sums}; the proxy "
        "adds them and one noise without reading them; the user alone has the key and reads only "
        "what is noisy or masked."
    )
    yield Sentence("trust", say(text, owners=Num(many.owners), c=Num(protocol.ciphertexts(model))))
    if model.lab.adjacency == ADD_REMOVE:
        text = N_(
            "Proxy and user learn the number of rows: what is promised covers who is in a row, and "
            "not whether there is one more. Choose “Replace one” for a promise that holds."
        )
        yield Sentence("told", say(text), "warn")
    bits = protocol.key_bits(model, many)
    text = N_("A key of {bits} {bits:bit|bits} is a toy: anyone factors it.")
    if protocol.secure(bits):
        text = N_("A key of {bits} {bits:bit|bits} is one that is in use.")
    yield Sentence("key", say(text, bits=Num(bits)), "plain" if protocol.secure(bits) else "warn")
    if isinstance(model, owners.OwnersModel):
        yield from _found(model)
    yield from _colluding(model, many)


def _found(model: owners.OwnersModel) -> Iterator[Sentence]:
    live, both = model.found.live, owners.whole(model)
    if both is not None:
        text = N_(
            "With all rows the encrypted protocol keeps {one} of the variance, the serial one, in "
            "which each owner adds noise, {other}."
        )
        tone = "good" if both[0] >= both[1] else "plain"
        told = say(text, one=_share(both[0]), other=_share(both[1]))
        yield Sentence("protocols", told, tone)
    if live is not None:
        text = N_(
            "Run here with {owners:# owner|# owners}, {columns:# column|# columns} and {bits:# "
            "bit|# bits}: what the user opens differs from S + G′ by {apart}, and the grid moves S "
            "by {rounded} a row at most."
        )
        values = {
            "owners": Num(live.owners),
            "columns": Num(live.columns),
            "bits": Num(live.bits),
            "apart": Num(live.apart),
            "rounded": Num(live.rounded, 2, "up"),
        }
        yield Sentence("identity", Message(text, values), "bad" if live.apart else "good")


def _colluding(model: ComponentsModel, many: parameters.ManyOwners) -> Iterator[Sentence]:
    text = N_(
        "Without a proxy, {parts} that are safe from {c} of {n} {n:owner|owners} make {factor} "
        "times the noise."
    )
    values = {
        "parts": Message(FAMILIES[many.parts]),
        "c": Num(many.colluding),
        "n": Num(many.owners),
        "factor": Num(owners.part_cost(many), 3, "up"),
    }
    yield Sentence("colluding", Message(text, values))
    bare = owners.part_bare(model, many)
    text = N_("Gamma parts that are not made for it would keep ε = {bare} instead of {epsilon}.")
    if math.isinf(bare):
        text = N_("Gamma parts that are not made for it would keep no ε at all.")
    tone = "warn" if many.colluding else "plain"
    told = say(text, bare=Num(bare, 3, "up"), epsilon=Num(epsilon(model), 5))
    yield Sentence("bare", told, tone)


def owner_tables(model: ComponentsModel) -> tuple[Table, ...]:
    """What each party has, sees and never sees."""
    rows = (
        (say("owner"), say("own rows"), say("the public key"), say("rows of others")),
        (
            say("proxy"),
            say("a mask, and the noise G′"),
            say("ciphertexts, the number of rows"),
            say("any sum"),
        ),
        (
            say("user"),
            say("the key"),
            say("S + G′, masked sums, the number of rows"),
            say("S, any owner’s sum, any row"),
        ),
    )
    names = ("party", "has", "sees", "never")
    heads = (say("party"), say("has"), say("sees"), say("never sees"))
    columns = tuple((key, tuple(row[i] for row in rows)) for i, key in enumerate(names))
    return (Table("parties", say("What each sees"), columns, shown=True, heads=heads),)
