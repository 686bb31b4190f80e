"""The charts of membership in what a model learnt from."""

from collections.abc import Iterator
from dataclasses import replace

from dpstudio.charts.figure import Array, Axis, Dots, Figure, Layer, Line, Ribbon, Rule
from dpstudio.labs.attacks.attackers.success_charts import here_handle, success_chart
from dpstudio.labs.attacks.membership.attackers.shadows import model as shadows
from dpstudio.labs.named_rows import names_axis
from dpstudio.privacy.attacks.guessing import Guesses
from dpstudio.values.messages import N_, Message, Num, say, worded

_INK, _LOSS = "answer", "third"


def charts(model: shadows.ShadowsModel) -> Iterator[Figure]:
    """Right guesses against ε, true against false positives, rounding, and Λ."""
    attacker, (found, loss) = model.attacker, shadows.success(model)
    hero = success_chart(
        found,
        say("shadow models"),
        "gaussian" if attacker.private == shadows.STEPWISE else "l2norm",
        here_handle(model.asked.mechanism.epsilon, shadows.here(model)[1]),
        model.looked.confidence,
        attacker.source,
        shadows.own_noise(model),
    )
    exact = Rule(
        "exact", "truth", say("shadows, no noise"), 100 * shadows.here(model)[0], "y", "dash"
    )
    curve = Line("loss", _LOSS, say("loss alone"), found.epsilons, 100 * loss.share)
    yield replace(hero, layers=(exact, curve, *hero.layers))
    yield _roc_chart(model)
    yield _rounding_chart(model)
    if model.whole:
        yield _ridge_chart(model)


def _roc_chart(model: shadows.ShadowsModel) -> Figure:
    exact, noisy = shadows.rocs(model)
    epsilon = Num(model.asked.mechanism.epsilon, 5)
    low = 1e-3
    layers: tuple[Layer, ...] = (
        Line("guess", "muted", say("guessing"), [low, 1], [low, 1], "dot", width=1.5),
        Line("exact", "truth", say("no noise"), exact.alarms, exact.found),
        Line("noisy", _INK, say("ε = {epsilon}", epsilon=epsilon), noisy.alarms, noisy.found),
        Rule("few", "target", say("1 %"), 0.01, dash="dash"),
    )
    return Figure(
        "roc",
        say("Found against false alarms"),
        Axis(say("false alarms"), log=True, range=(low, 1.0), floored=True),
        Axis(say("found"), log=True, range=(low, 1.3), floored=True),
        layers,
        simulated=True,
        source=model.attacker.source,
    )


def _curve(key: str, ink: str, name: Message, x: Array, told: Guesses) -> list[Layer]:
    return [
        Ribbon(f"{key}_band", ink, "", x, 100 * told.low, 100 * told.high),
        Line(key, ink, name, x, 100 * told.share),
        Dots(f"{key}_dots", ink, "", x, 100 * told.share),
    ]


_COIN = Rule("coin", "muted", say("a coin"), 50.0, "y", "dot")
_RIGHT = Axis(say("% right"), range=(45.0, 102.0))


def _rounding_chart(model: shadows.ShadowsModel) -> Figure:
    """Confidences rounded to a grid, up to the label alone."""
    found = shadows.coarsened(model)
    x = found.x * 0 + list(range(len(shadows.STEPS)))
    names = N_("exact"), *(f"{step:g}" for step in shadows.STEPS[1:-1]), N_("label")
    layers: list[Layer] = [
        _COIN,
        Line("score", "target", say("accuracy on labels"), x, 100 * found.score),
        *_curve("loss", _LOSS, say("loss alone"), x, found.loss),
        *_curve("shadows", _INK, say("shadow models"), x, found.shadows),
    ]
    return Figure(
        "rounding",
        say("Against rounded confidences"),
        names_axis(say("rounded to"), (worded(name) for name in names), 0.3),
        _RIGHT,
        tuple(layers),
        simulated=True,
        source=model.attacker.source,
    )


def _ridge_chart(model: shadows.ShadowsModel) -> Figure:
    """Models that are held at 0 more strongly."""
    found = shadows.held(model)
    layers: list[Layer] = [
        _COIN,
        Line("score", "target", say("accuracy on labels"), found.x, 100 * found.score),
        *_curve("loss", _LOSS, say("loss alone"), found.x, found.loss),
        *_curve("shadows", _INK, say("shadow models"), found.x, found.shadows),
        Rule("here", "text", say("in use"), model.attacker.ridge, dash="dot"),
    ]
    low, high = shadows.RIDGES[0] / 1.3, shadows.RIDGES[-1] * 1.3
    if not low <= model.attacker.ridge <= high:
        layers.pop()
    return Figure(
        "ridge",
        say("Against regularisation"),
        Axis(say("Λ"), log=True, range=(low, high)),
        _RIGHT,
        tuple(layers),
        simulated=True,
        source=model.attacker.source,
    )
