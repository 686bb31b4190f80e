"""What is taken as public of a table that leaves though a row can change it, as long as nobody says
it: for who lets it leave, and in no file."""

from collections.abc import Iterator
from typing import Any, TypeVar

from dpstudio.data.conditions import Where
from dpstudio.data.dataset import Dataset
from dpstudio.data.exact_sums import told_type
from dpstudio.files.tables import example
from dpstudio.labs.lacking import short
from dpstudio.labs.question import asked_types, compared_types, tests_of
from dpstudio.labs.role_columns import may_be_proposed
from dpstudio.values.lists import WordLines
from dpstudio.values.messages import N_, Message, plain, say
from dpstudio.values.parameters import Parameters, domains, roles

K = TypeVar("K", bound=Parameters)


def taken_as_public(lab: Parameters, data: Dataset) -> Iterator[Message]:
    """What columns hold, conditions, and public words that are read as missing: a sentence each.
    They follow from what is told, asked and named, and from no row."""
    if not any(not name or data.has(name) for name in named_columns(lab)):
        return
    names = untold(lab, data)
    if names:
        text = N_(
            "The type of {columns}, numbers, words or dates, is told by nobody and taken as "
            "public, though one row can change it: say it on the page of the table."
        )
        yield say(text, columns=short(names))
    if chosen := untold_roles(lab, data):
        text = N_(
            "That the question is about {columns} is taken as public. Where a page opened on them, "
            "rows may have chosen them: choose them yourself, or tell their roles on the page of "
            "the table."
        )
        yield say(text, columns=short(chosen))
    for where in written(lab) if example(data.origin) is None else ():
        text = N_(
            "That the condition {where} was chosen without looking at the rows is taken from you."
        )
        yield say(text, where=plain(where))
    for name, word in marked_words(lab, data):
        text = N_(
            "“{word}” of “{column}” is a missing value in what leaves, as it is among numbers: "
            "open the table with only empty cells as missing (missing=blank) where it is a word."
        )
        yield say(text, word=word, column=name)


def untold(lab: Parameters, data: Dataset) -> list[str]:
    """The columns that a lab names of which neither a person, nor what is published, nor the
    question says what they hold; all such where it may take any."""
    asked, compared = asked_types(lab), compared_types(lab)
    names, fixed = named_columns(lab), dict(data.spelling.types)
    return [
        info.name
        for info in data.columns
        if ("" in names or info.name in names)
        and not told_type(data, info.name, asked)
        and info.name not in compared
        and info.name not in fixed
    ]


def untold_roles(lab: Parameters, data: Dataset) -> list[str]:
    """The columns of a table of one's own that a page may have proposed, of which nobody told the
    role."""
    if example(data.origin) is not None:
        return []
    named = dict.fromkeys(may_be_proposed(lab))
    return [name for name in named if data.has(name) and not data.codebook.role(name)]


def written(kind: Parameters) -> Iterator[Where]:
    """The conditions of a lab. Who wrote them no program can tell: one that a page proposed may
    have been copied as text."""
    for name in domains(type(kind)):
        held = getattr(kind, name)
        for each in held if isinstance(held, tuple) else (held,):
            if isinstance(each, Parameters):
                yield from written(each)
            elif isinstance(each, Where) and each:
                yield each


def proposed_by_rows(lab: Parameters) -> Message | None:
    """Why a lab stays whose page took a condition from rows; None where somebody wrote each."""
    where = next((each for each in written(lab) if each.proposed), None)
    return None if where is None else say(_PROPOSED, where=plain(where))


def every_row(lab: K) -> K:
    """A lab that counts every row where its page proposed a condition; but for those of named
    questions, whose names may say them."""
    changes: dict[str, Any] = {}
    for name in domains(type(lab)):
        held = getattr(lab, name)
        if isinstance(held, Parameters) and not hasattr(held, "name"):
            changes[name] = every_row(held)
        elif isinstance(held, Where) and held.proposed:
            changes[name] = Where()
    return lab.with_(**changes)


_PROPOSED = N_(
    "The page proposed the condition {where} from the rows of this table, and one row could change "
    "it. Write a condition that you choose without looking at them, or count every row."
)


def marked_words(lab: Parameters, data: Dataset) -> list[tuple[str, str]]:
    """(column, word) of attested words of the columns that a lab names, and of those typed in its
    question, that some column of the file would read as a missing value."""
    marks, names = data.spelling.marks, named_columns(lab)
    typed = [(name, word) for name, words in typed_words(lab) for word in words]
    told = [(n, word) for n in sorted(names) for word in data.about(n).categories if data.has(n)]
    return [(name, word) for name, word in dict.fromkeys((*told, *typed)) if word.strip() in marks]


def typed_words(kind: Parameters) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each column that a lab, or a question, names, with the words that are typed for it."""
    for name in domains(type(kind)):
        held, role = getattr(kind, name), roles(type(kind))[name]
        if isinstance(held, Parameters):
            yield from typed_words(held)
        elif isinstance(held, tuple) and all(isinstance(each, str) for each in held):
            for of in role.of:
                if isinstance(column := getattr(kind, of, None), str):
                    yield column, held


def named_columns(kind: Parameters) -> set[str]:
    """All words that a lab, or a question, holds, which may be columns; "" where it takes any."""
    found: set[str] = set()
    for name, domain in domains(type(kind)).items():
        held = getattr(kind, name)
        if isinstance(held, Parameters):
            found |= named_columns(held)
        elif isinstance(held, str):
            found.add(held)
        elif isinstance(domain, WordLines) and not held:
            found.add("")
        elif isinstance(held, tuple):
            found |= {each for each in held if isinstance(each, str)}
        found |= {test.column for test in tests_of(held)}
    return found
