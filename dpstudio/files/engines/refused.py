"""Why a table behind an address cannot be opened, as sentences that hold no password."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from dpstudio.files.engines.spark import failed_file
from dpstudio.files.read.outcome import CancelledError, TableError
from dpstudio.values.messages import N_, Message, plain, say


@contextmanager
def said(place: str) -> Iterator[None]:
    """What goes wrong behind an address as a TableError."""
    try:
        yield
    except (TableError, CancelledError):
        raise
    except Exception as error:
        raise TableError(_unopened(place, error)) from None


def _unopened(place: str, error: Exception) -> Message:
    """A server that lets nobody in may say so in any language: whether it wanted a password is told
    by the connection."""
    if (known := broken("Spark", place, error)) is not None:
        return known
    text = N_("{place} could not be asked: {why}.")
    connection = getattr(error, "pgconn", None)
    if connection is not None and (connection.needs_password or connection.used_password):
        text = N_(
            "{place} could not be asked: {why}. Where the password is wrong, change it in the "
            "variable PGPASSWORD, or in ~/.pgpass if there is none, and open the table again."
        )
    elif connection is not None or isinstance(error, OSError):
        text = N_("{place} could not be asked: {why}. Open the table again once it can be reached.")
    told = str(getattr(error, "strerror", None) or error.__cause__ or error)
    lines = [" ".join(line.split()) for line in told.splitlines()]
    why = " ".join(line for line in lines if line and not line.endswith("?"))  # which only asks
    secret = os.environ.get("PGPASSWORD")
    why = why.rstrip(".")[:300].replace(secret, "…") if secret else why.rstrip(".")[:300]
    return say(text, place=place, why=plain(why))


def broken(engine: str, place: str, error: Exception, *, lost: bool = False) -> Message | None:
    """What is wrong by the kind of an error alone, for its words may quote a cell, where that is
    known: the connection to a place is lost, there is no right to read, or a file is another."""
    kind = type(error).__name__
    name, no_right = failed_file(error)
    text = ""
    if lost or kind == "ConnectionException":
        text = N_(
            "The connection to {place} is lost ({kind}). Open the table again to connect anew."
        )
    elif no_right or kind == "InsufficientPrivilege":
        text = N_(
            "{place} does not let you read this table ({kind}). Ask whoever keeps it for the "
            "right to, then open the table again."
        )
    elif name:
        text = N_(
            "{engine} cannot read a file of {place} ({kind}). Where it was written anew, open the "
            "table again; else mend it, or move it out."
        )
    return say(text, engine=engine, place=place, kind=plain(name or kind)) if text else None


def which(place: str, asked: str, found: Iterable[str]) -> Message:
    """That there is no such table, or none is named. PostgreSQL names those alone to which somebody
    has a right."""
    listed = plain(", ".join(f"#{name}" for name in sorted(found)[:8]))
    hides = place.lower().startswith("postgres")
    if not found:
        text = N_("{place} has no table.")
        if hides:
            text = N_("{place} shows you no table. Ask whoever keeps it for the right to read one.")
        return say(text, place=place)
    if not asked:
        text = N_("Say which table of {place} with one of: {names}.")
        return say(text, place=place, names=listed)
    text = N_("{place} has no table “{name}”. It has: {names}.")
    if hides:
        text = N_(
            "{place} shows you no table “{name}”, but these: {names}. If it is there, ask whoever "
            "keeps it for the right to read it."
        )
    return say(text, place=place, name=asked, names=listed)
