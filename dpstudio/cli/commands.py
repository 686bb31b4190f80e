"""What the words of a call do: the window, or the same labs without one."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpstudio.cli import parsing
from dpstudio.cli.printing import paper_of
from dpstudio.cli.speaking import speaking, told_of
from dpstudio.cli.tables import any_table, beside, described, needed, opened, told, unchanged
from dpstudio.cli.waiting import costs_told, say_changed, waiting
from dpstudio.files.language import shown, tr
from dpstudio.values.messages import N_, because, listed, say

if TYPE_CHECKING:
    from dpstudio.data.dataset import Dataset
    from dpstudio.files.session import Session
    from dpstudio.files.write.leaving import Left
    from dpstudio.labs import Lab
    from dpstudio.labs.findings import Findings


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; returns the exit status (2 for anything the caller is to mend)."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        words = speaking(words)
        doing = {
            "run": _run,
            "read": _read,
            "export": _export,
            "handout": _hand_out,
            "report": _report,
            "script": _script,
            "again": _again,
            "help": _help,
            "places": _places,
            "plan": _plan,
            "ledger": _ledger,
            "desktop": _desktop,
            "release": _release,
            "verify": _verify,
        }
        if not words or words[0] not in doing:
            parsing.known_word(words[:1], doing)
            return _window(words)
        status = doing[words[0]](words[1:])
        sys.stdout.flush()  # here a full disk can still be told of
        return status
    except KeyboardInterrupt:
        return 130  # as shells have it for what Ctrl+C ends
    except BrokenPipeError:
        _let_go()
        return 0
    except OSError as error:  # of files it is told before by those who write them
        _let_go()
        why = because(error)
        told = error.filename or tr(N_("The output could not be written"))
        return _fail(shown(say("{told}: {why}.", told=told, why=why)))
    except Exception as error:
        if _expected(error):
            return _fail(told_of(error))
        raise


def _let_go() -> None:
    """Nothing that is left is written to the output as the program ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _expected(error: Exception) -> bool:
    from dpstudio.files.ledgers.amounts import LedgerError
    from dpstudio.files.manual import NoPageError
    from dpstudio.files.session import SessionError
    from dpstudio.files.tables import TableError
    from dpstudio.files.write.leaving import StaysError
    from dpstudio.labs.scripting.scripted import NoScript
    from dpstudio.values.parameters import ParamError

    known = (
        LedgerError
        | NoPageError
        | NoScript
        | ParamError
        | SessionError
        | StaysError
        | TableError
        | parsing.UsageError
    )
    return isinstance(error, known)


def _fail(sentence: str) -> int:
    print(f"dpstudio: {sentence}", file=sys.stderr)
    return 2


_NO_SCREEN = N_(
    "there is no screen to open a window on. Start it in a desktop session, with xvfb-run, or use: "
    "dpstudio run explore --json"
)


def _window(words: list[str]) -> int:
    given = parsing.window_parser().parse_args(words)
    if given.beside and str(given.file).endswith(".dptalk"):
        raise parsing.UsageError(say("A talk brings the tables of its steps: leave --beside out."))
    if sys.platform.startswith("linux") and not any(
        os.environ.get(n) for n in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    ):
        return _fail(tr(_NO_SCREEN))
    from dpstudio.gui.door import open_window

    return open_window(given.file, given.beside)


def _run(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help"):
        from dpstudio.cli.help import run_help

        print(run_help())
        return 0
    stated = _stated(words, parsing.run_parser)
    if stated is None:
        return 0
    kind, lab, data, given = stated
    hidden, leaves = _hidden(lab, given), _leaves(lab, given)
    second = None
    if given.beside:
        if kind.page().second is None:
            text = N_("“{lab}” reads no second table: leave --beside out.")
            raise parsing.UsageError(say(text, lab=kind.key))
        second = beside(given.beside, given.read_beside, hidden=hidden, leaves=leaves)
    if given.ledger:
        _name_ledger(lab, data, given)
    return _answer(lab, data, given, second)


Stated = tuple["type[Lab]", "Lab", "Dataset", argparse.Namespace]


def _stated(words: list[str], parser: Callable[[str], parsing.Parser]) -> Stated | None:
    """The state that the words after a command say, with the table that it reads; None where they
    ask for help alone."""
    from dpstudio.labs import LABS
    from dpstudio.labs.naming import lab_kind, successor_of_words
    from dpstudio.values.parameters import ParamError

    if parsing.PLACE in words:
        from dpstudio.cli.placing import words_of_place

        words = words_of_place(words)
    was = successor_of_words(words)
    try:
        kind = lab_kind(was.lab)
    except ParamError:
        known = listed(about.key for about in LABS)
        text = N_("There is no lab “{asked}”; there are: {known}.")
        raise parsing.UsageError(say(text, asked=words[0], known=known)) from None
    given = _lab_words(kind, words[1:], parser)
    if given is None:
        return None
    from dpstudio.cli.loading import given as loaded
    from dpstudio.data.codebook import codebook_words
    from dpstudio.labs.worded import with_words

    lab = with_words(kind(), given.settings, was, loaded)
    unit = {"each_row": given.each_row, "people": given.people}
    book = codebook_words(given.about, given.person, given.most, **unit)
    _publishes(lab, given)
    hidden, leaves = _hidden(lab, given), _leaves(lab, given)
    if needed(lab, hidden=hidden):
        data = told(opened(given.data, given.read, leaves=leaves), book, leaves=leaves)
    else:
        data = any_table()
    return kind, _started(lab, data, given, leaves=leaves), data, given


def _name_ledger(lab: Lab, data: Dataset, given: argparse.Namespace) -> None:
    """What leaves of the table is booked there from now on."""
    from dpstudio.files.ledgers.own import known_beside, name_ledger
    from dpstudio.labs.question import reads_table

    if not _leaves(lab, given) or not reads_table(lab):
        text = N_(
            "--ledger is for what leaves of a table: give --without-truth or --publish with it."
        )
        raise parsing.UsageError(say(text))
    name_ledger(data.origin, Path(given.ledger))
    for message in known_beside(data.origin, Path(given.ledger)):
        print(f"dpstudio: {shown(message)}", file=sys.stderr)


def _started(lab: Lab, data: Dataset, given: argparse.Namespace, *, leaves: bool) -> Lab:
    """The lab with columns of the table in the place of Adult's: those whose role was told; and the
    likeliest, where nothing leaves and it could not be answered else. What was typed stays."""
    from dpstudio.cli.loading import given as loaded
    from dpstudio.labs.naming import path_today
    from dpstudio.labs.role_columns import told
    from dpstudio.labs.worded import with_words
    from dpstudio.values.parameters import ParamError, get, put

    kept: dict[str, Any] = {}
    for word in given.settings:
        path = path_today(word.partition("=")[0].strip(), lab)
        with suppress(AttributeError):  # of a kind that another was typed after
            kept[path] = get(lab, path)
    made = told(lab, data, looking=not leaves)
    for path, value in kept.items():
        made = made if hasattr(value, "key") else put(made, path, value)
    if leaves or not any(problem.stops for problem in made.problems(data)):
        return made if leaves or kept else made.suited(data)
    # What fits may change what was typed; then it is typed on the page as it opens.
    typed = partial(with_words, words=given.settings, given=loaded)
    for suited in (made.suited, lambda data: typed(type(lab)().suited(data))):
        with suppress(AttributeError, ParamError):
            found = suited(data)
            if all(_named(get(found, path)) == _named(value) for path, value in kept.items()):
                return found
    return made


def _named(value: Any) -> Any:
    """A value, or the name of what has parameters of its own."""
    return getattr(value, "key", value)


def _publishes(lab: Lab, given: argparse.Namespace) -> None:
    """Raise UsageError where a table is to be published, and the lab makes none: before anything
    is drawn for it."""
    if given.publish and lab.page().publishes is None:
        text = N_("“{lab}” makes no table for others: leave --publish out.")
        raise parsing.UsageError(say(text, lab=lab.key))


def _hidden(lab: Lab, given: argparse.Namespace) -> bool:
    """Whether the call is for what may leave: then no word of it depends on the rows. Also where
    the parameter says so: noise from a known seed could be subtracted again."""
    return given.without_truth or not getattr(lab, "show_truth", True)


def _leaves(lab: Lab, given: argparse.Namespace) -> bool:
    """Whether the call is for what leaves, with the exact answer or without: then how tables are
    read is told, and no status follows from that."""
    return bool(given.publish) or _hidden(lab, given)


def _lab_words(
    kind: type[Lab], words: list[str], parser: Callable[[str], parsing.Parser] = parsing.run_parser
) -> argparse.Namespace | None:
    if "-h" in words or "--help" in words:
        from dpstudio.cli.help import lab_help

        print(lab_help(kind))
        return None
    return parser(kind.key).parse_intermixed_args(words)


def _answer(
    lab: Lab, data: Dataset, given: argparse.Namespace, second: Dataset | None = None
) -> int:
    from dpstudio.files.tables import example
    from dpstudio.values.lines import padded
    from dpstudio.values.messages import in_turn

    if given.paper is not None and not given.out:
        print(f"dpstudio: {tr(_NO_FIGURE)}", file=sys.stderr)
    if given.publish and not _hidden(lab, given):
        from dpstudio.files.write.published import may_publish

        may_publish(lab, data, second)
    if _hidden(lab, given):
        left = _left(lab, data)
        lab, data, findings = left.lab, left.data, left.findings
    else:
        findings = _seen(lab, data, second)
        say_changed(() if given.publish else (data, second))
    stops = [p for p in findings.problems if p.stops]
    if stops and not (given.publish and example(data.origin) is None):
        return _fail(shown(in_turn(p.say for p in stops)))
    if given.publish or given.out:
        for path in _files(findings, lab, data, given):
            print(path)
        return 0
    if given.json:
        from dpstudio.files.language import for_programs
        from dpstudio.files.write.export import leaving, provenance
        from dpstudio.files.write.jsonout import findings_json

        print(
            json.dumps(
                {**provenance(lab, data), **findings_json(leaving(findings, lab), for_programs())},
                ensure_ascii=False,
                allow_nan=False,
            )
        )
        return 0
    for fact in findings.facts:
        label, text = padded(shown(fact.label), 32), padded(shown(fact.text), 24)
        print(f"{label} {text} {shown(fact.note)}")
    print()
    for problem in findings.problems:
        print(f"! {shown(problem.say)}")
    for sentence in findings.sentences:
        print(shown(sentence.say))
    return 0


def _seen(lab: Lab, data: Dataset, second: Dataset | None) -> Findings:
    """What a lab finds, as a window would show it."""
    from dpstudio.files.deployments import deployments
    from dpstudio.files.machine import MACHINE
    from dpstudio.labs.context import SECOND, Context

    tables = {SECOND: second} if second is not None else {}
    with costs_told(), waiting() as tell:
        return lab.last(
            Context(data, tables, machine=MACHINE, progress=tell, deployments=deployments)
        )


_NO_FIGURE = N_("--paper is of figures, which --out DIR alone writes: it is ignored.")


def _files(findings: Findings, lab: Lab, data: Dataset, given: argparse.Namespace) -> list[Path]:
    """What is written of it, to the folder that was named."""
    if given.publish:
        from dpstudio.files.ledger import Ledger, ledger_path
        from dpstudio.files.write.published import publish

        return publish(findings, lab, data, Path(given.publish), Ledger(ledger_path()))
    from dpstudio.files.write.export import export_findings
    from dpstudio.gui.door import headless_pictures

    folder = Path(given.out)
    look = {"dark": given.dark, "paper": paper_of(given), "translate": tr}
    return export_findings(findings, lab, data, folder, headless_pictures(), **look)


def _left(lab: Lab, data: Dataset) -> Left:
    from dpstudio.files.ledger import Ledger, ledger_path
    from dpstudio.files.write.leaving import leave

    left = leave(lab, data, Ledger(ledger_path()))
    for each in left.told:
        print(f"dpstudio: {shown(each)}", file=sys.stderr)
    return left


def _desktop(words: list[str]) -> int:
    from dpstudio.cli.desktop import put_or_removed

    return put_or_removed(words)


def _ledger(words: list[str]) -> int:
    from dpstudio.cli.booking import ledger

    return ledger(words)


def _plan(words: list[str]) -> int:
    from dpstudio.cli.planning import planned

    return planned(words)


def _release(words: list[str]) -> int:
    from dpstudio.cli.releasing import released

    return released(words)


def _verify(words: list[str]) -> int:
    from dpstudio.cli.verifying import checked

    return checked(words)


def _places(words: list[str]) -> int:
    """Print the places of the texts, one a line: all, or those that the words name."""
    from dpstudio.cli.placing import place_lines

    for line in place_lines(" ".join(parsing.places_parser().parse_args(words).place)):
        print(line)
    return 0


def _read(words: list[str]) -> int:
    """Print how a table is read, as words of --read for what leaves without the exact answer."""
    from dpstudio.cli.tables import told_reading

    given = parsing.read_parser().parse_args(words)
    print(told_reading(given.table, given.read))
    return 0


def _tell_other_rows(session: Session) -> None:
    """Which follows from the session alone."""
    from dpstudio.files.session import other_rows
    from dpstudio.values.messages import render

    if (why := other_rows(session)) is not None:
        print(f"dpstudio: {render(why)}", file=sys.stderr)


def _export(words: list[str]) -> int:
    from dpstudio.files.session import read_session

    given = parsing.export_parser().parse_args(words)
    if not (given.out or given.publish or given.json):
        raise parsing.UsageError(say("Say where to with --out DIR, --publish DIR, or --json."))
    session = read_session(Path(given.session))
    lab = session.lab(session.active)
    _publishes(lab, given)
    hidden, leaves = _hidden(lab, given), _leaves(lab, given)
    _tell_other_rows(session)
    if needed(lab, hidden=hidden):
        data = opened(session.table, given.read, session.reading, leaves=leaves)
        if not hidden:  # its status would tell of the rows
            unchanged(session.table, session.digest, data)
        data = described(data, session.codebook, leaves=leaves)
    else:
        data = any_table()
    second, held = None, session.second
    if held is not None and lab.page().second is not None:
        words = given.read_beside
        second = beside(held.table, words, held.reading, hidden=hidden, leaves=leaves)
        if second is not None:
            unchanged(held.table, held.digest, second)
    if given.ledger:
        _name_ledger(lab, data, given)
    return _answer(lab, data, given, second)


def _hand_out(words: list[str]) -> int:
    from dpstudio.cli.printing import handed_out

    handed_out(_on_paper(parsing.hand_out_parser().parse_args(words)))
    return 0


def _script(words: list[str]) -> int:
    """Print a script that makes the numbers of a state again, or write it."""
    from dpstudio.cli.scripting import of_session, scripted

    if words and words[0].endswith(".dpstudio"):
        return of_session(words)
    if not words or words[0] in ("-h", "--help"):
        return _run(words[:1])
    stated = _stated(words, parsing.script_parser)
    if stated is None:
        return 0
    _, lab, data, given = stated
    if given.second:
        text = N_("A script reads one table: leave out --beside and --read-beside.")
        raise parsing.UsageError(say(text))
    return scripted(lab, data, given)


def _report(words: list[str]) -> int:
    from dpstudio.cli.printing import reported

    reported(_on_paper(parsing.report_parser().parse_args(words)))
    return 0


def _again(words: list[str]) -> int:
    from dpstudio.cli.making_again import made_again

    return made_again(words)


def _on_paper(given: argparse.Namespace) -> argparse.Namespace:
    """The words of a call that writes pages. Raises UsageError for another kind of file."""
    if Path(given.out).suffix.lower() not in (".html", ".pdf"):
        text = N_("It is written as .html or .pdf: say which with --out FILE.")
        raise parsing.UsageError(say(text))
    return given


def _help(words: list[str]) -> int:
    from dpstudio.files.manual import manual_page, manual_pages

    given = parsing.help_parser().parse_args(words)
    if given.page:
        print(manual_page(given.page).said, end="")
        return 0
    wide = max(len(page.key) for page in manual_pages())
    for page in manual_pages():
        print(f"{page.key:{wide}}  {page.headed[0]}")
    return 0
