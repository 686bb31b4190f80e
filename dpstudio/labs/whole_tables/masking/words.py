"""Masking's strip and sentences."""

import math
from collections.abc import Iterator

from dpstudio.labs.findings import Fact, Sentence
from dpstudio.labs.whole_tables.masking import perturbed
from dpstudio.labs.whole_tables.masking.choices import operations
from dpstudio.labs.whole_tables.masking.choices.operations import Perturb
from dpstudio.labs.whole_tables.masking.model import MaskingModel
from dpstudio.labs.whole_tables.masking.operated import (
    belief,
    blanked,
    changed,
    operated,
    pram_epsilon,
    tie,
)
from dpstudio.labs.whole_tables.masking.published import by_chance, risk_left, staying, stays
from dpstudio.labs.whole_tables.rows.model import risk_before
from dpstudio.labs.whole_tables.rows.words import columns_told, rows_told, share
from dpstudio.values.messages import N_, Message, Num, say


def facts(model: MaskingModel) -> Iterator[Fact]:
    """How many values changed, what is left of the tie, and who is alone in the table all the
    same."""
    moved, (before, after), left = changed(model), tie(model), risk_left(model).unique
    name = say("of rows have another “{column}”", column=operated(model).name)
    yield Fact("changed", say("Changed"), say("{share}", share=share(moved)), name, value=moved)
    note = say("Cramér’s V, {before} before", before=Num(before, 3))
    yield Fact("tie", say("Tie that is left"), say("{v}", v=Num(after, 3)), note, value=after)
    note = say("by what stays, {share} before", share=share(risk_before(model).unique))
    yield Fact("alone", say("Alone"), say("{share}", share=share(left)), note, value=left)


def sentences(model: MaskingModel) -> Iterator[Sentence]:
    """How many values changed, what is left of a tie, the promise there is, if any, and what
    leaves."""
    if isinstance(model.lab.operation, operations.Perturb):
        yield from perturbed_sentences(model)
    else:
        yield _operated(model)
        yield Sentence("tie", say("Cramér’s V is the tie of that column to the other."))
        yield _promise(model)
    yield Sentence("leaves", _leaving(model), "plain" if stays(model.lab) is None else "warn")
    yield _alone(model)
    yield rows_told(model)
    text = N_("Nothing of this page is differentially private but what is said to have an ε.")
    yield Sentence("not_dp", say(text), "warn")


def _operated(model: MaskingModel) -> Sentence:
    before, after = tie(model)
    text = N_("{changed} of rows change “{column}”; Cramér’s V goes from {before} to {after}.")
    if isinstance(model.lab.operation, operations.Anatomy):
        text = N_(
            "Drawn from its group {changed} change “{column}”; Cramér’s V goes from {before} to "
            "{after}."
        )
    values = {"before": Num(before, 3), "after": Num(after, 3)}
    moved = share(changed(model))
    return Sentence("operated", say(text, changed=moved, column=operated(model).name, **values))


def _leaving(model: MaskingModel) -> Message:
    """Whether and how it leaves."""
    lab = model.lab
    if (why := stays(lab)) is not None:
        return why
    if isinstance(lab.operation, operations.Anatomy):
        return say(
            N_(
                "What leaves are these two tables: every row as it is, beside a group that is "
                "drawn by chance of the system, and the values of each group."
            )
        )
    if by_chance(lab.operation):
        return say(
            N_(
                "What leaves is drawn anew by chance of the system, and not as it is seen here: no "
                "seed tells it. The other columns leave as they are."
            )
        )
    return say("It leaves as it is seen here; the other columns leave as they are.")


def _alone(model: MaskingModel) -> Sentence:
    """Who can be found in spite of it."""
    text = N_("{after} of rows are alone by what stays as it is: {columns}.")
    if not staying(model):
        return Sentence("alone", say("No quasi-identifier stays as it is."))
    names = columns_told([each.name for each in staying(model)])
    left = risk_left(model).unique
    tone = "bad" if left > 0 else "plain"
    return Sentence("alone", say(text, after=share(left), columns=names), tone)


def _promise(model: MaskingModel) -> Sentence:
    if isinstance(model.lab.operation, operations.Pram):
        text = N_(
            "PRAM is a local protocol: its matrix has ε = {epsilon} for this column, whatever else "
            "is published exactly."
        )
        epsilon = pram_epsilon(model)
        if math.isinf(epsilon):
            text = N_("PRAM that keeps every value promises nothing: what is read is the truth.")
            return Sentence("promise", say(text), "warn")
        return Sentence("promise", say(text, epsilon=Num(epsilon, 4, "up")))
    if isinstance(model.lab.operation, operations.Anatomy):
        text = N_("Who knows somebody’s row believes no value of it more than {belief}.")
        return Sentence("promise", say(text, belief=Num(belief(model), 3, "up", percent=True)))
    if isinstance(model.lab.operation, operations.MicroAggregate):
        text = N_(
            "At least {k} {k:row shares|rows share} each “{column}”: k-anonymous in this column "
            "alone."
        )
        k = Num(model.lab.operation.rows)
        return Sentence("promise", say(text, k=k, column=operated(model).name))
    if isinstance(model.lab.operation, operations.Suppress):
        return _blanked(model)
    return Sentence("promise", say("This keeps no promise of any kind."), "warn")


def _blanked(model: MaskingModel) -> Sentence:
    blank, rows = blanked(model)
    column = operated(model).name
    if not rows:
        return Sentence("promise", say("Nothing of “{column}” is left.", column=column))
    text = N_(
        "{share} of its cells are blank; every “{column}” that is left has {rows} {rows:row|rows} "
        "or more: k-anonymous in this column alone."
    )
    return Sentence("promise", say(text, share=share(blank), column=column, rows=Num(rows)))


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
