"""From the state to the screen in every order: whatever comes, what is said of the picture is so."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hand import settle
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpstudio.data.dataset import Dataset
from dpstudio.gui.shell.lab_result import LabResult
from dpstudio.gui.shell.pictures import Due
from dpstudio.gui.shell.studio import Studio
from dpstudio.gui.state.jobs import Job
from dpstudio.labs import Lab
from dpstudio.labs.findings import Findings
from dpstudio.values.messages import Message
from dpstudio.values.problem import Problem

STOPPED = Findings(problems=(Problem("", Message("No."), stops=True),))


class Stage:
    """A window whose labs are worked out when the walk says so."""

    def __init__(self, rng: Random, studio: Studio):
        self.rng, self.studio, self.pictures = rng, studio, studio.pictures
        self.runner, self.store = studio.pictures.runner, studio.store
        self.asked: dict[int, Lab] = {}
        self.stale = ""  # the lab whose picture is of other tables: nothing of these came yet
        self.coarse = ""  # the lab of which a value came, and no end yet
        self.runner.value.connect(self.heard)
        self.runner.idle.connect(self.idle)
        assert self.pictures.drawn is not None
        self.findings = {"explore": self.pictures.drawn.findings}
        self.runner._start = self.start  # type: ignore[method-assign]

    def heard(self, drawn: LabResult) -> None:
        self.stale, self.coarse = "", drawn.lab.key

    def idle(self) -> None:
        self.coarse = ""

    def start(self, job: Job) -> None:
        self.runner._number += 1
        self.runner._running, self.runner._waiting = self.runner._number, None
        self.runner.shown.clear()
        self.asked[self.runner._number] = job.args[0]  # type: ignore[attr-defined]

    def tell(self, what: str, value: Any = None) -> None:
        if self.runner._running is not None:
            self.runner._hear((self.runner._running, what, value))

    def value(self) -> None:
        if self.runner._running is not None:
            lab = self.asked[self.runner._running]
            found = self.rng.choice((self.findings.get(lab.key, Findings()), Findings(), STOPPED))
            self.tell("value", LabResult(lab, found, 0, found))

    def acts(self) -> dict[str, Callable[[], Any]]:
        rng, store, pictures = self.rng, self.store, self.pictures
        return {
            "value": self.value,
            "end": lambda: self.tell("end"),
            "fail": lambda: self.tell("error", ValueError("no")),
            "progress": lambda: self.tell("progress", (0.5, Message("Counting"))),
            "drag": lambda: self.set("drag"),
            "set": lambda: self.set(None),
            "turn": lambda: self.studio.show_page(rng.choice(("explore", "survey"))),
            "undo": self.studio.undo,
            "renew": lambda: pictures.renew(rng.choice(("explore", "survey"))),
            "stand": lambda: self.stand(rng.choice((None, store.data))),
            "cancel": self.runner.cancel,
            "paint": QApplication.processEvents,
        }

    def stand(self, second: Dataset | None) -> None:
        self.stale = self.store.lab.key if second is not self.store.second else self.stale
        self.store.stand(second)

    def set(self, gesture: str | None) -> None:
        if self.store.lab.key == "explore":
            self.store.set("mechanism.epsilon", self.rng.uniform(0.1, 2), gesture)

    def step(self) -> str:
        acts = self.acts()
        what = self.rng.choice(["value", "value", "end", "paint", *acts])
        acts[what]()
        return what

    def check(self, painted: bool) -> None:
        pictures, key = self.pictures, self.store.lab.key
        kept = pictures.kept.get(key)
        assert all(key == one.newest.lab.key for key, one in pictures.kept.items())
        assert all(one.good is None or not one.good.stopped for one in pictures.kept.values())
        assert not any(one.whole for of, one in pictures.kept.items() if of == self.coarse)
        assert (pictures._due is Due.CHARTS) == pictures._charts.isActive()
        assert not pictures._stands or (kept is not None and kept.newest.lab == self.store.lab)
        assert pictures._stands <= (kept is not None and kept.whole)
        if not self.runner.busy:
            assert pictures._progress is None, "progress of what has ended"
            assert not self.studio.window.working._late.isActive()
        if painted and not pictures.busy:
            assert self.studio.window.stopped.isHidden() == (not (kept and kept.newest.stopped))
            if kept is not None and not kept.newest.stopped and kept.good is None:
                assert self.stale == key, "a picture that was never drawn"
            elif kept is not None and not kept.newest.stopped:
                assert kept.good is not None
                assert kept.good.lab == kept.newest.lab, "another picture than the newest"

    def end_all(self) -> None:
        while self.runner.busy:
            self.tell("end")

    def finish(self, qtbot: QtBot) -> None:
        self.end_all()
        del self.runner._start
        self.runner.value.disconnect(self.heard)
        self.runner.idle.disconnect(self.idle)
        settle(qtbot, self.studio)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_said_of_the_picture_is_so_in_every_order(
    seed: int, studio: Studio, qtbot: QtBot
) -> None:
    stage, done = Stage(Random(seed), studio), []
    try:
        for _ in range(60):
            done.append(stage.step())
            try:
                stage.check(done[-1] == "paint")
            except AssertionError as error:
                raise AssertionError(f"{error} after {done[-8:]}") from error
        # A worker waits only for what is still to be painted.
        studio.show_page("explore")
        stage.end_all()
        stage.set(None)
        stage.value()
        assert not stage.runner.shown.is_set()
        qtbot.waitUntil(lambda: not stage.pictures.busy)
        qtbot.waitUntil(stage.runner.shown.is_set)
    finally:
        stage.finish(qtbot)
