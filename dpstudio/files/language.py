"""The languages that the program speaks: what translators wrote, read when a language is chosen."""

import gettext
import re
from collections.abc import Mapping
from functools import lru_cache

from dpstudio.files.assets import asset
from dpstudio.values.messages import Message, Translate, render, unchanged

ENGLISH, CHINESE = "en", "zh_CN"
LANGUAGES = {ENGLISH: "English", CHINESE: "简体中文"}  # each as it calls itself

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

    @property
    def held(self) -> Mapping[str, tuple[str, ...]]:
        """All forms of each message."""
        return self._said

    def gettext(self, message: str) -> str:
        """The text of a message."""
        return self._said.get(message, (message,))[0]

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Its form for n."""
        forms = self._said.get(msgid1)
        return forms[self._form(n)] if forms else msgid2 if n != 1 else msgid1


@lru_cache(maxsize=2)
def written(tag: str) -> gettext.NullTranslations:
    """The language of that tag."""
    return gettext.NullTranslations() if tag == ENGLISH else Written(tag)


def texts(tag: str) -> Mapping[str, str]:
    """What is said in that language for each message, but for plurals."""
    catalogue = written(tag)
    held = catalogue.held if isinstance(catalogue, Written) else {}
    return {message: forms[0] for message, forms in held.items()}


# What is spoken


class _Spoken:
    """The language in force; the program begins with its own."""

    catalogue: gettext.NullTranslations = written(ENGLISH)
    named = False  # by the person who called, and so for files that programs read as well


def use(catalogue: gettext.NullTranslations, *, named: bool = False) -> None:
    """Speak by another catalogue from now on, which may be `named` by who called the program."""
    _Spoken.catalogue, _Spoken.named = catalogue, named


def is_named() -> bool:
    """Whether who called the program named the language."""
    return _Spoken.named


def spoken() -> str:
    """The tag of the language in force, such as en or zh_CN."""
    return _Spoken.catalogue.info().get("language", ENGLISH)


def tr(message: str, many: str = "", n: int = 1, /) -> str:
    """The message in the person's language; with `many`, its plural, the form for `n`."""
    if many:
        return _Spoken.catalogue.ngettext(message, many, n)
    return _Spoken.catalogue.gettext(message) if message else ""


def shown(message: Message | str) -> str:
    """A message with values, in the person's language."""
    return render(message, tr)


def for_programs() -> Translate:
    """The language of sentences in JSON: English, unless another was named."""
    return tr if _Spoken.named else unchanged


def known(tag: str) -> str:
    """The language that is meant by a tag of a system, such as zh_CN.UTF-8 or zh-Hans; "" where we
    do not speak it."""
    name, *parts = re.split(r"[-_.@]", tag)
    if name in ("en", "C", "POSIX"):
        return ENGLISH
    traditional = {"TW", "HK", "MO", "Hant"} & set(parts)
    return CHINESE if name == "zh" and not traditional else ""


def of_system(environment: Mapping[str, str]) -> str:
    """The language that the environment of a process asks for; "" where it asks for none that we
    speak."""
    named = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    wanted = next((environment[name] for name in named if environment.get(name)), "")
    return next(filter(None, map(known, wanted.split(":"))), "")
