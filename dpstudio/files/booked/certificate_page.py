"""A certificate as a page: HTML that fetches nothing, or sheets of paper. It says what the JSON
says, which is inside, and nothing else."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from dpstudio.files.booked.certificate import LABELS
from dpstudio.files.write import a4, html_page
from dpstudio.files.write.svg_text import escaped
from dpstudio.plans.exact import in_short
from dpstudio.plans.published import SUMMED, TOTAL
from dpstudio.plans.question import Histogram
from dpstudio.values.messages import (
    N_,
    Message,
    Num,
    Translate,
    in_turn,
    noted,
    plain,
    render,
    say,
    unchanged,
    with_name,
)

ATTACHED = "certificate.json"
_UNITS = {"": N_("±{n}"), "rows": N_("±{n:# row|# rows}"), "ranks": N_("±{n:# rank|# ranks}")}

_WORDS = {
    "title": N_("Certificate of a release"),
    "drawn": N_("Drawn by"),
    "paid": N_("Paid"),
    "asks": N_("Asked"),
    "attested": N_("Attested by"),
    "from": N_("Known from"),
    "entry": N_("Entry of the ledger"),
    "snapshot": N_("State of the table"),
    "confirmed": N_("What it loses is confirmed by"),
    "withdrawn": N_("Withdrawn"),
    "drew": N_("Drawn by the user"),
    "eyes": N_("Four eyes"),
    "planned": N_("Planned by"),
    "approved": N_("Approved by"),
    "promise": N_("The promise"),
    "charged": N_("Charged for the plan"),
    "means": N_("For one person"),
    "next": N_("From now on"),
    "by": N_("Accountant"),
    "neighbours": N_("Hides"),
    "population": N_("Population"),
    "cap": N_("Cap"),
    "raised": N_("Raised to"),
    "spent": N_("Spent in all when this was written"),
    "left": N_("Left when this was written"),
    "by_then": N_("Spent by then"),
    "hash": N_("Hash of the ledger"),
    "plan": N_("Digest of the plan"),
    "program": N_("Made with dpstudio"),
    "uncovered": N_("What it does not cover"),
    "stated": N_("Stated by the steward, and not checked"),
    "rows": N_("No row of the table is in this page."),
    "number": N_("Number"),
    "half": N_("Half-width"),
    "attach": N_("The same as JSON, for dpstudio verify"),
}
Rows = list[tuple[str, str]]


def lead(held: dict[str, Any], translate: Translate = unchanged) -> Rows:
    """What a reader asks first: about whom it is, and what it cost each of them."""
    charged = held["plan"]["charged"]
    cost = {name: in_short(Fraction(charged[name])) for name in ("epsilon", "delta")}
    rho = Num(float(Fraction(charged["rho"])), 5, "up")  # as the plan says it; the JSON has all
    paid = render(say("ε = {epsilon}, δ = {delta}; Σρ = {rho}", **cost, rho=rho), translate)
    named = [("population", held["ledger"]["population"]), ("charged", paid)]
    named += zip(("means", "next"), held.get("means", ()), strict=False)  # old ones say neither
    return [(translate(_WORDS[name]), text) for name, text in named]


def parts(held: dict[str, Any], translate: Translate = unchanged) -> Iterator[tuple[str, Rows]]:
    """What stands on it after its questions, part by part: a title, and lines of a name and what it
    is."""
    words = {name: translate(text) for name, text in _WORDS.items()}
    plan, ledger = held["plan"], held["ledger"]
    first, *raised = ledger["caps"]
    yield (
        words["promise"],
        [
            (words["neighbours"], render(in_turn(map(plain, plan["protects"])), translate)),
            (words["by"], plan["charged"]["accountant"]),
            (words["cap"], first["says"]),
            *((words["raised"], render(_raised(cap), translate)) for cap in raised),
            (words["spent"], ledger["spent"]),
            (words["left"], ledger["left"]),
            (words["hash"], ledger["hash"]),
            (words["plan"], plan["digest"]),
            (words["program"], held["program"]),
        ],
    )
    if approval := held.get("approval"):
        rows = [("planned", approval["planned"]), ("approved", approval["approved"])]
        yield (
            words["eyes"],
            [*((words[name], text) for name, text in rows), ("", approval["says"])],
        )
    yield words["uncovered"], [("", each) for each in held["not_covered"]]
    said = [(translate(LABELS[name]), text) for name, text in held["stated"].items() if text]
    if said:
        yield words["stated"], said


def _raised(cap: dict[str, Any]) -> Message:
    told = say("{cap}, because: {why}", cap=cap["says"], why=cap["because"])
    return noted(told, with_name(say(_WORDS["by_then"]), plain(cap["spent_by_then"])))


def asked_rows(question: dict[str, Any], translate: Translate = unchanged) -> Rows:
    """Of one question what was asked, drawn, paid and attested."""
    words = {name: translate(text) for name, text in _WORDS.items()}
    found = [(name, text) for name, text in question["asks"].items()]
    found += [
        (words["drawn"], question["mechanism"]),
        (words["paid"], question["pays"]),
        (words["attested"], question["attested_by"]),
        (words["from"], question["from"]),
    ]
    if "entry" in question:
        found.append((words["entry"], f"{question['entry']}, {question['drawn_at']}"))
        found += [("", each) for each in question["interval"]]
    if kept := question.get("snapshot"):
        found.append((words["snapshot"], kept["says"]))
    if question.get("confirmed_by"):
        found.append((words["confirmed"], question["confirmed_by"]))
    if question.get("drawn_by"):
        found.append((words["drew"], question["drawn_by"]))
    if question.get("withdrawn"):
        found.append((words["withdrawn"], question["withdrawn"]))
    return found


_STYLE = """
table { border-collapse: collapse; width: 100%; } td, th { padding: .15rem .6rem .15rem 0;
        border-bottom: 1px solid #eeedea; text-align: left; vertical-align: top;
        font-weight: 400; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
.facts th { color: #5c6066; width: 11rem; } .facts td { overflow-wrap: anywhere; }
"""


def certificate_html(held: dict[str, Any], text: str, language: str, translate: Translate) -> str:
    """The page, with the `text` of the JSON attached."""
    sections = [
        f"<section><h2>{escaped(q['name'])}</h2>\n{_numbers(q, translate)}"
        f"{_facts(asked_rows(q, translate))}</section>"
        for q in held["questions"]
    ]
    sections += [
        f"<section><h2>{escaped(name)}</h2>\n{_facts(rows)}</section>"
        for name, rows in parts(held, translate)
    ]
    inside = b64encode(text.encode()).decode()
    link = f'<a download="{ATTACHED}" href="data:application/json;base64,{inside}">'
    attached = f"{link}{escaped(translate(_WORDS['attach']))}</a>"
    foot = f"{escaped(translate(_WORDS['rows']))} {attached}"
    body = "\n".join([_facts(lead(held, translate)), *sections])
    return html_page.page(translate(_WORDS["title"]), body, foot, language, _STYLE)


def _facts(rows: Rows) -> str:
    lines = (
        f"<tr><th>{escaped(name)}</th><td>{escaped(text)}</td></tr>"
        if name
        else f'<tr><td colspan="2">{escaped(text)}</td></tr>'
        for name, text in rows
    )
    return f'<table class="facts">{"".join(lines)}</table>'


def _numbers(question: dict[str, Any], translate: Translate) -> str:
    lines = [
        f"<tr><td>{escaped(label)}</td><td class='n'>{escaped(value)}</td>"
        f"<td class='n'>{escaped(half)}</td><td>{escaped(flag)}</td></tr>"
        for label, value, half, flag in _cells(question, translate)
    ]
    if not lines:
        return ""
    heads = (escaped(translate(_WORDS[name])) for name in ("number", "half"))
    head = "".join(f"<th class='n'>{each}</th>" for each in heads)
    return f"<table><tr><th></th>{head}<th></th></tr>{''.join(lines)}</table>"


def _cells(question: dict[str, Any], translate: Translate) -> Iterator[tuple[str, str, str, str]]:
    for cell in question.get("numbers", ()):
        half = render(say(_UNITS[cell["unit"]], n=cell["half"]), translate)
        labels = [_label(question, cell, label, translate) for label in cell["labels"]]
        yield " · ".join(labels), cell["value"], half, translate(cell["flag"])


def _label(question: dict[str, Any], cell: dict[str, Any], label: str, translate: Translate) -> str:
    """A word of the table as it is; ours, of a total or of a bin, in the language."""
    if label == TOTAL and cell["method"] == SUMMED:
        return translate(N_("Total"))
    low, joint, high = label.partition(" to ")
    if question["kind"] == Histogram.key and joint:
        return translate(N_("{low} to {high}")).format(low=low, high=high)
    return label


def certificate_sheets(held: dict[str, Any], translate: Translate = unchanged) -> Iterator[str]:
    """The same as pages of A4, each an SVG text."""
    title = translate(_WORDS["title"])
    about = [a4.row(*each) for each in lead(held, translate)]
    groups = [[a4.head(title, translate(_WORDS["rows"])), *about, ([], a4.GAP)]]
    for question in held["questions"]:
        cells = [
            (label or translate(_WORDS["number"]), " ".join((value, *more)))
            for label, value, *more in _cells(question, translate)
        ]
        groups.append([*_lines(question["name"], [*cells, *asked_rows(question, translate)])])
    groups += [[*_lines(name, rows)] for name, rows in parts(held, translate)]
    whole = a4.HEIGHT - 2 * a4.MARGIN
    pages, room = list[list[a4.Block]](), 0.0
    for group in groups:
        need = sum(high for _, high in group) - a4.GAP
        if room < need <= whole:  # what has room on one sheet is not parted
            room = 0.0
        for drawn, high in group:
            if high > room and drawn:
                pages.append([])
                room = whole
            pages[-1].append((drawn, high - a4.GAP))  # which a page leaves between blocks
            room -= high
    for number, page in enumerate(pages, 1):
        foot = say("{name} · {n} of {count}", name=title, n=Num(number), count=Num(len(pages)))
        yield a4.page(page, render(foot, translate))


def _lines(name: str, rows: Rows) -> Iterator[a4.Block]:
    """A title, and below it names with what they are."""
    out, high = a4.lines(name, a4.TITLE, "text", 600)
    yield out, high + a4.GAP / 2
    for each in rows:
        yield a4.row(*each)
    yield [], a4.GAP
