"""What the charts and sentences of Selection share: candidates, scores, exact probabilities, draws,
and where candidates stand."""

import math
from dataclasses import dataclass, replace

import numpy as np

from dpstudio.charts.figure import Array, array, nice_above
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context
from dpstudio.labs.draws import sorted_uniforms
from dpstudio.labs.hidden_noise import hidden_noise
from dpstudio.labs.memo import once
from dpstudio.labs.named_rows import NamedRows, named_rows
from dpstudio.labs.one_answer.selection.parameters import Selection
from dpstudio.privacy.mechanisms.choosing import SELECTIONS
from dpstudio.privacy.mechanisms.selection import Scores, least_within
from dpstudio.privacy.mechanisms.selection import Selection as Mechanism
from dpstudio.privacy.neighbours.attacker import right_of_100
from dpstudio.privacy.queries.candidates import Candidates
from dpstudio.privacy.sampling import ReleaseRandom
from dpstudio.values.parameters import switch, to_json
from dpstudio.values.roots import root


@dataclass(frozen=True, eq=False)
class SelectionModel:
    """One question on one table: its candidates, and their scores as the mechanism sees them."""

    lab: Selection
    context: Context
    asked: Candidates
    scores: Scores

    @property
    def data(self) -> Dataset:
        """The rows that are asked."""
        return self.context.data

    @property
    def count(self) -> int:
        """How many candidates there are."""
        return len(self.asked.labels)

    @property
    def hidden(self) -> bool:
        """Whether nothing that follows from the exact scores may appear."""
        return not self.lab.show_truth and not self.asked.typed

    @property
    def exact(self) -> bool:
        """Whether what is drawn holds exact answers from a table."""
        return not self.asked.typed

    @property
    def trials(self) -> int:
        """How many simulated winners the whiskers stand for."""
        return self.context.effort.of_draws(self.lab.trials)


def selection_model(lab: Selection, context: Context) -> SelectionModel:
    """The state of the lab on a table that can answer its question; scores are monotone only where
    that is to be used."""
    data = context.data
    asked = data.remember(
        ("choosing", lab.query, lab.adjacency), lambda: lab.query.ask(data, lab.adjacency)
    )
    scores = asked.scores
    if scores.monotone and not lab.monotone:
        scores = replace(scores, monotone=False)
    return SelectionModel(lab, context, asked, scores)


def whose(model: SelectionModel) -> tuple[object, ...]:
    """What the scores depend on, for the table to remember what follows from them."""
    return ("selection", model.lab.query, model.lab.adjacency, model.lab.monotone)


@once
def mechanisms(model: SelectionModel) -> tuple[Mechanism, ...]:
    """All mechanisms at the same ε, in the order of the catalogue; the chosen one with its own
    variant."""
    chosen = model.lab.mechanism
    return tuple(chosen if kind is type(chosen) else switch(kind, chosen) for kind in SELECTIONS)


def chosen_last(model: SelectionModel) -> tuple[Mechanism, ...]:
    """The same with the chosen one at the end, so that it is drawn over the others."""
    chosen = model.lab.mechanism
    return (*(m for m in mechanisms(model) if m is not chosen), chosen)


# Exact probabilities and what follows from them.


@once
def chances(model: SelectionModel) -> dict[str, Array]:
    """P(i) of each mechanism at its ε, by key; shapes (n,)."""
    return {m.key: m.pmf(model.scores) for m in mechanisms(model)}


def log_chances_at(model: SelectionModel, epsilon: float) -> Array:
    """ln P(i) of the chosen mechanism at another ε, shape (n,); remembered."""
    mechanism = model.lab.mechanism.at(epsilon)
    return model.data.remember(
        ("pmf", *whose(model), mechanism), lambda: array(mechanism.log_pmf(model.scores))
    )


@once
def losses(model: SelectionModel) -> dict[str, float]:
    """Expected loss of each mechanism, in units of the score, by key."""
    return {key: float(pmf @ model.scores.loss) for key, pmf in chances(model).items()}


def ranked(model: SelectionModel) -> list[tuple[Mechanism, float]]:
    """Each mechanism with its expected loss, the least loss first."""
    lost = losses(model)
    return sorted(((m, lost[m.key]) for m in mechanisms(model)), key=lambda pair: pair[1])


def best_ones(model: SelectionModel) -> np.ndarray:
    """Which candidates have the highest score, booleans of shape (n,)."""
    return np.asarray(model.scores.loss == 0)


def tied(model: SelectionModel) -> int:
    """How many candidates are as good as the best one."""
    return int(best_ones(model).sum()) - 1


def blind_chance(model: SelectionModel) -> float:
    """P(a best candidate wins) where all are as likely."""
    return float(best_ones(model).mean())


@once
def log_chances(model: SelectionModel) -> dict[str, Array]:
    """ln P(i) of each mechanism at its ε, by key; shapes (n,)."""
    return {m.key: m.log_pmf(model.scores) for m in mechanisms(model)}


def log_missed(model: SelectionModel, key: str) -> float:
    """ln P(the winner is not a best candidate), summed over those: it may be far below what a float
    holds, and is −∞ only where all are best."""
    return log_sum(log_chances(model)[key][~best_ones(model)])


def reached(log_rest: float) -> float:
    """The probability that is left beside one of which this is the logarithm."""
    return -math.expm1(log_rest)


def log_loss(model: SelectionModel, key: str) -> float:
    """ln of the expected loss of a mechanism; −∞ only where all are best."""
    worse = ~best_ones(model)
    return log_sum(log_chances(model)[key][worse] + np.log(model.scores.loss[worse]))


def log_sum(logs: Array) -> float:
    """ln Σ e^x; −∞ of nothing."""
    return float(np.logaddexp.reduce(logs)) if len(logs) else -math.inf


def error_kept(model: SelectionModel) -> float:
    """The error that the confidence keeps: the least that this share of winners is within."""
    lab = model.lab
    return least_within(model.asked.errors, chances(model)[lab.mechanism.key], lab.confidence)


def shares_within(model: SelectionModel, mechanism: Mechanism) -> tuple[Array, Array]:
    """(error, share of winners within it) at every error that there is, ascending."""
    errors = model.asked.errors
    steps = np.unique(errors)
    weights = chances(model)[mechanism.key]
    order = np.searchsorted(steps, errors)
    return steps, np.cumsum(np.bincount(order, weights=weights, minlength=len(steps)))


def noise_scale(model: SelectionModel) -> float:
    """The scale of the noise on one score, in units of the score."""
    return 1 / model.lab.mechanism.rate(model.scores)


def right_guesses(model: SelectionModel) -> int:
    """Of 100 guesses from even odds, how many are right on average at most after the answer."""
    return right_of_100(model.lab.mechanism.epsilon, 0.0)


# Draws.


@once
def replays(model: SelectionModel) -> Array:
    """Indices of winners of the algorithm as it is written, shape (240, 1)."""
    rng = np.random.Generator(np.random.SFC64([model.lab.seed, 1]))
    size = model.context.effort.replays
    return array(model.lab.mechanism.simulate(rng, model.scores, size)[:, None])


@once
def unseen_winner(model: SelectionModel) -> Array:
    """The one winner that a reader is given, shape (1, 1): other noise for every question and
    budget."""
    lab = model.lab
    asked = [to_json(lab.query), to_json(lab.mechanism), lab.adjacency, lab.monotone]
    leaving = model.context.leaving
    if leaving is not None:

        def drawn(data: Dataset, chance: ReleaseRandom) -> int:
            exact = selection_model(lab, replace(model.context, data=data))
            return lab.mechanism.leave(chance, exact.scores)

        promise = lab.mechanism.guarantee()
        return array([[leaving.draw(["choice", lab.seed, *asked], promise, drawn)]])
    rng = hidden_noise(model.data, lab.seed, 1, asked)
    return array(lab.mechanism.simulate(rng, model.scores, 1)[:, None])


@once
def frequencies(model: SelectionModel) -> Array:
    """The share of `trials` simulated winners that each candidate has, shape (n,); by inversion of
    sorted uniforms."""
    seed, trials = model.lab.seed, model.trials
    uniforms = model.data.remember(
        ("uniforms", seed, trials), lambda: sorted_uniforms(seed, trials)
    )
    steps = np.cumsum(chances(model)[model.lab.mechanism.key])
    found = np.searchsorted(uniforms, steps / steps[-1])
    found[-1] = trials
    return np.asarray(np.diff(found, prepend=0) / trials)


def wilson(share: Array, trials: int, confidence: float) -> tuple[Array, Array]:
    """(low, high) of Wilson's interval for a share of `trials` draws; shapes of `share`."""
    # The normal quantile as a root of erfc: scipy would cost 0.2 s for it.
    z = root(lambda x: math.erfc(x / math.sqrt(2)) - (1 - confidence), 0.0, 10.0, 1e-9)
    whole = 1 + z * z / trials
    middle = (share + z * z / (2 * trials)) / whole
    spread = np.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    half = z / whole * spread
    return np.maximum(middle - half, 0.0), np.minimum(middle + half, 1.0)


# Where candidates stand.


@once
def places(model: SelectionModel) -> Array:
    """Where each candidate stands on the axis: at its number, else by falling score. Shape (n,)."""
    if model.asked.values is not None:
        return model.asked.values
    made = np.empty(model.count)
    made[np.argsort(-model.scores.values, kind="stable")] = np.arange(model.count)
    return made


def least_step(model: SelectionModel) -> float:
    """The least distance of two candidates on the axis."""
    return float(np.diff(np.sort(places(model))).min()) if model.count > 1 else 1.0


@once
def far(model: SelectionModel) -> float:
    """The largest error that 99 % of the winners of any mechanism keep."""
    errors = model.asked.errors
    return max(least_within(errors, pmf, 0.99) for pmf in chances(model).values())


@once
def axis_range(model: SelectionModel) -> tuple[float, float]:
    """The part of the axis that is seen: all candidates, or where distance counts what is near the
    best."""
    if model.asked.values is None:
        return -0.6, model.count - 0.4
    place, step = places(model), least_step(model)
    low, high = float(place[0]), float(place[-1])
    if model.asked.metric:
        centre = float(place[model.asked.best])
        wide = nice_above(1.2 * max(far(model), 6 * step))
        low, high = max(low, centre - wide), min(high, centre + wide)
    return low - 0.6 * step, high + 0.6 * step


@once
def laid_out(model: SelectionModel) -> NamedRows:
    """The candidates in rows, the highest score on top."""
    return named_rows(model.scores.values)


def blind_chance_each(model: SelectionModel) -> float:
    """P(one candidate wins) where all are as likely."""
    return 1 / model.count


def log_row_chances(model: SelectionModel, key: str) -> list[tuple[float, float]]:
    """ln of the chance of each row to win, and of all other rows, the lowest row first."""
    rows, logs = laid_out(model).rows, log_chances(model)[key]
    own = (rows == row for row in range(laid_out(model).count))
    return [(log_sum(logs[here]), log_sum(logs[~here])) for here in own]


def row_chances(model: SelectionModel) -> dict[str, Array]:
    """The exact chance of each row to win, by mechanism; index 0 is the lowest row."""
    return {key: laid_out(model).together(held) for key, held in chances(model).items()}
