"""The lines of a script that answer a question through a mechanism: the exact answer and how far
one person moves it, the noise, and the law of the error."""

from collections.abc import Mapping
from dataclasses import dataclass

from dpstudio.labs.scripted import Known, NoScript, condition
from dpstudio.privacy.mechanisms import Additive
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.queries.query import ADD_REMOVE, Clipping, Query
from dpstudio.privacy.queries.total import Sum
from dpstudio.values.messages import N_, say

# What is asked so far, in the words of a script.
_NOT_ASKED = N_("No script asks this kind of question yet. Ask for a count, a sum or a histogram.")
_NO_NOISE = N_("No script draws this noise yet. Choose Laplace, Gaussian or geometric noise.")


@dataclass(frozen=True)
class Asked:
    """Lines that give `truth`, an array, with `l1`, `l2` and `linf`; `whole` where it is made of
    integers, and `vector` where it has parts."""

    settings: Mapping[str, object]
    lines: tuple[str, ...]
    whole: bool
    vector: bool = False
    labels: str = ""


def asked(query: Query, adjacency: str, known: Known) -> Asked:
    """The question in the words of a script. Raises NoScript."""
    if isinstance(query, Count):
        found = _count(query, known)
    elif isinstance(query, Sum):
        found = _sum(query, adjacency, known)
    else:
        raise NoScript(say(_NOT_ASKED))
    if known.most == 1:
        return found
    m = known.most
    more = f"l1, l2, linf = {m} * l1, {m} * l2, {m} * linf  # of up to so many rows of a person"
    return Asked(found.settings, (*found.lines, more), found.whole, found.vector, found.labels)


def _count(query: Count, known: Known) -> Asked:
    lines = (
        f"chosen = {condition(query.where, known)}",
        "truth = np.array([float(np.count_nonzero(chosen))])",
        "l1 = l2 = linf = 1.0  # one person enters the count, leaves it, or neither",
    )
    return Asked({}, lines, whole=True)


def clipped(query: Clipping, known: Known) -> tuple[dict[str, object], list[str]]:
    """(settings, lines) that give `low`, `high` and the clipped values `x` of the rows that count:
    bounds that are told, here or of the column, or else proposed from the data."""
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
    told = {name: end for name, end in (("low", low), ("high", high)) if end is not None}
    if len(told) == 1:
        (name, end), keeps_low = next(iter(told.items())), query.low is not None
        lines.append(f"{name} = {end!r}")
        lines.append("if low >= high:")
        lines.append(f"    low, high = {'(low, low + 1)' if keeps_low else '(high - 1, high)'}")
    else:
        settings |= told
    if query.where:
        lines.append(f"values = values[{condition(query.where, known)}]")
    lines.append("x = np.clip(values[~np.isnan(values)], low, high)")
    return settings, lines


def _sum(query: Sum, adjacency: str, known: Known) -> Asked:
    settings, lines = clipped(query, known)
    reach = "max(abs(low), abs(high))"
    if adjacency != ADD_REMOVE:
        reach = "max(high - low, abs(low), abs(high))"
    why = "comes or goes" if adjacency == ADD_REMOVE else "is replaced"
    lines += ["truth = np.array([x.sum()])", f"l1 = l2 = linf = float({reach})  # one person {why}"]
    return Asked(settings, tuple(lines), whole=known.type_of(query.column) == "integer")


@dataclass(frozen=True)
class Noise:
    """Lines that give the `scale` of the noise, its `cdf`, and `typical`, E|X|; `loss` are lines
    that give `mu` of Gaussian noise, or `places` and `chances` of the loss on a lattice `step`."""

    settings: Mapping[str, object]
    lines: tuple[str, ...]
    whole: bool = False
    loss: tuple[str, ...] = ()
    half_width: str = ""


def noise(mechanism: Additive) -> Noise:
    """The noise of a mechanism on an answer of sensitivities l1, l2 and linf. Raises NoScript."""
    settings: dict[str, object] = {"epsilon": mechanism.epsilon}
    if not mechanism.pure:
        settings["delta"] = mechanism.total_delta
    if mechanism.key == "laplace":
        return Noise(settings, (
            "scale = l1 / epsilon  # Lap(b), b = sensitivity in L1 / epsilon",
            "cdf = partial(laplace_cdf, scale=scale)",
            "typical = scale  # E|X| of Laplace noise",
        ), half_width="scale * math.log(1 / (1 - confidence))")  # fmt: skip
    if mechanism.key in ("gaussian", "textbook"):
        of = "gaussian_sigma" if mechanism.key == "gaussian" else "textbook_sigma"
        return Noise(settings, (
            f"sigma = l2 * {of}(epsilon, delta)",
            "cdf = partial(gaussian_cdf, sigma=sigma)",
            "typical = sigma * math.sqrt(2 / math.pi)  # E|X| of N(0, sigma^2)",
        ), half_width="-sigma * special.ndtri((1 - confidence) / 2)")  # fmt: skip
    if mechanism.key == "geometric":
        return Noise(settings, (
            "loss = epsilon / l1  # for each step of 1",
            "cdf = partial(geometric_cdf, loss=loss)",
            "typical = 1 / math.sinh(loss) if loss < 700 else 0.0  # E|X|",
        ), whole=True)  # fmt: skip
    raise NoScript(say(_NO_NOISE))
