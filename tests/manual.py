"""The pages of the manual that follow from the program: what the command line takes, every key, the
list of labs, and every parameter. test_manual.py and test_gui_manual.py compare them.

python tests/manual.py        writes them anew
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from dpstudio.cli import parsing
from dpstudio.cli.help import default_text
from dpstudio.files.glossary import PAGE, PARTS, Term, glossary
from dpstudio.files.manual import anchor
from dpstudio.labs import QUESTIONS, About, Lab
from dpstudio.labs.naming import by_question
from dpstudio.labs.worded import started
from dpstudio.values.messages import render
from dpstudio.values.parameters import (
    Choice,
    Domain,
    OneOf,
    Parameters,
    Role,
    domains,
    roles,
    settings,
)

ASSETS = Path(__file__).parent.parent / "assets"
HELP, CHINESE = ASSETS / "help", ASSETS / "translations/zh_CN/help"
MADE = "<!-- Made by tests/manual.py from the program. -->"


def page(title: str, *lines: str) -> str:
    return "\n".join([f"# {title}", "", *lines, "", MADE, ""])


# The command line

COMMANDS = (
    (parsing.window_parser(), "Opens the window."),
    (parsing.run_parser("LAB"), "Runs one lab without a window, and prints what it says."),
    (parsing.read_parser(), "Prints how a table is read: the whole option --read, to be pasted."),
    (parsing.export_parser(), "Writes the charts of a saved session."),
    (parsing.hand_out_parser(), "Writes a talk or a lesson on paper."),
    (parsing.report_parser(), "Writes what the pages of a saved session show, and what they cite."),
    (parsing.script_parser("LAB"), "Writes the state of a lab as a script that makes its numbers."),
    (parsing.notebook_parser(), "Writes the pages of a session as a notebook."),
    (parsing.again_parser(), "Makes a figure again, and says whether its numbers are the same."),
    (
        parsing.ledger_parser(),
        "Keeps what one population was asked, below a cap. It opens no table.",
    ),
    (parsing.plan_parser(), "Plans several questions under one budget. It opens no table."),
    (parsing.release_parser(), "Releases a solved plan: booked, drawn exactly, then shown."),
    (parsing.verify_parser(), "Tells whether a certificate, or its ledger, was changed."),
    (parsing.places_parser(), "Lists the places of the texts, each with the state that shows it."),
    (parsing.desktop_parser(), "Puts the program among others on a desktop of Linux."),
    (parsing.help_parser(), "Reads this manual."),
)


def command_line() -> str:
    lines = [
        "The program opens a window. It also runs every lab without one: the same findings, as "
        "text, as JSON, or as files. Nothing it does needs a network.",
        "",
        "It ends with 0 when all went well, with 2 when something in the call is to be mended, and "
        "says what on the error output. [Parameters](parameters.md) tells what each lab takes, and [Without a window](examples.md) has a command for each.",
    ]
    for parser, what in COMMANDS:
        words = [a for a in parser._actions if not a.option_strings]
        usage = [parser.prog, *(_placed(a) for a in words)]
        lines += ["", f"## {parser.prog}", "", what, "", "```", " ".join(usage), "```", ""]
        lines += [_option(action) for action in parser._actions if _told(action)]
    return page("The command line", *lines)


def _told(action: argparse.Action) -> bool:
    return "--help" not in action.option_strings and action.help != argparse.SUPPRESS


def _placed(action: argparse.Action) -> str:
    name = str(action.metavar or action.dest.upper())
    return {"?": f"[{name}]", "*": f"[{name} …]"}.get(str(action.nargs), name)


def _option(action: argparse.Action) -> str:
    name = " ".join([*action.option_strings, str(action.metavar or "")]).strip()
    needed = " It must be given." if action.required and action.option_strings else ""
    return f"- `{name or action.dest.upper()}`: {action.help}.{needed}"


# Keys

# What parts of the window take themselves, where they have the focus; no action has these.
WITHIN = (
    ("Tab", "Go to the next control; with Shift to the one before."),
    ("← and →", "On a chart: move its point, with Shift ten steps; or go from dot to dot."),
    ("Enter", "On a chart with dots: take the dot that is ringed."),
    ("Space", "On the first chart: play simulated answers."),
    ("← and →", "On the border of the panel: make it wider or narrower."),
    ("Shift", "Held while a file is dropped: open it beside the table that is open."),
)
PRESENTING = (
    ("Esc", "Go back to the window."),
    ("Page Down and Page Up", "Turn to the next chart or the one before."),
    ("← and →", "Lower or raise ε."),
    ("L", "Hold the axes where they are, or let them follow."),
)
TALKING = (
    ("Page Down and Page Up", "Go to the next step or the one before."),
    ("N", "Show the speaker's notes."),
)
READING = (
    ("Alt+Left and Alt+Right", "Go back to the page before, and forward again."),
    ("Ctrl+F", "Search all of it; Enter goes to the next place."),
    ("Ctrl+P", "Print the page."),
    ("Esc", "Close the manual."),
)


def keys(window: QWidget) -> str:
    """The keys of a window that is open, read from its actions."""
    acts = [act for act in window.findChildren(QAction) if not act.shortcut().isEmpty()]
    # Others are of a talk that is open, or of a page that somebody turned to.
    cuts = [c for c in window.findChildren(QShortcut) if c.parent() is window and c.isEnabled()]
    rows = [(_keys(*act.shortcuts()), act.text()) for act in acts]
    rows += [(_keys(cut.key()), cut.whatsThis()) for cut in cuts]
    lines = ["Every key of the window. Keys of menus stand beside their entries there, too."]
    listed = [
        ("Everywhere", sorted((key, f"{what.removesuffix(' …')}.") for key, what in rows)),
        ("Where the focus is", WITHIN),
        ("While a chart is presented", PRESENTING),
        ("While a talk is open", TALKING),
        ("In the manual", READING),
    ]
    for head, told in listed:
        lines += ["", f"## {head}", "", "| Key | What it does |", "|---|---|"]
        lines += [f"| {key} | {what} |" for key, what in told]
    return page("Keys", *lines)


def _keys(*sequences: QKeySequence) -> str:
    return ", ".join(s.toString(QKeySequence.SequenceFormat.PortableText) for s in sequences)


# Labs and their parameters


def labs() -> str:
    lines = ["What can be set in each lab, in the window or by `name=value` without one."]
    for group, abouts in by_question().items():
        lines += ["", f"## {QUESTIONS[group].label}", ""]
        lines += [f"- [{each.label}](parameters/{each.key}.md)" for each in abouts]
    return page("Parameters", *lines)


def parameters(about: About) -> str:
    kind = about.kind
    lab = kind()
    lines = [
        f"{about.asks} {about.help}",
        "",
        f"The window shows these under the names in bold. `dpstudio run {about.key} name=value` "
        "sets them. [Parameters of other labs](../parameters.md)",
        "",
    ]
    family: list[str] = []
    for name, domain in domains(kind).items():
        start = default_text(getattr(lab, name), domain)
        lines.append(_entry(name, domain, roles(kind)[name], kind, start))
        if isinstance(domain, OneOf):
            family += ["", f"## {domain.label}", "", *_family(kind, name, domain)]
    return page(f"Parameters of {about.label}", *lines, *family)


def _entry(
    name: str,
    domain: Domain,
    role: Role | None,
    kind: type[Parameters],
    start: str | None,
    of: str = "",
) -> str:
    """A line on a parameter; one without a `start` follows from others."""
    what = f" {render(domain.help)}" if domain.help else ""
    may = f" {_may(domain, not of)}" + (f" in {domain.unit}" if domain.unit else "")
    empty = start in ("", "none") and not has_word(domain, "none")
    starts = "" if start is None else "; starts empty" if empty else f"; starts as `{start}`"
    return f"- **{domain.label}**, `{name}`{of}.{what}{may}{starts}.{_only(role, kind, name)}"


def has_word(domain: Domain, word: str) -> bool:
    return isinstance(domain, Choice) and word in domain.words


def _may(domain: Domain, below: bool) -> str:
    if isinstance(domain, OneOf) and below:
        return "One of the kinds below"
    if isinstance(domain, OneOf):
        return f"One of {', '.join(f'`{kind.key}` ({kind.label})' for kind in domain.family())}"
    if isinstance(domain, Choice):
        words = [f"`{key}` ({label})" for key, label in domain.words.items() if key]
        return f"One of {', '.join(words)}"
    text = render(domain.describe())
    return text[:1].upper() + text[1:]


def _only(role: Role | None, kind: type[Parameters], name: str) -> str:
    path, values = used_while(role, kind, name)
    return f" Used only while `{path}` is {' or '.join(values)}." if path else ""


def used_while(role: Role | None, kind: type[Parameters], name: str) -> tuple[str, list[str]]:
    """The other parameter on which it depends whether this has a part, and what that must be."""
    if role is None or not role.active_when or role.active_when[0] not in domains(kind):
        return "", []
    other = role.active_when[0]
    outer = name.rpartition(".")[0]
    path = f"{outer}.{other}" if outer else other
    return path, [f"`{domains(kind)[other].show(v) or 'none'}`" for v in role.active_when[1:]]


def _family(lab: type[Lab], name: str, domain: OneOf) -> Iterator[str]:
    for member in domain.family():
        source = f" ({member.source})" if member.source else ""
        yield f"- `{name}={member.key}`: {member.label}{source}."
    held = once(lab, name, domain, _entry)
    if held:
        yield from ("", "Parameters of these kinds:", "")
    for entry, keys_ in held:
        yield entry.replace("{of}", f", of {', '.join(keys_)}" if keys_ else "", 1)


def once(
    lab: type[Lab], name: str, domain: OneOf, told: Callable[..., str]
) -> list[tuple[str, list[str]]]:
    """Each parameter of a family, once for all members that have it alike: what is `told` of it,
    and of which members it is, where not of all."""
    members = domain.family()
    held: dict[str, dict[str, list[str]]] = {}
    for member in members:
        start = started(lab, name, member)
        for inner, of in settings(member).items():
            if getattr(start, inner) is None and inner in member.solved:
                continue
            text = None if inner in member.solved else default_text(getattr(start, inner), of)
            entry = told(f"{name}.{inner}", of, roles(member).get(inner), member, text, "{of}")
            held.setdefault(inner, {}).setdefault(entry, []).append(f"`{member.key}`")
    return [
        (entry, [] if len(keys_) == len(members) else keys_)
        for alike in held.values()
        for entry, keys_ in alike.items()
    ]


# Terms


def terms() -> dict[str, str]:
    """All terms by name, and those of each part with what is said of them."""
    lines = ["Every term of the field that the program shows. F1 on a control says the same."]
    for part, title in PARTS.items():
        held = sorted((t for t in glossary() if t.part == part), key=lambda t: t.name.casefold())
        links = [f"[{t.name}](glossary/{part}.md#{anchor(t.name)})" for t in held]
        lines += ["", f"## {title}", "", " · ".join(links)]
    pages = {f"{PAGE}.md": page("Terms", *lines)}
    for part, title in PARTS.items():
        told = [line for t in glossary() if t.part == part for line in _term(t)]
        head = "[All terms](../glossary.md). What opens a term stands as words of `dpstudio run`."
        pages[f"{PAGE}/{part}.md"] = page(f"Terms: {title}", head, *told)
    return pages


def _term(term: Term) -> list[str]:
    given = f", {term.given}" if term.given else ""
    return [
        *("", f"## {term.name}", "", term.says, ""),
        f"- Formula: `{term.formula}`{given}",
        f"- Source: {term.source}",
        f"- See it: `{term.see}`",
        f"- Also: {', '.join(term.names[1:])}",
    ]


def made() -> dict[str, str]:
    """The text of each page that needs no window, by its path below the manual."""
    every = [about for abouts in by_question().values() for about in abouts]
    pages = {f"use/parameters/{about.key}.md": parameters(about) for about in every}
    return {"use/command-line.md": command_line(), "use/parameters.md": labs(), **terms(), **pages}


def _window() -> QWidget:
    from PySide6.QtTest import QTest

    from dpstudio.gui.shell.app import make_app, make_window

    make_app()
    window = make_window()
    window.show()
    while window.studio is None:
        QTest.qWait(50)
    return window


def write(root: Path, pages: dict[str, str]) -> None:
    """Write pages below `root`; what is there of a lab that is gone goes."""
    for old in (root / "use/parameters").glob("*.md"):
        old.unlink()
    for where, text in pages.items():
        path = root / where
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    os.environ["DPSTUDIO_SETTINGS"] = os.environ["DPSTUDIO_DRAFTS"] = os.devnull
    from manual_chinese import made_chinese

    write(HELP, {**made(), "use/keys.md": keys(_window())})
    write(CHINESE, made_chinese())
    sys.stdout.flush()
    os._exit(0)  # the window has a table to read yet, for which nobody waits
