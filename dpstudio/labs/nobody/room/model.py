"""What the reports of a room say: the estimate by head count, its interval as they arrive, and what
weights would make of it."""

import math
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context, Effort
from dpstudio.labs.local_curves import normal_quantile
from dpstudio.labs.memo import once
from dpstudio.labs.nobody.room.invented import invented, truth_of
from dpstudio.labs.nobody.room.parameters import Invented, LiveRoom, OpenTable, RoomSurvey
from dpstudio.labs.room_protocol import REPORTS
from dpstudio.privacy.room import (
    Estimate,
    Question,
    Report,
    Reports,
    combined,
    estimates,
    law,
    needed,
    read_report,
    weighted,
)
from dpstudio.privacy.room.question import BETWEEN, CHOICE, COINS, NUMBER

POINTS = 60
# From so many reports on a 95 % interval holds in at least 90 % of rooms, whatever is asked, is
# answered and at whichever ε up to SMOOTH: counted out exactly over binomials.
ROUGH, SMOOTH = 100, 4.0
QUESTION, MECHANISM, EPSILON, REPORT = "question", "mechanism", "epsilon", "report"
ANSWERS, ROUND = "answers", "round"
# That a file puts before formulas, and before words that would be read as none.
_APOSTROPHE = re.compile(r"'(?=[-=+@])|^'")


@dataclass(frozen=True, eq=False)
class RoomModel:
    """One state of the lab: the reports that there are, those left out because nobody could have
    sent them (`unread`), and what they say. `whole` is None while there are none."""

    lab: RoomSurvey
    effort: Effort
    reports: Reports
    unread: int
    groups: tuple[Estimate, ...]
    whole: Estimate | None
    z: float

    @property
    def question(self) -> Question:
        """What is asked."""
        return self.lab.question

    @property
    def invented(self) -> Invented | None:
        """How the answers were made up; None where people gave them."""
        source = self.lab.reports
        return source if isinstance(source, Invented) else None


def room_model(lab: RoomSurvey, context: Context) -> RoomModel:
    """The state of the lab with the reports that it asks for."""
    question, source, unread = lab.question, lab.reports, 0
    if isinstance(source, Invented):
        reports = invented(question, source, lab.seed)
    else:
        live = isinstance(source, LiveRoom)
        table = context.tables.get(REPORTS) if live else context.data
        column = source.column if isinstance(source, OpenTable) else REPORT
        reports, unread = ((), 0) if table is None else told_by(table, question, column)
    groups, z = estimates(question, reports), normal_quantile(level(lab))
    whole = combined(question, reports)
    return RoomModel(lab, context.effort, reports, unread, groups, whole, z)


def at_once(lab: RoomSurvey) -> int:
    """How many intervals hold together: those of all options where the reports themselves choose
    which one is looked at, or else the one."""
    chosen = lab.question.kind == CHOICE and lab.part < 0
    return lab.question.answers if chosen else 1


def level(lab: RoomSurvey) -> float:
    """The confidence of each of them alone (Bonferroni)."""
    return 1 - (1 - lab.confidence) / at_once(lab)


# Reports in a table


def lacking(data: Dataset, column: str) -> str | None:
    """The first column that a table of reports must have, and this one has not; None where it has
    all."""
    return next((name for name in (column, MECHANISM, EPSILON) if not data.has(name)), None)


def told_by(data: Dataset, question: Question, column: str) -> tuple[Reports, int]:
    """The reports of a question in a table, at whichever ε it was asked, and how many of its rows
    no phone can have sent. A table without a column of questions is all of one."""
    key = ("room", "reports", question, column)
    return data.remember(key, lambda: _told_by(data, question, column))


def _told_by(data: Dataset, question: Question, column: str) -> tuple[Reports, int]:
    names = [info.name for info in data.columns]
    at = {name: place for place, name in enumerate(names)}
    asked = {QUESTION: _bare(question.text), ANSWERS: question.mark}
    apart = [(at[name], text) for name, text in asked.items() if name in at]
    told = _told(question)
    reports, unread, used = list[Report](), 0, dict[float, str]()
    for row in data.cells(0, data.rows):
        if any(_bare(row[place]) != text for place, text in apart):
            continue
        try:
            epsilon, mechanism = float(str(row[at[EPSILON]])), str(row[at[MECHANISM]])
            if epsilon not in used:
                used[epsilon] = law(replace(question, epsilons=(epsilon,)), epsilon).mechanism
            made = read_report(question, mechanism, epsilon, told(row[at[column]]))
            if ROUND in at:
                made = replace(made, round=int(str(row[at[ROUND]])))
        except (ValueError, ArithmeticError):
            unread += 1
            continue
        if mechanism == used[epsilon]:
            reports.append(made)
        else:
            unread += 1
    return tuple(reports), unread


def _told(question: Question) -> Callable[[object], str]:
    """Gives a cell as it was written, though a file was between. It raises ValueError of options
    that a file does not keep apart."""
    written = question.words
    held = Counter(map(_bare, written))
    names = {_bare(name): name if held[_bare(name)] == 1 else "" for name in written}

    def told(cell: object) -> str:
        if cell is None or cell != cell:
            raise ValueError("nothing was told")
        parts = [part.strip() for part in str(cell).split("|")]
        if isinstance(cell, str) and not {*parts} <= {*written}:
            parts = [_APOSTROPHE.sub("", part) for part in parts]
        if not isinstance(cell, str) or not {*parts} <= {*written}:
            parts = [names.get(_bare(part), part) for part in parts]
        return BETWEEN.join(parts)

    return told


def _bare(cell: object) -> str:
    """What a file keeps of a text: not the apostrophe before a formula; of a number, of yes and no
    its value."""
    text = " ".join(_APOSTROPHE.sub("", str(cell)).split())
    try:
        return repr(float(text))
    except ValueError:
        return text.lower() if text.lower() in ("true", "false") else text


def rounds(model: RoomModel) -> int:
    """How often the question was asked, as far as reports tell."""
    return max((report.round for report in model.reports), default=1)


# What is looked at


@once
def place(model: RoomModel) -> int:
    """The place of the value that is looked at: the yes, the mean, or an option."""
    values, asked = model.whole.values if model.whole else (), model.question
    if asked.kind == COINS:
        return 1
    if asked.kind == NUMBER:
        return 0
    if model.lab.part < 0:
        return int(np.argmax(values)) if values else 0
    return min(model.lab.part, asked.answers - 1)


def scale(model: RoomModel) -> float:
    """What a share of the whole way is in the unit of the answer: 1 for shares."""
    return float(model.question.span)


def aim(lab: RoomSurvey) -> float:
    """The half-width that is wanted, in the unit of the answer."""
    return lab.aim * lab.question.span


def value(model: RoomModel, estimate: Estimate) -> float:
    """What an estimate says of what is looked at."""
    return estimate.values[place(model)]


def half(model: RoomModel, estimate: Estimate) -> float:
    """Half the width of its interval."""
    return model.z * estimate.errors[place(model)]


def ends(model: RoomModel, estimate: Estimate) -> tuple[float, float]:
    """Its interval."""
    return value(model, estimate) - half(model, estimate), value(model, estimate) + half(
        model, estimate
    )


def rough(model: RoomModel) -> bool:
    """Whether an interval may hold in fewer than 90 % of rooms. Where shares are asked for, a
    report at an ε above SMOOTH counts as e^(SMOOTH − ε), as so many fewer are changed by the coins
    (of a number its rounding changes enough)."""
    if model.question.kind == NUMBER:
        return len(model.reports) < ROUGH
    return sum(g.n * min(1.0, math.exp(SMOOTH - (g.epsilon or 0))) for g in model.groups) < ROUGH


def truth(model: RoomModel) -> float | None:
    """What the invented people truly answer; None of people."""
    source = model.invented
    return None if source is None else truth_of(model.question, source)[place(model)]


@once
def by_weight(model: RoomModel) -> Estimate | None:
    """All reports by the inverse of their variance."""
    return weighted(model.question, model.reports)


@once
def more(model: RoomModel) -> int:
    """How many more people make every interval at most ± the aim."""
    return needed(model.question, model.reports, aim(model.lab), level(model.lab))


@once
def arriving(model: RoomModel) -> tuple[Array, Array, Array]:
    """(people, estimate, half-width) of the first so many reports, whose order no room tells: that
    of their arrival would tell whose each is."""
    n = len(model.reports)
    points = min(n, model.effort.of_points(POINTS))
    people = np.unique(np.rint(np.linspace(max(1, n / points), n, points)).astype(int))
    found = [combined(model.question, model.reports[:k]) for k in people]
    values = [value(model, each) for each in found if each is not None]
    halves = [half(model, each) for each in found if each is not None]
    return people.astype(np.float64), np.array(values), np.array(halves)
