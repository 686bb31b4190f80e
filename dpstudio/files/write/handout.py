"""Hand-outs: a talk on paper. Each step with its chart as vectors, its sentence, its parameters and
its question, in one HTML file that needs no network and no script, or as the pages of a PDF."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from dpstudio import __version__
from dpstudio.data.dataset import Dataset
from dpstudio.files.talk import SUFFIX, Ask, Step, Talk, talk_json, told
from dpstudio.files.write.export import chart_svg
from dpstudio.files.write.palette import palette
from dpstudio.files.write.svg import FONTS, escaped, wrapped
from dpstudio.labs import Lab
from dpstudio.labs.findings import Findings
from dpstudio.values.messages import N_, Num, Translate, render, say, unchanged

# A sheet of A4 in px at 96 dpi, and the margin around what stands on it.
WIDTH, HEIGHT, MARGIN = 793.7, 1122.5, 60.0
_TITLE, _TEXT, _LINE = 22.0, 14.0, 1.45
# Runs a step: (the lab and the rows as they may be shown, what it finds).
Play = Callable[[Step], tuple[Lab, Dataset, Findings]]


@dataclass(frozen=True)
class Sheet:
    """One step on paper: its words, and its chart as SVG text ("" where it has none)."""

    title: str
    words: str
    chart: str
    ask: Ask | None = None
    answer: str = ""


def sheets(talk: Talk, play: Play, translate: Translate = unchanged) -> Iterator[Sheet]:
    """The steps of a talk as sheets, each when it has been worked out."""
    for step in talk.steps:
        lab, data, findings = play(step)
        words = told(step.say, lab, findings, translate)
        chart = ""
        figures = [f for f in findings.figures if step.chart in ("", f.key)]
        if figures:
            hidden = frozenset(step.hidden.get(figures[0].key, ()))
            chart = chart_svg(figures[0], lab, data, hidden=hidden, translate=translate)
        answer = _answer(step.ask, findings, translate)
        yield Sheet(step.title, words, chart, step.ask, answer)


def _answer(ask: Ask | None, findings: Findings, translate: Translate) -> str:
    """What is right."""
    if ask is None:
        return ""
    if ask.options:
        return ask.options[ask.right]
    try:
        return render(findings.fact(ask.fact).text, translate)
    except KeyError:
        return ""


# HTML

_STYLE = f"""
:root {{ color-scheme: light; }}
body {{ font: 16px/1.5 {FONTS}; color: #1b1e22; background: #fff; max-width: 46rem;
        margin: 2rem auto; padding: 0 1rem; }}
h1 {{ font-size: 1.8rem; line-height: 1.2; }} h2 {{ font-size: 1.25rem; margin: 0 0 .4rem; }}
section {{ break-inside: avoid; padding: 1.4rem 0; border-top: 1px solid #e4e3df; }}
svg {{ width: 100%; height: auto; }} .ask {{ background: #f7f7f5; padding: .6rem 1rem; }}
.muted, footer {{ color: #5c6066; font-size: .85rem; }}
@media print {{ body {{ margin: 0; max-width: none; }} section {{ break-after: page; }} }}
"""


def handout_html(
    talk: Talk, pages: Sequence[Sheet], language: str = "en", translate: Translate = unchanged
) -> str:
    """The hand-out as one HTML file, with the talk itself attached."""
    words = {name: escaped(translate(text)) for name, text in _WORDS.items()}
    whole = json.dumps(talk_json(talk), ensure_ascii=False).encode()
    link = "data:application/json;base64," + b64encode(whole).decode()
    name = escaped((talk.name or "talk") + SUFFIX)
    body = "\n".join(
        _section(number, sheet, words, translate) for number, sheet in enumerate(pages, 1)
    )
    return (
        f'<!DOCTYPE html>\n<html lang="{escaped(language)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        # Nothing is ever fetched, whoever opens the file.
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">\n"
        f"<title>{escaped(talk.name)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{escaped(talk.name)}</h1>\n<p>{escaped(talk.about)}</p>\n{body}\n"
        f"<footer><p>{words['made']} {escaped(__version__)}. "
        f'<a download="{name}" href="{link}">{words["attached"]}</a></p></footer>\n'
        "</body>\n</html>\n"
    )


_WORDS = {
    "made": N_("Made with dpstudio"),
    "attached": N_("The talk itself, to open in dpstudio"),
    "ask": N_("Before you look:"),
    "right": N_("Answer"),
}


def _section(number: int, sheet: Sheet, words: dict[str, str], translate: Translate) -> str:
    asked = ""
    if sheet.ask is not None:
        options = "".join(f"<li>{escaped(translate(o))}</li>" for o in sheet.ask.options)
        listed = f'<ol type="a">{options}</ol>' if options else ""
        asked = (
            f'<div class="ask"><strong>{words["ask"]}</strong> {escaped(sheet.ask.text)}{listed}'
            f"<details><summary>{words['right']}</summary>{escaped(sheet.answer)}</details></div>"
        )
    # Without its declaration the drawing is a part of the page.
    drawing = sheet.chart.partition("?>")[2] if sheet.chart.startswith("<?xml") else sheet.chart
    figure = f"<figure>{drawing}</figure>" if drawing else ""
    title = f"<h2>{number} · {escaped(sheet.title)}</h2>"
    return f"<section>{title}\n{asked}<p>{escaped(sheet.words)}</p>\n{figure}</section>"


# Pages of paper


def page_svg(
    talk: Talk, sheet: Sheet, number: int, count: int, translate: Translate = unchanged
) -> str:
    """One sheet of A4 as SVG: title, question, sentence and chart, and at its foot the talk and the
    page."""
    inks, room = palette(False), WIDTH - 2 * MARGIN
    out, y = list[str](), MARGIN

    def lines(text: str, size: float, ink: str, weight: int = 400) -> None:
        nonlocal y
        for line in wrapped(text, size, room, weight > 400):
            y += size * _LINE
            out.append(
                f'<text x="{MARGIN}" y="{y:.1f}" font-size="{size}" font-weight="{weight}" '
                f'fill="{inks[ink]}">{escaped(line)}</text>'
            )
        y += 0.4 * size if text else 0.0

    lines(sheet.title, _TITLE, "text", 600)
    if sheet.ask is not None:
        lines(translate(sheet.ask.text), _TEXT, "text", 500)
        for letter, option in zip("abcdefgh", sheet.ask.options, strict=False):
            lines(f"{letter})  {translate(option)}", _TEXT, "muted")
    lines(sheet.words, _TEXT, "text")
    if sheet.chart:
        out.append(_placed(sheet.chart, y + 8, room, HEIGHT - MARGIN - 40 - y))
    foot = say("{name} · {n} of {count}", name=talk.name, n=Num(number), count=Num(count))
    out.append(
        f'<text x="{MARGIN}" y="{HEIGHT - MARGIN / 2:.1f}" font-size="11" fill="{inks["muted"]}">'
        f"{escaped(render(foot, translate))}</text>"
    )
    size = f'width="{WIDTH}" height="{HEIGHT}"'
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" '
        f'version="1.1" {size} viewBox="0 0 {WIDTH} {HEIGHT}" font-family="{FONTS}">\n'
        f'<rect x="0" y="0" {size} fill="{inks["surface"]}"/>\n' + "\n".join(out) + "\n</svg>\n"
    )


def _placed(chart: str, top: float, width: float, height: float) -> str:
    """A drawing within another, as wide as there is room: renderers do not agree on an SVG within
    an SVG, but they do on a group."""
    head, _, rest = chart[chart.index("<svg ") :].partition(">")
    inside = rest.rpartition("</svg>")[0]
    for part in ("title", "desc", "metadata"):
        before, _, after = inside.partition(f"<{part}>")
        inside = before + after.partition(f"</{part}>")[2] if after else inside
    wide, high = (float(head.partition(f'{side}="')[2].partition('"')[0]) for side in _SIDES)
    scale = min(width / wide, height / high)
    return f'<g transform="translate({MARGIN} {top:.1f}) scale({scale:.4f})">{inside}</g>'


_SIDES = ("width", "height")
