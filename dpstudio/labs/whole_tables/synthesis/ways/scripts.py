"""Scripts of ways: a table made of noisy counts, and how far it lies from the true one."""

from dataclasses import dataclass

from dpstudio.labs.scripting.features import told_of_all
from dpstudio.labs.scripting.scripted import Known, NoScript, Script
from dpstudio.labs.whole_tables.synthesis.ways.independent import Independent
from dpstudio.labs.whole_tables.synthesis.ways.noisy_cells import NoisyCells
from dpstudio.labs.whole_tables.synthesis.ways.tree import SpanningTree
from dpstudio.labs.whole_tables.synthesis.ways.way import Way
from dpstudio.privacy.queries import REPLACE
from dpstudio.values.messages import N_, say

_OTHER = N_(
    "No script makes a table in this way yet. Choose a tree of pairs, or counts with Laplace noise."
)
_CELLS = """
codes, sizes, edges = cells_in(table, features, dates, bins, keep_missing)
d = len(sizes)
rng = stream(*seed)
"""
_TREE = """
# A third of rho each for counting columns, for choosing pairs, and for counting these. Who is
# replaced, or has m rows, moves as many rows one after the other, which costs that squared.
rho = zcdp_rho(epsilon, delta) / moved**2
third = rho / 3 if d > 1 else rho
ones = gaussian_counts(codes, sizes, [(column,) for column in range(d)], third, rng)
# Each of d − 1 choices of epsilon has rho = epsilon²/8 (Cesar & Rogers 2021).
choice = math.sqrt(8 * third / max(d - 1, 1))
pairs = spanning_tree(codes, sizes, ones, choice, rng) if d > 1 else []
twos = gaussian_counts(codes, sizes, pairs, third, rng) if d > 1 else []
total = people_told([*ones, *twos])
even = made_to_agree([*ones, *twos], total)
rows = {rows}
made = drawn_along(pairs, even[:d], even[d:], rows, rng)
noisy = ones[place][1]
"""
# Of ways that count cells with Laplace noise.
_SCALE = """
# One row is in one cell of each table of counts, which share epsilon.
scale = moved * {tables} / epsilon
"""
_INDEPENDENT = """
counts = [laplace_counts(codes, sizes, (c,), scale, rng{printed}) for c in range(d)]
total = {total}
rows = {rows}
parts = [cells_drawn(not_negative(each, repair, least * scale), rows, rng) for each in counts]
made = np.stack(parts, axis=1)
noisy = counts[place]
"""
_ONE_TABLE = """
counts = laplace_counts(codes, sizes, range(d), scale, rng{printed})
total = {total}
rows = {rows}
cells = cells_drawn(not_negative(counts, repair, least * scale), rows, rng)
made = np.stack(np.unravel_index(cells, counts.shape), axis=1)
noisy = counts.sum(axis=tuple(column for column in range(d) if column != place))
"""
_TOLD = """
first, last = cells_between(edges[place], low, high)
true, drawn = (np.bincount(c[:, place], minlength=sizes[place]) for c in (codes, made))
numbers["true"] = float(true[first:last].sum())
numbers["noisy"] = noisy[first:last].sum()
numbers["made"] = float(drawn[first:last].sum())
numbers["column"] = variation(true, drawn)
apart = [
    variation(*(cell_counts(each, sizes, pair) for each in (codes, made)))
    for pair in itertools.combinations(range(d), 2)
]
if apart:
    numbers["pairs"] = np.mean(apart)
"""
_HERO = """
places = np.arange(len(true))
for name, counts in (("true", true), ("noisy", noisy), ("made", drawn)):
    axes.step(places, counts, where="mid", label=name)
axes.set_xlabel("cell of the column")
axes.set_ylabel("people")
axes.legend()
"""


@dataclass(frozen=True)
class Asked:
    """Which columns are made, and looked at, and what is settled of all ways."""

    columns: tuple[str, ...]
    column: str
    low: float | None
    high: float | None
    epsilon: float
    adjacency: str
    bins: int
    keep_missing: bool
    written: int | None
    seed: tuple[int, ...]


def way_script(way: Way, asked: Asked, known: Known) -> Script:
    """The script of a way. Raises NoScript."""
    place = asked.columns.index(asked.column) if asked.column in asked.columns else 0
    settings: dict[str, object] = {
        "features": told_of_all(known, asked.columns),
        "dates": tuple(name for name in asked.columns if known.type_of(name) == "date"),
        "bins": asked.bins,
        "keep_missing": asked.keep_missing,
        "epsilon": asked.epsilon,
        "moved": known.most * (2 if asked.adjacency == REPLACE else 1),
    }
    more, lines = _lines(way, asked)
    looked = {"place": place, "low": asked.low, "high": asked.high, "seed": asked.seed}
    return Script(settings | more | looked, _CELLS + lines + _TOLD, hero=_HERO)


def _lines(way: Way, asked: Asked) -> tuple[dict[str, object], str]:
    """What the way is told, and its lines."""
    rows, more = "max(1, round(total))", dict[str, object]()
    if asked.written is not None:
        rows, more = "written", {"written": asked.written}
    if isinstance(way, SpanningTree):
        return more | {"delta": way.delta}, _TREE.format(rows=rows)
    if not isinstance(way, NoisyCells):
        raise NoScript(say(_OTHER))
    # The threshold is told in standard deviations, of √2 scales each.
    more["repair"], more["least"] = way.repair, way.least * 2**0.5
    alone = isinstance(way, Independent)
    total = "np.mean([each.sum() for each in counts])" if alone else "counts.sum()"
    if way.printed == "twice":
        total = "len(codes) + rng.laplace(0, moved / epsilon, 1)[0]  # as printed: n once more"
    printed = f", {way.printed}=True" if way.printed in ("one", "occurring") else ""
    lines = _INDEPENDENT if alone else _ONE_TABLE
    scale = _SCALE.format(tables="d" if alone else "1")
    return more, scale + lines.format(printed=printed, total=total, rows=rows)
