"""Clipping as a script: the parts of the error at the bounds in force, the best bound, and the one
that is chosen privately."""

from dpstudio.labs import scripted_answer as one
from dpstudio.labs.one_answer.clipping.parameters import Clipping
from dpstudio.labs.scripted import Known, Script, paragraphs
from dpstudio.labs.scripted_questions import clipped, where_of
from dpstudio.privacy.queries.query import ADD_REMOVE
from dpstudio.privacy.queries.total import Sum
from dpstudio.values.messages import N_, say

_DRAWN = N_("A noisy variance has no simple law: what follows from its draws alone is left out.")
# The page checks the formulas of first order by the law, and takes that where they are off by 1 %
# (of draws by more): then two quadratures are compared.
_LAW, _FLAT = 3e-3, 0.1

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
_CLIPPED = 'numbers["clipped"] = np.count_nonzero((x < low) | (x > high)) / n'
_CHOSEN = """
# A private choice: {way}.
{grid}
grid = grid[grid > floor]
if len(grid) > 1:
    kept = np.array([np.count_nonzero({kept}) for high in grid])
    off, moved = kept - q * n, {moved}
    chances = {chances}
    numbers["private"] = grid[int(np.argmax(chances))]
"""
_WAYS = {
    "exponential": (
        "the exponential mechanism by rows kept (McSherry & Talwar 2007)",
        "exponential_chances(-np.abs(off) * choose * epsilon / (2 * moved))",
    ),
    "noisy": (
        "a binary search over noisy ranks",
        "search_chances(off, partial(laplace_cdf, scale=scale))",
    ),
}
_HERO = """
bounds = sweep[:: max(1, len(sweep) // 60)]
axes.plot(bounds, [error(bound) for bound in bounds])
axes.axvline(at)
axes.set_xlabel("bound")
axes.set_ylabel("root mean square error")
"""


def script(lab: Clipping, known: Known) -> Script:
    """The facts of the page from the formulas."""
    settings, bounds = _bounds(lab, known)
    made = one.noise(lab.mechanism)
    settings |= made.settings
    lines = [*bounds, _noise(made)]
    direct = lab.statistic == "sum" or lab.n_public
    law: dict[str, float] = {"total": 1e-5} if made.whole else {}
    if direct:
        lines.append(_one_measurement(lab, known))
    else:
        settings["shares"] = (0.5, 0.5) if lab.statistic == "mean" else (1 / 3, 1 / 3, 1 / 3)
        settings["rows_each"] = known.most
        lines.append(_several(lab, made))
    left_out = {}
    if lab.statistic == "variance" and not direct:
        drawn = _FOURTH if lab.sampling else "0.0"
        lines.append(_VARIANCE.format(middle=_middle(lab), drawn=drawn, whole=made.whole))
        law = {"total": max(one.SIMULATED, 10 / lab.trials**0.5)}
        left_out = {"bias": say(_DRAWN), "best": say(_DRAWN)}
        hero = ""
    else:
        lines.append(_along(lab, made))
        if direct:
            lines.append("best = least_at(error, sweep, between, 41, 3)")
        else:
            lines.append(_OFF)
            law = {"total": _LAW, "bias": _LAW, "best": _FLAT}
        lines.append(_FOUND)
        hero = _HERO
    lines.append(_CLIPPED)
    if lab.choose != "none":
        more, chosen = _chosen(lab, known, made)
        settings |= more
        lines.append(chosen)
    beside = {"bias": "total"} if "bias" in law else {}
    return Script(settings, paragraphs(*lines), law, hero, left_out=left_out, beside=beside)


def _bounds(lab: Clipping, known: Known) -> tuple[dict[str, object], list[str]]:
    """(settings, lines) that give the bounds in force, `proposed`, the centre, the values `x` that
    count and their number n."""
    settings, lines = clipped(Sum(column=lab.column), known, where=False)
    whole = lab.mechanism.integers
    settings |= {"moving": lab.moving}
    lines.append("proposed = (low, high)")
    centre = "(low + high) / 2" if lab.centre is None else repr(lab.centre)
    lines.append(f"centre = {f'math.floor({centre})' if whole else centre}")
    lines += [f"{name} = {end!r}" for name, end in (("low", lab.low), ("high", lab.high))
              if end is not None and (name, lab.moving) != ("low", "both")]  # fmt: skip
    if lab.moving == "both":
        lines.append("low = 2 * centre - high  # equally far from the centre")
    else:
        kept = "low, low + 1" if lab.low is not None else "high - 1, high"
        lines.append(f"low, high = (low, high) if low < high else ({kept})")
    lines += [f"x = values{where_of(lab.where, known)}", "x = x[~np.isnan(x)]", "n = len(x)"]
    return settings, ["\n".join(lines)]


def _noise(made: one.Noise) -> str:
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


def _one_measurement(lab: Clipping, known: Known) -> str:
    adding, delta = lab.adjacency == ADD_REMOVE, "" if lab.mechanism.pure else ", delta"
    if lab.statistic == "variance":
        drawn = _FOURTH if lab.sampling else "0.0"
        return _PUBLIC_VARIANCE.format(delta=delta, drawn=drawn)
    total = lab.statistic == "sum"
    reach = "far" if adding else "max(far, high - low)"
    text = _SUM.format(
        far=_FAR.format(off="") if total else "",
        most=f"{known.most} * " if known.most > 1 else "",
        reach=reach if total else "(high - low) / n",
        delta=delta,
        spread=(_SPREAD_OF_SUM if total else "spread = np.var(c) / n") if lab.sampling else "",
        of="sum" if total else "mean",
        drawn="spread" if lab.sampling else "0.0",
    )
    return "\n".join(line for line in text.splitlines() if line.strip())


def _middle(lab: Clipping) -> str:
    if not (lab.centred or lab.statistic == "variance"):
        return "0.0"
    return "math.floor((low + high) / 2)" if lab.mechanism.integers else "(low + high) / 2"


def _several(lab: Clipping, made: one.Noise) -> str:
    """The functions that give the noise of each measurement, and the error of a mean."""
    adding, pure = lab.adjacency == ADD_REMOVE, lab.mechanism.pure
    joined = lab.mechanism.one_vector
    reach = "far" if adding else "max(far, high - low)"
    others = ", far**2, 1.0" if lab.statistic == "variance" else ", 1.0"
    across = "max(come, shares[0] * ((high - low) / reaches[0] * rows_each) ** 2)"
    noises = (_TOGETHER if joined else _APART).format(
        middle=_middle(lab),
        far=_FAR.format(off=" - middle"),
        reaches=f"[rows_each * by for by in ({reach}{others})]",
        delta="" if pure else ", delta" if joined else ", part * delta",
        most="come" if adding else across,
    )
    if lab.statistic == "variance":
        return noises
    mean = _MEAN.format(
        middle=_middle(lab), drawn="np.var(c) / n" if lab.sampling else "0.0", whole=made.whole
    )
    return f"{noises}\n\n{mean}"


def _along(lab: Clipping, made: one.Noise) -> str:
    """The axis, and the error at each bound of it."""
    side = {"upper": "above=low", "lower": "below=high", "both": "above=centre"}[lab.moving]
    pair = {"upper": "low, bound", "lower": "bound, high", "both": "2 * centre - bound, bound"}
    return _ALONG.format(
        sides=f"whole={made.whole}, {side}",
        at="low" if lab.moving == "lower" else "high",
        pair=pair[lab.moving],
    )


def _chosen(lab: Clipping, known: Known, made: one.Noise) -> tuple[dict[str, object], str]:
    """(settings, lines) of the private choice of the upper bound."""
    settings: dict[str, object] = {"q": lab.q, "choose": lab.choose_epsilon}
    settings |= {"grid_low": lab.grid_low, "grid_high": lab.grid_high}
    both = lab.moving == "both"
    if lab.grid == "doubling":
        grid = "grid = doubling_grid(floor, proposed[1], x, grid_low, grid_high)"
    else:
        settings["points"] = lab.points
        grid = f"grid = equal_steps(*proposed, grid_low, grid_high, points, whole={made.whole})"
    lines = [f"floor = {'centre' if both else 'low'}", grid]
    lines += ["grid = np.unique(np.round(grid))"] if made.whole else []
    way, chances = _WAYS[lab.choose]
    moved = "max(q, 1 - q)" if lab.adjacency == ADD_REMOVE else "1.0"
    moved = f"{known.most} * {moved}" if known.most > 1 else moved
    if lab.choose == "noisy":
        moved += "\n    steps = max(1, math.ceil(math.log2(len(grid))))"
        moved += "\n    scale = steps * moved / (choose * epsilon)"
    kept = "(2 * centre - high <= x) & (x <= high)" if both else "x <= high"
    return settings, _CHOSEN.format(
        way=way, grid="\n".join(lines), kept=kept, moved=moved, chances=chances
    )
