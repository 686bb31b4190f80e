"""The service that works in the background, and fitting labs to large tables in it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from hand import WAIT
from pytestqt.qtbot import QtBot

from dpstudio.files.tables import open_table
from dpstudio.gui.state import fitting
from dpstudio.gui.state.jobs import Channel, Jobs, Work
from dpstudio.gui.state.store import Store
from dpstudio.labs.context import Context, Stopped
from dpstudio.values.messages import Message


@pytest.fixture
def jobs(qapp: object) -> Iterator[Jobs]:
    held = Jobs()
    yield held
    held.close()
    assert not held.pool.activeThreadCount()


def heard(channel: Channel) -> list[Any]:
    out: list[Any] = []
    channel.value.connect(out.append)
    return out


def test_one_runs_and_the_newest_waits(jobs: Jobs, qtbot: QtBot) -> None:
    channel, go = jobs.channel("lab"), threading.Event()
    out = heard(channel)

    def job(name: str) -> Any:
        def run(work: Work) -> Iterator[str]:
            go.wait(5)
            yield name

        return run

    for name in "abc":
        channel.submit(job(name))
    assert jobs.busy()
    assert jobs.busy("lab")
    assert not jobs.busy("table")
    with qtbot.waitSignal(channel.idle, timeout=WAIT):
        go.set()
    assert out == ["a", "c"]


def test_what_is_cancelled_is_not_heard_and_channels_do_not_wait_for_each_other(
    jobs: Jobs, qtbot: QtBot
) -> None:
    lab, table = jobs.channel("lab"), jobs.channel("table")
    out, told = heard(lab), heard(table)

    def long(work: Work) -> Iterator[str]:
        while not work.cancelled():
            time.sleep(0.002)
        yield "too late"

    lab.submit(long)
    table.submit(lambda work: iter(["read"]))
    qtbot.waitUntil(lambda: told == ["read"], timeout=WAIT)
    assert lab.busy
    lab.submit(lambda work: iter(["new"]), cancel=True)
    qtbot.waitUntil(lambda: not lab.busy, timeout=WAIT)
    assert out == ["new"]


def test_a_job_is_refined_when_its_first_value_has_been_heard(jobs: Jobs, qtbot: QtBot) -> None:
    """Painting needs the interpreter too."""
    channel = jobs.channel("lab")
    out = heard(channel)

    def run(work: Work) -> Iterator[str]:
        yield "first"
        out.append("refined")
        yield "last"

    with qtbot.waitSignal(channel.idle, timeout=WAIT):
        channel.submit(run)
    assert out == ["first", "refined", "last"]


def test_a_job_is_refined_at_once_when_its_picture_was_painted(jobs: Jobs, qtbot: QtBot) -> None:
    """Not before, and no while later: who paints tells."""
    channel = jobs.channel("lab")
    out, wet = heard(channel), [True]
    channel.painting = lambda: wet[0]

    def run(work: Work) -> Iterator[str]:
        yield "first"
        out.append("refined")

    channel.submit(run)
    qtbot.waitUntil(lambda: out == ["first"], timeout=WAIT)
    channel.go_on()
    assert not channel.shown.is_set()
    wet[0] = False
    with qtbot.waitSignal(channel.idle, timeout=WAIT):
        channel.go_on()
        assert channel.shown.is_set()
    assert out == ["first", "refined"]


def test_under_a_hand_a_job_is_refined_when_it_rests(
    jobs: Jobs, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next picture is worth more than a finer one of the last."""
    monkeypatch.setattr("dpstudio.gui.state.jobs.REST_S", 3600.0)
    channel = jobs.channel("lab")
    out = heard(channel)

    def run(name: str, work: Work) -> Iterator[str]:
        yield name
        out.append("refined")
        yield "finer"

    channel.grasp(True)
    channel.submit(partial(run, "first"))
    qtbot.waitUntil(lambda: out == ["first"] and channel.shown.is_set(), timeout=WAIT)
    channel.submit(partial(run, "next"))
    qtbot.waitUntil(lambda: out == ["first", "next"] and channel.shown.is_set(), timeout=WAIT)
    with qtbot.waitSignal(channel.idle, timeout=WAIT):
        channel.grasp(False)
    assert out == ["first", "next", "refined", "finer"]


@dataclass
class _Hero:
    """What comes ahead of a value."""

    name: str
    ahead: bool = True


def test_what_came_ahead_is_followed_where_the_hand_rests(
    jobs: Jobs, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the next picture would wait for small charts and words that nobody looks at yet."""
    for name in ("STILL_S", "WHOLE_S"):
        monkeypatch.setattr(f"dpstudio.gui.state.jobs.{name}", 3600.0)
    channel = jobs.channel("lab")
    channel.whole_at, out = time.monotonic(), heard(channel)

    def run(name: str, work: Work) -> Iterator[object]:
        yield _Hero(name)
        yield f"{name}, whole"

    channel.grasp(True)
    for number, name in enumerate(("first", "next"), start=1):
        channel.submit(partial(run, name))
        told = [_Hero("first"), _Hero("next")][:number]
        qtbot.waitUntil(lambda t=told: out == t and channel.shown.is_set(), timeout=WAIT)
    with qtbot.waitSignal(channel.idle, timeout=WAIT):
        channel.grasp(False)
    assert out == [_Hero("first"), _Hero("next"), "next, whole"]


def test_who_refines_is_told_that_a_newer_job_waits(jobs: Jobs, qtbot: QtBot) -> None:
    """But not who has told nothing yet: a hand that never rests would see nothing."""
    channel = jobs.channel("lab")
    out = heard(channel)
    begun, waits = threading.Event(), threading.Event()

    def run(work: Work) -> Iterator[str]:
        begun.set()
        waits.wait(WAIT / 1000)
        assert not work.cancelled()
        yield "first"
        while not work.cancelled():
            time.sleep(0.002)

    def newest(work: Work) -> Iterator[str]:
        yield "newest"

    channel.submit(run)
    begun.wait(WAIT / 1000)
    channel.submit(newest)
    with qtbot.waitSignal(channel.idle, timeout=WAIT):
        waits.set()
    assert out == ["first", "newest"]


def test_progress_and_failure_are_told(jobs: Jobs, qtbot: QtBot) -> None:
    channel = jobs.channel("lab")
    shares: list[tuple[float, Message]] = []
    failures: list[Exception] = []
    channel.progress.connect(lambda share, doing: shares.append((share, doing)))
    channel.failed.connect(failures.append)

    def job(work: Work) -> Iterator[int]:
        work.progress(0.5, Message("half"))
        yield 1
        raise ValueError("no")

    channel.submit(job)
    qtbot.waitUntil(lambda: not channel.busy, timeout=WAIT)
    assert shares == [(0.5, Message("half"))]
    assert [type(error) for error in failures] == [ValueError]


def test_a_job_that_is_begun_on_a_failure_runs_alone(jobs: Jobs, qtbot: QtBot) -> None:
    channel = jobs.channel("lab")
    out = heard(channel)

    def broken(work: Work) -> Iterator[int]:
        raise ValueError
        yield 0

    channel.failed.connect(lambda _: channel.submit(lambda work: iter(["again"])))
    channel.submit(broken)
    qtbot.waitUntil(lambda: out == ["again"] and not channel.busy, timeout=WAIT)


def test_nothing_is_taken_after_the_end(qapp: object) -> None:
    jobs = Jobs()
    channel = jobs.channel("lab")
    jobs.close()
    channel.submit(lambda work: iter([1]))
    assert not channel.busy
    with pytest.raises(RuntimeError):
        jobs.processes.submit(os.getpid)


def test_worker_processes_are_made_when_needed_and_end_in_the_middle(qapp: object) -> None:
    jobs = Jobs()
    assert jobs.processes._pool is None
    context = Context(open_table("house_votes_84"), lane=jobs.processes)
    assert context.work(os.getpid) != os.getpid()
    future = jobs.processes.submit(time.sleep, 60)
    asked = Context(context.data, lane=jobs.processes, cancelled=iter((False, True)).__next__)
    with pytest.raises(Stopped):
        asked.work(time.sleep, 60)
    began = time.monotonic()
    jobs.close()
    assert time.monotonic() - began < 10
    assert future.done() or future.cancelled()


KILLED = """
import os, signal
from dpstudio.gui.state.jobs import Processes

print(Processes().submit(os.getpid).result(), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_no_worker_outlives_a_program_that_is_killed() -> None:
    """Nobody is left at the other end of what the worker could write to."""
    killed = subprocess.run(
        [sys.executable, "-c", KILLED], capture_output=True, timeout=30, check=False
    )
    assert killed.returncode == -signal.SIGKILL
    assert int(killed.stdout)


# Fitting to a large table


@pytest.fixture
def slow(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """A store to which every table is a large one, that of Adult open; nothing is fitted before
    `go`."""
    monkeypatch.setattr(fitting, "_QUICK", 0)
    honest, go = fitting.suited, threading.Event()

    def waiting(lab: Any, data: Any) -> Any:
        assert threading.current_thread() is not threading.main_thread()
        go.wait(5)
        return honest(lab, data)

    store = Store(jobs.channel("fit"))
    store.open_table(open_table("adult"))
    monkeypatch.setattr(fitting, "suited", waiting)
    store.go = go  # type: ignore[attr-defined]
    yield store
    go.set()


@pytest.fixture
def quick(qapp: object) -> Store:
    """The same, fitted at once."""
    store = Store()
    store.open_table(open_table("adult"))
    return store


def fitted(store: Any, qtbot: QtBot) -> None:
    store.go.set()
    qtbot.waitUntil(lambda: not store.fitting, timeout=WAIT)


def test_edits_made_while_a_question_is_fitted_keep_their_order(
    slow: Store, quick: Store, qtbot: QtBot
) -> None:
    for store in (slow, quick):
        store.set("mechanism.epsilon", 0.3)
        store.choose("query", "sum")
        store.set("mechanism.epsilon", 0.7)
        store.set("query.where", "age > 30")
        store.choose("query", "histogram")
        store.set("mechanism.epsilon", 0.9)
    assert slow.fitting
    assert slow.history.count() == quick.history.count()
    fitted(slow, qtbot)
    states = []
    for store in (slow, quick):
        held = [store.state]
        while store.history.canUndo():
            store.history.undo()
            held.append(store.state)
        while store.history.canRedo():
            store.history.redo()
        assert store.state == held[0]
        states.append(held)
    assert states[0] == states[1]


def test_a_lab_that_is_opened_is_fitted_behind(slow: Store, quick: Store, qtbot: QtBot) -> None:
    for store in (slow, quick):
        store.activate("clipping")
        store.set("seed", 7)
        store.activate("explore")
        store.activate("selection")
    fitted(slow, qtbot)
    assert slow.state == quick.state
    assert slow.wanted() == quick.wanted()


def test_a_choice_that_is_undone_before_it_is_fitted_stays_undone(
    slow: Store, quick: Store, qtbot: QtBot
) -> None:
    before = slow.state
    slow.choose("query", "sum")
    quick.choose("query", "sum")
    slow.history.undo()
    fitted(slow, qtbot)
    assert slow.state == before
    slow.history.redo()
    assert slow.state == quick.state


def test_another_table_finds_labs_that_were_fitted(
    slow: Store, quick: Store, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    adult, votes = slow.data, open_table("house_votes_84")
    assert adult is not None
    slow.choose("query", "sum")
    quick.choose("query", "sum")
    # What is left is fitted here, and waited for.
    monkeypatch.setattr(fitting, "suited", lambda lab, data: lab.suited(data))
    slow.go.set()  # type: ignore[attr-defined]
    for store in (slow, quick):
        store.open_table(votes)
        store.open_table(adult)
    qtbot.waitUntil(lambda: not slow.fitting, timeout=WAIT)
    assert slow.state == quick.state
