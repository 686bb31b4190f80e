"""How well typed words fit a name. By meaning first: what is called exactly so, then what is meant
by it, then what begins so, and only then what merely holds these letters."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from math import log

# The ranks, the best first: wholly the name, or wholly what is meant by it; its words; and so on.
# Equals are told apart by their kind, then by whether it is the name itself.
WHOLE, WORDS, BEGINS, MEANT_BEGINS, HOLDS, SAID, NEAR, NOT = 7, 6, 5, 4, 3, 2, 1, 0
# Words of a question that name nothing.
_IDLE = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be can do does for how i in is it me my of on or that the this to what "
        "where which with who why somebody someone anybody else want",
    )
)
_LEAST_NEAR, _LONG = 4, 8  # letters from which on a typing error is forgiven, and two of them
BESIDE, TOLD = 0.8, 0.5  # what a word beside a name is worth, and one in what is said of it
ENOUGH = 0.4  # of what is typed that something near must have


@dataclass(frozen=True)
class Named:
    """What is looked for by its `name`. `beside` are words that may stand with it, `meant` what
    else people type for it, `said` a text about it."""

    name: str
    beside: str = ""
    meant: tuple[str, ...] = ()
    said: str = ""

    @cached_property
    def letters(self) -> str:
        """All of its words: what is not in here does not fit at all."""
        texts = self.name, self.beside, *self.meant, self.said
        return " ".join(word for text in texts for word in plain_words(text))

    @cached_property
    def words(self) -> frozenset[str]:
        """Each of its words."""
        return frozenset(self.letters.split())


@dataclass(frozen=True)
class Fit:
    """A rank, and what was meant or said where the name itself does not show it."""

    rank: int
    why: str = ""
    share: float = 0.0  # of what was typed, where it is only near


@lru_cache(maxsize=20_000)
def plain_words(text: str) -> tuple[str, ...]:
    """The words of a text as they are compared: without case, accents and marks. "4.7" is one word,
    and "11,424" the same as "11424"."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(letter for letter in apart if not unicodedata.combining(letter))
    letters = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", letters)
    return tuple(re.findall(r"\d+(?:\.\d+)+|[^\W_]+′*", letters))


def asked(typed: str) -> tuple[str, ...]:
    """The words that are looked for: all that were typed, but for those of any question."""
    words = plain_words(typed)
    return tuple(word for word in words if word not in _IDLE) or words


def fit(typed: str, one: Named) -> Fit:
    """How well what is typed fits."""
    words = asked(typed)
    if not words or not all(word in one.letters for word in words):
        return Fit(NOT)
    whole, name = plain_words(typed), plain_words(one.name)
    if name in (whole, words):
        return Fit(WHOLE)
    meant = {each: plain_words(each) for each in one.meant}
    around = (*name, *plain_words(one.beside))
    for each, of in meant.items():
        if of in (whole, words):  # also what is asked as any question is, if just so
            return Fit(WHOLE + (of == whole != words), each)
    if all(word in name for word in words):
        return Fit(WORDS)
    if _begin(words, name) or (all(w in around for w in words) and _any(words, name)):
        return Fit(BEGINS)
    for each, of in meant.items():
        if _begin(words, of):
            return Fit(MEANT_BEGINS, each)
    if len(whole) > 2 and " ".join(whole) in " ".join(plain_words(one.said)):
        return Fit(HOLDS, one.said)
    return _less(words, one, name, around)


def _less(
    words: tuple[str, ...], one: Named, name: tuple[str, ...], around: tuple[str, ...]
) -> Fit:
    """What is left where neither the name nor anything meant begins so."""
    if _begin(words, around) and _begin_any(words, name):
        return Fit(HOLDS)
    if len("".join(words)) > 2 and " ".join(words) in " ".join(name):
        return Fit(HOLDS)
    if one.said and _begin(words, (*around, *plain_words(one.said))):
        return Fit(SAID, one.said)
    return Fit(NOT)


class Near:
    """How well things fit where none fits as it is typed: words may be bent or mistyped, and be
    more than any one has. A word weighs the more, the fewer things have it."""

    def __init__(self, typed: str, known: Iterable[Named]) -> None:
        every = [one.words for one in known]
        words = frozenset[str]().union(*every)
        self.close = {
            word: {other: near for other in words if (near := _close(word, other))}
            for word in asked(typed)
        }
        have = {
            word: sum(not near.keys().isdisjoint(each) for each in every)
            for word, near in self.close.items()
        }
        weight = {word: log((len(every) + 1) / n) if n else 1.0 for word, n in have.items()}
        self.weight = {word: each / sum(weight.values()) for word, each in weight.items()}

    def fit(self, one: Named) -> Fit:
        """By the share of what is typed that is its name, meant by it, beside it or said of it."""
        held = (word for word, near in self.close.items() if not near.keys().isdisjoint(one.words))
        if sum(self.weight[word] for word in held) < ENOUGH:
            return Fit(NOT)
        names = {each: plain_words(each) for each in (one.name, *one.meant)}
        called = {each: self._shares(of) for each, of in names.items()}
        shares = [*called.values()]
        shares += [
            {word: worth * share for word, share in self._shares(plain_words(text)).items()}
            for text, worth in ((one.beside, BESIDE), (one.said, TOLD))
        ]
        share = sum(max(each.get(word, 0.0) for each in shares) for word in self.weight)
        if share < ENOUGH:
            return Fit(NOT)
        whole = {
            each: sum(of.values()) * len(of) / len(names[each]) for each, of in called.items() if of
        }
        first = max(whole, key=lambda each: whole[each], default="")
        why = "" if first == one.name else first or one.said
        return Fit(NEAR, why, share + whole.get(first, 0.0) / 2)

    def _shares(self, of: tuple[str, ...]) -> dict[str, float]:
        """How much of each typed word is in a text."""
        return {
            word: weight * max(close[other] for other in of if other in close)
            for word, weight in self.weight.items()
            if (close := self.close[word]) and not close.keys().isdisjoint(of)
        }


def _any(words: Iterable[str], name: tuple[str, ...]) -> bool:
    return any(word in name for word in words)


def _begin(words: Iterable[str], name: tuple[str, ...]) -> bool:
    """Whether each word begins one of the name."""
    return all(any(other.startswith(word) for other in name) for word in words)


def _begin_any(words: Iterable[str], name: tuple[str, ...]) -> bool:
    return any(other.startswith(word) for word in words for other in name)


@lru_cache(maxsize=50_000)
def _close(typed: str, word: str) -> float:
    """Whether a word was meant: as typed, bent, begun, or a letter off (of a long word two)."""
    if typed == word:
        return 1.0
    one, other = _stem(typed), _stem(word)
    if one == other:
        return 0.95
    if min(len(one), len(other)) < _LEAST_NEAR:
        return 0.0
    if other.startswith(one):
        return 0.8
    most = 2 if len(typed) >= _LONG else 1
    if len(set(typed) ^ set(word)) <= 2 * most and _apart(typed, word) <= most:
        return 0.7
    return 0.6 * one.startswith(other)


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    """A word without what bends it."""
    return re.sub(r"(?<=\w{3})(?:ies|es|s|y|e|ing|ed|er)$", "", word)


def _apart(one: str, other: str) -> int:
    """Letters added, lost, changed or swapped with the next between two words, at most 3."""
    if abs(len(one) - len(other)) > 2:
        return 3
    rows = [list(range(len(other) + 1))]
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, against in enumerate(other, 1):
            cost = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (letter != against))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == against:
                cost = min(cost, rows[-2][j - 2] + 1)
            row.append(cost)
        rows.append(row)
    return min(rows[-1][-1], 3)


@dataclass(frozen=True)
class Synonyms:
    """What people type, by the plain words of the name that has it here."""

    of: Mapping[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict)

    def meant(self, name: str) -> tuple[str, ...]:
        """What is typed for a thing of that name."""
        return self.of.get(plain_words(name), ())


def read_synonyms(text: str) -> Synonyms:
    """Lines of `name = typed, typed`; # begins a remark."""
    of = dict[tuple[str, ...], tuple[str, ...]]()
    for line in text.splitlines():
        name, equals, typed = line.partition(" = ")
        if equals and not line.startswith("#"):
            of[plain_words(name)] = tuple(word.strip() for word in typed.split(","))
    return Synonyms(of)
