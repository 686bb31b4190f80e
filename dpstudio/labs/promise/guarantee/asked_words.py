"""What Guarantee answers to a typed ε, in a sentence."""

from dpstudio.labs.findings import Sentence
from dpstudio.labs.promise.guarantee.loss import delta_asked, no_delta
from dpstudio.labs.promise.guarantee.model import GuaranteeModel
from dpstudio.values.messages import N_, Message, Num


def delta_sentence(model: GuaranteeModel) -> Sentence:
    """The δ of the exact law at the ε that was typed."""
    delta = delta_asked(model)
    values = {"epsilon": Num(model.lab.at_epsilon, 5), "delta": Num(delta, 3, "up")}
    text = N_("At ε = {epsilon} the exact δ of this answer is {delta}.")
    if no_delta(model):
        text = N_("At ε = {epsilon} this answer needs no δ.")
    elif delta < 1e-300:
        text = N_("At ε = {epsilon} the exact δ of this answer is below 10⁻³⁰⁰.")
    return Sentence("delta", Message(text, values))
