"""The composition lab's tables: every bound with what it says, and what a budget leaves."""

from dpstudio.labs.bound_names import name_here, name_of, total_of
from dpstudio.labs.findings import Table
from dpstudio.labs.many_answers.composition import model as known
from dpstudio.labs.many_answers.composition.budget_words import keep_table
from dpstudio.labs.many_answers.composition.model import CompositionModel, Valued
from dpstudio.labs.many_answers.composition.names import loose_of
from dpstudio.labs.many_answers.composition.shortcut import stand, zones
from dpstudio.labs.series_model import by_adding, delta_of, supposed
from dpstudio.privacy.accounting import Accountant
from dpstudio.values.messages import N_, Message, Num, plain, say

# What these bounds say holds of the mechanism that is named, not of every one with its ε and δ.
OF_THE_NOISE = ("renyi", "gdp", "pld")
VALID = {
    "proved": N_("proved, by {by}"),
    "true": N_("true, by the exact optimum"),
    "noise": N_("true of this noise only"),
    "false": N_("false"),
}


def tables(model: CompositionModel) -> tuple[Table, ...]:
    """Every chosen bound with what it says here, how loose it is and whether it holds."""
    rows: list[tuple[Message | Num, ...]] = [
        (
            name_here(model, v.bound, short=False),
            total_of(v.epsilon, v.bound),
            Num(delta_of(model, v.bound), 3, "up"),
            say("× {loose}", loose=loose_of(v.loose)) if v.counts else Message("–"),
            _valid(model, v),
            Message(N_("proved") if _on_the_way(model, v) else N_("not proved")),
            _first(v.bound),
        )
        for v in known.valued(model)
    ]
    none = Message("–")
    for key, why in known.refused(model).items():
        bound = known.bound_of(model, key)
        rows.append((name_of(bound), none, none, none, why, none, _first(bound)))
    heads = (
        say("bound"),
        say("total ε"),
        say("total δ"),
        say("how loose"),
        say("here"),
        say("noise chosen on the way"),
        say("source"),
    )
    names = ("bound", "epsilon", "delta", "loose", "valid", "adaptive", "source")
    columns = tuple((name, tuple(row[i] for row in rows)) for i, name in enumerate(names))
    title = say("Every bound at k = {k}", k=Num(model.answers))
    every = Table("bounds", title, columns, shown=True, heads=heads)
    return (every,) if model.equal else (every, keep_table(model))


def _on_the_way(model: CompositionModel, v: Valued) -> bool:
    """Whether noise may be chosen on the way by this bound."""
    return bool(v.bound.adaptive) and not v.bound.supposes(model.ledger)


def _first(bound: Accountant) -> Message:
    """The first of a bound's sources: all of them would make its row as high as the card."""
    return plain(bound.source.split(";")[0])


def _valid(model: CompositionModel, v: Valued) -> Message:
    key = v.bound.key
    found = zones(model)
    if v.bound.supposes(model.ledger):
        return say("if the promise held")
    if key == "shortcut" and found is not None:
        return say(VALID[stand(model)], by=name_of(found.by))
    if key == "shortcut":
        return say("as printed, not proved here")
    if v.bound.approximate:
        return say("approximate")
    if key == "group_privacy":
        return say("for {people} {people:person|people}", people=model.lab.people)
    if v.epsilon > by_adding(model) * (1 + 1e-9) and not supposed(model):
        return say("worse than adding up")
    of_the_noise = key in OF_THE_NOISE or (key.startswith("zcdp") and model.own_delta > 0)
    return Message(N_("proved, for this noise") if of_the_noise else N_("proved"))
