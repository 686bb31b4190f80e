"""Charts of many owners: who sends what, what both protocols keep, and what they cost."""

import numpy as np

from dpstudio.charts.figure import Axis, Figure, Layer, Line, Rule
from dpstudio.labs import sequence
from dpstudio.labs.models.components import charts, owners, parameters, protocol
from dpstudio.labs.models.components.model import ComponentsModel, chosen, epsilon
from dpstudio.labs.sequence import Sent
from dpstudio.values.messages import N_, Message, Num, say

_ENCRYPTED, _SERIAL = "first", "third"


def flow_chart(model: ComponentsModel, many: parameters.ManyOwners) -> Figure:
    """Who sends what to whom, one message below the other."""
    parties = {
        "owners": say("{n} {n:owner|owners}", n=Num(many.owners)),
        "proxy": say("proxy"),
        "user": say("user"),
    }
    sent = (
        Sent("key", "user", "owners", "muted", say("public key")),
        Sent("sealed", "owners", "proxy", _ENCRYPTED, say("encrypted sums"), locked=True),
        Sent("masked", "proxy", "user", _ENCRYPTED, say("masked, noisy")),
        Sent("axes", "user", "owners", "answer", say("components")),
    )
    return Figure(
        "flow",
        say("Who sends what"),
        *sequence.axes(len(sent)),
        sequence.sequence(parties, sent, None),
        say("lock: its receiver cannot read it"),
        source="Paillier 1999; Al-Rubaie et al. 2017",
    )


def kept_chart(model: owners.OwnersModel) -> Figure | None:
    """What the two protocols keep by rows per owner; None before anything is known."""
    found = model.found
    if found.pooled is None or found.serial is None or len(found.sizes) < 2:
        return None
    x = found.sizes
    layers = (
        *charts.ribbon("pooled", _ENCRYPTED, x, found.pooled, say("encrypted: one noise")),
        *charts.ribbon("serial", _SERIAL, x, found.serial, say("serial: noise of each")),
        Rule("exact", "truth", say("no noise"), 1.0, axis="y"),
    )
    return Figure(
        "owned",
        say("Variance captured by rows per owner"),
        Axis(say("rows of each owner"), log=True, range=(0.9 * x[0], 1.1 * x[-1])),
        Axis(say("variance captured"), range=charts.SHARES),
        layers,
        _at(model),
        notes=charts.notes(model),
        exact=True,
        simulated=True,
        source=chosen(model).source,
    )


def _at(model: ComponentsModel) -> Message:
    return say("ε = {epsilon}", epsilon=Num(epsilon(model), 5))


def f1_chart(model: owners.OwnersModel) -> Figure | None:
    """How well the projected rows are sorted into classes; None before anything is known."""
    found = model.found
    if found.f1 is None or len(found.f1_sizes) < 2:
        return None
    x, (pooled, serial, exact) = found.f1_sizes, found.f1
    layers = (
        *charts.ribbon("pooled", _ENCRYPTED, x, pooled, say("encrypted")),
        *charts.ribbon("serial", _SERIAL, x, serial, say("serial")),
        Line("exact", "truth", say("no noise"), x, exact),
    )
    return Figure(
        "f1",
        say("F1 by rows per owner"),
        Axis(say("rows of each owner"), log=True, range=(0.9 * x[0], 1.1 * x[-1])),
        Axis(say("weighted F1 on test rows"), range=(0.0, 1.0)),
        layers,
        say("an RBF machine on the projections; it is not private"),
        notes=charts.notes(model),
        exact=True,
        simulated=True,
        source="scikit-learn, sklearn.svm.SVC",
    )


def cost_chart(model: owners.OwnersModel, many: parameters.ManyOwners) -> Figure | None:
    """How long both protocols compute, by owners; None before operations are timed."""
    if model.found.clock is None:
        return None
    x, encrypted, serial = owners.cost(model)
    layers: list[Layer] = [
        Line("encrypted", _ENCRYPTED, say("encrypted, here"), x, encrypted),
        Line("serial", _SERIAL, say("serial, here"), x, serial),
    ]
    counts, both, columns = protocol.published(model)
    for key, ink, y in (("encrypted", _ENCRYPTED, both[0]), ("serial", _SERIAL, both[1])):
        label = {"encrypted": say("encrypted, published"), "serial": say("serial, published")}[key]
        layers.append(Line(f"{key}_published", ink, label, counts, y, dash="dot", width=1.6))
    every = np.concatenate([encrypted, serial, *both])
    text = N_(
        "computing only, key of {bits} {bits:bit|bits}; published: {columns}, 128 bits, with "
        "messages"
    )
    return Figure(
        "cost",
        say("Time by the number of owners"),
        Axis(say("owners"), log=True, range=(0.9 * x[0], 1.1 * x[-1])),
        Axis(say("seconds"), log=True, range=(0.5 * every.min(), 2 * every.max())),
        tuple(layers),
        say(text, bits=Num(protocol.key_bits(model, many)), columns=Message(columns)),
        source=N_("measured here") + "; " + N_("the tables of the authors’ logs"),
    )
