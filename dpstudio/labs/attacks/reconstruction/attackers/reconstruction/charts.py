"""The charts of reconstruction."""

from collections.abc import Iterator

from dpstudio.charts.figure import Axis, Dots, Figure, Layer, Line, Ribbon, Rule
from dpstudio.labs.attacks.attackers.success_charts import hero
from dpstudio.labs.attacks.reconstruction.attackers.reconstruction import model as reconstruction
from dpstudio.values.messages import Message, Num, say


def charts(model: reconstruction.ReconstructionModel) -> Iterator[Figure]:
    """Recovered bits against ε, against noise and against the number of questions."""
    yield hero(model, reconstruction.success(model), *reconstruction.here(model)[:2])
    yield _noise_chart(model)
    yield _questions_chart(model)


def _layers(
    key: str, ink: str, name: Message, found: reconstruction.Against, dash: str = ""
) -> list[Layer]:
    told = found.told
    return [
        Ribbon(f"{key}_band", ink, "", found.x, 100 * told.low, 100 * told.high),
        Line(key, ink, name, found.x, 100 * told.share, dash),
        Dots(f"{key}_dots", ink, "", found.x, 100 * told.share),
    ]


_COIN = Rule("coin", "muted", say("a coin"), 50.0, "y", "dot")
_RIGHT = Axis(say("% right"), range=(45.0, 102.0))


def _noise_chart(model: reconstruction.ReconstructionModel) -> Figure:
    """Where the noise of one answer is above √n, reconstruction fails."""
    layers: list[Layer] = [
        _COIN,
        Rule("root", "limit", say("√n"), 1.0, dash="dash"),
        *_layers("recovered", "answer", say("recovered"), reconstruction.against_noise(model)),
    ]
    beyond = reconstruction.noise_here(model) > 4.0
    if not beyond:
        layers.append(
            Rule("here", "target", say("this ε"), reconstruction.noise_here(model), dash="dot")
        )
    return Figure(
        "noise",
        say("Against the noise of one answer"),
        Axis(say("standard deviation, in √n"), range=(0.0, 4.2)),
        _RIGHT,
        tuple(layers),
        simulated=True,
        source=model.attacker.source,
    )


def _questions_chart(model: reconstruction.ReconstructionModel) -> Figure:
    """More questions recover more where each is answered as well as before, and nothing where they
    share one ε."""
    stays, shared = reconstruction.asked_more(model)
    more = say("noise stays at {noise} √n", noise=Num(model.attacker.noise, 3))
    top = float(max(stays.x.max(), shared.x.max()))
    return Figure(
        "questions",
        say("Against the number of questions"),
        Axis(say("questions"), range=(0.0, 1.04 * top), whole=True),
        _RIGHT,
        (
            _COIN,
            *_layers("stays", "answer", more, stays),
            *_layers("shared", model.asked.mechanism.ink, say("one ε for all"), shared),
        ),
        simulated=True,
        source=model.attacker.source,
    )
