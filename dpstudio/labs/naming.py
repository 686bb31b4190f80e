"""Labs by name. What labs and parameters were called, and labs that became several, are read too:
old sessions, talks and command lines still open."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dpstudio.labs import LABS, QUESTIONS, About, Lab
from dpstudio.values.messages import listed, say
from dpstudio.values.parameters import ParamError, from_json, get

# What a lab was called, and what a parameter was called, in any lab or kind that has it.
LAB_NAMES = {
    "local": "local_counts",
    "errata": "printed",
    "leak": "float_leak",
    "local_mean": "local_means",
    "story": "stories",
}
# A kind that has a parameter of such a name today keeps it.
PARAMETER_NAMES = {"slack": "delta_prime", "after": "post_processing", "beside": "compare_with"}
STILL = {"newspaper": frozenset({"after"}), "plan": frozenset({"after"})}


@dataclass(frozen=True)
class Successor:
    """A lab of today that does what an old one did where its parameter `by` was one of `options`
    (of a family by its key, of yes and no as the JSON has them: "true", "false"), or a step of a
    talk looked at one of its `charts`; in any case, where neither is named.

    `paths`: dotted parameters of the old lab, and where they are today, "" where they are gone;
    what is below a path goes with it. `sets`: what it takes besides, where nothing of that name
    is held, so that what was looked at is still there. Of two that fit the first one counts.
    """

    lab: str
    by: str = ""
    options: tuple[str, ...] = ()
    charts: tuple[str, ...] = ()
    paths: Mapping[str, str] = field(default_factory=dict)
    sets: Mapping[str, str] = field(default_factory=dict)

    def fits(self, held: Mapping[str, Any], charts: tuple[str, ...]) -> bool:
        """Whether an old lab of these parameters, looked at so, is this one today."""
        if not (self.by or self.charts):
            return True
        value: Any = held
        for name in [self.by] if self.by in held else self.by.split("."):
            value = value.get(name) if isinstance(value, Mapping) else None
        value = value.get("kind") if isinstance(value, Mapping) else value
        chosen = str(value).strip().casefold() in self.options
        return chosen or any(chart in self.charts for chart in charts)


def _gone(*names: str) -> dict[str, str]:
    return dict.fromkeys(names, "")


# Of Anonymity when it held all labs of rows: what only its classes have.
_OF_CLASSES = (
    *("identifiers", "promise", "algorithm", "again", "again_quasi", "again_by", "trees"),
    *("weights", "drawn", "failure"),
)
_QUESTION = {"query": "", "adjacency": "", "trials": ""}  # of attacks that ask none
# What a lab became that is several today, or gave up a part of what it did; where nothing fits, the
# first one. A lab that stays one of them stands among them.
SUCCESSORS: dict[str, tuple[Successor, ...]] = {
    "anonymity": (
        Successor(
            "rules",
            "operation",
            ("hide_rule",),
            paths={f"operation.{name}": name for name in ("support", "sure", "rank")}
            | _gone("operation", "quasi", "among", "sampled", *_OF_CLASSES),
        ),
        Successor(
            "masking",
            "operation",
            (
                *("swap", "permute", "pram", "anatomy", "top_code", "micro_aggregate", "resample"),
                *("suppress", "perturb"),
            ),
            paths=_gone("known", "sampled", *_OF_CLASSES),
        ),
        Successor(
            "risk",
            charts=("known", "suda", "population"),
            paths=_gone("operation", "sensitive", *_OF_CLASSES),
        ),
        *(
            Successor(
                "anonymity", charts=c, paths=_gone("operation", "sampled"), sets={"look": look}
            )
            for look, c in (
                ("cost", ("loss_k", "loss_l", "loss_t", "counts")),
                ("bridge", ("bridge",)),
            )
        ),
        Successor("anonymity", paths=_gone("operation", "sampled")),
    ),
    "attack": (
        Successor("differencing", "attacker", ("differencing", "tracker", "console")),
        Successor(
            "reconstruction",
            "attacker",
            ("reconstruction", "census"),
            paths={**_QUESTION, "show_truth": ""},
        ),
        Successor("membership", "attacker", ("membership", "shadows")),
        Successor(
            "linkage",
            "attacker",
            ("linkage", "joining", "frequency"),
            paths={**_QUESTION, "mechanism": ""},
        ),
        Successor(
            "inversion",
            "attacker",
            ("inversion",),
            paths={
                "attacker.digit": "digit",
                "attacker.passes": "passes",
                **dict.fromkeys(("attacker", "mechanism", "confidence", "seed", "show_truth"), ""),
                **_QUESTION,
            },
        ),
    ),
    "composition": (
        Successor(
            "averaging",
            charts=("attack", "right"),
            paths=dict.fromkeys(("people", "bounds", "budget", "at_epsilon", "order", "scale"), ""),
        ),
        Successor("composition", paths={"seed": ""}),
    ),
    "local_learning": (
        Successor(
            "local_learning", paths=_gone("careful", "careful_share", "careful_epsilon", "combine")
        ),
    ),
    "compress": (
        Successor("compress", charts=("sign", "law", "printed"), sets={"view": "printed"}),
        Successor("compress"),
    ),
    "synthesis": (
        Successor(
            "synthesis",
            charts=("classes", "sizes", "regression", "groups", "attacks", "phantoms"),
            sets={"view": "uses"},
        ),
        Successor("synthesis"),
    ),
}


def by_question() -> dict[str, list[About]]:
    """The labs of each question that any answers, in the order of both catalogues."""
    groups = {name: [lab for lab in LABS if lab.question == name] for name in QUESTIONS}
    return {name: labs for name, labs in groups.items() if labs}


def about_lab(key: str) -> About:
    """What the catalogue says of a lab. Raises StopIteration where there is none."""
    return next(lab for lab in LABS if lab.key == key)


def successor(
    key: str, held: Mapping[str, Any] | None = None, charts: tuple[str, ...] = ()
) -> Successor:
    """What a lab is today, by any name that it has had: with the parameters that it `held`, nested
    or by dotted path, and the charts that a step looked at."""
    today = LAB_NAMES.get(key, key)
    all_of = SUCCESSORS.get(today, (Successor(today),))
    return next((each for each in all_of if each.fits(held or {}, charts)), all_of[0])


def successor_of(data: Any, charts: tuple[str, ...] = ()) -> Successor:
    """As `successor`, of the JSON of a lab; of what is none, one without a name."""
    named = isinstance(data, Mapping) and isinstance(data.get("kind"), str)
    return successor(data["kind"], parameters_today(data), charts) if named else Successor("")


def successor_of_words(words: Sequence[str]) -> Successor:
    """As `successor`, of the words of a call: a lab's name, and name=value each."""
    given = (word.partition("=") for word in words[1:])
    return successor(words[0].strip(), {name.strip(): value for name, _, value in given})


def lab_today(key: str) -> str:
    """The name of a lab today, by any name that it has had."""
    return successor(key).lab


def names_of_old(key: str) -> tuple[str, ...]:
    """What a lab, or one that it is a part of, was called."""
    held = {old for old, all_of in SUCCESSORS.items() if any(key == one.lab for one in all_of)}
    return tuple(sorted({old for old, new in LAB_NAMES.items() if new in {key, *held}} | held))


def path_today(path: str, lab: Lab, was: Successor | None = None) -> str:
    """The dotted path of a parameter of a lab today; "" of one that is gone."""
    for old, new in was.paths.items() if was is not None else ():
        if path == old or path.startswith(f"{old}."):
            path = new and new + path[len(old) :]
            break
    names, kind = list[str](), lab
    for name in path.split("."):
        held = getattr(kind, "__dataclass_fields__", ())  # methods may have an old name
        names.append(name if name in held else PARAMETER_NAMES.get(name, name))
        kind = getattr(kind, names[-1], lab)
    return ".".join(names)


def name_today(name: str, lab: Lab, was: Successor) -> str:
    """As `path_today`, of what may be the name of something else: that stays as it is."""
    path = path_today(name, lab, was)
    try:
        get(lab, path)
    except AttributeError:
        return name
    return path


def parameters_today(data: Any) -> Any:
    """The JSON of a kind with the names of today, at every depth."""
    if not isinstance(data, Mapping):
        return data
    still = STILL.get(str(data.get("kind")), frozenset())
    return {
        k if k in still else PARAMETER_NAMES.get(k, k): parameters_today(v) for k, v in data.items()
    }


def _moved(data: dict[str, Any], paths: Mapping[str, str]) -> dict[str, Any]:
    """The JSON of a lab with all that has another place today there."""
    for old, new in paths.items():
        *above, last = old.split(".")
        holder: Any = data
        for name in above:
            holder = holder.get(name) if isinstance(holder, dict) else None
        if not isinstance(holder, dict) or last not in holder:
            continue
        value = holder.pop(last)
        *above, last = new.split(".")
        holder = data
        for name in above:
            holder = holder.setdefault(name, {})
        if new:
            holder[last] = value
    return data


def lab_json_today(data: Any, charts: tuple[str, ...] = ()) -> Any:
    """The JSON of a lab with the names of today; `charts` are those that a step looked at."""
    made, was = parameters_today(data), successor_of(data, charts)
    return {**was.sets, **_moved(made, was.paths), "kind": was.lab} if was.lab else made


def lab_kind(key: str) -> type[Lab]:
    """The lab of that name, by any that it has had. Raises ParamError naming those there are."""
    today = lab_today(key.strip())
    for about in LABS:
        if about.key == today:
            return about.kind
    known = listed(about.key for about in LABS)
    raise ParamError("", say("“{value}” is not one of: {options}.", value=key, options=known))


def every_lab() -> list[type[Lab]]:
    """All labs of the catalogue, which imports all of their parameters."""
    return [about.kind for about in LABS]


def lab_from_json(data: Any, charts: tuple[str, ...] = ()) -> Lab:
    """A lab from its JSON, with any names that it has had, by which `charts` of it were looked at.
    Raises ParamError at the field."""
    made = lab_json_today(data, charts)
    named = isinstance(made, Mapping) and isinstance(made.get("kind"), str)
    return from_json([lab_kind(made["kind"])] if named else [], made)
