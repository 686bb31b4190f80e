"""Hand-outs: a talk on paper. Each step with its chart as vectors, its sentence, its parameters and
its question, in one HTML file that needs no network and no script, or as the pages of a PDF.

What answers a question may be left out, folded behind it, or stand at the end: `SOLUTIONS`."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import unescape
from typing import Any

from dpstudio import __version__
from dpstudio.charts.figure import Figure
from dpstudio.data.dataset import Dataset
from dpstudio.files.talk import SUFFIX, Ask, Step, Talk, file_name, talk_json, told
from dpstudio.files.write import a4, html_page
from dpstudio.files.write.export import caption, made_with, metadata
from dpstudio.files.write.palette import palette
from dpstudio.files.write.svg import figure_svg
from dpstudio.files.write.svg_text import escaped
from dpstudio.files.write.text_width import text_width, wrapped
from dpstudio.labs import Lab
from dpstudio.labs.findings import Findings
from dpstudio.values.messages import (
    N_,
    Message,
    Num,
    Translate,
    cited,
    joint,
    render,
    say,
    unchanged,
)

# The height of a chart in px: two steps with a few lines each share a page.
CHART = 320.0
# Where what answers a question stands: nowhere, behind a fold that a reader opens (HTML), or after
# all questions.
SOLUTIONS = NONE, FOLDED, LAST = "none", "folded", "last"
_ROOM = 3  # lines to write an answer on


@dataclass(frozen=True, eq=False)
class Played:
    """A step that was worked out: the lab and the rows as they may be shown, what it finds, and
    what its draws cost."""

    lab: Lab
    data: Dataset
    findings: Findings
    told: tuple[Message, ...] = ()


@dataclass(frozen=True)
class Sheet:
    """One step on paper: its words, its chart as SVG text ("" where it has none), and what stands
    below it. A question is in the language of the reader. Of a sheet that `answers` one, its own or
    an earlier one, words, chart and what stands below are part of the solution."""

    title: str
    words: str
    chart: str
    below: tuple[str, ...] = ()
    ask: Ask | None = None
    answer: str = ""
    answers: bool = False

    @property
    def question(self) -> Sheet:
        """What may be read before the answer is known."""
        return replace(self, words="", chart="", below=(), answer="")


def answering(sheets: Sequence[Sheet], talk: Talk) -> list[Sheet]:
    """The sheets of a talk, each with whether it answers: what is seen on a page after a question
    was asked there does, whatever its words are, and so does, on any page, what has the answer in
    its words or in its chart: of a number that is asked for later, too, which stands there for no
    other reason. A step that hides the exact answer is not looked through for one that rows gave:
    that it is there, or is not, would tell it."""
    asked, out = set[type[Lab]](), list[Sheet]()
    answers = [
        (place, sheet.answer, number := not sheet.ask.options, number and not step.hides)
        for place, (sheet, step) in enumerate(zip(sheets, talk.steps, strict=True))
        if sheet.ask is not None and sheet.answer
    ]
    for place, (sheet, step) in enumerate(zip(sheets, talk.steps, strict=True)):
        if sheet.ask is not None:
            asked.add(type(step.lab))
        said = " ".join((sheet.words, *sheet.below))
        whole = f"{said} {_written(sheet.chart)}"
        seen = f"{said} {_written(re.sub('<metadata>.*?</metadata>', '', sheet.chart))}"
        tells = any(
            _holds(whole, answer) or any(_holds(seen, form) for form in _forms(answer))
            for at, answer, number, exact in answers
            if (number or at <= place) and not (step.hides and exact)
        )
        out.append(replace(sheet, answers=tells or type(step.lab) in asked))
    return out


def _forms(answer: str) -> tuple[str, ...]:
    """How an answer may be written: as it is, and a number of at least three digits, which stands
    nowhere by chance, also without its sign and without commas."""
    found = re.search(r"\d[\d,]*(?:\.\d+)?", answer)
    bare = found[0] if found is not None and sum(map(str.isdigit, found[0])) > 2 else answer
    return bare, bare.replace(",", "")


def _written(chart: str) -> str:
    """The words in a drawing."""
    return unescape(re.sub(r"<[^>]*>", " ", chart))


def _holds(text: str, answer: str) -> bool:
    """Whether an answer stands in a text, not as a part of a longer word or number."""
    return re.search(rf"(?<![\w.,]){re.escape(answer)}(?![\w]|[.,]\d)", text) is not None


def _looked_at(step: Step, findings: Findings) -> Figure | None:
    """The chart of a step; the first, as on the screen, where no chart or table has that key, so
    also where it is gone since the talk was made."""
    figures = {figure.key: figure for figure in findings.figures}
    if step.chart in {table.key for table in findings.tables} - figures.keys():
        return None
    return figures.get(step.chart) or next(iter(figures.values()), None)


def sheet_of(step: Step, played: Played, translate: Translate = unchanged) -> Sheet:
    """A step as a sheet; where nothing is said of it, with what its lab says first."""
    lab, data, findings = played.lab, played.data, played.findings
    words, chart, below = told(translate(step.say), lab, findings, translate), "", [""]
    if not words and findings.headline:
        words = render(findings.sentence(findings.headline[0]).say, translate)
    figure = _looked_at(step, findings)
    if figure is not None:
        hidden = frozenset(step.hidden.get(figure.key, ()))
        made, size = metadata(figure, lab, data, hidden), (a4.ROOM, CHART)
        look: dict[str, Any] = {"translate": translate, "hidden": hidden, "metadata": made}
        chart = figure_svg(figure, palette(False, printed=True), *size, **look)
        below = [
            caption(figure, lab, data, translate, titled=True),
            cited(figure.source, translate),
        ]
    beside = figure.beside if figure is not None else None
    below.insert(1, made_with(lab, data, translate, beside))
    ask = step.ask
    if ask is not None:
        options = tuple(map(translate, ask.options))
        ask = Ask(translate(ask.text), options, ask.right, ask.fact)
    kept = tuple(line for line in below if line)
    return Sheet(translate(step.title), words, chart, kept, ask, _answer(ask, findings, translate))


def _answer(ask: Ask | None, findings: Findings, translate: Translate) -> str:
    """What is right."""
    if ask is None:
        return ""
    if ask.options:
        return ask.options[ask.right]
    fact = next((fact for fact in findings.facts if fact.key == ask.fact), None)
    return "" if fact is None else render(fact.text, translate)


def talk_bytes(talk: Talk) -> bytes:
    """The file of a talk, to be attached."""
    return json.dumps(talk_json(talk), ensure_ascii=False).encode()


def attached_name(talk: Talk) -> str:
    """What an attached talk is called."""
    return file_name(talk.name) + SUFFIX


# HTML

_STYLE = """
.ask { background: #f7f7f5; padding: .6rem 1rem; } .last { break-before: page; }
summary { margin: .6rem 0; }
"""


def handout_html(
    talk: Talk,
    pages: Sequence[Sheet],
    language: str = "en",
    translate: Translate = unchanged,
    solutions: str = FOLDED,
) -> str:
    """The hand-out as one HTML file, with the talk itself attached unless that would tell what is
    right."""
    words = {name: escaped(translate(text)) for name, text in _WORDS.items()}
    words["gap"] = joint(translate)
    link = "data:application/json;base64," + b64encode(talk_bytes(talk)).decode()
    name, about = escaped(attached_name(talk)), escaped(translate(talk.about))
    attached = f'{words["gap"]}<a download="{name}" href="{link}">{words["attached"]}</a>'
    sections = "\n".join(_sections(pages, words, solutions))
    foot = escaped(render(say("Made with dpstudio {version}.", version=__version__), translate))
    foot += attached if attaches(pages, solutions) else ""
    body = f"<p>{about}</p>\n{sections}"
    return html_page.page(translate(talk.name), body, foot, language, _STYLE)


_WORDS = {
    "attached": N_("The talk itself, to open in dpstudio"),
    "ask": N_("Before you look:"),
    "right": N_("Answer"),
    "seen": N_("What is seen"),
    "last": N_("Solutions"),
}


def attaches(sheets: Sequence[Sheet], solutions: str) -> bool:
    """Whether the talk goes with its hand-out: its file holds what is right."""
    return solutions != NONE or not any(sheet.ask for sheet in sheets)


def _sections(sheets: Sequence[Sheet], words: dict[str, str], solutions: str) -> Iterator[str]:
    numbered = list(enumerate(sheets, 1))
    for number, sheet in numbered:
        shown, behind = sheet, ""
        if sheet.answers:
            shown = sheet.question
            if solutions == FOLDED:
                why = words["right" if sheet.ask else "seen"]
                behind = _folded(why, f"{_answered(sheet)}{_drawn(number, sheet)}")
        if not sheet.answers or sheet.ask or behind:
            asked = _asked(number, shown, words)
            yield f"<section>{asked}{_drawn(number, shown)}{behind}</section>"
    if solutions == LAST and (late := [(n, sheet) for n, sheet in numbered if sheet.answers]):
        yield f'<h2 class="last">{words["last"]}</h2>'
        for number, sheet in late:
            drawn = f"{_answered(sheet)}{_drawn(number, sheet)}"
            yield f"<section>{_titled(number, sheet)}\n{drawn}</section>"


def _titled(number: int, sheet: Sheet) -> str:
    return f"<h2>{number} · {escaped(sheet.title)}</h2>"


def _asked(number: int, sheet: Sheet, words: dict[str, str]) -> str:
    """The title of a sheet, and its question."""
    if sheet.ask is None:
        return _titled(number, sheet)
    options = "".join(f"<li>{escaped(option)}</li>" for option in sheet.ask.options)
    listed = f'<ol type="a">{options}</ol>' if options else ""
    text = f"<strong>{words['ask']}</strong>{words['gap']}{escaped(sheet.ask.text)}{listed}"
    return f'{_titled(number, sheet)}\n<div class="ask">{text}</div>'


def _answered(sheet: Sheet) -> str:
    return f"<p><strong>{escaped(sheet.answer)}</strong></p>" if sheet.answer else ""


def _drawn(number: int, sheet: Sheet) -> str:
    """What is said and drawn on a sheet; nothing where that is held back."""
    said = f"<p>{escaped(sheet.words)}</p>" if sheet.words else ""
    below = "<br>".join(map(escaped, sheet.below))
    if not (sheet.chart or below):
        return said
    figure = f"{inline(sheet.chart, number)}\n<figcaption>{below}</figcaption>"
    return f"{said}\n<figure>{figure}</figure>"


def _folded(words: str, body: str) -> str:
    """What is read when it is asked for."""
    return f"<details><summary>{words}</summary>{body}</details>"


def inline(chart: str, number: int | str) -> str:
    """A drawing as a part of a page: told by its title and description to who does not see it."""
    drawing = chart.partition("?>")[2].strip()
    named = f'<svg role="img" aria-labelledby="t{number} d{number}"'
    drawing = re.sub(r'<svg xmlns="[^"]*" version="1.1"', named, drawing, count=1)
    drawing = drawing.replace("<title>", f'<title id="t{number}">', 1)
    return drawing.replace("<desc>", f'<desc id="d{number}">', 1)


# Pages of paper


def page_svgs(
    talk: Talk, sheets: Sequence[Sheet], translate: Translate = unchanged, solutions: str = LAST
) -> Iterator[str]:
    """The sheets as pages of A4, two on one where they fit, solutions on pages of their own; at the
    foot stand the talk and the page. Paper does not fold: ValueError."""
    if solutions == FOLDED:
        raise ValueError("paper does not fold")
    name, numbered = translate(talk.name), list(enumerate(sheets, 1))
    asked = [(n, one.question if one.answers else one) for n, one in numbered]
    asked = [(n, one) for n, one in asked if one.ask or not one.answers]
    pages = _paged(a4.head(name, translate(talk.about)), [_block(n, one) for n, one in asked])
    late = [(n, replace(one, ask=None)) for n, one in numbered if one.answers]
    if late and solutions == LAST:
        head = a4.head(translate(_WORDS["last"]), "")
        pages += _paged(head, [_block(n, one) for n, one in late])
    for number, page in enumerate(pages, 1):
        foot = say("{name} · {n} of {count}", name=name, n=Num(number), count=Num(len(pages)))
        yield a4.page(page, render(foot, translate))


def _paged(head: a4.Block, blocks: list[a4.Block]) -> list[list[a4.Block]]:
    """Blocks page by page, the first below the head."""
    (above, down), ((first, high), *rest) = head, blocks or [([], 0.0)]
    start = [*above, f'<g transform="translate(0 {down:.1f})">', *first, "</g>"]
    pages: list[list[a4.Block]] = [[(start, down + high)]]
    for block in rest:
        room = a4.HEIGHT - 2 * a4.MARGIN - sum(high + a4.GAP for _, high in pages[-1])
        if len(pages[-1]) == 2 or block[1] > room:
            pages.append([])
        pages[-1].append(block)
    return pages


def _block(number: int, sheet: Sheet) -> a4.Block:
    """A sheet as SVG elements from (0, 0) on, and its height in px: title, question, sentence,
    chart, and what stands below it."""
    inks, room, out, y = palette(False, printed=True), a4.ROOM, list[str](), 0.0

    def lines(text: str, size: float, ink: str, weight: int = 400) -> None:
        nonlocal y
        for line in wrapped(text, size, room, weight > 400):
            y += size * a4.LINE
            out.append(a4.text(line, y, size, inks[ink], weight))
        y += 0.3 * size if text else 0.0

    lines(f"{number} · {sheet.title}", a4.TITLE, "text", 600)
    if sheet.ask is not None:
        lines(sheet.ask.text, a4.TEXT, "text", 500)
        lettered = zip("abcdefghijklmnopqrstuvwxyz", sheet.ask.options, strict=False)
        options = [f"{letter}) {option}" for letter, option in lettered]
        short = "\u2003 ".join(options)
        for line in [short] if text_width(short, a4.TEXT) < room else options:
            lines(line, a4.TEXT, "muted")
        y += 0 if sheet.words or sheet.chart else _ROOM * a4.TEXT * a4.LINE
    lines(sheet.answer, a4.TEXT, "text", 600)
    lines(sheet.words, a4.TEXT, "text")
    if sheet.chart:
        out.append(f'<g transform="translate(0 {y + 4:.1f})">{inside(sheet.chart)}</g>')
        y += 4 + CHART
    for line in sheet.below:
        lines(line, a4.SMALL, "muted")
    return out, y


def inside(chart: str) -> str:
    """The elements of a drawing: renderers do not agree on an SVG within an SVG, but they do on a
    group."""
    inside = chart[chart.index("<svg ") :].partition(">")[2].rpartition("</svg>")[0]
    return re.sub(r"<(title|desc|metadata)>.*?</\1>", "", inside, flags=re.DOTALL)
