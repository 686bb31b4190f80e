"""Whether a certificate is as it was written, and whether the ledger still holds what it says."""

from __future__ import annotations

import hashlib
import json
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpstudio.files.booked.approving import signed
from dpstudio.files.booked.certificate import MARK, VERSION, certificate_text, digest_of, said_in
from dpstudio.files.ledgers.amounts import LedgerError
from dpstudio.files.ledgers.book import Book, State
from dpstudio.values.messages import N_, Message, because, plain, say

_MOST = 50_000_000
_PAGE = b"dpstudio-certificate "
_ENDS = {".html": (b"<!-- ", b" -->\n"), ".pdf": (b"% ", b"\n")}


@dataclass(frozen=True)
class Found:
    """One thing that was looked at: whether it holds, and what is said of it."""

    holds: bool
    say: Message


@dataclass(frozen=True)
class _Claim:
    """What a certificate claims: it is `whole`, the `seal` is of this text, and these entries of
    the ledger are there."""

    whole: bool
    text: str
    seal: str
    heads: tuple[str, ...]
    approval: Found | None = None


def signed_page(page: bytes, suffix: str, held: dict[str, Any], book: Book) -> bytes:
    """A page of a certificate with what it is verified by as its last line, which no reader shows.
    Raises LedgerError."""
    before, after = _ENDS[suffix]
    found = hashlib.sha256(page).hexdigest()
    told = {"sha256": found, "seal": book.seal(found), "heads": _heads(held)}
    return page + before + _PAGE + _told(told) + after


def _told(told: dict[str, Any]) -> bytes:
    """A last line, with a digest of its own."""
    return json.dumps({**told, "digest": digest_of(told)}).encode()


def _heads(held: dict[str, Any]) -> list[str]:
    drawn = [question["entry"] for question in held["questions"] if "entry" in question]
    return list(dict.fromkeys([*drawn, held["ledger"]["hash"]]))


def verified(path: Path, book: Book | None) -> Iterator[Found]:
    """What holds of a certificate, a sentence each; stops at what makes the rest pointless. Raises
    LedgerError for a file that is none."""
    claim = _claim(path)
    if not claim.whole:
        yield Found(False, say(_CHANGED, path=path))
        return
    yield Found(True, say(_WHOLE, path=path))
    if claim.approval is not None:
        yield claim.approval
    if book is None:
        yield Found(True, say(UNCHECKED))
        return
    try:
        state, seal = book.state(), book.seal(claim.text)
    except LedgerError as error:
        yield Found(False, error.sentence)
        return
    yield from _held(state, claim.heads)
    yield Found(True, say(_SEALED)) if seal == claim.seal else Found(False, say(_OTHER))


def _held(state: State, heads: tuple[str, ...]) -> Iterator[Found]:
    for head in heads:
        n = head.partition(":")[0]
        if not state.holds(head):
            yield Found(False, say(_LOST, n=n))
            continue
        yield Found(True, say(_THERE, n=n))
        if taken := state.withdrawn(int(n)):
            yield Found(True, say(_TAKEN, n=n, why=taken.body["reason"]))


def _claim(path: Path) -> _Claim:
    try:
        held = path.stat()
        if held.st_size > _MOST or not stat.S_ISREG(held.st_mode):  # a pipe would be waited for
            raise LedgerError(say(_NONE, path=path))
        body = path.read_bytes()
    except OSError as error:
        why = because(error)
        raise LedgerError(say("{path} could not be read: {why}.", path=path, why=why)) from error
    try:
        return _of_json(path, body) if body[:1] == b"{" else _of_page(path, body)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise LedgerError(say(_NONE, path=path)) from None


def _of_page(path: Path, body: bytes) -> _Claim:
    page, mark, told = body.rpartition(_PAGE)
    if not mark:
        raise LedgerError(say(_NONE, path=path))
    for before, after in _ENDS.values():
        if page.endswith(before) and told.endswith(after):
            text = told.removesuffix(after)
            held = json.loads(text)
            page = page.removesuffix(before)
            found = hashlib.sha256(page).hexdigest()
            claimed = {name: held[name] for name in ("sha256", "seal", "heads")}
            whole = held["sha256"] == found and _told(claimed) == text
            return _Claim(whole, found, held["seal"], tuple(map(str, held["heads"])))
    return _Claim(False, "", "", ())  # its last line was changed, or something was added


def _of_json(path: Path, body: bytes) -> _Claim:
    held = json.loads(body)
    if MARK not in held:
        raise LedgerError(say(_NONE, path=path))
    if held[MARK] != VERSION:
        raise LedgerError(say(_LATER, path=path, version=plain(str(held[MARK])), known=VERSION))
    whole = held["digest"] == digest_of(held) and certificate_text(held).encode() == body
    heads = tuple(map(str, _heads(held)))
    return _Claim(whole, said_in(held), held["seal"], heads, _approval(held))


def _approval(held: dict[str, Any]) -> Found | None:
    """Whether the plan was approved by the key that it names."""
    if "approval" not in held:
        return None
    name, _, key = held["approval"]["approved"].rpartition(" ")
    there = signed(held["plan"]["digest"], key, held["approval"]["signature"])
    return Found(there, say(_APPROVED if there else _UNAPPROVED, name=name))


_NONE = N_("{path} is no certificate of this program, or what it is verified by was cut off.")
_LATER = N_(
    "{path} is a certificate of version {version}; what is read here is version {known}. Verify it "
    "with that version of the program."
)
_CHANGED = N_("{path} was changed after it was written: its digest does not fit. Ask for another.")
_WHOLE = N_("{path} is as it was written: its digest fits.")
UNCHECKED = N_(
    "Whether it was written by a ledger, and that ledger still holds the answers, is not checked: "
    "name it with --ledger FILE."
)
_APPROVED = N_("The plan of this digest was approved by {name}, by the key that it names.")
_UNAPPROVED = N_("The plan of this digest was not approved by {name}, whom it names.")
_THERE = N_("Entry {n} is in the ledger, and with it all before.")
_LOST = N_(
    "Entry {n} is not in the ledger: entries were cut off at its end, it was written anew, or it "
    "is another ledger."
)
_TAKEN = N_("The answer of entry {n} was withdrawn since: {why}")
_SEALED = N_("Its seal is of this ledger: nobody who cannot read the ledger changed it.")
_OTHER = N_(
    "Its seal is not of this ledger: it is another ledger, or the certificate was changed and its "
    "digest with it."
)
