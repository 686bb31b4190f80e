"""What is said of the console on a table, its log, and what denials tell."""

from collections.abc import Iterator, Sequence

from dpstudio.data.statements import LARGEST
from dpstudio.labs.attacks.attackers.success_charts import percent
from dpstudio.labs.attacks.differencing.attackers.console import model as console
from dpstudio.labs.attacks.differencing.attackers.console.rules import POLICIES
from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.privacy.attacks.database import DENIED, EMPTY, NO_NOISE
from dpstudio.values.messages import N_, Message, Num, plain, say

_WHY = {DENIED: N_("denied"), EMPTY: N_("no rows"), NO_NOISE: N_("no noise for maxima")}
_GUARDS = {
    "none": N_("Without a rule one question about a set of one tells its number."),
    "size": N_("A least set size stops questions about few; four sums of a tracker go around it."),
    "overlap": N_(
        "Sets that share at most r rows stop a tracker where r is small, and with it nearly all "
        "that an analyst asks."
    ),
    "audit": N_(
        "An audit by rank refuses what would tell a real number exactly, by sums alone or by "
        "maxima alone: together, and with the public range, they may tell. A denial of a maximum, "
        "or of a count of yes and no, tells something itself."
    ),
    "rounding": N_("Rounded answers hide up to half of the base each, no more."),
    "recoding": N_("Ranges instead of numbers tell the range, exactly."),
    "suppression": N_(
        "Numbers that fewer than k rows have are replaced by {unseen}, which nobody has: sums are "
        "wrong without saying so."
    ),
    "output": N_("Noise on each answer: all questions share ε in equal parts."),
    "data": N_(
        "Noise on every number once: no budget runs out, but a question that is asked again is "
        "wrong alike, and counts are exact."
    ),
}


def facts(model: console.ConsoleModel) -> Iterator[Fact]:
    """How far off the attacker is, what was not answered, and which rows are known."""
    found, wide = console.told(model), console.off(model, model.attacker.policy)
    none, rows = sum(r.answer is None for r in found.replies), found.exactly
    rule = Message(POLICIES[model.attacker.policy])
    if wide is not None:
        yield Fact(
            "off",
            say("off, of the public range"),
            say("{x}", x=percent(wide)),
            rule,
            "answer",
            wide,
        )
    text = say("{n} of {all}", n=Num(none), all=Num(len(found.replies)))
    yield Fact("best", say("questions not answered"), text, "", "limit", none)
    label, text = say("rows known exactly"), say("{n}", n=Num(rows))
    yield Fact("promised", label, text, say("at least"), "text", rows)
    cost = console.wrong(model, model.attacker.policy)
    if cost is not None:
        label = say("most that half of the answers are off")
        yield Fact("cost", label, say("{x}", x=percent(cost)), "", "target", cost)


def sentences(model: console.ConsoleModel) -> Iterator[Sentence]:
    """What the attacker has, what the rule does, and what a denial tells."""
    policy, real = model.attacker.policy, console.truth(model)
    guess, wide = console.taken(model, policy), console.off(model, policy)
    values = {"row": Num(model.attacker.row_of, 9), "column": plain(model.attacker.column)}
    if real is None or guess is None:
        yield Sentence("gain", say("Row {row} has no “{column}”.", **values))
    elif wide == 0.0:
        text = N_("The answers tell the “{column}” of row {row}: {real}, exactly.")
        yield Sentence("gain", say(text, real=Num(real, 8), **values), "bad")
    else:
        text = N_("The attacker takes the “{column}” of row {row} for {guess}; it is {real}.")
        yield Sentence("gain", say(text, guess=Num(guess, 4), real=Num(real, 8), **values))
    guard = say(_GUARDS[policy])
    if policy == "size" and not console.trackable(model):
        guard = say("A least set size of half of the rows denies the sums of a tracker too.")
    if policy == "suppression" and not console.rare(model):
        guard = say("Every number is that of k rows or more: nothing is replaced, and sums tell.")
    elif policy == "suppression":
        guard = say(_GUARDS[policy], unseen=Num(console.unseen_of(model), 6))
    yield Sentence("exact", guard, "bad" if wide == 0.0 else "warn")
    largest, bits = (steps[-1] for _, _, steps in console.examples())
    text = N_(
        "A denied maximum leaves {max_after} of {max_before} {max_before:table|tables} of three "
        "people possible; a denied count {bits_after} of {bits_before}."
    )
    counts = {
        "max_after": Num(largest.by_denials),
        "max_before": Num(largest.by_answers),
        "bits_after": Num(bits.by_denials),
        "bits_before": Num(bits.by_answers),
    }
    yield Sentence("ground", say(text, **counts))


def tables(model: console.ConsoleModel) -> Iterator[Table]:
    """The log of the console, and what denials tell."""
    found, rows = console.told(model).replies, []
    for i, (asked, reply) in enumerate(zip(model.attacker.asks_for, found, strict=True)):
        answer = say(_WHY[reply.why]) if reply.answer is None else _answer(model, i, reply.answer)
        exact = say("none") if reply.exact is None else say("{x}", x=Num(reply.exact, 8))
        rows.append((Num(i + 1), plain(str(asked)), Num(reply.rows, 9), answer, exact))
    heads = (say("question"), say("asked"), say("rows"), say("answer"), say("exact"))
    names = ("question", "asked", "rows", "answer", "exact")
    yield _table("log", say("Log of the console"), names, heads, rows)
    cells = [
        (question, say("denied"), Num(steps[-1].by_answers), Num(steps[-1].by_denials), holds)
        for question, holds, steps in console.examples()
    ]
    names = ("question", "reply", "fit", "denied", "so")
    heads = (
        say("question"),
        say("reply"),
        say("tables that fit"),
        say("with the denial"),
        say("so"),
    )
    yield _table("denials", say("What a denial tells"), names, heads, cells)


def _answer(model: console.ConsoleModel, place: int, answer: float) -> Message:
    """What was answered; of numbers in ranges the largest is one."""
    ruled = model.attacker
    if ruled.policy == "recoding" and ruled.asks_for[place].what == LARGEST:
        low, high = (Num(answer + side * ruled.base / 2, 8) for side in (-1, 1))
        return say("{low} to {high}", low=low, high=high)
    return _number(answer)


def _number(x: float) -> Message:
    return say("{x}", x=Num(x, 8))


def _table(
    key: str,
    title: Message,
    names: tuple[str, ...],
    heads: tuple[Message, ...],
    rows: Sequence[tuple[object, ...]],
) -> Table:
    columns = tuple((name, tuple(row[i] for row in rows)) for i, name in enumerate(names))
    return Table(key, title, columns, shown=True, heads=heads, exact=key == "log")
