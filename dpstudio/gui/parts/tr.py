"""Text in the language of the person: every visible text passes through `tr` when it is shown.
What was said is remembered, so that what stands on the screen can be said in another language."""

from collections.abc import Callable
from typing import ClassVar

from dpstudio.files import language as spoken
from dpstudio.values.messages import Message, render

_SENTENCES = 10_000


class _Said:
    """What was said, by its text: of ids all, of sentences with values the last, in two halves of
    which the older one goes."""

    ids: ClassVar[dict[str, tuple[str, str, int]]] = {}
    new: ClassVar[dict[str, Message]] = {}
    old: ClassVar[dict[str, Message]] = {}


def tr(message: str, many: str = "", n: int = 1, /) -> str:
    """The message in the person's language; with `many`, its plural, the form for `n`."""
    text = spoken.tr(message, many, n)
    _Said.ids[text] = message, many, n
    return text


def shown(message: Message | str) -> str:
    """A message with values, in the person's language."""
    if isinstance(message, str):
        return tr(message)
    text = render(message, tr)
    if message.values and message.text != "{}":  # data is the same in every language
        if len(_Said.new) >= _SENTENCES:
            _Said.old, _Said.new = _Said.new, {}
        _Said.new[text] = message
    return text


def language() -> str:
    """The tag of the language in force as the web writes it, such as en or zh-CN."""
    return spoken.spoken().replace("_", "-")


Again = Callable[[str], str]  # what says a text that was said before in the language in force


def remembered() -> Again:
    """What says a text that was said before in the language that is in force when it is asked;
    other texts, such as names, stay as they are."""
    ids, sentences = dict(_Said.ids), {**_Said.old, **_Said.new}

    def again(text: str) -> str:
        if text in sentences:
            return shown(sentences[text])
        return tr(*ids[text]) if text in ids else text

    return again
