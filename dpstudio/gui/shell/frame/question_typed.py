"""A question of columns as it is typed, “mean fine by branch”: what is asked, of which column, and
by which one it is split."""

from collections.abc import Iterator, Mapping

from dpstudio.gui.shell.frame.ranking import asked, plain_words
from dpstudio.labs.typed_question import Typed

# What stands before the column by which an answer is split.
_SPLITS = frozenset(("by", "per", "each", "every", "across"))


def typed_of_columns(typed: str, names: Mapping[str, bool]) -> Typed | None:
    """What is asked of which column, by the names of columns, as `names` has them; None where
    nothing typed is one, or nothing else is asked."""
    looked, rest = {*asked(typed)} - _SPLITS, list[str]()
    about, by, split = "", "", False
    for word, column in _read(plain_words(typed), names):
        if word in _SPLITS:
            split = True
        elif not column:
            rest += [word] if word in looked else []
        elif split:
            by = by or column
        else:
            about = about or column
    if not (about or by) or not (rest or (about and by)):
        return None
    return Typed(" ".join(rest), about, by)


def _read(words: tuple[str, ...], names: Mapping[str, bool]) -> Iterator[tuple[str, str]]:
    """Each word with "", or what names a column with its name: all of its words, or one."""
    whole = {plain_words(name): name for name in names}
    part = {each: name for name in reversed([*names]) for each in plain_words(name)}
    at = 0
    while at < len(words):
        ends = range(len(words), at + 1, -1)
        end = next((end for end in ends if words[at:end] in whole), at + 1)
        word = words[at]
        if end > at + 1:
            yield word, whole[words[at:end]]
        else:
            one = whole.get((word,)) or part.get(word) or part.get(word.removesuffix("s"), "")
            yield word, "" if word in _SPLITS else one
        at = end
