"""From k to ε: a table of a random sample, by heights that were named beforehand, in which every
combination of published values with fewer than k rows is left out."""

import math

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.memo import once
from dpstudio.labs.whole_tables.anonymity.choices.promises import K_MOST
from dpstudio.labs.whole_tables.anonymity.model import AnonymityModel, counts, task
from dpstudio.labs.whole_tables.rows.model import overall, sensitive
from dpstudio.privacy.anonymity.sampled import epsilon

SHARES = (0.01, 0.1, 0.5)
_POINTS, _DRAWS, _STREAM = 24, 400, 89


@once
def bridged(model: AnonymityModel) -> float:
    """The ε of k and the sample’s share at the δ that is set; ∞ where there is none."""
    lab = model.lab
    return epsilon(lab.promise.k, lab.drawn, lab.failure)


@once
def needed(model: AnonymityModel) -> int:
    """The smallest k that has any ε at this share and δ: β^k ≤ δ, which no ε can mend; 0 beyond
    what k can be."""
    lab = model.lab
    k = math.ceil(math.log(lab.failure) / math.log(lab.drawn) - 1e-9)
    found = next((each for each in range(max(k, 1), k + 3)
                  if math.isfinite(epsilon(each, lab.drawn, lab.failure))), 0)  # fmt: skip
    return found if found <= K_MOST else 0


def named_before(model: AnonymityModel) -> bool:
    """Whether no row decides the classes: all heights are named, and none is searched for, and no
    hierarchy is used that follows from the rows."""
    return model.lab.algorithm.decided(task(model))


def curve(model: AnonymityModel, share: float) -> tuple[Array, Array]:
    """ε against k at this share, where there is one; shapes (points,)."""
    many = model.effort.of_points(_POINTS, 4)
    ks = np.unique(np.geomspace(2, K_MOST, many).round().astype(int)).tolist()
    found = [(k, epsilon(k, share, model.lab.failure)) for k in ks]
    there = [(k, each) for k, each in found if math.isfinite(each)]
    pairs = np.array(there, dtype=np.float64).reshape(-1, 2)
    return array(pairs[:, 0]), array(pairs[:, 1])


@once
def curves(model: AnonymityModel) -> tuple[tuple[float, Array, Array], ...]:
    """A share of the sample, k and ε each: some shares, and the one that is set."""
    shares = sorted({*SHARES, model.lab.drawn})
    return tuple((share, *curve(model, share)) for share in shares)


def asked(model: AnonymityModel) -> str:
    """The sensitive value whose people are counted: the most frequent one."""
    return model.rows.sensitive.words[_place(model)]


def _place(model: AnonymityModel) -> int:
    return int(np.argmax(overall(model.rows)))


@once
def sample_error(model: AnonymityModel) -> float:
    """How far the count of these people is off on average where it is read from such a table,
    scaled up by 1/β: simulated samples of the classes as they are."""
    cells = counts(model)[:, _place(model)]
    gone = np.count_nonzero(sensitive(model) == _place(model)) - cells.sum()
    rng = np.random.default_rng((model.lab.seed, _STREAM))
    draws = model.effort.of_draws(_DRAWS, 40)
    drawn = rng.binomial(cells, model.lab.drawn, (draws, len(cells)))
    told = np.where(drawn >= model.lab.promise.k, drawn, 0).sum(1) / model.lab.drawn
    return float(np.abs(told - cells.sum() - gone).mean())


def laplace_error(model: AnonymityModel) -> float:
    """How far the same count is off with Laplace noise at the same ε, on average."""
    return 1 / bridged(model)
