"""How well things fit where none fits as it is typed: words may be bent, mistyped or of like
meaning, and be more than any one has. A word weighs the more, the fewer things have it."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import pairwise, takewhile
from math import log

from dpstudio.gui.shell.frame.ranking import NEAR, NOT, Fit, Named, asked, plain_words, stem

_HAN = "[\u3400-\u9fff]"
# Words that say little of what is looked for: they weigh less.
_WEAK = frozenset(
    re.findall(
        r"\w+",
        "about after allowed another any bad best better between by calculate change check "
        "class classroom compute correctly create define definition demonstrate difference "
        "disable do don else enable estimate every everything explain explanation find formula "
        "go good look many meaning much new next nice no not off old only or over own page "
        "possible privacy private proof prove quickly really right run same see set show simple "
        "start student students switch theorem too turn understand up use using way without "
        "work works worse worst wrong",
    )
)
_CUT = 3  # letters from which on an ending is more than a bend: what is left begins too much
_LEAST_NEAR, _LONG = 4, 8  # letters from which on a typing error is forgiven, and two of them
# What a word is worth that is bent, begun by what is typed, of like meaning, mistyped, or that
# begins what is typed.
_BENT, _BEGUN, _ALIKE, _TYPO, _PART = 0.95, 0.8, 0.75, 0.7, 0.6
# What a word is worth beside a name, said of it, told of it at length, or in a part of it.
BESIDE, SAID, TOLD, PART = 0.8, 0.5, 0.45, 0.7
# What a word weighs that says little, or that nothing has; what one of like meaning counts.
WEAK, UNKNOWN, LIKE = 0.3, 0.5, 0.3
RARE, TOGETHER = 0.5, 0.5  # how rareness counts, and words that stand in one phrase
OFTEN = 0.1  # that a word stands in several phrases
NAMED = 0.25  # what is called so itself, not a setting of it
ENOUGH = 0.35  # of what is typed that something near must have


# Where a word may stand that is in no phrase: beside the name, in what is said, in what is told.
_FIELDS = (BESIDE, SAID, TOLD)


class Near:
    """Over all that is `known`."""

    def __init__(self, known: Iterable[Named], alike: "Alike | None" = None) -> None:
        self.known, self.alike = list(known), alike or Alike()
        self.phrases = [list(one.phrases) for one in self.known]
        # Where a word stands: in which thing, in which phrase of it or, below 0, in which field.
        self.has = dict[str, list[tuple[int, int]]]()
        for i, one in enumerate(self.known):
            texts = [*one.phrases.values(), *map(plain_words, (one.told, one.said, one.beside))]
            for at, words in enumerate(texts):
                at = at if at < len(one.phrases) else at - len(texts)  # the last are the fields
                for word in dict.fromkeys(_cut(words)):
                    self.has.setdefault(word, []).append((i, at))
        self.bent = dict[str, list[str]]()  # the words of a stem
        for word in self.has:
            self.bent.setdefault(stem(word), []).append(word)
        self.stems = sorted(self.bent)
        self.long = dict[int, list[str]]()  # the words of so many letters
        for word in self.has:
            self.long.setdefault(len(word), []).append(word)

    def knows(self, typed: str) -> bool:
        """Whether each word that is typed is one of something."""
        return all(word in self.has for word in _cut(asked(typed)))

    def lacks(self, typed: str) -> str:
        """The words that nothing has, nor one that they may be mistyped for, where those are half
        of what is looked for, or more: they carry it. A last word may not be typed to its end."""
        words = [w for w in asked(typed) if w not in _WEAK and not w.isdecimal()]
        none = [w for w in words if len(w) >= _LEAST_NEAR and w.isascii() and self._is_new(w)]
        if none and words[-1] == none[-1] and self._begun(words[-1]):
            none.pop()
        return " ".join(none) if 2 * len(none) >= len(words) else ""

    def _is_new(self, word: str) -> bool:
        """Whether nothing has a word, bent, of like meaning or mistyped."""
        return max(self._close(word, False).values(), default=0.0) < _TYPO

    def righted(self, typed: str) -> str:
        """What is typed, with the word that most have for each that is mistyped."""
        words = list(plain_words(typed))
        for at, word in enumerate(words):
            if word in asked(typed) and not (word in self.has or self._begun(stem(word))):
                meant = self._slips(word)
                words[at] = max(meant, key=partial(self._likely, word), default=word)
        return " ".join(words)

    def _likely(self, typed: str, meant: str) -> tuple[bool, int]:
        """How likely a word was meant: a slip of the first letter is rare."""
        return meant[0] == typed[0], len(self.has[meant])

    def fits(self, typed: str) -> list[Fit]:
        """How well each fits."""
        words = self._parted(_cut(asked(typed)))
        found = dict[int, dict[int, dict[str, float]]]()
        weight = dict[str, float]()
        for word in words:
            best = dict[int, float]()
            for close, share in self._close(word, word == words[-1]).items():
                for i, at in self.has[close]:
                    here = found.setdefault(i, {}).setdefault(at, {})
                    here[word] = max(share, here.get(word, 0.0))
                    best[i] = max(share, best.get(i, 0.0))
            weight[word] = self._weight(word, best)
        whole = sum(weight.values())
        scale = {word: each / whole for word, each in weight.items()}
        fits = [Fit(NOT)] * len(self.known)
        for i, places in found.items():
            fits[i] = self._fit(i, places, scale)
        return fits

    def _parted(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """The words, those that are one parted by mistake made one: “stair case”."""
        kept = list[str]()
        for word in words:
            if kept and not {kept[-1], word} <= self.has.keys() and kept[-1] + word in self.has:
                kept[-1] += word
            else:
                kept.append(word)
        return tuple(dict.fromkeys(kept))

    def _fit(
        self, i: int, places: Mapping[int, Mapping[str, float]], weight: Mapping[str, float]
    ) -> Fit:
        """By the share of what is typed that is its name, meant by it, beside it or said of it."""
        one, most = self.known[i], dict[str, float]()
        often = dict.fromkeys(weight, 0)
        first, together, named = "", 0.0, 0.0
        for at, shares in places.items():
            if at < 0:
                worth = _FIELDS[-at - 1]
            else:
                phrase = self.phrases[i][at]
                covered = min(1.0, len(shares) / len(_cut(asked(phrase))))
                worth = 1.0 if at == 0 else PART + (1 - PART) * covered
                held = covered * sum(weight[word] * share for word, share in shares.items())
                if at == 0 and one.own and covered == 1.0 and min(shares.values()) >= _BENT:
                    named = sum(weight[word] for word in shares)
                if held > together:
                    first, together = phrase, held
            for word, share in shares.items():
                most[word] = max(most.get(word, 0.0), worth * share)
                often[word] += at >= 0 and share >= _BENT
        share = sum(weight[word] * each for word, each in most.items())
        if share < ENOUGH:
            return Fit(NOT)
        why = "" if first == one.name else first or one.said
        more = sum(weight[word] * log(1 + times) for word, times in often.items())
        return Fit(NEAR, why, share + TOGETHER * together + OFTEN * more + NAMED * named)

    def _close(self, typed: str, last: bool) -> dict[str, float]:
        """Which words were meant by one, and how surely: half a word is the last one mostly, and a
        typing error is looked for only where the word is none; what is one is not half another."""
        bare = stem(typed)
        near = dict[str, float]()
        for worth, stems in (
            (_PART, (bare[:n] for n in range(_LEAST_NEAR + 1, len(bare)))),
            (
                _BEGUN if last and typed not in self.has else _BEGUN / 2,
                self._begun(bare) if len(typed) - len(bare) < _CUT else (),
            ),
            (_ALIKE, self.alike.of.get(bare, ())),
            (_BENT, (bare,)),
        ):
            near |= {word: worth for each in stems for word in self.bent.get(each, ())}
        if typed in self.has:
            near[typed] = 1.0
        if max(near.values(), default=0.0) >= _ALIKE:
            return near
        return near | dict.fromkeys(self._slips(typed), _TYPO)

    def _slips(self, typed: str) -> list[str]:
        """The words that it may be mistyped for."""
        lengths = range(len(typed) - 2, len(typed) + 3)
        return [w for long in lengths for w in self.long.get(long, ()) if _mistyped(typed, w)]

    def _begun(self, bare: str) -> list[str]:
        """The stems that begin so."""
        if len(bare) < _LEAST_NEAR:
            return []
        first = bisect_left(self.stems, bare)
        return list(takewhile(lambda each: each.startswith(bare), self.stems[first:]))

    def _weight(self, word: str, best: Mapping[int, float]) -> float:
        count = sum(1.0 if share >= _BENT else LIKE for share in best.values())
        weight = max(0.0, log((len(self.known) + 1) / count)) ** RARE if count else UNKNOWN
        weak = word in _WEAK or word.isdecimal() or (word not in self.has and _says_little(word))
        return weight * (WEAK if weak else 1.0) or 1e-9


@lru_cache(maxsize=40_000)
def _cut(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words; of Chinese, which has no spaces, each two characters that stand together."""
    if all(map(str.isascii, words)):
        return words
    cut = list[str]()
    for word in words:
        parts = re.findall(f"{_HAN}+|[^{_HAN[1:]}+", word)
        for part in parts:
            pairs = len(part) > 2 and re.match(_HAN, part)
            cut += map("".join, pairwise(part)) if pairs else (part,)
    return tuple(cut)


def _says_little(word: str) -> bool:
    """Whether a word that nothing has is mistyped for one that says little."""
    return any(_mistyped(word, weak) for weak in _WEAK)


@lru_cache(maxsize=50_000)
def _mistyped(typed: str, word: str) -> bool:
    """Whether it is a letter off, or of a long word two."""
    if min(len(typed), len(word)) < _LEAST_NEAR:
        return False
    if len(typed) == _LEAST_NEAR and typed[0] != word[0]:
        return False  # short words differ in one letter and mean another thing
    most = 2 if len(typed) >= _LONG else 1
    if abs(len(typed) - len(word)) > most:  # as most words of all are
        return False
    return len(set(typed) ^ set(word)) <= 2 * most and _apart(typed, word) <= most


def _apart(one: str, other: str) -> int:
    """Letters added, lost, changed or swapped with the next between two words, at most 3."""
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

    of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def read_alike(text: str) -> Alike:
    """Lines of words that mean about the same; # begins a remark."""
    of = dict[str, tuple[str, ...]]()  # in one order, so that equals come as they did before
    for line in text.splitlines():
        stems = [stem(word) for word in plain_words(line) if not line.startswith("#")]
        of |= {each: tuple(dict.fromkeys((*of.get(each, ()), *stems))) for each in stems}
    return Alike(of)
