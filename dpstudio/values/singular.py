"""English of one: what a message has as "{n} rows are" reads "1 row is" where n is shown as 1. That
is the grammar of the source's language; a translation has its own."""

from __future__ import annotations

import re
from collections.abc import Mapping

# One word may describe what is counted; these part a number from it.
_APART = "and|are|as|at|by|change|each|for|from|in|is|of|on|or|per|than|that|the|these|to|was|with"
_COUNTED = (
    "answer|array|attack|attacker|bit|byte|candidate|cell|character|chart|ciphertext|clip|code|column|component|condition|"
    "coordinate|count|deviation|digit|dimension|direction|draw|file|formula|group|interval|key|lab|length|letter|level|line|list|"
    "mechanism|model|moment|month|name|node|note|number|option|other|output|owner|pair|part|picture|pixel|place|point|product|"
    "question|range|rating|release|report|row|rule|sheet|split|step|sum|survey|table|tree|unit|value|way|winner|"
    "word|year"
)
_NOUN = re.compile(rf"people|classes|entries|possibilities|(?:{_COUNTED})s")
_ODD = {"people": "person", "classes": "class", "entries": "entry", "possibilities": "possibility"}
# Verbs that agree with it.
_IRREGULAR = {"are": "is", "were": "was", "have": "has", "do": "does"}
_VERBS = "are|were|have|do|begin|cost|earn|hold|leave|look|lose|move|prove|repeat|show|stand|test"
_MANY = re.compile(
    rf"(?P<count>\{{(?P<field>\w+)\}} (?:(?!(?:{_APART})\b)[a-z]+ )?)"
    rf"(?P<noun>people|classes|entries|possibilities|(?:{_COUNTED})s)\b"
    rf"(?:(?P<gap> (?:asked |that )?)(?P<verb>{_VERBS})\b)?"
)
# A count alone, or of what it is one: "{n} are left", "{n} of the rows are left".
_BESIDE = "".join(rf"(?<!\b{word} )" for word in ("and", "at", "count", "height", "of", "to"))
_ALONE = re.compile(
    rf"{_BESIDE}(?P<count>\{{(?P<field>\w+)\}}"
    r"(?: more| of(?: (?!(?:and|as|that|they|who)\b)[^\s,.:;]+){1,5}?)? )"
    r"(?P<verb>are|were|have|do|leave)\b"
)


def singular(text: str, shown: Mapping[str, str]) -> str:
    """A message whose fields are still open, in the singular wherever a field that counts is shown
    as 1."""

    def one(found: re.Match[str]) -> str:
        if shown.get(found["field"]) != "1":
            return found[0]
        noun = _ODD.get(found["noun"], found["noun"][:-1])
        verb = found["verb"]
        said = f"{found['gap']}{_of_one(verb)}" if verb else ""
        return f"{found['count']}{noun}{said}"

    def alone(found: re.Match[str]) -> str:
        counted = shown.get(found["field"]) == "1"
        return f"{found['count']}{_of_one(found['verb'])}" if counted else found[0]

    if "1" not in shown.values():
        return text
    # What is counted may be a field too.
    for field, noun in shown.items():
        if _NOUN.fullmatch(noun):
            text = text.replace(f" {{{field}}}", f" {noun}")
    return _MANY.sub(one, _ALONE.sub(alone, text))


def _of_one(verb: str) -> str:
    return _IRREGULAR.get(verb, f"{verb}s")
