"""Clipping as a script: the parts of the error at the bounds in force, the best bound, and the one
that is chosen privately."""

from dpstudio.labs.one_answer.clipping.parameters import Clipping
from dpstudio.labs.scripting import answer as one
from dpstudio.labs.scripting import clipping as errors
from dpstudio.labs.scripting.questions import clipped, where_of
from dpstudio.labs.scripting.scripted import Known, Script, paragraphs
from dpstudio.privacy.queries.query import ADD_REMOVE
from dpstudio.privacy.queries.total import Sum
from dpstudio.values.messages import N_, say

_DRAWN = N_("A noisy variance has no simple law: what follows from its draws alone is left out.")
# The page checks the formulas of first order by the law, and takes that where they are off by 1 %
# (of draws by more): then two quadratures are compared.
_LAW, _FLAT = 1e-3, 0.05

_CLIPPED = 'numbers["clipped"] = np.count_nonzero((x < low) | (x > high)) / n'


def script(lab: Clipping, known: Known) -> Script:
    """The facts of the page from the formulas."""
    settings, bounds = _bounds(lab, known)
    made = one.noise(lab.mechanism)
    settings |= made.settings
    adding = lab.adjacency == ADD_REMOVE
    asked = errors.Clipped(
        lab.statistic, adding, lab.n_public, lab.centred, lab.sampling, lab.mechanism, known.most
    )
    lines = [*bounds, errors.noise_lines(made)]
    law: dict[str, float] = {"total": 1e-5} if made.whole else {}
    if asked.direct:
        lines.append(errors.one_measurement(asked))
    else:
        settings["shares"] = (0.5, 0.5) if lab.statistic == "mean" else (1 / 3, 1 / 3, 1 / 3)
        settings["rows_each"] = known.most
        lines.append(errors.several_measurements(asked, made))
    left_out = {}
    if lab.statistic == "variance" and not asked.direct:
        lines.append(errors.drawn_variance(asked, made))
        law = {"total": max(one.SIMULATED, 10 / lab.trials**0.5)}
        left_out = {"bias": say(_DRAWN), "best": say(_DRAWN)}
        hero = ""
    else:
        lines.append(errors.error_along(asked, made, lab.moving))
        if not asked.direct:
            law = {"total": _LAW, "bias": _LAW, "best": _FLAT}
        hero = errors.DRAWN
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
    way, chances = errors.WAYS[lab.choose]
    moved = "max(q, 1 - q)" if lab.adjacency == ADD_REMOVE else "1.0"
    moved = f"{known.most} * {moved}" if known.most > 1 else moved
    if lab.choose == "noisy":
        moved += "\n    steps = max(1, math.ceil(math.log2(len(grid))))"
        moved += "\n    scale = steps * moved / (choose * epsilon)"
    kept = "(2 * centre - high <= x) & (x <= high)" if both else "x <= high"
    return settings, errors.CHOSEN.format(
        way=way, grid="\n".join(lines), kept=kept, moved=moved, chances=chances
    )
