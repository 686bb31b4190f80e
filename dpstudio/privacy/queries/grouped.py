"""Counts, sums or means for each group of a column at once: public groups, and parallel
composition."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from dpstudio.charts.figure import Array, array
from dpstudio.data.conditions import Test, Where
from dpstudio.data.dataset import Dataset
from dpstudio.privacy.queries import query
from dpstudio.privacy.queries import total as queries_total
from dpstudio.privacy.queries.histogram import parts_sensitivity
from dpstudio.values.fields import choice, real
from dpstudio.values.messages import N_, Message, Num, plain, say
from dpstudio.values.parameters import Column, param
from dpstudio.values.problem import Problem

_GROUPS = 200
STATISTICS = {"count": N_("count"), "sum": N_("sum"), "mean": N_("mean")}
_SUMMED = ("statistic", "sum", "mean")


def group_moves(low: float, high: float, groups: int, adjacency: str) -> tuple[query.Move, ...]:
    """Moves of (sums, counts) by group: one group under add/remove; a replaced person may leave one
    and enter another."""
    come = queries_total.added(low, high)
    if adjacency == query.ADD_REMOVE:
        return (come,)
    if groups == 1:
        return queries_total.replaced(low, high)
    far = come.shifts[0][0][1]
    text = N_("a person with the value {value} moves from one group to another")
    leave = query.Move(say(text, value=Num(far, 6)), (((0, -far), (1, far)), ((0, -1.0), (1, 1.0))))
    return leave, queries_total.replaced(low, high)[0]


class Grouped(query.Clipping):
    """One statistic for each group. Each person is in one group, so all groups together cost no
    more than one (add/remove)."""

    key = "grouped"
    label = N_("By group")
    asks = N_("For each group")
    asked = N_("What is the {statistic} of {column} for each {by}")

    statistic: str = choice(
        "mean", N_("Statistic"), N_("What is published for each group."), options=STATISTICS
    )
    column: str = param(
        "hours-per-week",
        Column(N_("Column"), N_("A column of numbers."), numeric=True),
        active_when=_SUMMED,
    )
    low: float | None = param(
        None, query.LOW, of=("column",), caption=N_("clipped to"), active_when=_SUMMED
    )
    high: float | None = param(
        None, query.HIGH, of=("column",), caption=N_("to"), beside="low", active_when=_SUMMED
    )
    by: str = param(
        "occupation",
        Column(N_("Grouped by"), N_("A column of words."), words=True),
        caption=N_("by"),
    )
    groups: tuple[str, ...] = param(
        (),
        query.listed_words(
            N_("Groups"), N_("The groups that are published; empty: those that are in the data.")
        ),
        of=("by",),
    )
    attested: bool = param(False, query.ATTESTED, of=("column", "by"))
    split: float = real(
        0.5,
        N_("Share for the sums"),
        N_("The rest of the budget goes to the counts."),
        low=0.05,
        high=0.95,
        active_when=("statistic", "mean"),
    )

    def sentence(self) -> Message:
        if self.statistic != "count":
            return super().sentence()
        return (
            say("How many rows has each {by}?", by=plain(self.by))
            if not self.where
            else say(
                "How many rows with {where} has each {by}?",
                by=plain(self.by),
                where=plain(self.where),
            )
        )

    def named(self) -> Mapping[str, Message]:
        return {"statistic": Message(STATISTICS[self.statistic])}

    def names(self, data: Dataset) -> tuple[str, ...]:
        """The groups: those listed, here or in the codebook, else those of the data."""
        # In the order of the alphabet: the order of the counts would itself be an exact answer.
        return self._told_groups(data)[0] or tuple(
            sorted(word for word, _ in data.distinct(self.by, _GROUPS))
        )

    def _told_groups(self, data: Dataset) -> tuple[tuple[str, ...], bool]:
        return query.told_words(self.groups, self.attested, data.about(self.by))

    def public(self, data: Dataset) -> bool:
        return self._told_groups(data)[1] and (self.statistic == "count" or super().public(data))

    def open_note(self, data: Dataset) -> tuple[Message, ...]:
        if self.public(data):
            return ()
        if self._told_groups(data)[1]:
            return (say("The bounds come from the data: this choice is not private."),)
        if self.statistic == "count" or super().public(data):
            return (say("The groups come from the data: this choice is not private."),)
        return (say("Groups or bounds come from the data: this choice is not private."),)

    def sampling_variance(self, data: Dataset, truth: Array, part: int) -> float | None:
        if self.statistic == "count":
            return query.varied_count(float(truth[part]), data.rows)
        within = Test(self.by, "=", (self.names(data)[part],))
        own = Where("and", (self.where, within) if self.where else (within,))
        varied = queries_total.varied_sum if self.statistic == "sum" else queries_total.varied_mean
        return varied(data, self.column, self.bounds(data), own)

    def measure_rows(self, data: Dataset, adjacency: str) -> query.MeasuredQuestion:
        names, notes = self.names(data), self.open_note(data)
        asked = (self._counted if self.statistic == "count" else self._summed)(
            data, names, adjacency
        )
        return replace(asked, notes=notes, openness=notes, across=plain(self.by))

    def _counted(
        self, data: Dataset, names: tuple[str, ...], adjacency: str
    ) -> query.MeasuredQuestion:
        truth = array(data.tally(self.by, names, self.where))
        moves, bare = parts_sensitivity(len(names), adjacency)
        sensitivity = replace(bare, why=self._why(bare.why, len(names), adjacency))
        part = query.Measurement(N_("counts"), truth, sensitivity, whole=True)
        return query.MeasuredQuestion(
            truth, names, say("rows"), (part,), moves=moves, extent=query.COUNTED
        )

    def _summed(
        self, data: Dataset, names: tuple[str, ...], adjacency: str
    ) -> query.MeasuredQuestion:
        """A sum of each group, or the ratio of that and a count."""
        low, high = self.bounds(data)
        counts, totals = data.grouped(self.by, names, self.column, low, high, self.where)
        moves, mean = group_moves(low, high, len(names), adjacency), self.statistic == "mean"
        bare = query.sensitivity_of(moves, 0, len(names), Message(""))
        text = N_("One person changes the sums by at most {l1} in all and {linf} in one group.")
        why = say(text, l1=Num(bare.l1, 4, "up"), linf=Num(bare.linf, 4, "up"))
        sensitivity = replace(bare, why=self._why(why, len(names), adjacency))
        whole, share = (
            queries_total.whole_values(self, data, low, high),
            self.split if mean else 1.0,
        )
        total = query.Measurement(N_("sums"), array(totals), sensitivity, whole, share)
        column = plain(self.column)
        if not mean:
            first = tuple(replace(move, shifts=move.shifts[:1]) for move in moves)
            unit = say("sum of {column}", column=column)
            extent = queries_total.sum_extent(low, high)
            return query.MeasuredQuestion(
                total.values, names, unit, (total,), moves=first, extent=extent
            )
        _, entered = parts_sensitivity(len(names), adjacency)
        count = query.Measurement(N_("counts"), array(counts), entered, True, 1 - self.split)
        pairs = zip(totals.tolist(), counts.tolist(), strict=True)
        means = array([max(low, min(high, t / max(1, n))) for t, n in pairs])
        unit = say("mean of {column}", column=column)
        return query.MeasuredQuestion(means, names, unit, (total, count), (low, high), moves=moves)

    def _why(self, first: Message, groups: int, adjacency: str) -> Message:
        if groups == 1:
            return first
        parallel = (
            N_(
                "Each person is in one group, so all {k} {k:group costs|groups cost} no more than "
                "one (parallel composition)."
            )
            if adjacency == query.ADD_REMOVE
            else N_(
                "A replaced person is in at most 2 of the {k} {k:group|groups}, so together they "
                "cost no more than two."
            )
        )
        return say("{first} {parallel}", first=first, parallel=say(parallel, k=groups))

    def problems(self, data: Dataset, adjacency: str) -> Iterator[Problem]:
        problem = group_problem("query.by", self.by, self._told_groups(data)[0], data)
        if problem:
            yield problem
            return
        if len(self.groups) == 1 and "," in self.groups[0]:
            text = N_("“{word}” is one group: where these are several, write | between them.")
            yield Problem("query.groups", say(text, word=self.groups[0]), stops=False)
        if self.statistic == "count":
            yield from super(query.Clipping, self).problems(data, adjacency)
        else:
            yield from super().problems(data, adjacency)


def group_problem(
    field: str, column: str, listed: tuple[str, ...], data: Dataset
) -> Problem | None:
    """Why a column cannot group the rows, at `field`; `listed` are the groups that are told."""
    if problem := query.no_column(column, data, field):
        return problem
    if data.info(column).type != "category":
        return Problem(
            field,
            say("“{column}” holds no words to group by. Choose a column of words.", column=column),
        )
    if not listed and len(data.distinct(column, _GROUPS + 1)) > _GROUPS:
        text = N_(
            "“{column}” has more than {limit} different {limit:word|words}. List the groups to "
            "publish."
        )
        return Problem(
            "query.groups" if field == "query.by" else field,
            say(text, column=column, limit=_GROUPS),
        )
    if not listed and not data.distinct(column, 1):
        return Problem(
            field,
            say("Every value of “{column}” is missing. Choose another column.", column=column),
        )
    return None
