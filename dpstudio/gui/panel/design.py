"""Designs of side panels, written by hand beside each lab: cards with a title and rows."""

from dataclasses import replace

from dpstudio.labs import Lab
from dpstudio.labs.panel import Design, Line, Row, Section
from dpstudio.values.messages import N_
from dpstudio.values.parameters import Domain, OneOf, domains, roles


def panel_of(kind: type[Lab]) -> Design:
    """The panel that a lab declares beside its parameters."""
    design: Design = kind.beside("panel").PANEL
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
    made = tuple(_possible(kind, section) for section in panel_of(kind))
    covered = {path.split(".")[0] for path in paths(made)}
    covered |= {name for name, role in roles(kind).items() if role.beside in covered}
    left = tuple(
        name
        for name in domains(kind)
        if name not in covered and domains(kind)[name].editor != "elsewhere"
    )
    return (*made, Section(N_("More"), left)) if left else made


def _possible(kind: type[Lab], section: Section) -> Section:
    """The section without the editors of parameters that the lab does not have."""
    rows: list[Row] = []
    for row in section.rows:
        if isinstance(row, Line):
            parts = tuple(part for part in row.parts if has(kind, part[1]))
            rows += [Line(parts)] if parts else []
        elif not isinstance(row, str) or has(kind, row):
            rows.append(row)
    return replace(section, rows=tuple(rows))


def has(kind: type[Lab], path: str) -> bool:
    """Whether a lab has this parameter, or a member of the family of `Parameters` that it has
    there."""
    name, _, rest = path.partition(".")
    domain = domains(kind).get(name)
    if not rest:
        return domain is not None
    return isinstance(domain, OneOf) and any(rest in domains(member) for member in domain.family())


def editor_of(domain: Domain) -> str:
    """The editor that a parameter asks for by name; that of its family, where it is a
    `Parameters`."""
    if not isinstance(domain, OneOf):
        return domain.editor
    asked = {kind.editor for kind in domain.family()}
    return asked.pop() if len(asked) == 1 else ""
