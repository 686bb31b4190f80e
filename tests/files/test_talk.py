"""The file of a talk: it comes back as it was written, and what is broken ends in a sentence."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dpstudio.data.dataset import Dataset
from dpstudio.files import talk as files_talk
from dpstudio.files.read.choices import Choices
from dpstudio.files.session import Second, SessionError
from dpstudio.labs.findings import Fact, Findings
from dpstudio.labs.naming import every_lab
from dpstudio.labs.one_answer.explore.parameters import Explore
from dpstudio.labs.page import Lab
from dpstudio.values.messages import Num, plain, render, say
from dpstudio.values.parameters import put

LAB = Explore()
TALK = files_talk.Talk(
    "Counts",
    (
        files_talk.Step(
            "First", LAB, "adult", "ab", "About {fact.answer}.", "Slowly.", "published", minutes=2.5
        ),
        files_talk.Step(
            "Second",
            put(LAB, "mechanism.epsilon", 0.001),
            point="mechanism.epsilon",
            hidden={"error": ("exact",)},
            index=3,
            ask=files_talk.Ask("Which?", ("this", "that"), 1),
        ),
        files_talk.Step("Third", LAB, ask=files_talk.Ask("How far?", fact="typical")),
    ),
    about="What ε buys.",
    lesson=True,
)


def test_a_talk_comes_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "counts.dptalk"
    files_talk.write_talk(TALK, path)
    assert files_talk.read_talk(path) == TALK
    moved = TALK.moved(2, -2)
    assert [step.title for step in moved.steps] == ["Third", "First", "Second"]
    assert [TALK.planned(place) for place in range(3)] == [(0, 2.5), (2.5, 2.5), (2.5, 2.5)]
    assert moved.with_step(0, None).inserted(2, TALK.steps[2]) == TALK
    assert files_talk.talk_json(TALK)["dpstudio_talk"] == 1  # programs of before read it
    two = replace(TALK.steps[0], second=Second("/data/all.csv", "cd" * 32, Choices(skip=2)))
    files_talk.write_talk(TALK.inserted(0, two), path)
    assert files_talk.read_talk(path).steps[0] == two
    assert json.loads(path.read_text())["dpstudio_talk"] == 2  # they must not show one of two


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda talk: talk.pop("dpstudio_talk"), "is not a dpstudio talk"),
        (lambda talk: talk.update(dpstudio_talk=9), "later dpstudio"),
        (lambda talk: talk.update(steps="none"), "lacks its steps"),
        (lambda talk: talk.update(steps=[{}] * 501), "over 500"),
        (lambda talk: talk["steps"].append(5), "in step 4"),
        (lambda talk: talk["steps"][0].update(lab=None), "in step 1"),
        (lambda talk: talk["steps"][1]["lab"]["mechanism"].update(epsilon=-1), "mechanism.epsilon"),
        (lambda talk: talk["steps"][1]["ask"].update(right=2), "ask.right"),
        (lambda talk: talk["steps"][0].update(codebook=[1]), "in step 1"),
        (lambda talk: talk["steps"][0].update(minutes=-1), "in step 1 at minutes"),
        (lambda talk: talk["steps"][0].update(minutes=True), "from 0 to 600"),
        (lambda talk: talk["steps"][0].update(minutes="2"), "from 0 to 600"),
        (lambda talk: talk["steps"][0].update(minutes=float("nan")), "from 0 to 600"),
        (lambda talk: talk["steps"][0]["table"].update(reading=7), "table.reading"),
        (
            lambda talk: talk["steps"][0].update(second={"path": "a", "reading": 7}),
            "in step 1 at second.reading",
        ),
    ],
)
def test_a_broken_talk_ends_in_a_sentence(tmp_path: Path, change: Any, why: str) -> None:
    made = json.loads(json.dumps(files_talk.talk_json(TALK)))
    change(made)
    path = tmp_path / "broken.dptalk"
    path.write_text(json.dumps(made), encoding="utf-8")
    with pytest.raises(SessionError, match=why):
        files_talk.read_talk(path)


def test_numbers_are_told_as_the_lab_found_them(adult: Dataset) -> None:
    findings = next(LAB.run(adult))
    text = "{fact.truth} at ε = {mechanism.epsilon}, {mechanism}: {fact.none}{no.such}"
    assert files_talk.told(text, LAB, findings) == "6,460 at ε = 0.1, Laplace: ––"
    assert files_talk.unknown_fields(text, LAB, findings) == ["fact.none", "no.such"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (200, "Right: ±200."),
        (150, "You said 150, which is 25 % too little: it is ±200."),
        (1000, "You said 1,000, which is 5 times too much: it is ±200."),
        (2, "You said 2, which is 100 times too little: it is ±200."),
        (-3, "You said −3; it is ±200."),
    ],
)
def test_an_answer_is_told_how_far_it_is_off(given: float, said: str) -> None:
    found = Findings(facts=(Fact("typical", "Typical", plain("±200"), value=200.0),))
    assert files_talk.judged(files_talk.Ask("How far?", fact="typical"), given, found) == said
    one = Findings(facts=(Fact("risk", "Risk", say("1 in {n}", n=Num(3.0, 12)), value=1 / 3),))
    ask = files_talk.Ask("How likely?", fact="risk")
    for typed in (3, 0.333, 33.3):
        assert files_talk.judged(ask, typed, one) == "Right: 1 in 3."
    for typed in (6, 0.5, 25, 0):
        assert files_talk.judged(ask, typed, one).startswith("You said")
    share = Num(0.506, percent=True)
    held = Findings(facts=(Fact("risk", "Risk", say("{p}", p=share), value=0.506),))
    for typed in (60, 0.6):
        told = "You said 60 %, which is 9.4 points too much: it is 50.6 %."
        assert files_talk.judged(ask, typed, held) == told
    assert "4 times too little" in files_talk.judged(ask, 12.65, held)
    chosen = files_talk.Ask("Which?", ("this", "that"), 1)
    assert files_talk.judged(chosen, 1, found) == "Right: that."
    assert files_talk.judged(chosen, 0, found) == "No: that."


@pytest.mark.parametrize("kind", every_lab(), ids=lambda kind: kind.key)
def test_the_number_that_is_read_is_the_right_one(
    kind: type[Lab], default_findings: Callable[[type[Lab]], Findings]
) -> None:
    """Of any fact of any lab whoever types what it shows is right: 78.5 where it says 78.5 %, and 3
    where it says 1 in 3."""
    found = default_findings(kind)
    for fact in found.facts:
        value, said = files_talk.number_of(fact.value, found.part), render(fact.text)
        read = re.search(r"(?<!\w)[-−]?\d[\d,]*(\.\d+)?", said.removeprefix("1 in "))
        typed = float(read[0].replace(",", "").replace("−", "-")) if read else 0.0
        for given in (typed,) if value and typed and not re.search("[⁰-⁹]", said) else ():
            told = files_talk.judged(files_talk.Ask("How much?", fact=fact.key), given, found)
            assert told == f"Right: {said}.", (fact.key, told)
