"""Each subject is deleted in a copy of the program, with its labs, its lines in catalogues and the
subjects that use it; what is left must import, show every page, and pass the tests that name nothing
of what is gone. The reader of files, with what it may know, must import alone."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from test_architecture import FILES, PACKAGES, ROOT, Subject, of_program, subjects

from dpstudio.labs import LABS

HERE = Path(__file__).parent.parent
# Every page of the command line, run with little of a small table; and every module that is left.
DRIVE = """
import importlib, pkgutil, dpstudio
from dpstudio.files.tables import open_table
from dpstudio.labs.context import LITTLE, Context
from dpstudio.labs.naming import every_lab
for module in pkgutil.walk_packages(dpstudio.__path__, "dpstudio."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
data = open_table("house_votes_84")
for kind in every_lab():
    found = kind().suited(data).last(Context(data, effort=LITTLE))
    assert found.figures or found.problems, kind
print(len(every_lab()), "labs")
"""


# What tells of the whole program: its pages link to each other, whatever is gone.
OF_ALL = {"test_front_door.py", "test_manual.py", "test_lab_pages.py", "test_gui_manual.py"}


def with_users(name: str) -> set[str]:
    """A subject and all that use it, directly or through others."""
    gone = {name}
    while more := {user for user, one in subjects().items() if one.uses & gone} - gone:
        gone |= more
    return gone


def _delete(copy: Path, gone: list[Subject]) -> None:
    keys = {key for one in gone for key in one.labs}
    for own in (own for one in gone for own in one.own):
        path = copy / "dpstudio" / own.replace(".", "/")
        shutil.rmtree(path) if own in PACKAGES else path.with_suffix(".py").unlink()
    for name in (name for name, one in subjects().items() if one in gone):
        _drop(copy / "dpstudio/README.md", rf"\| {name} \|.*\n")
    for about in LABS:
        if about.key in keys:
            _drop(copy / "dpstudio/labs/naming.py", rf'    "\w+": "{about.key}",\n')
            _drop(copy / "dpstudio/labs/__init__.py", rf'    about\("{about.folder}"\),\n')
            for page in (copy / "assets/help").rglob(f"{about.key}.md"):
                page.unlink()


def _drop(path: Path, pattern: str) -> None:
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(pattern, "", text), encoding="utf-8")


def _tests(copy: Path, gone: list[Subject]) -> list[str]:
    """The tests that import nothing of what is gone, nor a file of tests that does."""
    keys = {key for one in gone for key in one.labs}
    texts = {path: path.read_text("utf-8") for path in (copy / "tests").rglob("*.py")}
    left = {path for path, text in texts.items() if not any(map(_held(gone), _imported(text)))}
    named = re.compile("|".join(rf"[\"']{key}[ \"']" for key in sorted(keys)) or r"(?!)")
    left = {path for path in left if not named.search(texts[path])}
    while broken := {p for p in left if _beside(texts[p], set(texts) - left)}:
        left -= broken
    left = {path for path in left if path.name.startswith("test_") and path.name not in OF_ALL}
    return sorted(str(path.relative_to(copy)) for path in left)


def _imported(text: str) -> set[str]:
    """Modules of the program that a text imports, and names that may be modules."""
    found = set(re.findall(r"^\s*from (dpstudio[\w.]*) import", text, re.M))
    for package, names in re.findall(r"^\s*from (dpstudio[\w.]*) import ([\w, ]+)", text, re.M):
        found |= {f"{package}.{name.split(' as ')[0]}" for name in names.split(", ")}
    return of_program(found)


def _held(gone: list[Subject]):  # type: ignore[no-untyped-def]
    return lambda module: any(one.holds(module) for one in gone)


def _beside(text: str, broken: set[Path]) -> bool:
    stems = {path.stem for path in broken}
    return bool(stems & set(re.findall(r"^(?:from|import) (\w+)", text, re.M)))


def _without(name: str) -> int:
    """How many tests or drives fail without a subject."""
    names = with_users(name)
    gone = [subjects()[one] for one in names]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for part in ("dpstudio", "tests", "assets", ".ci"):
            shutil.copytree(HERE / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
        for part in ("pyproject.toml", "README.md"):
            shutil.copy(HERE / part, copy)
        _delete(copy, gone)
        env = {**os.environ, "PYTHONPATH": str(copy), "QT_QPA_PLATFORM": "offscreen"}
        done = subprocess.run([sys.executable, "-c", DRIVE], cwd=copy, env=env)
        subprocess.run([sys.executable, "tests/translations.py"], cwd=copy, env=env)
        tests = _tests(copy, gone)
        words = [sys.executable, "-m", "pytest", "-q", "-x", "--maxfail=20", "--tb=line", *tests]
        ran = subprocess.run(words, cwd=copy, env=env, capture_output=True, text=True)
        print(
            f"without {', '.join(sorted(names))}: drive {done.returncode}, {len(tests)} files of tests"
        )
        print(
            "\n".join(
                ran.stdout.splitlines()[-25:] if ran.returncode else ran.stdout.splitlines()[-1:]
            )
        )
        return (done.returncode != 0) + (ran.returncode != 0)


def _reader() -> int:
    """Whether the reader does not import without the rest of the program."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "dpstudio"
        for module in FILES:
            kept = module.startswith("files.read") or module in ("", "values", "files")
            if kept or module.startswith("values."):
                path = FILES[module].relative_to(ROOT)
                (copy / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(FILES[module], copy / path)
        code = "import pkgutil, importlib, dpstudio\nfor m in pkgutil.walk_packages(dpstudio.__path__, 'dpstudio.'): importlib.import_module(m.name)"
        env = {**os.environ, "PYTHONPATH": folder}
        done = subprocess.run([sys.executable, "-c", code], cwd=folder, env=env)
        print(f"the reader alone: {done.returncode}")
        return done.returncode != 0


def run_subjects(some: list[str]) -> int:
    """How many of the subjects, or of some, cannot be taken away; and the reader."""
    return _reader() + sum(_without(name) for name in some or [*subjects()][1:])
