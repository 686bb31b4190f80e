"""Hand-outs and reports in Chinese, on the web and on paper: no sentence of English, and no word
over the edge of its page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from marks import english
from running import LEAST, opened, speaking

from dpstudio.files import handing_out, reporting
from dpstudio.files.assets import asset
from dpstudio.files.handing_out import Tables
from dpstudio.files.language import CHINESE, tr
from dpstudio.files.session import Session
from dpstudio.files.talk import read_talk
from dpstudio.files.write import a4, handout
from dpstudio.files.write.citation import sources
from dpstudio.files.write.text_width import text_width
from dpstudio.gui.board.render import FigureImages, headless
from dpstudio.labs import LABS
from dpstudio.labs.naming import lab_kind


def told(page: str) -> Iterator[str]:
    """What is written on a page."""
    page = re.sub(r"<(metadata|style|script|desc)\b.*?</\1>", "", page, flags=re.S)
    yield from (unescape(each).strip() for each in re.split("<[^>]*>", page))


def over(page: str) -> Iterator[str]:
    """The lines of text that reach over the margin of their page at the right or at its foot; those
    in charts are measured elsewhere."""

    def within(part: ElementTree.Element, x: float, y: float) -> Iterator[str]:
        for each in part:
            kind = each.tag.partition("}")[2]
            moved = re.match(r"translate\(([-\d.]+) ([-\d.]+)\)", each.get("transform", ""))
            chart = {"path", "rect", "line"} & {one.tag.partition("}")[2] for one in each}
            if kind == "g" and moved and not chart:
                yield from within(each, x + float(moved[1]), y + float(moved[2]))
            elif kind == "text":
                said, size = "".join(each.itertext()), float(each.get("font-size", 0))
                wide = text_width(said, size, bold=each.get("font-weight", "") == "600")
                seen.append(said)
                if x + float(each.get("x", 0)) + wide > a4.WIDTH - a4.MARGIN + 0.5:
                    yield said
                if y + float(each.get("y", 0)) > a4.HEIGHT - a4.MARGIN / 2 + 0.5:
                    yield said

    seen = list[str]()
    yield from within(ElementTree.fromstring(page), 0.0, 0.0)
    assert len(seen) > 2


def nobody(*_: object) -> None:
    """Nobody listens."""


@pytest.mark.parametrize("path", sorted(asset("lessons").glob("*.dptalk")), ids=lambda p: p.stem)
def test_a_hand_out_is_chinese(path: Path) -> None:
    headless()
    talk = read_talk(path)
    none: Any = None
    with speaking(CHINESE):
        made = handing_out._sheets(talk, Tables(), none, LEAST, nobody, nobody, tr)
        sheets = handout.answering(list(made), talk)
        web = handout.handout_html(talk, sheets, CHINESE, tr, handout.FOLDED)
        paper = list(handout.page_svgs(talk, sheets, tr, handout.LAST))
    assert {text for page in (web, *paper) for text in told(page) if english(text)} == set()
    assert [text for page in paper for text in over(page)] == []


def test_a_report_of_every_page_is_chinese(tmp_path: Path) -> None:
    headless()
    data = opened("adult")
    # The table of one names deployments as they name themselves.
    labs = tuple(lab_kind(each.key)().suited(data) for each in LABS if each.key != "decide")
    session = Session(data.origin, data.digest, labs, labs[0].key)
    out, none = tmp_path / "report.html", None
    given: dict[str, Any] = {"pages": [lab.key for lab in labs], "language": CHINESE}
    with speaking(CHINESE):
        reporting.write_report(
            session, out, Tables(), none, FigureImages(), effort=LEAST, translate=tr, **given
        )
    page = out.read_text(encoding="utf-8")
    assert page.count("<h2") >= len(labs)
    references = {one.said for one in sources()}  # by their titles
    assert {text for text in told(page) if english(text)} - references == set()
