"""The words of a call, told apart."""

import argparse
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from dpstudio import __version__
from dpstudio.cli.printing import paper_options
from dpstudio.cli.wrapping import Lines, headed
from dpstudio.files.language import tr
from dpstudio.values.lines import width
from dpstudio.values.messages import N_, SentenceError, listed, say

PLACE = "--place"  # of dpstudio run, instead of a lab: a place of the texts

_USAGE = N_("usage: ")
# What argparse says itself. It asks gettext, and here the language in force.
vars(argparse).update(_=tr, ngettext=tr)
_ITS_OWN = (
    N_("%(heading)s:"),
    N_("positional arguments"),
    N_("options"),
    N_("show this help message and exit"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("the following arguments are required: %s"),
    N_("unrecognized arguments: %s"),
    N_("expected one argument"),
    N_("not allowed with argument %s"),
    N_("ignored explicit argument %r"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
    N_("ambiguous option: %(option)s could match %(matches)s"),
)


class UsageError(SentenceError):
    """The words of the call are off."""


class Parser(argparse.ArgumentParser):
    """Speaks the language in force, and raises UsageError where argparse would end the program."""

    def __init__(self, *, prog: str, description: str = "", epilog: str = "", **more: Any) -> None:
        super().__init__(
            prog, description=tr(description), epilog=tr(epilog), formatter_class=Lines, **more
        )

    def _add_action(self, action: Any) -> Any:
        action.help = tr(action.help) if action.help else action.help
        return super()._add_action(action)

    def _get_formatter(self) -> argparse.HelpFormatter:
        lines = super()._get_formatter()
        # What is taken off a call by its length is in English; `format_help` says the word.
        lines.add_usage = partial(lines.add_usage, prefix=_USAGE)  # type: ignore[method-assign]
        return lines

    def format_help(self) -> str:
        """How it is called and what each word means."""
        call, *told = super().format_help().split("\n\n")
        word = tr(_USAGE)
        first, *then = call.removeprefix(_USAGE).split("\n")
        lines = [word + first, *(line[len(_USAGE) - width(word) :] for line in then)]
        for group in self._action_groups:
            title = f"{group.title}:\n"
            told = [part.replace(title, headed(group.title or "") + "\n") for part in told]
        return "\n\n".join(("\n".join(lines), *told))

    def error(self, message: str) -> NoReturn:
        """The same for what is off."""
        raise UsageError(say("{what}. See {prog} --help.", what=message, prog=self.prog))


def run_parser(key: str) -> Parser:
    """What tells the words after the name of a lab apart."""
    parser = _lab_parser(f"dpstudio run {key}")
    parser.add_argument("--beside", default="", metavar="TABLE", help=_BESIDE)
    parser.add_argument(
        "--read-beside", action="append", default=[], metavar="CHOICES", help=_READ_BESIDE
    )
    output_options(parser)
    return parser


def script_parser(key: str) -> Parser:
    """What tells the words after the name of a lab apart in `dpstudio script`."""
    parser = _lab_parser(f"dpstudio script {key}")
    parser.add_argument("--as", dest="form", choices=FORMS, default="python", help=_AS)
    parser.add_argument("--out", metavar="FILE", help=N_("write it; else it is printed"))
    for name in ("--beside", "--read-beside"):
        parser.add_argument(name, default="", dest="second", help=argparse.SUPPRESS)
    parser.set_defaults(publish="", without_truth=False)
    return parser


def notebook_parser() -> Parser:
    """Tells the words of `dpstudio script SESSION` apart."""
    text = N_("Write the pages of a saved session that were opened as a notebook.")
    parser = Parser(prog="dpstudio script", description=text)
    parser.add_argument("session", help=N_("a saved session"))
    parser.add_argument("--as", dest="form", choices=FORMS[-1:], default=FORMS[-1], help=FORMS[-1])
    parser.add_argument("--read", action="append", default=[], metavar="CHOICES", help=_AS_IN_RUN)
    parser.add_argument("--out", metavar="FILE", help=N_("write it; else it is printed"))
    return parser


FORMS = ("python", "opendp", "notebook")
_AS = N_("python, opendp or notebook; what it needs to be run stands at its head")


def _lab_parser(prog: str) -> Parser:
    """What says a state and its table."""
    parser = Parser(prog=prog, add_help=False)
    parser.add_argument(
        "settings", nargs="*", metavar="name=value", help=N_("a parameter of the lab")
    )
    parser.add_argument("--data", default="adult", metavar="TABLE", help=_DATA)
    for name, metavar, help in _READING:
        parser.add_argument(name, action="append", default=[], metavar=metavar, help=help)
    parser.add_argument("--person", default="", metavar="COLUMN", help=_PERSON)
    parser.add_argument("--most", default="1", metavar="M", help=_MOST)
    parser.add_argument("--people", default="", metavar="N", help=_PEOPLE)
    parser.add_argument("--each-row", action="store_true", help=_EACH_ROW)
    return parser


_DATA = N_(
    "a file (CSV and the like, Parquet, Excel, JSON lines, SQLite …), or an example (the first is "
    "open anyhow)"
)
_PERSON = N_("the column that says whose row it is; else each row is a person")
_MOST = N_(
    "how many rows of each person are used at most, those of the smallest MD5 (1): every "
    "sensitivity is M times as large"
)
_PEOPLE = N_(
    "how many persons there are, known from outside: what leaves where one is replaced is of so "
    "many"
)
_EACH_ROW = N_("each row is a person, also where a column looks otherwise")
_BESIDE = N_("a second table beside the first, for a lab that reads one as well")
_READ_BESIDE = N_("how to read the second table, as with --read")
_READING = (
    (
        "--read",
        "CHOICES",
        N_(
            "how to read it where it can be read in more than one way, such as "
            "“delimiter=semicolon decimal=comma”"
        ),
    ),
    (
        "--about",
        "KNOWN",
        N_(
            "what is known of a column from outside the data, such as “age: low=17 high=90 "
            "attested=yes source=the form”; also low=2020-01-31, type=…, categories=A | B, role=…; "
            "once for each column"
        ),
    ),
)


def output_options(parser: argparse.ArgumentParser) -> None:
    """The options of what a call gives, and where to."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--json", action="store_true", help=N_("print the findings as JSON"))
    group.add_argument("--out", metavar="DIR", help=_OUT)
    group.add_argument("--publish", metavar="DIR", help=_PUBLISH)
    parser.add_argument("--without-truth", action="store_true", help=_WITHOUT_TRUTH)
    parser.add_argument("--ledger", default="", metavar="FILE", help=_LEDGER)
    parser.add_argument("--dark", action="store_true", help=N_("charts on a dark ground"))
    paper_options(parser)


_OUT = N_("write each chart as SVG, PNG and CSV, and findings.json")
_PUBLISH = N_("write a table for others, where the lab makes one, alone into a folder")
_LEDGER = N_(
    "book what leaves in this ledger of a population, below its cap; from now on it is the one of "
    "this table"
)
_WITHOUT_TRUTH = N_(
    "leave the exact answer out; noise then comes from the system and no seed is kept; the ε of "
    "draws of one file add up, and an edited file is another one"
)


def known_word(first: Sequence[str], commands: Iterable[str]) -> None:
    """Raises UsageError where the first word is as the name of a command is, and is none: neither
    an example nor a file here, which the window would open."""
    for word in first:
        if not word.replace("_", "").isalpha() or Path(word).exists():
            continue
        from dpstudio.files.tables import example

        if example(word) is None:
            text = N_(
                "“{word}” is no command, no example and no file here. The commands are {known}; "
                "“dpstudio help” says more."
            )
            raise UsageError(say(text, word=word, known=listed(commands)))


def window_parser() -> Parser:
    """Tells the words apart that open the window."""
    parser = Parser(
        prog="dpstudio",
        description=N_("See the trade between privacy and utility."),
        epilog=N_(
            "Without a window: dpstudio run LAB [name=value …] [--data TABLE] [--json | --out "
            "DIR | --publish DIR]; dpstudio script LAB [name=value …]; dpstudio read TABLE; "
            "dpstudio export SESSION --out DIR; dpstudio report SESSION --out FILE; "
            "dpstudio again FIGURE; dpstudio handout TALK --out FILE; dpstudio plan FILE; "
            "dpstudio ledger FILE; dpstudio release PLAN --ledger FILE --data TABLE; "
            "dpstudio verify FILE; dpstudio places; dpstudio desktop; dpstudio help [PAGE]"
        ),
    )
    parser.add_argument(
        "file",
        nargs="?",
        help=N_(
            "a table (CSV and the like, Parquet, Excel, JSON lines, SQLite …), a session, a talk, "
            "or an example: adult, adult_all, yrbss, house_votes_84, us_military"
        ),
    )
    parser.add_argument(
        "--beside",
        default="",
        metavar="TABLE",
        help=N_("a second table, to stand beside the first"),
    )
    parser.add_argument(
        "--language", metavar="TAG", help=N_("en or zh_CN; else that of the system")
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"dpstudio {__version__}",
        help=N_("print the version and end"),
    )
    return parser


def read_parser() -> Parser:
    """Tells the words of `dpstudio read` apart."""
    parser = Parser(prog="dpstudio read", description=N_("Show how a table is read, as --read."))
    parser.add_argument("table", help=N_("a file, or an example"))
    parser.add_argument("--read", action="append", default=[], metavar="CHOICES", help=_AS_IN_RUN)
    return parser


_AS_IN_RUN = N_("how to read its table, as in dpstudio run LAB --help")


def export_parser() -> Parser:
    """Tells the words of `dpstudio export` apart."""
    parser = Parser(prog="dpstudio export", description=N_("Write the charts of a saved session."))
    parser.add_argument("session", help=N_("a saved session"))
    for name, help in (
        ("--read", _AS_IN_RUN),
        ("--read-beside", N_("the same of the table beside it")),
    ):
        parser.add_argument(name, action="append", default=[], metavar="CHOICES", help=help)
    output_options(parser)
    return parser


def hand_out_parser() -> Parser:
    """Tells the words of `dpstudio handout` apart."""
    parser = Parser(prog="dpstudio handout", description=N_("Write a talk or a lesson on paper."))
    parser.add_argument(
        "talk", help=N_("a talk (.dptalk), or the name of a lesson such as averaging")
    )
    parser.add_argument("--out", required=True, metavar="FILE", help=N_("FILE.html or FILE.pdf"))
    where = N_("what answers a question: none, folded (.html) or last")
    parser.add_argument("--solutions", choices=("none", "folded", "last"), help=where)
    return parser


def report_parser() -> Parser:
    """Tells the words of `dpstudio report` apart."""
    text = N_(
        "Write what the pages of a saved session show, and what they cite as BibTeX beside it."
    )
    parser = Parser(prog="dpstudio report", description=text)
    parser.add_argument("session", help=N_("a saved session"))
    parser.add_argument("--out", required=True, metavar="FILE", help=N_("FILE.html or FILE.pdf"))
    parser.add_argument("--without-truth", action="store_true", help=_WITHOUT_TRUTH)
    which = N_(
        "a page by its name, such as explore; once for each; else all that were set or opened"
    )
    parser.add_argument("--page", action="append", default=[], metavar="LAB", help=which)
    return parser


def again_parser() -> Parser:
    """Tells the words of `dpstudio again` apart."""
    text = N_("Make a figure again from what it says of itself, and compare its numbers.")
    parser = Parser(prog="dpstudio again", description=text)
    parser.add_argument("figure", help=N_("a chart that dpstudio wrote: SVG, PDF, PNG or CSV"))
    where = N_("its table; else the example, or the file of that name beside the figure")
    parser.add_argument("--data", default="", metavar="TABLE", help=where)
    parser.add_argument("--read", action="append", default=[], metavar="CHOICES", help=_AS_IN_RUN)
    return parser


def ledger_parser() -> Parser:
    """Tells the words of `dpstudio ledger` apart."""
    text = N_(
        "Keep what one population was asked, below a cap that is fixed when the ledger is made."
    )
    parser = Parser(prog="dpstudio ledger", description=text)
    parser.add_argument(
        "file", metavar="FILE", help=N_("the ledger: one file on a disk of this machine")
    )
    what = N_(
        "show (or nothing); new population=NAME epsilon=E or rho=R, delta=D, apart=D, unit=person "
        "or person-month, periods=MONTHS, adjacency=add_remove or replace; check, or check HASH of "
        "a certificate; raise epsilon=E or rho=R, delta=D, apart=D, because=REASON; withdraw ENTRY "
        "because=REASON by=ENTRY"
    )
    parser.add_argument("words", nargs="*", metavar="WORD", help=what)
    parser.add_argument(
        "--json", action="store_true", help=N_("print it as JSON, with the answers")
    )
    return parser


def plan_parser() -> Parser:
    """Tells the words of `dpstudio plan` apart."""
    text = N_("Plan several questions under one budget; no table is opened.")
    parser = Parser(prog="dpstudio plan", description=text)
    parser.add_argument("file", metavar="FILE", help=N_("the plan: JSON with a digest"))
    parser.add_argument("words", nargs="*", metavar="WORD", help=_PLAN)
    parser.add_argument(
        "--json", action="store_true", help=N_("print it, and what it costs, as JSON")
    )
    return parser


_PLAN = N_(
    "show; new, set or add KIND, with name=value …; change NAME name=value …; drop NAME; solve "
    "(least, worst or weighted); find (error, size or times) NAME; approve KEYFILE; key; --help "
    "lists all settings"
)


def desktop_parser() -> Parser:
    """Tells the words of `dpstudio desktop` apart."""
    text = N_(
        "Put the program, its icon and its kinds of files on a desktop of Linux, for you alone."
    )
    parser = Parser(prog="dpstudio desktop", description=text)
    parser.add_argument("--remove", action="store_true", help=N_("take them away again"))
    return parser


def release_parser() -> Parser:
    """Tells the words of `dpstudio release` apart."""
    text = N_("Release a solved plan: it is booked whole in the ledger, then its lines are drawn.")
    parser = Parser(prog="dpstudio release", description=text)
    parser.add_argument(
        "plan", metavar="PLAN", help=N_("a plan of dpstudio plan, to release, solved")
    )
    ledger = N_("the ledger of the population, of dpstudio ledger FILE new")
    parser.add_argument("--ledger", required=True, metavar="FILE", help=ledger)
    for name, metavar, help in (
        ("--read", "CHOICES", _AS_IN_RUN),
        ("--line", "NAME", N_("a question of the plan; once for each, and none for all")),
        ("--state", "NAME=WORDS", _STATED),
    ):
        parser.add_argument(name, action="append", default=[], metavar=metavar, help=help)
    for name, metavar, help in (
        ("--data", "TABLE", N_("a file, or an example; how a file is read must be told")),
        ("--person", "COLUMN", _OF_PERSON),
        (
            "--base",
            "NUMBER",
            N_("published numbers are whole steps of it; else 1, or as fine as fits"),
        ),
        ("--out", "FOLDER", N_("write the tables too, how they were made, and the certificate")),
    ):
        parser.add_argument(name, default="", metavar=metavar, help=help)
    parser.add_argument("--pdf", action="store_true", help=N_("write the certificate as PDF too"))
    parser.add_argument("--without-answers", action="store_true", help=_PLANNED)
    parser.add_argument("--least-squares", action="store_true", help=_FITTED)
    return parser


_STATED = N_(
    "words for the certificate, which nobody checks: controller, basis, assessment, published "
    "(exact figures), seen (exact answers looked at before); once for each"
)
_FITTED = N_(
    "fit tables and totals of the same rows to each other, so that all of them add up; it takes "
    "every row to have one of the words of each"
)
_PLANNED = N_("write the certificate of what would be released: nothing is opened, drawn or paid")


def verify_parser() -> Parser:
    """Tells the words of `dpstudio verify` apart."""
    text = N_("Tell whether a certificate was changed, and whether the ledger still holds it.")
    parser = Parser(prog="dpstudio verify", description=text)
    parser.add_argument("file", metavar="FILE", help=N_("a certificate: JSON, HTML or PDF"))
    ledger = N_("the ledger that wrote it; else the file alone is checked")
    parser.add_argument("--ledger", default="", metavar="FILE", help=ledger)
    return parser


_OF_PERSON = N_(
    "the column that says whose row it is, of whom as many rows are used as the plan says; else "
    "each row is a person"
)


def help_parser() -> Parser:
    """Tells the words of `dpstudio help` apart."""
    parser = Parser(prog="dpstudio help", description=N_("Read the manual; without PAGE, list it."))
    parser.add_argument(
        "page", nargs="?", metavar="PAGE", help=N_("such as explore, or use/tables")
    )
    return parser


def places_parser() -> Parser:
    """Tells the words of `dpstudio places` apart."""
    text = N_("List the places of the texts, one a line, with the state that shows each.")
    parser = Parser(prog="dpstudio places", description=text)
    what = N_("a text, a chapter (“chapter 3”), or a name (“listing 4.7”, “表 3.1”); else all")
    parser.add_argument("place", nargs="*", metavar="PLACE", help=what)
    return parser
