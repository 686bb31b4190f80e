"""Questions under one budget: what each must pay to be no further off than it may, and what all of
them cost one person together."""

import itertools
import math

from accounting import gaussian_epsilon
from scipy import optimize, special


def each_of(confidence, cells):
    """The confidence of one cell of so many, so that all keep theirs at once."""
    return confidence ** (1 / cells)


def gaussian_width(sigma, confidence):
    """The w with P(|X| ≤ w) = confidence of Gaussian noise."""
    return -sigma * special.ndtri((1 - confidence) / 2)


def laplace_width(scale, confidence):
    """The same of Laplace noise."""
    return scale * math.log(1 / (1 - confidence))


def geometric_width(loss, confidence):
    """The least whole w with P(|X| ≤ w) ≥ confidence of geometric noise, whose chances fall by
    r = exp(−loss) a step: P(|X| > w) = 2r^(w + 1)/(1 + r)."""
    exact = math.log(2 / ((1 - confidence) * (1 + math.exp(-loss)))) / loss - 1
    return max(0, math.ceil(exact - 1e-9))


def error_of(question, noise, cost, confidence):
    """How far off the answer is at a cost: ε of geometric or Laplace noise, ρ = Δ²/2σ² of Gaussian
    noise. A question says how far one person moves it, and of how many cells it is."""
    each = each_of(confidence, question["cells"])
    if "half_span" in question:
        return min(2 * question["half_span"], mean_error(question, noise, cost, each))
    if noise == "gaussian":
        return gaussian_width(math.sqrt(question["l2_squared"] / (2 * cost)), each)
    if question["whole"]:
        return geometric_width(cost / question["l1"], each)
    return laplace_width(question["l1"] / cost, each)


def mean_error(question, noise, cost, each):
    """How far off a mean is, from a noisy sum about the middle of its bounds and a noisy count of
    at least `size` rows: |(S + a)/(n + b) − S/n| ≤ w where |a − (S/n)b| ≤ w(n + b), and S/n is at
    most half the span. Where n is public there is no noise on it."""
    half, n = question["half_span"], question["size"]
    power = math.sqrt(1 / cost) if noise == "gaussian" else 1 / cost
    on_sum, on_count = (part * power for part in question["scales"][noise])
    width = gaussian_width if noise == "gaussian" else laplace_width
    if not on_count:
        return width(on_sum / n, each)
    if noise == "gaussian":  # z√(σ² + (half + w)²τ²) = wn, solved for w
        z = gaussian_width(1, each)
        a, b = n**2 - (z * on_count) ** 2, (z * on_count) ** 2 * half
        c = z * z * (on_sum**2 + (half * on_count) ** 2)
        return (b + math.sqrt(b * b + a * c)) / a if a > 0 else math.inf
    apart = math.sqrt(each)  # sum and count keep theirs at once
    missed = geometric_width(1 / on_count, apart)
    there = n - missed
    return (width(on_sum, apart) + half * missed) / there if there >= 1 else math.inf


def least_cost(question, noise, confidence):
    """The least cost at which the answer is no further off than it may be; ∞ where none will do."""
    if question["spend"] is not None:
        return question["spend"]
    low, high = math.log(1e-12), math.log(1e6)
    if error_of(question, noise, math.exp(high), confidence) > question["target"]:
        return math.inf
    if error_of(question, noise, math.exp(low), confidence) <= question["target"]:
        return math.exp(low)
    while high - low > 1e-12:
        middle = (low + high) / 2
        far = error_of(question, noise, math.exp(middle), confidence) > question["target"]
        low, high = (middle, high) if far else (low, middle)
    return math.exp(high)


def paid_by_one(questions, costs, touched):
    """What one person pays: of every question that stands alone, and of those about rows of which
    none is in two of them the dearest that a person can touch (McSherry 2009, Theorem 4)."""
    lots = {}
    for question, cost in zip(questions, costs, strict=True):
        lots.setdefault(question["lot"], []).append(cost)
    alone = sum(lots.pop(None, []))
    return alone + sum(sum(sorted(each, reverse=True)[:touched]) for each in lots.values())


def concentrated_epsilon(rho, delta):
    """ε at δ of ρ-zCDP: the least over α > 1 of ρα + ln(1 − 1/α) + (ln 1/δ − ln α)/(α − 1)
    (Canonne, Kamath & Steinke 2020, Corollary 13)."""

    def at(log_u):
        u = math.exp(log_u)
        log = math.log1p(1 / u)
        return rho * (1 + u) - log + (-math.log(delta) - math.log1p(u)) / u

    start = 0.5 * math.log(-math.log(delta) / rho)
    found = optimize.minimize_scalar(at, bounds=(start - 8, start + 8), method="bounded",
                                     options={"xatol": 1e-9})  # fmt: skip
    return max(0.0, found.fun)


def added_epsilon(questions, noises, costs, touched, delta):
    """The ε at δ of what is pure, added up, and of all Gaussian noise as one, exactly (Dong, Roth &
    Su 2022, Corollary 3.3)."""
    paid = [q["times"] * cost for q, cost in zip(questions, costs, strict=True)]
    gaussian = [noise == "gaussian" for noise in noises]
    pure = [0.0 if g else each for each, g in zip(paid, gaussian, strict=True)]
    rho = paid_by_one(
        questions, [each * g for each, g in zip(paid, gaussian, strict=True)], touched
    )
    found = paid_by_one(questions, pure, touched)
    return found + gaussian_epsilon(math.sqrt(2 * rho), delta) if rho else found


def total_epsilon(questions, noises, costs, touched, delta):
    """The ε at δ of all questions for one person: that, or by ρ of all of them, which is ε²/2 of
    what is pure (Bun & Steinke 2016)."""
    found = added_epsilon(questions, noises, costs, touched, delta)
    rho = paid_by_one(questions, [
        q["times"] * (cost if noise == "gaussian" else cost * cost / 2)
        for q, noise, cost in zip(questions, noises, costs, strict=True)
    ], touched)  # fmt: skip
    return min(found, concentrated_epsilon(rho, delta)) if delta and rho else found


def needed_costs(questions, confidence):
    """Of each question the least cost of each noise that it can have, where some cost will do."""
    found = []
    for question in questions:
        costs = {noise: least_cost(question, noise, confidence) for noise in question["noises"]}
        found.append({noise: cost for noise, cost in costs.items() if cost < math.inf})
    return found


def best_noises(questions, needs, touched, delta):
    """The least ε of all, with the noise and the cost of each question: every choice is tried."""
    tried = []
    for noises in itertools.product(*needs):
        costs = [each[noise] for each, noise in zip(needs, noises, strict=True)]
        tried.append((total_epsilon(questions, noises, costs, touched, delta), noises, costs))
    return min(tried)
