"""Numbers and sentences for people: message ids with values, rounded honestly, translated only when
shown."""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

from dpstudio.values.plurals import counted, forms

_FLOATS = -690.0  # ln of about what floats hold with all their digits
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Translate(Protocol):
    """A language: the text of a message id. With `many` the id is that of 1 and `many` its plural;
    it is the text for `n` then, as in gettext."""

    def __call__(self, message: str, many: str = "", n: int = 1, /) -> str: ...


def N_(message: str) -> str:
    """Mark a message id for the translators' extractor; it is translated when it is shown."""
    return message


_PERCENT = N_("{x} %")


def unchanged(message: str, many: str = "", n: int = 1, /) -> str:
    """The translation that does nothing: source English."""
    return many if many and n != 1 else message


@dataclass(frozen=True)
class Num:
    """A number with the way it is to be shown. `rounding` is "near", "up" (upper bounds) or "down"
    (lower bounds); a share in percent is `bare` where the message says its unit."""

    value: float
    digits: int = 3
    rounding: str = "near"
    sign: bool = False
    percent: bool = False
    bare: bool = False

    def __str__(self) -> str:
        text = number(self.value, self.digits, self.rounding, sign=self.sign, percent=self.percent)
        return text.removesuffix(" %") if self.bare else text


@dataclass(frozen=True)
class Message:
    """A message id and the values of its named fields; `render` makes the text. How its words go
    with a number stands in plurals.py."""

    text: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.text, tuple(sorted((k, str(v)) for k, v in self.values.items()))))


def say(text: str, **values: Any) -> Message:
    """A message: `text` is its id, with {fields} that `values` fill in when it is rendered."""
    return Message(text, values)


def plain(text: object) -> Message:
    """Text that is data (a column name, a category) and so is never translated."""
    return Message("{}", {"": str(text)})


class Worded(str):
    """A message where a chart takes a text, as a mark of an axis: English until it is shown."""

    message: Message


def worded(message: Message | str) -> Worded:
    """The same, of a message."""
    text = Worded(render(message))
    text.message = message if isinstance(message, Message) else Message(message)
    return text


def in_turn(parts: Iterable[Message]) -> Message:
    """Sentences one after the other, as the language joins them."""
    first, *left = (*parts,) or (Message(""),)
    for part in left:
        first = say("{told} {more}", told=first, more=part)
    return first


def with_name(name: Message | str, told: Message | str, note: Message | str = "") -> Message:
    """“name: what is told (note)”, with the marks of the language."""
    return say("{name}: {told}", name=name, told=noted(told, note))


def noted(told: Message | str, note: Message | str) -> Message:
    """“What is told (note)”, with the marks of the language; or that alone."""
    if note and render(note):
        return say("{told} ({note})", told=told, note=note)
    return told if isinstance(told, Message) else plain(told)


def joint(translate: Translate = unchanged) -> str:
    """What stands between two sentences."""
    return translate("{told} {more}").format(told="", more="")


def ended(phrase: str, translate: Translate = unchanged) -> str:
    """A phrase with a full stop, where it has no end of its own."""
    whole = phrase.endswith((".", "!", "?", "。", "！", "？"))
    return phrase if whole else translate(N_("{what}.")).format(what=phrase)


class Cited(Message):
    """Where a formula is from, as data; `cited` says it."""


def of_source(source: str) -> Message:
    """Where a formula is from, as a message."""
    return Cited("{}", {"": source})


def cited(source: str, translate: Translate = unchanged) -> str:
    """Where a formula is from: people and titles stay in every language; the place in a work, each
    part in words of ours, and the name before what is cited for it, are said in the language."""
    told = translate(source) if source else ""
    if told != source or translate is unchanged:
        return told
    first, *left = (_cited(part, translate) for part in source.split("; "))
    for part in left:
        first = translate("{one}; {other}").format(one=first, other=part)
    return first


def _cited(part: str, translate: Translate) -> str:
    if (text := translate(part)) != part:
        return text
    name, _, work = part.partition(": ")
    if work and translate(name) != name:
        told = _placed(work, translate)
        return translate("{name}: {told}").format(name=translate(name), told=told)
    return _placed(part, translate)


# A place in a work, and several.
_PLACES = (
    *(N_("Theorem {n}"), N_("Lemma {n}"), N_("Proposition {n}"), N_("Propositions {n}")),
    *(N_("Corollary {n}"), N_("Corollaries {n}"), N_("Claim {n}"), N_("Definition {n}")),
    *(N_("Algorithm {n}"), N_("section {n}"), N_("chapter {n}"), N_("figure {n}")),
)
_COUNT = r"[\dIVX]+(?:[.-][\dA-Z]+)*"
_KINDS = "|".join(text.removesuffix(" {n}") for text in _PLACES)
_PLACE = rf"(?:{_KINDS}) {_COUNT}(?:, {_COUNT})*(?: and {_COUNT})?"
_WORK = re.compile(rf"(.*?), ({_PLACE}(?: and {_PLACE})?)(?: \((.*)\))?")


def _placed(work: str, translate: Translate) -> str:
    """What is cited, with its place in the words of the language."""
    found = _WORK.fullmatch(work)
    if found is None:
        return work
    places = [_place(one[0], translate) for one in re.finditer(_PLACE, found[2])]
    place = _both(places, translate)
    told = translate(N_("{work}, {place}")).format(work=found[1], place=place)
    return render(noted(plain(told), plain(found[3] or "")), translate)


def _place(place: str, translate: Translate) -> str:
    kind, _, counts = place.partition(" ")
    *first, last = re.findall(_COUNT, counts)
    listed_ = render(listed(first), translate)
    n = _both([listed_, last] if first else [last], translate)
    return translate(f"{kind} {{n}}").format(n=n)


def _both(told: list[str], translate: Translate) -> str:
    first, *left = told
    return translate("{one} and {other}").format(one=first, other=left[0]) if left else first


def enumerated(names: Iterable[Message]) -> Message:
    """“A, B, C”, with the marks of the language."""
    first, *left = (*names,) or (Message(""),)
    for name in left:
        first = say("{names}, {name}", names=first, name=name)
    return first


def listed(names: Iterable[object]) -> Message:
    """The same of names that are data, or what people type."""
    return enumerated(map(plain, names))


def named(name: str) -> Message:
    """A name that is ours, as of an example, or else data: translated where we know it."""
    return Message(name.replace("{", "{{").replace("}", "}}"))


# Why a system refuses, as it says it.
_OF_SYSTEM = (
    N_("No such file or directory"),
    N_("Permission denied"),
    N_("Is a directory"),
    N_("Not a directory"),
    N_("Directory not empty"),
    N_("File exists"),
    N_("File name too long"),
    N_("Too many levels of symbolic links"),
    N_("Too many open files"),
    N_("No space left on device"),
    N_("Disk quota exceeded"),
    N_("Read-only file system"),
    N_("Input/output error"),
    N_("Operation not permitted"),
    N_("Device or resource busy"),
    N_("Cannot assign requested address"),
    N_("Address already in use"),
    N_("Name or service not known"),
    N_("Connection refused"),
    N_("embedded null byte"),
)


def because(error: Exception) -> Message:
    """Why something could not be done, as the system says it, or else a library."""
    why = getattr(error, "strerror", None) or str(error)
    known = isinstance(error, OSError) or why in _OF_SYSTEM
    return named(why) if known else of_library(error)


def of_library(error: object) -> Message:
    """Why a library refuses, in its own words and so in quotes: the first line."""
    why = str(error).strip().split("\n")[0].rstrip(".")
    return plain(f"“{why or type(error).__name__}”")


def render(message: Message | str, translate: Translate = unchanged) -> str:
    """The text of a message in the language of `translate`; nested messages are rendered too."""
    if isinstance(message, Worded):
        message = message.message
    if isinstance(message, str):
        return translate(message) if message else ""
    if message.text == "{}":
        told = str(message.values[""])
        return cited(told, translate) if isinstance(message, Cited) else told
    text = message.text
    if not message.values:
        return translate(text).format() if text else ""
    shown = {
        k: render(v, translate) if isinstance(v, Message | Worded) else _plain(v, translate)
        for k, v in message.values.items()
    }
    if "|" not in text:
        return translate(text).format(**shown)
    said = forms(text)
    n = counted(shown[said.decides]) if said.decides else 1
    for name, one, many in said.phrases:
        number_ = shown[name]
        shown[name] = translate(one, many, counted(number_)).format(n=number_)
    text = translate(said.one, said.many, n) if said.decides else translate(said.one)
    return text.format(**shown)


def _plain(value: Any, translate: Translate) -> str:
    text = str(value)
    if isinstance(value, Num) and value.percent and not value.bare and translate is not unchanged:
        return translate(_PERCENT).format(x=text.removesuffix(" %"))
    return text


class SentenceError(Exception):
    """What cannot be done; `sentence` says why, and what to do."""

    def __init__(self, sentence: Message):
        self.sentence = sentence
        super().__init__(render(sentence))


def raw(value: Any) -> Any:
    """The unrounded value behind a message field, as JSON can hold it (None where no finite number
    exists)."""
    if isinstance(value, Num):
        value = value.value
    if isinstance(value, Message):
        return render(value)
    if isinstance(value, bool | str | int) or value is None:
        return value
    number_ = float(value)
    return number_ if math.isfinite(number_) else None


@lru_cache(maxsize=512)  # finer findings say most numbers again
def number(
    value: float,
    digits: int = 3,
    rounding: str = "near",
    *,
    sign: bool = False,
    percent: bool = False,
) -> str:
    """A number as people read it: grouped thousands, `digits` significant places, powers of ten at
    the extremes.

    Integers below 10^7, or of no more than `digits` digits, are shown whole. With rounding "up" the
    text is never below the value, with "down" never above.
    """
    value = float(value)  # numpy's floats round in another way than Python's
    if percent:
        return number(value * 100, digits, rounding, sign=sign) + " %"
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    lead = "−" if value < 0 else "+" if sign and value > 0 else ""
    size = abs(value)
    outward = rounding if value >= 0 else {"up": "down", "down": "up"}.get(rounding, "near")
    return lead + _magnitude(size, digits, outward)


def by_log(log_value: float, digits: int = 3, rounding: str = "near") -> Num | Message:
    """A number > 0 by its natural logarithm: as a power of ten, rounded its way, where floats would
    make it 0."""
    if log_value > _FLOATS or log_value == -math.inf:
        return Num(math.exp(log_value), digits, rounding)
    way = {"up": math.ceil, "down": math.floor}.get(rounding, round)
    power = way(log_value / math.log(10))
    return say("10{power}", power=str(power).translate(_SUPERSCRIPT))


def _magnitude(size: float, digits: int, rounding: str) -> str:
    if size == 0:
        return "0"
    if size < max(1e7, 10.0 ** min(digits, 15)) and size == int(size):
        return f"{int(size):,}"
    power = math.floor(math.log10(size))
    if -4 <= power < max(7, digits):
        places = max(0, digits - 1 - power)
        shown = _rounded(size, places, rounding)
        text = f"{shown:,.{places}f}"
        # Zeros at the end say that a value was rounded there; where it is exact they say nothing.
        exact = abs(shown - size) <= 1e-12 * size
        return text.rstrip("0").rstrip(".") if "." in text and exact else text
    head = (
        _rounded(size / 10.0**power, digits - 1, rounding)
        if power > -300
        else _rounded(size * 1e300 / 10.0 ** (power + 300), digits - 1, rounding)
    )
    if head >= 10:
        head, power = head / 10, power + 1
    exponent = "10" + str(power).translate(_SUPERSCRIPT)
    text = f"{head:.{digits - 1}f}".rstrip("0").rstrip(".")
    return exponent if text == "1" else f"{text}·{exponent}"


def safely(value: float, digits: int = 4, rounding: str = "near") -> float:
    """`value` to so many significant digits, never below it with rounding "up", never above it with
    "down"."""
    value = float(value)
    if not value or not math.isfinite(value):
        return value
    step = 10.0 ** (math.floor(math.log10(abs(value))) - digits + 1)
    steps = value / step
    # A float that is a whole step up to its own rounding error stays where it is.
    near = float(round(steps))
    if rounding == "up" and near < steps - 1e-9:
        near += 1
    if rounding == "down" and near > steps + 1e-9:
        near -= 1
    return float(f"{near * step:.12g}")


def _rounded(size: float, places: int, rounding: str) -> float:
    near = round(size, places)
    step = 10.0**-places
    # A float that is a whole step up to its own rounding error stays where it is.
    if rounding == "up" and near < size * (1 - 1e-12):
        return round(near + step, places)
    if rounding == "down" and near > size * (1 + 1e-12):
        return round(near - step, places)
    return near
