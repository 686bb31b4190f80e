"""How well typed words fit a name. By meaning first: what is called exactly so, then what is meant
by it, then what begins so, and only then what merely holds these letters."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import dropwhile, pairwise

from dpstudio.files.language import ENGLISH

# The ranks, the best first: wholly the name, or wholly what is meant by it; its words; and so on.
# Equals are told apart by their kind, then by whether it is the name itself.
WHOLE, WORDS, BEGINS, MEANT_BEGINS, HOLDS, SAID, NEAR, NOT = 7, 6, 5, 4, 3, 2, 1, 0
BENT, MANY = 0.9, 0.99  # of what is wholly so but for how its words end, or one and many
# Words of a question that name nothing.
_IDLE = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be been can could did do does for from get give had has have how i "
        "if in into is it its let like make may me my need non of on or our please should so tell "
        "than that the them then there these they this those to us versus vs want was we were "
        "what when where which with who why will would you your somebody someone anybody else",
    )
)
# Words of which nearly everything has one: alone they do not name anything either.
_BROAD = frozenset(("all", "data", "everything", "page", "program", "software", "table", "thing"))
_ASKING = re.compile(
    "怎么样|怎么办|怎么|怎样|如何|为什么要|为什么|为何|是什么意思|什么意思|是什么|什么是|什么叫|"
    "在哪里|哪里|哪儿|能不能|能否|可不可以|可以|我想|我要|我的|请|吗|呢|么|的"
)
# With what a question begins that asks for what follows.
_LEAD = frozenset(
    re.findall(
        r"\w+",
        "a an are can could do does find how i is me need one please s see should show tell the "
        "there to want we what where would you",
    )
)
_ENDS = re.compile(
    r"(?:(?<=\w{4})(?:i[sz](?:ations?|ing|ed|es?|ers?)|ations?|it(?:y|ies)|ments?|ness|ous|ally)|"
    r"(?<=\w{5})[eo]rs?|(?<=\w{3})(?:ings?|ions?|es|ed|ly|s|e))$"
)
_MEANS = re.compile(r"^\W*what (?:do|does|did) (.+?) (?:mean|means|stand for)\W*$")
_DEFINES = re.compile(
    r"\b(?:what(?:’s|'s| is| are| do .* mean| does .* mean)|defin|difference|formula|meaning|proof)"
)

# How a question begins or ends, or what it has in it in Chinese: who asks how wants to be told.
_QUESTION = re.compile(
    r"^\W*(?:how|why|what|whats|where|when|which|who|whom|whose|can|could|do i|does|did|is|are|am|"
    r"should|shall|may|will|must)\b|\bhow (?:to|do|does|can)\b|[?？]\s*$|"
    "怎么|怎样|如何|为什么|为何|什么|哪|吗|能不能|能否|可以|是否"
)


@dataclass(frozen=True)
class Named:
    """What is looked for by its `name`. `beside` are words that may stand with it, `meant` what
    else people type for it, `said` a text about it, `told` a long one that counts least."""

    name: str
    beside: str = ""
    meant: tuple[str, ...] = ()
    said: str = ""
    told: str = ""
    own: bool = True  # a name that nothing else has: not an option's, and no word of the field

    @cached_property
    def letters(self) -> str:
        """All of its words: what is not in here does not fit at all."""
        texts = self.name, self.beside, *self.meant, self.said
        return " ".join(word for text in texts for word in plain_words(text))

    @cached_property
    def phrases(self) -> dict[str, tuple[str, ...]]:
        """What it is called and what is meant by it, each by the words that name something."""
        return {each: _joined(asked(each)) for each in (self.name, *self.meant)}

    @cached_property
    def words(self) -> frozenset[str]:
        """Each of its words."""
        called = frozenset().union(*self.phrases.values())
        return called | frozenset(self.letters.split()) | frozenset(plain_words(self.told))

    @cached_property
    def called(self) -> dict[str, tuple[str, ...]]:
        """The words of its name, by "", and of all that is meant by it."""
        return {"": plain_words(self.name), **{each: plain_words(each) for each in self.meant}}

    @cached_property
    def bare(self) -> frozenset[tuple[str, ...]]:
        """What it is called, without what bends it."""
        return frozenset(map(_bare, self.called.values()))

    @cached_property
    def spaced(self) -> dict[str, str]:
        """The words of what is meant by it, each behind a space."""
        return {each: _spaced(of) for each, of in self.called.items() if each}

    @cached_property
    def put(self) -> dict[tuple[str, ...], str]:
        """What is meant by it, by the words that are looked for."""
        return {asked(each): each for each in reversed(self.meant)}

    @cached_property
    def around(self) -> str:
        """The words of its name and those that may stand with it, each behind a space."""
        return _spaced((*self.called[""], *plain_words(self.beside)))

    @cached_property
    def text(self) -> str:
        """The words of what is said of it, each behind a space."""
        return _spaced(plain_words(self.said))


@dataclass(frozen=True)
class Fit:
    """A rank, and what was meant or said where the name itself does not show it."""

    rank: int
    why: str = ""
    share: float = 0.0  # of what was typed, where it is only near


@lru_cache(maxsize=40_000)
def plain_words(text: str) -> tuple[str, ...]:
    """The words of a text as they are compared: without case, accents and marks. "4.7" is one word,
    and "11,424" the same as "11424"."""
    letters = text.casefold()
    if not letters.isascii():  # what is has no marks, and is most of it
        apart = unicodedata.normalize("NFKD", letters)
        letters = "".join(letter for letter in apart if not unicodedata.combining(letter))
    letters = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", letters)
    return tuple(re.findall(r"\d+(?:\.\d+)+|[^\W_]+′*", letters))


@lru_cache(maxsize=40_000)
def asked(typed: str) -> tuple[str, ...]:
    """The words that are looked for: all that were typed, but for those of any question, unless
    what is left would name nothing."""
    means = _MEANS.match(typed.casefold())  # “what does k mean” is about k, and no mean
    typed = means[1] if means else typed
    words = plain_words(typed) if typed.isascii() else _without_asking(plain_words(typed))
    named = tuple(word for word in words if word not in _IDLE)
    return words if len(words) > 2 and _BROAD.issuperset(named) else named or words


def _without_asking(words: tuple[str, ...]) -> tuple[str, ...]:
    """Without the words of any question that Chinese writes on without a space."""
    left = [part for word in words for part in _ASKING.split(word) if part]
    return tuple(left) or words


@lru_cache(maxsize=40_000)
def stem(word: str) -> str:
    """A word without what bends it, and as Americans spell it."""
    word = re.sub(r"(?<=\w{2})our(?=s|ed|ing|$)", "or", word)
    word = re.sub(r"ll(?=ed|ing)", "l", re.sub(r"(?<=\w{3})tre(?=s?$)", "ter", word))
    bare = re.sub(_ENDS, "", re.sub(r"(?<=\w{2})ies$", "y", word))
    return bare if bare == word else re.sub(r"(?<=\w{2})([bdgmnprt])\1$", r"\1", bare)  # planned


@lru_cache(maxsize=40_000)
def _bare(words: tuple[str, ...]) -> tuple[str, ...]:
    """Words without what bends them."""
    return tuple(map(stem, words))


@lru_cache(maxsize=100)
def _put(typed: str) -> frozenset[tuple[str, ...]]:
    """What is looked for, as it is typed, without how a question begins, and without all that names
    nothing."""
    whole = plain_words(typed)
    begun = tuple(dropwhile(_LEAD.__contains__, whole))
    return frozenset(map(_bare, filter(None, (whole, begun, _ended(whole), asked(typed)))))


def _ended(whole: tuple[str, ...]) -> tuple[str, ...]:
    """Without what a question ends with: “which epsilon” of “which epsilon do I need”."""
    return tuple(dropwhile(_IDLE.__contains__, whole[::-1]))[::-1]


def _joined(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words, and what two make in one: “hand out” is typed “handout”, too."""
    return (*words, *(one + other for one, other in pairwise(words) if len(one + other) > 5))


def asks_meaning(typed: str) -> bool:
    """Whether it asks what something is, rather than where."""
    return bool(_DEFINES.search(typed.casefold()))


def is_foreign(typed: str, language: str) -> bool:
    """Whether it is typed in the other language than that of the window."""
    han = bool(re.search("[\u3400-\u9fff]", typed))
    return han if language == ENGLISH else not han and bool(re.search("[a-z]{2}", typed.casefold()))


def is_question(typed: str) -> bool:
    """Whether it asks for an answer, rather than names what is wanted."""
    return bool(_QUESTION.search(typed.casefold()))


def fit(typed: str, one: Named) -> Fit:
    """How well what is typed fits."""
    words = asked(typed)
    if not words or not all(stem(word) in one.letters for word in words):
        return Fit(NOT)
    whole, name, put = plain_words(typed), one.called[""], _put(typed)
    if not put.isdisjoint(one.bare):  # also what is asked as any question is, if just so
        wholly = (
            Fit(WHOLE + (of == whole != words), why, _straight(of, whole, _ended(whole), words))
            for why, of in one.called.items()
            if _bare(of) in put
        )
        return max(wholly, key=lambda each: (each.rank, each.share))
    if len(words) > 1 and words in one.put:
        return Fit(WHOLE, one.put[words], BENT)
    if all(word in name for word in words):
        return Fit(WORDS)
    named = _spaced(name)
    if _begin(words, named) or (_any(words, name) and all(f" {w} " in one.around for w in words)):
        return Fit(BEGINS)
    begun = {each: _led(words, asked(each)) for each, of in one.spaced.items() if _begin(words, of)}
    if begun:
        each = max(begun, key=begun.__getitem__)
        return Fit(MEANT_BEGINS, each, begun[each])
    if len(whole) > 2 and " ".join(whole) in one.text:
        return Fit(HOLDS, one.said)
    return _less(words, one, named)


def _straight(of: tuple[str, ...], *typed: tuple[str, ...]) -> float:
    """How much a name that is wholly typed counts: less where its words end in another way."""
    if of in typed:
        return 1.0
    one = [word.rstrip("s") for word in of]
    return MANY if any(one == [word.rstrip("s") for word in each] for each in typed) else BENT


def _less(words: tuple[str, ...], one: Named, named: str) -> Fit:
    """What is left where neither the name nor anything meant begins so."""
    if _begin(words, one.around) and any(f" {word}" in named for word in words):
        return Fit(HOLDS)
    if len("".join(words)) > 2 and " ".join(words) in named:
        return Fit(HOLDS)
    if one.said and _begin(words, one.around + one.text):
        return Fit(SAID, one.said)
    return Fit(NOT)


def _spaced(words: tuple[str, ...]) -> str:
    """Words with a space before and behind each."""
    return f" {' '.join(words)} "


def _any(words: Iterable[str], name: tuple[str, ...]) -> bool:
    return any(word in name for word in words)


def _begin(words: tuple[str, ...], spaced: str) -> bool:
    """Whether each word begins one of those."""
    for word in words:  # noqa: SIM110 - a loop takes half the time, and each key asks thousands
        if f" {word}" not in spaced:
            return False
    return True


def _led(words: tuple[str, ...], of: tuple[str, ...]) -> float:
    """How much of a phrase was typed, and whether it begins so."""
    return len(words) / len(of) + of[0].startswith(words[0])


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
