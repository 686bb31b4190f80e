"""What is said on the command line of figures for print and of hand-outs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from dpstudio.values.messages import N_, listed, say

if TYPE_CHECKING:
    from dpstudio.files.write.paper import Paper
    from dpstudio.values.messages import Message


def paper_options(parser: argparse.ArgumentParser) -> None:
    """The words that set the paper of figures."""
    from dpstudio.files.language import shown
    from dpstudio.files.write.paper import PAPERS

    sizes = shown(say("figures for print, also as PDF: {names}", names=listed(PAPERS)))
    parser.add_argument("--paper", choices=PAPERS, metavar="SIZE", help=sizes)
    dots = N_("dots an inch of a PNG for print (300)")
    parser.add_argument("--dpi", type=_dpi, default=300, metavar="N", help=dots)
    for part, without in (
        ("title", N_("figures for print without their title")),
        ("caption", N_("figures for print without their caption")),
        ("footer", N_("figures for print without their footer")),
    ):
        parser.add_argument(f"--no-{part}", action="store_true", help=without)


def _dpi(word: str) -> int:
    from dpstudio.files.language import shown
    from dpstudio.files.write.paper import FEWEST, MOST

    if not (word.isdecimal() and FEWEST <= int(word) <= MOST):
        text = N_("dots an inch are a whole number, {least} to {most}")
        raise argparse.ArgumentTypeError(shown(say(text, least=FEWEST, most=MOST)))
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
    from dpstudio.files.language import spoken, tr
    from dpstudio.files.ledger import Ledger, ledger_path
    from dpstudio.files.talk import read_talk
    from dpstudio.gui.door import headless_pictures

    path, out = lesson(given.talk) or Path(given.talk), Path(given.out)
    hand_out(
        read_talk(path),
        out,
        Tables(path.parent),
        Ledger(ledger_path()),
        headless_pictures(),
        progress=lambda _, text: _tell(text),
        tell=_tell,
        language=spoken().replace("_", "-"),
        translate=tr,
        solutions=given.solutions or "",
    )
    print(out)


def reported(given: argparse.Namespace) -> None:
    """Write the report of a session, in the same way."""
    from dpstudio.files.handing_out import Tables
    from dpstudio.files.language import spoken, tr
    from dpstudio.files.ledger import Ledger, ledger_path
    from dpstudio.files.reporting import write_report
    from dpstudio.files.session import read_session
    from dpstudio.gui.door import headless_pictures

    path, out = Path(given.session), Path(given.out)
    made = write_report(
        read_session(path),
        out,
        Tables(path.parent),
        Ledger(ledger_path()),
        headless_pictures(),
        hides=given.without_truth,
        pages=given.page,
        progress=lambda _, text: _tell(text),
        tell=_tell,
        language=spoken().replace("_", "-"),
        translate=tr,
    )
    for each in made:
        print(each)


def _tell(text: Message) -> None:
    from dpstudio.files.language import shown

    print(f"dpstudio: {shown(text)}", file=sys.stderr)
