"""Charts of encrypted shares: who sends what and who reads it, how exact it is, and what it
costs."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from dpstudio.charts.figure import Axis, Dots, Figure, Handle, Layer, Line, Rule, Words, nice_above
from dpstudio.labs import sequence
from dpstudio.labs.findings import Findings, Table
from dpstudio.labs.nobody.owners import cost, parameters, trust
from dpstudio.labs.nobody.owners import model as owners_model
from dpstudio.labs.nobody.owners.model import OwnersModel
from dpstudio.labs.sequence import Sent
from dpstudio.privacy.owners.exchange import READS
from dpstudio.privacy.owners.shares import BITS_MOST
from dpstudio.values.messages import N_, Message, Num, say, worded

SOURCE = "Paillier 1999; Al-Rubaie, Wu, Chang & Kung 2017"
_READERS = {"owner": N_("an owner"), "user": N_("data user"), "holder": N_("key holder")}
# In units of y: from one row of squares to the next, which are the larger for it, and from the
# first to the top, where what stands across heads its column.
_ROW, _HEADS = 0.45, 0.5
_READ = (N_("its rows"), N_("shares"), N_("sums"), N_("result"))


def flow_chart(model: owners_model.OwnersModel, asked: parameters.Sharing) -> Figure:
    """Who sends what to whom, one message below the other; the player goes through it."""
    owners = owners_model.owner_count(asked, owners_model.here(model).classes)
    parties = {
        "owners": say("{n} {n:owner|owners}", n=Num(owners)),
        "user": say("data user"),
        "holder": say("key holder"),
    }
    sent = _messages(model, asked, owners)
    return Figure(
        "flow",
        say("Who sends what, and who can read it"),
        *sequence.axes(len(sent)),
        sequence.sequence(parties, sent, (say("it holds"), say("bytes"))),
        say("time runs down; a lock marks what its receiver cannot read"),
        staged=True,
        source=SOURCE,
    )


def _messages(
    model: owners_model.OwnersModel, asked: parameters.Sharing, owners: int
) -> tuple[Sent, ...]:
    """The messages in order; the last is what the user is left with."""
    held, sizes = owners_model.here(model), cost.bytes_sent(model, asked)
    count = owners_model.numbers_sent(asked, owners_model.columns_shared(held), held.classes)
    many, bits = Num(count), int(asked.modulus)
    key = say("one key of {bits} {bits:bit|bits}", bits=Num(bits))
    numbers = say("{n} {n:number|numbers} an owner", n=many)
    each = say("{owners} × {size}", owners=Num(owners), size=Num(sizes.owner))
    sums = say("{n} {n:sum|sums}, masked", n=many)
    one = say("{n} × {size}", n=many, size=Num(sizes.number))
    size = [say("{n}", n=Num(n)) for n in (sizes.key, sizes.owners, sizes.blinded)]
    return (
        Sent("key", "holder", "owners", "truth", say("public key"),
             False, key, say("to all"), size[0]),
        Sent("shares", "owners", "user", "first", say("shares, encrypted"),
             True, numbers, each, size[1]),
        Sent("blinded", "user", "holder", "gaussian", say("sums, blinded"),
             True, sums, one, size[2]),
        Sent("circuit", "holder", "user", "discrete_gaussian", say("circuit"),
             False, say("a function stands in"), say("in its place"), say("not run"), False),
        Sent("result", "user", "user", "truth", say("W, eigenvalues"),
             False, say("exact"), say("not private"), say("not sent"), False),
    )  # fmt: skip


def with_step(findings: Findings, index: int) -> Findings:
    """The drawing at another message: first all of them, then from the first one on."""
    step = index % (owners_model.STEPS + 1)
    flow = findings.figure("flow")
    table = next((t for t in findings.tables if t.key == "messages"), None)
    under = flow.subtitle
    if step and table is not None:
        seen = dict(table.columns)["seen"][step - 1]
        under = say("{n} of {all}: {seen}", n=Num(step), all=Num(owners_model.STEPS), seen=seen)
    layers = sequence.until(flow.layers, step or owners_model.STEPS)
    changed = replace(flow, layers=layers, subtitle=under)
    figures = tuple(changed if f.key == "flow" else f for f in findings.figures)
    return replace(findings, figures=figures)


def reads_chart(model: owners_model.OwnersModel, asked: parameters.Sharing) -> Figure:
    """Who learns what, a square for each: filled where it is read."""
    return squares(
        "reads",
        say("Who learns what"),
        tuple(_READERS[party] for party in READS),
        _READ,
        list(READS.values()),
        say("if nobody helps another"),
    )


def squares(
    key: str,
    title: Message,
    down: Sequence[str],
    across: Sequence[str],
    filled: Sequence[Sequence[bool]],
    subtitle: Message,
    words: tuple[str, str] = (N_("reads"), N_("does not read")),
) -> Figure:
    """A square for each of those down the side and what stands across, which heads its column:
    filled where it is so; `words` for both, as they are read."""
    rows = [_ROW * (len(down) - 1 - k) for k in range(len(down))]
    layers: list[Layer] = []
    for name, ink, there, marker in (("read", "truth", True, "square"),
                                     ("unread", "axis", False, "hollow")):  # fmt: skip
        at = [(k, x) for k, reads in enumerate(filled) for x, read in enumerate(reads)
              if read == there]  # fmt: skip
        told = Message(words[not there])
        tells = tuple((Message(down[k]), say("{name} {value}", name=told, value=Message(across[x])))
                      for k, x in at)  # fmt: skip
        x, y = [float(x) for _, x in at], [rows[k] for k, _ in at]
        layers.append(Dots(name, ink, "", x, y, marker=marker, tells=tells))
    heads, places = tuple(Message(word) for word in across), [float(x) for x in range(len(across))]
    high = [rows[0] + _HEADS] * len(across)
    layers.append(Words("heads", "muted", "", heads, places, high, up=-0.4, room=0.95, lines=1))
    ticks = tuple((at, worded(Message(word))) for at, word in zip(rows, down, strict=True))
    return Figure(
        key,
        title,
        Axis("", range=(-0.6, len(across) - 0.4), hidden=True),
        Axis("", range=(-_ROW / 2, rows[0] + _HEADS), ticks=ticks),
        tuple(layers),
        subtitle,
    )


def bytes_chart(model: owners_model.OwnersModel, asked: parameters.Sharing) -> Figure:
    """The bytes of one owner by columns, with either key."""
    held = owners_model.here(model)
    curves = [(bits, *cost.bytes_curve(asked, held.classes, bits)) for bits in cost.key_lengths()]
    layers: list[Layer] = [
        Line(f"bytes_{bits}", ink, say("{b} {b:bit|bits}", b=Num(bits)), x, y)
        for (bits, x, y), ink in zip(curves, ("first", "third"), strict=True)
    ]
    at, size = owners_model.columns_shared(held), cost.bytes_sent(model, asked).owner
    ink = layers[[bits for bits, *_ in curves].index(int(asked.modulus))].ink
    layers.append(Dots("here", ink, "", [at], [size], marker="circle"))
    return Figure(
        "bytes",
        say("Bytes of one owner"),
        Axis(say("columns"), log=True, range=(1.8, 1.1 * cost.FEATURES_MOST)),
        Axis(say("bytes"), log=True),
        tuple(layers),
        say("a key twice as long doubles them"),
    )


def bits_chart(model: owners_model.OwnersModel, asked: parameters.Sharing) -> Figure | None:
    """How far the scatter from shares is from numpy’s, by digits after the point; None where the
    exact one is hidden."""
    if not model.lab.show_truth:
        return None
    x, found, most = owners_model.by_bits(model)
    at, allowed = owners_model.at_bits(model)
    every = np.concatenate([found[found > 0], most])
    layers: tuple[Layer, ...] = (
        Line("most", "limit", say("most that rounding makes"), x, most),
        Line("found", "first", say("found"), x, np.maximum(found, 1e-300), width=2.6),
        Handle(
            "here",
            "first",
            say(
                "{bits} {bits:digit|digits} → {apart}", bits=Num(asked.bits), apart=Num(at, 2, "up")
            ),
            asked.bits,
            max(at, 1e-300),
            "looks.bits",
        ),
    )
    ends = (parameters.BITS_LEAST - 0.5, BITS_MOST + 0.5)
    return Figure(
        "bits",
        say("Shares against numpy"),
        Axis(say("binary digits after the point"), range=ends, whole=True),
        Axis(
            say("largest difference of an entry"),
            log=True,
            range=(0.3 * float(every.min()), 3 * float(every.max())),
        ),
        layers,
        say("at most {most} by rounding, whatever the key", most=Num(allowed, 2, "up")),
        exact=True,
    )


def cost_chart(model: owners_model.OwnersModel, asked: parameters.Sharing) -> Figure:
    """How long an owner encrypts by features and key: measured here, and published."""
    layers: list[Layer] = []
    heights = [row.dca[0] for row in cost.PUBLISHED] + [row.pca[0] for row in cost.PUBLISHED]
    for (bits, timed), ink in zip(model.found.clocks, ("first", "third"), strict=False):
        x, y = cost.owner_curve(asked, owners_model.here(model).classes, timed)
        heights += [float(y[0]), float(y[-1])]
        layers.append(Line(f"key_{bits}", ink, say("{b} {b:bit|bits}, here", b=Num(bits)), x, y))
    features = [row.p for row in cost.PUBLISHED]
    for key, ink, label, published in (
        ("pca", "gaussian", say("published, PCA"), [row.pca[0] for row in cost.PUBLISHED]),
        ("dca", "staircase", say("published, DCA"), [row.dca[0] for row in cost.PUBLISHED]),
    ):
        if (key == "dca") == owners_model.by_classes(asked):
            layers.append(Dots(f"published_{key}", ink, label, features, published))
    own = cost.seconds_here(model, asked)
    if own is not None:
        layers.append(
            Dots(
                "here", "truth", say("this table"), [owners_model.here(model).x.shape[1]], [own[0]]
            )
        )
        heights.append(own[0])
    return Figure(
        "cost",
        say("How long an owner encrypts"),
        Axis(say("features"), log=True, range=(1.8, 1.1 * cost.FEATURES_MOST)),
        Axis(say("seconds"), log=True, range=(0.5 * min(heights), 2 * max(heights))),
        tuple(layers),
        say("published: keys of 1,024 bits, other machines"),
        source="Al-Rubaie et al. 2017, Tables 9.1 and 9.2; " + N_("measured here"),
    )


NAMES = {
    "central": N_("one trusted curator"),
    "gamma": N_("gamma or Laplace parts"),
    "laplace": N_("Laplace parts"),
    "gaussian": N_("Gaussian parts"),
    "shuffled": N_("shuffled coins"),
    "proved": N_("shuffled, any protocol"),
    "local": N_("nobody is trusted"),
}
INKS = {
    "central": "truth",
    "gamma": "first",
    "laplace": "first",
    "gaussian": "gaussian",
    "shuffled": "staircase",
    "proved": "third",
    "local": "discrete_gaussian",
}
_SOURCES = (
    "Goryczka & Xiong 2017; Balle, Bell, Gascón & Nissim 2019; "
    "Feldman, McMillan & Talwar 2021, Theorem 3.1; Warner 1965"
)
_AXIS = Axis(say("people"), log=True, range=(0.9 * trust.PEOPLE[0], 1.1 * trust.PEOPLE[1]))


def error_chart(model: OwnersModel) -> Figure:
    """The error of a count against the number of people, by whom they trust."""
    drawn, asked, here = trust.curves(model), trust.asked_of(model), trust.at_hand(model)
    layers: list[Layer] = []
    for way in trust.WAYS:
        if way != "laplace":  # the same error as gamma parts
            y, known = drawn.errors[way], np.isfinite(here[way])
            told = say("{n}", n=Num(here[way], 3, "up")) if known else ""
            name = Message(NAMES[way])
            layers.append(Line(way, INKS[way], name, drawn.people, y, width=2.4, told=told))
    layers += _handles(model)
    every = np.concatenate([y[np.isfinite(y)] for y in drawn.errors.values()])
    text = N_("at ε = {epsilon}, δ = {delta} where one is needed; {share} collude")
    share = Num(asked.colluding, 3, percent=True)
    return Figure(
        "error",
        say("Error of one count"),
        _AXIS,
        Axis(
            say("standard deviation, people"),
            log=True,
            range=(0.5 * float(every.min()), 2 * float(every.max())),
        ),
        tuple(layers),
        say(text, epsilon=Num(asked.epsilon, 5), delta=Num(asked.delta), share=share),
        source=_SOURCES,
        told=say("of {n} {n:person|people}", n=Num(asked.people)),
    )


def _handles(model: OwnersModel) -> Iterator[Layer]:
    asked = trust.asked_of(model)
    error = trust.error("local", asked, asked.people)
    label = say("{n} {n:person|people} → {e}", n=Num(asked.people), e=Num(error, 3, "up"))
    yield Handle("here", INKS["local"], label, asked.people, error, "looks.people")


def budget_chart(model: OwnersModel) -> Figure:
    """How much each report may spend where a shuffler mixes them."""
    drawn, asked = trust.curves(model), trust.asked_of(model)
    lines = [
        Line(way, INKS[way], Message(NAMES[way]), drawn.people, drawn.budgets[way])
        for way in ("shuffled", "proved")
    ]
    coins, _ = trust.epsilon0(model)
    top = float(np.nanmax(drawn.budgets["shuffled"]))
    label = say("ε₀ = {e}", e=Num(coins, 3, "down"))
    layers: tuple[Layer, ...] = (
        *lines,
        Rule("asked", "muted", say("ε of all"), asked.epsilon, axis="y", dash="dot"),
        Handle("here", INKS["shuffled"], label, asked.people, coins, "looks.people"),
    )
    return Figure(
        "budget",
        say("What one report may spend"),
        _AXIS,
        Axis(say("ε₀ of one report"), range=(0.0, nice_above(1.05 * max(top, asked.epsilon)))),
        layers,
        say("so that all keep ({epsilon}, {delta})", epsilon=Num(asked.epsilon, 5),
            delta=Num(asked.delta)),
        source=_SOURCES,
    )  # fmt: skip


_TRUSTS = {
    "central": (N_("the curator"), N_("every answer")),
    "gamma": (N_("no two who add and open"), N_("the noisy count")),
    "laplace": (N_("no two; one who draws √B"), N_("the noisy count")),
    "gaussian": (N_("no two; a circuit that squares"), N_("the noisy count")),
    "shuffled": (N_("the shuffler"), N_("noisy reports without names")),
    "local": (N_("nobody"), N_("noisy reports with names")),
}


def models_table(model: OwnersModel) -> Table:
    """Whom each way trusts, what is seen, what is sent, and the error."""
    errors, rows = trust.at_hand(model), []
    for way, (whom, seen) in _TRUSTS.items():
        messages, bits = trust.sends(model, way)
        name = say("gamma parts") if way == "gamma" else Message(NAMES[way])
        error = Num(errors[way], 3, "up")
        rows.append((name, Message(whom), Message(seen), Num(messages), Num(bits), error))
    heads = (say("way"), say("trusted"), say("collector sees"), say("messages"), say("bits"),
             say("error"))  # fmt: skip
    keys = ("way", "trusted", "sees", "messages", "bits", "error")
    columns = tuple((key, tuple(row[i] for row in rows)) for i, key in enumerate(keys))
    return Table("models", say("Whom one trusts, and what it costs"), columns, True, heads)
