"""What everything in Local means starts from: the people who are asked, and the scale of their
reports."""

from dataclasses import dataclass

from dpstudio.data.conditions import Test, Where
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import SCREEN, Context, Draws, Effort
from dpstudio.labs.local_curves import at_confidence
from dpstudio.labs.nobody.local_means.parameters import LocalMeans
from dpstudio.labs.nobody.local_means.people import People, Scale, people_of
from dpstudio.labs.public_reports import not_public
from dpstudio.privacy.local import NumberProtocol
from dpstudio.privacy.sampling import NotDrawnError
from dpstudio.values.messages import N_, Message, plain, say

CENTRAL = say("one trusted collector")


@dataclass(frozen=True, eq=False)
class MeansModel:
    """A question to the people of a table: `where` says who they are, and `scales` are the bounds
    of the column asked about and of every further one.

    `value` is what the person holds whose report is drawn, in the units of the column. A `quick`
    model is for a drag, with few surveys.
    """

    lab: LocalMeans
    data: Dataset
    where: Where
    scales: tuple[Scale, ...]
    value: float
    effort: Effort = SCREEN
    quick: bool = False
    leaving: Draws | None = None

    @property
    def protocol(self) -> NumberProtocol:
        """How each person reports."""
        return self.lab.protocol

    @property
    def column(self) -> str:
        """The column whose mean is asked."""
        return self.lab.query.column

    @property
    def scale(self) -> Scale:
        """That of the column asked about."""
        return self.scales[0]

    @property
    def people(self) -> People:
        """Those of the column asked about."""
        return people_in(self, 0)

    @property
    def n(self) -> int:
        """How many people report."""
        return self.people.n

    @property
    def d(self) -> int:
        """How many numbers each report is about."""
        return max(self.lab.dims, 1 + len(self.lab.more))


def means_model(lab: LocalMeans, context: Context) -> MeansModel:
    """The state of the lab on a table that can answer its question. Raises NotDrawnError where it
    is to leave and cannot."""
    data, scales = context.data, scales_of(lab, context.data)
    value = _value(lab, data, scales[0])
    leaving = context.leaving
    if leaving is not None and (why := _stays(lab, data)) is not None:
        raise NotDrawnError(why)
    where = asked_where(lab)
    return MeansModel(lab, data, where, scales, value, context.effort, leaving=leaving)


def _stays(lab: LocalMeans, data: Dataset) -> Message | None:
    """Why no survey of this kind can leave without the exact answer; None where one can."""
    if lab.query.where:
        return say(
            "How many meet the condition is exact, and a report of a number cannot say “none”: "
            "such a survey cannot leave. Remove the condition, or use Local counts."
        )
    if lab.more:
        return say("Reports on several columns cannot be drawn exactly here. Ask for one column.")
    return not_public(data)


def asked_where(lab: LocalMeans) -> Where:
    """The people who are asked: the rows that meet the condition and have a value in every
    column."""
    where = lab.query.where
    if not lab.more:
        return where
    have = tuple(Test(column, "is not missing") for column in lab.more)
    return Where("and", ((where, *have) if where else have))


def scales_of(lab: LocalMeans, data: Dataset) -> tuple[Scale, ...]:
    """The bounds of the column and of every further one, read from the data where none are
    given."""
    mine = lab.query.bounds(data)
    if lab.ranges:
        return tuple(Scale(*bounds) for bounds in (mine, *lab.ranges))
    others = (lab.query.with_(column=column, low=None, high=None) for column in lab.more)
    return tuple(Scale(*bounds) for bounds in (mine, *(other.bounds(data) for other in others)))


def _value(lab: LocalMeans, data: Dataset, scale: Scale) -> float:
    """What the person holds whose report is drawn: three quarters up where nothing is typed."""
    low, high = scale.low, scale.high
    if lab.value is not None:
        return min(max(lab.value, low), high)
    value = low + 0.75 * (high - low)
    whole = data.info(lab.query.column).type == "integer" and high - low > 4
    return float(round(value)) if whole else value


def people_in(model: MeansModel, place: int) -> People:
    """Those of column `place`, 0 being the one asked about."""
    column, scale = (model.column, *model.lab.more)[place], model.scales[place]

    def read() -> People:
        held = model.data.ordered(column, model.where)
        return people_of(held.values, held.counts, scale)

    return model.data.remember(("local mean", column, scale, model.where), read)


def truth(model: MeansModel) -> float:
    """The exact mean of the clipped values, in the units of the column."""
    return float(model.scale.units(model.people.mean))


def held(model: MeansModel) -> float:
    """The `value` in the units of reports."""
    return min(1.0, max(-1.0, float(model.scale.t(model.value))))


def worst(model: MeansModel) -> bool:
    """Whether errors are those of the worst values: also where nothing may be told of this
    column."""
    return model.lab.case == "worst" or not model.lab.show_truth


def clipped_share(model: MeansModel) -> float:
    """The share of the people whose value lies beyond the bounds."""
    return model.people.clipped / model.n


# Words


def notes(model: MeansModel) -> tuple[Message, ...]:
    """What qualifies the bounds."""
    lab = model.lab
    if lab.query.public(model.data) and (not lab.more or lab.ranges):
        return ()
    return (say("The bounds come from the data: this choice is not private."),)


def mean_words(model: MeansModel) -> Message:
    """What is estimated, as an axis label."""
    return say("mean of {column}", column=plain(model.column))


def error_words(model: MeansModel) -> Message:
    """What an error is, as a subtitle or an axis label."""
    if model.lab.measure == "half_width":
        text = N_("{confidence}, this column’s values")
        if worst(model):
            text = N_("{confidence}, worst values")
        return say(text, confidence=at_confidence(model.lab.confidence))
    return Message(
        N_("deviation, worst values") if worst(model) else N_("deviation, this column’s values")
    )
