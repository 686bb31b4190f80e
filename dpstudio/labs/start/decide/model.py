"""What Decide knows: one answer at one ε, the best attacker on it, and the deployments."""

from dataclasses import dataclass

from dpstudio.labs.answer_model import AnswerModel, answer_model
from dpstudio.labs.context import Context
from dpstudio.labs.deployments_chart import within_reach
from dpstudio.labs.memo import once
from dpstudio.labs.start.decide.parameters import Decide
from dpstudio.privacy.deployments import Deployment, chosen, numbered, placed
from dpstudio.privacy.neighbours import attacker
from dpstudio.privacy.release.attacked import attacked, best_right

EVEN = 0.5  # how sure someone is before the answer


@dataclass(frozen=True, eq=False)
class DecideModel:
    """One state of the lab on a table that can answer its question. `register`: the deployments as
    they are known where it runs."""

    lab: Decide
    answer: AnswerModel
    register: tuple[Deployment, ...]

    @property
    def epsilon(self) -> float:
        """Where the dial stands."""
        return self.lab.mechanism.epsilon


def decide_model(lab: Decide, context: Context) -> DecideModel:
    """The state of the lab."""
    return DecideModel(lab, answer_model(lab, lab.mechanism, context), context.deployments())


# The guess about one person.


def right_at_most(model: DecideModel) -> int:
    """Of 100 even guesses, how many are right on average at most, by the promise alone."""
    return attacker.right_of_100(model.epsilon, 0.0)


@once
def right_on_average(model: DecideModel) -> float:
    """Of 100 such guesses, how many the best attacker who knows all others has right, by the exact
    law of the whole answer."""
    return 100 * best_right(model.answer.release)


def sure_at_most(model: DecideModel) -> float:
    """How sure someone is after the answer at most who was half sure before."""
    return float(attacker.posterior(EVEN, model.epsilon))


@once
def speaking(model: DecideModel) -> tuple[float, float]:
    """Of 100 answers, how many are likelier with the person than without: if so, and if not."""
    so, not_so = attacked(model.answer.release).above(0.0, strictly=True)
    return 100 * so, 100 * not_so


@once
def hundred(model: DecideModel) -> tuple[int, int, int, int]:
    """A hundred guesses: right by chance, more on average, more at most, and still wrong."""
    most = right_at_most(model)
    chance = round(100 * EVEN)
    average = min(max(round(right_on_average(model)), chance), most)
    return chance, average - chance, most - average, 100 - most


def kept_of_100(model: DecideModel) -> float:
    """Of 100 answers, how many lie within the ± that is told."""
    return 100 * model.lab.confidence


# What others promised.


@once
def shown(model: DecideModel) -> tuple[Deployment, ...]:
    """Those that are drawn: with a number, no drafts, and as the filters have them."""
    return chosen(placed(model.register), model.lab.units, model.lab.models)


def reach_of(model: DecideModel) -> tuple[int, int]:
    """The same of all units together."""
    return within_reach(shown(model), model.epsilon), len(shown(model))


@dataclass(frozen=True)
class Apart:
    """Of the whole register: how many there are, are drafts, say no number, are approved; and of
    those drawn how many are doubtful."""

    all: int
    drafts: int
    silent: int
    approved: int
    doubtful: int


@once
def apart(model: DecideModel) -> Apart:
    """What is not drawn, and what is not to be taken as it stands."""
    them = model.register
    return Apart(
        len(them),
        sum(1 for each in them if each.draft),
        len(them) - len(numbered(them)),
        sum(1 for each in them if each.approved),
        sum(1 for each in shown(model) if each.doubtful),
    )
