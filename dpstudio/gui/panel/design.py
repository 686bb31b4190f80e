"""Designs of side panels, written by hand: cards with a title and rows. A lab without one gets one
made from its fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dpstudio.labs import Lab
from dpstudio.values.messages import N_
from dpstudio.values.params import Kind, OneOf, domains


@dataclass(frozen=True)
class Says:
    """A line with the sentence `key` of the findings, in the colour of its tone (`style` where that
    is plain).

    With `sets` a button beside it sets that parameter to the value `value` of the sentence; both go
    while it plays no part.
    """

    key: str
    style: str = ""
    sets: str = ""
    value: str = ""


@dataclass(frozen=True)
class Line:
    """Small editors side by side: (words before it, path of the parameter, letters of its box or 0)
    each."""

    parts: tuple[tuple[str, str, int], ...]


@dataclass(frozen=True)
class Hands:
    """A button that adds what is set here to another lab, which stays where it is."""

    to: str
    text: str
    tip: str


Row = str | Says | Line | Hands


@dataclass(frozen=True)
class Section:
    """One card. A row that is a text is the dotted path of a parameter and becomes its editor.

    A card about what is `drawn` from a seed is there only while anything is.
    """

    title: str
    rows: tuple[Row, ...]
    drawn: bool = False


Design = tuple[Section, ...]

# Who a person is where that is not each row, and what leaving out the rest of their rows changes.
PERSONS = (Says("unit", "muted"), Says("kept"))

TO_COMPOSITION = Hands(
    "composition",
    N_("Add to the composition"),
    N_("One more line in the list of the Composition lab"),
)

EXPLORE: Design = (
    Section(N_("Question"), ("query", Says("pointer", "muted"), *PERSONS)),
    Section(N_("Mechanism"), ("mechanism", "post_processing", Says("bias", "muted"))),
    Section(N_("Privacy"), ("mechanism.epsilon", "mechanism.delta", Says("odds"))),
    Section(
        N_("Target"),
        (
            Line(
                ((N_("within ±"), "target", 3), ("", "target_unit", 0), (N_("at"), "confidence", 4))
            ),
            Says("needed", "good", sets="mechanism.epsilon", value="epsilon"),
        ),
    ),
    Section(
        N_("Many answers"),
        (
            "answers",
            "delta_prime",
            Says("crossover", "muted"),
            Says("leak", "muted"),
            TO_COMPOSITION,
        ),
    ),
    Section(
        N_("Drawing"),
        (
            "measure",
            "compare_with",
            "part",
            "largest",
            "relative",
            "show_truth",
            "trials",
            "dots",
            "seed",
        ),
    ),
)

COMPARE: Design = (
    Section(N_("Question"), ("query", *PERSONS)),
    Section(N_("Privacy"), ("epsilon", "delta", Says("guarantees", "muted"))),
    Section(N_("Mechanisms"), ("mechanisms", "post_processing")),
    Section(N_("Error"), ("measure", "confidence", "largest")),
    Section(N_("Drawing"), ("focus", Says("hint", "muted"), "part", "show_truth", "seed")),
)

CLIPPING: Design = (
    Section(N_("Question"), ("statistic", "column", "where", "n_public", "centred", *PERSONS)),
    Section(
        N_("Bounds"),
        (
            Line(((N_("clipped to"), "low", 7), (N_("to"), "high", 7))),
            "attested",
            "moving",
            "centre",
            Says("keeps", "muted"),
        ),
    ),
    Section(N_("Mechanism"), ("mechanism",)),
    Section(N_("Privacy"), ("mechanism.epsilon", "mechanism.delta")),
    Section(
        N_("Choose the bound privately"),
        (
            "choose",
            "choose_epsilon",
            "q",
            "grid",
            "grid_low",
            "grid_high",
            "points",
            Says("private", "muted"),
        ),
    ),
    Section(N_("Drawing"), ("sampling", "show_truth", "trials", "seed")),
)

DIMENSION: Design = (
    Section(N_("Answer"), ("k", "growth", Says("sensitivity", "muted"))),
    Section(N_("Privacy"), ("epsilon", "delta", Says("promise", "muted"))),
    Section(N_("Mechanisms"), ("drawn",)),
    Section(N_("Drawing"), ("measure", "confidence")),
)

SELECTION: Design = (
    Section(N_("Question"), ("query", *PERSONS)),
    Section(
        N_("Mechanism"),
        ("mechanism", "monotone", Says("monotone", "muted"), Says("variant", "muted")),
    ),
    Section(N_("Privacy"), ("mechanism.epsilon", Says("odds"))),
    Section(N_("Table"), ("at", "confidence")),
    Section(N_("Drawing"), ("show_truth", "trials", "seed")),
)

SENSITIVITY: Design = (
    Section(N_("Question"), ("query", "measured", *PERSONS)),
    Section(N_("Privacy"), ("epsilon", "delta")),
    Section(N_("Neighbours"), (Says("other", "muted"), Says("norms", "muted"), "show_truth")),
)

PRINTED: Design = (
    Section(N_("Text"), ("erratum", "view", Says("source", "muted"))),
    Section(N_("Proof"), (Says("proof_1"), Says("proof_2"), Says("proof_3"), Says("proof_4"))),
    Section(N_("Audit"), (Says("verdict"),)),
    Section(N_("Drawing"), ("trials", "seed"), drawn=True),
)

COMPOSITION: Design = (
    Section(
        N_("Answers"),
        ("given", "mechanism", "mechanism.epsilon", "mechanism.delta", "answers", "releases"),
    ),
    Section(
        N_("Composition"),
        ("delta_prime", "bounds", Says("crossings", "muted"), Says("numeric", "muted")),
    ),
    Section(
        N_("Budget"),
        ("budget", Says("mitigations"), Says("keeps", sets="releases", value="releases")),
    ),
    Section(N_("Groups"), ("people", Says("group", "muted"), Says("parallel", "muted"))),
    Section(N_("Drawing"), ("scale", "view_k", "seed", Says("attack", "muted"))),
)

GUARANTEE: Design = (
    Section(N_("Question"), ("query", *PERSONS)),
    Section(N_("Mechanism"), ("mechanism",)),
    Section(N_("Privacy"), ("mechanism.epsilon", "mechanism.delta", Says("advantage"))),
    Section(N_("Who"), ("neighbour", "row", Says("neighbour", "muted"))),
    Section(N_("Attacker"), ("prior", "threshold", Says("belief", "muted"))),
    Section(N_("Test"), ("false_positives", Says("test", "muted"))),
    Section(N_("One of many"), ("people", Says("people", "muted"))),
    Section(N_("Drawing"), ("show_truth",)),
)

STORY: Design = (
    Section(N_("Story"), ("story",)),
    Section(
        N_("What it means"),
        (
            Says("bound", "muted"),
            Says("weighted"),
            Says("worse"),
            Says("apart", "muted"),
            Says("each", "good"),
            Says("delta", "muted"),
        ),
    ),
    Section(N_("Drawing"), ("show_truth", "trials", "seed")),
)

AUDIT: Design = (
    Section(N_("Audited"), ("subject", Says("what", "muted"))),
    Section(N_("Test"), ("events", "split", "confidence", Says("method", "muted"))),
    Section(N_("Drawing"), ("trials", Says("ceiling", "muted"), "seed")),
)

LEAK: Design = (
    Section(
        N_("Answers"),
        (Line(((N_("x"), "answer", 7), (N_("x′"), "other", 7))), Says("reverse", "muted")),
    ),
    Section(N_("Noise"), ("sampler", "epsilon", Says("safe"))),
    Section(N_("Proof"), ("attack", Says("why", "muted"), Says("stands_in"))),
    Section(N_("Drawing"), ("trials", "seed")),
)

LOCAL: Design = (
    Section(N_("Question"), ("query", Says("asked", "muted"))),
    Section(N_("Protocol"), ("protocol", Says("border", "muted"), Says("marginals", "muted"))),
    Section(
        N_("Privacy"),
        ("protocol.epsilon", Says("spent"), Says("odds"), Says("neighbours", "muted")),
    ),
    Section(N_("Error"), ("judged", "confidence", "relative", Says("seldom"))),
    Section(N_("Estimates"), ("post", Says("post", "muted"), "part")),
    Section(N_("Drawing"), ("show_truth", "trials", "seed")),
)

SURVEY: Design = (
    Section(
        N_("Answers"), ("observed", "observed.yes", "n", Says("why"), Says("expected", "muted"))
    ),
    Section(N_("Coins"), ("coins", Says("variant", "muted"), Says("better", "muted"))),
    Section(N_("Privacy"), (Says("channel"), Says("belief", "muted"))),
    Section(
        N_("Target"),
        (
            Line(((N_("within ±"), "aim", 4), (N_("at"), "confidence", 4))),
            Says("parts", "muted"),
            Says("few"),
            Says("outside"),
            Says("coverage", "muted"),
        ),
    ),
    Section(N_("Asking again"), ("asked", Says("again"), Says("kept", "muted"))),
    Section(N_("Drawing"), ("share", "seed", Says("deny", "muted"))),
)

LOCAL_MEAN: Design = (
    Section(
        N_("Question"),
        (
            "query.column",
            Line(((N_("clipped to"), "query.low", 7), (N_("to"), "query.high", 7))),
            "query.attested",
            "query.where",
            Says("asked", "muted"),
            Says("clipped", "muted"),
        ),
    ),
    Section(N_("Protocol"), ("protocol", Says("turn", "muted"))),
    Section(
        N_("Privacy"),
        (
            "protocol.epsilon",
            Says("odds"),
            Says("neighbours", "muted"),
            Says("crossing_0", "muted"),
            Says("crossing_1", "muted"),
        ),
    ),
    Section(N_("One person’s report"), ("value",)),
    Section(
        N_("Several numbers"),
        (
            "dims",
            "more",
            "ranges",
            Says("several_local_laplace", "muted"),
            Says("several_duchi", "muted"),
        ),
    ),
    Section(
        N_("Error"), ("case", Says("hidden", "muted"), "measure", "confidence", Says("seldom"))
    ),
    Section(N_("Drawing"), ("show_truth", "trials", "seed")),
)

DESIGNS: Mapping[str, Design] = {
    "explore": EXPLORE,
    "compare": COMPARE,
    "composition": COMPOSITION,
    "guarantee": GUARANTEE,
    "dimension": DIMENSION,
    "clipping": CLIPPING,
    "selection": SELECTION,
    "sensitivity": SENSITIVITY,
    "audit": AUDIT,
    "leak": LEAK,
    "survey": SURVEY,
    "local_counts": LOCAL,
    "local_mean": LOCAL_MEAN,
    "story": STORY,
    "errata": PRINTED,
}

# The neighbours stand in the top bar, for all labs.
ELSEWHERE = ("adjacency",)
_DRAWING = ("confidence", "show_truth", "trials", "dots", "seed")


def paths(design: Design) -> list[str]:
    """Every parameter that a design has an editor for."""
    out: list[str] = []
    for section in design:
        for row in section.rows:
            out += (
                [row]
                if isinstance(row, str)
                else [path for _, path, _ in row.parts]
                if isinstance(row, Line)
                else []
            )
    return out


def design_for(kind: type[Lab]) -> Design:
    """The design of a lab. What a design forgot comes last, so that every parameter can be
    reached."""
    made = tuple(_possible(kind, section) for section in DESIGNS.get(kind.key) or generated(kind))
    covered = {path.split(".")[0] for path in paths(made)}
    left = tuple(name for name in domains(kind) if name not in covered and name not in ELSEWHERE)
    return (*made, Section(N_("More"), left)) if left else made


def _possible(kind: type[Lab], section: Section) -> Section:
    """The section without the editors of parameters that the lab does not have."""
    rows: list[Row] = []
    for row in section.rows:
        if isinstance(row, Line):
            parts = tuple(part for part in row.parts if has(kind, part[1]))
            rows += [Line(parts)] if parts else []
        elif isinstance(row, Says | Hands) or has(kind, row):
            rows.append(row)
    return Section(section.title, tuple(rows), section.drawn)


def has(kind: type[Lab], path: str) -> bool:
    """Whether a lab has this parameter, or a member of the family of Kinds that it has there."""
    name, _, rest = path.partition(".")
    domain = domains(kind).get(name)
    if not rest:
        return domain is not None
    return isinstance(domain, OneOf) and any(rest in domains(member) for member in domain.family())


def generated(kind: type[Lab]) -> Design:
    """A card for each Kind among the parameters, one for the others, one for what only changes the
    drawing."""
    known = {name: domain for name, domain in domains(kind).items() if name not in ELSEWHERE}
    cards: list[Section] = []
    for name, domain in known.items():
        if isinstance(domain, OneOf):
            cards.append(Section(domain.label, (name,)))
            if budgeted(domain):
                cards.append(
                    Section(N_("Privacy"), tuple(f"{name}.{part}" for part in ("epsilon", "delta")))
                )
    plain = tuple(
        name
        for name, domain in known.items()
        if not isinstance(domain, OneOf) and name not in _DRAWING
    )
    drawing = tuple(name for name in _DRAWING if name in known)
    if plain:
        cards.append(Section(N_("Settings"), plain))
    if drawing:
        cards.append(Section(N_("Drawing"), drawing))
    return tuple(cards)


def budgeted(domain: OneOf) -> bool:
    """Whether the family is one of mechanisms that are picked by the shape of their noise and have
    a budget."""
    family: list[type[Kind]] = list(domain.family())
    return bool(family) and all(
        hasattr(kind, "sketch") and "epsilon" in domains(kind) for kind in family
    )


def reporting(domain: OneOf) -> bool:
    """Whether the family is one of local protocols, which are picked by their short names."""
    return bool(list(domain.family())) and all(hasattr(kind, "bits") for kind in domain.family())


def asking(domain: OneOf) -> bool:
    """Whether the family is one of queries, which are read as a sentence."""
    return bool(list(domain.family())) and all("where" in domains(kind) for kind in domain.family())
