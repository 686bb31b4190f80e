"""Every lab as it starts and in states at random, each worked out once: no sentence ends in
nothing, and what is drawn together can be told apart by every eye, in light and in dark."""

import re
from collections.abc import Callable
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from chinese import HALF, HAN, width
from geometry import unequal
from grammar import of_many
from marks import english
from random_states import random_state
from running import LEAST, little, speaking
from sight import apart, ciede2000, projected
from sight import lab as cielab

from dpstudio.charts.figure import Handle
from dpstudio.charts.inks import MOST, inks_of
from dpstudio.charts.label_folding import folded
from dpstudio.charts.label_layout import place_labels
from dpstudio.data.dataset import Dataset
from dpstudio.files.language import CHINESE, ENGLISH, shown, tr
from dpstudio.files.write.palette import palette
from dpstudio.files.write.text_width import text_width
from dpstudio.labs.context import Context
from dpstudio.labs.findings import Findings
from dpstudio.labs.naming import every_lab, lab_kind
from dpstudio.labs.page import Lab
from dpstudio.values.messages import cited, render
from dpstudio.values.parameters import OneOf, domains, put

STATES = 3  # of each lab; test_labs.py looks at each option of each of its choices as well
# "L∞" is a name.
NEVER = re.compile(r"\bnan\b|\binf\b|(?<!L)∞|at most (ε = )?0(?![.,\d])")
VERDICTS = {"good", "warn", "bad"}
# A hero, three multiples, and four that wait: more at one time nobody looks at. What else there is,
# a choice brings.
CHARTS = 1 + 3 + 4
SHORT = {ENGLISH: 70, CHINESE: 34}  # characters of the sentence above the charts
# Px of it in type of 20, where 1920x1080 has one line of 1/24 of the height beside the page's number.
STAGE = (1920 - 2 * 63 - 45 - 80) * 20 / 45
# Where a verdict is what is drawn.
JUDGED = {("audit", "bounds"), ("audit", "events"), ("audit", "catalogue"), ("linkage", "ranked")}


@pytest.mark.parametrize("kind", every_lab(), ids=lambda kind: kind.key)
def test_what_is_said_and_drawn(
    kind: type[Lab], adult: Dataset, default_findings: Callable[[type[Lab]], Findings]
) -> None:
    """No sentence says "at most 0", NaN, infinity or "1 rows". Inks of a chart: ΔE (CIEDE2000) of 12 at
    least under usual, deutan, protan and tritan sight, and of 6 through a projector, from the ground
    too; no more than eight; red and green for
    verdicts only. No page has more charts at one time than anybody looks at, as it starts and in the
    first picture of a state."""
    check(kind, -1, default_findings(kind))
    assert len(default_findings(kind).figures) <= CHARTS
    for seed in range(STATES):
        for place, found in enumerate(
            random_state(kind, seed, adult).run(Context(adult, effort=LEAST))
        ):
            check(kind, seed, found)
            assert place or len(found.figures) <= CHARTS, (seed, [f.key for f in found.figures])


def two_lines(found: Findings) -> bool:
    """Whether the first sentence has two lines at most where it is large: 784 px less its sign, 20
    px semibold."""
    return (
        len(folded(first(found), 760.0, lambda text: (text_width(text, 20.0, bold=True), 25.0)))
        <= 2
    )


@pytest.mark.parametrize("kind", every_lab(), ids=lambda kind: kind.key)
def test_one_short_sentence(
    kind: type[Lab], default_findings: Callable[[type[Lab]], Findings]
) -> None:
    """At most 70 characters as a lab starts, 34 where they are as wide as two, and one line on a
    stage: what else is true of it stands below, or in numbers."""
    for tag, most in SHORT.items():
        with speaking(tag):
            said = first(default_findings(kind))
        assert (width(said) / 2 if tag == CHINESE else len(said)) <= most, said
        assert text_width(f"✗ {said}", 20.0, bold=True) <= STAGE, said


@pytest.mark.parametrize("kind", every_lab(), ids=lambda kind: kind.key)
def test_what_is_said_is_written_as_chinese_is(
    kind: type[Lab], default_findings: Callable[[type[Lab]], Findings]
) -> None:
    """Sentences, numbers and charts: no mark of English beside Chinese, also where a list or a value
    was put into a text, and no sentence of English but of what is cited."""
    found = default_findings(kind)
    said = [sentence.say for sentence in found.sentences]
    said += [each for fact in found.facts for each in (fact.label, fact.text, fact.note)]
    for figure in found.figures:
        said += [figure.title, figure.subtitle, *figure.notes, figure.x.label, figure.y.label]
        said += [layer.label for layer in figure.layers]
    with speaking(CHINESE):
        texts = {shown(each) for each in said if each}
        texts |= {cited(figure.source, tr) for figure in found.figures}
    wrong = {text for text in texts if re.search(f"[{HAN}]", text) and HALF.search(text)}
    wrong |= set(filter(english, texts))
    assert wrong == set()


@pytest.mark.parametrize("family", [("printed", "erratum"), ("stories", "story")])
def test_every_listing_and_story_is_said_shortly(family: tuple[str, str], adult: Dataset) -> None:
    kind = lab_kind(family[0])
    domain = domains(kind)[family[1]]
    assert isinstance(domain, OneOf)
    for member in domain.family():
        found = little(put(kind(), family[1], member.key).suited(adult), adult, LEAST)
        assert len(first(found)) <= SHORT[ENGLISH], first(found)


def torn(clause: str) -> list[str]:
    """What would stand beside a title for want of room and is no whole clause: a semicolon within
    brackets or quotes is no place to stop at."""
    parts = clause.split("; ")
    kept = ["; ".join(parts[:k]) for k in range(1, len(parts) + 1)]
    return [one for one in kept if any(one.count(a) != one.count(b) for a, b in ("()", "“”", "[]"))]


def first(found: Findings) -> str:
    """The sentence that stands large above the charts."""
    return shown(found.sentence(found.headline[0]).say)


def check(kind: type[Lab], seed: object, found: Findings) -> None:
    assert not found.headline or two_lines(found), (seed, first(found))
    for sentence in found.sentences:
        text = render(sentence.say)
        assert not NEVER.search(text), (seed, text)
        assert not [*of_many(text)], (seed, text)
    for figure in found.figures:
        assert not torn(render(figure.subtitle)), (seed, figure.key, render(figure.subtitle))
        inks = tuple(sorted(inks_of(figure)))
        assert len(inks) <= MOST, (seed, figure.key, inks)
        assert least_apart(inks) >= 12, (seed, figure.key, inks)
        drawn = [one for one in figure.layers if render(one.label) and not isinstance(one, Handle)]
        named = {one.ink for one in drawn}
        assert projected_apart(tuple(sorted({*inks, *named, "surface"}))) >= 6, (seed, figure.key)
        laid = place_labels(figure, 500, 330, lambda text: (7.0 * len(text), 15.0))
        assert not [*unequal(figure, laid)], (seed, figure.key)
        if (kind.key, figure.key) not in JUDGED:
            assert not VERDICTS & set(inks), (seed, figure.key, inks)


@cache
def least_apart(inks: tuple[str, ...]) -> float:
    """The least difference between two of these inks, for any eye, in light or dark."""
    return (
        min(
            float((apart([palette(dark)[ink] for ink in inks]) + 100 * np.eye(len(inks))).min())
            for dark in (False, True)
        )
        if len(inks) > 1
        else 100.0
    )


# "truth" is the colour of text, both grounds lie behind, and adding up is the grey of the bounds.
ALIKE = ({"text", "truth"}, {"grid", "band"}, {"sequential", "muted"})


@cache
def projected_apart(inks: tuple[str, ...]) -> float:
    """The least difference between two of these inks as a weak projector shows them, in both themes
    of the stage."""
    pairs = [
        pair for pair in combinations(range(len(inks)), 2) if {inks[i] for i in pair} not in ALIKE
    ]
    least = 100.0
    for dark in (False, True):
        seen = cielab(projected([palette(dark, stage=True)[ink] for ink in inks]))
        apart_ = ciede2000(seen[:, None], seen[None])
        least = min([least, *(float(apart_[pair]) for pair in pairs)])
    return least
