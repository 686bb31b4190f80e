"""Masking's sentences of numbers handed in with noise."""

import math
from collections.abc import Iterator

from dpstudio.labs.findings import Sentence
from dpstudio.labs.whole_tables.masking import perturbed
from dpstudio.labs.whole_tables.masking.choices.operations import Perturb
from dpstudio.labs.whole_tables.masking.model import MaskingModel
from dpstudio.values.messages import N_, Message, Num, say


def perturbed_sentences(model: MaskingModel) -> Iterator[Sentence]:
    """What is rebuilt of all, what stays hidden of one, and the promise of the noise."""
    operation = model.lab.operation
    assert isinstance(operation, Perturb)
    text = N_(
        "After {steps} {steps:step|steps} the rebuilt spread is {rebuilt} off, {noisy} as handed "
        "in."
    )
    values = {
        "steps": Num(operation.steps),
        "rebuilt": Num(perturbed.rebuilt_distance(model), 3),
        "noisy": Num(perturbed.noisy_distance(model), 3),
        "best": Num(perturbed.best_steps(model)),
        "off": Num(perturbed.off_by(model), 3),
    }
    yield Sentence("operated", Message(text, values))
    text = N_(
        "In total variation from the true one; {best} {best:step comes|steps come} nearest. Each "
        "number stays {off} off."
    )
    yield Sentence("nearest", Message(text, values))
    text = N_("With {share} of the noise a number lies within a width of {width}.")
    if operation.times:
        text = N_("With {share} of the noise a number is known up to a factor of {width}.")
    share = Num(perturbed.confidence(), 3, percent=True)
    within = say(text, share=share, width=Num(perturbed.hidden_within(model), 3))
    epsilon = perturbed.local_epsilon(model)
    text = N_("That is no differential privacy: a number far out gives itself away.")
    more = say(text)
    if math.isfinite(epsilon):
        text = N_("Laplace noise on numbers between public ends has a local ε of {epsilon}.")
        more = say(text, epsilon=Num(epsilon, 3, "up"))
    tone = "plain" if math.isfinite(epsilon) else "warn"
    yield Sentence("promise", say("{within} {more}", within=within, more=more), tone)
