"""What is asked in the words of a command line is answered to 1e-12, by formulas written out here."""

import math
from typing import Any

import numpy as np
import pytest
from running import lab_of, little, opened
from scipy import optimize
from scipy.special import log_ndtr

from dpstudio.values.messages import Num


def value(words: str, sentence: str, name: str) -> float:
    """A number of a sentence that a command line brings."""
    lab, _ = lab_of(words.split())
    held: Any = little(lab, opened("adult")).sentence(sentence).say.values[name]
    return float(held.value if isinstance(held, Num) else held)


def gauss_delta(mu: float, epsilon: float) -> float:
    """δ(ε) of μ-GDP (Balle & Wang 2018, Theorem 8), by logarithms."""
    one, other = log_ndtr(mu / 2 - epsilon / mu), epsilon + log_ndtr(-mu / 2 - epsilon / mu)
    return float(math.exp(one) * -math.expm1(other - one))


def laplace_divergence(order: float, shift: float) -> float:
    """Rényi's of Laplace noise of scale 1 moved by `shift` (Mironov 2017, Proposition 6)."""
    near = math.log(order / (2 * order - 1)) + (order - 1) * shift
    far = math.log((order - 1) / (2 * order - 1)) - order * shift
    return float(np.logaddexp(near, far)) / (order - 1)


@pytest.mark.parametrize(
    ("words", "epsilon"),
    [
        ("explore mechanism=laplace mechanism.scale=2.5", 0.4),
        ("guarantee mechanism=l2norm query=count mechanism.scale=3", 1 / 3),
        ("composition mechanism=laplace mechanism.scale=7", 1 / 7),
        ("survey coins=warner coins.p=0.6", math.log(1.5)),
        ("survey coins=warner coins.p=0.99", math.log(99)),
    ],
)
def test_a_typed_scale_or_p_gives_its_epsilon(words: str, epsilon: float) -> None:
    lab, _ = lab_of(words.split())
    noise: Any = lab.mechanism if hasattr(lab, "mechanism") else lab.coins
    assert noise.epsilon == pytest.approx(epsilon, rel=1e-12)


@pytest.mark.parametrize("sigma", [0.8, 4.0, 60.0])
def test_a_typed_sigma_gives_the_epsilon_of_its_delta(sigma: float) -> None:
    lab, _ = lab_of(["explore", "mechanism=gaussian", f"mechanism.scale={sigma}"])
    mechanism: Any = lab.mechanism
    assert gauss_delta(1 / sigma, mechanism.epsilon) == pytest.approx(mechanism.delta, rel=1e-10)


@pytest.mark.parametrize(("order", "answers"), [(1.5, 1), (8.0, 60), (200.0, 7)])
def test_renyi_divergence_at_an_order(order: float, answers: int) -> None:
    words = f"composition answers={answers} order={order} mechanism="
    found = value(words + "laplace mechanism.scale=2", "divergence", "divergence")
    assert found == pytest.approx(answers * laplace_divergence(order, 0.5), rel=1e-12)
    found = value(words + "gaussian mechanism.scale=4", "divergence", "divergence")
    assert found == pytest.approx(answers * order / 32, rel=1e-10)
    found = value(words + "gaussian mechanism.scale=4", "divergence", "mu")
    assert found == pytest.approx(math.sqrt(answers) / 4, rel=1e-10)


def test_delta_at_an_epsilon() -> None:
    words = "composition mechanism=gaussian mechanism.scale=4 answers=60 at_epsilon=2"
    found = value(words, "delta", "delta")
    assert found == pytest.approx(gauss_delta(math.sqrt(60) / 4, 2), rel=1e-9)
    words = "guarantee query=count mechanism=laplace mechanism.scale=2 at_epsilon=0.2"
    assert value(words, "delta", "delta") == pytest.approx(-math.expm1((0.2 - 0.5) / 2), rel=1e-12)


def test_the_smallest_scale_for_answers_within_a_total() -> None:
    """Gaussian noise by its own law; with a total δ of 0 Laplace noise by adding up."""
    words = "composition answers=37 budget=7 mechanism=gaussian slack=1e-6"
    lab, _ = lab_of(words.split())
    total = 37 * lab.mechanism.total_delta + 1e-6  # type: ignore[attr-defined]
    found = value(words, "least", "scale")
    mu = optimize.brentq(lambda mu: gauss_delta(mu, 7) / total - 1, 0.1, 10, xtol=1e-15)
    assert found == pytest.approx(math.sqrt(37) / mu, rel=1e-9)
    words = "composition answers=37 budget=7 mechanism=laplace delta_prime=0"
    assert value(words, "least", "scale") == pytest.approx(37 / 7, rel=1e-12)
