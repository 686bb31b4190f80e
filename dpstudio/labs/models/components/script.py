"""The script of the lab Components: one way to release directions, and all its draws."""

from dpstudio.labs.models.components import owners
from dpstudio.labs.models.components.draws import STREAM
from dpstudio.labs.models.components.model import COLUMNS_MOST
from dpstudio.labs.models.components.parameters import Components, ManyOwners
from dpstudio.labs.scripting.features import chosen_of, is_number, told_of
from dpstudio.labs.scripting.scripted import Known, Script
from dpstudio.privacy.learning.ways import WAYS
from dpstudio.privacy.queries import REPLACE

_LINES = """
x, _ = numbers_in_box(table, bounds{label})
n, p = x.shape
x = x / math.sqrt(p)  # rows of length at most 1
k = min(directions, p)
a = second_moments(x, centred)
# One person moves these by so much, whatever the table is.
norm, width = moves(centred, replaced, rows_each)


def scale(epsilon):
    \"\"\"The scale of the noise.\"\"\"
    return {scale}


def released(a, scale, rng):
    \"\"\"Directions of so many draws.\"\"\"
    {released}


def kept(epsilon):
    \"\"\"The share of the variance that half of the draws keep, of what k directions can.\"\"\"
    found = released(a, scale(epsilon), stream(*seed))
    return np.median(share_captured(a, found))


numbers["noise"] = scale(epsilon)
numbers["kept"] = kept(epsilon)
# From which epsilon on half of the draws keep enough, of those tried and the one in use.
tried = np.geomspace(0.001, 50, 25)
fits = np.array([kept(each) for each in tried]) >= enough
own = numbers["kept"] >= enough
found = first_passing(tried, fits, epsilon, own)
if found is not None:  # else none of those tried keeps enough
    numbers["enough"] = found
# Noise so many times smaller does what so many times more rows like these do.
rows = n * scale(epsilon) / np.array([scale(each) for each in tried])
found = first_passing(rows, fits, n, own)
if found is not None:
    numbers["rows"] = math.ceil(found)
"""
_OWNERS = """
# Many owners: by turns in the order of their rows, as many each.
some = x[stream(*owners_seed).permutation(n)[: n // owners * owners]]
part = second_moments(some, centred)
pooled = released(part, scale(epsilon), stream(owners_seed[0], owners_seed[1] + 1))
# Where each adds its own noise, Gaussian for the same (epsilon, delta).
scatters = np.stack([second_moments(some[each::owners], centred) for each in range(owners)])
sigma = norm * gaussian_sigma(epsilon, delta)
rng = stream(owners_seed[0], owners_seed[1] + 2)
serial = serial_directions(scatters, k, sigma, draws, rng)
numbers["owned"] = tuple(np.median(share_captured(a, v)) for v in (pooled, serial))
"""
_HERO = """
axes.plot(tried, [kept(each) for each in tried], marker=".")
axes.plot(epsilon, numbers["kept"], marker="*", markersize=12)
axes.set_xscale("log")
axes.set_xlabel("epsilon")
axes.set_ylabel("share of the variance captured")
"""
_MATRIX = """noise = {draws}(size=(draws, p * (p + 1) // 2))
    return leading_vectors(a + scale * mirrored(noise, p), k)"""
# Of each way the scale of its noise, and the directions that come of it.
_WAYS = {
    "gaussian_matrix": (
        "norm * gaussian_sigma(epsilon, delta)",
        _MATRIX.format(draws="rng.standard_normal"),
    ),
    "laplace_matrix": (
        "(p + 1) / 2 * width / epsilon  # in L1, over entries on and above the diagonal",
        _MATRIX.format(draws="rng.laplace"),
    ),
    "noisy_power": (
        "math.sqrt(steps) * norm * gaussian_sigma(epsilon, delta)",
        "return power_directions(a, k, scale, steps, draws, rng)",
    ),
    "exponential_subspace": (
        "k * width / epsilon  # each direction has its part of epsilon",
        "return drawn_directions(a, k, 1 / scale, draws, rng)",
    ),
}


def script(lab: Components, known: Known) -> Script:
    """The script of a state. Raises NoScript."""
    way = lab.mechanism
    place = [kind.key for kind in WAYS].index(way.key)
    names = (n for n in known.names if is_number(known, n) and n != lab.predicts)
    settings, found = chosen_of(known, lab.features, names, of="bounds", most=COLUMNS_MOST)
    label = ""
    if known.has(lab.predicts) and lab.predicts not in lab.features:
        settings |= {"label": lab.predicts, "classes": told_of(known, lab.predicts, classes=True)}
        label = ", label, classes"
    settings |= {"directions": lab.k, "centred": lab.centred, "epsilon": way.epsilon}
    settings |= {
        name: getattr(way, name) for name in ("delta", "steps") if getattr(way, name, None)
    }
    settings |= {
        "replaced": lab.adjacency == REPLACE,
        "rows_each": known.most,
        "enough": lab.enough,
        "draws": lab.trials,
        "seed": (lab.seed, STREAM + place),
    }
    scale, released = _WAYS[way.key]
    lines = found + _LINES.format(label=label, scale=scale, released=released)
    drawn: tuple[str, ...] = ()
    if isinstance(lab.holder, ManyOwners):
        settings |= {"owners": lab.holder.owners, "owners_seed": (lab.seed, owners.STREAM)}
        settings.setdefault("delta", 1e-5)
        lines, drawn = lines + _OWNERS, ("cost",)  # seconds, of this machine
    return Script(settings, lines, hero=_HERO, drawn=drawn)
