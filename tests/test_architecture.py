"""The rooms of the house and who may import whom, read from the syntax trees; one test a rule."""

import ast
import gc
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from dpstudio.labs import LABS as ABOUTS
from dpstudio.labs.naming import every_lab
from dpstudio.privacy.accounting import ACCOUNTANTS
from dpstudio.privacy.local import NUMBERS, POST, PROTOCOLS
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.privacy.mechanisms.choosing import SELECTIONS
from dpstudio.privacy.queries import CHOICES, QUERIES
from dpstudio.values.parameters import Parameters, domains

LABS = every_lab()
FOLDERS = {f"labs.{about.folder}" for about in ABOUTS}

ROOT = Path(__file__).parent.parent / "dpstudio"

# From the ground up, with the libraries of each floor. A room imports from its own floor or from
# those below.
FLOORS = {
    "values": {"numpy"},
    "charts": {"numpy"},
    "data": {"numpy", "pandas"},
    "privacy": {"numpy", "scipy", "sklearn", "gmpy2"},
    "plans": {"numpy"},
    "labs": {"numpy", "scipy"},
    "files": {
        "numpy",
        "pandas",
        "pyarrow",
        "clevercsv",
        "charset_normalizer",
        "fontTools",
        "python_calamine",
        "PIL",
        "cryptography",
        "ibis",
        "pyspark",
    },
    "serve": {"aiohttp", "segno", "cryptography"},
    "gui": {"numpy", "pandas", "PySide6", "shiboken6", "pyqtgraph"},
    "cli": set[str](),
    "__main__": set[str](),
}
ORDER = list(FLOORS)
# Within a lab, from the ground up: what is listed in it, its parameters, its model, what shows it,
# and the page that ties them.
SHOWN = ("charts", "words", "panel")
FAMILIES = {
    "privacy.queries": [*QUERIES, *CHOICES],
    "privacy.mechanisms": [*MECHANISMS, *SELECTIONS],
    "privacy.accounting": ACCOUNTANTS,
    "privacy.local": [*PROTOCOLS, *NUMBERS, *POST],
}
# A file may grow to 500 lines where it is one idea; near 300 is where to ask.
FILE_LINES, FUNCTION_LINES, PROPERTIES = 500, 50, 15


def name(path: Path) -> str:
    """The module's name below dpstudio; that of the package itself is empty."""
    dotted = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    return dotted.removesuffix("__init__").removesuffix(".")


FILES = {name(path): path for path in sorted(ROOT.rglob("*.py"))}
PACKAGES = {name(path) for path in ROOT.rglob("__init__.py")}


@cache
def tree(module: str) -> ast.Module:
    """Read when it is asked for: every process of a run imports this file, one runs its tests."""
    return ast.parse(FILES[module].read_text(encoding="utf-8"))


@cache
def nodes(module: str) -> list[ast.AST]:
    """All of a tree in the order of `ast.walk`, at half of what that takes, but for the marks of
    what is read or written: a third of all nodes."""
    found: list[ast.AST] = [tree(module)]
    for node in found:
        for field in () if isinstance(node, ast.Name | ast.Constant) else node._fields:
            held = getattr(node, field, None)
            if isinstance(held, ast.AST):
                if not isinstance(held, ast.expr_context):
                    found.append(held)
            elif isinstance(held, list):
                found += [one for one in held if isinstance(one, ast.AST)]
    return found


def named(module: str, held: Iterable[ast.AST]) -> list[str]:
    """The modules that these nodes name in an import."""
    found = []
    for node in held:
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively"
            for alias in node.names:
                deeper = f"{node.module}.{alias.name}"
                listed = deeper.removeprefix("dpstudio.") in FILES
                found.append(deeper if listed else str(node.module))
    return found


@cache
def imports(module: str) -> list[str]:
    """Every module that a tree names in an import, wherever it stands, also for typing only."""
    return named(module, nodes(module))


def of_program(modules: Iterable[str]) -> set[str]:
    """Those of the program."""
    ours = (o for o in modules if o.split(".")[0] == "dpstudio")
    return {o.removeprefix("dpstudio").lstrip(".") for o in ours}


@cache
def own(module: str) -> set[str]:
    """Those of the program that a module names."""
    return of_program(imports(module))


@pytest.fixture(scope="module", autouse=True)
def forgotten() -> Iterator[None]:
    """Near a million nodes, through which every collection of garbage would walk: while they are
    made, which takes three times as long then, and later."""
    gc.disable()
    yield
    gc.enable()
    for held in (tree, nodes):
        held.cache_clear()


def floor(module: str) -> int:
    return ORDER.index(module.split(".")[0])


def lab_of(module: str) -> str:
    """The folder of the lab that a module belongs to; empty for what is shared, also by the labs
    beside it."""
    folder = ".".join(module.split(".")[:3])
    return folder if folder in FOLDERS else ""


def rank(module: str) -> int:
    """How high a module stands within its lab."""
    parts = module.split(".")[3:]
    if len(parts) > 1 or not parts or module in PACKAGES:
        return 0
    last = parts[0].rsplit("_", 1)[-1]
    return {"parameters": 1, **dict.fromkeys(SHOWN, 3), "page": 4}.get(last, 2)


def arrows() -> Iterator[tuple[str, str]]:
    for module in FILES:
        for other in own(module) - {""}:
            yield module, other


def test_imports_point_down() -> None:
    assert not [(a, b) for a, b in arrows() if a and floor(b) > floor(a)]


def test_no_lab_imports_another() -> None:
    """What two labs share lies in labs/ or below it."""
    assert not [(a, b) for a, b in arrows() if lab_of(a) and lab_of(b) and lab_of(a) != lab_of(b)]
    shared = [(a, b) for a, b in arrows() if a.startswith("labs.") and not lab_of(a) and lab_of(b)]
    assert not shared


def test_files_import_in_no_circle() -> None:
    """Typing and late imports included. A package stands for what its __init__ lists."""
    try:
        tuple(TopologicalSorter({m: own(m) for m in FILES if m}).static_order())
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


@pytest.mark.parametrize("top", sorted(PACKAGES))
def test_what_stands_in_a_room_has_an_order(top: str) -> None:
    """Files and rooms within a room, each with all that it holds, import in no circle either."""
    prefix = f"{top}." if top else ""
    held: dict[str, set[str]] = {}
    for module in (m for m in FILES if m.startswith(prefix) and m != top):
        place = module.removeprefix(prefix).partition(".")[0]
        others = {o for o in own(module) if o.startswith(prefix) and o != top}
        held.setdefault(place, set()).update(
            o.removeprefix(prefix).partition(".")[0] for o in others
        )
        held[place].discard(place)
    try:
        tuple(TopologicalSorter(held).static_order())
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


def test_every_lab_has_the_same_shape() -> None:
    """parameters <- model <- charts, words, panel <- page, and all of these files are there."""
    for lab in {lab_of(kind.__module__.removeprefix("dpstudio.")) for kind in LABS}:
        held = {m.removeprefix(lab + ".") for m in FILES if m.startswith(lab + ".")}
        assert {"parameters", "page", "panel"} <= held, lab
        for module in (m for m in FILES if m.startswith(lab + ".")):
            up = {
                o for o in own(module) if lab_of(o) == lab and o != lab and rank(o) > rank(module)
            }
            assert not up, (module, up)
            across = {o for o in own(module) if rank(o) == rank(module) == 3 and lab_of(o) == lab}
            assert all(_kind(o) == _kind(module) for o in across), (module, across)


def _kind(module: str) -> str:
    return module.rsplit(".", 1)[-1].rsplit("_", 1)[-1]


def test_each_floor_knows_only_its_libraries() -> None:
    """Qt lives under gui/; pandas and Arrow where tables are."""
    for module in FILES:
        known = FLOORS[module.split(".")[0]] if module else set()
        outside = {o.split(".")[0] for o in imports(module)} - {"dpstudio", "__future__"}
        assert outside - set(sys.stdlib_module_names) <= known, module


@dataclass(frozen=True)
class Subject:
    """A row of the table of subjects: the keys of its labs, the modules and packages that are its
    own, and the subjects that it uses."""

    labs: frozenset[str]
    own: tuple[str, ...]
    uses: frozenset[str]

    def holds(self, module: str) -> bool:
        return any(module == own or module.startswith(own + ".") for own in self.own)


# What imports a subject only when a person asks for it, or names one of its types.
DOORS = {
    f"gui.shell.{name}" for name in ("talk_door", "room_door", "pages", "group_page", "seeking")
}
DOORS |= {"cli.printing", "cli.placing"}


@cache
def subjects() -> dict[str, Subject]:
    """The table in dpstudio/README.md. A lab that it names and that is not there is none."""
    text = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Core and subjects")[2]
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    folders = {about.key: f"labs.{about.folder}" for about in ABOUTS}
    found = {}
    for name, labs, files, uses in rows[1:]:
        keys = frozenset(labs.split(", ")) - {"–"}
        paths = re.findall(r"`dpstudio/([\w/]+?)(?:\.py)?`", files)
        own = [*(path.replace("/", ".") for path in paths), *(folders.get(key, "") for key in keys)]
        found[name] = Subject(keys, tuple(filter(None, own)), frozenset(uses.split(", ")) - {"–"})
    return found


def subject_of(module: str) -> str:
    apart = (name for name, one in subjects().items() if name != "core" and one.holds(module))
    return next(apart, "core")


def at_once(module: str) -> set[str]:
    """The modules of the program that one names; of a door those that are imported with it."""
    return of_program(named(module, tree(module).body)) if module in DOORS else own(module)


def test_the_core_imports_no_subject_and_subjects_those_that_they_use() -> None:
    """As the table says, which names every lab once, and no use that there is not."""
    named = [key for one in subjects().values() for key in one.labs]
    assert len(named) == len(set(named))
    assert {about.key for about in ABOUTS} <= set(named)
    for one in subjects().values():
        for held in one.own:
            assert held in FILES or held in PACKAGES, held
    used: dict[str, set[str]] = {name: set() for name in subjects()}
    for module in FILES:
        for other in at_once(module):
            if subject_of(other) not in ("core", subject_of(module)):
                used[subject_of(module)].add(subject_of(other))
                assert subject_of(module) != "core", (module, other)
    assert {name: set(one.uses) for name, one in subjects().items()} == used


def test_a_plan_reads_no_table() -> None:
    """Of data it knows what conditions and notes are, and of the mathematics no query that asks
    one: so nothing in a plan can depend on a row."""
    plans = [m for m in FILES if m.startswith("plans.")]
    known = {"data.conditions", "data.codebook", "privacy.queries.several"}
    named = {o for m in plans for o in own(m) if o.startswith(("data.", "privacy.queries."))}
    assert plans
    assert named == known


def test_reading_files_stands_apart() -> None:
    """What reads any file into a table could be a package of its own: of the program it knows
    messages, checked values, and how units and months are written."""
    reading = [m for m in FILES if m.split(".")[:2] == ["files", "read"]]
    values = ("messages", "parameters", "domains", "fields", "written")
    known = {*reading, *(f"values.{name}" for name in values)}
    assert reading
    assert not [(m, other) for m in reading for other in own(m) - known]


def last_word(node: ast.AST) -> str:
    """The last word of a name or of an attribute; of all else, nothing."""
    return str(getattr(node, "attr", getattr(node, "id", "")))


def test_below_files_there_is_no_clock_and_no_global_chance() -> None:
    bad = {"time", "datetime", "random", "secrets", "os", "pathlib", "socket"}
    for module in (m for m in FILES if m and floor(m) < ORDER.index("files")):
        assert not {other.split(".")[0] for other in imports(module)} & bad, module
        for node in nodes(module):
            if (
                isinstance(node, ast.Attribute)
                and last_word(node.value) == "random"
                and ast.unparse(node.value) in ("np.random", "numpy.random")
            ):
                known = ("Generator", "SFC64", "default_rng")
                assert node.attr in known, (module, ast.unparse(node))
            if isinstance(node, ast.Call) and last_word(node.func).endswith("default_rng"):
                assert node.args, f"{module} draws without a seed"


ORDERING = {"argsort", "sort_values", "sort_index"}
UNSIGNED = {"eig", "eigh", "svd"}


def test_what_is_sorted_or_signed_is_the_same_on_every_machine() -> None:
    """Which of several equal ones comes first, and which of its two signs an eigenvector has, numpy
    and pandas leave to the processor: sorts are stable, `privacy/nearest.py` takes the nearest, and
    `privacy/eigenvectors.py` signs. Sorts of values alone have no order to choose."""
    for module in FILES:
        signs = "privacy.eigenvectors" in {module, *own(module)}
        for node in nodes(module):
            word = last_word(node.func) if isinstance(node, ast.Call) else ""
            if word in ORDERING:
                told = {ast.unparse(k) for k in node.keywords}
                assert told & {"kind='stable'", "stable=True"}, (module, node.lineno)
            assert word != "argpartition", (module, node.lineno)
            assert word not in UNSIGNED or signs, (module, node.lineno)


def test_what_a_module_remembers_is_bounded() -> None:
    """A cache that lasts as long as the program says how much it keeps, and keeps no tables."""
    for module in FILES:
        for node in (n for n in tree(module).body if isinstance(n, ast.FunctionDef)):
            for decorator in (d for d in map(ast.unparse, node.decorator_list) if "cache" in d):
                assert re.fullmatch(r"lru_cache\(maxsize=\d+\)", decorator), (module, node.name)
                taken = {ast.unparse(a.annotation) for a in node.args.args if a.annotation}
                assert not taken & {"Dataset", "Context"}, (module, node.name)


def test_processes_that_work_end_with_who_starts_them() -> None:
    """As `WORKERS` makes them; nothing else comes from the library that would make others."""
    for module in set(FILES) - {"values.workers"}:
        taken = {other for other in imports(module) if other.split(".")[0] == "multiprocessing"}
        assert taken <= {"multiprocessing.connection"}, module


def test_the_window_asks_no_layout_for_its_places() -> None:
    """PySide keeps the places that `takeAt` and `itemAt` give after Qt deleted them, and takes what
    comes to lie there, such as an action of a menu, for one of them."""
    for module in FILES:
        taken = {node.attr for node in nodes(module) if isinstance(node, ast.Attribute)}
        assert not taken & {"takeAt", "itemAt"} or not module.startswith("gui."), module


def test_no_room_for_odds_and_ends() -> None:
    odds = {"util", "utils", "helper", "helpers", "common", "manager", "misc"}
    for module in FILES:
        assert not odds & set(module.replace("_", ".").split(".")), module


def test_init_holds_a_docstring_imports_and_a_catalogue() -> None:
    for module in PACKAGES:
        for node in tree(module).body:
            held = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            assert held or isinstance(
                node, ast.Import | ast.ImportFrom | ast.Assign | ast.AnnAssign
            ), module


def test_every_file_of_a_catalogue_serves_a_listed_member() -> None:
    """It defines one, or is imported by a file that does; and keys are unique."""
    for package, family in FAMILIES.items():
        kinds: list[type[Parameters]] = list(family)
        serving = {kind.__module__.removeprefix("dpstudio.") for kind in kinds}
        waiting = list(serving)
        while waiting:
            more = {o for o in own(waiting.pop()) if o.startswith(package + ".")} - serving
            serving |= more
            waiting += more
        assert {m for m in FILES if m.startswith(package + ".")} <= serving, package
        assert len({kind.key for kind in kinds}) == len(kinds)
        assert all(kind.key and kind.label for kind in kinds)


def test_modules_are_documented() -> None:
    """Every module that holds anything says in one line what it is."""
    for module in FILES:
        assert ast.get_docstring(tree(module)) or not tree(module).body, module


def test_catalogues_are_no_import_time_registration() -> None:
    """Importing a family's file alone changes no catalogue: lists are written out, not appended
    to."""
    for module in FILES:
        for node in nodes(module):
            called = node.func if isinstance(node, ast.Call) else None
            if isinstance(called, ast.Attribute) and called.attr in ("append", "insert", "extend"):
                listed = ("QUERIES", "MECHANISMS", "ACCOUNTANTS", "LABS")
                assert ast.unparse(called.value) not in listed, module


def test_files_and_functions_are_short() -> None:
    for module, path in FILES.items():
        assert len(path.read_text(encoding="utf-8").splitlines()) <= FILE_LINES, path
        for node in nodes(module):
            if isinstance(node, ast.FunctionDef):
                lines = (node.end_lineno or 0) - node.lineno + 1
                assert lines <= FUNCTION_LINES, (module, node.name, lines)


# Of a lab with all of its files: above that it has more than one idea. What a lab has a catalogue
# of is counted apart, a file a member: a lab grows no harder to read by one attacker more.
LAB_LINES = 2_500
CATALOGUES = {"attackers", "learners", "listings", "stories", "ways"}


def test_a_lab_is_one_idea() -> None:
    sizes: dict[str, int] = {}
    for kind in LABS:
        lab = lab_of(kind.__module__.removeprefix("dpstudio."))
        own_files = (m for m in FILES if m == lab or m.startswith(lab + "."))
        parts = {
            m: CATALOGUES.intersection(m.removeprefix(lab + ".").split(".")) for m in own_files
        }
        sizes[lab] = sum(
            len(FILES[m].read_text(encoding="utf-8").splitlines()) for m in parts if not parts[m]
        )
    assert not {lab: lines for lab, lines in sizes.items() if lines > LAB_LINES}


def test_models_are_small() -> None:
    """No lab keeps its mathematics in a bag of properties, nor inherits it."""
    for module in filter(lab_of, FILES):
        for node in nodes(module):
            if isinstance(node, ast.ClassDef):
                made = [f for f in node.body if isinstance(f, ast.FunctionDef) and f.decorator_list]
                names = [ast.unparse(d) for f in made for d in f.decorator_list]
                held = sum(n in ("property", "cached_property") for n in names)
                assert held <= PROPERTIES, (module, node.name, held)


def test_rooms_of_the_window_import_down() -> None:
    """state and parts hold no page; the shell ties all of them, and only the door opens it."""
    above = {
        "state": {"parts", "board", "panel", "table", "shell", "door"},
        "parts": {"state", "board", "panel", "table", "shell", "door"},
        "board": {"panel", "table", "shell", "door"},
        "panel": {"table", "shell", "door"},
        "table": {"shell", "door"},
        "shell": {"door"},
    }
    for module, other in arrows():
        a, b = module.split("."), other.split(".")
        if a[0] == b[0] == "gui" and len(a) > 1 and len(b) > 1:
            assert b[1] not in above.get(a[1], set()), (module, other)
        if a[0] == "cli" and b[0] == "gui":
            assert other == "gui.door", (module, other)


def public(body: list[ast.stmt]) -> Iterator[ast.FunctionDef]:
    for node in body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield node


def test_every_public_function_says_what_it_gives() -> None:
    """In its docstring; what overrides a method leans on that of its base."""
    below = [m for m in FILES if m.partition(".")[0] not in ("gui", "cli")]
    classes = [
        (module, node)
        for module in below
        for node in nodes(module)
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]
    methods = [(module, c, f) for module, c in classes for f in public(c.body)]
    said = {f.name for _, _, f in methods if ast.get_docstring(f)}
    silent = [
        f"{module}.{f.name}"
        for module in below
        for f in public(tree(module).body)
        if not ast.get_docstring(f)
    ]
    silent += [
        f"{module}.{c.name}.{f.name}"
        for module, c, f in methods
        if not ast.get_docstring(f) and (f.name not in said or not c.bases)
    ]
    assert not silent


# Words of the window's own that some `Parameters` has for its key or parameter too: a room of phones, rows
# and columns of a grid, what a column of the table is.
OWN = {"room", "mean"}


def test_the_window_names_no_lab_no_query_and_no_parameter() -> None:
    """Neither keys of a catalogue as texts, nor paths to parameters of labs and their questions."""
    families = (*LABS, *QUERIES, *CHOICES, *MECHANISMS, *SELECTIONS, *PROTOCOLS, *NUMBERS)
    keys = {kind.key for kind in families} - OWN
    names = {name for kind in families for name in domains(kind)}
    for module in (m for m in FILES if m.split(".")[0] == "gui"):
        for node in nodes(module):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert node.value not in keys, (module, node.value)
                path = re.fullmatch(r"([a-z_]*)\.([a-z_]+)", node.value)
                assert not path or path[2] not in names, (module, node.value)
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("getattr", "hasattr"):
                of, named = node.args[:2]
                known = isinstance(named, ast.Constant) and named.value in names
                assert not known or ast.unparse(of) == "layer", (module, ast.unparse(node))


def test_the_template_for_translators_is_complete() -> None:
    """assets/translations/dpstudio.pot holds every message id, and nothing else."""
    from translations import every_id, held  # which reads the trees of this module

    assert held() == every_id(), "refresh it: python tests/translations.py"


def test_no_two_files_of_tests_have_one_name() -> None:
    """Of two the suite collects one and refuses the other, which no run of single files shows."""
    names = [path.name for path in Path(__file__).parent.rglob("test_*.py")]
    assert sorted(set(names)) == sorted(names)
