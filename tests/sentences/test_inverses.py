"""Every number that is said as what a target needs or a budget allows, at random states of every
lab that says one: put back in forwards, by another route than the one that solved it, it gives the
target, and nothing larger (or smaller) does."""

import math
import re
from collections.abc import Callable, Iterator
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from scipy import special

from dpstudio.data.dataset import Dataset
from dpstudio.labs import LABS
from dpstudio.labs import series_ledger as ledger
from dpstudio.labs.context import LITTLE, Context
from dpstudio.labs.findings import Sentence
from dpstudio.labs.many_answers.composition import asked_words, budget_words, keeping, words
from dpstudio.labs.many_answers.composition.asked import delta_asked, divergence_asked
from dpstudio.labs.many_answers.composition.budget import best_kept
from dpstudio.labs.many_answers.composition.model import CompositionModel, composition_model
from dpstudio.labs.many_answers.composition.parameters import Composition
from dpstudio.labs.nobody.local_means.errors import own_error
from dpstudio.labs.nobody.local_means.model import MeansModel
from dpstudio.labs.nobody.survey.model import SurveyModel
from dpstudio.labs.one_answer.dimension.model import DimensionModel, error
from dpstudio.labs.one_answer.explore.model import ExploreModel
from dpstudio.labs.one_answer.selection.model import SelectionModel, best_ones
from dpstudio.labs.release_list import refitted
from dpstudio.privacy.accounting import ACCOUNTANTS, Accountant, Ledger, Numeric, Spend
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.privacy.mechanisms.gaussian import AnalyticGaussian
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.privacy.queries.histogram import Histogram
from dpstudio.privacy.release.release import Release
from dpstudio.values.messages import Message, Num, render
from dpstudio.values.parameters import ParamError, domains, from_json, put, to_json
from tests.random_states import random_state
from tests.running import lab_of

# How such a number is said. What says it another way is no inverse, or is to be listed here.
SOUNDS = re.compile(
    r"spend at most ε|refuse after|needs ε =|may have .* their ε|The least .* noise for|"
    r"from ε = .* on|takes [\d,]+ people|needs [\d,]+ people|meet at k ="
)
HAIR = 1e-9


def value(sentence: Sentence, name: str) -> float:
    """The number of that name as it was solved."""
    held = sentence.say.values[name]
    if isinstance(held, Message):  # “82”, or “1,000,000 or more”
        (held,) = (part for part in held.values.values() if isinstance(part, Num))
    return float(held.value if isinstance(held, Num) else held)


def told(sentence: Sentence, name: str) -> float:
    """The same as it is read."""
    text = str(sentence.say.values[name]).replace(",", "").replace("−", "-")
    head, _, power = text.partition("·10")
    digits = "".join(
        "0123456789"["⁰¹²³⁴⁵⁶⁷⁸⁹".index(c)] if c in "⁰¹²³⁴⁵⁶⁷⁸⁹" else "-" for c in power
    )
    return float(head) * 10.0 ** int(digits or 0)


# Composition


def applying(spend: Spend, k: int, adjacency: str) -> list[Accountant]:
    """Every bound on one person's loss that applies to k such releases, but those that suppose a
    promise that is broken."""
    made = (kind() for kind in ACCOUNTANTS if kind.envelope)
    one = Ledger((spend.times(k),), adjacency)
    return [a for a in made if a.refuse(one) is None and not a.supposes(one)]


def least_total(spend: Spend, k: int, delta: float, adjacency: str) -> float:
    """The least total ε of k releases by any bound."""
    one = Ledger((spend.times(k),), adjacency)
    if delta >= 1:
        return math.inf
    return min(a.epsilon(one, delta) for a in applying(spend, k, adjacency))


def check_budget(model: CompositionModel, sentence: Sentence) -> None:
    """The ε of each, and how many: by every bound that applies to the mechanism in force."""
    lab, spend, budget = model.lab, model.spend, model.lab.budget
    k, adjacency = model.answers, lab.adjacency
    each = value(sentence, "each")
    assert each * 0.99 < told(sentence, "each") <= each * (1 + 1e-12)
    assert least_total(spend.at(each), k, model.delta, adjacency) <= budget * (1 + HAIR)
    # The textbook Gaussian may go no further than it keeps its promise.
    assert spend.at(each).kept
    if spend.at(each * (1 + 1e-6)).kept:
        more = least_total(spend.at(each * (1 + 1e-4)), k, model.delta, adjacency)
        assert more > budget or each > 1e4
        # These very losses really cost more, with 1 % more ε: what is certified from below says so.
        low = Numeric().curves(spend.at(each * 1.01), np.array([float(k)]), model.delta)[0]
        assert float(low[0]) > budget or each > 1e4
    afford = round(value(sentence, "afford"))
    own, slack = spend.delta, lab.delta_prime
    if afford:
        assert least_total(spend, afford, afford * own + slack, adjacency) <= budget * (1 + HAIR)
    if afford < 1_000_000 and "or more" not in render(sentence.say):
        delta = (afford + 1) * own + slack
        assert least_total(spend, afford + 1, delta, adjacency) > budget * (1 - HAIR)


def check_scale(model: CompositionModel, sentence: Sentence) -> None:
    """The least scale: with it the budget is kept, with 0.1 % less it is not."""
    spend, k, adjacency = model.spend, model.answers, model.lab.adjacency
    solved = value(sentence, "scale")
    assert solved * (1 - 1e-12) <= told(sentence, "scale") < solved * 1.001
    for scale, within in ((solved * (1 + 1e-9), True), (solved * 0.999, False)):
        at = spend.at(model.lab.mechanism.epsilon_of(scale))
        if within or at.kept:
            total = least_total(at, k, model.delta, adjacency)
            assert (total <= model.lab.budget * (1 + HAIR)) == within


def check_kept(model: CompositionModel, sentence: Sentence) -> None:
    """The factor on what is unlocked: the list costs the budget, and more with 0.01 % more."""
    best = best_kept(model)
    if best is None or best.factor == 0:
        return

    def total(factor: float) -> float:
        def grown(mechanism: Any) -> Any:
            return mechanism.at(mechanism.epsilon * factor, mechanism.total_delta)

        entries = tuple(refitted(entry, grown) for entry in model.entries)
        held = ledger.ledger_of(entries, model.lab.adjacency, model.data.contributions)
        return best.bound.epsilon(held, model.delta)

    assert total(best.factor) <= model.lab.budget * (1 + HAIR)
    if best.factor < keeping.cap(model.entries) * (1 - HAIR):
        textbook = any("textbook" in str(entry) for entry in model.entries)
        assert textbook or total(best.factor * 1.0001) > model.lab.budget


def composition_states(data: Dataset) -> Iterator[Composition]:
    """Equal answers by each mechanism, at random budgets and slacks, 0 among them, and lists."""
    for seed, kind in enumerate(MECHANISMS):
        made = random_state(Composition, seed, data)
        rng = np.random.default_rng(seed)
        mechanism = kind(epsilon=float(f"{10 ** rng.uniform(-2, 0.5):.3g}"))
        if not mechanism.pure:
            mechanism = mechanism.with_(delta=10.0 ** -rng.integers(6, 10))
        slack = 0.0 if seed % 4 == 3 else made.delta_prime
        answers = int(10 ** rng.uniform(0, 3)) if not mechanism.integers else 30
        yield made.with_(
            given="equal", mechanism=mechanism, answers=answers, delta_prime=slack,
            budget=float(f"{10 ** rng.uniform(-1, 1.5):.3g}"),
        )  # fmt: skip
    for text in ("3 x laplace 0.1 | gaussian 0.5 1e-6 | (laplace 0.2 + laplace 0.3)",
                 "20 x gaussian 0.2 1e-8 locked | 5 x gaussian 1 1e-7",
                 "textbook 0.5 1e-6 | geometric 2"):  # fmt: skip
        yield Composition(given="list", releases=text, budget=4)


def composition_said(lab: Composition, data: Dataset) -> tuple[CompositionModel, list[Sentence]]:
    model = composition_model(lab, data, fine=True, effort=LITTLE)
    if not model.equal:
        return model, [budget_words.keep_sentence(model)]
    return model, [words._mitigations(model), *asked_words.asked_sentences(model)]


# Other labs


def aims_of(model: ExploreModel) -> dict[int, float]:
    """The ± that is asked for by part: of the one looked at, or, where the lab can ask that, of
    each part against itself."""
    lab, answer = model.lab, model.answer
    if lab.target_unit == "absolute":
        return {answer.part: lab.target}
    parts = [answer.part] if lab.target_unit == "percent" else range(len(answer.truth))
    return {part: lab.target / 100 * abs(float(answer.truth[part])) for part in parts}


def check_target(model: ExploreModel, sentence: Sentence) -> None:
    """The ε of a target: at it P(|error| ≤ target) is the confidence, and a little below it is
    less."""
    aims, answer, lab = aims_of(model), model.answer, model.lab
    if "epsilon" not in sentence.say.values or not all(aims.values()):
        return

    def inside(epsilon: float) -> float:
        mechanism = lab.mechanism.at(epsilon, lab.mechanism.total_delta)
        made = Release(
            answer.asked, mechanism, answer.release.post_processing, answer.release.draws
        )
        if answer.all_parts and len(aims) == 1:
            largest, (aim,) = made.largest(), aims.values()
            edge = math.floor(aim) if getattr(largest, "discrete", False) else aim
            return float(np.atleast_1d(largest.cdf(np.array([edge])))[0])
        laws = ((made.law_at(part), aim) for part, aim in aims.items())
        return min(law.inside(math.floor(aim) if law.discrete else aim) for law, aim in laws)

    simulated = answer.how != "exact" or (answer.all_parts and len(aims) > 1)
    off = 2e-2 if simulated else 1e-9
    for epsilon in (value(sentence, "epsilon"), told(sentence, "epsilon")):
        assert inside(epsilon) >= lab.confidence - off
    if not simulated and value(sentence, "epsilon") > 2e-6:
        assert inside(value(sentence, "epsilon") * (1 - 1e-6)) < lab.confidence


def check_winner(model: SelectionModel, sentence: Sentence) -> None:
    """The ε from which the best wins: there its chance is the confidence, to 1e-9."""
    if "epsilon" not in sentence.say.values:
        return
    best = best_ones(model)

    def chance(epsilon: float) -> float:
        mechanism = model.lab.mechanism.at(epsilon)
        if mechanism.key == "exponential":  # from the definition
            scores = model.scores.values * mechanism.rate(model.scores)
            weights = np.exp(scores - scores.max())
            return float(weights[best].sum() / weights.sum())
        return float(mechanism.pmf(model.scores)[best].sum())

    epsilon = value(sentence, "epsilon")
    if epsilon > 2e-9:
        assert chance(epsilon) == pytest.approx(model.lab.confidence, abs=1e-9)
        assert chance(epsilon * (1 - 1e-6)) < model.lab.confidence
    assert chance(told(sentence, "epsilon")) >= model.lab.confidence - 1e-9


def check_people(model: SurveyModel, sentence: Sentence) -> None:
    """So many people: their normal interval is within the aim, that of one less is not."""
    if "{needed" not in sentence.say.text:
        return
    lab, needed = model.lab, round(value(sentence, "needed"))
    z, share = NormalDist().inv_cdf((1 + lab.confidence) / 2), model.likely
    (_, _), (no, yes) = np.exp(lab.coins.channel(2))

    def width(n: int) -> float:
        chances = (yes, no)  # of a yes from who is yes, and from who is not
        # Var of one person's mean over m answers, by total variance.
        inner = sum(w * p * (1 - p) for w, p in zip((share, 1 - share), chances, strict=True))
        between = share * (1 - share) * (yes - no) ** 2
        return float(z * math.sqrt((inner / lab.asked + between) / n) / (yes - no))

    assert width(needed) <= lab.aim * (1 + 1e-8)
    assert needed == 1 or width(needed - 1) > lab.aim * (1 - 1e-8)


def check_collector(model: MeansModel, sentence: Sentence) -> None:
    """So few people: a trusted collector errs no more than the survey, and more with one less."""
    if "{few" not in sentence.say.text:
        return
    few, own = round(value(sentence, "few")), own_error(model)

    def errs(n: int) -> float:
        b = model.d * 2 * model.scale.half / n / model.protocol.epsilon
        if model.lab.measure == "half_width":
            return -b * math.log(1 - model.lab.confidence)
        return math.sqrt(2) * b

    assert errs(few) <= own * (1 + 1e-8)
    assert few == 1 or errs(few - 1) > own * (1 - 1e-8)


def check_meeting(model: DimensionModel, sentence: Sentence) -> None:
    """From that k on the one errs less, and not one coordinate earlier."""
    if "at" not in sentence.say.values:
        return
    names = {render(kind.label): kind.key for kind in MECHANISMS}
    pair = [names[render(sentence.say.values[who])] for who in ("one", "other")]
    winner = names[render(sentence.say.values["winner"])]
    loser = next(key for key in pair if key != winner)
    k = round(value(sentence, "k"))
    assert error(model, winner, k) < error(model, loser, k)
    before = value(sentence, "at") * (1 - 1e-6)
    assert error(model, winner, before) > error(model, loser, before)


Check = Callable[[Any, Sentence], None]
CHECKS: dict[tuple[str, str], Check] = {
    ("composition", "mitigations"): check_budget,
    ("composition", "least"): check_scale,
    ("composition", "keeps"): check_kept,
    ("explore", "needed"): check_target,
    ("selection", "needed"): check_winner,
    ("survey", "needed"): check_people,
    ("local_means", "central"): check_collector,
    ("dimension", "meeting"): check_meeting,
}
# Said by two checks above already, of the same numbers.
SAID_TWICE = {("survey", "better"), ("dimension", "change")}


def checked(key: str, model: Any, sentences: Iterator[Sentence] | list[Sentence]) -> int:
    """How many of the sentences were put back in; one that sounds like an inverse must be known."""
    found = 0
    for sentence in sentences:
        named = sentence.key.split("_")[0] if key == "dimension" else sentence.key
        check = CHECKS.get((key, named))
        if check is not None:
            check(model, sentence)
            found += 1
        elif SOUNDS.search(render(sentence.say)):
            assert (key, named) in SAID_TWICE, f"{key} {sentence.key}: {render(sentence.say)}"
    return found


def test_a_budget_of_composition_is_met_and_no_more(adult: Dataset) -> None:
    for lab in composition_states(adult):
        model, said = composition_said(lab, adult)
        if model.delta < 1:
            assert checked("composition", model, said) >= 1


def test_a_share_of_groups_is_named_or_holds_for_each(adult: Dataset) -> None:
    """“Within ± 5 %” of an answer by group is about every group, or it says which one it is of."""
    explore = next(about.kind for about in LABS if about.key == "explore")
    for unit in domains(explore)["target_unit"].words:
        lab = put(put(put(explore(), "query", "grouped"), "target", "5"), "target_unit", unit)
        *_, model = lab.page().stages(lab, Context(adult, effort=LITTLE))
        said = next(s for s in lab.page().sentences(model) if s.key == "needed")
        if unit == "percent":
            assert "part" in said.say.values, render(said.say)
        check_target(model, said)


OTHERS = sorted({lab for lab, _ in CHECKS} - {"composition"})


@pytest.mark.parametrize("key", OTHERS)
def test_what_a_target_needs_meets_it(key: str, adult: Dataset) -> None:
    kind = next(about.kind for about in LABS if about.key == key)
    context, found = Context(adult, effort=LITTLE), 0
    for seed in range(8):
        lab = random_state(kind, seed, adult) if seed else kind()
        page = lab.page()
        if any(problem.stops for problem in page.problems(lab, adult)):
            continue
        *_, model = page.stages(lab, context)
        found += checked(key, model, list(page.sentences(model)))
    assert found >= 2


# The numbers of issue 12, and closed forms to the last digits


def gaussian_delta(mu: float, epsilon: float) -> float:
    """δ(ε) of μ-GDP (Balle & Wang 2018, Theorem 8), as it is printed."""
    z = epsilon / mu
    return float(special.ndtr(mu / 2 - z) - math.exp(epsilon) * special.ndtr(-mu / 2 - z))


def test_gaussian_answers_may_spend_what_gaussian_dp_allows(adult: Dataset) -> None:
    """Not what is allowed to pure answers of which nothing else is known: a quarter of it."""
    lab = Composition(mechanism=AnalyticGaussian(epsilon=1, delta=1e-6), answers=37, budget=7)
    model, (said, least, *_) = composition_said(lab, adult)
    sigma = value(least, "scale")
    assert gaussian_delta(math.sqrt(37) / sigma, 7) == pytest.approx(model.delta, rel=1e-9)
    assert gaussian_delta(1 / sigma, value(said, "each")) == pytest.approx(1e-6, rel=1e-9)
    assert "Gaussian DP" in render(said.say)


@pytest.mark.parametrize("kind", [k for k in MECHANISMS if k().scale is not None])
@pytest.mark.parametrize("scale", [0.3, 1.0, 3.3, 700.0])
def test_a_typed_scale_is_the_scale_of_the_noise(kind: type, scale: float) -> None:
    """Also after a session was read, which keeps ε alone."""
    made = put(Laplace() if kind is Laplace else kind(), "scale", str(scale))
    read = from_json(MECHANISMS, to_json(made))
    assert read.scale == pytest.approx(scale, rel=1e-11)
    if kind.key == "gaussian":
        assert gaussian_delta(1 / scale, made.epsilon) == pytest.approx(made.delta, rel=1e-9)


def test_solved_closed_forms_have_twelve_digits(adult: Dataset) -> None:
    """Laplace noise within ±w at 95 % takes ε = ln(20)/w; k answers share a budget evenly."""
    explore = next(about.kind for about in LABS if about.key == "explore")
    lab = put(put(explore(), "target_unit", "absolute"), "target", "37")
    *_, model = lab.page().stages(lab, Context(adult, effort=LITTLE))
    said = next(s for s in lab.page().sentences(model) if s.key == "needed")
    assert value(said, "epsilon") == pytest.approx(math.log(20) / 37, rel=2e-12)
    for kind in ACCOUNTANTS[:1]:
        assert kind().per_release(37, 10.0, 1e-5) == pytest.approx(10 / 37, rel=2e-12)


def test_a_number_of_intervals_is_kept_or_said(adult: Dataset) -> None:
    """Round edges make 16 of the 15 that were asked for: that is said; with both ends there are
    15, and there is nothing to say."""
    histogram = Histogram(column="age", bins=15)
    asked = histogram.ask(adult, "add_remove")
    assert len(asked.truth) == 16
    assert any("15 intervals were asked for, and 16" in render(note) for note in asked.notes)
    for given in (histogram.with_(low=17, high=90), histogram.with_(edges=(0, 50, 100)),
                  Histogram(column="race")):  # fmt: skip
        told = given.ask(adult, "add_remove")
        assert not any("were asked for" in render(note) for note in told.notes)
        assert given.low is None or len(told.truth) == 15


def test_warners_coins_take_a_p(adult: Dataset) -> None:
    """In the words of a command line, as the window's editor puts it; 3/4 is two fair coins."""
    lab, _ = lab_of(["survey", "coins=warner", "coins.p=0.75"])
    assert lab.coins.epsilon == pytest.approx(math.log(3), rel=1e-15)
    with pytest.raises(ParamError, match=r"coins\.p"):
        put(lab, "coins.p", "0.5")


def test_no_slack_is_pure_budget(adult: Dataset) -> None:
    """A δ′ of 0 is taken, and k pure answers then cost what adding up says."""
    lab, _ = lab_of(["composition", "slack=0", "answers=37", "mechanism.epsilon=0.5"])
    model, said = composition_said(lab, adult)
    assert model.delta == 0
    assert value(said[0], "each") == pytest.approx(10 / 37, rel=2e-12)
    assert round(value(said[0], "afford")) == 20


@pytest.mark.parametrize("epsilon", [0.5, 2.0, 7.0])
def test_delta_and_divergence_are_those_asked_for(epsilon: float, adult: Dataset) -> None:
    """δ at an ε against the printed formula and its own integral; Rényi at an order against the
    integral; μ is √k/σ."""
    gauss = AnalyticGaussian(epsilon=1, delta=1e-6)
    lab = Composition(mechanism=gauss, answers=12, at_epsilon=epsilon, order=3.5)
    model = composition_model(lab, adult, fine=True)
    mu = math.sqrt(12) / gauss.scale
    assert delta_asked(model)[1] == pytest.approx(gaussian_delta(mu, epsilon), rel=1e-6)
    said = {s.key: s for s in asked_words.asked_sentences(model)}
    assert value(said["divergence"], "mu") == pytest.approx(mu, rel=1e-12)
    assert value(said["divergence"], "divergence") == pytest.approx(3.5 * mu**2 / 2, rel=1e-12)
    pure = composition_model(lab.with_(mechanism=Laplace(epsilon=0.7)), adult, fine=True)
    x = np.linspace(-80, 80, 4_000_001)
    p, q = 0.35 * np.exp(-0.7 * np.abs(x)), 0.35 * np.exp(-0.7 * np.abs(x - 1))
    integral = np.log(np.trapezoid(p**3.5 * q**-2.5, x)) / 2.5
    assert divergence_asked(pure) == pytest.approx(12 * integral, rel=1e-6)
    guarantee, _ = lab_of(["guarantee", "mechanism.epsilon=1", f"at_epsilon={epsilon}"])
    *_, one = guarantee.page().stages(guarantee, Context(adult, effort=LITTLE))
    exact = max(0.0, -math.expm1((epsilon - 1) / 2))
    found = {s.key: s for s in guarantee.page().sentences(one)}
    assert value(found["delta"], "delta") == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("kind", MECHANISMS, ids=lambda kind: kind.key)
@pytest.mark.parametrize("scale", ["1e-6", "1e9"])
def test_a_scale_beyond_the_ends_is_refused_in_numbers(kind: type, scale: str) -> None:
    """Where no ε was looked for it is not called infinite, or 0."""
    with pytest.raises(ParamError) as refused:
        put(kind(), "scale", scale)
    assert not re.search(r"\binf|\b0 is outside", str(refused.value))
