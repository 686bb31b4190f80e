"""The words of a script in another language: its comments, the texts of its functions, and what its
picture and its refusals say. Names, keys and code stay."""

import ast
import io
import tokenize
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from dpstudio.values.lines import width, wrapped
from dpstudio.values.messages import Translate

_WIDTH = 100
_SAYING = {"label", "labels", "tick_label", "title", "xlabel", "ylabel"}
_OF_TOOLS = ("# fmt:", "# noqa")


class Words(NamedTuple):
    """Words of a script as one text, and from where to where they stand; those of a comment on
    lines of its own are in `lines`."""

    start: int
    end: int
    text: str
    kind: str  # comment, beside, function, shown or filled
    lines: tuple[str, ...] = ()


def words(code: str) -> Iterator[Words]:
    """All words of some code."""
    starts = [0, *accumulate(len(line) for line in code.splitlines(keepends=True))]
    yield from _comments(code, starts)
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node):
            told = node.body[0]
            assert isinstance(told, ast.Expr)
            said = " ".join(str(ast.get_docstring(node)).split())
            yield Words(*_place(code, starts, told.value), said, "function")
        elif isinstance(node, ast.Call):
            for said_by in _shown(node):
                if text := _text(said_by):
                    kind = "filled" if isinstance(said_by, ast.JoinedStr) else "shown"
                    yield Words(*_place(code, starts, said_by), text, kind)


def _comments(code: str, starts: list[int]) -> Iterator[Words]:
    """Comments that stand below each other on lines of their own are one text."""
    held: list[tuple[int, int, str]] = []
    last = (-1, -1)

    def told() -> Iterator[Words]:
        if held:
            lines = tuple(text for _, _, text in held)
            yield Words(held[0][0], held[-1][1], " ".join(lines), "comment", lines)
            held.clear()

    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type != tokenize.COMMENT or token.string.startswith(_OF_TOOLS):
            continue
        row, column = token.start
        at = starts[row - 1] + column
        one = (at, at + len(token.string), token.string.lstrip("#").strip())
        if token.line[:column].strip():
            yield from told()
            yield Words(*one, "beside")
            continue
        if last != (row - 1, column):
            yield from told()
        held.append(one)
        last = row, column
    yield from told()


def _shown(call: ast.Call) -> Iterator[ast.expr]:
    """What a picture shows, or what ends a script says."""
    of = call.func
    if not (isinstance(of, ast.Attribute) and isinstance(of.value, ast.Name)):
        return
    if (of.value.id, of.attr) == ("sys", "exit"):
        yield from call.args
    if of.value.id == "axes":
        given = [*call.args, *(one.value for one in call.keywords if one.arg in _SAYING)]
        for one in given:
            yield from one.elts if isinstance(one, ast.List) else [one]


def _text(node: ast.expr) -> str:
    """A text, with its fields in braces; "" for what is none."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if not isinstance(node, ast.JoinedStr):
        return ""
    return "".join(
        str(part.value)
        if isinstance(part, ast.Constant)
        else ast.unparse(ast.JoinedStr([part]))[2:-1]
        for part in node.values
    )


def _place(code: str, starts: list[int], node: ast.expr) -> tuple[int, int]:
    """From where to where it stands: columns of a tree are bytes."""

    def at(row: int, column: int) -> int:
        line = code[starts[row - 1] : starts[row]]
        return starts[row - 1] + len(line.encode()[:column].decode())

    return at(node.lineno, node.col_offset), at(node.end_lineno or 1, node.end_col_offset or 0)


def in_words_of(code: str, translate: Translate) -> str:
    """The code with all its words in a language."""
    for said in sorted(words(code), reverse=True):
        if not said.lines and translate(said.text) == said.text:
            continue
        line = code.rfind("\n", 0, said.start) + 1
        before = code[line : said.start]
        text = "\n".join(_written(said, before, translate))
        if said.kind == "beside" and width(before + text) > _WIDTH:
            indent = before[: len(before) - len(before.lstrip())]
            above = "\n".join(
                wrapped(text.removeprefix("# "), _WIDTH, f"{indent}# ", f"{indent}# ")
            )
            code = f"{code[:line]}{above}\n{before.rstrip()}{code[said.end :]}"
        else:
            code = code[: said.start] + text + code[said.end :]
    return code


def _written(said: Words, before: str, translate: Translate) -> Iterator[str]:
    """Words as they are written in the language, behind what stands before them."""
    if said.kind == "beside":
        yield f"# {translate(said.text)}"
    elif said.kind == "comment":
        told = [f"{before}# {line}" for text in _known(said.lines, translate)
                for line in wrapped(text, _WIDTH - len(before) - 2)]  # fmt: skip
        yield "\n".join(told).removeprefix(before)
    elif said.kind == "function":
        text = translate(said.text)
        raw = "r" if "\\" in text else ""
        yield "\n".join(wrapped(f'{raw}"""{text}"""', _WIDTH, before, before)).removeprefix(before)
    else:
        yield f'{"f" * (said.kind == "filled")}"{translate(said.text)}"'


def _known(lines: tuple[str, ...], translate: Translate) -> Iterator[str]:
    """Comments below each other may be several, each with a translation of its own."""
    while lines:
        ends = range(len(lines), 0, -1)
        told = {end: translate(" ".join(lines[:end])) for end in ends}
        end = next((end for end in ends if told[end] != " ".join(lines[:end])), 1)
        yield told[end]
        lines = lines[end:]
