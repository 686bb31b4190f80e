"""The lessons that ship: each is played to its end by a player without a window, every question
answered; what they say is what the labs find."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot
from running import little, opened

from dpstudio.files.assets import asset
from dpstudio.files.talk import Step, judged, number_of, read_talk, unknown_fields
from dpstudio.gui.panel.panels import Panel
from dpstudio.gui.parts.theme import Look, Theme
from dpstudio.gui.state import player as playing
from dpstudio.gui.state.player import Player
from dpstudio.gui.state.store import Store
from dpstudio.labs import Lab
from dpstudio.labs.findings import Findings
from dpstudio.values.messages import Message, Num, render
from dpstudio.values.parameters import to_json

LESSONS = sorted(asset("lessons").glob("*.dptalk"))
_DIGITS = re.compile(r"(?<![\w.,])[-−]?\d+(?:,\d{3})*(?:\.\d+)?")


@cache
def ran(lab: Lab, table: str) -> Findings:
    return little(lab, opened(table))


def found(step: Step) -> Findings:
    """What the lab of a step finds there."""
    return ran(step.lab, step.table or "adult")


def fact(findings: Findings, key: str) -> float:
    value = number_of(findings.fact(key).value, findings.part)
    assert value is not None
    return value


def least(now: Findings, **names: str) -> str:
    """The name whose fact is the least."""
    return names[min(names, key=lambda key: fact(now, key))]


# What is right of a choice, by what the lab finds at the step before and at its own. Three ask for
# a reason and no number, and are answered in words by the step: a bound from the data, an atom
# that Gaussian noise has not, a promise that is gone.
RIGHT: dict[tuple[str, int], Callable[[Findings, Findings], str]] = {
    ("03", 2): lambda was, now: (
        "further" if fact(now, "typical") > fact(was, "typical") else "nearer"
    ),
    ("04", 2): lambda was, now: f"about {now.fact('sensitivity').text.values['l2'].value:.3g}",
    ("04", 4): lambda was, now: least(
        now, laplace="Laplace", gaussian="Gaussian", l2norm="L2 norm"
    ),
    ("06", 2): lambda was, now: (
        "yes" if fact(now, "chance") > 0.9 else "no" if fact(was, "chance") > 0.9 else ""
    ),
    ("07", 2): lambda was, now: f"{100 * fact(now, 'estimate'):.0f}",
    ("08", 2): lambda was, now: least(now, average="the average", f3="F₃"),
    ("09", 1): lambda was, now: f"{fact(now, 'add_remove'):.4g}",
    ("10", 4): lambda was, now: "yes" if fact(now, "claimed") >= fact(now, "total") else "no",
    ("11", 2): lambda was, now: f"about ± {fact(now, 'deviation'):.2g}",
    ("13", 2): lambda was, now: (
        "not at all" if fact(now, "attacker") > fact(now, "value") else "roughly"
    ),
    ("14", 3): lambda was, now: (
        "better" if fact(now, "interval") < fact(was, "interval") else "worse"
    ),
}
WORDS = {("05", 3), ("12", 3), ("15", 2)}


# What the lab says only at a state between two steps: the error of one answer, from that of ten.
ALSO = {("11", 2): lambda was: round(fact(was, "deviation") * 10**0.5)}


def numbers(value: Any) -> Iterator[float]:
    """All numbers in a message or in what a lab is set to; of words those that stand in them."""
    if isinstance(value, Num):
        yield float(value.value)
    elif isinstance(value, Message):
        for part in value.values.values():
            yield from numbers(part)
        yield from numbers(value.text)
    elif isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from numbers(part)
    elif isinstance(value, str):
        for text in _DIGITS.findall(re.sub(r"\{[^}]*\}", "", value)):
            yield float(text.replace(",", "").replace("−", "-"))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield float(value)


def known(step: Step) -> set[float]:
    """Every number that a lab is set to or says at a step."""
    findings = found(step)
    out = set(numbers(to_json(step.lab)))
    for held in findings.facts:
        at = number_of(held.value, findings.part)
        out |= {at} if at is not None else set()
        out |= {*numbers(held.text), *numbers(held.note)}
    for sentence in findings.sentences:
        out |= set(numbers(sentence.say))
    return out | {100 * value for value in out}  # in percent


def is_one_of(text: str, values: set[float]) -> bool:
    """Whether a number is one of these, rounded as it is written."""
    number, places = float(text.replace(",", "").replace("−", "-")), len(text.partition(".")[2])
    return any(abs(value - number) <= 0.5 * 10.0**-places * (places > 0) for value in values)


def stated(step: Step) -> str:
    """All that is stated of a step; of options only the right one."""
    words = [step.title, step.say, step.notes]
    if step.ask is not None:
        words += [step.ask.text, *step.ask.options[step.ask.right : step.ask.right + 1]]
    return re.sub(r"\{[^}]*\}", "", " ".join(words))


class Seat(QObject):
    """One who goes through a lesson: a store with a table of its own, and a player."""

    def __init__(self) -> None:
        super().__init__()
        self.store = Store()
        self.store.open_table(opened("adult"))
        self.player = Player(self.store, self)
        self.player.table.connect(self._open)
        self.panels: dict[type[Lab], Panel] = {}

    def _open(self, step: Step) -> None:
        self.store.open_table(opened(step.table))
        self.player.opened()

    def panel(self) -> Panel:
        """The panel of the lab that is open."""
        kind = type(self.store.lab)
        if kind not in self.panels:
            self.panels[kind] = Panel(self.store, Theme(Look()), kind)
            self.panels[kind].finish()
        self.panels[kind].show_state()
        return self.panels[kind]


@pytest.mark.parametrize("path", LESSONS, ids=[path.stem for path in LESSONS])
def test_a_lesson_is_played_to_its_end_and_says_what_the_lab_finds(
    path: Path, qtbot: QtBot, qapp: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing, "FRAMES", 1)
    monkeypatch.setattr(playing, "FRAME_MS", 0)
    lesson, number, seat = read_talk(path), path.stem[:2], Seat()
    player, own, before = seat.player, seat.store.state, lesson.steps[0]
    player.begin(lesson)
    for place, step in enumerate(lesson.steps):
        now, was = found(step), found(before)
        assert (player.place, player.asking) == (place, step.ask is not None)
        if step.ask is not None:
            shown = seat.store.lab
            ask, right = step.ask, float(step.ask.right)
            assert shown == (lesson.steps[place - 1].lab if place else own.lab)
            if ask.options:
                told = RIGHT.get((number, place + 1))
                assert (told is None) == ((number, place + 1) in WORDS)
                assert told is None or told(was, now) == ask.options[ask.right]
                wrong = judged(ask, 1.0 - (right > 0), now)
                assert wrong == f"No: {ask.options[ask.right]}."
            else:
                right = fact(now, ask.fact)
                assert render(now.fact(ask.fact).text) in judged(ask, 2 * right, now)
            player.answer(right)
            assert judged(ask, player.answers[place], now).startswith("Right: ")
        qtbot.waitUntil(lambda: not player.moving)
        assert seat.store.lab == step.lab
        assert not [problem for problem in now.problems if problem.stops]
        assert not step.chart or now.figure(step.chart)
        assert not unknown_fields(step.say + step.notes, step.lab, now)
        if step.point:
            assert seat.panel().reveal(step.point) or now.figure(step.point)
        also = ALSO.get((number, place + 1), lambda was: 0)(was)
        for text in _DIGITS.findall(stated(step)):
            assert is_one_of(text, {*known(step), *known(before), also}), (
                f"step {place + 1}: {text}"
            )
        before = step
        player.turn(1)
    assert player.place == len(lesson.steps) - 1  # there is no other
    player.leave()
    assert seat.store.state == own
