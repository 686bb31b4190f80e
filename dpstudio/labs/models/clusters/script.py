"""The script of the lab Clusters: noisy k-means, run as often as on the page."""

from dpstudio.labs.models.clusters.model import COLUMNS_MOST
from dpstudio.labs.models.clusters.parameters import Clusters, FourGaussians, TableRows
from dpstudio.labs.scripting.features import chosen_of, told_of
from dpstudio.labs.scripting.scripted import Known, Script
from dpstudio.privacy.queries import REPLACE

_MADE = """
x, classes = four_clusters(size, stream(seed, 11))
"""
_TABLE = """
x, classes = numbers_in_box(table, bounds{label})
"""
_LINES = """
d = x.shape[1]
{steps}numbers["steps"] = steps
# Laplace noise on each count and each sum of each step, so that all of them cost epsilon.
count_scale, sum_scale = lloyd_scales(split, epsilon, d, steps, moved)
numbers["each"] = moved * (1 / count_scale + d / sum_scale)  # of one step
scales = np.array([count_scale, *[sum_scale] * d])
start = first_centres(first, runs, k, d, stream(seed, 12))
noise = laplace_draws(stream(seed, 13), runs * steps * k * (d + 1)).reshape(runs, steps, k, d + 1)


def scored(centres):
    \"\"\"How good these centres are.\"\"\"
    {scored}


noisy = [lloyd(x, start[run], noise[run] * scales) for run in range(runs)]
scores = np.array([scored(centres) for centres, _ in noisy])
numbers["score"], numbers["interval"] = median_and_ends(scores, confidence)
exact = np.array([scored(lloyd(x, start[run], 0 * noise[run])[0]) for run in range(runs)])
numbers["noiseless"], _ = median_and_ends(exact, confidence)
counts = np.array([each for _, each in noisy])
numbers["lost"] = np.mean(counts < 1)
# The noise on a coordinate of a centre: that on the sum, of deviation √2·scale, over the count.
moving = counts[counts >= 1]
numbers["radius"] = np.median(math.sqrt(2) * sum_scale / moving) if len(moving) else 0.0
"""
_PAID = """# As many steps as epsilon pays for, by a public guess at the rows.
steps = steps_paid(epsilon / moved, about, k, d)
"""
_HERO = """
centres = noisy[0][0]
some = stream(seed, 15).permutation(len(x))[:1500]
axes.scatter(*x[some, :2].T, s=2, c=nearest_centre(x, centres)[some])
axes.scatter(*centres[:, :2].T, marker="x", c="black")
"""
_AGREES = "return agreement(score, classes, nearest_centre(x, centres))"
_PERHAPS = f"if classes is None:\n        return inertia(x, centres)\n    {_AGREES}"
_SCORED = {
    "inertia": "return inertia(x, centres)",
    "silhouette": "return silhouette(x, nearest_centre(x, centres), stream(seed, 14))",
}


def script(lab: Clusters, known: Known) -> Script:
    """The script of a state. Raises NoScript."""
    points, score, settings = lab.points, lab.score, dict[str, object]()
    moved = 2 if lab.adjacency == REPLACE else 1
    if isinstance(points, FourGaussians):
        settings["size"], lines = points.size, _MADE
    else:
        assert isinstance(points, TableRows)
        names = (n for n in known.names if known.numeric(n) and n != points.classes)
        settings, found = chosen_of(known, points.features, names, of="bounds", most=COLUMNS_MOST)
        moved *= known.most
        labelled = known.has(points.classes) and points.classes not in points.features
        label = ""
        if labelled:
            settings["label"] = points.classes
            settings["classes_told"] = told_of(known, points.classes, classes=True)
            label = ", label, classes_told"
        elif score != "silhouette":
            score = "inertia"
        lines = found + _TABLE.format(label=label)
    told = "epsilon", "k", "split", "confidence", "runs", "seed"
    settings |= {name: getattr(lab, name) for name in told}
    settings |= {"moved": moved, "first": lab.start}
    settings |= {"about": lab.about} if lab.stepping == "su" else {"steps": lab.steps}
    if score not in _SCORED:
        settings["score"] = score
    agrees = _PERHAPS if isinstance(points, TableRows) else _AGREES
    steps = _PAID if lab.stepping == "su" else ""
    lines += _LINES.format(steps=steps, scored=_SCORED.get(score, agrees))
    return Script(settings, lines, hero=_HERO)
