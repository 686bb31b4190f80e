"""What can be audited: what multiplicative weights (MWEM) ask and are told, of a small table and of
its neighbour."""

from functools import cached_property

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.attacks.subject import Subject
from dpstudio.privacy.mechanisms.additive import EPSILON
from dpstudio.privacy.mechanisms.selection import log_sum
from dpstudio.privacy.synthetic.marginals import Codes
from dpstudio.privacy.synthetic.weights import Answered, misses, questions, reweighted
from dpstudio.values.messages import N_
from dpstudio.values.parameters import param

_PEOPLE, _TURNS = 7.0, 2
_FAR = np.geomspace(1.05, 30.0, 60)  # answers so far off that weights move no more beyond


class NoisyWeights(Subject):
    """Two turns over two columns of two values: which question is answered worst, and its noisy
    answer, which moves the weights that the next turn looks at. In D′ somebody enters the cell that
    nobody is in; how many people the weights add up to is public."""

    key = "noisy_weights"
    label = N_("Noisy weights")
    what = N_(
        "Two turns of multiplicative weights on four cells, each a private choice of a question "
        "and its noisy answer: somebody enters the cell that is empty in D."
    )
    whole = False

    epsilon: float = param(1.0, EPSILON)

    @property
    def part(self) -> float:
        """The ε of each choice and of each answer."""
        return self.epsilon / (2 * _TURNS)

    @cached_property
    def queries(self) -> Array:
        """The questions, shape (questions, 4)."""
        return questions((2, 2))

    def truth(self, side: int) -> Array:
        """The answer to each question."""
        return np.asarray(self.queries @ np.array([3.0, side, 2.0, 1.0]))

    def outputs(self, rng: np.random.Generator, side: int, size: int) -> Array:
        """Each turn's question and its answer; shape (size, 4)."""
        exact, now = self.truth(side), _even(size)
        known, out = list[Answered](), list[Array]()
        for _ in range(_TURNS):
            now = reweighted(now, self.queries, known, _PEOPLE)
            # The exponential mechanism is the largest score with Gumbel noise.
            scores = self.part / 2 * misses(exact, self.queries, now)
            asked = np.argmax(scores + rng.gumbel(size=scores.shape), axis=1)
            answer = exact[asked] + rng.laplace(0.0, 1 / self.part, size)
            known.append((asked, answer))
            out += [asked.astype(np.float64), answer]
        return np.stack(out, axis=1)

    def loss(self, outputs: Array) -> Array:
        now, known, total = _even(len(outputs)), list[Answered](), np.zeros(len(outputs))
        for turn in range(_TURNS):
            now = reweighted(now, self.queries, known, _PEOPLE)
            asked, answer = outputs[:, 2 * turn].astype(np.int64), outputs[:, 2 * turn + 1]
            total += self._asked(now, asked) + self._told(asked, answer)
            known.append((asked, answer))
        return total

    def exact(self) -> float:
        """The largest loss either way, to nine digits: over the first answer by a search, over all
        else by trying it."""
        from scipy.optimize import minimize_scalar

        near = 3 * _PEOPLE
        at = np.concatenate([-_FAR[::-1] * near, np.linspace(-near, near, 601), _FAR * near])
        most, every = 0.0, np.arange(len(self.queries))
        for sign in (1, -1):
            grid = self._most(every[:, None], at[None], sign)
            asked, place = divmod(int(np.argmax(grid)), len(at))

            def less(answer: float, asked: int = asked, sign: int = sign) -> float:
                return -float(self._most(np.array(asked), np.array(answer), sign))

            ends = float(at[max(place - 1, 0)]), float(at[min(place + 1, len(at) - 1)])
            found = minimize_scalar(less, bounds=ends, method="bounded", options={"xatol": 1e-10})
            most = max(most, float(grid.max()), -float(found.fun))
        return most

    def _most(self, asked: Codes, answer: Array, sign: int) -> Array:
        """The largest loss, times the sign, after a first question and its answer."""
        even = _even(1)[0]
        first = self._asked(np.broadcast_to(even, (*asked.shape, 4)), asked)
        now = reweighted(even, self.queries, [(asked, answer)], _PEOPLE)
        moved = self.part * np.abs(self.truth(0) - self.truth(1))
        second = np.max(sign * self._choices(now) + moved, axis=-1)
        return np.asarray(sign * (first + self._told(asked, answer)) + second)

    def _asked(self, now: Array, asked: Codes) -> Array:
        """The loss of a choice where the weights are `now`."""
        return np.take_along_axis(self._choices(now), asked[..., None], -1)[..., 0]

    def _choices(self, now: Array) -> Array:
        """The loss of each choice where the weights are `now`; shape (…, questions)."""
        sides = []
        for side in (0, 1):
            scores = self.part / 2 * misses(self.truth(side), self.queries, now)
            sides.append(scores - log_sum(scores)[..., None])
        return np.asarray(sides[0] - sides[1])

    def _told(self, asked: Codes, answer: Array) -> Array:
        """The loss of an answer."""
        far = [np.abs(answer - self.truth(side)[asked]) for side in (0, 1)]
        return np.asarray(self.part * (far[1] - far[0]))


def _even(size: int) -> Array:
    return np.full((size, 4), _PEOPLE / 4)
