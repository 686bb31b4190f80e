"""What the sensitivity inspector knows: the moves under both adjacencies, in facts, sentences and a
table."""

import math

from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.one_answer.sensitivity import model as sensitivity
from dpstudio.labs.one_answer.sensitivity.column import reach
from dpstudio.labs.persons import kept_sentences
from dpstudio.labs.question import measured_as
from dpstudio.labs.winners import listed
from dpstudio.privacy.queries import ADJACENCIES
from dpstudio.values.messages import N_, Message, Num, say


def facts(model: sensitivity.SensitivityModel) -> tuple[Fact, ...]:
    """The numbers of the strip."""
    s = model.sensitivity
    titles = {"l1": N_("One person, in all (L1)"), "l2": N_("As a length (L2)")}
    titles["linf"] = N_("At most one of them (L∞)")
    if s.dims == 1:
        titles["l1"] = N_("One person moves it by")
    norms = {"l1": s.l1, "l2": s.l2, "linf": s.linf}
    out = [
        Fact(key, Message(titles[key]), say("{x}", x=Num(size, 4, "up")), "", "text", size)
        for key, size in norms.items()
    ]
    here = reach(model)
    if here is not None:
        note = say("exact: not private")
        title = say("Rows here reach")
        out.append(Fact("reach", title, say("{x}", x=Num(here, 4, "up")), note, "truth", here))
    # Rows of one person need not be alike, and no row may meet what they meet together.
    several = model.data.contributions > 1 and s.dims > 1
    number = N_("at most {l0} of {dims}") if several else N_("{l0} of {dims}")
    text = say(number, l0=s.l0, dims=s.dims)
    if s.dims > 1:
        out.append(Fact("l0", say("Numbers one person moves"), text, "", "text", s.l0))
    least = sensitivity.recommended(model)
    best, sd = least[0]
    names = listed([Message(mechanism.label) for mechanism, _ in least])
    values: dict[str, Message | Num] = {"names": names, "epsilon": Num(model.lab.epsilon, 5)}
    told = N_("{names} at ε = {epsilon}")
    if best.total_delta:
        told = N_("{names} at ε = {epsilon}, δ = {delta}")
        values["delta"] = Num(best.total_delta, 3, "up")
    title, size = say("Least noise (deviation)"), say("±{x}", x=Num(sd, 3, "up"))
    out.append(Fact("least", title, size, Message(told, values), best.ink, sd))
    return tuple(out)


def _moved(model: sensitivity.SensitivityModel) -> Message:
    """By how much the neighbour moves what is looked at: one number from where to where, several in
    every norm."""
    worst, by = sensitivity.mover(model), sensitivity.shift(model)
    name = sensitivity.measured_name(model)
    if by is None:
        sizes = worst.sizes(model.place)
        text = N_("One person moves {k} of the {name}: {l1} in all (L1), {l2} as a length (L2).")
        l1, l2 = Num(sum(sizes), 4, "up"), Num(math.hypot(*sizes), 4, "up")
        return say(text, k=len(sizes), name=name, l1=l1, l2=l2)
    if not (model.lab.show_truth and worst.reached):
        return say(
            "One person moves the {name} by at most {by}.", name=name, by=Num(abs(by), 4, "up")
        )
    here, there = (Num(end, sensitivity.digits(model)) for end in sensitivity.ends(model))
    text = N_("One person takes the {name} from {here} to {there}.")
    return say(text, name=name, here=here, there=there)


def _least(model: sensitivity.SensitivityModel) -> Message:
    """The least noise for that which keeps what it promises whole: less may be `tempting`."""
    best, sd = sensitivity.recommended(model)[0]
    values = {"epsilon": Num(model.lab.epsilon, 5), "sd": Num(sd, 3, "up")}
    at = N_("At ε = {epsilon}")
    if best.total_delta:
        at = N_("At ε = {epsilon}, δ = {delta}")
        values["delta"] = Num(best.total_delta, 3, "up")
    text = N_("{at} the least noise to advise for that has a standard deviation of {sd}.")
    if len(model.asked.measurements) > 1:
        # In an answer it has but a part of the budget.
        text = N_("{at} for that alone the least noise to advise has a standard deviation of {sd}.")
    return say(text, at=Message(at, values), sd=values["sd"])


def sentences(model: sensitivity.SensitivityModel) -> tuple[Sentence, ...]:
    """What is said of the question."""
    worst, s = sensitivity.mover(model), model.sensitivity
    sizes = worst.sizes(model.place)
    text = N_("The worst neighbour: {what}.") if worst.reached else N_("At most this far: {what}.")
    pair = say(text, what=worst.what)
    farther = max(
        (m for m in model.asked.moves if m.reached),
        key=lambda m: sum(m.sizes(model.place)),
        default=worst,
    )
    if sum(farther.sizes(model.place)) > sum(sizes) * (1 + 1e-9):
        text = N_("{told} In L1 another moves it more: {what}, by {l1}.")
        pair = say(
            text, told=pair, what=farther.what, l1=Num(sum(farther.sizes(model.place)), 4, "up")
        )
    out = [
        Sentence("mover", _moved(model)),
        Sentence("noise", _least(model)),
        Sentence("pair", pair),
        Sentence("sensitivity", s.why),
        _other(model),
    ]
    if s.l1 > s.l2 * (1 + 1e-9):
        text = N_(
            "L1 is {ratio} times L2: noise scaled to L2 is that much smaller, and for Laplace that "
            "would not be private."
        )
        out.append(Sentence("norms", say(text, ratio=Num(s.l1 / s.l2, 3))))
    text = N_("{name} would put less noise on it, ±{sd}, and is not recommended. {note}")
    for mechanism, sd, promise in sensitivity.tempting(model):
        values = {"name": Message(mechanism.label), "sd": Num(sd, 3, "up"), "note": promise.note}
        tone = "bad" if promise.violated else "warn"
        out.append(Sentence(f"tempting_{mechanism.key}", Message(text, values), tone))
    return (
        *out,
        *kept_sentences(
            model.data, model.lab.query, model.lab.adjacency, 0, show_truth=model.lab.show_truth
        ),
    )


def _other(model: sensitivity.SensitivityModel) -> Sentence:
    """The same question under the other adjacency."""
    other, s = (
        Message(ADJACENCIES[sensitivity.other_adjacency(model)]),
        sensitivity.sensitivity_under(model, sensitivity.other_adjacency(model)),
    )
    if s is None:
        text = N_("This question cannot be asked with the neighbours “{other}”.")
        return Sentence("other", say(text, other=other))
    l1, l2 = Num(s.l1, 4, "up"), Num(s.l2, 4, "up")
    if s.dims == 1:
        text = N_("With the neighbours “{other}” it would be at most {l1}.")
        return Sentence("other", say(text, other=other, l1=l1))
    text = N_("With the neighbours “{other}” it would be {l1} in L1 and {l2} in L2.")
    return Sentence("other", say(text, other=other, l1=l1, l2=l2))


def tables(model: sensitivity.SensitivityModel) -> tuple[Table, ...]:
    """Every move of every measurement under both adjacencies."""
    rows = []
    for key, label in ADJACENCIES.items():
        asked = sensitivity.under(model, key)
        for place, measurement in enumerate(asked.measurements if asked else ()):
            for move in asked.moves if asked else ():
                sizes = move.sizes(place)
                if sizes:
                    rows.append(
                        (
                            Message(label),
                            measured_as(measurement.about or measurement.name),
                            move,
                            sizes,
                        )
                    )
    columns = (
        ("neighbours", tuple(r[0] for r in rows)),
        ("measurement", tuple(r[1] for r in rows)),
        ("move", tuple(r[2].what for r in rows)),
        ("l0", tuple(Num(len(r[3])) for r in rows)),
        ("l1", tuple(Num(sum(r[3]), 4, "up") for r in rows)),
        ("l2", tuple(Num(math.hypot(*r[3]), 4, "up") for r in rows)),
        ("linf", tuple(Num(max(r[3]), 4, "up") for r in rows)),
    )
    heads = (
        say("Neighbours"), say("What is measured"), say("Largest moves of one person"),
        say("moved"), Message("L1"), Message("L2"), Message("L∞"),
    )  # fmt: skip
    return (Table("moves", say("Largest moves"), columns, shown=True, heads=heads),)
