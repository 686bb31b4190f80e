"""What Local counts says of protocols: their errors, what trust is worth, what ε means, and what
working on estimates costs."""

from collections.abc import Sequence

from dpstudio.labs.findings import Compared, Sentence
from dpstudio.labs.nobody.local_counts import curves, errors, surveys
from dpstudio.labs.nobody.local_counts.model import CountsModel, judged_words
from dpstudio.labs.winners import by_less, listed
from dpstudio.privacy.local import Protocol
from dpstudio.privacy.local.post import Raw
from dpstudio.privacy.local.protocol import odds_factor
from dpstudio.values.messages import N_, Message, Num, plain, say


def winner(model: CountsModel) -> tuple[Sentence, ...]:
    """How exact the chosen protocol is, and which rivals are better, as good or next at the same
    declared ε."""
    chosen, width, (best, *others) = (
        model.lab.protocol,
        errors.chosen_width(model),
        errors.standing(model),
    )
    text = N_("With {chosen} {what} is known within ±{width:# person|# people}.")
    if width >= model.n:
        text = N_(
            "With {chosen} nothing is learnt: ±{width} is more than all {n:# person|# people}."
        )
    told = say(
        text,
        n=Num(model.n),
        what=judged_words(model),
        width=Num(width, 3, "up"),
        chosen=Message(chosen.short),
    )
    good = chosen in best and (others or best[1:])
    tone = "warn" if width >= model.n else "good" if good else "plain"
    rival = _rival(model, width, best, others)
    return (Sentence("winner", told, tone), *((rival,) if rival else ()))


def compared(model: CountsModel) -> dict[str, Compared]:
    """The ± of each protocol that declares this ε."""
    text, what = N_("{confidence} of errors of {what} are within ± this"), judged_words(model)
    share = Num(model.lab.confidence, 4, "down", percent=True)
    found = {p.key: say("±{width}", width=_width(model, p)) for p in errors.ranking(model)}
    return {"protocol": Compared(say(text, confidence=share, what=what), found)}


def _rival(
    model: CountsModel, width: float, best: list[Protocol], others: list[list[Protocol]]
) -> Sentence | None:
    """Who does better; else who is as good, or next; None where there is nobody else."""
    if model.lab.protocol not in best:
        values = {"rival": _short(best), "other": _width(model, best[0])}
        text, gap = N_("{rival} would give ±{other}, {gap} less."), errors.widths(model)
        less = by_less(gap[best[0].key], width)
        return Sentence("rival", say(text, **values, gap=less), "warn")
    if best[1:]:
        text = N_("None does better here; just as good: {same}.")
        return Sentence("rival", say(text, same=_short(best[1:])))
    if not others:
        return None
    text = N_("None does better here. Next comes {rival} with ±{other}.")
    next_ = _short(others[0])
    return Sentence("rival", say(text, rival=next_, other=_width(model, others[0][0])))


def _short(protocols: Sequence[Protocol]) -> Message:
    return listed([Message(p.short) for p in protocols])


def _width(model: CountsModel, protocol: Protocol) -> Num:
    return Num(errors.widths(model)[protocol.key], 3, "up")


def unspent(model: CountsModel) -> Sentence | None:
    """Where a protocol declares more ε than its reports can cost."""
    protocol = model.lab.protocol
    spent = protocol.spent(model.d)
    if spent >= protocol.claim * (1 - 1e-9):
        return None
    text = N_(
        "{name} never costs more than {spent} of its ε = {claim}: a protocol that spends all of it "
        "does better."
    )
    return Sentence(
        "spent",
        say(
            text,
            name=Message(protocol.short),
            claim=Num(protocol.claim, 4),
            spent=Num(spent, 3, "up"),
        ),
        "warn",
    )


def central_words(model: CountsModel) -> Sentence:
    """What trust is worth, for the value that is looked at."""
    text = N_(
        "A trusted collector would count “{part}” within ±{central} at the same ε, and this survey "
        "does within ±{width}; to be as exact relative to n it takes at least {times} times the "
        "people."
    )
    if errors.times(model) <= 1:
        text = N_(
            "A trusted collector would count “{part}” within ±{central} at the same ε, no better "
            "than this survey, which does within ±{width}."
        )
    values = {
        "part": plain(model.population.labels[model.part]),
        "central": Num(errors.central(model), 3, "up"),
        "width": Num(errors.part_width(model), 3, "up"),
        "times": Num(errors.times_at_least(model)),
    }
    return Sentence("central", Message(text, values))


def odds(model: CountsModel) -> Sentence:
    """What no report does."""
    spent = model.lab.protocol.spent(model.d)
    text = N_(
        "No report changes the odds of two values by more than {factor}; of 100 even guesses on "
        "average at most {right} {right:is|are} right after it."
    )
    factor = say("×{x}", x=odds_factor(spent))
    return Sentence("odds", say(text, factor=factor, right=surveys.right_guesses(model)))


def neighbours(model: CountsModel) -> Sentence:
    """What ε protects, here and in the hands of the trusted collector."""
    text = N_(
        "ε covers any change of one person’s value, here and for the trusted collector, whose "
        "counts it moves by {delta} in all."
    )
    if errors.central_scale(model) == 1:
        text = N_(
            "ε covers any change of one person’s value, here and for the trusted collector, whose "
            "count it moves by 1."
        )
    return Sentence("neighbours", say(text, delta=errors.central_scale(model)))


def seldom_words(model: CountsModel) -> Sentence | None:
    """Where estimates are far from normal, since what nobody holds is hardly ever reported."""
    few = surveys.seldom(model)
    if few is None:
        return None
    text = N_(
        "A value that nobody holds is reported {few} times on average: so few leave the estimates "
        "far from a normal law."
    )
    return Sentence("seldom", say(text, few=Num(few, 2)), "warn")


def meeting_words(model: CountsModel) -> Sentence | None:
    """Every ε at which the chosen protocol is as good as another."""
    told = None
    for other, epsilon in curves.meetings(model):
        one = say("{name} at ε = {at}", name=Message(other.short), at=Num(epsilon, 4))
        told = one if told is None else say("{told}, {one}", told=told, one=one)
    if told is None:
        return None
    text = N_("For {what} the error of {name} equals that of {list}.")
    name, what = Message(model.lab.protocol.short), judged_words(model)
    return Sentence("meetings", say(text, what=what, name=name, list=told))


def border_words(model: CountsModel) -> Sentence | None:
    """Up to how many values it is best to name one's own."""
    most = curves.most_values(model)
    if most is None:
        return None
    text = N_(
        "For {what} direct encoding beats optimised unary encoding at this ε up to {most} "
        "{most:value|values}; here are {d}."
    )
    told = say(text, what=judged_words(model), most=Num(most), d=model.d)
    return Sentence("border", told)


def post_words(model: CountsModel) -> Sentence | None:
    """What working on the estimates costs."""
    post = model.lab.post
    if post == Raw.key:
        return None
    error, bias = surveys.worked(model)[post]
    raw = surveys.worked(model)[Raw.key][0]
    if bias == 0:
        text = N_("To work on estimates like this changes none in the surveys simulated here.")
        return Sentence("post", Message(text))
    text = N_(
        "Worked on like this, estimates have an error of {error} instead of {raw} over all values, "
        "but one is biased by {bias} on average."
    )
    return Sentence(
        "post",
        say(text, error=Num(error, 3), raw=Num(raw, 3), bias=Num(bias, 3)),
        "warn" if bias > raw else "plain",
    )


def drawn_words(model: CountsModel) -> Sentence | None:
    """That totals are drawn from a normal law, where they are."""
    if model.lab.protocol.exact(model.d):
        return None
    text = N_(
        "For so many values totals of {name} are drawn from the normal law with their exact means "
        "and covariances."
    )
    return Sentence("drawn", say(text, name=Message(model.lab.protocol.label)))
