"""One column drawn for whoever holds the table: a lab that is no page of its own but what the data
page shows. Exact throughout."""

from collections.abc import Iterator

import numpy as np

from dpstudio.charts.figure import Area, Axis, Columns, Figure, Layer, Rule
from dpstudio.data.column_counts import Spread
from dpstudio.data.dataset import Dataset
from dpstudio.data.profile import IDENTIFIER, PERSON, PROSE, Profile, profile, rows_each
from dpstudio.labs.context import Cancelled, Context, never
from dpstudio.labs.findings import Fact, Findings, Sentence, Table
from dpstudio.labs.page import Lab
from dpstudio.labs.spelled_twice import pairs_of
from dpstudio.labs.start.data import cap
from dpstudio.values.dates import calendar_edges, date_text, interval_labels
from dpstudio.values.messages import N_, Message, Num, plain, say
from dpstudio.values.parameters import Column, param

_QUANTILES = (
    ("min", N_("min")), ("q5", N_("5 %")), ("q25", N_("25 %")), ("median", N_("median")),
    ("q75", N_("75 %")), ("q95", N_("95 %")), ("max", N_("max")),
)  # fmt: skip
_DATE_TICKS = 8
_APART = 0.2  # of the chart: nearer to each other, two lines have no room for their names
_SHOWN = 24  # words
_SMALLEST, _FARTHEST = 1e-280, 1e280  # beyond these no axis can be drawn


class Portrait(Lab):
    """Everything that is counted of one column; nothing of it is private."""

    key = "column"
    label = N_("A column")
    help = N_("What one column holds, counted exactly: not private.")

    column: str = param("age", Column(N_("Column")))

    def run(self, given: Context | Dataset, cancelled: Cancelled = never) -> Iterator[Findings]:
        """The findings of the column: there is one stage, and nothing to refuse."""
        data = given.data if isinstance(given, Context) else given
        yield findings(profile(data, self.column), public_bounds(data, self.column))


def public_bounds(data: Dataset, column: str) -> tuple[float | None, float | None]:
    """The bounds of a column that are known from outside the data; None where one is not."""
    about = data.about(column)
    return (about.low, about.high) if about.attested else (None, None)


def findings(seen: Profile, bounds: tuple[float | None, float | None] = (None, None)) -> Findings:
    """The chart, the numbers, the sentences and, of words, the table of a column."""
    spread = seen.spread
    if spread is None:
        return Findings(sentences=tuple(_sentences(seen)))
    if seen.persons is not None and len(seen.persons.kept):
        chart = cap.chart(seen, seen.persons)
        return Findings((chart,), tuple(_facts(seen, spread)), tuple(_sentences(seen)))
    figures: tuple[Figure, ...] = ()
    if spread.edges and _SMALLEST < spread.edges[-1] / 2 - spread.edges[0] / 2 < _FARTHEST:
        figures = (_distribution(seen, spread, bounds),)
    elif spread.most > 1:
        figures = (_common(seen, spread),)
    tables = (_words(seen, spread),) if spread.common and spread.most > 1 else ()
    return Findings(figures, tuple(_facts(seen, spread)), tuple(_sentences(seen)), tables)


def _facts(seen: Profile, spread: Spread) -> Iterator[Fact]:
    yield _count("rows", N_("Rows"), seen.rows)
    share = Num(seen.missing_share, 2, percent=True)
    note: Message | str = say("{share}", share=share) if seen.missing else ""
    yield Fact("missing", say("Missing"), say("{n}", n=Num(seen.missing)), note, value=seen.missing)
    yield _count("distinct", N_("Different values"), spread.distinct)
    if not spread.edges or seen.persons is not None:
        return  # names, of which no number is more than another
    days = seen.type == "date" and all(x == round(x) for x in spread.quantiles)
    yield Fact(
        "mean",
        say("Mean"),
        plain(seen.value(round(spread.mean) if days else spread.mean)),
        value=spread.mean,
    )
    for (key, text), x in zip(_QUANTILES, spread.quantiles, strict=True):
        yield Fact(key, Message(text), plain(seen.value(x)), value=x)


def _count(key: str, text: str, n: int) -> Fact:
    return Fact(key, Message(text), say("{n}", n=Num(n)), value=n)


def _sentences(seen: Profile) -> Iterator[Sentence]:
    spread = seen.spread
    if spread is None:
        text = (
            N_("This column holds nested values, which cannot be summed up.")
            if seen.type == "other"
            else N_("It cannot be summed up.")
        )
        yield Sentence("unsummed", Message(text))
        return
    if not spread.present and not seen.unread:
        yield Sentence("empty", say("No row has a value here."), "warn")
    yield from _looks(seen, spread)
    yield from _odd_values(seen, spread)


def _looks(seen: Profile, spread: Spread) -> Iterator[Sentence]:
    """What a column looks like that may name people."""
    if seen.looks == IDENTIFIER:
        every = N_(
            "Every row has a value of its own: it looks like an identifier. Published values would "
            "name people."
        )
        nearly = N_(
            "Nearly every row has a value of its own: it looks like an identifier. Published "
            "values would name people."
        )
        yield Sentence(
            "identifier", Message(every if spread.distinct == spread.present else nearly), "warn"
        )
    if seen.looks == PROSE:
        yield Sentence(
            "text",
            say(
                "It looks like free text: people may be named in it, and there is nothing to count."
            ),
            "warn",
        )
    if seen.persons is not None and len(seen.persons.kept):
        yield from cap.sentences(seen, seen.persons)
    if seen.looks == PERSON:
        mean, most = rows_each(spread)
        text = N_(
            "It seems to tell persons apart: {mean} {mean:row|rows} for each value, up to {most}. "
            "One person, many rows: sensitivity grows."
        )
        yield Sentence("person", say(text, mean=mean, most=most), "warn")


def _odd_values(seen: Profile, spread: Spread) -> Iterator[Sentence]:
    """Values that are not counted as they stand."""
    if seen.unread:
        yield Sentence(
            "unread",
            say(
                "{n} {n:value|values} cannot be read this way and {n:counts|count} as missing.",
                n=Num(seen.unread),
            ),
            "warn",
        )
    if spread.infinite:
        yield Sentence(
            "infinite",
            say(
                "{n} {n:value is|values are} infinite; the numbers and the chart leave {n:it|them} "
                "out.",
                n=Num(spread.infinite),
            ),
        )
    if seen.twins:
        text = N_(
            "{n} {n:word has|words have} several spellings, counted apart, which differ in upper "
            "and lower case or in gaps: {pairs}."
        )
        yield Sentence(
            "twins", say(text, pairs=pairs_of(seen.twins), n=Num(len(seen.twins))), "warn"
        )
    if seen.blanks:
        word, count = seen.blanks[0]
        text = N_(
            "“{word}” stands in {n} {n:row|rows} and may mean that a value is missing; here it is "
            "a word like others."
        )
        yield Sentence("blanks", say(text, word=word, n=Num(count)))


def _distribution(
    seen: Profile, spread: Spread, bounds: tuple[float | None, float | None]
) -> Figure:
    """Rows per interval, the median, and the public bounds where they lie within reach."""
    low, high = spread.edges[0], spread.edges[-1]
    reach = high - low
    layers: list[Layer] = [Area("rows", "first", "", spread.edges, spread.counts)]
    for key, text, at in (("low", N_("low {x}"), bounds[0]), ("high", N_("high {x}"), bounds[1])):
        if at is not None and spread.edges[0] - reach / 2 <= at <= spread.edges[-1] + reach / 2:
            layers.append(Rule(key, "target", say(text, x=seen.value(at)), at))
            low, high = min(low, at - 0.02 * reach), max(high, at + 0.02 * reach)
    median = spread.quantiles[3]
    if all(
        abs(median - layer.at) > _APART * (high - low)
        for layer in layers
        if isinstance(layer, Rule)
    ):
        layers.append(
            Rule("median", "truth", say("median {x}", x=seen.value(median)), median, dash="dash")
        )
    title = say("Rows by {column}", column=seen.name)
    across = Axis(
        plain(seen.name), range=(low, high), ticks=_dates(low, high) if seen.type == "date" else ()
    )
    return Figure(
        "column",
        title,
        across,
        Axis(say("rows"), room=1.06),
        tuple(layers),
        _width(seen, spread),
        exact=True,
    )


def _width(seen: Profile, spread: Spread) -> Message:
    """What one step of the chart stands for."""
    n = len(spread.counts)
    if seen.type == "date":
        return say("{n} {n:interval|intervals} of the calendar", n=Num(n))
    width = spread.edges[1] - spread.edges[0]
    return (
        say("one step for each whole number")
        if width == 1 and seen.type == "integer"
        else say("steps of {w}", w=Num(width))
    )


def _dates(low: float, high: float) -> tuple[tuple[float, str], ...]:
    """A few dates to write below the axis, those further apart first."""
    edges = [edge for edge in calendar_edges(low, high, _DATE_TICKS) if low <= edge <= high]
    if len(edges) < 2:
        return tuple((edge, date_text(edge)) for edge in edges)
    names = [*interval_labels(tuple(edges)), date_text(edges[-1])]
    if len(names[0]) < len(names[-1]):
        names[-1] = names[-1][: len(names[0])]
    pairs = [(edge, name.split(" – ")[0]) for edge, name in zip(edges, names, strict=True)]
    return (*pairs[::2], *pairs[1::2])


def _common(seen: Profile, spread: Spread) -> Figure:
    """Rows of the most common words, the commonest first."""
    common = spread.common[:_SHOWN]
    counts = np.array([count for _, count in common], dtype=np.float64)
    places = np.arange(len(counts), dtype=np.float64)
    ticks = tuple((float(place), word) for place, (word, _) in zip(places, common, strict=True))
    text = (
        N_("the {k} most common of {n} {n:word|words}")
        if spread.distinct > len(counts)
        else N_("all {n} {n:word|words}")
    )
    return Figure(
        "column",
        say("Rows by {column}", column=seen.name),
        Axis(plain(seen.name), range=(-0.6, max(len(counts), 4) - 0.4), ticks=ticks),
        Axis(say("rows"), room=1.06),
        (Columns("rows", "first", "", places, counts, 0.7),),
        say(text, n=Num(spread.distinct), k=Num(len(counts))),
        exact=True,
    )


def _words(seen: Profile, spread: Spread) -> Table:
    """The most common words with their rows."""
    common = spread.common[:_SHOWN]
    counts = tuple(count for _, count in common)
    columns = (
        ("word", tuple(plain(word) if word else say("(blank)") for word, _ in common)),
        ("rows", tuple(Num(count) for count in counts)),
        ("share", tuple(Num(count / seen.rows, 3, percent=True) for count in counts)),
    )
    heads = (say("Word"), say("Rows"), say("Of all rows"))
    return Table("common", say("Most common words"), columns, shown=True, heads=heads, exact=True)
