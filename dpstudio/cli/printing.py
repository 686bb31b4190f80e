"""What is said on the command line of figures for print and of hand-outs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dpstudio.files.write.paper import Paper


def paper_options(parser: argparse.ArgumentParser) -> None:
    """The words that set the paper of figures."""
    from dpstudio.files.write.paper import PAPERS

    sizes = f"figures for print, also as PDF: {', '.join(PAPERS)}"
    parser.add_argument("--paper", choices=PAPERS, metavar="SIZE", help=sizes)
    dots = "dots an inch of a PNG for print (300)"
    parser.add_argument("--dpi", type=_dpi, default=300, metavar="N", help=dots)
    for part in ("title", "caption", "footer"):
        without = f"figures for print without their {part}"
        parser.add_argument(f"--no-{part}", action="store_true", help=without)


def _dpi(word: str) -> int:
    from dpstudio.files.write.paper import FEWEST, MOST

    if not (word.isdecimal() and FEWEST <= int(word) <= MOST):
        raise argparse.ArgumentTypeError(f"dots an inch are a whole number, {FEWEST} to {MOST}")
    return int(word)


def paper_of(given: argparse.Namespace) -> Paper | None:
    """The paper that the words set; None: as on the screen."""
    from dataclasses import replace

    from dpstudio.files.write.paper import PAPERS

    if given.paper is None:
        return None
    parts = {part: not getattr(given, f"no_{part}") for part in ("title", "caption", "footer")}
    return replace(PAPERS[given.paper], **parts, screen=given.dark, dpi=given.dpi)


def handed_out(given: argparse.Namespace) -> None:
    """Write the hand-out; each step and what its draws cost go to stderr, the file to stdout.
    Raises SessionError, StaysError and TableError."""
    from dpstudio.files.handing_out import Tables, hand_out, lesson
    from dpstudio.files.ledger import Ledger, ledger_path
    from dpstudio.files.talk import read_talk
    from dpstudio.gui.door import headless_pictures
    from dpstudio.values.messages import Message, render

    path, pictures = lesson(given.talk) or Path(given.talk), headless_pictures()

    def tell(text: Message) -> None:
        print(f"dpstudio: {render(text)}", file=sys.stderr)

    tables, ledger, out = Tables(path.parent), Ledger(ledger_path()), Path(given.out)
    hand_out(
        read_talk(path),
        out,
        tables,
        ledger,
        pictures,
        progress=lambda _, text: tell(text),
        tell=tell,
        solutions=given.solutions or "",
    )
    print(out)
