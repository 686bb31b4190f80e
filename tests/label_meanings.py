"""What the numbers mean that stand at curves, rules and dots: each is the place of what it names, or
stands in `MEANINGS`, which works it out by another route than the lab does."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from running import LEAST, little
from scipy import integrate, stats

from dpstudio.charts.figure import Band, Dots, Figure, Handle, Layer, Line, Rule
from dpstudio.data.dataset import Dataset
from dpstudio.labs.findings import Findings
from dpstudio.labs.nobody.room import invented
from dpstudio.labs.page import Lab
from dpstudio.labs.promise.float_leak.parameters import FloatLeak
from dpstudio.privacy.attacks.float_samplers import SAMPLERS
from dpstudio.privacy.release.release import DRAWS, Release
from dpstudio.privacy.release.sharing import shared
from dpstudio.values.messages import Message, Num
from dpstudio.values.plurals import forms


@dataclass(frozen=True)
class Seen:
    """A label among all that was found; `numbers` by their fields, in order."""

    lab: Lab
    data: Dataset
    found: Findings
    figure: Figure
    layer: Any
    numbers: tuple[tuple[str, float], ...]

    def layers(self, start: str) -> list[Any]:
        return [layer for layer in self.figure.layers if layer.key.startswith(start)]


Meaning = Callable[[Seen], tuple[float, ...]]


def numbers(message: Any) -> Iterator[tuple[str, float]]:
    """(field, number) of a message and those within it, as far as it says them."""
    if isinstance(message, Message):
        text = forms(message.text).whole
        for name, value in message.values.items():
            if f"{{{name}}}" not in text:
                continue
            if isinstance(value, Num):
                yield name, float(value.value)
            elif isinstance(value, int | float) and not isinstance(value, bool):
                yield name, float(value)
            else:
                yield from numbers(value)


def places(layer: Layer) -> list[float]:
    """What the eye reads off a layer that has one place: a rule, a point, the ends of a line or of a
    band, and half of what lies between them."""
    if isinstance(layer, Rule):
        return [layer.at]
    if isinstance(layer, Handle):
        return [layer.x, layer.y]
    if isinstance(layer, Dots):
        return [layer.x[0], layer.y[0]] if len(layer.x) == 1 else []
    if isinstance(layer, Band):
        return [layer.low, layer.high, (layer.high - layer.low) / 2]
    if isinstance(layer, Line) and len(layer.x):
        x, y = layer.x, layer.y
        return [x[0], x[-1], y[0], y[-1], abs(x[-1] - x[0]) / 2, (x[-1] + x[0]) / 2]
    return []


def same(one: float, other: float) -> bool:
    return one == other or math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)


def there(figure: Figure, layer: Layer, number: float) -> bool:
    """Whether it is a place of the layer; of axes in percent 100 of it. What lies beyond an axis
    stands at its end."""
    ends = (
        [(figure.x.range, layer.x), (figure.y.range, layer.y)] if isinstance(layer, Handle) else []
    )
    beyond = any(place == low > number or place == high < number for (low, high), place in ends)
    return beyond or any(same(unit * number, place) for unit in (1, 100) for place in places(layer))


NAN = math.nan  # a number that stands at its place


def typed(path: str) -> Meaning:
    """What is typed in there."""

    def told(seen: Seen) -> tuple[float, ...]:
        held: Any = seen.lab
        for name in path.split("."):
            held = getattr(held, name)
        return (float(held),)

    return told


def confidence(seen: Seen) -> tuple[float, ...]:
    """The one typed in; with less of it the same band is narrower, and nowhere wider."""
    both = (seen.lab, replace(seen.lab, confidence=0.5))  # type: ignore[call-arg]
    charts = (little(lab, seen.data, LEAST).figure(seen.figure.key) for lab in both)
    layers: Any = [chart.layer(seen.layer.key) for chart in charts]
    if isinstance(seen.layer, Line):  # each interval is a stroke of its own
        apart = [np.diff(np.asarray(line.x))[::3] for line in layers]
    else:
        apart = [np.atleast_1d(band.high - band.low) for band in layers]
    told = seen.lab.confidence  # type: ignore[attr-defined]
    if isinstance(seen.layer, Band):  # of an exact law, where only winners may be few
        assert apart[1] < apart[0] or told == 0.5 or seen.lab.key == "selection"
    else:  # of a few models or runs
        assert apart[1].sum() <= apart[0].sum() + 1e-9
    return (told,)


def bridge(seen: Seen) -> tuple[float, ...]:
    """The share by which each point of the line just keeps δ, over many n (Li, Qardaji & Su)."""
    ((_, share),), n = seen.numbers, np.arange(3000)
    failure = seen.lab.failure  # type: ignore[attr-defined]

    def worst(k: float, epsilon: float) -> float:
        gamma = 1 - (1 - share) * math.exp(-epsilon)
        some = max(int(k), math.ceil(k / gamma - 1)) + n
        return float(stats.binom.sf(np.floor(gamma * some * (1 - 1e-15)), some, share).max())

    for k, epsilon in zip(seen.layer.x, seen.layer.y, strict=True):
        assert worst(k, epsilon) <= failure * (1 + 1e-6)
        assert epsilon <= -math.log1p(-share) * (1 + 1e-9) or worst(k, 0.98 * epsilon) > failure
    return (share,)


def adds(seen: Seen) -> tuple[float, ...]:
    """Both laws are one shape, so far apart: mirrored about their middle they change places."""
    (nothing,) = seen.layers("nothing")
    np.testing.assert_allclose(seen.layer.y[::-1], nothing.y, rtol=1e-6, atol=1e-12)
    return (seen.layer.x[0] + seen.layer.x[-1],)


def best_bound(seen: Seen) -> tuple[float, ...]:
    """The bound that the chart of errors marks, beside the least of its points."""
    errors = seen.found.figure("error")
    (best,), total = errors.layer("best").x, errors.layer("total")
    least = int(np.nanargmin(total.y))
    around = total.x[max(least - 1, 0)], total.x[min(least + 1, len(total.x) - 1)]
    return (best if around[0] <= best <= around[1] else around[0],)


def reach(seen: Seen) -> tuple[float, ...]:
    """Noise is proportional to Δ, about 0 and about the mean alike."""
    other = seen.figure.layer("mean" if seen.layer.key == "zero" else "zero")
    ((_, beside),) = numbers(other.label)
    return (float(np.median(seen.layer.y / other.y)) * beside,)


def bought(seen: Seen) -> tuple[float, ...]:
    """The most that any line reaches with the budget; of thousands a curve has some points."""
    most, told = 0.0, seen.numbers[1][1]
    for line in seen.figure.layers:
        if isinstance(line, Line):
            enough = np.asarray(line.x) <= seen.layer.x * (1 + 1e-9)
            most = max(most, float(np.asarray(line.y)[enough].max(initial=0.0)))
    return NAN, told if abs(told - most) <= 0.02 * told else most


def looser(seen: Seen) -> tuple[float, ...]:
    """So many times the least total of a bound; of one beyond the axis more than that."""
    told = [one for one in seen.layers("end_") if one.key not in ("end_shortcut", "end_gdp_clt")]
    wanted, number = seen.layer.x[-1] / min(one.x[0] for one in told), seen.numbers[0][1]
    beyond = isinstance(seen.layer, Line) and number >= wanted
    return (number if beyond else wanted,)


def one_answer(seen: Seen) -> tuple[float, ...]:
    """A Laplace density falls by e^ε with each unit from its middle."""
    x, y = np.asarray(seen.layer.x)[:2], np.asarray(seen.layer.y)[:2]
    return (float(np.diff(np.log(y))[0] / np.diff(x)[0]),)


def first_part(seen: Seen) -> tuple[float, ...]:
    """The rule stands at its share of both."""
    kept = seen.lab.erratum  # type: ignore[attr-defined]
    return (seen.layer.at * (kept.first + kept.second),)


def target(seen: Seen) -> tuple[float, ...]:
    """A share of the exact answer; where that is hidden, of what can be seen of it."""
    if seen.found.truth is None:
        return (seen.lab.target / 100,)  # type: ignore[attr-defined]
    return (seen.layer.at / abs(float(seen.found.truth[seen.found.part])),)


def full_dots(seen: Seen) -> tuple[float, ...]:
    """As many dots as are full, to the nearest."""
    full, told = len(seen.figure.layer(seen.layer.key.removesuffix("_head")).x), seen.numbers[0][1]
    return (told if abs(full - told) <= 0.5 else full,)


def never(seen: Seen) -> tuple[float, ...]:
    """No output of that answer by this sampler ends in a bit below."""
    lab: FloatLeak = seen.lab  # type: ignore[assignment]
    drawn = SAMPLERS[lab.sampler].draw(np.random.default_rng(1), lab.other, lab.epsilon, 5_000)
    told, ends = lab.other, [y.as_integer_ratio()[1].bit_length() - 1 for y in drawn.tolist()]
    assert max(ends) <= -seen.layer.high
    return (told,)


def which_answer(seen: Seen) -> tuple[float, ...]:
    held = {"bits_0": seen.lab.answer, "bits_1": seen.lab.other}  # type: ignore[attr-defined]
    return (held[seen.layer.key],)


def times(seen: Seen) -> tuple[float, ...]:
    """The ratio of the ends, to three digits and no more."""
    ratio = seen.layer.x[1] / seen.layer.x[0]
    step = 10 ** (math.floor(math.log10(ratio)) - 2)
    return (math.floor(ratio / step + 1e-9) * step,)


def everybody(seen: Seen) -> tuple[float, ...]:
    """As many as the chart of people marks; in percent all of them are 100."""
    many = seen.found.figure("people").layer("n").at
    percent = seen.lab.relative  # type: ignore[attr-defined]
    return (many if same(seen.layer.at, 100 if percent else many) else NAN,)


def enough(seen: Seen) -> tuple[float, ...]:
    """The place, up to whole people."""
    return (float(math.ceil(seen.layer.at - 1e-9)),)


def spike(seen: Seen) -> tuple[float, ...]:
    """Spikes of one protocol are as high as they are likely; of Duchi's two the mean is what the
    person holds."""
    mine = seen.layers(seen.layer.key.rpartition("_")[0] + "_")
    shares = [value for line in mine for _, value in numbers(line.label)]
    if seen.layer.key.startswith("duchi"):
        assert same(sum(shares), 1)
        held = sum(share * line.x[0] for share, line in zip(shares, mine, strict=True))
        several = seen.lab.dims > 1  # type: ignore[attr-defined]  # then it is one of many columns
        assert several or same(held, seen.figure.layer("here").x)
    return (seen.layer.y[1] * sum(shares) / sum(line.y[1] for line in mine),)


def half_at_the_end(seen: Seen) -> tuple[float, ...]:
    band = seen.figure.layer("interval")
    return NAN, float(band.high[-1] - seen.layer.y[-1])


def misled(seen: Seen) -> tuple[float, ...]:
    """Those who have something to hide choose the smaller ε, and all of them are 300 of 1,000."""
    if len(seen.numbers) == 1:
        return (NAN,)
    few = seen.numbers[1][1] == min(
        value for one in seen.layers("") for name, value in list(numbers(one.label))[1:2]
    )
    n = invented.SECRETIVE if few else 1000 - invented.SECRETIVE
    return float(n), invented.CAREFUL if few else invented.FREE, 300 / n if few else 0.0


def posterior(seen: Seen) -> tuple[float, ...]:
    """e^ε times the odds before, at every point."""
    x, y = np.asarray(seen.layer.x), np.asarray(seen.layer.y)
    odds, told = np.log(y / (1 - y)) - np.log(x / (1 - x)), seen.numbers[0][1]
    return (told if np.allclose(odds, told, rtol=1e-6) else float(odds.mean()),)


def changed(seen: Seen) -> tuple[float, ...]:
    """How far the end of what changes is from where it is on this table, the bar beneath it."""
    y, base = np.asarray(seen.layer.y, dtype=int), np.zeros(int(max(seen.layer.y)) + 1)
    for bars in seen.layers("rows"):
        base = np.asarray(bars.x)[1::3]
    by = np.asarray(seen.layer.x) - base[y]
    assert np.ptp(by) < 1e-9 * abs(by[0])
    return (float(by[0]),)


def others(seen: Seen) -> tuple[float, ...]:
    """All the dots in its row but one."""
    row = [one for one in seen.layers("noise_") if one.y[0] == seen.layer.y[0]]
    assert all(
        one.x[0] == row[0].x[0] or math.isclose(one.x[0], row[0].x[0], rel_tol=1e-3) for one in row
    )
    return (len(row) - 1.0,)


def middle(seen: Seen) -> tuple[float, ...]:
    """Where the curve is highest, among the few points that are drawn."""
    at, told = int(np.argmax(seen.layer.y)), seen.numbers[0][1]
    return (told if seen.layer.x[at - 1] < told < seen.layer.x[at + 1] else seen.layer.x[at],)


def catastrophe(seen: Seen) -> tuple[float, ...]:
    """δ of the mechanism, of which each of several measurements has its part; of an answer that is
    clamped all the noise beyond."""
    lab, told = seen.lab, seen.numbers[0][1]
    mechanism = getattr(lab, "mechanism", lab)
    if seen.found.truth is not None:
        asked, part = lab.query.ask(seen.data, lab.adjacency), seen.found.part  # type: ignore[attr-defined]
        truth, ends = seen.found.truth[part], [each[part] for each in asked.limits]
        if asked.linear and same(seen.layer.at, -truth):
            return (below(mechanism.law(asked.measurements[0].sensitivity), float(seen.layer.at)),)
        if any(same(seen.layer.at, end - truth) for end in (0.0, *ends)):
            return (drawn_there(mechanism, asked, seen, told),)
    if not hasattr(mechanism, "delta"):  # of the largest of several errors, clamped too
        return (told,)
    split = getattr(lab.query, "split", 1.0)  # type: ignore[attr-defined]
    parts = [mechanism.delta * part for part in (1, split, 1 - split, (1 - split) / 2)]
    return (told if any(same(told, part) for part in parts) else parts[0],)


def drawn_there(mechanism: Any, asked: Any, seen: Seen, told: float) -> float:
    """How many answers of noise that is drawn here, each by its quantile at a number of our own,
    end at a place: what is told, where both differ by chance alone."""
    rng, many = np.random.default_rng(11), 4_000
    laws = shared(mechanism, asked.measurements, asked.moves).laws
    noisy = [
        each.values + law.quantile(rng.random((many, len(each.values))))
        for each, law in zip(asked.measurements, laws, strict=True)
    ]
    if asked.formula is not None:
        answers = asked.formula(noisy)
    elif asked.ratio:
        ends = [each - asked.offset for each in asked.ratio]
        answers = np.clip(noisy[0] / np.maximum(noisy[1], 1) * asked.step, *ends) + asked.offset
    else:
        answers = noisy[0]
    work = seen.lab.post_processing  # type: ignore[attr-defined]
    answers = np.maximum(answers, 0) if work in ("clamp", "both") else answers
    errors = answers[:, seen.found.part] - seen.found.truth[seen.found.part]  # type: ignore[index]
    share = float(np.mean(np.abs(errors - seen.layer.at) <= 1e-9 * max(1, abs(seen.layer.at))))
    few = Release(asked, mechanism, draws=LEAST.of_draws(DRAWS)).draws
    chance = math.sqrt(max(share, told, 1 / few) * (1 / many + 1 / few))
    return told if abs(share - told) < 5 * chance else share


def below(law: Any, at: float) -> float:
    """How much of the noise lies at a place or below it: its density alone, summed over whole
    numbers or by quadrature, with the atoms there."""
    reach = 60 * math.sqrt(law.variance)
    if law.discrete:
        return math.fsum(law.density(np.arange(math.ceil(at - reach), math.floor(at) + 1.0)))
    own = sum(mass for place, mass in law.atoms if place <= at)
    ends = np.unique(
        [at - reach, *(x for x in law.kinks(at - reach, at) if at - reach < x < at), at]
    )
    parts = (
        integrate.quad(law.density, *each, epsabs=0, epsrel=1e-11)[0] for each in pairwise(ends)
    )
    return float(own + math.fsum(parts))


def kept_whole(seen: Seen) -> tuple[float, ...]:
    return NAN, NAN, float(seen.figure.layer("parallel").y[0])


def worst_odds(seen: Seen) -> float:
    """ε of the coins in use, by their four chances."""
    told = seen.lab.coins.support()  # type: ignore[attr-defined]
    return max(math.log(told.p / told.q), math.log((1 - told.q) / (1 - told.p)))


def asked_again(seen: Seen) -> tuple[float, ...]:
    return NAN, seen.layer.x * worst_odds(seen), NAN


def asked_once(seen: Seen) -> tuple[float, ...]:
    return (worst_odds(seen),)


def needed(seen: Seen) -> tuple[float, ...]:
    """Where the curve of the coins is at that ε."""
    return NAN, float(seen.figure.layer("here").y[0])


def odds_of_many(seen: Seen) -> tuple[float, ...]:
    """Each answer multiplies the odds by as much as the next."""
    told = seen.lab.coins.support()  # type: ignore[attr-defined]
    once = told.p / told.q if "yes" in seen.layer.label.text else (1 - told.p) / (1 - told.q)
    x, y = np.asarray(seen.layer.x)[1:-1], np.asarray(seen.layer.y)[1:-1]
    middle = len(x) // 2  # near the ends 1 − y has few digits
    odds = math.log(y[middle] / (1 - y[middle])) - math.log(x[middle] / (1 - x[middle]))
    m = seen.numbers[0][1]
    return (m if math.isclose(odds, m * math.log(once), rel_tol=1e-4) else odds / math.log(once),)


def ratio(seen: Seen) -> tuple[float, ...]:
    """Of one weight to the next from the middle on, each drawn as a step."""
    y = np.asarray(seen.layer.y)[::2]
    return (float(y[-2] / y[-1]),)


def printed_ratio(seen: Seen) -> tuple[float, ...]:
    held = seen.lab.erratum  # type: ignore[attr-defined]
    return (held.epsilon / held.sensitivity,)


def key_length(seen: Seen) -> tuple[float, ...]:
    """One more column adds one more ciphertext than the one before it did, of bits/4 bytes."""
    return (4 * float(np.diff(seen.layer.y, 2)[0]),)


def estimated(seen: Seen) -> tuple[float, ...]:
    """The middle of the interval that it leads to."""
    (whole,) = [
        one for one in seen.figure.layers if getattr(one.label, "text", "") == "{low} to {high}"
    ]
    return NAN, (whole.x[0] + whole.x[-1]) / 2


# What stands at no place of its layer, by lab, chart and message.
MEANINGS: dict[tuple[str, str, str], Meaning] = {
    ("anonymity", "bridge", "β = {share}"): bridge,
    ("anonymity", "counts", "Laplace, ε = {e}"): lambda seen: (1 / seen.layer.at,),
    ("differencing", "estimates", "adds {gap}"): adds,
    ("differencing", "estimates", "row {row}: {part}"): lambda seen: (*typed("attacker.row_of")(seen), NAN),
    ("differencing", "success", "{confidence} interval"): confidence,
    ("membership", "success", "{confidence} interval"): confidence,
    ("reconstruction", "success", "{confidence} interval"): confidence,
    ("clipping", "choice", "best {bound}"): best_bound,
    ("clusters", "score", "{confidence} of the runs"): confidence,
    ("components", "noise", "about 0: Δ = {d}"): reach,
    ("components", "noise", "about the mean: Δ = {d}"): reach,
    ("composition", "afford", "ε {budget} buys k = {k}"): bought,
    ("compare", "densities", "{share} exactly here"): catastrophe,
    ("composition", "loose", "× {loose}"): looser,
    ("composition", "loose", "{people} people"): typed("people"),
    ("composition", "loose", "{total}: false"): lambda seen: (NAN,),
    ("composition", "total", "group of {people}, adding up"): typed("people"),
    ("printed", "laws", "one answer at {total}"): one_answer,
    ("printed", "shares", "ε₁ = {first}"): first_part,
    ("printed", "law", "as printed: α = {alpha}"): printed_ratio,
    ("printed", "law", "corrected: α = {alpha}"): ratio,
    ("explore", "error", "{confidence} of errors"): confidence,
    ("explore", "error", "{share} exactly here"): catastrophe,
    ("explore", "tradeoff", "target ±{target}"): target,
    ("explore", "tradeoff", "±{target} of each"): lambda seen: (seen.lab.target / 100,),
    ("guarantee", "densities", "with row {row}"): typed("row"),
    ("guarantee", "densities", "without row {row}"): typed("row"),
    ("guarantee", "densities", "{share} exactly here"): catastrophe,
    ("guarantee", "odds", "{x} of 100, {case}"): full_dots,
    ("float_leak", "bits", "never from {other}"): never,
    ("float_leak", "bits", "from {x}"): which_answer,
    ("learn", "growth", "{confidence} of the models"): confidence,
    ("learn", "target", "{confidence} of the models"): confidence,
    ("learn", "score", "{confidence} of the models"): confidence,
    ("learn", "weights", "{confidence} of the models"): confidence,
    ("local_counts", "people", "{times} times the people"): times,
    ("local_counts", "surveys", "{confidence}"): confidence,
    ("local_counts", "tradeoff", "all {n} people"): everybody,
    ("local_learning", "score", "{confidence} of surveys"): confidence,
    ("local_means", "people", "{n}"): enough,
    ("local_means", "published", "{confidence}"): confidence,
    ("local_means", "report", "{name} {share}"): spike,
    ("owners", "bytes", "{b} bits"): key_length,
    ("room", "arriving", "{x} ± {half}"): half_at_the_end,
    ("room", "misled", "{name}: {x}"): misled,
    ("room", "told", "ε {x}"): posterior,
    ("selection", "error", "{confidence} of winners"): confidence,
    ("sensitivity", "move", "{by} in the neighbour"): changed,
    ("sensitivity", "noise", "{name} and {n} others"): others,
    ("stories", "noise", "with all {m}"): middle,
    ("stories", "split", "one answer for ε = {cost}"): lambda seen: (math.sqrt(2) / seen.layer.at,),
    ("stories", "growth", "{k} groups: ±{split} or ±{kept}"): kept_whole,
    ("survey", "again", "answer kept: ε {x}"): asked_once,
    ("survey", "again", "asked {m} → ε {epsilon}, ± {x}"): asked_again,
    ("survey", "belief", "after {m} no"): odds_of_many,
    ("survey", "belief", "after {m} yes"): odds_of_many,
    ("survey", "needed", "ε {epsilon} → {n} people"): needed,
    ("survey", "reading", "{x} said yes → {estimate}"): estimated,
}  # fmt: skip

# The δ of a group is held against another library in sentences/test_groups.py; what else is said
# there stands at its place.
ELSEWHERE = {("composition", "group", "{people} people: ε {total}, δ {delta}"): "delta"}


def misplaced(lab: Lab, data: Dataset, found: Findings) -> Iterator[str]:
    """Every number at a layer that means something else, or nothing that is known."""
    for figure in found.figures:
        for layer in figure.layers:
            told = tuple(numbers(layer.label))
            key = lab.key, figure.key, forms(getattr(layer.label, "text", "")).whole
            aside = ELSEWHERE.get(key, "")
            if all(there(figure, layer, number) for name, number in told if name != aside):
                continue
            if key not in MEANINGS:
                yield f"{key} {told} stands at none of {places(layer)}"
                continue
            known = MEANINGS[key](Seen(lab, data, found, figure, layer, told))
            for (name, number), wanted in zip(told, known, strict=True):
                if not (
                    there(figure, layer, number) if math.isnan(wanted) else same(number, wanted)
                ):
                    yield f"{key} {name} = {number}, and not {wanted} nor any of {places(layer)}"
