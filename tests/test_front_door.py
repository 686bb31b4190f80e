"""What a reader meets first: README, dpstudio/README.md and the help. What they name is there, what
they quote is what the program says, and they are short.

`python tests/test_front_door.py` writes the tables of labs anew.
"""

import re
import shlex
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest
from running import lab_of
from test_architecture import FILES, FLOORS

from dpstudio.labs import QUESTIONS
from dpstudio.labs.naming import by_question

ROOT = Path(__file__).parent.parent
HELP = ROOT / "assets" / "help"
FRONT, INDEX = ROOT / "README.md", HELP / "README.md"
HOUSE = ROOT / "dpstudio" / "README.md"
PAGES = {p.relative_to(ROOT).as_posix(): p for p in (FRONT, HOUSE, *sorted(HELP.rglob("*.md")))}
# Those written for who changes the program, in which every name in backticks is one of the code.
BUILT = [page for page in PAGES if page.startswith(("dpstudio/", "assets/help/build/"))]
NAMED = [*BUILT, *(page for page in PAGES if page.startswith("assets/help/add/"))]
LINES, WORDS, PAGE_LINES = 150, 25, 120

FENCE = re.compile(r"^```.*?^```\n", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"``(.+?)``|`([^`\n]+)`")
# A file or a folder of the repository; one with a word in capitals stands for any.
FILE = re.compile(r"(?:[\w.-]+/)+[\w.-]*")
TYPED = re.compile(r"(?<![\w./-])(?:assets|dpstudio|tests)/[\w./-]*\w")
ANY = re.compile(r"\b[A-Z]{2,}\b(?!\.md)")
LABS = re.compile(r"(<!-- labs -->\n).*?(\n<!-- end of labs -->)", re.DOTALL)


@cache
def text(page: str) -> str:
    return PAGES[page].read_text(encoding="utf-8")


def prose(page: str) -> str:
    """A page without its blocks of code and its comments."""
    return re.sub(r"<!--.*?-->", "", FENCE.sub("", text(page)), flags=re.DOTALL)


def code(page: str) -> list[str]:
    """What stands in backticks."""
    return [one or other for one, other in CODE.findall(prose(page))]


def sentences(page: str) -> list[str]:
    """Those of paragraphs, entries, headings and cells; a link is its words."""
    plain = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", prose(page))
    starts = r"\n\s*\n|\n(?=#)|\n(?=\s*(?:[-*] |\d+\. |\|))|(?<=\|)"
    parts = [" ".join(part.split()) for part in re.split(starts, plain)]
    return [one for part in parts for one in re.split(r"(?<=[.?!])[*_”)]*\s+", part)]


def words(sentence: str) -> int:
    return sum(any(map(str.isalnum, word)) for word in sentence.split())


def labs_table(page: str) -> str:
    """Every lab in the order of the window: its group and what that asks, its name and the question
    that it answers."""
    rows = ["| group | lab | its question |", "|---|---|---|"]
    for key, labs in by_question().items():
        shown = [f"{QUESTIONS[key].label}: {QUESTIONS[key].asks}", "more"]
        for lab in labs:
            head = shown.pop(0) if len(shown) > (0 if lab.more else 1) else ""
            rows.append(f"| {head} | {_linked(page, lab.key, lab.label)} | {lab.asks} |")
    return "\n".join(rows) + "\n"


def _linked(page: str, key: str, label: str) -> str:
    """The name of a lab, which leads to its page where it has one."""
    at = HELP / "use" / f"{key}.md"
    if not at.exists():
        return label
    here = PAGES[page].parent
    return f"[{label}]({at.relative_to(here).as_posix()})"


def test_the_readme_is_read_in_five_minutes() -> None:
    assert len(text("README.md").splitlines()) <= LINES
    assert not [one for one in sentences("README.md") if words(one) > WORDS]


@pytest.mark.parametrize("page", BUILT)
def test_a_page_is_for_one_task(page: str) -> None:
    assert len(text(page).splitlines()) <= PAGE_LINES


@pytest.mark.parametrize("page", [page for page in PAGES if LABS.search(text(page))])
def test_the_labs_are_those_of_the_program(page: str) -> None:
    """Written anew by `python tests/test_front_door.py`."""
    assert f"<!-- labs -->\n{labs_table(page)}\n<!-- end" in text(page)


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_names_is_there(page: str) -> None:
    """Files and folders in backticks or typed in a command, from the root; links and pictures, from
    the page."""
    for named in code(page):
        if FILE.fullmatch(named) and not ANY.search(named):
            assert (ROOT / named).exists(), f"{page}: {named} is not there, as seen from the root"
    for named in TYPED.findall("".join(FENCE.findall(text(page)))):
        assert ANY.search(named) or (ROOT / named).exists(), f"{page}: {named} is not there"
    for target in LINK.findall(prose(page)):
        if "://" not in target and not target.startswith("#"):
            assert (PAGES[page].parent / target.partition("#")[0]).exists(), f"{page}: {target}"


def test_every_page_is_led_to() -> None:
    """From the README or the index of the help, or a page that these lead to."""
    led, waiting = set[Path](), [FRONT, INDEX]
    known = {path.resolve(): page for page, path in PAGES.items()}
    while waiting:
        at = waiting.pop().resolve()
        if at in known and at not in led:
            led.add(at)
            targets = (target.partition("#")[0] for target in LINK.findall(prose(known[at])))
            waiting += [at.parent / target for target in targets if target.endswith(".md")]
    assert not [page for at, page in known.items() if at not in led]


def test_no_page_is_ignored() -> None:
    """What git ignores is here and with nobody else."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("this is no checkout")
    told = subprocess.run([git, "check-ignore", *PAGES], cwd=ROOT, capture_output=True, text=True)
    assert told.returncode == 1, told.stdout + told.stderr


@cache
def _names() -> tuple[set[str], dict[str, set[str]]]:
    """All names of the program and its tests, and those within each class."""
    everywhere, classes = set[str](), dict[str, set[str]]()
    for file in (*FILES.values(), *Path(__file__).parent.rglob("*.py")):
        inside = everywhere
        for line in file.read_text(encoding="utf-8").splitlines():
            if line[:1] not in ("", " ", ")"):  # what stands at the margin ends the class before it
                head = re.match(r"class (\w+)", line)
                inside = classes.setdefault(head[1], set()) if head else everywhere
            inside.update(re.findall(r"\w+", line))
    return everywhere.union(*classes.values()), classes


def _known(named: str) -> bool:
    """Whether all of a name stands somewhere, and what follows a class within that class."""
    if (ROOT / named).exists() or named in {file.name for file in FILES.values()}:
        return True
    everywhere, classes = _names()
    first, *rest = re.findall(r"[A-Za-z_]\w+", named)
    return {first, *rest} <= everywhere and {*rest[:1]} <= classes.get(first, everywhere)


@pytest.mark.parametrize("page", NAMED)
def test_names_in_backticks_are_those_of_the_code(page: str) -> None:
    """A renamed class, field or function is renamed here too."""
    for named in code(page):
        if "/" not in named and re.fullmatch(r"[A-Za-z_][\w.]*(\(.*\))?", named):
            assert _known(named), f"{page}: {named}"


@pytest.mark.parametrize("page", PAGES)
def test_commands_are_understood(page: str) -> None:
    """Labs, parameters, values and options of every `dpstudio run` in a block of code."""
    for block in FENCE.findall(text(page)):
        for line in re.findall(r"^(?:\S*/)?dpstudio run (.*)$", block, re.MULTILINE):
            typed = shlex.split(line.partition("    ")[0])
            if "--help" not in typed and not typed[0].isupper():
                lab_of(typed)


def test_the_drawn_floors_are_those_of_the_house() -> None:
    """Each beside libraries that it may use."""
    drawn = FENCE.findall(text("dpstudio/README.md"))[0].splitlines()[1:-1]
    assert [line.split()[0] for line in drawn] == [f for f in reversed(FLOORS) if f != "__main__"]
    for line in drawn:
        libraries = set(re.split(r"\s{2,}", line)[-1].split()) - {"–", "…"}
        assert libraries <= FLOORS[line.split()[0]], line


def test_every_module_that_asks_for_a_draw_is_named() -> None:
    """Where something of the rows can leave without the exact answer is known to who reads."""
    said = {named for named in code("assets/help/build/leaving.md") if named.endswith(".py")}
    asking = {
        path.relative_to(ROOT).as_posix()
        for path in FILES.values()
        if re.search(r"leaving\.draw\(", path.read_text(encoding="utf-8"))
    }
    assert asking
    assert asking <= said


if __name__ == "__main__":
    for page, path in PAGES.items():
        made = LABS.sub(lambda found, page=page: found[1] + labs_table(page) + found[2], text(page))
        path.write_text(made, encoding="utf-8")
