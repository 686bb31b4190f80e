"""The lines of a script that give the error of a clipped sum, mean or variance: bias, noise and
sampling error."""

from dataclasses import dataclass

from dpstudio.labs.scripting import answer as one
from dpstudio.privacy.mechanisms import Additive


@dataclass(frozen=True)
class Clipped:
    """What is asked: a "sum", "mean" or "variance", whether rows are added or replaced, whether
    their number is `public`, sums are about the middle, sampling counts; and the rows of one
    person."""

    statistic: str
    adding: bool
    public: bool
    centred: bool
    sampling: bool
    mechanism: Additive
    most: int

    @property
    def direct(self) -> bool:
        """Whether one measurement is the answer."""
        return self.statistic == "sum" or self.public


_NOISE = """
def noise_of(reach, epsilon{delta}):
    # The law of the noise on a number that one person moves so far, and its standard deviation.
    {norm} = {reach}
    {lines}
    return cdf, {deviation}
"""
# The largest move of a sum about the middle of the bounds, where nothing else changes and where a
# row comes or goes.
_FAR = "far = max(abs(low{off}), abs(high{off}))"
_SUM = """
def parts(low, high):
    # Bias, noise and sampling error of bounds: their squares add up to that of the whole error.
    c = np.clip(x, low, high)
    {far}
    noise = noise_of({most}{reach}, epsilon{delta})[1]
    {spread}
    return (c - x).{of}(), noise, math.sqrt({drawn})
"""
_SPREAD_OF_SUM = "spread = n * np.var(c) + n * (1 - n / len(values)) * c.mean() ** 2"
_PUBLIC_VARIANCE = """
def parts(low, high):
    # Bias, noise and sampling error of bounds: their squares add up to that of the whole error.
    c = np.clip(x, low, high)
    noise = noise_of((n - 1) / n**2 * (high - low) ** 2, epsilon{delta})[1]
    return np.var(c) - np.var(x), noise, math.sqrt({drawn})
"""
_FOURTH = "variance_of_variance(c)"
_APART = """
def noises_of(low, high):
    # The law and the standard deviation of the noise on each measurement.
    middle = {middle}
    {far}
    reaches = {reaches}
    return [noise_of(by, part * epsilon{delta}) for by, part in zip(reaches, shares, strict=True)]
"""
_TOGETHER = """
def noises_of(low, high):
    # The same of each measurement: all are one Gaussian vector, of whose budget each has its share.
    middle = {middle}
    {far}
    reaches = {reaches}
    come = shares[0] * (far / reaches[0] * rows_each) ** 2 + sum(shares[1:])
    most = {most}
    return [
        noise_of(by * math.sqrt(most / part), epsilon{delta})
        for by, part in zip(reaches, shares, strict=True)
    ]
"""
_MEAN = """
def parts(low, high):
    # Bias, noise (to first order) and sampling error of bounds.
    c, (of_sum, of_count) = np.clip(x, low, high), noises_of(low, high)
    drift = c.mean() - {middle}
    noise = math.hypot(of_sum[1], drift * of_count[1]) / n
    return (c - x).mean(), noise, math.sqrt({drawn})


def by_law(low, high):
    # The same, where what a noisy divisor and clamping do to the answer is not small.
    c, (of_sum, of_count) = np.clip(x, low, high), noises_of(low, high)
    middle, (bias, _, drawn) = {middle}, parts(low, high)
    pairs = (cells(of_sum[0], whole={whole}), cells(of_count[0], whole={whole}))
    mean, noise = ratio_moments((c - middle).sum(), n, *pairs, middle, low, high)
    # No answer lies further from the truth than the farther bound.
    far = max(abs(low - x.mean()), abs(high - x.mean()))
    bias = min(max(bias + mean - c.mean(), -far), far)
    noise = min(noise, math.sqrt(far**2 - bias**2))
    return bias, noise, min(drawn, math.sqrt(max(far**2 - bias**2 - noise**2, 0.0)))
"""
_VARIANCE = """
# The error has no simple law: so many answers are drawn, which tell it to about 1 %.
rng, noisy = np.random.default_rng(1), []
middle = {middle}
c = np.clip(x, low, high)
measured = ((c - middle).sum(), ((c - middle) ** 2).sum(), float(n))
for value, (cdf, _) in zip(measured, noises_of(low, high), strict=True):
    nodes, chances = cells(cdf, whole={whole}, most=20_000)
    noisy.append(value + rng.choice(nodes, 400_000, p=chances / chances.sum()))
errors = spread(noisy, (high - low) / 2, root=False) - np.var(x)
sampling = math.sqrt({drawn})
far = max(np.var(x), abs((high - low) ** 2 / 4 - np.var(x)))
numbers["total"] = min(math.hypot(math.sqrt(np.mean(errors**2)), sampling), far)
"""
_ALONG = """
# The axis of the bound that moves, and the error at each.
start, end, logarithm = axis_of(moving, low, high, centre, x)
between = partial(steps_between, logarithm=logarithm, {sides})
at, sweep = {at}, between(start, end, 161)


def error(bound, parts=parts):
    return math.hypot(*parts({pair}))


known = parts
"""
_OFF = """
# The formula of first order is taken where the law confirms it within 1 %, at 21 bounds and here.
dots = sweep[np.unique(np.round(np.linspace(0, len(sweep) - 1, 21)).astype(int))]
lawful = partial(error, parts=by_law)
pairs = [(error(bound), lawful(bound)) for bound in (*dots, at)]
if any(abs(a - b) > 0.01 * max(a, b) for a, b in pairs):
    known, error = by_law, lawful
    best = least_at(error, dots, between, 9, 4)
else:
    best = least_at(error, sweep, between, 41, 3)
"""
_FOUND = """
numbers["total"] = error(at)
numbers["bias"] = known(low, high)[0]
numbers["best"] = best if error(best) < error(at) else at
"""
CHOSEN = """
{way}
{grid}
grid = grid[grid > floor]
if len(grid) > 1:
    kept = np.array([np.count_nonzero({kept}) for high in grid])
    off, moved = kept - q * n, {moved}
    chances = {chances}
    numbers["private"] = grid[int(np.argmax(chances))]
"""
WAYS = {
    "exponential": (
        "# A private choice: the exponential mechanism by rows kept (McSherry & Talwar 2007).",
        "exponential_chances(-np.abs(off) * choose * epsilon / (2 * moved))",
    ),
    "noisy": (
        "# A private choice: a binary search over noisy ranks.",
        "search_chances(off, partial(laplace_cdf, scale=scale))",
    ),
}
DRAWN = """
bounds = sweep[:: max(1, len(sweep) // 60)]
axes.plot(bounds, [error(bound) for bound in bounds])
axes.axvline(at)
axes.set_xlabel("bound")
axes.set_ylabel("root mean square error")
"""


def noise_lines(made: one.Noise) -> str:
    """The function that gives the noise of a number."""
    text = " ".join(made.lines)
    norms = [name for name in ("l1", "l2", "linf") if name in text]
    moves = "moves" in text
    return _NOISE.strip().format(
        delta=", delta" if "delta" in made.settings else "",
        norm=" = ".join(["linf"] if moves else norms),
        reach="reach" + ("\n    moves = (((reach,),),)" if moves else ""),
        lines="\n    ".join(made.lines).replace(", moved = ", ", _ = "),
        deviation=one.deviation(made),
    )


def drawn_variance(asked: Clipped, made: one.Noise) -> str:
    """The error of a variance of three noisy numbers, by draws."""
    drawn = _FOURTH if asked.sampling else "0.0"
    return _VARIANCE.format(middle=_middle(asked), drawn=drawn, whole=made.whole)


def one_measurement(asked: Clipped) -> str:
    """The error where one noisy number is the answer: exact."""
    adding, delta = asked.adding, "" if asked.mechanism.pure else ", delta"
    if asked.statistic == "variance":
        drawn = _FOURTH if asked.sampling else "0.0"
        return _PUBLIC_VARIANCE.format(delta=delta, drawn=drawn)
    total = asked.statistic == "sum"
    reach = "far" if adding else "max(far, high - low)"
    text = _SUM.format(
        far=_FAR.format(off="") if total else "",
        most=f"{asked.most} * " if asked.most > 1 else "",
        reach=reach if total else "(high - low) / n",
        delta=delta,
        spread=(_SPREAD_OF_SUM if total else "spread = np.var(c) / n") if asked.sampling else "",
        of="sum" if total else "mean",
        drawn="spread" if asked.sampling else "0.0",
    )
    return "\n".join(line for line in text.splitlines() if line.strip())


def _middle(asked: Clipped) -> str:
    if not (asked.centred or asked.statistic == "variance"):
        return "0.0"
    return "math.floor((low + high) / 2)" if asked.mechanism.integers else "(low + high) / 2"


def several_measurements(asked: Clipped, made: one.Noise) -> str:
    """The functions that give the noise of each measurement, and the error of a mean."""
    adding, pure = asked.adding, asked.mechanism.pure
    joined = asked.mechanism.one_vector
    reach = "far" if adding else "max(far, high - low)"
    others = ", far**2, 1.0" if asked.statistic == "variance" else ", 1.0"
    across = "max(come, shares[0] * ((high - low) / reaches[0] * rows_each) ** 2)"
    noises = (_TOGETHER if joined else _APART).format(
        middle=_middle(asked),
        far=_FAR.format(off=" - middle"),
        reaches=f"[rows_each * by for by in ({reach}{others})]",
        delta="" if pure else ", delta" if joined else ", part * delta",
        most="come" if adding else across,
    )
    if asked.statistic == "variance":
        return noises
    mean = _MEAN.format(
        middle=_middle(asked), drawn="np.var(c) / n" if asked.sampling else "0.0", whole=made.whole
    )
    return f"{noises}\n\n{mean}"


def error_along(asked: Clipped, made: one.Noise, moving: str) -> str:
    """The axis, and the error at each bound of it."""
    side = {"upper": "above=low", "lower": "below=high", "both": "above=centre"}[moving]
    pair = {"upper": "low, bound", "lower": "bound, high", "both": "2 * centre - bound, bound"}
    along = _ALONG.format(
        sides=f"whole={made.whole}, {side}",
        at="low" if moving == "lower" else "high",
        pair=pair[moving],
    )
    best = "best = least_at(error, sweep, between, 41, 3)" if asked.direct else _OFF.strip()
    return f"{along}\n\n{best}\n{_FOUND}"
