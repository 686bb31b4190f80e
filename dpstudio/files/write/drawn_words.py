"""What the words of the screen are where the answer was not simulated, but drawn exactly."""

from dataclasses import fields, is_dataclass, replace
from operator import is_not
from typing import Any

from dpstudio.labs.findings import Findings
from dpstudio.values.messages import N_, Message

_DRAWN = {
    "simulated: not a release": N_("drawn exactly"),
    "Simulated answer": N_("Answer, drawn exactly"),
    "A simulated answer is {answer}.": N_("An answer that was drawn exactly is {answer}."),
    "a simulated answer, and where the exact one may be": N_(
        "an answer drawn exactly, and where the exact one may be"
    ),
    "a simulated answer; each cell ±{width} at {confidence}": N_(
        "an answer drawn exactly; each cell ±{width} at {confidence}"
    ),
    "First rows of a simulated table": N_("First rows of the table"),
    "Simulated winner": N_("Winner, drawn exactly"),
    "one simulated winner": N_("one winner, drawn exactly"),
    "A simulated winner is {answer}.": N_("A winner that was drawn exactly is {answer}."),
    "Reports here are simulated for looking; nobody was asked, and it is no private release.": N_(
        "Reports here are drawn exactly, with chance from the system, as if everybody were asked. "
        "Their ε adds to that of all else that leaves of this table."
    ),
    "Noise here is simulated for looking; it is not a private release.": N_(
        "Noise here is drawn exactly, with chance from the system, on a public grid. Its ε adds to "
        "that of all else that leaves of this table."
    ),
}
# What is said of a layer; elsewhere it tells how a law is known.
_LAYER = {"simulated": N_("drawn exactly")}


def drawn_exactly(findings: Findings) -> Findings:
    """The findings in words that hold of what was drawn exactly. What is simulated still, such as
    the width of an interval, is said to be."""
    told: Findings = _told(findings, _DRAWN)
    return replace(told, figures=_told(told.figures, _LAYER))


def _told(held: Any, words: dict[str, str]) -> Any:
    """The same with other words; what holds none of them is the same object."""
    if isinstance(held, Message):
        values = {name: _told(value, words) for name, value in held.values.items()}
        if held.text not in words and all(values[name] is held.values[name] for name in values):
            return held
        return Message(words.get(held.text, held.text), values)
    if isinstance(held, tuple):
        parts = tuple(_told(each, words) for each in held)
        return parts if any(map(is_not, parts, held)) else held
    if not is_dataclass(held) or isinstance(held, type):
        return held
    new = {each.name: _told(getattr(held, each.name), words) for each in fields(held) if each.init}
    changed = {name: value for name, value in new.items() if value is not getattr(held, name)}
    return replace(held, **changed) if changed else held
