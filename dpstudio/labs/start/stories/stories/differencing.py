"""The differencing attack, told of an invented newspaper and of one row of the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

from dpstudio.data.column_roles import MEASURE, columns_for
from dpstudio.data.conditions import Where
from dpstudio.data.dataset import Dataset
from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.lacking import no_rows
from dpstudio.labs.start.stories.stories import story, subtraction, subtraction_charts
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.mechanisms.laplace import LaplaceLaw
from dpstudio.privacy.queries.query import HIGH, LOW, number_problem, range_problem, refuse_crossed
from dpstudio.privacy.queries.total import Sum
from dpstudio.values.fields import integer, real
from dpstudio.values.messages import N_, Message, Num, plain, say
from dpstudio.values.parameters import Column, Maybe, Real, param
from dpstudio.values.problem import Problem

_MONEY = 1e9
_ANSWERED = Real("", low=-_MONEY, high=_MONEY)


def _answer(label: str) -> Any:
    """A number as it was answered, which is the exact one where it is left empty."""
    help = N_("As somebody answered it, with noise of any kind; empty: as it is.")
    return param(None, Maybe(label, help, inner=_ANSWERED, empty=N_("exact")))


class Subtraction(story.Story):
    """Base of the two tales of differencing. A member gives the `totals`, their `unit`, and what
    they come to `exactly`."""

    source = (
        "Dwork, McSherry, Nissim & Smith 2006, Proposition 1; differencing: Dwork & Roth 2014, "
        "section 1.1"
    )
    of_table: ClassVar[bool] = False
    who: ClassVar[str] = N_("The newcomer, exactly")
    beyond: ClassVar[str] = N_(
        "The newcomer lies beyond the bounds: what is published would clip {value} first."
    )

    epsilon_1: float = real(
        1.0, N_("ε of the first total"), EPSILON.help, low=EPSILON.low, high=EPSILON.high, log=True
    )
    epsilon_2: float = real(
        1.0, N_("ε of the second total"), EPSILON.help, low=EPSILON.low, high=EPSILON.high, log=True
    )

    @property
    def unit(self) -> Message:
        """What the totals are of, as an axis."""
        raise NotImplementedError

    def amount(self, number: Num) -> Message:
        """A value or a total with its unit."""
        return subtraction.bare(number)

    def totals(self, telling: story.Telling) -> subtraction.Totals:
        """The exact numbers, unknown where the truth is hidden."""
        raise NotImplementedError

    def exactly(self, totals: subtraction.Totals) -> tuple[Message, Message]:
        """What two exact totals say of the person."""
        raise NotImplementedError

    def answered(self) -> subtraction.Answered | None:
        """What somebody answered, where that is typed in."""
        return None

    def tell(self, telling: story.Telling) -> story.Tale:
        totals = self.totals(telling)
        attack = subtraction.Attack(
            telling,
            totals,
            (self.epsilon_1, self.epsilon_2),
            self.unit,
            self.amount,
            self.of_table and telling.show_truth,
            self.source,
            self.answered(),
        )
        figures = [subtraction_charts.guess_chart(attack)]
        if totals.known and totals.people > 0:
            figures += [
                subtraction_charts.published_chart(attack),
                subtraction_charts.errors_chart(attack),
            ]
        return story.Tale(
            tuple(figures),
            self._facts(attack),
            self._sentences(attack),
            _table(attack),
            ("answered", "exact", "noisy", "totals") if totals.known else ("noisy",),
        )

    def _facts(self, attack: subtraction.Attack) -> tuple[Fact, ...]:
        totals, sd = attack.totals, story.deviation(attack.law)
        out = list[Fact]()
        words = say("±{x}", x=self.amount(Num(sd, 4)))
        note = say("standard deviation")
        out.append(Fact("attacker", say("The attacker errs by"), words, note, value=sd))
        if totals.known and totals.people > 0:
            error, average = (
                float(subtraction.reader(attack, self.epsilon_1)),
                abs(subtraction.averages(attack)[0][0]),
            )
            note = Message("")
            if average:
                note = say("{share} of it", share=Num(error / average, 2, "up", percent=True))
            if totals.crowded:
                note = say("by noise alone")
            words = say("±{x}", x=self.amount(Num(error, 3)))
            out.append(Fact("reader", say("The average errs by"), words, note, value=error))
        words, note = say("ε = {x}", x=Num(attack.cost, 5)), say("the same people are in both")
        out.append(Fact("cost", say("Both totals cost"), words, note, value=attack.cost))
        if totals.known:  # which the headline says
            note = Message(
                N_("exact: not private") if self.of_table else N_("from two exact averages")
            )
            value = self.amount(Num(totals.value, 7))
            out.append(Fact("value", Message(self.who), value, note, "truth", totals.value))
        if attack.answered:
            guess = attack.answered.guess
            words, note = self.amount(Num(guess, 9)), say("the same subtraction")
            out.append(Fact("answered", say("From what is answered"), words, note, value=guess))
        return tuple(out)

    def _sentences(self, attack: subtraction.Attack) -> tuple[Sentence, ...]:
        totals, law = attack.totals, attack.law
        width, span = law.half_width(0.95), totals.high - totals.low
        values: dict[str, Any] = {
            "value": self.amount(Num(totals.value, 9)),
            "sd": self.amount(Num(story.deviation(law), 3)),
            "width": self.amount(Num(width, 4, "up")),
            "range": self.amount(Num(span, 6)),
            "high": self.amount(Num(totals.sensitivity, 6)),
            "cost": Num(attack.cost, 5),
        }
        noisy = say(
            "From noisy totals the same subtraction errs by ±{sd}, and by up to ±{width} in 95 % "
            "of cases, where all values span {range}.",
            **values,
        )
        bound = say(
            "The noise is made for the largest value, {high}; both totals together cost ε = "
            "{cost}.",
            **values,
        )
        out = list[Sentence]()
        if totals.known:
            told, why = self.exactly(totals)
            out += [Sentence("exact", told, "bad"), Sentence("totals", why)]
        if attack.answered:
            out.append(_from_answers(attack, attack.answered))
        out.append(Sentence("noisy", noisy, "good" if width > span else "warn"))
        out.append(Sentence("bound", bound))
        if totals.known and totals.clipped:
            out.append(Sentence("clipped", Message(self.beyond, values), "warn"))
        if totals.known and totals.crowded:
            text = N_(
                "The others lie beyond the bounds on average, so some of them are clipped: what is "
                "published is further off than by noise."
            )
            out.append(Sentence("crowded", Message(text), "warn"))
        return tuple(out)


def _from_answers(attack: subtraction.Attack, answered: subtraction.Answered) -> Sentence:
    """What the same subtraction makes of the answers that are typed in."""
    guess, totals = answered.guess, attack.totals
    possible = totals.low <= guess <= totals.high
    text = N_(
        "Answered are {first}, then {second}: rounded to whole people and subtracted, {guess}, "
        "which nobody here earns."
    )
    if possible:
        text = N_(
            "Answered are {first}, then {second}: rounded to whole people and subtracted, {guess}, "
            "off by {off}."
        )
    average = N_("{n} {n:person|people} at {mean}")
    first, second = (
        say(average, n=Num(count, 7), mean=attack.amount(Num(mean, 9)))
        for count, mean in (answered.before, answered.after)
    )
    off = attack.amount(Num(abs(guess - totals.value), 7))
    values = {"first": first, "second": second, "guess": attack.amount(Num(guess, 9))}
    return Sentence("answered", say(text, **values, **({"off": off} if possible else {})), "warn")


def _table(attack: subtraction.Attack) -> Table:
    totals, laws = attack.totals, [*map(LaplaceLaw, attack.scales), attack.law]
    exact = (totals.without, totals.without + totals.value, totals.value)
    known = ("exact", say("exact"), tuple(Num(value, 10) for value in exact))
    return story.shown_table(
        "totals",
        say("The totals"),
        (
            ("quantity", say("Total"), (say("before"), say("after"), say("difference"))),
            *((known,) if totals.known else ()),
            ("deviation", say("noise, ±"), tuple(Num(story.deviation(law), 4) for law in laws)),
            (
                "half_width",
                say("± at 95 %"),
                tuple(Num(law.half_width(0.95), 4, "up") for law in laws),
            ),
            ("epsilon", say("costs ε"), tuple(Num(e, 5) for e in (*attack.epsilons, attack.cost))),
        ),
        exact=attack.exact,
    )


class Newspaper(Subtraction):
    """100 people earn $55,000 on average, then 101 earn $56,000: the newcomer earns $156,000."""

    key = "newspaper"
    label = N_("What the newcomer earns")

    people: int = integer(
        100,
        N_("People before"),
        N_("How many the first average is of."),
        low=1,
        high=1_000_000,
        log=True,
    )
    before: float = real(
        55_000.0, N_("Average before"), N_("In dollars a year."), low=0, high=_MONEY
    )
    after: float = real(
        56_000.0, N_("Average after"), N_("Once the newcomer is there."), low=0, high=_MONEY
    )
    top: float = real(
        200_000.0,
        N_("Highest salary"),
        N_("Salaries above count as this one."),
        low=1,
        high=_MONEY,
        log=True,
    )
    answered_people: float | None = _answer(N_("People before, as answered"))
    answered_before: float | None = _answer(N_("Average before, as answered"))
    answered_more: float | None = _answer(N_("People after, as answered"))
    answered_after: float | None = _answer(N_("Average after, as answered"))

    def answered(self) -> subtraction.Answered | None:
        said = self.answered_people, self.answered_before, self.answered_more, self.answered_after
        exact = self.people, self.before, self.people + 1, self.after
        if all(each is None for each in said):
            return None
        n, before, m, after = (
            e if s is None else s for s, e in zip(said, map(float, exact), strict=True)
        )
        return subtraction.Answered((n, before), (m, after))

    @property
    def unit(self) -> Message:
        return say("dollars a year")

    def amount(self, number: Num) -> Message:
        if number.value < 0:
            return say("−${x}", x=subtraction.spelled(replace(number, value=-number.value)))
        return say("${x}", x=subtraction.spelled(number))

    def totals(self, telling: story.Telling) -> subtraction.Totals:
        total = self.people * self.before
        return subtraction.Totals(
            total, (self.people + 1) * self.after - total, self.people, 0.0, self.top
        )

    def exactly(self, totals: subtraction.Totals) -> tuple[Message, Message]:
        values = {
            "n": Num(self.people),
            "m": Num(self.people + 1),
            "before": subtraction.spelled(Num(self.before, 7)),
            "after": subtraction.spelled(Num(self.after, 7)),
            "value": self.amount(Num(totals.value, 9)),
        }
        told = N_("Averages of {n} and {m} {m:person|people} tell the newcomer’s salary: {value}.")
        text = N_(
            "{n} {n:person earns|people earn} ${before} on average; one joins, and {m} earn "
            "${after}."
        )
        return Message(told, values), Message(text, values)


class Differencing(Subtraction):
    """The total of a column with and without one row: exact totals give the row away."""

    key = "differencing"
    label = N_("One row of your table")
    of_table = True
    who = N_("The row adds, exactly")

    column: str = param(
        "hours-per-week", Column(N_("Column"), N_("A column of numbers."), numeric=True)
    )
    row: int = integer(
        1, N_("Row"), N_("The row that comes last, counted from 1."), low=1, high=10**9, log=True
    )
    low: float | None = param(None, LOW, of=("column",))
    high: float | None = param(None, HIGH, of=("column",))

    def agree(self) -> None:
        refuse_crossed(self.low, self.high)

    def problems(self, data: Dataset) -> Iterator[Problem]:
        if data.rows == 0:
            yield Problem("data", no_rows(data))
            return
        if not any(c.numeric for c in data.columns):
            yield Problem(
                "story.column", say("This table has no column of numbers, which this story needs.")
            )
            return
        problem = number_problem(self.column, data)
        asked = Sum(column=self.column, low=self.low, high=self.high)
        if problem is None and not asked.told(data).whole:
            problem = range_problem(self.column, data)
        if problem:
            yield Problem(problem.field.replace("query.", "story."), problem.say)
        elif self.row > data.rows:
            yield Problem("story.row", say("The table has fewer rows. Choose one of them."))
        elif (self.low is None or self.high is None) and not asked.with_(attested=True).public(
            data
        ):
            yield Problem(
                "story.high",
                say("The bounds come from the data: this choice is not private."),
                stops=False,
            )

    def suited(self, data: Dataset) -> Differencing:
        fits = [c.name for c in data.columns if c.numeric and data.missing(c.name) < data.rows]
        row = min(self.row, max(1, data.rows))
        if (data.has(self.column) and data.info(self.column).numeric) or not fits:
            return self.with_(row=row)
        column = columns_for(data, MEASURE, fits)[0]
        return self.with_(column=column, low=None, high=None, row=row)

    @property
    def unit(self) -> Message:
        return plain(self.column)

    def bounds(self, data: Dataset) -> tuple[float, float]:
        """The bounds between which the sum is clipped on this table."""
        return Sum(column=self.column, low=self.low, high=self.high).bounds(data)

    def totals(self, telling: story.Telling) -> subtraction.Totals:
        low, high = self.bounds(telling.data)
        most = telling.data.contributions
        # What a person adds who has several rows, or none.
        least, largest = (min(0.0, most * low), max(0.0, most * high)) if most > 1 else (low, high)
        if not telling.show_truth:
            return subtraction.Totals(0.0, 0.0, 0, least, largest, known=False, most=most)

        def read() -> tuple[float, float, int, int]:
            every = telling.data.clipped(self.column, low, high, Where())
            one = telling.data.only(self.row - 1).clipped(self.column, low, high, Where())
            return every.total - one.total, one.total, every.used - one.used, one.used

        without, value, people, used = telling.data.remember(
            ("differencing", self.column, self.row, low, high), read
        )
        return subtraction.Totals(
            without, value, people, least, largest, most=most, joined=used if most > 1 else 1
        )

    def exactly(self, totals: subtraction.Totals) -> tuple[Message, Message]:
        told = N_("Two totals of {column} tell what row {row} adds: {value}.")
        if totals.most > 1:
            told = N_("Two totals of {column} tell what the person of row {row} adds: {value}.")
        value = subtraction.spelled(Num(totals.value, 9))
        both, without = (
            subtraction.spelled(Num(total, 12))
            for total in (totals.without + totals.value, totals.without)
        )
        text = N_("The total is {with_it} with them and {without} without.")
        return (
            say(told, column=plain(self.column), row=Num(self.row), value=value),
            say(text, with_it=both, without=without),
        )
