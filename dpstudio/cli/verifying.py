"""`dpstudio verify`: whether a certificate, and the ledger that it is of, were changed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dpstudio.cli import parsing
from dpstudio.files.booked.verify import verified
from dpstudio.files.language import shown
from dpstudio.files.ledgers.book import Book


def checked(words: Sequence[str]) -> int:
    """What the words after `dpstudio verify` say; 1 where something does not hold."""
    given = parsing.verify_parser().parse_args(words)
    book = Book(Path(given.ledger)) if given.ledger else None
    found = list(verified(Path(given.file), book))
    for each in found:
        print(shown(each.say))
    return int(not all(each.holds for each in found))
