"""Sessions: versioned JSON with the table by path and digest (never its rows), the labs, and how
they were looked at."""

import json
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

from dpstudio.data.codebook import EMPTY, Codebook, codebook_from_json, of_first_rows
from dpstudio.files.read.choices import Choices
from dpstudio.files.writing import replace_file
from dpstudio.labs import Lab
from dpstudio.labs.naming import lab_from_json, lab_today
from dpstudio.values.messages import N_, Message, Num, SentenceError, because, plain, say
from dpstudio.values.parameters import ParamError, from_json, to_json

# A session that knows something of its columns is format 2: a program that would open it without
# its unit of privacy must refuse.
# So must one that would read the table in another way than was chosen.
# And one that would show numbers of two tables with the first alone.
# And one that does not know what a column's role is.
VERSION, TWO_TABLES, KNOWING, PLAIN = 4, 3, 2, 1
SUFFIX, TALK = ".dpstudio", ".dptalk"
PICTURES = (".svg", ".pdf", ".png")  # figures of ours, which bring their page back
# No session that was saved comes near these. More would be read and fitted for minutes.
_LONGEST, _MOST_LABS = 4_000_000, 100
_STATE = 4_000  # letters of what is said of a table that stays in its database


class SessionError(SentenceError):
    """A session that could not be read or written; `sentence` says why and what to do."""


@dataclass(frozen=True)
class Second:
    """A table that was open beside the first: its path or an example's key, the SHA-256 of its
    bytes, and how a person chose to read it."""

    table: str
    digest: str
    reading: Choices | None = None


@dataclass(frozen=True)
class Session:
    """What is saved. `table` is an example's key or a path, `digest` the SHA-256 of its bytes.
    `view` is not undone.

    `state` names when, by what statement, and in what state a table was asked that stays in its
    database, and may change. `reading` is how a person chose to read the table, None where nobody
    had to be asked. `mark` is the SHA-256 of the bytes that it was read from, no part of it.
    `second` is the table beside the first, where there was one. `first_rows`: whether it was saved
    when the first rows of each person were kept.
    """

    table: str
    digest: str
    labs: tuple[Lab, ...]
    active: str
    view: Mapping[str, Any] = field(default_factory=dict)
    codebook: Codebook = EMPTY
    reading: Choices | None = None
    mark: str = field(default="", compare=False)
    second: Second | None = None
    first_rows: bool = field(default=False, compare=False)
    state: Mapping[str, str] = field(default_factory=dict, compare=False)

    def lab(self, key: str) -> Lab:
        """The lab of that key. Raises StopIteration where it has none."""
        return next(lab for lab in self.labs if lab.key == key)


def write_session(session: Session, path: Path) -> str:
    """Write atomically: the old file stays whole until the new one is complete. The SHA-256 of what
    was written. Raises SessionError."""
    second = session.second
    data = {
        "dpstudio": _format(session),
        "table": {
            **table_json(session.table, session.digest, session.reading),
            **({"state": dict(session.state)} if session.state else {}),
        },
        **(
            {"second": table_json(second.table, second.digest, second.reading)}
            if second is not None
            else {}
        ),
        "active": session.active,
        "labs": [to_json(lab) for lab in session.labs],
        "view": dict(session.view),
        **({"codebook": session.codebook.to_json()} if session.codebook else {}),
    }
    text = json.dumps(data, indent=1, allow_nan=False) + "\n"
    write_text(path, text)
    return sha256(text.encode()).hexdigest()


def _format(session: Session) -> int:
    """The lowest format that holds all that the session does."""
    if session.codebook.tells_roles:
        return VERSION
    if session.second is not None:
        return TWO_TABLES
    return KNOWING if session.codebook or session.reading is not None else PLAIN


def table_json(table: str, digest: str, reading: Choices | None) -> dict[str, Any]:
    """A table as files name it: by path and digest, and how it was chosen to be read."""
    told = {"reading": to_json(reading)} if reading is not None else {}
    return {"path": table, "sha256": digest, **told}


def mark_of(path: Path) -> str:
    """The SHA-256 of a file of the length of a session; "" where there is none, or a longer one."""
    try:
        return sha256(_bytes(path)).hexdigest()
    except (OSError, ValueError, SessionError):
        return ""


def make_folder(folder: Path) -> None:
    """Make a folder where it is not there. Raises SessionError with the reason."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SessionError(
            say(
                "{path} could not be made: {why}. Choose another place.",
                path=folder,
                why=because(error),
            )
        ) from error


def write_text(path: Path, text: str, mode: int | None = None) -> None:
    """As `write_file`, of a text as UTF-8."""
    write_file(path, text.encode(), mode)


def write_file(path: Path, content: bytes, mode: int | None = None) -> None:
    """Write a file as `replace_file` does. Raises SessionError with the reason."""
    try:
        replace_file(path, content, mode)
    except (OSError, ValueError) as error:
        raise unwritten(path, error) from error


def unwritten(path: Path, error: Exception) -> SessionError:
    """Why a file could not be written."""
    if isinstance(error, SessionError):
        return error
    why = because(error)
    text = N_("{path} could not be written: {why}. Choose another place.")
    return SessionError(say(text, path=path, why=why))


def read_session(path: Path) -> Session:
    """The session in a file. Raises SessionError for what is not one, is broken, or comes from a
    later version."""
    data, content = document(path)
    return replace(_session(data, path), mark=sha256(content).hexdigest())


def document(path: Path) -> tuple[Any, bytes]:
    """(the JSON in a file, its bytes). Raises SessionError where it cannot be read, is far too
    long, or is no JSON."""
    try:
        content = _bytes(path)
        text = content.decode("utf-8-sig")  # editors put a mark before it
    except UnicodeDecodeError:
        raise SessionError(say("{path} is not a dpstudio session.", path=path)) from None
    except (OSError, ValueError) as error:
        why = because(error)
        raise SessionError(say("{path} could not be read: {why}.", path=path, why=why)) from error
    try:
        return json.loads(text), content
    except (ValueError, RecursionError) as error:
        line, column = getattr(error, "lineno", 1), getattr(error, "colno", 1)
        ended = say("it ends too early or was changed by hand")
        raise SessionError(
            say(
                "{path} is broken at line {line}, column {column}: {why}.",
                path=path,
                line=line,
                column=column,
                why=ended,
            )
        ) from None


def _bytes(path: Path) -> bytes:
    """What a file holds. Raises OSError, ValueError, or SessionError for what is no session by its
    kind or its length."""
    held = path.stat()
    # A pipe or a device would be waited for, or read, without end.
    if not (stat.S_ISREG(held.st_mode) or stat.S_ISDIR(held.st_mode)):
        raise SessionError(say("{path} is not a dpstudio session.", path=path))
    if held.st_size > _LONGEST:
        raise SessionError(
            say(
                "{path} is not a dpstudio session: it has {size} MB; none has over {most}.",
                path=path,
                size=Num(held.st_size / 1e6, 3, "up"),
                most=_LONGEST // 1_000_000,
            )
        )
    return path.read_bytes()


def _session(data: Any, path: Path) -> Session:
    """The session in what a file held. Raises SessionError."""
    table, labs = _table_and_labs(data, path)
    try:
        all_of = [lab_from_json(lab) for lab in labs]
        codebook = codebook_from_json(data.get("codebook", {}))
        reading, second = reading_in(table), second_in(data.get("second"))
    except ParamError as error:
        raise SessionError(
            say(
                "{path} holds a value that cannot be used, at {field}: {why}",
                path=path,
                field=error.field or "labs",
                why=error.sentence,
            )
        ) from None
    names = {str(old["kind"]): lab.key for old, lab in zip(labs, all_of, strict=True)}
    # What was one lab may be one that is held besides: that with a name of its own stays.
    read = {lab.key: lab for lab in all_of}
    read |= {lab.key: lab for old, lab in zip(labs, all_of, strict=True) if lab.key == old["kind"]}
    active = data.get("active")
    active = _lab_today(active, names) if isinstance(active, str) else active
    if not read or active not in list(read):
        raise SessionError(
            say("{path} names no lab to show; it was changed by hand or cut short.", path=path)
        )
    digest, seen = str(table.get("sha256", "")), _view_today(data.get("view"), names)
    state = told if isinstance(told := table.get("state"), Mapping) else {}
    kept = tuple(read.values())
    return Session(
        table["path"],
        digest,
        kept,
        str(active),
        seen,
        codebook,
        reading,
        second=second,
        first_rows=of_first_rows(data.get("codebook")),
        state={str(key): str(value)[:_STATE] for key, value in state.items()},
    )


class Kept(Protocol):
    """What was saved with a codebook."""

    @property
    def codebook(self) -> Codebook:
        """What was told of columns and persons."""

    @property
    def first_rows(self) -> bool:
        """Whether it was saved when the first rows of each person were kept."""


_OTHER_ROWS = N_(
    "This was saved by a program that kept the first rows of each “{person}”. Those of the "
    "smallest MD5 are kept now, so numbers may differ."
)


def other_rows(held: Kept) -> Message | None:
    """That other rows of persons are kept than when it was saved; None where they are the same."""
    return say(_OTHER_ROWS, person=held.codebook.person) if held.first_rows else None


def changed(session: Session) -> Message:
    """That its table is not what it was."""
    if engine := session.state.get("engine"):
        text = N_(
            "The table in {engine} has changed since this was saved of it as it was at {opened}. "
            "The charts show it as it is now."
        )
        opened = plain(session.state.get("opened", "?"))
        return say(text, engine=plain(engine), opened=opened)
    return say("The table has changed since this was saved. The charts show it as it is now.")


def second_in(held: Any) -> Second | None:
    """The table beside the first, where the session names one. Raises ParamError at
    `second.reading`."""
    if not isinstance(held, Mapping) or not isinstance(held.get("path"), str):
        return None
    try:
        reading = reading_in(held)
    except ParamError as error:
        raise ParamError("second.reading", error.sentence) from None
    return Second(held["path"], str(held.get("sha256", "")), reading)


def _table_and_labs(data: Any, path: Path) -> tuple[Mapping[str, Any], list[Any]]:
    """The two parts that every session has. Raises SessionError where it is none, or a later
    one."""
    version = data.get("dpstudio") if isinstance(data, Mapping) else None
    if not isinstance(version, int) or isinstance(version, bool):
        raise SessionError(say("{path} is not a dpstudio session.", path=path))
    if version > VERSION:
        raise SessionError(
            say(
                "{path} was written by a later dpstudio (format {theirs}; this one reads up to "
                "{ours}). Update dpstudio to open it.",
                path=path,
                theirs=version,
                ours=VERSION,
            )
        )
    table, labs = data.get("table"), data.get("labs")
    whole = isinstance(table, Mapping) and isinstance(table.get("path"), str)
    if not whole or not isinstance(labs, list):
        raise SessionError(
            say(
                "{path} lacks its table or its labs; it was changed by hand or cut short.",
                path=path,
            )
        )
    if len(labs) > _MOST_LABS:
        raise SessionError(
            say(
                "{path} names {n} {n:lab|labs}; a session holds each once. It was changed by hand.",
                path=path,
                n=Num(len(labs)),
            )
        )
    return table, labs


def _lab_today(key: str, names: Mapping[str, str]) -> str:
    """The name of a lab today: that of the one in the session, where it holds it."""
    return names.get(key) or lab_today(key)


def _view_today(view: Any, names: Mapping[str, str]) -> Mapping[str, Any]:
    """What was seen of the labs, with the names that they have today."""
    if not isinstance(view, Mapping):
        return {}
    return {name: _labs_today(held, names) for name, held in view.items()}


def _labs_today(held: Any, names: Mapping[str, str]) -> Any:
    """A list of labs, or something by lab, with the names of today; all else as it is."""
    if isinstance(held, list):
        today = [_lab_today(key, names) if isinstance(key, str) else key for key in held]
        return [key for at, key in enumerate(today) if key not in today[:at]]
    if isinstance(held, Mapping):
        return {_lab_today(str(key), names): value for key, value in held.items()}
    return held


def reading_in(table: Mapping[str, Any]) -> Choices | None:
    """How a table was chosen to be read. Raises ParamError at `table.reading`."""
    try:
        return from_json((Choices,), table["reading"]) if "reading" in table else None
    except ParamError as error:
        raise error.within("table.reading") from None
