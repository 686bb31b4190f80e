"""The manual's page of each lab: it says what the screen says, and its numbers are those that the
commands beside them print."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from running import read_once

from dpstudio.cli import main
from dpstudio.files import asking
from dpstudio.labs import LABS, QUESTIONS, About
from dpstudio.values.messages import render

ROOT = Path(__file__).parents[1]
USE = ROOT / "assets" / "help" / "use"
PARTS = (
    "What you see",
    "Try first",
    "What it says, and what it does not",
    "What leaves",
    "Formula",
    "See also",
)
MOST_WORDS = 30
NUMBER = re.compile(r"(?<![\w.])\d(?:[\d,]*\d)?(?:\.\d+)?")
LABELS = [pytest.param(about, id=about.key) for about in LABS]


def _page(about: About) -> str:
    return (USE / f"{about.key}.md").read_text(encoding="utf-8")


def _parts(page: str) -> dict[str, str]:
    heads = [(m.group(1), m.start(), m.end()) for m in re.finditer(r"^## (.+)$", page, re.M)]
    ends = [start for _, start, _ in heads[1:]] + [len(page)]
    return {name: page[end:stop] for (name, _, end), stop in zip(heads, ends, strict=True)}


def _paragraphs(text: str) -> list[str]:
    """The paragraphs without code, each in one line; items of a list are paragraphs."""
    plain = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    blocks = re.split(r"\n\s*\n|\n(?=- )", plain)
    return [" ".join(block.split()) for block in blocks if block.strip()]


def _said(printed: str) -> set[str]:
    """What a command printed: each line, and each run of whole sentences in it."""
    said = set()
    for line in printed.splitlines():
        words = " ".join(line.removeprefix("! ").split())
        cuts = [0, *(m.end() for m in re.finditer(r"(?<=[.:]) (?=\S)", words)), len(words) + 1]
        for at, begin in enumerate(cuts):
            said |= {words[begin : end - 1] for end in cuts[at + 1 :]}
    return said


@pytest.mark.parametrize("about", LABELS)
def test_a_page_opens_as_the_screen_does(about: About) -> None:
    lines = [line for line in _page(about).splitlines() if line]
    assert lines[:2] == [f"# {render(about.label)}", f"**{render(about.asks)}**"]
    opening = " ".join(_page(about).partition("\n## ")[0].split())
    assert f"On the left it stands under *{render(QUESTIONS[about.question].label)}*" in opening
    assert opening.endswith(f"`{about.key}`.")
    assert tuple(_parts(_page(about))) == PARTS
    assert 25 <= len(_page(about).splitlines()) <= 60


def test_no_page_is_of_a_lab_that_is_not_there() -> None:
    """A page with the parts of a lab's page is one of a lab."""
    of_labs = {
        path.stem for path in USE.glob("*.md") if "\n## Try first\n" in path.read_text("utf-8")
    }
    assert of_labs == {about.key for about in LABS}


@pytest.mark.parametrize("about", LABELS)
def test_a_page_says_what_its_commands_print(
    about: About, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each line that begins with an arrow is printed by the command above it, and every number of
    the part is printed, or typed in a command."""
    monkeypatch.setattr(asking, "open_with_report", read_once)
    part = _parts(_page(about))["Try first"]
    blocks = re.findall(r"^```sh\n(.*?)\n```\n(.*?)(?=^```sh|\Z)", part, flags=re.M | re.S)
    assert len(blocks) >= 2
    known: set[str] = set()
    for command, after in blocks:
        words = shlex.split(command)
        assert words[:3] == ["dpstudio", "run", about.key]
        assert not set(re.sub('"[^"]*"', "", command)) & set("|&;<>()$`\\'*?[]#~!\n")  # as typed
        assert main(words[1:]) == 0
        said = _said(capsys.readouterr().out)
        quoted = [each[2:] for each in _paragraphs(after) if each.startswith("→ ")]
        assert quoted
        assert [each for each in quoted if each not in said] == []
        known |= set(NUMBER.findall(" ".join((*said, *words))))
    assert [n for each in _paragraphs(part) for n in NUMBER.findall(each) if n not in known] == []


def test_pages_name_charts_that_there_are() -> None:
    """What stands in bold at the head of an item of “What you see” is a title in the program."""
    known, forms = _titles()
    for about in LABS:
        part = _parts(_page(about))["What you see"]
        named = [
            " ".join(each.split()) for each in re.findall(r"^- \*\*(.+?)\*\*", part, re.M | re.S)
        ]
        assert len(named) >= 2, about.key
        strange = [each for each in named if each not in known and not any(f(each) for f in forms)]
        assert strange == [], about.key


def _titles() -> tuple[set[str], list[Callable[[str], object]]]:
    """Every text of the program; and those with values in them that are mostly words, as forms."""
    template = (ROOT / "assets" / "translations" / "dpstudio.pot").read_text(encoding="utf-8")
    texts = re.findall(r'^msgid(?:_plural)? ((?:".*"\n)+)', template, flags=re.M)
    known = {re.sub(r'"\n"|^"|"\n$', "", text).replace('\\"', '"') for text in texts}
    words = [re.split(r"\{\w+\}", each) for each in known if "{" in each and len(each) < 60]
    mostly = [parts for parts in words if sum(map(len, parts)) >= 6]
    return known, [re.compile(".+".join(map(re.escape, parts))).fullmatch for parts in mostly]


@pytest.mark.parametrize("about", LABELS)
def test_a_page_is_read_at_once(about: About) -> None:
    """No sentence of its own is long."""
    for each in _paragraphs(_page(about)):
        if each.startswith(("→", "#")):
            continue
        for sentence in re.split(r"(?<=[.:;?!]) ", each):
            assert len(sentence.split()) <= MOST_WORDS, sentence


def test_said_knows_whole_sentences_only() -> None:
    said = _said("! One is 1. Two is 2: yes.\nName   1.5    note")
    assert {"One is 1.", "Two is 2: yes.", "One is 1. Two is 2: yes.", "Name 1.5 note"} <= said
    assert not {"is 1.", "Two", "Name"} & said
