"""Words of many after a 1, where no number of a sentence was given its plural."""

import re
from collections.abc import Iterator

# A number, what may describe it, and what looks like a plural; a range is of many. What stands on
# each side of "and", of a unit and of an equation is no count.
_PLURAL = re.compile(
    r"(?<![\w.,·])(?<!\bto )1 (?:(?!all |of |as |and |the |these |by |from |with )[a-z]+ )?"
    r"(?P<last>people|[a-z]+s)\b"
)
_POINTS = re.compile(r"\b(?:these|those|both) 1 (?!at\b|to\b)[a-z]+", re.IGNORECASE)
_VERB = re.compile(
    r"(?<![=±×] )(?<!and )(?<!of )(?<!height )(?<!count )(?<!in )(?<![\w.,·])1 (?:(?:more|people) |of (?:(?!and|as|they|who)"
    r"[^\s.,;:]+ ){1,4}?)?(?:are|were|have|do)\b"
)
# Verbs that go with one, and what else ends in s. Times are times at 1 too.
_ONE = re.compile(
    r"adds|alarms|as|asks|becomes|begins|bounds|breaks|buys|changes|chooses|class|colludes|comes|"
    r"costs|counts|covers|declares|decides|does|earns|ends|enters|equals|errs|finds|goes|grows|"
    r"happens|has|holds|is|its|keeps|lacks|leads|learns|leaves|less|lets|looks|loses|means|misses|"
    r"moves|ms|names|needs|pays|places|plus|prints|proves|raises|repeats|runs|says|sends|shares|"
    r"shows|speaks|stands|subtracts|takes|teaches|tells|tests|this|times|turns|unpacks|was|wins|yes"
)


def of_many(text: str) -> Iterator[str]:
    """Each "1 rows", "these 1 row" and "1 are" of a text."""
    yield from (m[0] for m in _PLURAL.finditer(text) if not _ONE.fullmatch(m["last"]))
    yield from (m[0] for sort in (_POINTS, _VERB) for m in sort.finditer(text))
