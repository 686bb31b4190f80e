"""Text in the language of the person: every visible text passes through `tr` when it is shown."""

import gettext
import os

from dpstudio.files.assets import asset
from dpstudio.values.messages import Message, render


class _Language:
    """The catalogue in force; English where none is installed
    (assets/translations/LANGUAGE/LC_MESSAGES/dpstudio.mo)."""

    def __init__(self) -> None:
        wanted = (
            os.environ.get("LANGUAGE") or os.environ.get("LC_ALL") or os.environ.get("LANG") or "en"
        )
        self.catalogue: gettext.NullTranslations = gettext.translation(
            "dpstudio",
            str(asset("translations")),
            languages=[w.split(".")[0] for w in wanted.split(":")],
            fallback=True,
        )


_language = _Language()


def tr(message: str, many: str = "", n: int = 1, /) -> str:
    """The message in the person's language; with `many`, its plural, the form for `n`."""
    if many:
        return _language.catalogue.ngettext(message, many, n)
    # gettext answers "" with the head of the catalogue.
    return _language.catalogue.gettext(message) if message else ""


def shown(message: Message | str) -> str:
    """A message with values, in the person's language."""
    return render(message, tr)


def language() -> str:
    """The tag of the language in force, such as en."""
    return _language.catalogue.info().get("language", "en").replace("_", "-")


def use(catalogue: gettext.NullTranslations) -> None:
    """Take another catalogue; the tests use one that marks every message."""
    _language.catalogue = catalogue
