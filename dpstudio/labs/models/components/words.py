"""Components' strip, sentences and table."""

from collections.abc import Iterator
from typing import Any

from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.models.components import draws, noise
from dpstudio.labs.models.components import model as components
from dpstudio.labs.passing_words import from_epsilon, wanted_epsilon
from dpstudio.labs.persons import left_out
from dpstudio.labs.persons import shown as told
from dpstudio.labs.winners import listed
from dpstudio.privacy.queries.query import ADD_REMOVE
from dpstudio.values.messages import N_, Message, Num, plain, say


def _share(value: float) -> Num:
    return Num(value, 3, "down", percent=True)


def _epsilon(model: components.ComponentsModel) -> Num:
    return Num(components.epsilon(model), 5)


def facts(model: components.ComponentsModel) -> Iterator[Fact]:
    """The strip: what is kept, from which ε and how many rows on it is enough, and the noise."""
    made = components.chosen(model)
    if model.lab.show_truth:
        low, middle, high = draws.kept(model)
        note = say("90 % of draws: {low} to {high}", low=_share(low), high=_share(high))
        text = say("{share}", share=_share(middle))
        yield Fact("kept", say("Variance captured"), text, note, made.ink, middle)
        yield _enough(model)
        yield _rows(model)
    formula = plain(made.formula)
    text = say("{scale}", scale=Num(components.scale(model), 3, "up"))
    yield Fact("noise", say("Scale of the noise"), text, formula, value=components.scale(model))


def _enough(model: components.ComponentsModel) -> Fact:
    found = draws.enough(model)
    label = say("half of the draws keep {share}", share=Num(model.lab.enough, 4, percent=True))
    return Fact("enough", label, *from_epsilon(found), value=found.at)


def _rows(model: components.ComponentsModel) -> Fact:
    found, note = draws.rows_needed(model), say("{n} {n:row|rows} here", n=Num(components.n(model)))
    label = say("{share} at this ε from", share=Num(model.lab.enough, 4, percent=True))
    text = found.said(
        lambda before, at: say(
            "{n} {n:row|rows}, not {before}", n=Num(at, 3, "up"), before=Num(before, 3, "down")
        ),
        lambda few: say("{n} {n:row|rows} or fewer", n=Num(few, 2, "up")),
        lambda many: say("more than {n} {n:row|rows}", n=Num(many, 2, "down")),
    )
    return Fact("rows", label, text, note, value=found.at)


def sentences(model: components.ComponentsModel) -> Iterator[Sentence]:
    """What is kept and by which way best, what one person moves, and what is printed."""
    if model.lab.show_truth:
        yield _kept(model)
        yield _blindly(model)
        yield _best(model)
        yield from _rows_sentences(model)
        share = Num(model.lab.enough, 4, percent=True)
        what = say(
            "{share} of what {k} {k:component|components} can hold", share=share, k=Num(model.k)
        )
        yield wanted_epsilon(draws.enough(model), what, N_("these draws"))
    else:
        text = N_("What is captured is exact and hidden; noise and messages are shown.")
        yield Sentence("hidden", say(text))
    yield _budget(model)
    yield _centred(model)
    yield _way(model)
    yield from _printed(model)


def _kept(model: components.ComponentsModel) -> Sentence:
    middle = draws.kept(model)[1]
    text = N_("At ε = {epsilon} {way} keeps {share} of what {k} {k:component|components} can hold.")
    values = {
        "epsilon": _epsilon(model),
        "k": Num(model.k),
        "way": components.name(components.chosen(model)),
        "share": _share(middle),
    }
    if model.k == model.p:
        text = N_("As many components as columns, {k}, lose nothing, however they are drawn.")
        return Sentence("captured", Message(text, values), "warn")
    tone = "good" if middle >= model.lab.enough else "warn" if middle < 0.5 else "plain"
    return Sentence("captured", Message(text, values), tone)


def _blindly(model: components.ComponentsModel) -> Sentence:
    """What to compare it with, or what to do where nothing is to be compared."""
    text = N_("That is of their variance; random directions keep {chance}.")
    if model.k == model.p:
        text = N_("Keep fewer, or name more columns.")
    return Sentence("blindly", say(text, chance=_share(draws.by_chance(model))))


def _best(model: components.ComponentsModel) -> Sentence:
    best, *others = draws.standing(model)
    names = listed([components.name(components.way(model, key)) for key in best])
    values: dict[str, Any] = {
        "best": names,
        "share": _share(draws.typical(model, best[0])),
        "seeds": Num(draws.seeds(model)),
    }
    text = N_(
        "Of those drawn {best} keeps most, {share} in the middle of {seeds} {seeds:draw|draws}."
    )
    if len(best) > 1:
        text = N_("{best} keep alike, {share} in the middle of {seeds} {seeds:draw|draws}.")
    if len(draws.shown(model)) == 1:
        text = N_("{best} is drawn alone: {share} in the middle of {seeds} {seeds:draw|draws}.")
    if not others:
        return Sentence("best", Message(text, values))
    last = others[-1][-1]
    values |= {
        "worst": components.name(components.way(model, last)),
        "least": _share(draws.typical(model, last)),
    }
    told = Message(text, values)
    return Sentence(
        "best",
        say(
            N_("{told} {worst} keeps {least}."),
            told=told,
            **{key: values[key] for key in ("worst", "least")},
        ),
    )


def _rows_sentences(model: components.ComponentsModel) -> Iterator[Sentence]:
    held = components.rows(model)
    text = N_(
        "{n} {n:row is|rows are} used, each scaled by the bounds of its columns to a length of at "
        "most 1."
    )
    if held.left_out:
        text = N_(
            "{n:# row is|# rows are} used, each scaled by the bounds of its columns to a length of "
            "at most 1; {left:# with a value missing is|# with a value missing are} left out. This "
            "is exact: not private."
        )
    yield Sentence("left_out", say(text, n=Num(components.n(model)), left=Num(held.left_out)))
    yield from left_out(
        model.data,
        lambda: (
            say("the number of rows"),
            told(components.n(model)),
            told(components.whole_n(model)),
        ),
        show_truth=model.lab.show_truth,
    )


def _budget(model: components.ComponentsModel) -> Sentence:
    """Unit, adjacency, ε and δ."""
    pure = components.chosen(model).pure
    if model.lab.adjacency == ADD_REMOVE:
        text = N_("(ε, δ) covers one person who comes or goes: ε = {epsilon}, δ = {delta}.")
    else:
        text = N_("(ε, δ) covers one person who is replaced: ε = {epsilon}, δ = {delta}.")
    d = Num(0.0 if pure else components.delta(model), 3, "up")
    return Sentence("budget", say(text, epsilon=_epsilon(model), delta=d))


def _centred(model: components.ComponentsModel) -> Sentence:
    values = {
        "zero": Num(components.reach(model, False), 3, "up"),
        "mean": Num(components.reach(model, True), 3, "up"),
        "factor": Num(components.factor(model), 3),
    }
    text = N_(
        "About the mean one person moves the second moments by up to {mean}, about 0 by {zero}: "
        "centring takes {factor} times the noise."
    )
    return Sentence("centred", Message(text, values))


def _way(model: components.ComponentsModel) -> Sentence:
    made = components.chosen(model)
    if made.key == "gaussian_matrix":
        text = N_(
            "One noisy matrix of second moments; all else follows from it for free. Its σ is "
            "exact: the classical one is {times} times as large."
        )
        return Sentence("way", say(text, times=Num(noise.saved(model), 3)))
    text = {
        "laplace_matrix": N_(
            "One noisy matrix with δ = 0; its noise grows with the number of columns, {p} here."
        ),
        "noisy_power": N_(
            "{steps:# product|# products} with Gaussian noise on {k:# column|# columns} each, "
            "composed exactly."
        ),
        "exponential_subspace": N_(
            "{k} {k:direction|directions}, each drawn exactly at ε/{k} from the Bingham law; a "
            "Markov chain of finitely many steps would have no such claim."
        ),
    }[made.key]
    values = {"p": Num(model.p), "k": Num(model.k), "steps": Num(noise.steps(model))}
    return Sentence("way", Message(text, values))


def _printed(model: components.ComponentsModel) -> Iterator[Sentence]:
    """What the texts print, and what it keeps."""
    values = {"epsilon": _epsilon(model), "delta": Num(components.delta(model), 3, "up")}
    text = N_(
        "As printed the centred matrix gets noise for Δ₂ = 1: at claimed ε = {epsilon} and δ = "
        "{delta} that keeps ε = {real}."
    )
    real = noise.centred_claim(model)
    yield Sentence(
        "printed_centred", say(text, real=Num(real, 3, "up"), **values), _tone(model, real)
    )
    real = noise.power_claim(model)
    text = N_(
        "As printed the power method gets noise by the largest entry of X, for one entry of the "
        "matrix: for one row of {p} {p:column|columns} that keeps ε = {real} at best."
    )
    yield Sentence(
        "printed_power", say(text, p=Num(model.p), real=Num(real, 3, "up")), _tone(model, real)
    )
    text = N_(
        "Wishart noise, also printed, is not private: {share} of its outputs prove that a row of "
        "length 1 is there."
    )
    share = Num(noise.wishart_claim(model), 3, percent=True)
    yield Sentence("printed_wishart", say(text, share=share), "bad")


def _tone(model: components.ComponentsModel, real: float) -> str:
    return "bad" if real > components.epsilon(model) else "plain"


def tables(model: components.ComponentsModel) -> tuple[Table, ...]:
    """Every drawn way at the chosen ε."""
    if not model.lab.show_truth:
        return ()
    found = []
    for key in draws.shown(model):
        made = components.way(model, key)
        d = Num(0.0 if made.pure else components.delta(model), 3, "up")
        size = Num(made.scale(components.move(model), model.p, model.k), 3, "up")
        found.append(
            (components.name(made), _share(draws.typical(model, key)), size, plain(made.formula), d)
        )
    names = ("way", "captured", "scale", "formula", "delta")
    heads = (say("way"), say("variance captured"), say("scale"), say("formula"), say("δ"))
    columns = tuple((key, tuple(row[i] for row in found)) for i, key in enumerate(names))
    title = say("Ways at ε = {epsilon}", epsilon=_epsilon(model))
    return (Table("ways", title, columns, shown=True, heads=heads, exact=True),)
