"""What several tests need: the shipped table, the reference vectors, and hypothesis without clock
or memory."""

from __future__ import annotations

import functools
import gc
import inspect
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

# All before numpy or a test is imported. Each process of a run would compile all tests anew where
# the environment forbids to keep what was compiled: half of what it takes to collect them. And
# threads of matrix products, of which each process has one a core, wait for each other by spinning.
sys.dont_write_bytecode = False
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# The processes that this one starts keep the memory of arrays that went: glibc would give it back
# and ask for it again, page by page, a sixth of what tests/privacy/test_laws.py takes.
os.environ.setdefault("MALLOC_MMAP_THRESHOLD_", str(2**28))
os.environ.setdefault("MALLOC_TRIM_THRESHOLD_", str(2**29))

import pytest
from _pytest.outcomes import OutcomeException
from _pytest.pathlib import import_path
from _pytest.runner import runtestprotocol
from hypothesis import settings
from hypothesis.internal.conjecture import providers

if TYPE_CHECKING:
    # Not here else: the process that only hands tests out would import it before any other begins.
    from dpstudio.data.dataset import Dataset
    from dpstudio.labs.findings import Findings
    from dpstudio.labs.page import Lab

settings.register_profile(
    "dpstudio", deadline=None, derandomize=True, database=None, max_examples=60
)
settings.load_profile("dpstudio")
# Else it parses every module that is imported, seconds in a fresh folder, for constants to try: so
# examples would depend on which tests a process ran before.
providers._get_local_constants = lambda: providers._local_constants

VECTORS = json.loads(
    (Path(__file__).parent / "reference" / "vectors.json").read_text(encoding="utf-8")
)


@pytest.fixture(scope="session", autouse=True)
def one_application() -> None:
    """Several tests draw, some with windows: all of a process share the one application that can do
    both."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from dpstudio.gui.shell.app import make_app

    make_app()


@pytest.fixture(scope="session")
def ledgers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """What leaves in a test is written into no ledger of a person, nor are drafts to theirs; here
    are paths of ledgers."""
    os.environ["DPSTUDIO_DRAFTS"] = str(tmp_path_factory.mktemp("drafts"))
    folder = tmp_path_factory.mktemp("ledger")
    return (str(folder / str(n) / "ledger.dpledger") for n in count())


@pytest.fixture(autouse=True)
def own_ledger(ledgers: Iterator[str]) -> None:
    """Each test has one of its own, which knows of no other table."""
    os.environ["DPSTUDIO_LEDGER"] = next(ledgers)


@pytest.fixture(scope="session", autouse=True)
def no_power_cut() -> Iterator[None]:
    """No test pulls the plug: to wait for the disk at each file that is written takes longer than
    to write it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        yield


@pytest.fixture(scope="session")
def adult() -> Dataset:
    """The Adult table: 32,561 rows, 6,460 of them over 50."""
    from dpstudio.files.tables import open_table

    return open_table("adult")


@pytest.fixture(scope="session")
def default_findings(adult: Dataset) -> Callable[[type[Lab]], Findings]:
    """What a lab finds on Adult as it starts, worked out once a session and with little effort."""
    from running import little

    return functools.cache(lambda kind: little(kind(), adult))


@pytest.fixture
def touched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of whatever reads the rows of a table, in the order of their calls."""
    from dpstudio.data import aggregates
    from dpstudio.data.held_columns import HeldColumns

    names: list[str] = []

    def listen(holder: Any, name: str) -> None:
        original = getattr(holder, name)

        def heard(*arguments: Any) -> Any:
            names.append(name)
            return original(*arguments)

        monkeypatch.setattr(holder, name, heard)

    for name in ("mask", "numbers", "codes", "absent", "chosen"):
        listen(HeldColumns, name)
    for name, function in vars(aggregates).items():
        if inspect.isfunction(function) and function.__module__ == aggregates.__name__:
            listen(aggregates, name)
    return names


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """`@pytest.mark.vectors("group", without="fn")` runs a test, which takes `vector`, on every
    reference vector of the group."""
    mark = metafunc.definition.get_closest_marker("vectors")
    if mark:
        found: list[dict[str, Any]] = [
            v for v in VECTORS if v["group"] in mark.args and v["fn"] != mark.kwargs.get("without")
        ]
        assert found, f"no reference vectors of {mark.args}"
        metafunc.parametrize(
            "vector",
            found,
            ids=[f"{v['fn']}-{'-'.join(map(str, v['inputs'].values()))}" for v in found],
        )


# What takes seconds, the longest first: it starts before all else, so that the processes of a run
# end together. By the beginnings of names; measured with --durations=0.
SLOW = (
    "tests/test_wheel.py",
    "tests/gui/test_gui_states.py",
    "tests/gui/test_gui_labs.py",
    "tests/labs/test_numbers.py",
    "tests/labs/test_labs.py::test_every_choice_runs",
    "tests/privacy/test_more_queries.py::test_answers_on_random_tables",
    "tests/labs/test_clipping.py::test_small_table_is_told_by_the_law",
    "tests/labs/test_explore.py::test_every_two_choices_meet",
    "tests/test_cli.py",
    "tests/privacy/test_mechanisms.py::test_contract[check_delta",
    "tests/labs/test_clipping.py::test_every_combination_runs",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The slow ones first; all else in its order."""

    def turn(item: pytest.Item) -> int:
        slow = (place for place, name in enumerate(SLOW) if item.nodeid.startswith(name))
        return next(slow, len(SLOW))

    items.sort(key=turn)


def pytest_collection(session: pytest.Session) -> None:
    """Of a whole run every second process imports the tests from the last one on: in a fresh
    folder each compiles half of what is there, and finds the other half compiled."""
    here, odd = Path(__file__).parent, os.environ.get("PYTEST_XDIST_WORKER", "gw0")[-1] in "13579"
    if odd and [Path(word).resolve() for word in session.config.args] == [here]:
        for path in sorted(here.rglob("test_*.py"), reverse=True):
            # What goes wrong is told when they are collected, which imports them once more.
            with suppress(Exception, OutcomeException):
                import_path(path, root=session.config.rootpath, consider_namespace_packages=False)


BRIEF = 0.005  # seconds


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """As pytest has it, but nobody hears that a test was set up or put away where that went well
    and took no time: to tell it to another process takes longer."""
    where = {"nodeid": item.nodeid, "location": item.location}
    item.ihook.pytest_runtest_logstart(**where)
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed or report.duration > BRIEF:
            item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(**where)
    return True


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "vectors(group, without): run on every reference vector of a group"
    )
    gc.disable()  # until all is collected: nothing that is imported or listed goes again


def pytest_collection_finish() -> None:
    """What stands now stays to the end: the collections after each window need not walk through it
    again and again. One after each 700 new things, as Python has it, finds next to nothing."""
    gc.enable()
    gc.set_threshold(20_000, 10, 10)
    gc.freeze()  # with the little garbage among it: to find that takes longer
