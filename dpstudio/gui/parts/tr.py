"""Text in the language of the person: every visible text passes through `tr` when it is shown.
It knows what it says, so that what stands on the screen can be said in another language."""

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from dpstudio.files import language as spoken
from dpstudio.values.messages import Cited, Message, render

_SENTENCES = 10_000


class Said(str):
    """A text that knows what it says: two messages may have one text in a language."""

    again: Callable[[], str]  # the same in the language in force


def made(make: Callable[[], str]) -> Said:
    """The text that `make` makes of what is said, and makes again in another language."""
    text = Said(make())
    text.again = partial(made, make)
    return text


def altered(text: str, change: Callable[[str], str]) -> str:
    """A text with other letters, which are changed again in another language."""
    return made(lambda: change(text.again())) if isinstance(text, Said) else change(text)


class _Heard:
    """What was said, for texts that were put together of several: of ids all, of sentences with
    values the last, in two halves of which the older one goes."""

    ids: ClassVar[dict[str, Said]] = {}
    new: ClassVar[dict[str, Said]] = {}
    old: ClassVar[dict[str, Said]] = {}


def tr(message: str, many: str = "", n: int = 1, /) -> str:
    """The message in the person's language; with `many`, its plural, the form for `n`."""
    text = Said(spoken.tr(message, many, n))
    text.again = partial(tr, message, many, n)
    _Heard.ids[text] = text
    return text


def shown(message: Message | str) -> str:
    """A message with values, in the person's language."""
    if isinstance(message, str):
        return tr(message)
    text = Said(render(message, tr))
    text.again = partial(_once_more, message)
    data = message.text == "{}" and not isinstance(message, Cited)
    if message.values and not data:  # which is the same in every language
        if len(_Heard.new) >= _SENTENCES:
            _Heard.old, _Heard.new = _Heard.new, {}
        _Heard.new[text] = text
    return text


def _once_more(message: Message) -> str:
    """A message whose values may be texts that were said before."""
    values = {k: v.again() if isinstance(v, Said) else v for k, v in message.values.items()}
    return shown(Message(message.text, values))


def language() -> str:
    """The tag of the language in force as the web writes it, such as en or zh-CN."""
    return spoken.spoken().replace("_", "-")


Again = Callable[[str], str]  # what says a text that was said before in the language in force


def remembered() -> Again:
    """What says a text that was said before in the language that is in force when it is asked;
    other texts, such as names, stay as they are."""
    heard = {**_Heard.ids, **_Heard.old, **_Heard.new}

    def again(text: str) -> str:
        said = text if isinstance(text, Said) else heard.get(text)
        return text if said is None else said.again()

    return again
