"""What a script is told of the columns that a model learns from."""

from collections.abc import Iterable, Sequence

from dpstudio.data import codebook
from dpstudio.data.column_roles import names_rows, role_by_name
from dpstudio.data.person_columns import LOOKED_AT, NO, SURE, names_persons
from dpstudio.labs.scripting.scripted import Known, NoScript
from dpstudio.values.messages import say

BOUNDS, WORDS = "bounds", "words"  # what the script takes from the data, where nobody told it
Told = tuple[float | str, ...] | str


def told_of(known: Known, name: str, *, classes: bool = False) -> Told:
    """The bounds or words of a column that are told or published, else what of it the script
    takes from the data. With `classes` numbers are words."""
    given = known.about(name), known.documented(name)
    listed = next((about.categories for about in given if about.categories), ())
    if listed:
        return listed
    if known.type_of(name) == "category" or classes:
        return WORDS
    ends = ((about.low, about.high) for about in given)
    return next(((low, high) for low, high in ends if low is not None and high is not None), BOUNDS)


def told_of_all(known: Known, names: Sequence[str]) -> dict[str, Told]:
    """The same of several columns, by their names. Raises NoScript where none is named."""
    if not names:
        raise NoScript(
            say(
                "Which columns are used follows here from what they hold, and a script is written "
                "without looking. Name them."
            )
        )
    return {name: told_of(known, name) for name in names}


def is_number(known: Known, name: str) -> bool:
    """Whether a column holds numbers that nobody says are words."""
    told = any(about.categories for about in (known.about(name), known.documented(name)))
    return known.numeric(name) and not told


def chosen_of(
    known: Known,
    named: Sequence[str],
    names: Iterable[str],
    *,
    of: str,
    few: int = 0,
    dates: bool = False,
    most: int | None = None,
) -> tuple[dict[str, object], str]:
    """(settings, lines) that leave in the setting `of` the columns that are `named`, or else those
    of `names` that describe people, found in the table by the script; with `few` only those of no
    more words, or `dates`. Raises NoScript."""
    if named:
        return {of: told_of_all(known, named)}, ""
    names = list(names)
    if not names:
        raise NoScript(say("No column is left that the page could use. Name the columns."))
    settings: dict[str, object] = {of: told_of_all(known, names)}
    looks = {name: look for name in names if (look := _look_of(known, name, dates))}
    persons = {} if known.answered else _persons(known)
    words = ["table", of]
    for name, held in (("looks", looks), ("persons", persons)):
        if held:
            settings[name] = held
            words.append(f"{name}={name}")
    words += [f"{name}={limit}" for name, limit in (("few", few), ("most", most)) if limit]
    why = "# No column is named: those that describe people, by their names and values."
    return settings, f"{why}\n{of} = describing({', '.join(words)})\n"


def _look_of(known: Known, name: str, dates: bool) -> str:
    """What the script looks for in the values of a column, "never" where it describes nobody by
    what was told or by its name."""
    kind, about, role = known.type_of(name), known.about(name).type, known.role(name)
    told = bool(role)
    role = role or role_by_name(name, known.names)
    ordered = kind != "category"
    if (
        about == "text"
        or role in (codebook.IDENTIFIER, codebook.PERSON)
        or (role == codebook.PLACE and ordered)
    ):
        return "never"
    first = name in known.names[:LOOKED_AT]
    found = ["date"] if dates and kind == "date" else []
    found += ["prose"] if kind == "category" and not about and first else []
    if told or role in (codebook.PLACE, codebook.QUASI, codebook.WEIGHT):
        return " ".join(found)
    named = names_rows(name)
    if kind == "date" or not first or (kind == "number" and not named):
        return "never" if named else " ".join(found)
    found += ["rows", *(["id"] if named else [])]
    found += ["sure"] if names_persons(name) == SURE else []
    found += ["number"] if kind == "number" else []
    found += ["place"] if kind == "integer" and not role else []
    return " ".join(found)


def _persons(known: Known) -> dict[str, str]:
    """The columns that may say whose row it is, by their names."""
    found = {}
    for name in known.names:
        told = known.about(name).type == codebook.IDENTIFIER
        sure, kind = SURE if told else names_persons(name), known.type_of(name)
        if sure > NO and kind in ("integer", "category", "number")[: 3 if sure == SURE else 2]:
            whole = " number" if kind == "number" else ""
            found[name] = ("sure" if sure == SURE else "maybe") + whole
    return found
