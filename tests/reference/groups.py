"""Writes tests/reference/groups.json with dp-accounting 0.6.0, in an environment of its own: python -m
venv V && V/bin/pip install dp-accounting==0.6.0 && V/bin/python tests/reference/groups.py

Groups of m people: the law of each noise shifted by m, k times; δ at ε from below (optimistic) and
above (pessimistic), the losses on a lattice of 1e-4.
"""

import json
import random
from pathlib import Path

from dp_accounting.pld import privacy_loss_distribution as pld

MADE = {
    "laplace": lambda b, **more: pld.from_laplace_mechanism(b, **more),
    "geometric": lambda b, **more: pld.from_discrete_laplace_mechanism(1 / b, **more),
    "gaussian": lambda b, **more: pld.from_gaussian_mechanism(b, **more),
    "discrete_gaussian": lambda b, **more: pld.from_discrete_gaussian_mechanism(round(b), **more),
}
rng, states = random.Random(7), []
for key in MADE:
    for people, answers in ((2, 1), (2, 20), (3, 5), (4, 8), (5, 2)):
        scale = float(f"{people * rng.uniform(0.8, 2.5) * answers**0.5:.4g}")
        if key == "discrete_gaussian":
            scale = float(round(scale) or 1)
        both = [
            MADE[key](
                scale,
                sensitivity=people,
                value_discretization_interval=1e-4,
                pessimistic_estimate=above,
            ).self_compose(answers)
            for above in (False, True)
        ]
        for epsilon in (0.1, 0.6, 1.5):
            low, high = (float(one.get_delta_for_epsilon(epsilon)) for one in both)
            states.append([key, scale, people, answers, epsilon, low, high])
path = Path(__file__).with_name("groups.json")
path.write_text("[\n" + ",\n".join(map(json.dumps, states)) + "\n]\n")
