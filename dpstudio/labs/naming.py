"""Labs by name. Names that labs and parameters had are read too: old sessions and old command
lines still open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpstudio.labs import LABS, QUESTIONS, About, Lab
from dpstudio.values.messages import say
from dpstudio.values.parameters import ParamError, from_json

# What a lab was called, and what a parameter was called, in any lab or kind that has it.
LAB_NAMES = {"local": "local_counts", "printed": "errata"}
# A kind that has a parameter of such a name today keeps it.
PARAMETER_NAMES = {"slack": "delta_prime", "after": "post_processing", "beside": "compare_with"}
STILL = {"newspaper": frozenset({"after"})}


def by_question() -> dict[str, list[About]]:
    """The labs of each question that any answers, in the order of both catalogues."""
    groups = {name: [lab for lab in LABS if lab.question == name] for name in QUESTIONS}
    return {name: labs for name, labs in groups.items() if labs}


def about_lab(key: str) -> About:
    """What the catalogue says of a lab. Raises StopIteration where there is none."""
    return next(lab for lab in LABS if lab.key == key)


def lab_today(key: str) -> str:
    """The name of a lab today, by any name that it has had."""
    return LAB_NAMES.get(key, key)


def path_today(path: str, lab: Lab) -> str:
    """The dotted path of a parameter of a lab today."""
    names, kind = list[str](), lab
    for name in path.split("."):
        held = getattr(kind, "__dataclass_fields__", ())  # methods may have an old name
        names.append(name if name in held else PARAMETER_NAMES.get(name, name))
        kind = getattr(kind, names[-1], lab)
    return ".".join(names)


def parameters_today(data: Any) -> Any:
    """The JSON of a kind with the names of today, at every depth."""
    if not isinstance(data, Mapping):
        return data
    still = STILL.get(str(data.get("kind")), frozenset())
    return {
        k if k in still else PARAMETER_NAMES.get(k, k): parameters_today(v) for k, v in data.items()
    }


def lab_json_today(data: Any) -> Any:
    """The JSON of a lab with the names of today."""
    made = parameters_today(data)
    if isinstance(made, dict) and isinstance(made.get("kind"), str):
        made["kind"] = lab_today(made["kind"])
    return made


def lab_kind(key: str) -> type[Lab]:
    """The lab of that name, by any that it has had. Raises ParamError naming those there are."""
    today = lab_today(key.strip())
    for about in LABS:
        if about.key == today:
            return about.kind
    known = ", ".join(about.key for about in LABS)
    raise ParamError("", say("“{value}” is not one of: {options}.", value=key, options=known))


def every_lab() -> list[type[Lab]]:
    """All labs of the catalogue, which imports all of their parameters."""
    return [about.kind for about in LABS]


def lab_from_json(data: Any) -> Lab:
    """A lab from its JSON, with any names that it has had. Raises ParamError at the field."""
    made = lab_json_today(data)
    named = isinstance(made, Mapping) and isinstance(made.get("kind"), str)
    return from_json([lab_kind(made["kind"])] if named else [], made)
