"""What is said of the query console, and its log."""

from collections.abc import Iterator

from dpstudio.labs.attacks.attackers.attacker import of_100
from dpstudio.labs.attacks.attackers.success_charts import nobody_more, percent
from dpstudio.labs.attacks.differencing.attackers.console.rules import POLICIES
from dpstudio.labs.attacks.differencing.attackers.tracker import model as tracker
from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.values.messages import N_, Message, Num, say

_LINES = 14
_HOW = {"alone": N_("the person alone"), "tracker": N_("tracker"), "random": N_("random people")}
_GUARDS = {
    "none": N_("Without a rule one question tells the salary."),
    "size": N_("A least set size stops the question itself; four sums of a tracker go around it."),
    "overlap": N_(
        "Sets that share at most r people need more questions, 1 + (k − 1)/r at least: some solve."
    ),
    "audit": N_(
        "An audit by rank refuses, of sums of real numbers, what would tell one number exactly, "
        "and lets close guesses through; of numbers known to be 0 or 1, and of maxima, a denial "
        "itself tells."
    ),
    "rounding": N_("Rounded answers are off by half of the base at most, and so is the salary."),
    "recoding": N_("Ranges instead of salaries tell the range, exactly."),
    "suppression": N_(
        "Only rare values are hidden: sums lack them, and who is not rare is known exactly."
    ),
    "output": N_("Noise on each answer: ε is that of all questions that may be asked."),
    "data": N_("Noise on the salaries once: no budget runs out, but every sum is wrong alike."),
}


def facts(model: tracker.TrackerModel) -> tuple[Fact, ...]:
    """How far off the attacker is, and what was denied."""
    wrong, (asked, denied) = tracker.off_here(model), tracker.asked_of(model)
    wide, rule = say("{x}", x=percent(wrong)), Message(POLICIES[model.attacker.policy])
    return (
        Fact("off", say("off, of the public range"), wide, rule, "answer", wrong),
        Fact("best", say("questions asked"), say("{n}", n=Num(asked)), "", "text", asked),
        Fact("promised", say("of them denied"), say("{n}", n=Num(denied)), "", "text", denied),
    )


def sentences(model: tracker.TrackerModel) -> Iterator[Sentence]:
    """What the rule protects, and what noise does."""
    found, known = tracker.siege(model), not tracker.off_here(model)
    right, within, best = tracker.here(model)
    values = {
        "epsilon": Num(model.asked.mechanism.epsilon, 5),
        "right": Num(of_100(right), 3),
        "within": Num(within, 2, "up"),
    }
    text = N_("At ε = {epsilon} a tracker is right {right} ± {within} of 100 times (50 is a coin).")
    yield Sentence("gain", say(text, **values))
    yield nobody_more(right, best)
    text = N_("It guesses whether somebody is a yes; ε = {epsilon} is for its four counts.")
    yield Sentence("ground", say(text, **values))
    rule = Message(_GUARDS[model.attacker.policy])
    if model.attacker.policy == "size" and not tracker.goes_around(model):
        rule = say("A least set size of half of the people denies the sums of a tracker too.")
    told = say(
        "{rule} The salary is {estimate}, exactly.",
        rule=rule,
        estimate=Num(tracker.salary(model), 8),
    )
    if not known:
        text = N_("{rule} The attacker takes the salary for {estimate}; it is {salary}.")
        estimate = Num(tracker.taken(found), 6)
        told = say(text, rule=rule, estimate=estimate, salary=Num(tracker.salary(model), 8))
    yield Sentence("exact", told, "bad" if known else "plain")


def tables(model: tracker.TrackerModel) -> Iterator[Table]:
    """The log of the console, its first and its last lines."""
    log = tracker.siege(model).log
    shown = list(enumerate(log))
    if len(log) > _LINES:
        shown = [*shown[: _LINES - 4], *shown[-4:]]
    rows = []
    for i, entry in shown:
        answer = say("denied") if entry.answer is None else say("{x}", x=Num(entry.answer, 7))
        who = Num(tracker.people_of(entry.who))
        rows.append((Num(i + 1), Message(_HOW[entry.how]), who, answer))
    heads = (say("question"), say("sum over"), say("people"), say("answer"))
    names = ("question", "over", "people", "answer")
    columns = tuple((name, tuple(row[i] for row in rows)) for i, name in enumerate(names))
    yield Table("log", say("Log of the console"), columns, shown=True, heads=heads)
