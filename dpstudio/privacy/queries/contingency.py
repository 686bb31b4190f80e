"""A two-way contingency table: how many rows there are for each pair of words of two columns."""

from collections.abc import Iterator
from dataclasses import replace

from dpstudio.charts.figure import Array, array
from dpstudio.data.dataset import Dataset
from dpstudio.privacy.queries import grouped, histogram, query
from dpstudio.values.fields import flag
from dpstudio.values.messages import N_, Num, plain, say
from dpstudio.values.parameters import Column, param
from dpstudio.values.problem import Problem

_CELLS = 400
_WORDS = 60


class Contingency(query.Query):
    """One count per pair. All pairs of the listed words are published, also those that nobody has:
    leaving out empty ones leaks."""

    key = "contingency"
    label = N_("Two-way table")
    asks = N_("How many rows there are by")
    asked = N_("How many rows are there by {first} and {second}")

    first: str = param(
        "marital-status",
        Column(N_("Down"), N_("The column of words whose words are the rows."), words=True),
    )
    second: str = param(
        "income",
        Column(N_("Across"), N_("The column of words whose words are the columns."), words=True),
        caption=N_("and"),
    )
    down: tuple[str, ...] = param(
        (),
        query.listed_words(N_("Rows"), N_("The words down; empty: those that are in the data.")),
        of=("first",),
    )
    across: tuple[str, ...] = param(
        (),
        query.listed_words(
            N_("Columns"), N_("The words across; empty: those that are in the data.")
        ),
        of=("second",),
    )
    attested: bool = flag(
        False,
        N_("Known from outside"),
        N_("I know these words from outside the data."),
        of=("first", "second"),
    )

    def words(self, data: Dataset) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The words of the rows and of the columns: those listed, here or in the codebook, else
        those of the data."""
        (rows, _), (columns, _) = self._told(data)
        return rows or _found(data, self.first), columns or _found(data, self.second)

    def _told(
        self, data: Dataset
    ) -> tuple[tuple[tuple[str, ...], bool], tuple[tuple[str, ...], bool]]:
        """For rows and columns the words that are given, here or in the codebook, and whether they
        are public."""
        return (
            query.told_words(self.down, self.attested, data.about(self.first)),
            query.told_words(self.across, self.attested, data.about(self.second)),
        )

    def sampling_variance(self, data: Dataset, truth: Array, part: int) -> float | None:
        return query.varied_count(float(truth[part]), data.rows)

    def measure_rows(self, data: Dataset, adjacency: str) -> query.MeasuredQuestion:
        rows, columns = self.words(data)
        truth = array(data.crossed(self.first, rows, self.second, columns, self.where).ravel())
        labels = tuple(f"{a} · {b}" for a in rows for b in columns)
        public = all(known for _, known in self._told(data))
        openness = (
            () if public else (say("The words come from the data: this choice is not private."),)
        )
        outside = data.count(self.where) - int(truth.sum())
        notes = (
            (
                *openness,
                say("{outside} {outside:row is|rows are} in no cell.", outside=Num(outside)),
            )
            if outside
            else openness
        )
        moves, sensitivity = histogram.parts_sensitivity(len(labels), adjacency)
        why = (
            N_("One person is in at most one of the {cells} {cells:cell|cells}: L1 = L2 = 1.")
            if adjacency == query.ADD_REMOVE
            else N_(
                "A replaced person leaves one of the {cells} {cells:cell|cells} and enters "
                "another: L1 = 2, L2 = √2."
            )
        )
        part = query.Measurement(
            N_("counts"), truth, replace(sensitivity, why=say(why, cells=len(labels))), whole=True
        )
        across = say(
            "rows by {first} and {second}", first=plain(self.first), second=plain(self.second)
        )
        return query.MeasuredQuestion(
            truth,
            labels,
            say("rows"),
            (part,),
            notes=notes,
            openness=openness,
            moves=moves,
            table=(rows, columns),
            across=across,
            extent=query.COUNTED,
        )

    def problems(self, data: Dataset, adjacency: str) -> Iterator[Problem]:
        yield from super().problems(data, adjacency)
        (down, _), (across, _) = self._told(data)
        for field, column, listed in (
            ("query.first", self.first, down),
            ("query.second", self.second, across),
        ):
            problem = grouped.group_problem(field, column, listed, data)
            if problem:
                yield problem
                return
        if self.first == self.second:
            yield Problem(
                "query.second", say("Both columns are the same. Choose another one for across.")
            )
            return
        rows, columns = (len(words) for words in self.words(data))
        wide = [
            name
            for name, listed in ((self.first, down), (self.second, across))
            if not listed and data_wide(data, name)
        ]
        if wide or rows * columns > _CELLS:
            text = N_(
                "The table would have more than {limit} {limit:cell|cells}. List the words that "
                "are wanted."
            )
            yield Problem("query.down", say(text, limit=_CELLS))


def _found(data: Dataset, column: str) -> tuple[str, ...]:
    # In the order of the alphabet: the order of the counts would itself be an exact answer.
    return tuple(sorted(word for word, _ in data.distinct(column, _WORDS)))


def data_wide(data: Dataset, column: str) -> bool:
    """Whether a column has more words than one side of a table holds."""
    return len(data.distinct(column, _WORDS + 1)) > _WORDS
