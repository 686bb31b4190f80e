"""A language that marks what it says, and how English is known among what another one says."""

import gettext
import re

# Four words of small letters in a row, with no sign of a formula, a path or a command among them.
SENTENCE = re.compile(r"(?<![\w=./-])(?:[A-Za-z][a-z’']+ ){3,}[a-z]{2,}(?![\w=/])")
# A work by its people and year: they, and a title in quotes, stand in every language as they are.
CITED = re.compile(
    r"(?:(?:[A-Z][\w’-]+|de|et al\.|&|and),? )+\(?(?:1[6789]|20)\d\d\b\)?(?:, “[^”]*”)?"
)


def english(text: str) -> bool:
    """Whether a sentence of English is in a text, but for what is cited."""
    return bool(SENTENCE.search(CITED.sub("", text)))


class Marked(gettext.NullTranslations):
    def info(self) -> dict[str, str]:
        return {"language": "marked"}

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(super().ngettext(msgid1, msgid2, n))
