"""The player of talks, driven in every order: whatever comes, what it says of the screen is so."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pandas as pd
import pytest
from PySide6.QtCore import QObject

from dpstudio.data.dataset import Dataset
from dpstudio.files.talk import Ask, Step, Talk
from dpstudio.gui.state import player as playing
from dpstudio.gui.state.player import Player
from dpstudio.gui.state.store import Store
from dpstudio.labs.many_answers.composition.parameters import Composition
from dpstudio.labs.nobody.survey.parameters import Survey
from dpstudio.values.parameters import put

TABLES = {
    name: Dataset(pd.DataFrame({"x": [1.0, 2.0, 3.0]}), name, name) for name in ("one", "two")
}
ASK = Ask("How many?", ("few", "many"))
STEPS = (
    Step("a", put(Survey(), "share", 0.2), "one", ask=ASK),
    Step("b", put(Survey(), "share", 0.7), "two"),
    Step("c", Composition()),
    Step("d", put(Survey(), "share", 0.4), "one", ask=ASK),
)


class Stage(QObject):
    """A player whose tables come when the walk says so."""

    def __init__(self, rng: Random):
        super().__init__()
        self.rng, self.store = rng, Store()
        self.store.open_table(TABLES["one"])
        self.player = Player(self.store, self)
        self.wanted = ""  # the table that was asked for last
        self.free = True  # the lab was set, or taken back, since a step came
        self.player.table.connect(lambda step: setattr(self, "wanted", step.table))
        self.player.went.connect(lambda _: setattr(self, "free", False))

    def acts(self) -> dict[str, Callable[[], Any]]:
        rng, player, store = self.rng, self.player, self.store
        steps = STEPS[: rng.randint(0, 4)]
        return {
            "begin": lambda: player.begin(Talk("t", steps)),
            "leave": player.leave,
            "on": lambda: player.turn(1),
            "back": lambda: player.turn(-1),
            "answer": lambda: player.answer(1.0),
            "frame": player._frames.timeout.emit,
            "open": self.open,
            "put in": lambda: player.put_in(replace(rng.choice(STEPS), lab=store.lab, table="")),
            "say": lambda: player.change(say=rng.choice("abc")),
            "ask": lambda: player.change(ask=rng.choice((None, ASK))),
            "retake": lambda: player.change(lab=store.lab),
            "remove": player.remove,
            "move": lambda: player.move(rng.choice((-1, 1))),
            "name": lambda: player.describe(name=rng.choice("abc")),
            "undo": player.undo,
            "redo": player.redo,
            "set": lambda: self.set(rng.random()),
        }

    def set(self, share: float) -> None:
        if isinstance(self.store.lab, Survey) and not self.player.moving:
            self.store.set("share", share)

    def open(self) -> None:
        if self.wanted:
            table, self.wanted = self.wanted, ""
            self.store.open_table(TABLES[table])
            self.player.opened()

    def step(self) -> str:
        """Something happens; what."""
        acts = self.acts()
        what = self.rng.choice(["frame", "frame", "open", "on", "set", *acts])
        lab, before = self.store.lab, self.player.talk
        went: list[Step] = []
        self.player.went.connect(went.append)
        acts[what]()
        self.player.went.disconnect(went.append)
        lab, after = went[-1].lab if went else lab, self.player.talk
        fewer = before is not None and after is not None and len(after.steps) < len(before.steps)
        if (self.store.lab != lab or fewer) and not self.player.moving:
            self.free = True
        return what

    def check(self) -> None:
        player, step = self.player, self.player.step
        steps = () if player.talk is None else player.talk.steps
        assert player.place in range(len(steps)) if steps else player.place == -1
        assert (player.talk is None) <= (player.answers == {} and player.saved is None)
        assert (step is None) <= (not player.asking and not player.moving)
        assert not (player.asking and player.moving)
        assert player._frames.isActive() <= player.moving
        if step is None:
            return
        if player.asking:
            assert step.ask is not None
            assert player.place not in player.answers
        elif not player.moving:
            assert self.free or self.store.lab == step.lab, "another picture than that of the step"
        elif not player._frames.isActive():
            assert self.wanted == step.table, "it waits for a table that nobody opens"


@pytest.mark.parametrize("seed", range(12))
def test_what_the_player_says_of_the_screen_is_so_in_every_order(
    seed: int, qapp: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing, "FRAMES", 3)
    monkeypatch.setattr(playing, "FRAME_MS", 3_600_000)  # frames come by hand
    stage, done = Stage(Random(seed)), []
    for _ in range(150):
        done.append(stage.step())
        try:
            stage.check()
        except AssertionError as error:
            raise AssertionError(f"{error} after {done[-8:]}") from error


def test_a_question_is_asked_beside_the_whole_of_the_step_before() -> None:
    """Who turns on while a step still moves is asked beside that one, not beside what was seen
    earlier."""
    stage, labs = Stage(Random(1)), [put(Survey(), "share", share) for share in (0.2, 0.7, 0.4)]
    asks = (None, None, ASK)
    steps = tuple(Step("s", lab, "one", ask=ask) for lab, ask in zip(labs, asks, strict=True))
    stage.player.begin(Talk("t", steps))
    stage.player.turn(1)
    assert stage.player.moving
    stage.player.turn(1)
    assert stage.player.asking
    assert stage.store.lab == labs[1]
    stage.player.leave()
