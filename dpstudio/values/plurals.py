"""Words that go with a number. A message writes them in both forms, that of 1 first:

    "{n} {n:row is|rows are} left"             the sentence has two forms, and n decides
    "{k} of {n:# row|# rows} {k:is|are} left"  and so has the phrase about n, which is the #

One number decides of a sentence; words that go with a second one are a phrase. A translator is
given each sentence and each phrase with its plural, and writes as many forms as a language has."""

import string
from dataclasses import dataclass
from functools import lru_cache

# What decides where no whole number is shown: most languages count a fraction as they count 2, and
# 10¹² as they count a million.
_FRACTION, _LOTS = 2, 10**6


@dataclass(frozen=True)
class Forms:
    """A message of which the field `decides` between `one` and `many`; where it is "", nothing does
    and they are alike. `phrases` are (field, one, many), with the number as {n}."""

    one: str
    many: str
    decides: str = ""
    phrases: tuple[tuple[str, str, str], ...] = ()

    @property
    def whole(self) -> str:
        """The message of many, with its phrases in it."""
        text = self.many
        for field, _, many in self.phrases:
            text = text.replace(f"{{{field}}}", many.replace("{n}", f"{{{field}}}"))
        return text


@lru_cache(maxsize=2048)
def forms(text: str) -> Forms:
    """The forms of a message. Raises ValueError where two numbers decide of the sentence, and where
    a number with a phrase stands in it once more."""
    one, many, phrases = "", "", []
    counts, bare = set(), set()
    for literal, field, spec, _ in string.Formatter().parse(text):
        literal = literal.replace("{", "{{").replace("}", "}}")
        one, many = one + literal, many + literal
        if field is None:
            continue
        first, bar, second = (spec or "").partition("|")
        if not bar:
            bare.add(field)
            first = second = f"{{{field}}}"
        elif "#" not in first:
            counts.add(field)
        else:
            phrases.append((field, first.replace("#", "{n}"), second.replace("#", "{n}")))
            first = second = f"{{{field}}}"
        one, many = one + first, many + second
    of_phrases = [field for field, _, _ in phrases]
    if len(counts) > 1 or len({*of_phrases} - counts - bare) < len(of_phrases):
        raise ValueError(f"give what goes with a number a phrase of its own: {text}")
    return Forms(one, many, "".join(counts), tuple(phrases))


def counted(shown: str) -> int:
    """The whole number that decides, of a number as it is shown: 0.96 shown as 1 is 1, and 1.0 is
    not, for nobody says "1.0 row". Its sign does not matter."""
    digits = shown.lstrip("+−±").replace(",", "")
    if digits.isdecimal():
        return int(digits)
    return _FRACTION if "." in digits and "·" not in digits else _LOTS
