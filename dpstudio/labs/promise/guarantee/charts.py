"""Guarantee's charts of the answer: the two laws of it, odds, and belief before and after."""

import numpy as np

from dpstudio.charts.figure import Area, Axis, Dots, Figure, Handle, Layer, Line, Rule, nice_above
from dpstudio.labs.promise.guarantee import densities, loss, terms
from dpstudio.labs.promise.guarantee import model as guarantee
from dpstudio.labs.promise.guarantee.attack import belief_after, believing, believing_of_100
from dpstudio.privacy.neighbours.attacker import posterior
from dpstudio.values.messages import N_, Message, Num, say

_ICONS, _APART = 10, 11.6  # dots in a row; from one hundred to the other


def density_chart(model: guarantee.GuaranteeModel) -> Figure:
    """Both output laws, e^ε times the one without the person, and what stands above it, which δ
    pays for."""
    (middle, half), above = densities.span(model), densities.ratio_allowed(model)
    with_label, without_label = terms.sides(model)
    inside, outside = (densities.density(model, centre) for centre in densities.centres(model))
    top = nice_above(1.12 * float(np.max(inside[1], initial=1e-300)))
    x, without = outside
    layers: tuple[Layer, ...] = (
        Area("pays", "limit", "", *densities.excess(model)),
        Line("high", "limit", say("× eᵋ"), x, without * above, dash="dash", width=1.5),
        Line("without", "muted", without_label, x, without),
        Line("with", model.lab.mechanism.ink, with_label, *inside),
        *_atoms(model),
    )
    return Figure(
        "densities",
        say("With you and without"),
        Axis(_unit(model), range=(middle - half, middle + half)),
        Axis(
            Message(N_("chance") if guarantee.drawn_law(model).discrete else N_("density")),
            range=(0.0, top),
            hidden=True,
        ),
        layers,
        _density_words(model),
        notes=model.asked.notes if model.lab.show_truth else model.asked.openness,
        exact=model.lab.show_truth,
        source=terms.pair_source(model),
    )


def _atoms(model: guarantee.GuaranteeModel) -> list[Rule]:
    """The single answers that give the person away."""
    text = N_("{share} exactly here")
    rules = []
    for i, (place, mass) in enumerate(guarantee.drawn_law(model).atoms):
        inside, outside = (centre + place for centre in densities.centres(model))
        label = say(text, share=Num(mass, 3, percent=True))
        rules.append(Rule(f"atom_with_{i}", "limit", label, inside, dash="dot"))
        rules.append(Rule(f"atom_without_{i}", "muted", "", outside, dash="dot"))
    return rules


def _density_words(model: guarantee.GuaranteeModel) -> Message:
    """What δ pays for; where the answer is more than the number drawn, that."""
    if guarantee.partial(model):
        moved = guarantee.seen(model).moved
        if moved == 1:
            return say("one number of an answer whose noise hangs together")
        return say(
            "one of the {moved} {moved:number that moves|numbers that move}", moved=Num(moved)
        )
    paid = guarantee.whole_pair(model).delta(model.epsilon)
    if paid > terms.DEEP:
        return say("red: what stands above eᵋ × the other, {paid} in all", paid=terms.chance(paid))
    return say("never above eᵋ × the other: δ = 0")


def ratio_chart(model: guarantee.GuaranteeModel) -> Figure:
    """How much each answer speaks for the person: the logarithm of the ratio of both densities,
    between rails at ± ε."""
    (middle, half), reach = densities.span(model), loss.loss_reach(model)
    x, ratio = densities.log_ratio(model, 4 * reach)
    epsilon, ink = Num(model.epsilon, 5), model.lab.mechanism.ink
    # Curves, for a rule would hide the law where it runs on a rail.
    ends, rail = [middle - half, middle + half], np.full(2, model.epsilon)
    layers: tuple[Layer, ...] = (
        Rule("none", "muted", "", 0.0, axis="y", dash="dot"),
        Line("most", "limit", say("ε = {epsilon}", epsilon=epsilon), ends, rail, width=4.0),
        Line("least", "limit", say("−ε"), ends, -rail, width=4.0),
        Line("ratio", ink, Message(model.lab.mechanism.label), x, ratio),
    )
    words = say("no answer leaves the rails")
    if guarantee.partial(model):
        words = _density_words(model)
    elif loss.beyond(model):
        words = say("{beyond} of answers leave the rails", beyond=terms.share(loss.beyond(model)))
    return Figure(
        "ratio",
        say("Ratio of the two densities"),
        Axis(_unit(model), range=(middle - half, middle + half)),
        Axis(say("ln of the ratio"), range=(-reach, reach)),
        layers,
        words,
        exact=model.lab.show_truth,
        source=terms.pair_source(model),
    )


def _unit(model: guarantee.GuaranteeModel) -> Message:
    """What the number looked at is; counted from the answer with the person where that is
    hidden."""
    what = terms.number_drawn(model)
    return what if model.lab.show_truth else say("{what}, less the exact one with you", what=what)


def odds_chart(model: guarantee.GuaranteeModel) -> Figure:
    """A hundred equally likely answers with the person and a hundred without: those that make the
    attacker believe are full."""
    layers: list[Layer] = []
    places = np.arange(100)
    blocks = zip(believing(model), believing_of_100(model), terms.ifs(model), strict=True)
    for block, (part, answers, case) in enumerate(blocks):
        count = min(100, round(answers))
        left = _APART * block
        x, y = places % _ICONS + left + 0.5, _ICONS - places // _ICONS - 0.5
        key = ("with", "without")[block]
        ink = (model.lab.mechanism.ink, "muted")[block]
        told = Num(answers if part > 1e-4 else 0.0, 3)
        head, ends = say("{x} of 100, {case}", x=told, case=case), [left, left + _ICONS]
        layers.append(Dots(f"{key}_other", "grid", "", x[count:], y[count:], 0.8))
        layers.append(Dots(key, ink, "", x[:count], y[:count], 0.8))
        layers.append(Line(f"{key}_head", ink, head, ends, [10.0, 10.0], width=1.5, named="head"))
        layers.append(Line(f"{key}_level", ink, "", *_under(count, left), width=1.5))
    text = N_("full: answers after which {prior} sure turns to more than {threshold}")
    return Figure(
        "odds",
        say("100 possible answers"),
        Axis("", range=(-0.3, _APART + 10.3), hidden=True, ticks=((-0.3, ""),)),
        Axis("", range=(-0.1, 10.2), hidden=True),
        tuple(layers),
        say(
            text,
            threshold=Num(model.lab.threshold, 4, percent=True),
            prior=Num(model.lab.prior, 4, percent=True),
        ),
        exact=guarantee.in_row(model),
        source=terms.pair_source(model),
        square=True,
    )


def _under(count: int, left: float) -> tuple[list[float], list[float]]:
    """The line below the first so many of a hundred dots, in steps."""
    row, rest = divmod(count, _ICONS)
    high, low = float(_ICONS - row), float(_ICONS - row - bool(rest))
    turn, right = left + rest, left + _ICONS
    return [left, turn, turn, right], [low, low, high, high]


def posterior_chart(model: guarantee.GuaranteeModel) -> Figure:
    """Belief after the answer against belief before: what ε leaves, and what an answer of the
    largest loss does."""
    lab, epsilon = model.lab, model.epsilon
    prior = np.concatenate([[0.0], np.linspace(0.002, 0.998, model.effort.of_points(167)), [1.0]])
    after = belief_after(model, epsilon)
    text = N_("{prior} before → {after} at most")
    label = say(
        text, prior=Num(lab.prior, 4, percent=True), after=Num(after, 3, "up", percent=True)
    )
    layers: list[Layer] = [
        Line("same", "muted", say("nothing learnt"), [0, 1], [0, 1], dash="dot", width=1.5),
        Line("low", "limit", say("at least"), prior, posterior(prior, -epsilon), dash="dash"),
        Line("high", "limit", say("at most"), prior, posterior(prior, epsilon), dash="dash"),
    ]
    most = guarantee.whole_pair(model).most
    if most < epsilon * (1 - 1e-9):
        y = posterior(prior, most)
        layers.append(Line("law", lab.mechanism.ink, Message(lab.mechanism.label), prior, y))
    layers.append(Handle("here", "limit", label, lab.prior, after, "prior"))
    words: Message = say("no answer leads beyond")
    if loss.beyond(model):
        words = say("{beyond} of answers lead beyond", beyond=terms.share(loss.beyond(model)))
    return Figure(
        "posterior",
        say("Belief before and after"),
        Axis(say("belief before the answer"), range=(0.0, 1.0)),
        Axis(say("belief after it"), range=(0.0, 1.02)),
        tuple(layers),
        words,
        exact=guarantee.in_row(model),
        source="Bayes; Kasiviswanathan & Smith 2014",
    )
