"""The pieces of Python that scripts are made of, from `assets/scripts`: of these files the
functions and constants that some lines use by name, and what those use in their turn."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from dpstudio.files.assets import asset

_FUNCTION = ast.FunctionDef | ast.ClassDef
Imported = dict[str, str]
# What lines may use without a piece that does.
_LIBRARIES = {
    "dp": "import opendp.prelude as dp",
    "importlib": "import importlib.util",
    "itertools": "import itertools",
    "json": "import json",
    "math": "import math",
    "np": "import numpy as np",
    "partial": "from functools import partial",
    "sys": "import sys",
    **{name: f"from scipy import {name}" for name in ("integrate", "optimize", "special", "stats")},
}


@dataclass(frozen=True)
class Piece:
    """A function or a constant as it is written, and the names that it uses; `at` is where."""

    text: str
    uses: frozenset[str]
    constant: bool
    at: tuple[str, int]


@lru_cache(maxsize=1)
def _all() -> tuple[dict[str, Piece], Imported]:
    """Every piece by its name, and the import that gives each name from a library."""
    pieces: dict[str, Piece] = {}
    imports: Imported = dict(_LIBRARIES)
    files = sorted(asset("scripts").glob("*.py"))
    own = {path.stem for path in files}
    for path in files:
        text = path.read_text("utf-8")
        for node in ast.parse(text).body:
            imports |= _imported(node, own)
            for name in _defined(node):
                if name in pieces:
                    raise ValueError(f"{name} is defined twice in assets/scripts")
                pieces[name] = _piece(node, text, path)
    return pieces, imports


def _piece(node: ast.stmt, text: str, path: Path) -> Piece:
    written = ast.get_source_segment(text, node, padded=True) or ""
    if isinstance(node, _FUNCTION) and node.decorator_list:
        lines = text.splitlines()
        first = node.decorator_list[0].lineno - 1
        written = "\n".join(lines[first : node.end_lineno])
    constant = not isinstance(node, _FUNCTION)
    if not constant and _rest(text, node).strip() == "# fmt: skip":
        written += _rest(text, node)
    return Piece(written.rstrip(), frozenset(used(node)), constant, (path.stem, node.lineno))


def _rest(text: str, node: ast.stmt) -> str:
    return text.splitlines()[(node.end_lineno or 1) - 1][node.end_col_offset or 0 :]


def _imported(node: ast.stmt, own: set[str]) -> Imported:
    """The names that an import statement gives, each with a statement of its own."""
    if isinstance(node, ast.Import):
        return {
            alias.asname or alias.name: f"import {alias.name}"
            + (f" as {alias.asname}" if alias.asname else "")
            for alias in node.names
        }
    if isinstance(node, ast.ImportFrom) and node.module not in own:
        return {alias.name: f"from {node.module} import {alias.name}" for alias in node.names}
    return {}


def _defined(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, _FUNCTION):
        yield node.name
    elif isinstance(node, ast.Assign):
        yield from (each.id for each in node.targets if isinstance(each, ast.Name))


def used(tree: ast.AST) -> Iterator[str]:
    """The names that some code reads, and does not give itself."""
    own, read = set(), list[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            own.add(node.arg)
        elif isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load):
                read.append(node.id)
            else:
                own.add(node.id)
    yield from (name for name in read if name not in own)


def closure(code: str) -> tuple[list[str], list[str]]:
    """(import statements, pieces as they are written, constants first) that some code needs. A
    piece that takes an import of its own within has it there."""
    pieces, imports = _all()
    waiting, found, named = sorted(set(used(ast.parse(code)))), dict[str, Piece](), set[str]()
    while waiting:
        name = waiting.pop()
        if name in found or name in named:
            continue
        if name in pieces:
            found[name] = pieces[name]
            waiting += sorted(pieces[name].uses)
        elif name in imports:
            named.add(name)
    written = sorted(found.values(), key=lambda piece: (not piece.constant, piece.at))
    return [imports[name] for name in sorted(named)], [piece.text for piece in written]
