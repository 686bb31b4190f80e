"""The best of scores that are typed in."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from dpstudio.charts.figure import array
from dpstudio.data.dataset import Dataset
from dpstudio.privacy.mechanisms.selection import Scores
from dpstudio.privacy.queries.candidates import Candidates, Choosing
from dpstudio.values.domains import Domain
from dpstudio.values.fields import flag, real
from dpstudio.values.lists import COMMAS, parts
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import ParamError, Real, param

_SCORE = re.compile(
    r"(?P<name>.*?\S)(?:\s*[:：=]\s*|\s+)(?P<number>[-+−]?(?a:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?))"
)


@dataclass(frozen=True)
class ScoreList(Domain):
    """Names with a number each; as text `Cancer 50, HIV 20, HPV 30`, or one to a line."""

    most: ClassVar[int] = 1000

    def check(self, value: Any) -> tuple[tuple[str, float], ...]:
        if isinstance(value, str):
            value = [self._pair(part) for part in parts(value.replace("\n", ","))]
        if not isinstance(value, list | tuple) or not 1 <= len(value) <= self.most:
            raise ParamError(
                "",
                say(
                    "Write 1 to {most} names with their scores, such as Cancer 50, HIV 20.",
                    most=f"{self.most:,}",
                ),
            )
        number, pairs = Real("", low=-1e12, high=1e12), []
        for pair in value:
            if (
                not isinstance(pair, list | tuple)
                or len(pair) != 2
                or not isinstance(pair[0], str)
                or not pair[0].strip(" :：=")
            ):
                raise self._unclear(pair)
            if pair[0] != pair[0].strip() or re.search(rf"[{COMMAS}\n]|[:：=]\s*$", pair[0]):
                raise self._unclear(pair[0])
            pairs.append((pair[0], number.check(pair[1])))
        if len({name for name, _ in pairs}) != len(pairs):
            raise ParamError("", say("A name is listed twice."))
        return tuple(pairs)

    def _pair(self, text: str) -> tuple[str, str]:
        match = _SCORE.fullmatch(text)
        if not match:
            raise self._unclear(text)
        return match["name"], match["number"]

    @staticmethod
    def _unclear(what: Any) -> ParamError:
        return ParamError(
            "", say("“{what}” is not a name followed by its score, such as HIV 20.", what=what)
        )

    def show(self, value: Any) -> str:
        return ", ".join(f"{name} {score:.12g}" for name, score in value)

    def to_json(self, value: Any) -> Any:
        return [list(pair) for pair in value]

    def describe(self) -> Message:
        return say("names with their scores, such as Cancer 50, HIV 20, HPV 30")

    def invalid_examples(self) -> Iterable[Any]:
        yield from (
            3,
            None,
            "",
            "Cancer",
            "50",
            "a 1, a 2",
            "a 1e99",
            [["a", "x"]],
            [["a,b", 1]],
            [["a"]],
        )


class Typed(Choosing):
    """The best of scores that are typed in, with the sensitivity and the monotony that are claimed
    for them."""

    key = "typed"
    label = N_("Typed scores")

    scores: tuple[tuple[str, float], ...] = param(
        (("Cancer", 50.0), ("HIV", 20.0), ("HPV", 30.0)),
        ScoreList(N_("Scores"), N_("Each candidate and its score, the highest being the best.")),
    )
    sensitivity: float = real(
        1.0,
        N_("Sensitivity Δ"),
        N_("How far one person can move any one score."),
        low=1e-6,
        high=1e9,
        log=True,
    )
    monotone: bool = flag(
        False,
        N_("Monotone"),
        N_("One person moves all scores in the same direction, as with counts."),
    )

    def measure_rows(self, data: Dataset, adjacency: str) -> Candidates:
        why = N_(
            "As you say, one person changes each score by at most {delta}, all in the same "
            "direction."
        )
        if not self.monotone:
            why = N_(
                "As you say, one person changes each score by at most {delta}, in any direction."
            )
        return Candidates(
            tuple(name for name, _ in self.scores),
            None,
            Scores(array([score for _, score in self.scores]), self.sensitivity, self.monotone),
            say("points"),
            N_("{n} {n:point|points}"),
            say("candidate"),
            say(why, delta=Num(self.sensitivity, 4, "up")),
            typed=True,
        )

    def settled(self, data: Dataset) -> Typed:
        return self
