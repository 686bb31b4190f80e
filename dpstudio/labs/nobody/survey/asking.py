"""What a survey takes and costs: how many people, and what asking them again spends and gains."""

import math

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.nobody.survey.model import SurveyModel, few
from dpstudio.privacy.local.coins import BiasedCoins, Coins, Warner


def up(people: float) -> int:
    """The next whole person, where rounding errors make none."""
    return max(1, math.ceil(people * (1 - 1e-12)))


def needed(model: SurveyModel, coins: Coins | None, asked: int = 1) -> int:
    """People for an interval within ± the aim at the likely share; without coins, where all tell
    the truth."""
    noise = float(coins.noise(model.likely)) / asked if coins else 0.0
    spread = model.likely * (1 - model.likely) + noise
    return up((model.z / model.lab.aim) ** 2 * spread)


def needed_here(model: SurveyModel) -> int:
    """The same with the coins in use, asked as often as here."""
    return needed(model, model.coins, model.lab.asked)


def needed_for_coins(model: SurveyModel) -> int:
    """People for a standard error of the aim from the coins alone."""
    noise = float(model.coins.noise(model.likely)) / model.lab.asked
    return up(noise / model.lab.aim**2)


def untold(model: SurveyModel) -> bool:
    """Whether so few of one answer make the number of people needed look smaller than it can be
    told from them."""
    return few(model) and needed_here(model) <= model.lab.n


def needed_curve(model: SurveyModel, kind: type[Coins], epsilons: Array) -> list[float]:
    """People needed with coins of that kind, asked once, at each ε; NaN where they cannot be
    had."""
    made = [kind().at(float(epsilon)) for epsilon in epsilons]
    return [needed(model, coins) if coins else math.nan for coins in made]


def total_epsilon(model: SurveyModel, asked: int | None = None) -> float:
    """ε of all answers of one person with fresh coins each time: as often as here, or `asked`
    times (sequential composition)."""
    return float((model.lab.asked if asked is None else asked) * model.coins.claim)


def one_question(model: SurveyModel, asked: int) -> Warner:
    """One question that spends the ε of so many answers."""
    found = Warner().at(asked * model.coins.claim)
    assert found is not None
    return found


def better_coins(model: SurveyModel) -> int:
    """People needed with a fair second coin at the ε of the coins in use, asked as often."""
    return needed(model, one_question(model, 1), model.lab.asked)


def biased_coins(model: SurveyModel) -> Array:
    """p, ε of two biased coins and the ε of the texts' formula, shape (3, points)."""

    def curves() -> Array:
        p = np.linspace(0.001, 0.999, model.effort.of_points(333))
        coins = [BiasedCoins(float(x)) for x in p]
        return array(np.stack([p, [c.claim for c in coins], [c.printed for c in coins]]))

    return model.data.remember(("survey", "biased coins", model.effort), curves)
