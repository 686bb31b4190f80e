"""What a budget leaves to the releases of a list: in a sentence, in a table, and as a plan that can
be kept."""

from dataclasses import replace

from dpstudio.labs.bound_names import short_of
from dpstudio.labs.findings import Sentence, Table
from dpstudio.labs.many_answers.composition import budget as composition_budget
from dpstudio.labs.many_answers.composition.keeping import Kept, cap
from dpstudio.labs.many_answers.composition.model import CompositionModel, tightest
from dpstudio.labs.outcome import NamedValues
from dpstudio.labs.release_list import lines
from dpstudio.values.messages import N_, Message, Num, plain, say


def keep_sentence(model: CompositionModel) -> Sentence:
    """How much of their ε the unlocked releases may have, by adding up and by the tightest bound,
    or why none."""
    budget, cost = model.lab.budget, tightest(model).epsilon
    if composition_budget.all_locked(model):
        text = N_(
            "Every release is locked, so none can be fitted to the budget: they cost ε = {cost} of "
            "{budget}."
        )
        values = {"budget": Num(budget, 4), "cost": Num(cost, 4, "up")}
        return Sentence("keeps", Message(text, values), "plain" if cost <= budget else "bad")
    best = composition_budget.best_kept(model)
    if best is None:
        text = N_("Choose a bound, and it says what a budget leaves to each release.")
        return Sentence("keeps", say(text))
    return _none_left(model) if best.factor == 0 else _left(model, best)


def _none_left(model: CompositionModel) -> Sentence:
    budget = model.lab.budget
    least = min(composition_budget.kept_by_bound(model), key=lambda one: one.locked)
    text = (
        N_(
            "The locked releases alone cost ε = {locked} by the tightest bound chosen ({bound}): "
            "more than the budget of {budget}. Unlock one, or allow more."
        )
        if least.locked > budget
        else N_("A budget of ε = {budget} leaves nothing to the releases that are not locked.")
    )
    values = {
        "budget": Num(budget, 4),
        "cost": Num(tightest(model).epsilon, 4, "up"),
        "bound": short_of(least.bound),
        "locked": Num(least.locked, 4, "up"),
    }
    return Sentence("keeps", Message(text, values), "bad")


def _left(model: CompositionModel, best: Kept) -> Sentence:
    plainly = composition_budget.kept_by_adding(model) or best
    some = any(entry.locked for entry in model.entries)
    most = (
        N_("{factor} times or more") if best.factor >= cap(model.entries) else N_("{factor} times")
    )
    values: dict[str, Num | Message | str] = {
        "budget": Num(model.lab.budget, 4),
        "cost": Num(tightest(model).epsilon, 4, "up"),
        "bound": short_of(best.bound),
        "most": say(most, factor=Num(best.factor, 4, "down")),
        "plain": Num(plainly.factor, 4, "down"),
        "who": Message(N_("the unlocked releases") if some else N_("the releases")),
    }
    if composition_budget.fitted(model):
        values["releases"] = " | ".join(map(str, composition_budget.fitted(model)))
    if best.factor <= plainly.factor * (1 + 1e-3):
        text = N_("Within ε = {budget} in all, {who} may have {most} their ε.")
    elif plainly.factor == 0:
        values["locked"] = Num(plainly.locked, 4, "up")
        text = N_(
            "Within ε = {budget} in all, adding up leaves nothing: the locked releases cost "
            "{locked}. "
            "By the tightest bound chosen ({bound}) {who} may have {most} their ε."
        )
    else:
        text = N_(
            "Within ε = {budget} in all, {who} may have {plain} times their ε by adding up, and "
            "{most} by the tightest bound chosen ({bound})."
        )
    return Sentence("keeps", Message(text, values), "good" if best.factor >= 1 else "warn")


def keep_table(model: CompositionModel) -> Table:
    """Each release with its ε, and with what the budget leaves to it by the tightest bound and by
    adding up."""
    best = composition_budget.best_kept(model)
    rows: list[tuple[Message | Num, ...]] = []
    for entry in model.entries:
        for line in lines(entry):
            left = [
                Num(composition_budget.epsilon_left(entry, line.mechanism, one), 4, "down")
                if one
                else Message("–")
                for one in (best, composition_budget.kept_by_adding(model))
            ]
            words = plain(replace(line, locked=entry.locked))
            rows.append((words, Num(line.mechanism.epsilon, 4), *left))
    name = short_of(best.bound) if best else Message("–")
    heads = say("release"), say("ε now"), name, say("adding up")
    names = ("release", "epsilon", "tightest", "added")
    columns = tuple((n, tuple(row[i] for row in rows)) for i, n in enumerate(names))
    title = say("ε of each for ε = {budget} in all", budget=Num(model.lab.budget, 4))
    return Table("keeps", title, columns, shown=True, heads=heads)


def plan(model: CompositionModel) -> tuple[NamedValues, ...]:
    """The list that the budget leaves, to be kept: every release with its new ε, by which bound,
    and for which budget and total δ. Nothing where nothing is left, or of equal answers."""
    best = composition_budget.best_kept(model)
    if best is None or not composition_budget.fitted(model):
        return ()
    values = {
        "budget": model.lab.budget,
        "delta": model.delta,
        "bound": best.bound.key,
        "factor": best.factor,
        "releases": tuple(map(str, composition_budget.fitted(model))),
    }
    return (NamedValues("plan", say("What the budget leaves"), values),)
