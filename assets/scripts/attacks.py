"""Attackers: how often they are right who see noisy totals, and what they solve from them."""

import math

import numpy as np
from chance import stream
from scipy import optimize, special, stats


def most_right(epsilon, delta):
    """The most guesses at one of two neighbours, as likely before, that are right:
    (e^epsilon + delta)/(e^epsilon + 1). (Kairouz, Oh & Viswanath 2015)"""
    return min(1.0, (1 + delta * math.exp(-epsilon)) / (1 + math.exp(-epsilon)))


def advantage_of_best(cdf, shift, whole=False):
    """The total variation of two answers that lie `shift` apart, under noise whose density falls
    on either side of 0: true minus false positives of the best test. (Neyman & Pearson 1933)"""
    middle = math.floor(shift / 2) if whole else shift / 2
    return float(cdf(middle) - cdf(middle - shift))


def laplace_difference(x, scale):
    """P(X - Y <= x) of two Laplace noises of one scale."""
    far = abs(x) / scale
    tail = math.exp(-far) * (2 + far) / 4
    return tail if x < 0 else 1 - tail


def geometric_difference(x, loss):
    """P(D < x) + P(D = x)/2, x >= 0, of the difference D of two noises on the integers with
    P(X = k) proportional to e^(-loss |k|)."""
    r, rest = math.exp(-loss), -math.expm1(-loss)

    def at_least(d):  # the sum over j >= d of P(D = j), in closed form
        return r**d / (1 + r) ** 2 * (d * rest + r + (1 + r * r) / (1 + r))

    k = math.floor(x)
    return 1 - (at_least(k) + at_least(k + 1)) / 2 if k == x else 1 - at_least(k + 1)


def three_quarters(share_below, whole=False):
    """Half of all differences, symmetric about 0, are no further from it than this."""
    low, high, reached = 0.0, 1.0, share_below
    if whole:  # between two integers nothing changes

        def reached(x):
            return share_below(math.floor(x) + 0.5)

    while reached(high) < 0.75:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if reached(middle) < 0.75 else (low, middle)
    return math.floor(high) if whole else high


def laplace_power(alarms, ratio):
    """True positives of the best test between two Laplace laws `ratio` scales apart, with so many
    false ones. (Dong, Roth & Su 2022)"""
    a = math.exp(-ratio)
    if alarms <= a / 2:
        return alarms / a
    return 1 - a / (4 * alarms) if alarms <= 0.5 else 1 - a * (1 - alarms)


def gaussian_power(alarms, ratio):
    """The same of two normal laws `ratio` deviations apart: Phi(Phi^-1(alarms) + ratio)."""
    return float(special.ndtr(special.ndtri(alarms) + ratio))


def whole_power(alarms, cdf, shift):
    """The same of noise on the integers: from a threshold on, and at it by a coin."""
    low, high = 0, 1
    while 1 - cdf(high - 1) > alarms:
        high *= 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if 1 - cdf(middle - 1) > alarms else (low, middle)
    less, more = 1 - cdf(high - 1), 1 - cdf(high - 2)
    coin = (alarms - less) / (more - less)
    return float((1 - coin) * (1 - cdf(high - 1 - shift)) + coin * (1 - cdf(high - 2 - shift)))


def advantage_of_laplaces(loss, many, step=2**-11):
    """The total variation of `many` Laplace answers, each of which moves by `loss` scales: of the
    sum of their privacy losses, on a lattice. A loss is `loss` with chance 1/2, -loss with
    e^-loss/2, and between them has the density e^((l - loss)/2)/4."""
    step *= loss
    edges = np.arange(-loss - step / 2, loss + step, step)
    chances = np.exp((edges - loss) / 2) / 2
    chances = np.diff(np.clip(chances, math.exp(-loss) / 2, 1 / 2))
    chances[0] += math.exp(-loss) / 2
    chances[-1] += 1 / 2
    size = 1 << math.ceil(math.log2(len(chances) * many))
    whole = np.fft.irfft(np.fft.rfft(chances, size) ** many, size)[: (len(chances) - 1) * many + 1]
    losses = (np.arange(len(whole)) - (len(whole) - 1) / 2) * step
    return float(np.maximum(whole, 0) @ np.maximum(-np.expm1(-np.minimum(losses, 700)), 0))


def advantage_of_geometrics(loss, many):
    """The same of noise on the integers on answers that move by 1: each tells the truth with
    1/(1 + e^-loss), and the best test counts."""
    p = 1 / (1 + math.exp(-loss))
    half = many // 2
    return float(stats.binom.sf(half, many, p) - stats.binom.sf(half, many, 1 - p))


def groups_asked(seed, people, questions, runs):
    """Secret bits of some sets of people, and the random halves of them that are asked about; drawn
    as the page draws them."""
    rng = stream(seed, 18, 4)
    for _ in range(runs):
        bits = rng.integers(0, 2, people).astype(float)
        yield bits, rng.integers(0, 2, (questions, people)).astype(float)


def bits_by_squares(groups, answers):
    """Everybody's bit from noisy counts of groups, (groups, noises): the nearest numbers by least
    squares, rounded. (Dinur & Nissim 2003)"""
    return np.linalg.lstsq(groups, answers, rcond=None)[0] > 0.5


def bits_by_program(groups, answers):
    """The same by the least sum of absolute errors with all bits between 0 and 1.
    (Dwork, McSherry & Talwar 2007)"""
    many, people = groups.shape
    off = np.eye(many)
    found = optimize.linprog(
        np.append(np.zeros(people), np.ones(many)),
        A_ub=np.block([[groups, -off], [-groups, -off]]),
        b_ub=np.append(answers, -answers),
        bounds=[(0, 1)] * people + [(0, None)] * many,
    )
    return found.x[:people, None] > 0.5


def told_exactly(sets, person):
    """Whether sums over these sets tell the number of one: its unit vector lies in their span.
    (Chin & Ozsoyoglu 1982)"""
    if not len(sets):
        return False
    one = np.arange(np.shape(sets)[1]) == person
    rank = np.linalg.matrix_rank
    return bool(rank(np.vstack((sets, one)).astype(float)) == rank(np.asarray(sets, dtype=float)))


def answered(rule, who, before, k, r):
    """Whether a console sums over a set: of at least k and at most all but k people; of at least k
    that share at most r with any set before (Dobkin, Jones & Lipton 1979); or, audited, where
    nobody's number follows."""
    if rule == "size":
        return k <= who.sum() <= len(who) - k
    if rule == "overlap":
        return who.sum() >= k and all((who & one).sum() <= r for one in before)
    if rule == "audit":
        return not any(told_exactly([*before, who], person) for person in range(len(who)))
    return True


def sets_of_tracker(rng, people, target, rule, k, tries):
    """What is asked about: the one alone, the four sums of a tracker, and random sets.
    (Denning, Denning & Schwartz 1979)"""
    alone = np.arange(people) == target
    half = rng.permutation(people) < people // 2
    half[target] = False
    plan = [alone]
    if rule != "overlap":  # large sets would stand in the way of all others
        plan += [alone | half, alone | ~half, half, ~half]
    size = k if rule == "overlap" else people // 4
    return plan + [rng.permutation(people) < size for _ in range(tries)]


def attacked_by_sums(held, target, rule, k, r, made, plan):
    """(questions asked, denied, what the attacker takes the number for): all sets of a plan in
    turn until it follows from the answers; `made` gives what is answered of an exact sum. Of what
    fits best, the numbers nearest to the mean of all are taken."""
    asked, answers, denied, questions = [], [], 0, 0
    for who in plan:
        if any((who == one).all() for one in asked):
            continue
        questions += 1
        if not answered(rule, who, asked, k, r):
            denied += 1
            continue
        asked, answers = [*asked, who], [*answers, made(held[who].sum())]
        if told_exactly(asked, target):
            break
    sure, people = 1e-6, len(held)
    sets = np.vstack([np.array(asked, dtype=float).reshape(-1, people), sure * np.eye(people)])
    given = np.append(answers, np.full(people, sure * held.mean()))
    return questions, denied, float(np.linalg.lstsq(sets, given, rcond=None)[0][target])
