"""What the composition lab answers to typed numbers, in sentences."""

from collections.abc import Iterator

from dpstudio.labs.bound_names import name_of
from dpstudio.labs.findings import Sentence
from dpstudio.labs.many_answers.composition.asked import delta_asked, divergence_asked, mu, no_delta
from dpstudio.labs.many_answers.composition.budget import best_each, least_scale, stopped_by_promise
from dpstudio.labs.many_answers.composition.model import CompositionModel
from dpstudio.labs.series_model import NOTHING
from dpstudio.values.messages import N_, Message, Num, say


def asked_sentences(model: CompositionModel) -> Iterator[Sentence]:
    """The least noise for the budget, δ at the ε that is asked for, and the divergence."""
    if model.equal and least_scale(model) is not None:
        yield _least(model)
    yield _delta(model)
    if divergence_asked(model) is not None:
        yield _divergence(model)


def _least(model: CompositionModel) -> Sentence:
    text = N_(
        "The least {mechanism} noise for {k} {k:answer|answers} within ε = {budget} at δ = {delta} "
        "in all has a scale of {scale}, for each unit that one person moves them ({bound})."
    )
    if stopped_by_promise(model):
        text = N_(
            "The least {mechanism} noise that keeps its promise, for {k} {k:answer|answers} within "
            "ε = {budget} at δ = {delta} in all, has a scale of {scale}, for each unit that one "
            "person moves them ({bound})."
        )
    said = say(
        text,
        mechanism=Message(model.lab.mechanism.label),
        k=Num(model.answers),
        budget=Num(model.lab.budget, 4),
        delta=Num(model.delta, 3, "up"),
        scale=Num(least_scale(model) or 0.0, 4, "up"),
        bound=name_of(best_each(model)[0]),
    )
    return Sentence("least", said)


def _delta(model: CompositionModel) -> Sentence:
    bound, delta = delta_asked(model)
    values = {
        "epsilon": Num(model.lab.at_epsilon, 5),
        "delta": Num(delta, 4, "up"),
        "bound": name_of(bound),
    }
    if no_delta(model):
        text = N_("At ε = {epsilon} in all they need no δ.")
    elif delta < 1e-300:
        text = N_("At ε = {epsilon} in all their δ is below 10⁻³⁰⁰ ({bound}).")
    elif delta >= 1:
        text = N_("At ε = {epsilon} in all nothing is promised: no bound here has a δ below 1.")
    elif delta >= NOTHING:
        text = N_(
            "At ε = {epsilon} in all next to nothing is promised: no bound here has a δ below "
            "{least}."
        )
        values["least"] = Num(delta, 4, "down")
    else:
        text = N_("At ε = {epsilon} in all their δ is at most {delta} ({bound}).")
    return Sentence("delta", Message(text, values))


def _divergence(model: CompositionModel) -> Sentence:
    text = N_("Their Rényi divergence of order {order} is at most {divergence}.")
    values = {
        "order": Num(model.lab.order, 5),
        "divergence": Num(divergence_asked(model) or 0.0, 4, "up"),
    }
    gaussian = mu(model)
    if gaussian is not None:
        text = N_(
            "Their Rényi divergence of order {order} is at most {divergence}; in Gaussian DP they "
            "have μ = {mu}."
        )
        values["mu"] = Num(gaussian, 4, "up")
    return Sentence("divergence", Message(text, values))
