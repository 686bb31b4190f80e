"""Who may answer: single-use codes, one a seat, or everyone who knows the address."""

import re
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from hashlib import sha256

# No letters or digits that are taken for one another when read from paper.
LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
LENGTH, TOKEN = 8, 12
MOST_CODES = 500
_FRESH = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True)
class Codes:
    """So many single-use codes: one seat answers each question once a round."""

    seats: int

    def __post_init__(self) -> None:
        """Raises ValueError for no seats, or more than a sheet is made for."""
        if not 1 <= self.seats <= MOST_CODES:
            raise ValueError(f"a sheet has 1 to {MOST_CODES} codes")


@dataclass(frozen=True)
class Open:
    """Whoever has the address answers, and can answer often."""


Door = Codes | Open


def fresh_token() -> str:
    """The random part of the address: 12 letters of 31, 59 bits."""
    return "".join(secrets.choice(LETTERS) for _ in range(TOKEN))


def fresh_codes(count: int, held: Collection[str] = ()) -> list[str]:
    """So many new codes of 8 letters (39 bits), none of them `held`. In no order that a seat could
    be known by."""
    made: set[str] = set()
    while len(made) < count:
        code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        if code not in held:
            made.add(code)
    return sorted(made)


def is_fresh_pass(text: str) -> bool:
    """Whether it is what a phone draws for one answer at an open door, so that the same report sent
    again is known."""
    return _FRESH.fullmatch(text) is not None


def mark(question: str, round_: int, pass_: str) -> str:
    """How it is kept that a code answered a question in a round: without the code."""
    return sha256(f"{question}\n{round_}\n{pass_}".encode()).hexdigest()[:32]
