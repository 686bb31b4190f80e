"""The language of the command line."""

import os

from dpstudio.cli import parsing
from dpstudio.files import language
from dpstudio.values.messages import N_, Message, say

_NAME = "--language"


def told_of(error: Exception) -> str:
    """What an error says, in the language of the person; of a parameter, with its name."""
    said = getattr(error, "sentence", None)
    if not isinstance(said, Message):
        return str(error)
    field = getattr(error, "field", "")
    return f"{field}: {language.shown(said)}" if field else language.shown(said)


def speaking(words: list[str]) -> list[str]:
    """Speak the language that is named, else that of the system; the other words."""
    asked, others = "", list(words)
    for at, word in enumerate(words):
        name, given, asked = word.partition("=")
        if name == _NAME:
            others[at : at + 1 + (not given)] = []
            asked = asked if given else words[at + 1] if words[at + 1 :] else ""
            break
    else:
        asked = ""
    system = language.of_system(os.environ) or language.ENGLISH
    language.use(language.written(system))
    if (named := others != words) and asked not in language.LANGUAGES:
        known = ", ".join(language.LANGUAGES)
        text = N_("No language is called “{tag}” here. Known: {known}.")
        raise parsing.UsageError(say(text, tag=asked, known=known))
    language.use(language.written(asked or system), named=named)
    return others
