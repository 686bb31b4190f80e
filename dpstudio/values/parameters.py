"""`Parameters`: frozen dataclasses whose fields are their parameters, each field with a domain that
refuses bad values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from typing import Any, ClassVar, Self, TypedDict, TypeVar, Unpack, dataclass_transform

from dpstudio.values.domains import (
    Choice,
    Column,
    Domain,
    Flag,
    Integer,
    Maybe,
    ParamError,
    Real,
    Share,
    Solved,
)
from dpstudio.values.lists import Edges, Lockable, Ranges, Several, Words
from dpstudio.values.messages import N_, Message, listed, say

__all__ = [
    "Choice",
    "Column",
    "Domain",
    "Edges",
    "Flag",
    "Integer",
    "Lockable",
    "Maybe",
    "OneOf",
    "ParamError",
    "Parameters",
    "Ranges",
    "Real",
    "Role",
    "Several",
    "Share",
    "Solved",
    "Words",
    "domains",
    "find",
    "forgotten",
    "from_json",
    "get",
    "param",
    "put",
    "roles",
    "settings",
    "switch",
    "to_json",
]


@dataclass(frozen=True)
class OneOf(Domain):
    """A `Parameters` of a family: itself a value with parameters. `family` is called late, so that
    catalogues may be listed after.

    Members that stand `apart` share nothing: parameters of the same name mean something else in
    each. Where the place is that of one of `several` in turn, what was set for others is forgotten.
    """

    family: Callable[[], Sequence[type[Parameters]]] = lambda: ()
    apart: bool = False
    several: bool = False

    def check(self, value: Any) -> Parameters:
        if isinstance(value, str):
            return self.parse(value)
        if isinstance(value, Mapping):
            return from_json(self.family(), value)
        if not isinstance(value, Parameters) or not any(
            type(value) is kind for kind in self.family()
        ):
            keys = listed(k.key for k in self.family())
            text = N_("“{value}” is not one of: {options}.")
            raise ParamError("", say(text, value=value, options=keys))
        return value

    def parse(self, text: str) -> Parameters:
        return find(self.family(), text)()

    def show(self, value: Any) -> str:
        return str(value.key)

    def to_json(self, value: Any) -> Any:
        return to_json(value)

    def describe(self) -> Message:
        return say("one of: {options}", options=listed(k.key for k in self.family()))

    def invalid_examples(self) -> Iterable[Any]:
        yield from ("no such kind", 7, None)


@dataclass(frozen=True)
class Role:
    """What else is to be known of a parameter, besides what it may hold.

    `active_when` = (other, value, …): it has a part only where the parameter or property `other` of
    the same `Parameters`, if there is one, has one of these values. `of`: it belongs to the column,
    or columns, that these parameters name, is forgotten when one of them changes, and is not
    carried to another `Parameters`. `own`: each lab has its own, though others have one of the same
    name. `look`: it only changes how the findings are looked at, and is not told beside an exported
    chart. `in_caption`: it is told there even where it is as it starts, as every `Parameters` and
    every budget is. Of these, `own` and `in_caption` are asked of a lab alone, not within what it
    holds. `holds` = (other, types): it has a part only where the column that `other` names is of
    one of these types. `leads`: when it is presented, a lab is turned by it rather than by its ε.

    What a form is told: `caption` names it within the sentence of its `Parameters`, where its label
    would not read well; it stands in the row of the parameter `beside`, an upper end beside its
    lower one; of a list of choices, it says which are drawn beside the chosen one.
    """

    active_when: tuple[Any, ...] = ()
    of: tuple[str, ...] = ()
    own: bool = False
    look: bool = False
    holds: tuple[str, tuple[str, ...]] | None = None
    caption: str = ""
    beside: str = ""
    in_caption: bool = False
    leads: bool = False

    def idle(self, kind: Parameters) -> bool:
        """Whether the `Parameters` that has the parameter makes no use of it, as it is set."""
        return (
            bool(self.active_when)
            and getattr(kind, *self.active_when[:2]) not in self.active_when[1:]
        )


class RoleFields(TypedDict, total=False):
    """The fields of a `Role`, as whoever declares a parameter gives them."""

    active_when: tuple[Any, ...]
    of: tuple[str, ...]
    own: bool
    look: bool
    holds: tuple[str, tuple[str, ...]] | None
    caption: str
    beside: str
    in_caption: bool
    leads: bool


def param(default: Any, domain: Domain, **role: Unpack[RoleFields]) -> Any:
    """A dataclass field that belongs to `domain`, with its `Role`."""
    return field(default=default, metadata={"domain": domain, "role": Role(**role)})


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
@dataclass(frozen=True)
class Parameters:
    """Base of every frozen, checked value: a class derived from it is made a frozen dataclass, and
    needs no decorator. `key` is its name in text and JSON; `label` is a message id. `editor` names
    how a member of its family is picked, where that is not by its label alone: in a list beside the
    "strokes" of its noise or its curves, or as a "sentence" that asks."""

    key: ClassVar[str] = ""
    label: ClassVar[str] = ""
    source: ClassVar[str] = ""
    editor: ClassVar[str] = ""
    solved: ClassVar[Mapping[str, Solved]] = {}

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        dataclass(frozen=True)(cls)

    def __post_init__(self) -> None:
        self._take({name: getattr(self, name) for name in domains(type(self))})

    def _take(self, values: Mapping[str, Any]) -> None:
        """Check values, each by its domain, and then how all agree."""
        known = domains(type(self))
        for name, value in values.items():
            try:
                self.__dict__[name] = known[name].check(value)
            except ParamError as error:
                raise error.within(name) from None
        self.agree()

    def agree(self) -> None:
        """Check fields against each other; raise ParamError at the field that is to change."""

    def with_(self, **changes: Any) -> Self:
        """This value with other parameters. Raises ParamError, as making one anew does."""
        kept = {each.name: self.__dict__[each.name] for each in fields(self)}
        if not changes.keys() <= kept.keys():
            return replace(self, **changes)  # which says of what there is none
        made = object.__new__(type(self))
        made.__dict__.update(kept)  # these were checked: a step of a slider changes one
        made._take(changes)
        return made

    @classmethod
    def invalid_examples(cls) -> Iterable[tuple[str, Any]]:
        """(field, value) pairs that must be refused by name."""
        for name, domain in domains(cls).items():
            for value in domain.invalid_examples():
                yield name, value


K = TypeVar("K", bound=Parameters)


# Asked for with every step of every slider; a class is read once.
_DOMAINS: dict[type[Parameters], Mapping[str, Domain]] = {}
_ROLES: dict[type[Parameters], Mapping[str, Role]] = {}


def domains(kind: type[Parameters]) -> Mapping[str, Domain]:
    """The domain of each parameter, in order."""
    found = _DOMAINS.get(kind)
    if found is None:
        found = _DOMAINS[kind] = {
            f.name: f.metadata["domain"] for f in fields(kind) if "domain" in f.metadata
        }
    return found


def settings(kind: type[Parameters]) -> Mapping[str, Domain]:
    """The domain of each parameter, and after them of each setting that others are solved from."""
    solved = {name: solved.domain for name, solved in kind.solved.items()}
    return {**domains(kind), **solved} if solved else domains(kind)


def roles(kind: type[Parameters]) -> Mapping[str, Role]:
    """The role of each parameter, in order."""
    found = _ROLES.get(kind)
    if found is None:
        found = _ROLES[kind] = {
            f.name: f.metadata["role"] for f in fields(kind) if "domain" in f.metadata
        }
    return found


def forgotten(holder: Parameters, name: str) -> dict[str, Any]:
    """What belongs to the column that the parameter `name` names, as it starts."""
    kind, start = type(holder), type(holder)()
    return {other: getattr(start, other) for other, role in roles(kind).items() if name in role.of}


def find(family: Sequence[type[K]], key: str) -> type[K]:
    """The `Parameters` of that name; raises ParamError naming those there are."""
    for kind in family:
        if kind.key == key.strip():
            return kind
    raise ParamError(
        "",
        say(
            "“{value}” is not one of: {options}.", value=key, options=listed(k.key for k in family)
        ),
    )


def to_json(kind: Parameters) -> dict[str, Any]:
    """{"kind": key, parameter: value …}, nested `Parameters` likewise."""
    values = {
        name: domain.to_json(getattr(kind, name)) for name, domain in domains(type(kind)).items()
    }
    return {"kind": kind.key, **values}


def from_json(family: Sequence[type[K]], data: Any) -> K:
    """Inverse of `to_json`; unknown names and bad values raise ParamError with the dotted field."""
    if not isinstance(data, Mapping) or not isinstance(data.get("kind"), str):
        raise ParamError("", say("An object with a “kind” was expected here."))
    kind = find(family, data["kind"])
    known = domains(kind)
    for name in data:
        if name != "kind" and name not in known:
            raise ParamError(
                str(name),
                say(
                    "{kind} has no such parameter; it has: {names}.",
                    kind=kind.key,
                    names=listed(known),
                ),
            )
    values: dict[str, Any] = {}
    for name, value in data.items():
        if name != "kind":
            try:
                values[name] = known[name].check(value)
            except ParamError as error:
                raise error.within(name) from None
    return kind(**values)


def switch(kind: type[K], *models: Parameters | Mapping[str, Any]) -> K:
    """A value of `kind` that keeps every parameter of the same name and meaning from the models,
    first model first."""
    values: dict[str, Any] = {}
    for name, domain in domains(kind).items():
        for model in models:
            held = (
                model.get(name, MISSING)
                if isinstance(model, Mapping)
                else getattr(model, name, MISSING)
            )
            if held is MISSING:
                continue
            try:
                values[name] = domain.check(held)
                break
            except ParamError:
                continue
    try:
        return kind(**values)
    except ParamError:
        return kind()


def get(kind: Parameters, path: str) -> Any:
    """The parameter at a dotted path such as “mechanism.epsilon”. Raises AttributeError where there
    is none."""
    value: Any = kind
    for name in path.split("."):
        value = getattr(value, name)
    return value


def put(kind: K, path: str, value: Any) -> K:
    """`kind` with the parameter at the dotted `path` set; text is parsed. Another column forgets
    what belonged to the one before. Raises ParamError, which carries the whole path."""
    name, _, rest = path.partition(".")
    known = domains(type(kind))
    if name in kind.solved and not rest:
        return _solved(kind, name, value)
    if name not in known:
        raise ParamError(
            path,
            say(
                "{kind} has no such parameter; it has: {names}.",
                kind=kind.key,
                names=listed(settings(type(kind))),
            ),
        )
    held, domain = getattr(kind, name), known[name]
    try:
        if rest and isinstance(held, Parameters):
            value = put(held, rest, value)
        elif rest:
            raise ParamError(rest, say("“{name}” has no parts.", name=name))
        elif isinstance(domain, OneOf) and isinstance(value, str):
            # Choosing another kind keeps what the two have in common: ε, δ and the condition
            # survive.
            other = find(domain.family(), value)
            value = switch(other, *(() if domain.apart and type(held) is not other else (held,)))
        elif isinstance(value, str):
            value = domain.parse(value)
    except ParamError as error:
        raise error.within(name) from None
    return replace(kind, **(forgotten(kind, name) if value != held else {}), **{name: value})


def _solved(kind: K, name: str, value: Any) -> K:
    """`kind` with the parameters that one of its solved settings takes."""
    solved = kind.solved[name]
    try:
        typed = solved.domain.parse(value) if isinstance(value, str) else solved.domain.check(value)
        return replace(kind, **solved.solve(kind, typed))
    except ParamError as error:
        text = say("That takes another {other}: {why}", other=error.field, why=error.sentence)
        raise ParamError(name, text if error.field else error.sentence) from None
