"""What is said of differencing."""

from collections.abc import Iterator

from dpstudio.labs.attacks.attackers.attacker import of_100
from dpstudio.labs.attacks.attackers.success_charts import by_promise, nobody_more, shown
from dpstudio.labs.attacks.differencing.attackers.differencing.model import (
    DifferencingModel,
    gap,
    here,
    off,
    part,
    totals,
)
from dpstudio.labs.findings import Fact, Sentence
from dpstudio.values.messages import N_, Num, say


def facts(model: DifferencingModel) -> tuple[Fact, ...]:
    """How often the attacker is right, how often anybody is at most, and how far off he is."""
    attack, best, most = here(model)
    ink, by = model.asked.mechanism.ink, by_promise(model.asked.mechanism)
    wide = say("± {off}", off=Num(off(model), 3, "up"))
    return (
        Fact("off", say("half of the estimates are within"), wide, "", "text", off(model)),
        Fact("best", say("the best attacker"), shown(best, "up"), say("right"), ink, best),
        Fact("promised", say("at most"), shown(most, "up"), by, "limit", most),
        Fact("attack", say("this attacker"), shown(attack), say("right"), "answer", attack),
    )


def sentences(model: DifferencingModel) -> Iterator[Sentence]:
    """What the attack gains, what it gains without noise, and what stands in its way."""
    attack, best, most = here(model)
    epsilon = Num(model.asked.mechanism.epsilon, 5)
    text = N_("At ε = {epsilon}, subtracting totals guesses {attack} of 100 right (50 is a coin).")
    yield Sentence("gain", say(text, epsilon=epsilon, attack=Num(of_100(attack), 3)))
    yield nobody_more(attack, best)
    yield from _exact(model)
    text = N_(
        "A guess is whether somebody adds {gap} or nothing; both totals have "
        "half of ε. Nobody is right more than {most} of 100 times {by}."
    )
    by = by_promise(model.asked.mechanism)
    told = say(text, gap=Num(gap(model), 6), most=Num(of_100(most), 3, "up"), by=by)
    yield Sentence("ground", told)


def _exact(model: DifferencingModel) -> Iterator[Sentence]:
    added, row = part(model), Num(model.attacker.row_of or 0)
    if added is None:
        text = N_("Without noise the difference of both totals is the person’s part, exactly.")
        yield Sentence("exact", say(text))
        return
    whole, rest = totals(model)
    text = N_("Without noise {whole} − {rest} = {part} tells what row {row} adds, exactly.")
    values = {"whole": Num(whole, 12), "rest": Num(rest, 12), "part": Num(added, 6), "row": row}
    yield Sentence("exact", say(text, **values), "bad")
