"""A language that marks what it says, and how English is known among what another one says."""

import gettext
import re

# Four words of small letters in a row, with no sign of a formula, a path or a command among them.
SENTENCE = re.compile(r"(?<![\w=./-])(?:[A-Za-z][a-z’']+ ){3,}[a-z]{2,}(?![\w=/])")


class Marked(gettext.NullTranslations):
    def info(self) -> dict[str, str]:
        return {"language": "marked"}

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(super().ngettext(msgid1, msgid2, n))
