"""Random states of labs, for contracts over the catalogue and for the soak: any lab, any of its
parameters, from one seed, on any table. A state may have problems; it is never one that its
parameters refuse."""

import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from dpstudio.data.codebook import codebook_words
from dpstudio.data.dataset import Dataset
from dpstudio.files.tables import open_table
from dpstudio.labs.page import Lab
from dpstudio.labs.release_list import Releases
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.values import domains as values_domains
from dpstudio.values.lists import Several
from dpstudio.values.parameters import OneOf, Parameters, domains, get, put

K = TypeVar("K", bound=Parameters)
L = TypeVar("L", bound=Lab)

# Sizes that cost time, and not truth, stay small.
SMALL = {"trials": 2000, "answers": 10_001, "people": 400, "coordinates": 400, "surveys": 40}
CONDITIONS = ("", "age > 40", "age > 40 and sex = Female")


def paths(kind: Parameters, prefix: str = "") -> Iterator[tuple[str, values_domains.Domain]]:
    """Every parameter of a state by its dotted name, with its domain; an outer one before those in
    it."""
    for name, domain in domains(type(kind)).items():
        yield prefix + name, domain
        inner = getattr(kind, name)
        if isinstance(domain, OneOf):
            yield from paths(inner, f"{prefix}{name}.")


def value(
    domain: values_domains.Domain, name: str, now: Any, rng: random.Random, data: Dataset
) -> Any:
    """A value for the parameter of this name that its domain may hold; `now` where none is
    known."""
    last = name.rpartition(".")[2]
    if isinstance(domain, OneOf):
        return rng.choice([kind.key for kind in domain.family()])
    if isinstance(domain, values_domains.Flag):
        return rng.random() < 0.5
    if isinstance(domain, Several):
        words = [word for word in domain.words if word]
        return rng.sample(words, rng.randint(max(1, domain.least), len(words)))
    if isinstance(domain, values_domains.Choice):
        return rng.choice(list(domain.words))
    if isinstance(domain, values_domains.Column):
        fitting = [
            column.name
            for column in data.columns
            if not ((domain.numeric and not column.numeric) or (domain.words and column.numeric))
        ]
        return rng.choice(fitting) if fitting else now
    if isinstance(domain, values_domains.Maybe):
        inner = value(domain.inner, name, now, rng, data)
        return rng.choice([None, inner])
    if isinstance(domain, values_domains.Real | values_domains.Share):
        return _number(domain, last, now, rng)
    if last == "features":
        names = [column.name for column in data.columns]
        return tuple(rng.sample(names, min(len(names), rng.randint(1, 4))))
    if last == "where" and data.has("age") and data.has("sex"):
        return rng.choice(CONDITIONS)
    return now


def _number(domain: values_domains.Real, last: str, now: Any, rng: random.Random) -> Any:
    """A number of the domain, sometimes one of its ends; near what it is where the ends are far."""
    low, high = domain.low, min(domain.high, SMALL.get(last, domain.high))
    if not -1e9 < low <= high < 1e9:
        near = float(now or 1)
        number = near + rng.choice((-1, 1)) * abs(near) * rng.random()
        return (
            round(number) if isinstance(domain, values_domains.Integer) else float(f"{number:.4g}")
        )
    if rng.random() < 0.1:
        return rng.choice((low, high))
    number = (
        low * (high / low) ** rng.random()
        if domain.log and low > 0
        else low + (high - low) * rng.random()
    )
    if isinstance(domain, values_domains.Integer):
        return min(int(high), max(int(low), round(number)))
    return min(high, max(low, float(f"{number:.4g}")))


def random_state(kind: type[K], seed: int, data: Dataset, changes: int = 6) -> K:
    """A state of the lab: about `changes` of its parameters moved, beginning with the outer ones.
    The same seed gives the same state."""
    rng = random.Random(f"{kind.key} {seed}")
    state = kind()
    for name, most in SMALL.items():
        if name in domains(kind) and get(state, name) > most:
            state = put(state, name, most)
    chosen = rng.sample(list(paths(state)), min(changes, len(list(paths(state)))))
    for name, _ in sorted(chosen, key=lambda at: at[0].count(".")):
        state = _moved(state, name, rng, data)
    for name, domain in list(paths(state)):  # a kind that was chosen brings parameters of its own
        if "." in name and not isinstance(domain, OneOf) and rng.random() < 0.3:
            state = _moved(state, name, rng, data)
    return state


def _moved(state: K, name: str, rng: random.Random, data: Dataset) -> K:
    """The state with another value of one parameter; as it is where that is gone or refused."""
    try:
        now = get(state, name)
        domain = dict(paths(state))[name]
        return put(state, name, value(domain, name, now, rng, data))
    except (values_domains.ParamError, KeyError, AttributeError):
        return state


# Wider states: for the soak

EXTREMES: dict[str, tuple[float, ...]] = {
    "epsilon": (0.001, 0.01, 0.1, 0.5, 1, 2, 5, 50),
    "delta": (1e-12, 1e-9, 1e-5, 0.01, 0.5),
    "delta_prime": (0, 1e-300, 1e-12, 1e-6, 0.1),
    "answers": (1, 2, 3, 60, 1000, 10_000, 10_001),
    "at_epsilon": (0.001, 1, 50, 700, 10_000),
    "order": (1.001, 2, 1e3, 1e6),
    "budget": (0.01, 1, 100, 10_000),
    "people": (1, 2, 10, 1_000),
    "k": (1, 2, 7, 1000, 10_000),
    "n": (10, 11, 1000, 1_000_000),
}


@cache
def tables_of_all_kinds() -> tuple[Dataset, ...]:
    """Bundled tables, some with bounds that are attested, some with several rows a person; 1, 2 and
    3 rows of them; and one column of each kind that is hard: constant, missing, far out."""
    adult = open_table("adult")
    rng = np.random.default_rng(5)
    some = pd.DataFrame(
        {
            "who": rng.integers(0, 150, 400),
            "age": rng.integers(17, 91, 400),
            "sex": rng.choice(["Female", "Male"], 400),
            "pay": np.round(rng.lognormal(9, 2, 400), 2),
            "work": rng.choice(["Sales", "Craft", "Armed"], 400),
        }
    )
    hard = pd.DataFrame(
        {
            "age": [40.0, 40.0, 40.0, np.nan, 41.0],
            "sex": ["Female", None, "Male", "Male", "Other"],
            "far": [-1e12, 1e12, 0.0, 1e-12, np.nan],
            "none": [np.nan] * 5,
            "same": ["x"] * 5,
        }
    )
    people = Dataset(some, "people")
    about = ("age: low=17 high=90 attested=yes", "sex: categories=Female|Male attested=yes")
    return (
        adult,
        adult.described(codebook_words(about)),
        open_table("yrbss"),
        open_table("house_votes_84"),
        people,
        people.described(codebook_words((), "who", "1")),
        people.described(codebook_words(about, "who", "3")),
        *(Dataset(some.head(n), f"{n} rows") for n in (1, 2, 3)),
        Dataset(hard, "hard"),
    )


def wide_state(kind: type[L], seed: int, tables: Sequence[Dataset]) -> tuple[L, Dataset]:
    """A state of the lab and the table that it is asked of: one at random, half of its numbers
    pushed to their ends, its conditions and lists made anew; three of four suit the table."""
    rng = random.Random(f"wide {kind.key} {seed}")
    data = tables[seed % len(tables)]
    state = random_state(kind, seed, data, changes=rng.choice((2, 6, 12)))
    if rng.random() < 0.75:
        state = state.suited(data)
    for name, domain in list(paths(state)):
        last = name.rpartition(".")[2]
        if last in EXTREMES and rng.random() < 0.5:
            state = _put(state, name, rng.choice(EXTREMES[last]))
        elif isinstance(domain, Releases):
            state = _put(state, name, _releases(rng))
        elif last == "where" and rng.random() < 0.5:
            state = _put(state, name, _condition(rng, data))
        elif last == "conditions" and rng.random() < 0.7:
            many = (_condition(rng, data) for _ in range(rng.randint(1, 5)))
            state = _put(state, name, " | ".join(filter(None, many)))
    return state, data


def _put(state: K, name: str, value: Any) -> K:
    """The state with this value; as it is where that is refused."""
    try:
        return put(state, name, str(value))
    except (values_domains.ParamError, KeyError, AttributeError):
        return state


def _condition(rng: random.Random, data: Dataset) -> str:
    """A condition on a column of the table, often one that nobody or everybody meets."""
    column = rng.choice(data.columns)
    if column.numeric:
        at = rng.choice(("0", "1", "40", "90", "-1e6", "1e6"))
        return f"`{column.name}` {rng.choice(('>', '<', '=', '>='))} {at}"
    word = rng.choice(("Female", "Male", "y", "nobody"))
    return f'`{column.name}` {rng.choice(("=", "!="))} "{word}"'


def _releases(rng: random.Random) -> str:
    """A list of releases, every third entry a bracket of parts, some locked, and half
    of a sample."""

    lot = random.Random(rng.getstate()[1][0])  # by itself: the lists are those of before

    def one() -> str:
        made = rng.choice(MECHANISMS)
        epsilon = rng.choice(EXTREMES["epsilon"])
        delta = "" if made.pure else f" {rng.choice(EXTREMES['delta'])}"
        drawn = lot.choice(("", "", " sampled 0.01", " sampled 0.5"))
        return f"{rng.choice((1, 1, 3, 60, 1000))} x {made.key} {epsilon}{delta}{drawn}"

    entries = []
    for _ in range(rng.randint(1, 5)):
        parts = [one() for _ in range(rng.randint(2, 4))]
        entry = f"({' + '.join(parts)})" if rng.random() < 0.33 else one()
        entries.append(entry + rng.choice(("", "", " locked")))
    return " | ".join(entries)
