"""How charts, sentences and tables of Guarantee name the two cases, and round risks."""

from dpstudio.labs.promise.guarantee.loss import LEAST
from dpstudio.labs.promise.guarantee.model import GuaranteeModel, in_row, measurement, seen
from dpstudio.privacy.queries import ADD_REMOVE
from dpstudio.values.messages import N_, Message, Num, plain, say

PAIR_SOURCE = "Wasserman & Zhou 2010; " + N_("Dong, Roth & Su 2022 (trade-off functions)")
DEEP = 1e-15  # what is less is lost in rounding, and is none
WHOLE = 1 - 1e-12  # what is more lacks the rest by rounding alone, here and not on the next machine


def sides(model: GuaranteeModel) -> tuple[Message, Message]:
    """Names of the two curves."""
    if in_row(model):
        row = Num(model.lab.row)
        return say("with row {row}", row=row), say("without row {row}", row=row)
    if model.lab.adjacency == ADD_REMOVE:
        return say("with you"), say("without you")
    return say("with your row"), say("with another row")


def number_drawn(model: GuaranteeModel) -> Message:
    """What the one number is that is drawn: the answer, or which of those that it is made of, as
    this is measured (MeasuredQuestion: a ratio is about an offset, and in steps)."""
    asked, m, drawn = model.asked, measurement(model), seen(model)
    what: Message = asked.unit if asked.linear else Message(m.name)
    if asked.offset and not drawn.place:
        text = N_("{what} less {middle} a row")
        if asked.step != 1:
            text = N_("{what} less {middle} a row, doubled")
        what = say(text, what=what, middle=Num(asked.offset, 5))
    if len(asked.labels) == len(m.values) and asked.vector:
        what = say("{what} · {part}", what=what, part=plain(asked.labels[drawn.part]))
    return what


def ifs(model: GuaranteeModel) -> tuple[Message, Message]:
    """The two cases in a few letters."""
    if model.lab.adjacency == ADD_REMOVE:
        return say("if in"), say("if not in")
    return say("if so"), say("if not")


def pair_source(model: GuaranteeModel) -> str:
    """Whose theorems stand behind what is told of the two laws."""
    return f"{model.lab.mechanism.source}; {PAIR_SOURCE}"


def chance(value: float) -> Num:
    """A probability or δ as a bound."""
    return Num(value if value > DEEP else 0.0, 3, "up")


def passed(value: float) -> Num | Message:
    """How likely losses are to pass one; of what is not told apart, only that it is less."""
    return Num(value, 3, "up") if value != LEAST else say("less than {end}", end=Num(LEAST))


def share(value: float) -> Num:
    """A probability as a bound, in percent."""
    return Num(min(1.0, value), 3, "up", percent=True)
