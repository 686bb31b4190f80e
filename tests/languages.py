"""The files of a language: the messages by area, one PO file each.

python tests/languages.py zh_CN                   writes them anew: what is new has no text yet
python tests/languages.py zh_CN --take FILE.po …  takes the texts of other files first
python tests/languages.py zh_CN --parts FOLDER    what translators are given, with where each stands

Texts keep their translation wherever their message moves. `python tests/translations.py` writes
every language anew, too.
"""

import argparse
import ast
import io
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from script_texts import script_texts
from test_architecture import FILES, nodes
from translations import LESSONS, MARKS, TEMPLATE, Id, ids

from dpstudio.files import companion
from dpstudio.files.glossary import glossary
from dpstudio.files.talk import read_talk, texts

LANGUAGES = TEMPLATE.parent
# The files of a language, each with the modules whose messages it has: that of the longest name
# that a module begins with. A message of several stands in the first of them.
AREAS = {
    "01-printed": ("labs.promise.printed",),
    "02-promise": ("labs.promise", "labs.start", "lessons"),
    "03-one-answer": ("labs.one_answer",),
    "04-many-answers": ("labs.many_answers", "labs.publish", "plans"),
    "05-anonymity": ("labs.whole_tables",),
    "06-synthesis": (
        "labs.whole_tables.synthesis",
        "labs.whole_tables.masking",
        "labs.whole_tables.compress",
    ),
    "07-models": ("labs.models",),
    "08-owners": ("labs.nobody", "serve"),
    "09-local": (
        "labs.nobody.local_learning",
        "labs.nobody.local_means",
        "labs.nobody.local_counts",
        "privacy.local",
        "privacy.mechanisms",
    ),
    "10-attacks": ("labs.attacks", "privacy.attacks"),
    "11-privacy": ("privacy",),
    "12-shared": ("", "labs", "data", "values", "charts"),
    "13-reading": ("files.read", "files.engines", "files.asking"),
    "14-files": ("files", "cli"),
    "15-window": ("gui",),
    "16-companion": ("companion",),
    "17-terms": ("glossary",),
    "18-terms": ("glossary.attacks", "glossary.learning", "glossary.tables"),
    "19-scripts": ("scripts",),
}
PLURALS = {"zh_CN": "nplurals=1; plural=0"}  # of each language that there is
Texts = dict[str, str | tuple[str, ...]]
_MOST = 60  # letters of what stands in a field


def area(module: str) -> str:
    """The file that has the messages of a module."""
    fitting = [
        (len(start), name)
        for name, starts in AREAS.items()
        for start in starts
        if not start or module == start or module.startswith(start + ".")
    ]
    return max(fitting)[1]


def stand() -> Iterator[tuple[str, str, str]]:
    """(message, module, where it stands there and what its fields are) of every message."""
    for module in sorted(FILES):
        above = {child: one for one in nodes(module) for child in ast.iter_child_nodes(one)}
        for node in nodes(module):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in MARKS and node.args:
                first = node.args[0]
                if isinstance(first, ast.Constant) and first.value:
                    path = module.replace(".", "/")
                    yield first.value, module, f"{path}: {_role(node, above)}{_fields(node)}"
    for path in sorted(LESSONS.glob("*.dptalk")):
        yield from ((text, "lessons", f"lesson {path.stem}") for text in texts(read_talk(path)))
    yield from ((text, "companion", "companion to the texts") for text in companion.said())
    for text, where in script_texts().items():
        yield text, "scripts", f"script of {where}"
    for term in glossary():
        for role in ("name", "says", "given"):
            yield getattr(term, role), f"glossary.{term.part}", f"glossary, {term.key}: {role}"


def _role(node: ast.AST, above: dict[ast.AST, ast.AST]) -> str:
    """What a message is there: of which call, by which name, or in which function."""
    inner = node
    while (outer := above.get(inner)) is not None:
        if isinstance(outer, ast.keyword):
            return f"{_called(above[outer])} {outer.arg}"
        if isinstance(outer, ast.Call):
            return _called(outer)
        if isinstance(outer, ast.Assign | ast.AnnAssign):
            target = outer.targets[0] if isinstance(outer, ast.Assign) else outer.target
            return f"{ast.unparse(target)} ="
        if isinstance(outer, ast.FunctionDef):
            return f"{outer.name}()"
        inner = outer
    return ""


def _called(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    first = node.args[0] if node.args else None
    key = f" “{first.value}”" if isinstance(first, ast.Constant) else ""
    return f"{ast.unparse(node.func)[:_MOST]}{key}"


def _fields(call: ast.Call) -> str:
    told = [f"{{{k.arg}}} = {ast.unparse(k.value)[:_MOST]}" for k in call.keywords if k.arg]
    return "; " + "; ".join(told) if told else ""


def by_area() -> dict[str, dict[Id, list[str]]]:
    """The messages of each file, each with its comments."""
    homes, told = dict[Id, str](), defaultdict[Id, list[str]](list)
    for text, module, where in stand():
        for each in ids(text) if text else ():
            homes.setdefault(each, area(module))
            phrase = each[1] == "n" and isinstance(each[0], tuple) and each[0][0] not in text
            said = f"{where}; in “{text}”" if phrase and "#" in text else where
            if said not in told[each] and len(told[each]) < 3:
                told[each].append(said)
    found: dict[str, dict[Id, list[str]]] = {name: {} for name in AREAS}
    for each, name in homes.items():
        found[name][each] = told[each]
    return found


def catalogue(
    language: str, messages: Iterable[Id], old: Texts, told: Mapping[Id, list[str]] | None = None
) -> str:
    """A PO file of these messages with their old texts, and with what is `told` of each."""
    plural = PLURALS[language]
    catalog = Catalog(locale=language, fuzzy=False)
    for message in messages:
        each, decides = message
        said = old.get(_first(each), "" if isinstance(each, str) else ("",))
        comments = [f"{{{decides}}} decides"] if decides else []
        catalog.add(each, said, auto_comments=[*comments, *(told or {}).get(message, ())])
    out = io.BytesIO()
    write_po(out, catalog, omit_header=True, width=100)
    head = f'msgid ""\nmsgstr ""\n"Language: {language}\\n"\n"Plural-Forms: {plural};\\n"\n'
    kind = '"Content-Type: text/plain; charset=UTF-8\\n"\n'
    return f"{head}{kind}\n{out.getvalue().decode()}"


def _first(each: str | tuple[str, str]) -> str:
    return each if isinstance(each, str) else each[0]


def texts_of(paths: Iterable[Path]) -> Texts:
    """The texts that PO files have, by their message; of a plural, by that of 1."""
    found = Texts()
    for path in paths:
        for each in read_po(io.BytesIO(path.read_bytes())):
            if each.id and any(each.string):
                found[_first(each.id)] = each.string
    return found


def files(language: str) -> list[Path]:
    """The PO files of a language."""
    return sorted((LANGUAGES / language).glob("*.po"))


def refresh(language: str, taken: Iterable[Path] = ()) -> None:
    """Write the files of a language anew, with the texts of others first."""
    old = texts_of((*files(language), *taken))
    for name, messages in by_area().items():
        text = catalogue(language, sorted(messages, key=str), old)
        (LANGUAGES / language / f"{name}.po").write_text(text, encoding="utf-8")


def parts(language: str, folder: Path) -> None:
    """Write what is not translated yet, in the order in which it stands, with where that is."""
    old = texts_of(files(language))
    for name, messages in by_area().items():
        left = [each for each in messages if _first(each[0]) not in old]
        text = catalogue(language, left, {}, messages)
        (folder / f"part-{name}.pot").write_text(text, encoding="utf-8")


def main() -> None:
    """As this file says at its head."""
    asked = argparse.ArgumentParser()
    asked.add_argument("language", choices=PLURALS)
    asked.add_argument("--take", nargs="*", type=Path, default=())
    asked.add_argument("--parts", type=Path)
    given = asked.parse_args()
    if given.parts:
        parts(given.language, given.parts)
    else:
        refresh(given.language, given.take)


if __name__ == "__main__":
    main()
