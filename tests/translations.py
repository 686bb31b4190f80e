"""The catalogue template holds every message id of the code, so that a translator misses none:
test_architecture.py, which has read the code, compares them.

python tests/translations.py        writes it anew, and the files of all languages (languages.py)
"""

import ast
import io
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from script_texts import script_texts
from test_architecture import FILES, nodes, tree

from dpstudio.files import companion
from dpstudio.files.glossary import said
from dpstudio.files.talk import read_talk, texts
from dpstudio.values.plurals import forms

ROOT = Path(__file__).parent.parent
LESSONS = ROOT / "assets/lessons"
TEMPLATE = ROOT / "assets/translations/dpstudio.pot"


MARKS = ("N_", "tr", "say")


def calls() -> Iterator[ast.Call]:
    """The calls of the marks in all of the code. A string that one is given by name is marked too,
    in the function or the module that names it."""
    for module in FILES:
        functions = (node for node in nodes(module) if isinstance(node, ast.FunctionDef))
        for part, within in [
            (tree(module).body, nodes(module)),
            *((held, held) for held in map(list, map(ast.walk, functions))),
        ]:
            strings = set(bare(part))
            for node in within if strings else ():
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in MARKS:
                    given = {arg.id for arg in node.args[:1] if isinstance(arg, ast.Name)}
                    assert not given & strings, f"{module}: mark {given & strings} with N_"
        for node in nodes(module):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in MARKS:
                yield node


def bare(statements: Iterable[ast.AST]) -> Iterator[str]:
    """The names that a bare string is given to."""
    for each in statements:
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Constant):
            names = (target.id for target in each.targets if isinstance(target, ast.Name))
            yield from names if isinstance(each.value.value, str) and each.value.value else ()


def marked() -> frozenset[str]:
    """Every string that is marked with N_ or given to tr or say, and every text of the lessons, of
    the companion, of the glossary and of scripts."""
    firsts = [call.args[0] for call in calls() if call.args]
    code = {first.value for first in firsts if isinstance(first, ast.Constant) and first.value}
    lessons = (text for path in LESSONS.glob("*.dptalk") for text in texts(read_talk(path)))
    return frozenset(
        code | {text for text in (*lessons, *companion.said(), *said(), *script_texts()) if text}
    )


# A message id, or it and its plural; and the number that decides.
Id = tuple[str | tuple[str, str], str]


def ids(text: str) -> Iterator[Id]:
    """What a translator is given of a message: it, with its plural where a number decides of it, and
    the phrases of other numbers with theirs."""
    said = forms(text)
    yield ((said.one, said.many) if said.decides else said.one), said.decides
    yield from (((one, many), "n") for _, one, many in said.phrases)


def template() -> str:
    """The template as it should be. Babel writes it; it does not find the strings, since it loses
    calls within calls."""
    catalog = Catalog()
    for each, decides in sorted(every_id(), key=str):
        catalog.add(each, auto_comments=[f"{{{decides}}} decides"] if decides else ())
    out = io.BytesIO()
    write_po(out, catalog, omit_header=True, sort_output=True)
    return out.getvalue().decode()


def every_id() -> frozenset[Id]:
    """The ids of all messages that are marked."""
    return frozenset(each for text in marked() for each in ids(text))


@cache
def held() -> frozenset[Id]:
    """Every message id of the template."""
    return frozenset(
        (m.id, "".join(m.auto_comments).removesuffix("} decides").removeprefix("{"))
        for m in read_po(io.BytesIO(TEMPLATE.read_bytes()))
        if m.id
    )


if __name__ == "__main__":
    TEMPLATE.write_text(template(), encoding="utf-8")
    from languages import PLURALS, refresh

    for each in PLURALS:
        refresh(each)
