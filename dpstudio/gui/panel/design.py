"""Designs of side panels, written by hand: cards with a title and rows. A lab without one gets one
made from its fields."""

from __future__ import annotations

from dpstudio.labs import Lab
from dpstudio.labs.panel import Design, Hands, Line, Row, Says, Section
from dpstudio.values.messages import N_
from dpstudio.values.params import Kind, OneOf, domains

# The neighbours stand in the top bar, for all labs.
ELSEWHERE = ("adjacency",)
_DRAWING = ("confidence", "show_truth", "trials", "dots", "seed")


def panel_of(kind: type[Lab]) -> Design | None:
    """The panel that a lab declares beside its parameters; None where there is none."""
    try:
        design: Design = kind.beside("panel").PANEL
    except ModuleNotFoundError:
        return None
    return design


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
    made = tuple(_possible(kind, section) for section in panel_of(kind) or generated(kind))
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
