"""The manual: every page can be read, every link of it leads somewhere, and what follows from the
program is as the program is."""

import re
from pathlib import Path

import pytest
from manual import CHINESE, HELP, made
from manual_chinese import made_chinese

from dpstudio import cli
from dpstudio.files import language, manual
from dpstudio.labs import LABS

LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
# What was made here for what the field has a word for.
AVOIDED = (
    r"told right|tells \S+ right|averaging sees|\bsurest|made-up|commonest|trusted holder|\blet out"
    r"|turn(s rows|ed) back|likeness|less false|blind(ly)? dr|read right|pass(es)? ε"
)
OUTSIDE = ("http://", "https://", "mailto:")


def links(page: manual.ManualPage) -> list[str]:
    """Where a page leads to, but for places beyond this machine."""
    found = LINK.findall(CODE.sub("", page.text))
    return [link for link in found if not link.startswith(OUTSIDE)]


def target(page: manual.ManualPage, link: str) -> Path:
    return (page.path.parent / (link.partition("#")[0] or page.path.name)).resolve()


def test_pages_that_follow_from_the_program_are_as_it_is() -> None:
    """And there is no other page of parameters: one of a lab that is gone."""
    for root, pages in ((HELP, made()), (CHINESE, made_chinese())):
        for where, text in pages.items():
            path = root / where
            held = path.read_text(encoding="utf-8") if path.is_file() else ""
            assert held == text, f"{path}: refresh it with python tests/manual.py"
        there = {path.relative_to(root).as_posix() for path in root.glob("use/parameters/*.md")}
        assert there <= set(pages)


def test_every_page_is_reached_from_the_index() -> None:
    """By links alone, as a person who reads goes; one that names a heading finds it there. (That
    all of them lead somewhere: test_front_door.py.)"""
    known = {page.path.resolve(): page for page in manual.manual_pages()}
    seen, waiting = set[str](), [manual.manual_page(manual.INDEX)]
    while waiting:
        page = waiting.pop()
        if page.key in seen:
            continue
        seen.add(page.key)
        for link in links(page):
            to, wanted = known.get(target(page, link)), link.partition("#")[2]
            waiting += [to] if to else []
            assert not wanted or (to and wanted in map(manual.anchor, manual.headings(to.text))), (
                page.key,
                link,
            )
    assert {page.key for page in manual.manual_pages()} == seen


def test_every_page_has_one_title_that_no_other_has() -> None:
    titles = [page.title for page in manual.manual_pages()]
    assert len(set(titles)) == len(titles), sorted(titles)
    for page in manual.manual_pages():
        assert page.text.startswith(f"# {page.text.splitlines()[0][2:]}\n"), page.key
        assert page.title not in ("", page.key), page.key
        assert len(set(page.headings)) == len(page.headings), page.key


def test_pages_are_read_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["help"]) == 0
    listed = capsys.readouterr().out
    for page in manual.manual_pages():
        assert f"{page.key} " in listed
        assert cli.main(["help", page.key]) == 0
        assert capsys.readouterr().out == page.text
    assert cli.main(["help", "no such page"]) == 2
    assert "dpstudio help" in capsys.readouterr().err


def test_the_nearest_page_of_a_name_is_meant() -> None:
    """A lab's own page, and not that of its parameters; the latter by more of its name."""
    for about in LABS:
        assert manual.manual_page(f"parameters/{about.key}").key == f"use/parameters/{about.key}"
        assert manual.manual_page(f"{about.key}.md").key.endswith(f"/{about.key}")
    with pytest.raises(manual.NoPageError):
        manual.manual_page("")


def test_headings_are_read_as_they_are_shown() -> None:
    """No mark of Markdown in them, and nothing of code that looks like one."""
    text = "# A *title*\n\n```sh\n# no heading\n```\n\n## The `key` of [a page](a.md#b) #\n####### none\n"
    assert manual.headings(text) == ["A title", "The key of a page"]
    assert manual.anchor("The key of ε, or δ") == "the-key-of-ε-or-δ"


def test_what_is_said_is_said_in_the_words_of_a_lecture() -> None:
    """Neither a message nor a page of the manual has a phrase that was made here for what the field
    has a word for; what people may type for it is found all the same."""
    catalogue = HELP.parent / "translations/dpstudio.pot"
    told = {"messages": catalogue.read_text(encoding="utf-8").replace('"\n"', "")}
    told |= {str(path): path.read_text(encoding="utf-8") for path in (HELP / "use").rglob("*.md")}
    lines = [(name, line) for name, text in told.items() for line in text.split("\n")]
    assert len(lines) > 10_000
    found = [each for each in lines if re.search(AVOIDED, each[1], re.I)]
    assert [each for each in found if not each[1].startswith("- Also: ")] == []


def test_a_page_is_read_in_the_language_in_force() -> None:
    """And the charts that it tells of are the same, in the same order."""
    english = {about.key: manual.charts_told(f"use/{about.key}") for about in LABS}
    before = language.written(language.spoken())
    language.use(language.written(language.CHINESE))
    try:
        for about in LABS:
            told = manual.charts_told(f"use/{about.key}")
            assert len(told) == len(english[about.key]), about.key
            assert all(map(re.compile("[一-鿿]").search, told.values())), about.key
    finally:
        language.use(before)
