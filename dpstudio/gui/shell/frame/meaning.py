"""How near things are by what words mean: each word is a vector, and words of like meaning lie near
one another. Of a thing each word that is typed counts by the word of it that is nearest."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dpstudio.files.assets import asset
from dpstudio.gui.shell.frame.ranking import Named, asked, plain_words

Floats = npt.NDArray[np.float32]
APART, NEAREST = 0.35, 0.8  # the cosine from which on words are alike, and what the same count
COMMON = 1e-3  # a word that makes up so much of a text counts half as much
VOTED = 0.4  # from how near on a phrase speaks for its thing
# What each tells for a thing: `tests/word_vectors.py` says of what these were learnt, but for the
# first, which was 3.3. The last three are of words told at length, said and beside.
LEXICAL, PHRASE, COVERED, VOTES = 6.0, 0.63, 1.79, 1.79
FIELDS = (1.05, 0.84, 0.55)


@dataclass(frozen=True)
class Vectors:
    """A vector of length 1 for each of many words, the words by how often they are written."""

    words: Mapping[str, int]
    of: npt.NDArray[np.int8]

    def at(self, words: Sequence[str]) -> Floats:
        """One row a word; of one that is not known nothing but 0."""
        rows = np.array([self.words.get(word, -1) for word in words], int)
        found = self.of[rows].astype(np.float32)
        long = np.linalg.norm(found, axis=1, keepdims=True)
        return np.where(rows[:, None] < 0, np.float32(0), found / np.maximum(long, 1e-9))

    def rare(self, word: str) -> float:
        """What a word counts by how rarely it is written, by the law of Zipf."""
        place = self.words.get(word)
        often = 1e-7 if place is None else 1 / (12 * (place + 2.7))
        return COMMON / (COMMON + often)


@lru_cache(maxsize=1)
def vectors() -> Vectors:
    """Those of the program."""
    with np.load(asset("find", "words.npz")) as kept:
        words = kept["words"].tobytes().decode().split(" ")
        return Vectors({word: i for i, word in enumerate(words)}, kept["vectors"])


class Meaning:
    """Over all that is `known`; `rareness` of words is how few of these have one."""

    def __init__(self, known: Sequence[Named], words: Iterable[str], rareness: Iterable[float]):
        self.words = {word: i for i, word in enumerate(words)}
        self.vectors = vectors()
        self.matrix = self.vectors.at(list(self.words))
        rare = np.array([self.vectors.rare(word) for word in self.words])
        self.weight = (np.sqrt(np.fromiter(rareness, float)) * rare).astype(np.float32)
        self.size = len(known)
        phrases = [
            (i, tuple(map(self.words.__getitem__, asked(each))))
            for i, one in enumerate(known)
            for each in one.phrases
            if asked(each)
        ]
        self.phrase = _Runs([words for _, words in phrases])
        self.own = np.array([i for i, _ in phrases])
        self.mine, self.first = np.unique(self.own, return_index=True)
        self.texts = [[each for each in one.phrases if asked(each)] for one in known]
        self.whole = np.add.reduceat(self.weight[self.phrase.flat], self.phrase.start)
        self.fields = [
            _Runs([tuple(self.words[word] for word in dict.fromkeys(plain_words(text)))
                   for text in texts])
            for texts in (
                [one.told for one in known],
                [one.said for one in known],
                [one.beside for one in known],
            )
        ]  # fmt: skip

    def near(self, typed: Mapping[str, Mapping[str, float]], weight: Mapping[str, float]) -> Floats:
        """How near each is to what is `typed`: the words, each with those that are near by their
        letters; and what each of them weighs."""
        close = np.zeros((len(typed), len(self.words)), np.float32)
        for row, (word, letters) in zip(close, typed.items(), strict=True):
            cosine = self.matrix @ self.vectors.at([word])[0]
            row[:] = NEAREST * np.clip((cosine - APART) / (1 - APART), 0, 1)
            for other, share in letters.items():
                row[self.words[other]] = max(row[self.words[other]], share)
        weigh = np.array([weight[word] for word in typed]) * list(map(self.vectors.rare, typed))
        weigh = (weigh / weigh.sum()).astype(np.float32)
        score = np.zeros(self.size, np.float32)
        score[self.mine] = self._phrases(close, weigh)
        for worth, runs in zip(FIELDS, self.fields, strict=True):
            if len(runs.flat):
                score[runs.who] += worth * (weigh @ runs.most(close))
        return score

    def _phrases(self, close: Floats, weigh: Floats) -> Floats:
        most = self.phrase.most(close)
        asked_for = weigh @ most
        told = close.max(axis=0)[self.phrase.flat] * self.weight[self.phrase.flat]
        both = np.add.reduceat(told, self.phrase.start) / self.whole
        fit = 2 * asked_for * both / (asked_for + both + 1e-9)
        best = np.maximum.reduceat(fit, self.first)
        covered = weigh @ np.maximum.reduceat(most, self.first, axis=1)
        votes = np.log1p(np.add.reduceat(3 * np.clip(fit - VOTED, 0, 1), self.first))
        return np.asarray(PHRASE * best + COVERED * covered + VOTES * votes, np.float32)


class _Runs:
    """Lists of words one after another; `who` says whose they are, for none is empty."""

    def __init__(self, lists: Sequence[tuple[int, ...]]):
        self.who = np.array([i for i, words in enumerate(lists) if words], int)
        self.flat = np.array([word for words in lists for word in words], int)
        long = np.array([len(words) for words in lists if words], int)
        self.start = np.cumsum(long) - long

    def most(self, close: Floats) -> Floats:
        """Of each list and each word that is typed how near the nearest is."""
        return np.asarray(np.maximum.reduceat(close[:, self.flat], self.start, axis=1))
