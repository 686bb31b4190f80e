"""What Synthesis draws along an axis: phantom people against ε, and noise against cells."""

import math
from dataclasses import replace
from itertools import combinations

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.local_curves import ladder
from dpstudio.labs.memo import once
from dpstudio.labs.whole_tables.synthesis.distances import clamped
from dpstudio.labs.whole_tables.synthesis.model import SynthesisModel
from dpstudio.labs.whole_tables.synthesis.ways.noisy_cells import NoisyCells, phantoms
from dpstudio.privacy.synthetic.marginals import counted

_POINTS = 41


@once
def phantom_curves(model: SynthesisModel) -> tuple[Array, Array, Array, Array] | None:
    """(ε, people added by clamping, by the threshold, people in other cells by the nearest counts),
    each (points,); None where there is nothing to clamp."""
    way, task = model.lab.way, model.task
    if task is None or not isinstance(way, NoisyCells) or way.printed:
        return None
    exact = task.remember(
        ("clamped", clamped(model)), lambda: counted(task.codes, model.known.sizes, clamped(model))
    )
    # Cells that hold alike many are worked out once.
    values, times = np.unique(exact, return_counts=True)
    many = array(times)
    at = ladder(model.effort.of_points(_POINTS))
    places = [replace(model.known, epsilon=epsilon) for epsilon in at.tolist()]

    def line(repair: str) -> Array:
        made = way.with_(repair=repair)
        return array([phantoms(made, known, values, many) for known in places])

    # Simulated, and the same at whichever ε.
    question = "moved", clamped(model), way.scale(model.known) * model.known.epsilon, at.tobytes()
    return at, line("clip"), line("threshold"), task.remember(question, lambda: line("simplex"))


@once
def cell_counts(model: SynthesisModel) -> tuple[tuple[Array, Array], ...]:
    """For tables of one, two and three columns: (their cells, the mean sum of the sizes of their
    noise), at the whole ε for each."""
    sizes, scale = model.known.sizes, model.known.steps / model.known.epsilon
    out = []
    for width in (1, 2, 3):
        cells = array(sorted({math.prod(each) for each in combinations(sizes, width)}))
        out.append((cells, array(cells * scale)))
    return tuple(out)


@once
def noise_line(model: SynthesisModel) -> tuple[Array, Array]:
    """(cells, the mean sum of the sizes of their noise) over all that is drawn."""
    most = max(float(cells.max()) for cells, _ in cell_counts(model) if len(cells))
    x = np.geomspace(1.0, 10.0 ** math.ceil(math.log10(most) + 0.05), 41)
    return array(x), array(x * model.known.steps / model.known.epsilon)
