"""What is said of linkage."""

from collections.abc import Iterator

from dpstudio.labs.attacks.attackers.success_charts import percent
from dpstudio.labs.attacks.linkage.attackers.linkage.model import LinkageModel, here
from dpstudio.labs.findings import Fact, Sentence
from dpstudio.values.messages import N_, Num, say


def facts(model: LinkageModel) -> tuple[Fact, ...]:
    """Who is found rightly, wrongly, and by a join."""
    return found_facts(*here(model))


def found_facts(right: float, wrong: float | None, exact: float) -> tuple[Fact, ...]:
    """Shares of people who are found rightly, wrongly, and by a join; where nobody knows who is
    right, who are found at all."""
    if wrong is None:
        return (
            Fact("off", say("one fits best"), say("{x}", x=percent(right)), "", "answer", right),
            Fact("promised", say("by a join"), say("{x}", x=percent(exact)), "", "first", exact),
        )
    return (
        Fact("off", say("found"), say("{x}", x=percent(right)), "", "answer", right),
        Fact("best", say("taken for others"), say("{x}", x=percent(wrong)), "", "limit", wrong),
        Fact("promised", say("by a join"), say("{x}", x=percent(exact)), "", "first", exact),
    )


def sentences(model: LinkageModel) -> Iterator[Sentence]:
    """How little is needed to find somebody."""
    right, wrong, exact = here(model)
    known = model.attacker.known
    text = N_(
        "{known} {known:rating finds|ratings find} {right} of the people in a table without names."
    )
    if known == 1:
        text = N_("One rating finds {right} of the people in a table without names.")
    told = say(text, known=Num(known), right=percent(right))
    yield Sentence("gain", told, "bad" if right > wrong else "warn")
    text = N_(
        "An exact join finds {exact}, for what is known is off by a star. {wrong} are taken for "
        "somebody else. Leaving names out has no ε."
    )
    yield Sentence("exact", say(text, exact=percent(exact), wrong=percent(wrong)))
