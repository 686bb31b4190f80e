"""Four eyes: a plan that is released only where a second person, known by a key, approved it to the
last digit. That is a record of who planned, approved and drew, and no access control: whoever has
the ledger and the table can write another plan."""

from __future__ import annotations

import getpass
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from dpstudio.files.ledgers.amounts import LedgerError
from dpstudio.plans.plan import Plan, digest
from dpstudio.values.messages import N_, Message, because, plain, say

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_SAYS = "dpstudio: this plan may be released "
_SHOWN = 16  # digits of a key


def make_key(path: Path) -> str:
    """A new key in a file that its owner alone can read; its public part, which plans name. Raises
    LedgerError."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    key = Ed25519PrivateKey.generate()
    text = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    try:
        with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(text)
    except OSError as error:
        why = because(error)
        text_ = N_("{path} could not be made: {why}. Choose another place.")
        raise LedgerError(say(text_, path=path, why=why)) from error
    return key.public_key().public_bytes_raw().hex()


def _private(path: Path) -> Ed25519PrivateKey:
    """The key in a file. Raises LedgerError."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        if not path.is_file():
            raise FileNotFoundError
        held = load_pem_private_key(path.read_bytes(), None)
    except (OSError, ValueError, TypeError, UnsupportedAlgorithm):
        raise LedgerError(say(_NO_KEY, path=path)) from None
    if not isinstance(held, Ed25519PrivateKey):
        raise LedgerError(say(_NO_KEY, path=path))
    return held


def public_of(path: Path) -> str:
    """The public part of the key in a file, which plans name. Raises LedgerError."""
    return _private(path).public_key().public_bytes_raw().hex()


def approved(plan: Plan, path: Path) -> Plan:
    """The plan with the approval of whom it names, by the key in a file. Raises LedgerError."""
    name, public = plan.terms.approver
    if not public:
        raise LedgerError(say(_NOBODY))
    key, own = _private(path), public_of(path)
    if own != public:
        raise LedgerError(say(_ANOTHER, name=name, named=public[:_SHOWN], own=own[:_SHOWN]))
    return replace(plan, approved=key.sign(_said(digest(plan))).hex())


def unapproved(plan: Plan) -> Message | None:
    """Why a plan that must be approved is not; None where it is, or need not be."""
    name, public = plan.terms.approver
    if not public:
        return None
    if not plan.approved:
        return say(_NOT_YET, name=name, key=public[:_SHOWN])
    if signed(digest(plan), public, plan.approved):
        return None
    return say(_OTHER, name=name, key=public[:_SHOWN])


def signed(of: str, public: str, signature: str) -> bool:
    """Whether that key signed the plan of this digest."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), _said(of))
    except (InvalidSignature, ValueError):
        return False
    return True


def _said(of: str) -> bytes:
    return (_SAYS + of).encode()


def approval(plan: Plan) -> Message:
    """Whose approval a plan needs and whether it is there; nothing where it needs none."""
    name, public = plan.terms.approver
    if not public:
        return Message("")
    return unapproved(plan) or say(_THERE, name=name, key=public[:_SHOWN])


def eyes(plan: Plan) -> dict[str, str]:
    """Who planned, approved and draws it, for the ledger; nothing of a plan that needs no
    approval."""
    name, public = plan.terms.approver
    if not public:
        return {}
    return {"planned": plan.terms.planner, "approved": name, "key": public, "drew": _user()}


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # a system that has no name for its user
        return ""


def seen(people: dict[str, str]) -> Message:
    """Who planned, approved and drew, as the ledger keeps it."""
    values = {name: plain(people[name] or "–") for name in ("planned", "approved", "drew")}
    return say(_SEEN, **values, key=people["key"][:_SHOWN])


_NOBODY = N_(
    "This plan names nobody who must approve it. Name one first, and a key: dpstudio plan FILE set "
    "“approval=NAME KEY”."
)
_NO_KEY = N_("{path} is no private key of ed25519 (PEM, without a password).")
_ANOTHER = N_(
    "This plan is to be approved by {name} with the key {named}…, and this is the key {own}…."
)
_NOT_YET = N_(
    "This plan must be approved by {name} with the key {key}…, and is not yet: dpstudio plan FILE "
    "approve KEYFILE."
)
_OTHER = N_(
    "The approval of {name} (key {key}…) is of another plan: this one was changed since, or the "
    "approval was. Have it approved again."
)
_THERE = N_(
    "Approved by {name} (key {key}…). That is a record, and no access control: who has the "
    "ledger can release another plan."
)
_SEEN = N_(
    "Planned by {planned}, approved by {approved} (key {key}…), drawn by {drew}: a record, no "
    "access control."
)
