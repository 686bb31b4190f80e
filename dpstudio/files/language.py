"""The languages that the program speaks: what translators wrote, read when a language is chosen."""

import gettext
import re
from functools import lru_cache

from dpstudio.files.assets import asset

# An entry of a PO file as Babel writes it: an id, its plural, and the text or its forms.
_STRINGS = r'(?:".*"\n)+'
_ENTRY = re.compile(
    rf"^msgid ({_STRINGS})(?:msgid_plural {_STRINGS})?((?:msgstr(?:\[\d\])? {_STRINGS})+)", re.M
)
_FORM = re.compile(rf"msgstr(?:\[\d\])? ({_STRINGS})")
_JOINT = re.compile(r'^"|"\n"|"\n$')
_ESCAPED = re.compile(r"\\(.)")
_PLURALS = re.compile(r"Plural-Forms:.*plural=(.*?);")


def entries(text: str) -> dict[str, tuple[str, ...]]:
    """The forms of each message of a PO file that has a text for it, by its id."""
    found = {
        _string(said[1]): tuple(_string(form) for form in _FORM.findall(said[2]))
        for said in _ENTRY.finditer(text)
    }
    return {each: forms for each, forms in found.items() if any(forms)}


def _string(quoted: str) -> str:
    text = _JOINT.sub("", quoted)
    return _ESCAPED.sub(lambda m: "\n" if m[1] == "n" else m[1], text) if "\\" in text else text


class Written(gettext.NullTranslations):
    """A language: the PO files of its folder below assets/translations. What nobody has translated
    is English."""

    def __init__(self, tag: str) -> None:
        super().__init__()
        self.tag = tag
        self._said = dict[str, tuple[str, ...]]()
        for path in sorted(asset("translations", tag).glob("*.po")):
            self._said |= entries(path.read_text(encoding="utf-8"))
        head = self._said.pop("", ("",))[0]
        plural = _PLURALS.search(head)
        self._form = gettext.c2py(plural[1]) if plural else (lambda n: int(n != 1))

    def info(self) -> dict[str, str]:
        """Its tag."""
        return {"language": self.tag}

    def gettext(self, message: str) -> str:
        """The text of a message."""
        return self._said.get(message, (message,))[0]

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Its form for n."""
        forms = self._said.get(msgid1)
        return forms[self._form(n)] if forms else msgid2 if n != 1 else msgid1


@lru_cache(maxsize=2)
def written(tag: str) -> Written:
    """The language of that tag, such as zh_CN."""
    return Written(tag)
