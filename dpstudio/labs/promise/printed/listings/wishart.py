"""The Wishart mechanism as the broken mechanism it is: two neighbours' outputs do not even have the
same support."""

import math

import numpy as np

from dpstudio.charts.figure import Area, Array, Axis, Band, Figure, array, nice_above
from dpstudio.labs.promise.printed.listings import erratum
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.mechanisms.gaussian import analytic_sigma, special
from dpstudio.privacy.sampling import SimulationRandom
from dpstudio.values.fields import choice, integer, real
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import param

NEIGHBOURS = {
    "replace": N_("one row replaced by one at a right angle"),
    "add": N_("one row added or removed, or replaced by zeros"),
}
BARS = 70


def impossible(epsilon: Array, neighbours: str) -> Array:
    """P(an output under A is impossible under its neighbour A′), for any n and any d ≥ 2. Shape of
    `epsilon`.

    In units of C the output less A′ is V + s(xxᵀ − yyᵀ), V ~ W_d(d + 1, I), s = 2ε/3, and must be
    positive definite. Without x (one row fewer): 1/(yᵀV⁻¹y) ~ χ²₂ must exceed s. With x ⊥ y only
    the 2 × 2 Schur complement W₂(3, I) of V matters; by its Cholesky factor, a ~ χ²₃, z ~ N(0, 1),
    c ~ χ²₂, an output is impossible where a < s(1 + z²/(c + s)). The integrals over z and c are
    closed; over a = s + y² it is summed in equal steps of ln y, at whose ends the integrand falls
    off.
    """
    s = 2 * np.asarray(epsilon, dtype=np.float64) / 3
    if neighbours == "add":
        return np.asarray(-np.expm1(-s / 2))
    library, shift = special(), s[..., None]
    y = np.exp(np.arange(-28.0, 3.2, 0.1))
    a = shift + y * y
    first = np.sqrt(a) * np.exp(-a / 2) * library.erfc(y / math.sqrt(2))
    second = y * np.exp(-y * y / 2) * library.erfc(np.sqrt(a / 2))
    beyond = np.sum(2 * y * y * (first - second), axis=-1) * 0.1 / math.sqrt(2 * math.pi)
    return np.asarray(library.gammainc(1.5, s / 2) + beyond)


def matrices(dims: int, trials: int, seed: int) -> Array:
    """Unit noise, shape (2, trials, dims, dims): W_d(d + 1, I), and symmetric with N(0, 1) on and
    above the diagonal."""
    rng = SimulationRandom(seed, 7).generator
    factor = rng.standard_normal((trials, dims, dims + 1))
    normal = np.triu(rng.standard_normal((trials, dims, dims)))
    return array(
        np.stack(
            [factor @ factor.transpose(0, 2, 1), normal + np.triu(normal, 1).transpose(0, 2, 1)]
        )
    )


def least_eigenvalues(unit: Array, epsilon: float, sigma: float, neighbours: str) -> Array:
    """The smallest eigenvalue of n(output − A′), shape (2, trials): with Wishart and with Gaussian
    noise."""
    move = np.zeros(unit.shape[-2:])
    move[0, 0] = -1.0
    move[1, 1] = 1.0 if neighbours == "replace" else 0.0
    noise = unit * np.array([1.5 / epsilon, sigma])[:, None, None, None]
    return array(np.linalg.eigvalsh(noise + move)[..., 0])


class Wishart(erratum.Erratum):
    """A + W with W ~ W_d(d + 1, 3/(2nε)·I), claimed to be ε-DP for a covariance A = XᵀX/n of rows
    of length at most 1."""

    key = "wishart"
    label = N_("The Wishart mechanism")
    source = N_(
        "an introductory book, appendix A.2.5; contradicted by Sheffet 2019 and Amin et al. 2019"
    )
    wrong = N_("A + W with Wishart noise W is claimed to be ε-DP.")
    right = N_("Its outputs tell neighbours apart for certain.")
    follows = {
        "bad": N_(
            "Not private: {p} of the outputs are impossible for the neighbour, so δ ≥ {p} at "
            "declared ε = {epsilon}."
        )
    }

    epsilon: float = param(1.0, EPSILON)
    dims: int = integer(
        3, N_("Columns d"), N_("The probability is the same for every d."), low=2, high=10
    )
    neighbours: str = choice(
        "replace",
        N_("Neighbours"),
        N_("How the two tables differ; n divides in both."),
        options=NEIGHBOURS,
    )
    delta: float = real(
        1e-5,
        N_("δ of the correction"),
        N_("For Gaussian noise in its place."),
        low=1e-12,
        high=0.5,
        log=True,
    )

    def sigma(self, draws: erratum.Draws) -> float:
        """Of n(output − A), symmetric Gaussian noise: ‖xxᵀ − yyᵀ‖ on the upper triangle is at most
        1, or √2 (Dwork et al. 2014)."""
        reach = math.sqrt(2) if self.neighbours == "replace" else 1.0
        return reach * float(
            draws.remember(
                ("σ", self.epsilon, self.delta), lambda: analytic_sigma(self.epsilon, self.delta)
            )
        )

    def case(self, draws: erratum.Draws) -> erratum.Case:
        epsilon, d = self.epsilon, self.dims
        chance, zero = (
            float(impossible(np.array(epsilon), way)) for way in (self.neighbours, "add")
        )
        sigma, scale = self.sigma(draws), 1.5 / epsilon
        wishart, normal = self._least(draws, sigma)
        values: dict[str, Num | Message] = {
            "p": Num(chance, 3, "down", percent=True),
            "zero": Num(zero, 3, "down", percent=True),
            "epsilon": Num(epsilon, 5),
            "seen": Num(float(np.mean(wishart < 0)), 3, percent=True),
            "trials": Num(draws.trials),
            "delta": Num(self.delta, 3, "up"),
        }
        return erratum.Case(
            "bad",
            values,
            (
                erratum.Row(
                    "impossible",
                    say("outputs impossible for the neighbour"),
                    values["p"],
                    Num(0.0, percent=True),
                ),
                erratum.Row(
                    "delta",
                    Message("δ"),
                    say("≥ {p}", p=Num(chance, 3, "down")),
                    Num(self.delta, 3, "up"),
                ),
                erratum.Row(
                    "bias", say("bias of a diagonal entry, times n"), Num(scale * (d + 1)), Num(0.0)
                ),
                erratum.Row(
                    "deviation",
                    say("its deviation, times n"),
                    Num(scale * math.sqrt(2 * (d + 1))),
                    Num(sigma),
                ),
            ),
            (self._chances(draws), self._eigenvalues(wishart, normal)),
            proof=self._proof(values),
        )

    def _proof(self, values: dict[str, Num | Message]) -> tuple[str | Message, ...]:
        last = say("It is 1 − exp(−ε/3), since 1/(yᵀW⁻¹y) is C·χ² with 2 degrees of freedom.")
        if self.neighbours == "replace":
            last = say("For x = 0, which is a row too, it is {zero} = 1 − exp(−ε/3).", **values)
        return (
            N_("W is positive definite: under A′ every output M has M − A′ positive definite."),
            N_(
                "Under A, M − A′ = W + (xxᵀ − yyᵀ)/n has a negative eigenvalue with probability "
                "{p} ({seen} of {trials} {trials:draw|draws})."
            ),
            say(
                "Such outputs never occur under A′, so whatever ε is declared δ is at least {p}. "
                "{more}",
                more=last,
                **values,
            ),
        )

    def _least(self, draws: erratum.Draws, sigma: float) -> Array:
        """Smallest eigenvalues, shape (2, trials), see `least_eigenvalues`."""
        drawn = ("wishart", self.dims, draws.trials, draws.seed)
        unit = draws.remember(drawn, lambda: matrices(self.dims, draws.trials, draws.seed))
        found: Array = draws.remember(
            (*drawn, self.epsilon, sigma, self.neighbours),
            lambda: least_eigenvalues(unit, self.epsilon, sigma, self.neighbours),
        )
        return found

    def _chances(self, draws: erratum.Draws) -> Figure:
        return erratum.compared(
            self,
            draws,
            "impossible",
            say("Outputs that the neighbour cannot give"),
            erratum.epsilons(),
            Axis(say("share of outputs"), range=(-0.03, 1.03)),
            lambda e: impossible(e, self.neighbours),
            np.zeros_like,
            say("exact, the same for every n and d"),
            names=(say("Wishart noise"), say("Gaussian noise: none")),
        )

    def _eigenvalues(self, wishart: Array, normal: Array) -> Figure:
        reach = nice_above(
            float(max(np.quantile(np.abs(wishart), 0.98), np.quantile(np.abs(normal), 0.98)))
        )
        edges = np.linspace(-reach, reach, BARS + 1)
        areas = [
            np.histogram(values, edges)[0] / (len(values) * np.diff(edges))
            for values in (wishart, normal)
        ]
        return Figure(
            "eigenvalue",
            say("Output less the neighbour’s matrix"),
            Axis(say("smallest eigenvalue, times n"), range=(-reach, reach)),
            Axis(say("density"), room=1.05, hidden=True),
            (
                Band("forbidden", "band", say("impossible with Wishart noise"), -reach, 0.0),
                Area(f"{erratum.CORRECTED}draws", "first", say("Gaussian noise"), edges, areas[1]),
                Area(f"{erratum.PRINTED}draws", "second", say("Wishart noise"), edges, areas[0]),
            ),
            say(
                "{trials} {trials:draw|draws}, d = {d}", trials=Num(len(wishart)), d=Num(self.dims)
            ),
            simulated=True,
            source=self.source,
        )
