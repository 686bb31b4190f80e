"""Writes tests/reference/sampled.json with mpmath and dp-accounting 0.6.0, in an environment of its
own:
python -m venv V && V/bin/pip install dp-accounting==0.6.0 mpmath && V/bin/python
tests/reference/sampled.py

"rdp": noise, its parameter (σ, or b of Laplace), q, α, Dα of who leaves, integrated with 40 digits.
"delta": noise, parameter, q, ε, δ of one release for who leaves and for who joins, in closed form
(Gaussian) or integrated. "epsilon": σ or b, q, k, δ, ε by dp-accounting from above, and the step of
its lattice.
"""

import json
from pathlib import Path

from dp_accounting.pld import privacy_loss_distribution as pld
from mpmath import erfc, exp, log, mp, mpf, npdf, quad, sqrt

mp.dps = 40


def density(noise, width):
    return (
        (lambda x: npdf(x, 0, width))
        if noise == "gaussian"
        else (lambda x: exp(-abs(x) / width) / (2 * width))
    )


def points(width, top=0):
    found = {0, mpf(1) / 2, 1, *(side * n * width for side in (-1, 1) for n in (1, 3, 10, 30, 90))}
    return sorted(found | {top + n * width for n in (-10, -3, 0, 3, 10, 30)})


def rdp(noise, width, q, order):
    width, q, order = mpf(width), mpf(q), mpf(order)
    p = density(noise, width)
    inside = quad(lambda x: p(x) * (1 - q + q * p(x - 1) / p(x)) ** order, points(width, order))
    return log(inside) / (order - 1)


def gaussian_delta(sigma, q, epsilon):
    s, q, e = mpf(sigma), mpf(q), exp(mpf(epsilon))

    def below(x):
        return erfc(-x / s / sqrt(mpf(2))) / 2

    t = s * s * log((e - 1 + q) / q) + mpf(1) / 2
    leaves = (1 - q) * below(-t) + q * below(1 - t) - e * below(-t)
    if 1 / e <= 1 - q:
        return leaves, mpf(0)
    t = s * s * log((1 / e - 1 + q) / q) + mpf(1) / 2
    return leaves, below(t) - e * ((1 - q) * below(t) + q * below(t - 1))


RDP = [
    ("gaussian", 0.5, 1e-4, 1.001),
    ("gaussian", 0.5, 0.5, 2.5),
    ("gaussian", 1.0, 0.01, 1.5),
    ("gaussian", 1.0, 0.01, 30.25),
    ("gaussian", 2.5, 0.01, 1.5),
    ("gaussian", 5.0, 1e-4, 2.0),
    ("gaussian", 5.0, 0.5, 200.0),
    ("laplace", 1.0, 0.01, 1.5),
    ("laplace", 0.1, 0.5, 3.7),
    ("laplace", 3.0, 1e-3, 64.0),
]
DELTA = [
    (0.5, 1e-4, 0.5),
    (1.0, 0.01, 0.2),
    (1.0, 0.01, 0.0),
    (2.0, 0.5, 0.3),
    (5.0, 0.1, 0.01),
    (1.0, 0.5, 8.0),
]
EPSILON = [
    ("gaussian", 1.0, 0.01, 100, 1e-5, 1e-5),
    ("gaussian", 1.0, 0.01, 10_000, 1e-5, 1e-5),
    ("gaussian", 0.5, 0.01, 1, 1e-5, 1e-5),
    ("gaussian", 0.5, 0.01, 1000, 1e-6, 1e-5),
    ("gaussian", 2.0, 1e-3, 10_000, 1e-6, 1e-6),
    ("gaussian", 5.0, 0.5, 100, 1e-9, 1e-4),
    ("gaussian", 2.5, 1e-4, 1000, 1e-7, 1e-7),
    ("laplace", 1.0, 0.01, 100, 1e-5, 1e-5),
    ("laplace", 0.2, 0.1, 1000, 1e-6, 1e-4),
]
MADE = {
    "gaussian": lambda s, **more: pld.from_gaussian_mechanism(s, **more),
    "laplace": lambda b, **more: pld.from_laplace_mechanism(b, **more),
}


def epsilon(noise, width, q, k, delta, step):
    one = MADE[noise](
        width, sampling_prob=q, value_discretization_interval=step, pessimistic_estimate=True
    )
    return float(one.self_compose(k).get_epsilon_for_delta(delta))


found = {
    "rdp": [[*one, float(rdp(*one))] for one in RDP],
    "delta": [["gaussian", *one, *map(float, gaussian_delta(*one))] for one in DELTA],
    "epsilon": [[*one[:-1], epsilon(*one), one[-1]] for one in EPSILON],
}
text = ",\n".join(
    f'"{key}": [\n' + ",\n".join(map(json.dumps, rows)) + "\n]" for key, rows in found.items()
)
Path(__file__).with_name("sampled.json").write_text("{\n" + text + "\n}\n")
