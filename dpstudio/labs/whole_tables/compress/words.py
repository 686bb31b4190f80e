"""Compress' strip, sentences and table."""

from collections.abc import Iterator

from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.persons import left_out
from dpstudio.labs.persons import shown as told
from dpstudio.labs.whole_tables.compress import beside
from dpstudio.labs.whole_tables.compress import model as compress
from dpstudio.labs.whole_tables.compress.lost import lost_here, order, ridges
from dpstudio.labs.whole_tables.compress.parameters import QUICK, SLOW
from dpstudio.labs.whole_tables.compress.promise_words import budget, printed, private, told_share
from dpstudio.privacy.compression.projections import PRIVACY, UTILITY
from dpstudio.values.messages import N_, Message, Num, say

_WAYS = {
    "pca": N_(
        "PCA looks at no label: what varies most comes first, whichever label it tells. What it "
        "drops is least, so it hides least from who reconstructs rows."
    ),
    "mdr": N_(
        "MDR weighs what tells the one label apart against what tells the other apart. It has "
        "{most}: one fewer than the classes to be told."
    ),
    "lda": N_(
        "LDA takes what tells the classes apart for the spread within them. It has {most}: one "
        "fewer than the classes to be told."
    ),
    "random": N_(
        "Random directions look at nothing: every label is lost a little more with each one that "
        "is left out, and distances keep."
    ),
}
_SIGNS = {
    1: N_(
        "ρ′ > 0: after the {signal} for the classes the directions of least variance come "
        "next, and rows are hard to reconstruct until the last."
    ),
    -1: N_(
        "ρ′ < 0: after the {signal} for the classes the directions of most variance come "
        "next, as in PCA, and rows are soon reconstructed."
    ),
    0: N_("ρ′ = 0: after the {signal} for the classes all others tie, and rounding orders them."),
}


def facts(model: compress.CompressModel) -> Iterator[Fact]:
    """The strip: what is kept of the one label and told of the other, by whom, and what is lost."""
    if not model.lab.shown:
        return
    crowd, (kept, given) = compress.commonest(model), beside.above(model)
    utility, privacy = compress.told_here(model)
    yield Fact(
        "utility",
        say("{label} told", label=compress.label_name(model, UTILITY)),
        say("{share}", share=told_share(utility)),
        say("majority class {share}", share=told_share(crowd[UTILITY])),
        model.lab.way.ink,
        utility,
    )
    yield Fact(
        "gain",
        say("Of what whole rows tell"),
        say("{kept} kept", kept=Num(kept, 2, percent=True)),
        say("{given} given away at least", given=Num(given, 2, "down", percent=True)),
        value=(kept, given),
    )
    name, share = beside.strongest(model)
    yield Fact(
        "strongest",
        say("Strongest attacker"),
        say("{share}", share=told_share(share)),
        Message({**QUICK, **SLOW}[name])
        if beside.beaten(model)
        else say("no clear gain on one answer"),
        value=share,
    )
    lost = lost_here(model)
    yield Fact(
        "lost",
        say("Lost to an inverse"),
        say("{share}", share=told_share(lost[0])),
        say("{share} to the best linear one", share=told_share(lost[1])),
        value=lost,
    )
    yield Fact(
        "privacy",
        say("{label} told", label=compress.label_name(model, PRIVACY)),
        say("{share}", share=told_share(privacy)),
        say("majority class {share}", share=told_share(crowd[PRIVACY])),
        value=privacy,
    )


def sentences(model: compress.CompressModel) -> Iterator[Sentence]:
    """What is told and by whom, what this does not promise, and what is printed."""
    yield Sentence(
        "no_promise",
        say("This is no differential privacy: nothing bounds what someone who knows more learns."),
        "warn",
    )
    if not model.lab.shown:
        text = N_("Accuracy is exact and hidden; the rest is drawn.")
        yield Sentence("hidden", say(text))
        return
    yield from _trade(model)
    yield from _attackers(model)
    yield _order(model)
    yield from _rows(model)
    if beside.can_be_private(model):
        yield budget(model)
        if model.stage:
            yield from private(model)
    yield from printed(model)


def _trade(model: compress.CompressModel) -> Iterator[Sentence]:
    """How often both labels are told right by what is kept, and without."""
    (utility, privacy), crowd = compress.told_here(model), compress.commonest(model)
    text = N_(
        "{k} {k:number|numbers} by {way}: accuracy {utility} on {label}, {privacy} on {hidden}."
    )
    values = {
        "k": Num(compress.k_of(model)),
        "way": Message(model.lab.way.short),
        "label": compress.label_name(model, UTILITY),
        "hidden": compress.label_name(model, PRIVACY),
        "utility": told_share(utility),
        "privacy": told_share(privacy),
    }
    yield Sentence("trade", Message(text, values))
    text = N_("Without any the accuracy is {utility} on {label}, {privacy} on {hidden}.")
    blind = {"utility": told_share(crowd[UTILITY]), "privacy": told_share(crowd[PRIVACY])}
    yield Sentence("without", Message(text, {**values, **blind}))
    if model.lab.points.one_label:
        inverse, best = (told_share(share) for share in lost_here(model))
        text = N_(
            "With one label what may be hidden is the row: {inverse} of the variance is lost to "
            "the minimum-norm inverse, {best} to the best linear decoder."
        )
        yield Sentence("one_label", say(text, inverse=inverse, best=best))


def _attackers(model: compress.CompressModel) -> Iterator[Sentence]:
    name, share = beside.strongest(model)
    values = {
        "name": Message({**QUICK, **SLOW}[name]),
        "share": told_share(share),
        "n": Num(len(beside.strengths(model))),
        "whole": told_share(compress.unprojected(model)[PRIVACY]),
        "weak": told_share(beside.weakest(model)),
    }
    text = N_(
        "Of {n} {n:attacker|attackers} the strongest here ({name}) has an accuracy of {share}; the "
        "linear rule on whole rows has {whole}."
    )
    if not beside.beaten(model):
        text = N_(
            "Of {n} {n:attacker|attackers} none does better than one answer for all, {crowd}, in "
            "{clearly} of the splits; the linear rule on whole rows has {whole}."
        )
    values["crowd"] = told_share(compress.commonest(model)[PRIVACY])
    values["clearly"] = Num(beside.clearly(), 3, percent=True)
    yield Sentence("strongest", Message(text, values))
    if model.stage == 2:
        known, asked = beside.sizes(model)
        text = N_(
            "Logistic models and nearest neighbours, as many as tell most of those known, learn "
            "from up to {known:# row|# rows} in {tried} of {splits:# split|# splits} and are asked "
            "about {asked}. Others may learn more."
        )
        counts = {
            "known": known,
            "asked": asked,
            "tried": beside.tried(model),
            "splits": model.splits,
        }
        yield Sentence("learnt", Message(text, {name: Num(n) for name, n in counts.items()}))
    text = N_(
        "On rows reconstructed by the minimum-norm inverse the accuracy is {weak}. It is no "
        "measure of what is hidden: a decoder that learns from public rows needs no inverse."
    )
    yield Sentence("inverse", Message(text, values))


def _order(model: compress.CompressModel) -> Sentence:
    way, many = model.lab.way, compress.most(model, model.lab.way)
    if way.key != "dca":
        text = (
            say("{n} {n:direction|directions}", n=Num(many)) if many > 1 else say("one direction")
        )
        return Sentence("order", Message(_WAYS[way.key], {"most": text} if not way.blind else {}))
    classes = compress.signals(model)
    text = (
        say("{n} {n:direction|directions}", n=Num(classes)) if classes > 1 else say("one direction")
    )
    rho, prime = ridges(model)
    told = Message(_SIGNS[order(model)], {"signal": text})
    both = {"rho": Num(rho, 3), "prime": Num(prime, 3)}
    return Sentence("order", say("{told} ρ = {rho}, ρ′ = {prime}.", told=told, **both))


def _rows(model: compress.CompressModel) -> Iterator[Sentence]:
    n, tested, missing = compress.counted(model)
    values = {"n": Num(n), "tested": Num(tested), "left": Num(missing)}
    text = N_(
        "{n:# row|# rows}; in each split {tested} of them {tested:is|are} tested and the others "
        "learnt from."
    )
    if compress.held(model).made:
        text = N_(
            "{n:# row, which is|# rows, which are} nobody’s here; {tested} {tested:is|are} tested "
            "in each split."
        )
    elif missing:
        text = N_(
            "{n:# row|# rows}; in each split {tested} {tested:is|are} tested and the others learnt "
            "from. {left:# with a value missing is|# with a value missing are} left out. This is "
            "exact: not private."
        )
    yield Sentence("rows", Message(text, values))
    rank = compress.space(model).rank
    text = N_(
        "They hold {columns:# number|# numbers} each and vary along {rank:# direction|# "
        "directions}: more directions than that tell nothing more."
    )
    yield Sentence("rank", say(text, columns=Num(compress.columns(model)), rank=Num(rank)))
    if model.of_table:
        whole = model.data.whole.rows
        yield from left_out(
            model.data,
            lambda: (say("the number of rows"), told(model.data.rows), told(whole)),
            show_truth=model.lab.show_truth,
        )


def tables(model: compress.CompressModel) -> tuple[Table, ...]:
    """Every drawn way at the chosen number of directions, and every attacker of the chosen one."""
    if not model.lab.shown:
        return ()
    rows = []
    for key in compress.shown_ways(model):
        way = compress.way_of(model, key)
        k = min(compress.k_of(model), compress.most(model, way))
        utility, privacy = compress.trade_at(model, way, model.lab.attacker, (k,)).middle[:, 0]
        rows.append(
            (Message(way.label), Num(k), told_share(float(utility)), told_share(float(privacy)))
        )
    names = ("way", "k", "utility", "privacy")
    heads = (
        say("way"),
        say("K"),
        say("accuracy on {label}", label=compress.label_name(model, UTILITY)),
        say("accuracy on {label}", label=compress.label_name(model, PRIVACY)),
    )
    one = Table(
        "ways",
        say("Ways at K = {k} or as many as they have", k=Num(compress.k_of(model))),
        tuple((name, tuple(row[i] for row in rows)) for i, name in enumerate(names)),
        shown=True,
        heads=heads,
        exact=model.of_table,
        simulated=True,
    )
    found = beside.by_strength(model)
    two = Table(
        "attackers",
        say(
            "Attackers of {way} at K = {k}",
            way=Message(model.lab.way.short),
            k=Num(compress.k_of(model)),
        ),
        (
            ("attacker", tuple(Message({**QUICK, **SLOW}[name]) for name in found)),
            ("right", tuple(told_share(share) for share in found.values())),
        ),
        shown=True,
        heads=(say("attacker"), heads[3]),
        exact=model.of_table,
        simulated=True,
    )
    return one, two
