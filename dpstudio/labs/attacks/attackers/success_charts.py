"""The picture that leads every attack in whose way noise is: right guesses against ε; and what is
said of them."""

from dataclasses import replace
from typing import Protocol

from dpstudio.charts.figure import Axis, Dots, Figure, Handle, Layer, Line, Ribbon, Rule, array
from dpstudio.labs.attacks.attackers import attacker as attackers_attacker
from dpstudio.labs.findings import Sentence
from dpstudio.labs.local_curves import at_confidence, epsilon_axis
from dpstudio.privacy.accounting.spend import UNIT
from dpstudio.privacy.mechanisms.additive import Additive
from dpstudio.values.messages import N_, Message, Num, safely, say


def success_chart(
    success: attackers_attacker.Success,
    name: Message,
    ink: str,
    handle: Handle,
    confidence: float,
    source: str,
    noise: Additive,
) -> Figure:
    """Right guesses of the attacker, measured with their interval and by the exact law, below what
    no attacker can beat and what ε and δ of this noise promise."""
    x, told = success.epsilons, success.measured
    kept = say("{confidence} interval", confidence=at_confidence(confidence))
    layers: list[Layer] = [
        Rule("coin", "muted", say("a coin"), 50.0, "y", "dot", told=shown(0.5)),
        Line("promised", "limit", at_most(noise), x, 100 * success.promised, "dash"),
    ]
    if success.best is not None:
        layers.append(Line("best", ink, say("at most, on average"), x, 100 * success.best))
    if told is not None:
        layers.append(Ribbon("interval", "answer", kept, x, 100 * told.low, 100 * told.high))
    if success.exact is not None:
        layers.append(Line("attack", "answer", name, x, 100 * success.exact, width=2.6))
        if told is not None:
            layers.append(Dots("measured", "answer", "", x, 100 * told.share))
    elif told is not None:
        layers.append(Line("attack", "answer", name, x, 100 * told.share, width=2.6))
    layers.append(handle)
    return Figure(
        "success",
        say("Right guesses against ε"),
        epsilon_axis(),
        Axis(say("% right"), range=(45.0, 102.0)),
        tuple(layers),
        say("50 % is what a coin gets"),
        simulated=True,
        source=source,
    )


class Attacked(Protocol):
    """An attack on the mechanism in force."""

    @property
    def attacker(self) -> attackers_attacker.Attacker:
        """Who attacks."""

    @property
    def asked(self) -> attackers_attacker.AttackedQuestion:
        """What is attacked."""

    @property
    def looked(self) -> attackers_attacker.Replays:
        """How closely it is looked at."""


def hero(model: Attacked, success: attackers_attacker.Success, share: float, best: float) -> Figure:
    """The same of an attack on the mechanism in force, right so often at the ε in use, where the
    best attacker is so often."""
    attacker, mechanism = model.attacker, model.asked.mechanism
    name, handle = Message(attacker.label), here_handle(mechanism.epsilon, share)
    confidence, source = model.looked.confidence, attacker.source
    drawn = success_chart(success, name, mechanism.ink, handle, confidence, source, mechanism)
    most = attackers_attacker.promised(mechanism, array([mechanism.epsilon]))
    told = {
        "attack": shown(share),
        "best": shown(best, "near" if best == share else "up"),
        "promised": shown(float(most[0]), "up"),
    }
    layers = tuple(
        replace(one, told=told.get(one.key, "")) if isinstance(one, Line) else one
        for one in drawn.layers
    )
    at = say("at ε = {epsilon}", epsilon=Num(mechanism.epsilon, 5))
    return replace(drawn, layers=layers, told=at)


def by_promise(noise: Additive) -> Message:
    """What a bound by ε and δ goes by: nothing that holds, where the noise does not keep them."""
    if noise.guarantee(UNIT).violated:
        return say("by ε and δ, if the promise held")
    return say("by ε and δ")


def at_most(noise: Additive) -> Message:
    """The name of that bound at its curve."""
    return say("at most, {by}", by=by_promise(noise))


def here_handle(epsilon: float, share: float) -> Handle:
    """The point of the ε in use, which can be dragged."""
    words = say("ε {epsilon} → {share}", epsilon=Num(epsilon, 5), share=percent(share))
    return Handle("here", "answer", words, epsilon, 100 * share, "mechanism.epsilon")


def percent(share: float, rounding: str = "near") -> Num:
    """A share of guesses as people read it."""
    return Num(share, 3, rounding, percent=True)


def shown(share: float, rounding: str = "near") -> Message:
    """It as a text of its own."""
    return say("{share}", share=percent(share, rounding))


def nobody_more(measured: float, best: float) -> Sentence:
    """What bounds the share of right guesses on average, after what was measured of them: draws may
    lie above it, by luck."""
    text = N_("On average nobody is right more than {best} of 100 times.")
    if safely(attackers_attacker.of_100(measured), 3, "near") > safely(
        attackers_attacker.of_100(best), 3, "up"
    ):
        text = N_(
            "On average nobody is right more than {best} of 100 times: what is above that is the "
            "luck of these draws."
        )
    return Sentence("nobody", say(text, best=Num(attackers_attacker.of_100(best), 3, "up")))
