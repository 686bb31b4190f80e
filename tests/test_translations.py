"""The catalogue template holds every message id of the code, so that a translator misses none.

python tests/test_translations.py        writes it anew
"""

import ast
import gc
import io
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from dpstudio.files.talk import read_talk, texts

ROOT = Path(__file__).parent.parent
LESSONS = ROOT / "assets/lessons"
TEMPLATE = ROOT / "assets/translations/dpstudio.pot"


MARKS = ("N_", "tr", "say")
LOCAL = re.compile(r"^ +\w+ = \(?\s*['\"]", re.MULTILINE)


def calls() -> Iterator[ast.Call]:
    """The calls of the marks in all of the code; a file without one of these words has
    none. A string that one is given by name is marked too."""
    named = re.compile(rf"\b(?:{'|'.join(MARKS)})\b")
    for path in (ROOT / "dpstudio").rglob("*.py"):
        code = path.read_text(encoding="utf-8")
        if named.search(code):
            tree = ast.parse(code)
            functions = ast.walk(tree) if LOCAL.search(code) else ()
            parts = [node for node in functions if isinstance(node, ast.FunctionDef)]
            for part in (*parts, tree):
                strings = set(bare(part.body if part is tree else ast.walk(part)))
                for node in ast.walk(part):
                    if isinstance(node, ast.Call) and getattr(node.func, "id", "") in MARKS:
                        given = {arg.id for arg in node.args[:1] if isinstance(arg, ast.Name)}
                        assert not given & strings, f"{path}: mark {given & strings} with N_"
                        if part is tree:
                            yield node


def bare(statements: Iterable[ast.AST]) -> Iterator[str]:
    """The names that a bare string is given to."""
    for each in statements:
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Constant):
            names = (target.id for target in each.targets if isinstance(target, ast.Name))
            yield from names if isinstance(each.value.value, str) and each.value.value else ()


@cache
def marked() -> frozenset[str]:
    """Every string that is marked with N_ or given to tr or say, and every text of the lessons."""
    gc.disable()  # which looks through the trees again and again; none of them lasts
    try:
        firsts = [call.args[0] for call in calls() if call.args]
    finally:
        gc.enable()
    code = {first.value for first in firsts if isinstance(first, ast.Constant) and first.value}
    lessons = (text for path in LESSONS.glob("*.dptalk") for text in texts(read_talk(path)))
    return frozenset(code | {text for text in lessons if text})


def template() -> str:
    """The template as it should be. Babel writes it; it does not find the strings, since it loses
    calls within calls."""
    catalog = Catalog()
    for message in sorted(marked()):
        catalog.add(message)
    out = io.BytesIO()
    write_po(out, catalog, omit_header=True, sort_output=True)
    return out.getvalue().decode()


def test_template_is_complete() -> None:
    """assets/translations/dpstudio.pot holds every message id, and nothing else."""
    held = {message.id for message in read_po(io.BytesIO(TEMPLATE.read_bytes())) if message.id}
    assert held == marked(), "refresh it: python tests/test_translations.py"


if __name__ == "__main__":
    TEMPLATE.write_text(template(), encoding="utf-8")
