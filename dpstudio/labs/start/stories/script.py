"""The script of the lab Stories: the few formulas of the tale that is told."""

from dpstudio.labs.scripting.scripted import Known, Script
from dpstudio.labs.start.stories.parameters import Stories
from dpstudio.labs.start.stories.stories.differencing import Differencing, Newspaper
from dpstudio.privacy.queries.query import apart, told
from dpstudio.values.parameters import domains

_NEWSPAPER = """
# Averages of n and n + 1 people are totals in disguise: their difference is one salary.
value = (people + 1) * after - people * before
sensitivity = top  # salaries lie between 0 and the highest one that counts
numbers["value"] = value
"""
_ANSWERED = """
# The same subtraction from what somebody answered; people are whole, so counts are rounded.
n = math.floor(said_people + 0.5)
m = math.floor(said_more + 0.5)
numbers["answered"] = m * said_after - n * said_before
"""
_ROW = """
# The total with everybody less the total without who comes last: the row of that number, or all
# rows of its person.
x = table[column]
{bounds}clipped = np.where(np.isnan(x), 0.0, np.clip(x, low, high))
gone = {gone}
value = clipped[gone].sum()
people = np.count_nonzero(~np.isnan(x) & ~gone)
sensitivity = max(abs(low), abs(high)){times}
numbers["value"] = value
"""
_BOUNDS = """# Bounds that nobody gave are proposed from the data, which is not private.
least, largest = outward(np.nanmin(x), np.nanmax(x))
low, high = least if low is None else low, largest if high is None else high
if low >= high:
    low, high = {apart}
"""
_LAPLACE = """
# Each total gets Laplace noise of scale b = sensitivity/epsilon, of variance 2b². The attacker
# subtracts two of them, and variances add up.
b_1, b_2 = sensitivity / epsilon_1, sensitivity / epsilon_2
numbers["attacker"] = math.sqrt(2 * b_1**2 + 2 * b_2**2)
numbers["cost"] = epsilon_1 + epsilon_2  # the same people are in both: costs add up
"""
_READER = """
# A reader of the first average divides its noise by the number of people.
if people:
    numbers["reader"] = math.sqrt(2) * b_1 / people
"""
_SEQUENTIAL = """
# One person moves a count by 1, so Laplace noise has the scale 1/epsilon; its deviation is √2 times
# that.
f1, f2, f3 = (math.sqrt(2) / epsilon for epsilon in (epsilon_1, epsilon_2, epsilon_3))
numbers["f1"], numbers["f2"], numbers["f3"] = f1, f2, f3
# Variances of independent noise add up; half of each answer has a quarter of its variance.
numbers["average"] = math.sqrt(f1**2 + f2**2) / 2
# The least variance has each answer count by 1/variance, which is in proportion to epsilon².
w1 = epsilon_1**2 / (epsilon_1**2 + epsilon_2**2)
numbers["weighted"] = math.hypot(w1 * f1, (1 - w1) * f2)
"""
_PARALLEL = """
# Nobody is in two groups: who comes or goes touches one answer, the dearest at worst.
small, middle, large = sorted((epsilon_1, epsilon_2, epsilon_3))
numbers["add_remove"] = large
# Who is replaced may leave one group for another, and touches two.
numbers["replace"] = large + middle
# The same people in all three would pay for each.
numbers["same"] = small + middle + large
"""
_GROUP = """
# From one table to the other in as many steps as there are people: each costs at most epsilon.
numbers["cost"] = people * epsilon
# Bayes from even odds: the odds grow by the factor exp(people·epsilon) at most.
numbers["belief"] = 1 / (1 + math.exp(-people * epsilon))
# Each step may fail by delta, and later steps multiply what failed before by exp(epsilon).
logs = [math.log(delta) + step * epsilon for step in range(people)]
numbers["delta"] = min(1.0, math.fsum(math.exp(min(0.0, log)) for log in logs))
# What to promise one person, so that all together have the epsilon that is stated.
numbers["needed"] = epsilon / people
"""
_BARS = """
keys = [key for key in numbers if key in {keys}]
axes.bar(keys, [numbers[key] for key in keys])
{unit}
"""
_HERO = """
# What the attacker makes of two noisy totals, many times.
rng = np.random.default_rng(1)
guesses = value + rng.laplace(0, b_2, 20_000) - rng.laplace(0, b_1, 20_000)
axes.hist(guesses, 80)
axes.axvline(value, color="black")
axes.set_xlabel("the difference of the totals")
"""
_LINES = {"sequential": _SEQUENTIAL, "parallel": _PARALLEL, "group": _GROUP}

_DRAWN = {
    "sequential": '("f1", "f2", "average", "weighted", "f3")',
    "parallel": '("add_remove", "replace", "same")',
    "group": '("cost", "needed")',
}
_EPSILON = 'axes.set_ylabel("epsilon")'
_UNITS = {"sequential": 'axes.set_ylabel("standard deviation")'}


def script(lab: Stories, known: Known) -> Script:
    """The script of the tale."""
    story = lab.story
    if isinstance(story, Newspaper):
        return _newspaper(story)
    if isinstance(story, Differencing):
        return _row(story, known)
    names = (name for name in domains(type(story)) if name != "groups")  # of a chart alone
    settings = {name: getattr(story, name) for name in names}
    hero = _BARS.format(keys=_DRAWN[story.key], unit=_UNITS.get(story.key, _EPSILON))
    return Script(settings, _LINES[story.key], hero=hero)


def _newspaper(story: Newspaper) -> Script:
    names = "people", "before", "after", "top", "epsilon_1", "epsilon_2"
    settings: dict[str, object] = {name: getattr(story, name) for name in names}
    lines = _NEWSPAPER + _LAPLACE + _READER
    said = story.answered()
    if said is not None:
        told = dict(zip(("said_people", "said_before"), said.before, strict=True))
        told |= dict(zip(("said_more", "said_after"), said.after, strict=True))
        settings |= told
        lines += _ANSWERED
    return Script(settings, lines, hero=_HERO)


def _row(story: Differencing, known: Known) -> Script:
    low, high = _bounds(story, known)
    names = "column", "row", "epsilon_1", "epsilon_2"
    settings: dict[str, object] = {name: getattr(story, name) for name in names}
    settings |= {"low": low, "high": high}
    gone, times = "np.arange(len(x)) == row - 1", ""
    if known.person:
        settings["person"] = known.person
        gone = "table[person] == table[person][row - 1]"
    if known.most > 1:
        settings["most"] = known.most
        times = " * most  # a person has so many rows at most"
    bounds = ""
    if low is None or high is None:
        kept = "low, low + 1" if story.low is not None else "high - 1, high"
        bounds = _BOUNDS.format(apart=kept)
    lines = _ROW.format(bounds=bounds, gone=gone, times=times)
    return Script(settings, lines + _LAPLACE + _READER, hero=_HERO)


def _bounds(story: Differencing, known: Known) -> tuple[float | None, float | None]:
    """Those that are given, here or in the codebook."""
    given = told(story.low, story.high, False, known.about(story.column))
    if given.low is None or given.high is None:
        return given.low, given.high
    return apart(given.low, given.high, keep_low=story.low is not None)
