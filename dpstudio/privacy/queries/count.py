"""How many rows meet a condition."""

from dpstudio.charts.figure import Array, array
from dpstudio.data.conditions import Test, Where
from dpstudio.data.dataset import Dataset
from dpstudio.privacy.mechanisms.additive import Sensitivity
from dpstudio.privacy.queries import query
from dpstudio.values.messages import N_, Message, plain, say
from dpstudio.values.parameters import param

ONE = Sensitivity(1.0, 1.0, 1.0, say("One person changes this by at most 1."))
_COUNTED = query.Move(say("a person who meets the condition is added or removed"), (((0, 1.0),),))
_ANYONE = query.Move(say("a person is added or removed"), (((0, 1.0),),))
_NOBODY = query.Move(
    say("no replacement changes the number of rows, but noise for 1 is added all the same"),
    (((0, 1.0),),),
    reached=False,
)
_FEWER = query.Move(say("a person is replaced by one who has no rows"), (((0, -1.0),),))
_CHANGED = query.Move(
    say("a person who meets the condition is replaced by one who does not"), (((0, -1.0),),)
)


class Count(query.Query):
    """Sensitivity 1 under both adjacencies: a replaced person enters the count, leaves it, or
    neither."""

    key = "count"
    label = N_("Count")
    asks = N_("How many rows have")
    asks_all = N_("How many rows there are")

    where: Where = param(Where("and", (Test("age", ">", (50.0,)),)), query.WHERE)

    def sentence(self) -> Message:
        if not self.where:
            return say("How many rows are there?")
        return say("How many rows have {where}?", where=plain(self.where))

    def sampling_variance(self, data: Dataset, truth: Array, part: int) -> float | None:
        return query.varied_count(float(truth[part]), data.rows)

    def measure_rows(self, data: Dataset, adjacency: str) -> query.MeasuredQuestion:
        truth = array([data.count(self.where)])
        counted, changed = (
            (_COUNTED, _CHANGED) if self.where else (_ANYONE, _FEWER if data.person else _NOBODY)
        )
        moves = (counted if adjacency == query.ADD_REMOVE else changed,)
        return query.MeasuredQuestion(
            truth,
            (),
            query.people(self.where),
            (query.Measurement(N_("count"), truth, ONE, whole=True),),
            moves=moves,
            extent=query.COUNTED,
        )
