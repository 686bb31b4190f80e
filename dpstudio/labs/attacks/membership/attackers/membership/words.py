"""What is said of membership."""

from collections.abc import Iterator

from dpstudio.labs.attacks.attackers.attacker import of_100
from dpstudio.labs.attacks.attackers.success_charts import by_promise, percent, shown
from dpstudio.labs.attacks.membership.attackers.membership import model as membership
from dpstudio.labs.findings import Fact, Sentence
from dpstudio.values.messages import N_, Num, say


def facts(model: membership.MembershipModel) -> tuple[Fact, ...]:
    """The advantage, what ε and δ allow, and how many are found with few false alarms."""
    gain, most = membership.advantages(model)
    found, ink = membership.found_at(model), model.asked.mechanism.ink
    few, right = say("with 1 % false alarms"), membership.here(model)[0]
    by = by_promise(model.asked.mechanism)
    return (
        Fact("off", say("found"), shown(found), few, "text", found),
        Fact(
            "best", say("advantage"), shown(gain), say("true minus false positive rate"), ink, gain
        ),
        Fact("promised", say("at most"), shown(most, "up"), by, "limit", most),
        Fact("attack", say("right guesses"), shown(right), "", "answer", right),
    )


def sentences(model: membership.MembershipModel) -> Iterator[Sentence]:
    """What the best attacker gains from this very answer."""
    right, most = membership.here(model)
    values = {
        "epsilon": Num(model.asked.mechanism.epsilon, 5),
        "right": Num(of_100(right), 3),
        "most": Num(of_100(most), 3, "up"),
        "by": by_promise(model.asked.mechanism),
    }
    text = N_("At ε = {epsilon} the best attacker is right {right} of 100 times (50 is a coin).")
    yield Sentence("gain", say(text, **values))
    text = N_("That is on this answer; {by} it is at most {most} of 100.")
    yield Sentence("nobody", say(text, **values))
    yield Sentence(
        "exact",
        say("Without noise the answer tells for certain who was in and who was not."),
        "bad",
    )
    gain, allowed = membership.advantages(model)
    text = N_("The advantage is {gain} by the exact law, at most {allowed} {by}.")
    if membership.one_laplace(model):
        text = N_(
            "For one Laplace answer the advantage is 1 − e^(−ε/2) = {gain}; any "
            "ε-private answer is below tanh(ε/2) = {allowed}."
        )
    told = say(text, gain=percent(gain), allowed=percent(allowed, "up"), by=values["by"])
    yield Sentence("ground", told)
