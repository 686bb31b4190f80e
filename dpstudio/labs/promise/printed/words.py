"""What is wrong, what follows, the proof and the audit: the strip, sentences and table of an
erratum."""

from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.promise.printed.audit_words import audit_row, audit_sentence
from dpstudio.labs.promise.printed.listings.erratum import VERSIONS, Row
from dpstudio.labs.promise.printed.model import Reading
from dpstudio.values.messages import Message, Num, named, say

_STRIP = 4


def _rows(model: Reading) -> tuple[Row, ...]:
    """All rows, that of the audit early enough for the strip."""
    rows, found = model.case.rows, model.audited
    return (*rows[: _STRIP - 1], audit_row(found), *rows[_STRIP - 1 :]) if found else rows


def facts(model: Reading) -> tuple[Fact, ...]:
    """The strip: the first rows, of the side that is shown."""
    return tuple(_fact(row, model.lab.view) for row in _rows(model)[:_STRIP])


def _fact(row: Row, view: str) -> Fact:
    cells = row.printed, row.corrected
    was, now = (say("{x}", x=cell) if isinstance(cell, Num) else cell for cell in cells)
    value = tuple(cell.value if isinstance(cell, Num) else None for cell in cells)
    if view == "corrected":
        return Fact(row.key, row.label, now, VERSIONS[1], "first", value[1])
    if view == "printed":
        return Fact(row.key, row.label, was, VERSIONS[0], "second", value[0])
    return Fact(row.key, row.label, was, say("corrected: {x}", x=now), "second", value)


def sentences(model: Reading) -> tuple[Sentence, ...]:
    """What is wrong, what follows, what an audit says, the proof, and which text it is."""
    return (
        Sentence("wrong", model.wrong, "warn"),
        Sentence("follows", model.follows, model.case.tone),
        *((Sentence("right", model.right),) if model.right.text else ()),
        *((audit_sentence(model.audited),) if model.audited else ()),
        *(Sentence(f"proof_{i}", line) for i, line in enumerate(model.proof, 1)),
        Sentence("source", say("The text: {source}.", source=named(model.lab.erratum.source))),
    )


def tables(model: Reading) -> tuple[Table, ...]:
    """Every quantity, of the sides that are shown."""
    rows, view = _rows(model), model.lab.view
    columns: list[tuple[str, Message, tuple[Num | Message, ...]]] = [
        ("quantity", say("quantity"), tuple(row.label for row in rows))
    ]
    if view != "corrected":
        columns.append(("printed", VERSIONS[0], tuple(row.printed for row in rows)))
    if view != "printed":
        columns.append(("corrected", VERSIONS[1], tuple(row.corrected for row in rows)))
    return (
        Table(
            "versions",
            Message(model.lab.erratum.label),
            tuple((name, cells) for name, _, cells in columns),
            shown=True,
            heads=tuple(head for _, head, _ in columns),
        ),
    )
