"""The words of a call, told apart."""

from __future__ import annotations

import argparse
from functools import lru_cache
from typing import NoReturn

from dpstudio.cli.printing import paper_options


class UsageError(Exception):
    """The words of the call are off."""


class Parser(argparse.ArgumentParser):
    """Raises UsageError where argparse would end the program."""

    def error(self, message: str) -> NoReturn:
        """The same for what is off."""
        raise UsageError(f"{message}. See {self.prog} --help.")


@lru_cache(maxsize=32)
def run_parser(key: str) -> Parser:
    """What tells the words after the name of a lab apart; made once for each."""
    parser = Parser(prog=f"dpstudio run {key}", add_help=False)
    parser.add_argument("settings", nargs="*")
    parser.add_argument("--data", default="adult")
    parser.add_argument("--read", action="append", default=[])
    parser.add_argument("--beside", default="")
    parser.add_argument("--read-beside", action="append", default=[])
    parser.add_argument("--about", action="append", default=[])
    parser.add_argument("--person", default="")
    parser.add_argument("--most", default="1")
    parser.add_argument("--people", default="")
    parser.add_argument("--each-row", action="store_true")
    output_options(parser)
    return parser


def output_options(parser: argparse.ArgumentParser) -> None:
    """The options of what a call gives, and where to."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--json", action="store_true")
    group.add_argument("--out")
    group.add_argument("--publish")
    parser.add_argument("--without-truth", action="store_true")
    parser.add_argument("--dark", action="store_true")
    paper_options(parser)
