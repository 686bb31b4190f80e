"""How well things fit where none fits as it is typed: words may be bent, mistyped or of like
meaning, and be more than any one has. A word weighs the more, the fewer things have it."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile
from math import log, sqrt

from dpstudio.gui.shell.frame.ranking import NEAR, NOT, Fit, Named, asked, plain_words

# Words that say little of what is looked for: they weigh less.
_WEAK = frozenset(
    re.findall(
        r"\w+",
        "about after allowed another any between by calculate change check compute correctly "
        "create definition define difference disable do don else enable estimate every "
        "everything explain explanation find formula go good look many meaning much new next no "
        "not off old only or over page possible privacy private proof prove quickly really "
        "right run same see set show simple start switch theorem too turn understand up use "
        "using way without work works wrong",
    )
)
_LEAST_NEAR, _LONG = 4, 8  # letters from which on a typing error is forgiven, and two of them
# What a word is worth that is bent, begun by what is typed, of like meaning, mistyped, or that
# begins what is typed.
_BENT, _BEGUN, _ALIKE, _TYPO, _PART = 0.95, 0.8, 0.75, 0.7, 0.6
_ENDS = re.compile(
    r"(?:(?<=\w{4})(?:i[sz](?:ations?|ing|ed|es?|ers?)|ations?|it(?:y|ies)|ments?|ness|ous|ally)|"
    r"(?<=\w{5})[eo]rs?|(?<=\w{3})(?:ings?|ions?|es|ed|ly|s|e))$"
)
# What a word is worth beside a name, said of it, told of it at length, or in a part of it.
BESIDE, SAID, TOLD, PART = 0.8, 0.5, 0.45, 0.7
# What a word weighs that says little, or that nothing has; what one of like meaning counts.
WEAK, UNKNOWN, LIKE = 0.3, 0.5, 0.3
ENOUGH = 0.35  # of what is typed that something near must have


class Near:
    """Over all that is `known`."""

    def __init__(self, known: Iterable[Named], alike: "Alike | None" = None) -> None:
        self.known, self.alike = list(known), alike or Alike()
        self.has = dict[str, list[int]]()  # the things that have a word
        for i, one in enumerate(self.known):
            for word in one.words:
                self.has.setdefault(word, []).append(i)
        self.bent = dict[str, list[str]]()  # the words of a stem
        for word in self.has:
            self.bent.setdefault(_stem(word), []).append(word)
        self.stems = sorted(self.bent)

    def fits(self, typed: str) -> list[Fit]:
        """How well each fits."""
        words = asked(typed)
        close = {word: self._close(word, word == words[-1]) for word in words}
        best = {word: self._best(each) for word, each in close.items()}
        weight = {word: self._weight(word, each) for word, each in best.items()}
        held = dict[int, float]()
        for word, each in best.items():
            for i in each:
                held[i] = held.get(i, 0.0) + weight[word]
        enough = ENOUGH * sum(weight.values())
        scale = {word: each / sum(weight.values()) for word, each in weight.items()}
        none = Fit(NOT)
        return [
            _fit(one, close, scale) if held.get(i, 0.0) >= enough else none
            for i, one in enumerate(self.known)
        ]

    def _close(self, typed: str, last: bool) -> dict[str, float]:
        """Which words were meant by one, and how surely: half a word is the last one mostly, and a
        typing error is looked for only where the word is none; what is one is not half another."""
        stem = _stem(typed)
        near = dict[str, float]()
        for worth, stems in (
            (_PART, (stem[:n] for n in range(_LEAST_NEAR + 1, len(stem)))),
            (_BEGUN if last and typed not in self.has else _BEGUN / 2, self._begun(stem)),
            (_ALIKE, self.alike.of.get(stem, ())),
            (_BENT, (stem,)),
        ):
            near |= {word: worth for each in stems for word in self.bent.get(each, ())}
        if typed in self.has:
            near[typed] = 1.0
        if max(near.values(), default=0.0) >= _ALIKE:
            return near
        return near | {word: _TYPO for word in self.has if _mistyped(typed, word)}

    def _begun(self, stem: str) -> list[str]:
        """The stems that begin so."""
        if len(stem) < _LEAST_NEAR:
            return []
        first = bisect_left(self.stems, stem)
        return list(takewhile(lambda each: each.startswith(stem), self.stems[first:]))

    def _best(self, close: Mapping[str, float]) -> dict[int, float]:
        """What has any of these words, by how surely that was meant."""
        found = dict[int, float]()
        for word, share in close.items():
            for i in self.has[word]:
                found[i] = max(share, found.get(i, 0.0))
        return found

    def _weight(self, word: str, best: Mapping[int, float]) -> float:
        count = sum(1.0 if share >= _BENT else LIKE for share in best.values())
        weight = sqrt(max(0.0, log((len(self.known) + 1) / count))) if count else UNKNOWN
        weak = word in _WEAK or word.isdecimal() or (word not in self.has and _says_little(word))
        return weight * (WEAK if weak else 1.0) or 1e-9


def _fit(one: Named, close: Mapping[str, dict[str, float]], weight: Mapping[str, float]) -> Fit:
    """By the share of what is typed that is its name, meant by it, beside it or said of it."""
    most = dict.fromkeys(weight, 0.0)
    whole = dict[str, float]()
    for each, of in one.phrases.items():
        shares = dict(_shares(of, close))
        if not shares:
            continue
        covered = min(1.0, len(shares) / len(asked(each)))
        worth = 1.0 if each == one.name else PART + (1 - PART) * covered
        for word, share in shares.items():
            most[word] = max(most[word], worth * share)
        whole[each] = covered * sum(weight[word] * share for word, share in shares.items())
    for text, worth in ((one.beside, BESIDE), (one.said, SAID), (one.told, TOLD)):
        for word, share in _shares(plain_words(text), close):
            most[word] = max(most[word], worth * share)
    share = sum(weight[word] * each for word, each in most.items())
    if share < ENOUGH:
        return Fit(NOT)
    first = max(whole, key=lambda each: whole[each], default="")
    why = "" if first == one.name else first or one.said
    return Fit(NEAR, why, share + whole.get(first, 0.0) / 2)


def _shares(
    of: Sequence[str], close: Mapping[str, dict[str, float]]
) -> Iterator[tuple[str, float]]:
    """How surely each typed word is in a text."""
    for word, near in close.items():
        if share := max((near.get(other, 0.0) for other in of), default=0.0):
            yield word, share


def _says_little(word: str) -> bool:
    """Whether a word that nothing has is mistyped for one that says little."""
    return any(_mistyped(word, weak) for weak in _WEAK)


@lru_cache(maxsize=50_000)
def _mistyped(typed: str, word: str) -> bool:
    """Whether it is a letter off, or of a long word two."""
    if min(len(typed), len(word)) < _LEAST_NEAR:
        return False
    most = 2 if len(typed) >= _LONG else 1
    return len(set(typed) ^ set(word)) <= 2 * most and _apart(typed, word) <= most


@lru_cache(maxsize=40_000)
def _stem(word: str) -> str:
    """A word without what bends it."""
    return re.sub(_ENDS, "", re.sub(r"(?<=\w{2})ies$", "y", word))


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
class Alike:
    """Words of like meaning, by their stems."""

    of: Mapping[str, frozenset[str]] = field(default_factory=dict)


def read_alike(text: str) -> Alike:
    """Lines of words that mean about the same; # begins a remark."""
    of = dict[str, frozenset[str]]()
    for line in text.splitlines():
        stems = frozenset(_stem(word) for word in plain_words(line) if not line.startswith("#"))
        of |= {stem: of.get(stem, frozenset()) | stems for stem in stems}
    return Alike(of)
