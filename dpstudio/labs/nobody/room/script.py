"""The numbers of the lab A survey in the room, worked out without the program."""

from dpstudio.labs.nobody.room.parameters import (
    AnyNumber,
    Invented,
    OneOption,
    OpenTable,
    RoomSurvey,
)
from dpstudio.labs.scripting.scripted import Known, NoScript, Script, paragraphs
from dpstudio.privacy.room import Question
from dpstudio.privacy.room.question import CHOICE, NUMBER
from dpstudio.values.messages import N_, say

_LIVE = N_(
    "The reports of a room are in no file. Save them as a table, open it, choose its reports, and "
    "take the script then."
)
_INVENTED = """
    # Invented people answer, in the order in which the page draws them.
    rng = np.random.Generator(np.random.SFC64([seed, 1907]))
    laws = [phone_law(kind, d, epsilon, unary) for epsilon in epsilons]
    answers = invented_answers(kind, d, people, share)
    chosen, sent = invented_reports(kind, answers, d, laws, by_answer, rng)
    groups = [[] for _ in laws]
    for place, report in zip(chosen, sent, strict=True):
        groups[place].append(report)
"""
_READ = """
    # The reports of a room, as it saves them: each by the law of its own epsilon.
    kept = [table[name] == word for name, word in only.items()]
    rows = np.flatnonzero(np.all([present(table[column]), *kept], axis=0))
    groups_of = {float(e): [] for e in table["epsilon"][rows]}
    for row in rows:
        cell = word_told(table[column][row]).split(" | ")
        bits = [int(word in cell) for word in words]
        groups_of[float(table["epsilon"][row])].append(bits if unary else bits.index(1))
    laws = [phone_law(kind, d, epsilon, unary) for epsilon in sorted(groups_of)]
    groups = [groups_of[epsilon] for epsilon in sorted(groups_of)]
    epsilons = [*epsilons, *groups_of]
"""
_LINES = """
    asked = [(law, group) for law, group in zip(laws, groups, strict=True) if group]
    sizes = [len(group) for _, group in asked]
    estimates = [room_estimate(law, d, group) for law, group in asked]
    values, errors = by_heads(estimates, sizes)
"""
_LOOKED = {
    "coins": "at, span, low = 1, 1, 0  # the share of yes",
    CHOICE: "at, span, low = part if part >= 0 else int(np.argmax(values)), 1, 0",
    NUMBER: "at, span, low = 1, high - low, low  # the mean, from the share of high ends",
}
_END = """
    # Where the reports choose the option that is looked at, all intervals hold together.
    z = normal_quantile(1 - (1 - confidence) / at_once)
    value, half = low + span * float(values[at]), z * span * float(errors[at])
    numbers["estimate"] = value, value - half, value + half
    numbers["half"] = half
    widest = z * span * float(max(errors))
    numbers["more"] = max(0, math.ceil(sum(sizes) * (widest / (aim * span)) ** 2) - sum(sizes))
    numbers["told"] = max(epsilons)  # what one report costs at most
"""
_HERO = """
    seen = np.arange(len(values))
    axes.errorbar(seen, values, yerr=z * errors, fmt="o", capsize=4)
    axes.set(xticks=seen, ylabel="share, with its interval")
"""


def script(lab: RoomSurvey, known: Known) -> Script:
    """The reports, invented or of a table, and what they say by head count."""
    asked, source = lab.question, lab.reports
    settings: dict[str, object] = {"kind": asked.kind, "d": asked.answers}
    settings["unary"] = isinstance(lab.asked, OneOption) and lab.asked.unary
    settings["epsilons"] = asked.epsilons
    if isinstance(lab.asked, AnyNumber):
        settings |= {"low": lab.asked.low, "high": lab.asked.high}
    if isinstance(source, Invented):
        people = {"people": source.people, "share": source.share, "by_answer": source.by_answer}
        settings |= {**people, "seed": lab.seed}
    elif isinstance(source, OpenTable):
        settings |= _of_table(asked, source.column, known)
    else:
        raise NoScript(say(_LIVE))
    if asked.kind == CHOICE:
        settings["part"] = min(lab.part, asked.answers - 1)
    settings["at_once"] = asked.answers if asked.kind == CHOICE and lab.part < 0 else 1
    settings |= {"confidence": lab.confidence, "aim": lab.aim}
    seen = _INVENTED if isinstance(source, Invented) else _READ
    return Script(settings, paragraphs(seen, _LINES, _LOOKED[asked.kind], _END), hero=_HERO)


def _of_table(asked: Question, column: str, known: Known) -> dict[str, object]:
    """Which rows are reports of this question, and by which words."""
    only = {"question": asked.text, "answers": asked.mark}
    words = asked.words[:2] if asked.kind == NUMBER else asked.options
    return {
        "column": column,
        "words": words,
        "only": {name: word for name, word in only.items() if known.has(name)},
    }
