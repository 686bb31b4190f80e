"""Synthesis: what a synthetic table keeps of the one that it was made from."""

from dpstudio.data.cells import EVERYWHERE, NOWHERE
from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.page import Lab
from dpstudio.labs.whole_tables.synthesis import ABOUT
from dpstudio.labs.whole_tables.synthesis.ways import WAYS
from dpstudio.labs.whole_tables.synthesis.ways.tree import SpanningTree
from dpstudio.labs.whole_tables.synthesis.ways.way import Way
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.queries.query import WIDEST
from dpstudio.values.fields import choice, integer
from dpstudio.values.lists import WordLines
from dpstudio.values.messages import N_
from dpstudio.values.parameters import Column, Maybe, OneOf, Real, param

MISSING = {EVERYWHERE: N_("a cell of its own"), NOWHERE: N_("leaves its row out")}
COUNTED, TYPED = "counted", "typed"
WRITTEN = {COUNTED: N_("as noisy counts tell"), TYPED: N_("a public number")}
VIEWS = {"pairs": N_("columns and pairs"), "uses": N_("models and attacks")}

# Who the table is made of that is tried: one half, or as the texts' two scenarios have it.
SPLITS = {"half": N_("one half"), "0.3": N_("30 %"), "0.8": N_("80 %")}
SHARES = {"half": 0.5, "0.3": 0.3, "0.8": 0.8}


class Synthesis(Lab, about=ABOUT):
    """A whole table is made under a promise, looked at beside the true one, and written."""

    columns: tuple[str, ...] = param(
        ("age", "education", "marital-status", "hours-per-week", "income"),
        WordLines(
            N_("Columns"),
            N_("The columns of the table to make, separated by |."),
            purpose="feature",
        ),
        in_caption=True,
    )
    way: Way = param(
        SpanningTree(), OneOf(N_("Way"), N_("How the table is made."), family=lambda: WAYS)
    )
    epsilon: float = param(1.0, EPSILON)
    adjacency: str = shared.adjacency()
    bins: int = integer(
        20,
        N_("Bins"),
        N_("A column of numbers has at most so many cells, of one width over its bounds."),
        low=2,
        high=200,
        log=True,
        own=True,
        in_caption=True,
    )
    missing: str = choice(
        EVERYWHERE,
        N_("Missing"),
        N_("What becomes of rows that lack one."),
        options=MISSING,
        own=True,
        in_caption=True,
    )
    size: str = choice(
        COUNTED,
        N_("Rows written"),
        N_("How many rows there are is data, too: it is public, or paid for."),
        options=WRITTEN,
        own=True,
        in_caption=True,
    )
    written: int = integer(
        30_000,
        N_("So many rows"),
        N_("Known from outside the data."),
        low=1,
        high=1_000_000,
        active_when=("size", TYPED),
    )
    view: str = choice(
        "pairs",
        N_("Look at"),
        N_("Which charts wait behind the large one."),
        options=VIEWS,
        look=True,
        own=True,
        active_when=("show_truth", True),
    )
    column: str = param(
        "age",
        Column(N_("Column drawn"), N_("The column that is looked at.")),
        in_caption=True,
        own=True,
    )
    other: str = param(
        "marital-status",
        Column(N_("Drawn with"), N_("The column that it is paired with.")),
        in_caption=True,
        own=True,
    )
    low: float | None = param(
        None,
        Maybe(
            N_("Range from"),
            N_("Where the range asked begins."),
            inner=Real("", low=-WIDEST, high=WIDEST),
            empty=N_("a third"),
        ),
        of=("column",),
        in_caption=True,
        own=True,
    )
    high: float | None = param(
        None,
        Maybe(
            N_("up to, without it"),
            N_("Where the range asked ends."),
            inner=Real("", low=-WIDEST, high=WIDEST),
            empty=N_("two thirds"),
        ),
        of=("column",),
        in_caption=True,
        own=True,
        beside="low",
    )
    split: str = choice(
        "half",
        N_("Tried: made of"),
        N_("How many of the people the table is made of that is tried on the others."),
        options=SPLITS,
        own=True,
        active_when=("show_truth", True),
    )
    seed: int = shared.seed()
    show_truth: bool = shared.show_truth()

    @property
    def method(self) -> Way:
        """The way in which the table is made."""
        return self.way
