"""The words of scripts, which are translated as all words are: of the pieces that scripts are put
together from, and of the lines that each lab adds, which are texts in its code."""

import ast
import re
from collections.abc import Iterator
from functools import cache

from test_architecture import FILES, nodes

from dpstudio.files.assets import asset
from dpstudio.files.write.script_words import words

# Modules of labs that write lines of scripts.
WRITING = re.compile(r"labs\.(?:.*(?:script|scripts|attack_lines)|scripting\..*)")
_RUN = re.compile(r"(?:(?:^|(?<=\n))[ ]*# [^\n]+(?:\n|$))+")
_BESIDE = re.compile(r"\S  # ([^\n]+)")
_FUNCTION = re.compile(r'"""(.+?)"""', re.S)
_QUOTED = re.compile(r'"([^"]*)"')
# What a picture is given to be read, by what stands before it: no key in brackets, and no look.
_SHOWN = re.compile(r"(?:[(,] ?|(?<![\w\]])\[|label=|labels=|title=)f?$")
_WORD = re.compile(r"[A-Za-z]{2}")


@cache
def script_texts() -> dict[str, str]:
    """Where the words of all scripts stand, by them."""
    found: dict[str, str] = {}
    for path in sorted(asset("scripts").glob("*.py")):
        for each in words(path.read_text("utf-8")):
            found.setdefault(each.text, path.stem)
    for module in filter(WRITING.fullmatch, sorted(FILES)):
        for node in nodes(module):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for text in _of_lines(node.value):
                    found.setdefault(text, module)
    bare = re.compile(r"\{.*?\}")
    return {text: where for text, where in found.items() if _WORD.search(bare.sub("", text))}


def _of_lines(lines: str) -> Iterator[str]:
    for run in _RUN.finditer(lines):
        yield " ".join(line.strip().removeprefix("# ") for line in run[0].strip().split("\n"))
    yield from (each[1].strip() for each in _BESIDE.finditer(lines))
    yield from (" ".join(each[1].split()) for each in _FUNCTION.finditer(lines))
    for line in lines.split("\n"):
        for quoted in _QUOTED.finditer(line) if "axes." in line and "scale(" not in line else ():
            if _SHOWN.search(line[: quoted.start()]):
                yield quoted[1]
