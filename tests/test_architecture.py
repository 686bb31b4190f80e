"""The rooms of the program and who may import whom, read from the syntax trees."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dpstudio.labs import LABS
from dpstudio.privacy.accounting import ACCOUNTANTS
from dpstudio.privacy.local import NUMBERS, POST, PROTOCOLS
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.privacy.mechanisms.choosing import SELECTIONS
from dpstudio.privacy.queries import QUERIES
from dpstudio.privacy.queries.choosing import CHOICES
from dpstudio.values.params import Kind

ROOT = Path(__file__).parent.parent / "dpstudio"

# From the bottom up: a module imports from its own line or from lines above it here. A folder
# stands for all its modules.
ORDER = [
    ["dpstudio"],
    ["core.wording", "core.roots"],
    ["core.domains"],
    ["core.params", "core.figure"],
    ["core.findings", "core.conditions", "core.scaling", "core.dates", "core.codebook"],
    ["core.placing"],
    ["core.reading", "core.columns", "core.retyped", "core.spread"],
    ["core.dataset"],
    ["core.profile"],
    ["core.mechanisms"],
    ["core.ratio"],
    ["core.processed"],
    ["core.queries"],
    ["core.release", "core.fitting"],
    ["core.accounting", "core.local"],
    ["core.labs"],
    ["core.portrait"],
    ["files"],
    ["gui"],
    ["cli"],
    ["__main__"],
]
ROOMS = {
    "core": {"numpy", "pandas", "scipy"},
    "files": {"numpy", "pandas", "pyarrow", "clevercsv", "charset_normalizer", "python_calamine"},
    "cli": set(),
    "__main__": set(),
    "dpstudio": set(),
}
QT = {"PySide6", "shiboken6", "pyqtgraph"}
FAMILIES = {
    "queries": [*QUERIES, *CHOICES],
    "mechanisms": [*MECHANISMS, *SELECTIONS],
    "accounting": ACCOUNTANTS,
    "local": [*PROTOCOLS, *NUMBERS, *POST],
    "labs": LABS,
}


def name(path: Path) -> str:
    """The module's name below dpstudio; the package itself is "dpstudio"."""
    return (
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        .removesuffix(".__init__")
        .replace("__init__", "dpstudio")
    )


MODULES = {
    name(path): ast.parse(path.read_text(encoding="utf-8")) for path in sorted(ROOT.rglob("*.py"))
}


def imports(module: str) -> Iterator[str]:
    """Every module that a tree names in an import, wherever it stands, also for typing only."""
    for node in ast.walk(MODULES[module]):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively"
            for alias in node.names:
                deeper = f"{node.module}.{alias.name}"
                yield deeper if deeper.removeprefix("dpstudio.") in MODULES else str(node.module)


def own(module: str) -> Iterator[str]:
    for other in imports(module):
        if other.split(".")[0] == "dpstudio":
            yield other.removeprefix("dpstudio.")


def line(module: str) -> int:
    held = [
        i
        for i, names in enumerate(ORDER)
        if any(module == n or module.startswith(n + ".") for n in names)
    ]
    assert held or module == "core", f"{module} has no place in the order"
    return held[0] if held else 0


def room(module: str) -> str:
    return module.split(".")[0]


@pytest.mark.parametrize("module", MODULES)
def test_imports_point_down(module: str) -> None:
    for other in own(module):
        assert line(other) <= line(module), f"{module} imports {other}"


@pytest.mark.parametrize("module", [m for m in MODULES if room(m) != "gui"])
def test_each_room_knows_only_its_libraries(module: str) -> None:
    """Qt lives under gui/; the core is the standard library, numpy, pandas and scipy."""
    outside = (
        {other.split(".")[0] for other in imports(module)}
        - {"dpstudio", "__future__"}
        - set(sys.stdlib_module_names)
    )
    assert not outside & QT
    assert outside <= ROOMS[room(module)], module


@pytest.mark.parametrize("module", [m for m in MODULES if room(m) == "core"])
def test_the_core_has_no_clock_and_no_global_chance(module: str) -> None:
    assert not {other.split(".")[0] for other in imports(module)} & {
        "time",
        "datetime",
        "random",
        "secrets",
        "os",
        "pathlib",
        "socket",
    }
    for node in ast.walk(MODULES[module]):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in (
            "np.random",
            "numpy.random",
        ):
            assert node.attr in ("Generator", "SFC64", "default_rng"), (
                f"{module}: {ast.unparse(node)}"
            )
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("default_rng"):
            assert node.args, f"{module} draws without a seed"


def test_no_room_for_odds_and_ends() -> None:
    for module in MODULES:
        assert not {"util", "utils", "helper", "helpers", "common", "manager", "misc"} & set(
            module.replace("_", ".").split(".")
        )


@pytest.mark.parametrize("module", [name(path) for path in sorted(ROOT.rglob("__init__.py"))])
def test_init_holds_a_docstring_imports_and_a_catalogue(module: str) -> None:
    for node in MODULES[module].body:
        docstring = (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        )
        assert docstring or isinstance(
            node, ast.Import | ast.ImportFrom | ast.Assign | ast.AnnAssign
        ), ast.unparse(node)


@pytest.mark.parametrize("folder", FAMILIES)
def test_every_file_of_a_catalogue_serves_a_listed_member(folder: str) -> None:
    """It defines one, or is imported by a file that does; and keys are unique."""
    family: list[type[Kind]] = FAMILIES[folder]
    package = f"core.{folder}"
    serving = {kind.__module__.removeprefix("dpstudio.") for kind in family}
    waiting = list(serving)
    while waiting:
        for other in own(waiting.pop()):
            if other.startswith(package + ".") and other not in serving:
                serving.add(other)
                waiting.append(other)
    assert {m for m in MODULES if m.startswith(package + ".")} <= serving
    assert len({kind.key for kind in family}) == len(family)
    assert all(kind.key and kind.label for kind in family)


def test_modules_are_documented_and_annotations_are_late() -> None:
    """Every module that holds anything says in one line what it is."""
    for module, tree in MODULES.items():
        assert ast.get_docstring(tree) or not tree.body, module


def test_catalogues_are_no_import_time_registration() -> None:
    """Importing a family's file alone changes no catalogue: lists are written out, not appended
    to."""
    for module, tree in MODULES.items():
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in ("append", "insert", "extend")
            ):
                assert ast.unparse(node.func.value) not in (
                    "QUERIES",
                    "MECHANISMS",
                    "ACCOUNTANTS",
                    "LABS",
                ), module
