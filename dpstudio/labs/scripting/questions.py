"""The questions in the words of a script: the exact answer, what is measured for it, and the
largest moves that one person can make."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from dpstudio.data.conditions import Test, Where, as_word
from dpstudio.labs.scripting.scripted import Known, NoScript, condition, quoted
from dpstudio.privacy.queries.contingency import Contingency
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.queries.covariance import Covariance
from dpstudio.privacy.queries.grouped import Grouped
from dpstudio.privacy.queries.histogram import Histogram
from dpstudio.privacy.queries.query import ADD_REMOVE, Clipping, Query
from dpstudio.privacy.queries.several import Counts, together
from dpstudio.privacy.queries.total import Mean, Sum
from dpstudio.privacy.queries.variance import Spread
from dpstudio.values.dates import span_of
from dpstudio.values.domains import number_of
from dpstudio.values.messages import N_, say

_NOT_ASKED = N_(
    "No script asks this. Ask for a count, sum, mean, variance, covariances or a table."
)
_UNORDERED = N_("No script asks by such a column. Ask by a column of numbers, words or dates.")
# Where neighbours of a cut are looked at.
_BETWEEN = {"integer": (-1.0, 0.0, 1.0)} | dict.fromkeys(("number", "date"), (-0.5, 0.0, 0.5))


@dataclass(frozen=True)
class Asked:
    """Lines that give `truth`, the exact answer as an array, and `moves`: of each of the largest
    moves of one person the sizes of the changes, measurement by measurement. An answer that is
    `published` of several measurements has these in `measured`, their shares of the budget in
    `shares`, and `published` is the call of a piece that makes the answer of `noisy`, of which each
    part is made of all numbers where they are `mixed`. `whole` tells which measurements are made of
    integers; `limits` are the ends of what is published."""

    settings: Mapping[str, object]
    lines: tuple[str, ...]
    whole: tuple[bool, ...] = (True,)
    vector: bool = False
    published: str = ""
    limits: tuple[str, str] = ("", "")
    mixed: bool = False

    @property
    def linear(self) -> bool:
        """Whether the answer is one noisy measurement as it is."""
        return not self.published


def asked(query: Query, adjacency: str, known: Known) -> Asked:
    """The question in the words of a script. Raises NoScript."""
    makers: Mapping[type[Query], Callable[..., Asked]] = {
        Count: _count,
        Sum: _sum,
        Mean: _mean,
        Histogram: _histogram,
        Contingency: _contingency,
        Counts: _several,
        Grouped: _grouped,
        Spread: _spread,
        Covariance: _covariance,
    }
    maker = next((make for kind, make in makers.items() if isinstance(query, kind)), None)
    if maker is None:
        raise NoScript(say(_NOT_ASKED))
    found = maker(query, adjacency == ADD_REMOVE, known)
    if known.most == 1:
        return found
    return replace(found, lines=(*found.lines, f"moves = grown(moves, {known.most})"))


def _count(query: Count, adding: bool, known: Known) -> Asked:
    lines = (
        f"chosen = {condition(query.where, known)}",
        "truth = np.array([float(np.count_nonzero(chosen))])",
        "moves = (((1.0,),),)  # one person enters the count, leaves it, or neither",
    )
    return Asked({}, lines)


def clipped(
    query: Clipping, known: Known, where: bool = True
) -> tuple[dict[str, object], list[str]]:
    """(settings, lines) that give `low`, `high` and the clipped values `x` of the rows that count
    and have one: bounds that are told, here or of the column, or else proposed from the data."""
    about = known.about(query.column)
    low = query.low if query.low is not None else about.low
    high = query.high if query.high is not None else about.high
    settings: dict[str, object] = {"column": query.column}
    lines = ["values = table[column]"]
    if low is None or high is None:
        lines += [
            "seen = values[np.isfinite(values)]",
            "low, high = outward(seen.min(), seen.max())  # from the data: this is not private",
        ]
        for name, end in (("low", low), ("high", high)):
            lines += [f"{name} = {end!r}"] if end is not None else []
    else:
        settings |= {"low": low, "high": high}
    if (low is None) != (high is None) or (low is not None and high is not None and low >= high):
        kept = "low, low + 1" if query.low is not None else "high - 1, high"
        lines.append(f"low, high = (low, high) if low < high else ({kept})")
    if where:
        if query.where:
            lines.append(f"values = values[{condition(query.where, known)}]")
        lines.append("x = np.clip(values[~np.isnan(values)], low, high)")
    return settings, lines


def _whole(query: Clipping, known: Known) -> bool:
    """Whether integers are measured, where the bounds are too: those proposed of integers are."""
    ends = (query.low, query.high, known.about(query.column).low, known.about(query.column).high)
    kept = all(end is None or end == int(end) for end in ends)
    return known.type_of(query.column) == "integer" and kept


def _sum_moves(adding: bool, *, counted: bool, middle: str = "", step: str = "") -> list[str]:
    """Lines that give `moves` of a sum about a middle, and of a count beside it."""
    off, per = f" - {middle}" if middle else "", f" / {step}" if step else ""
    lines = [f"far = max(abs(low{off}), abs(high{off})){per}"]
    one, none = (", (1.0,)", ", ()") if counted else (",", ",")
    if adding:
        return [*lines, f"moves = (((far,){one}),)  # the farthest value comes or goes"]
    across = f"((high - low){per},)" if per else "(high - low,)"
    return [
        *lines,
        "# A value goes from one bound to the other, or to a row that does not count.",
        f"moves = (({across}{none}), ((far,){one}))",
    ]


def _sum(query: Sum, adding: bool, known: Known) -> Asked:
    settings, lines = clipped(query, known)
    lines += ["truth = np.array([x.sum()])", *_sum_moves(adding, counted=False)]
    return Asked(settings, tuple(lines), (_whole(query, known),))


def _mean(query: Mean, adding: bool, known: Known) -> Asked:
    settings, lines = clipped(query, known)
    whole = _whole(query, known)
    middle = "(low + high) / 2" if query.centred or query.n_public else "0.0"
    lines.append(f"middle = {middle}")
    if query.n_public:
        lines += [
            "truth = np.array([middle + (x - middle).sum() / len(values)])",
            "moves = ((((high - low) / len(values),),),)  # one value goes from end to end",
        ]
        return Asked(settings, tuple(lines), (False,))
    settings["split"] = query.split
    step = ""
    if whole and query.centred:
        step = "step"
        lines.append("step = 1.0 if middle == int(middle) else 0.5  # integers about a half")
    per = " / step" if step else ""
    lines += [
        "truth = np.array([middle + (x - middle).sum() / max(1, len(x))])",
        f"measured = (np.array([(x - middle).sum(){per}]), np.array([float(len(x))]))",
        "shares = (split, 1 - split)  # of the budget",
        *_sum_moves(adding, counted=True, middle="middle" if query.centred else "", step=step),
    ]
    published = f"ratio(noisy, low, high, middle, {step or '1.0'})"
    return Asked(settings, tuple(lines), (whole, True), False, published, ("low", "high"))


def _spread(query: Spread, adding: bool, known: Known) -> Asked:
    settings, lines = clipped(query, known)
    root = query.rooted
    lines += ["half = (high - low) / 2", "z = x - (low + high) / 2"]
    if query.n_public:
        reach = "(n - 1) / n**2 * (high - low) ** 2"
        reach = "math.sqrt(n - 1) / n * (high - low)" if root else reach
        of = "math.sqrt(np.var(z))" if root else "np.var(z)"
        lines += ["n = len(values)", f"truth = np.array([{of}])", f"moves = ((({reach},),),)"]
        return Asked(settings, tuple(lines), (False,))
    settings["split"] = query.split
    lines += [
        f"truth = np.array([{'math.sqrt(np.var(z))' if root else 'np.var(z)'}])",
        "measured = (np.array([z.sum()]), np.array([z @ z]), np.array([float(len(z))]))",
        "shares = ((1 - split) / 2, split, (1 - split) / 2)  # of the budget",
    ]
    if adding:
        lines.append("moves = (((half,), (half**2,), (1.0,)),)")
    else:
        lines += [
            "# From bound to bound, from the middle outward, to a row that does not count; and no\n"
            "# change moves more than the last.",
            "moves = (",
            "    ((high - low,), (), ()),",
            "    ((half,), (half**2,), ()),",
            "    ((half,), (half**2,), (1.0,)),",
            "    ((high - low,), (half**2,), ()),",
            ")",
        ]
    published = f"spread(noisy, half, root={root})"
    ends = ("0.0", "half" if root else "half**2")
    return Asked(settings, tuple(lines), (False, False, True), False, published, ends)


def parts_moves(adding: bool) -> str:
    """The line that gives `moves` of counts of disjoint parts."""
    if adding:
        return "moves = (((1.0,),),)  # one person is in one part at most"
    # Of a single part somebody can only enter it or leave it.
    return "moves = (((1.0, 1.0) if len(truth) > 1 else (1.0,),),)  # out of one part, into another"


def _words_of(
    name: str, column: str, listed: Sequence[str], known: Known
) -> tuple[dict[str, object], list[str]]:
    """(settings, lines) that give the words that are counted: those told, or those in the data."""
    told = tuple(listed) or known.about(column).categories
    if told:
        return {name: tuple(told)}, []
    return {}, [f"{name} = words_in(table[{quoted(column)}])  # from the data: this is not private"]


def _histogram(query: Histogram, adding: bool, known: Known) -> Asked:
    kind, about = known.type_of(query.column), known.about(query.column)
    settings: dict[str, object] = {"column": query.column}
    chosen = f"table[column][{condition(query.where, known)}]" if query.where else "table[column]"
    if kind == "date":
        told, lines = _dates(query, known)
        lines += [
            "edges[-1] = np.nextafter(edges[-1], -np.inf)  # where it ends is not in it",
            f"truth = np.histogram(finite({chosen}), edges)[0].astype(float)",
        ]
        return Asked({**settings, **told}, (*lines, parts_moves(adding)), (True,), True)
    if kind == "category":
        told, lines = _words_of("words", query.column, query.categories, known)
        settings |= told
        lines.append(f"truth = tally({chosen}, words)")
        return Asked(settings, (*lines, parts_moves(adding)), (True,), True)
    low = query.low if query.low is not None else about.low
    high = query.high if query.high is not None else about.high
    if query.edges:
        settings["edges"] = query.edges
        lines = []
    elif low is not None and high is not None:
        settings |= {"low": low, "high": high if high > low else low + 1, "bins": query.bins}
        lines = ["edges = equal_edges(low, high, bins)"]
    else:
        settings |= {"low": low, "high": high, "bins": query.bins}
        lines = ["edges = proposed_edges(table[column], low, high, bins)  # not private"]
    lines.append(f"truth = np.histogram(finite({chosen}), np.array(edges))[0].astype(float)")
    return Asked(settings, (*lines, parts_moves(adding)), (True,), True)


def _dates(query: Histogram, known: Known) -> tuple[dict[str, object], list[str]]:
    """(settings, lines) that give the `edges`, in days since 1970."""
    if query.dates:
        return {"dates": query.dates}, ["edges = dates_of([whole_date(date) for date in dates])"]
    about, lines = known.about(query.column), []
    if about.low is None or about.high is None:
        lines.append("seen = finite(table[column])  # from the data: this is not private")
    ends = [f"seen.{name}()" if end is None else repr(end)
            for name, end in (("min", about.low), ("max", about.high))]  # fmt: skip
    lines.append(f"low, high = {ends[0]}, {ends[1]}")
    return {"bins": query.bins}, [*lines, "edges = calendar_edges(low, max(low, high), bins)"]


def _contingency(query: Contingency, adding: bool, known: Known) -> Asked:
    settings: dict[str, object] = {"first": query.first, "second": query.second}
    down, lines = _words_of("down", query.first, query.down, known)
    across, more = _words_of("across", query.second, query.across, known)
    settings |= {**down, **across}
    chosen = condition(query.where, known) if query.where else ""
    rows = f"[{chosen}]" if chosen else ""
    lines += [
        *more,
        f"truth = two_way(table[first]{rows}, down, table[second]{rows}, across).ravel()",
        parts_moves(adding),
    ]
    return Asked(settings, tuple(lines), (True,), True)


def _covariance(query: Covariance, adding: bool, known: Known) -> Asked:
    about = [known.about(column) for column in query.columns]
    told: tuple[object, ...] = query.ranges
    told = told or tuple((each.low, each.high) for each in about)
    settings: dict[str, object] = {"of": query.columns, "told": told, "repair": query.repair}
    rows = f"[{condition(query.where, known)}]" if query.where else ""
    lines = (
        f"values = [table[column]{rows} for column in of]",
        "# Bounds that are not told come from the data, which is not private.",
        "bounds = [bounded(table[column], *ends) for column, ends in zip(of, told, strict=True)]",
        "scales = np.array([(high - low) / 2 for low, high in bounds])",
        "measured, shares = (moments(values, bounds),), (1.0,)",
        "truth = covariances([measured[0][None]], scales, repair)[0]",
        f"moves = moment_moves(len(of), adding={adding})",
        "diagonal = np.equal(*np.triu_indices(len(of)))",
        "least = np.where(diagonal & repair, 0.0, -math.inf)  # of a variance, which is mended",
    )
    published = "covariances(noisy, scales, repair)"
    ends = ("least[part]", "math.inf")
    return Asked(settings, lines, (False,), True, published, ends, mixed=True)


def _grouped(query: Grouped, adding: bool, known: Known) -> Asked:
    told, words = _words_of("groups", query.by, query.groups, known)
    settings: dict[str, object] = {"by": query.by, **told}
    rows = f"[{condition(query.where, known)}]" if query.where else ""
    if query.statistic == "count":
        lines = [*words, f"truth = tally(table[by]{rows}, groups)", parts_moves(adding)]
        return Asked(settings, tuple(lines), (True,), True)
    ends, lines = clipped(query, known, where=False)
    settings |= ends
    lines += [
        *words,
        f"counts, sums = by_group(table[by]{rows}, groups, values{rows}, low, high)",
        "far = max(abs(low), abs(high))",
    ]
    mean = query.statistic == "mean"
    one, two, none = (", (1.0,)", ", (1.0, 1.0)", ", ()") if mean else (",", ",", ",")
    if adding:
        lines.append(f"moves = (((far,){one}),)  # one person is in one group")
    else:
        lines += [
            "# Out of one group and into another, or from bound to bound within one.",
            f"moves = (((far, far){two}), ((high - low,){none}))",
            "if len(groups) == 1:",
            f"    moves = (((high - low,){none}), ((far,){one}))",
        ]
    whole = _whole(query, known)
    if not mean:
        return Asked(settings, (*lines, "truth = sums"), (whole,), True)
    settings["split"] = query.split
    lines += [
        "truth = np.clip(sums / np.maximum(counts, 1), low, high)",
        "measured = (sums, counts)",
        "shares = (split, 1 - split)  # of the budget",
    ]
    published = "ratio(noisy, low, high, 0.0, 1.0)"
    return Asked(settings, tuple(lines), (whole, True), True, published, ("low", "high"))


def _several(query: Counts, adding: bool, known: Known) -> Asked:
    wheres = together(query.conditions, query.where)
    lines = [
        "def met(table):",
        "    return np.array([",
        *(f"        {condition(w, known)}," for w in wheres),
        "    ])",
    ]
    columns = dict.fromkeys(test.column for where in wheres for test in where.tests())
    tests = [test for where in wheres for test in where.tests()]
    lines += [
        "# One person of each kind that the conditions tell apart.",
        "everybody = everyone({",
        *(f"    {quoted(name)}: {_samples(name, tests, known)}," for name in columns),
        "})",
        "truth = np.count_nonzero(met(table), axis=1).astype(float)",
        f"most = most_met(met(everybody), replaced={not adding}, nobody={bool(known.person)})",
        "moves = (((1.0,) * most,),)",
    ]
    if not columns:
        raise NoScript(say(_NOT_ASKED))
    return Asked({}, tuple(lines), (True,), True)


def _samples(column: str, tests: Sequence[Test], known: Known) -> str:
    """Values of a column, one in each piece into which the conditions cut it, and none."""
    given = [value for test in tests if test.column == column for value in test.values]
    kind = known.type_of(column)
    if kind == "category":
        words = [*dict.fromkeys(map(as_word, given)), "some other word"]
        return f"words_of([{', '.join(map(quoted, words))}, None])"
    if kind not in _BETWEEN:
        raise NoScript(say(_UNORDERED))
    if kind == "date":
        cuts = sorted({end for v in given for end in span_of(as_word(v))})
    else:
        cuts = sorted({number_of(v) if isinstance(v, str) else float(v) for v in given})
    middles = [(a + b) / 2 for a, b in pairwise(cuts)]
    near = {cut + by for cut in cuts for by in _BETWEEN[kind]} | set(cuts)
    near |= (
        set() if kind == "integer" else {*middles, *((cuts[0] - 1, cuts[-1] + 1) if cuts else ())}
    )
    if kind == "integer":
        near = {value for cut in near for value in (float(cut // 1), float(-(-cut // 1)))}
    return f"np.array([{', '.join(f'{value:.17g}' for value in sorted(near))}, np.nan])"


def where_of(where: Where, known: Known) -> str:
    """The rows that a condition leaves of an array, as an index; "" for all of them."""
    return f"[{condition(where, known)}]" if where else ""
