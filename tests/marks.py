"""A language that marks what it says."""

import gettext


class Marked(gettext.NullTranslations):
    def info(self) -> dict[str, str]:
        return {"language": "marked"}

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(super().ngettext(msgid1, msgid2, n))
