"""The page of the lab A survey in the room."""

from collections.abc import Iterator

from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context
from dpstudio.labs.nobody.room import parameters, telling, words
from dpstudio.labs.nobody.room.charts import charts
from dpstudio.labs.nobody.room.model import RoomModel, lacking, place, room_model
from dpstudio.labs.page import Answers, Page
from dpstudio.labs.room_protocol import Asks
from dpstudio.privacy.room.question import CHOICE
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.problem import Problem


def _stages(lab: parameters.RoomSurvey, context: Context) -> Iterator[RoomModel]:
    yield room_model(lab, context)


def _problems(lab: parameters.RoomSurvey, data: Dataset) -> Iterator[Problem]:
    yield from _heavy(lab)
    if not isinstance(lab.reports, parameters.OpenTable):
        return
    name = lacking(data, lab.reports.column)
    if name is not None:
        text = say(
            "This table has no column “{name}”: it is none of a room’s reports, as a room saves "
            "them.",
            name=name,
        )
        yield Problem("reports", text)


def _heavy(lab: parameters.RoomSurvey) -> Iterator[Problem]:
    """Where one phone at the smallest ε weighs more than the room was to be known to."""
    found = telling.outweighing(lab)
    if found is not None:
        people, by = found
        offered = lab.question.epsilons
        text = N_(
            "{n} {n:person who chooses|people who all choose} ε {most} {n:says|say} ± {aim}, but "
            "one report at ε {least} that is sent without coins moves that by up to {by}. Offer "
            "values of ε that are nearer to one another."
        )
        values = {
            "n": Num(people),
            "most": Num(offered[-1], 4),
            "least": Num(offered[0], 4),
            "aim": telling.wanted(lab),
            "by": telling.spread(lab, by, "up"),
        }
        yield Problem("offered", Message(text, values), stops=False)


def _suited(lab: parameters.RoomSurvey, data: Dataset) -> parameters.RoomSurvey:
    """With invented reports where the table holds none."""
    stops = any(problem.stops for problem in _problems(lab, data))
    return lab.with_(reports=parameters.Invented()) if stops else lab


def _answers(model: RoomModel) -> Answers:
    options = model.question.options if model.question.kind == CHOICE else ()
    return Answers(part=place(model), labels=options)


PAGE = Page(
    stages=_stages,
    charts=charts,
    facts=words.facts,
    leads=("more", "told"),
    sentences=words.sentences,
    tables=words.tables,
    headline=words.headline,
    answers=_answers,
    problems=_problems,
    suited=_suited,
    room=Asks(
        question=lambda lab: lab.question,
        listening=lambda lab: lab.with_(reports=parameters.LiveRoom()),
        listens=lambda lab: isinstance(lab.reports, parameters.LiveRoom),
        reported=lambda lab: not isinstance(lab.reports, parameters.Invented),
        fields=("asked", "offered", "also"),
    ),
)
