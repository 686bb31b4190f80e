"""The script of the lab Disclosure risk: classes of people who look alike, counted."""

from dpstudio.labs.scripting.scripted import Known, Script, condition
from dpstudio.labs.whole_tables.risk.parameters import Risk

_RISK = """
# Rows with the same quasi-identifiers look alike; each class has so many.
rows = published_rows(table, quasi, {among})
of, sizes = looking_alike(table, quasi, rows)
numbers["alone"] = np.count_nonzero(sizes == 1) / len(rows)
# Who knows that somebody is in the table finds her with a chance of 1/size of her class.
numbers["prosecutor"] = 1 / sizes.min()
# Who guesses everybody once is right once a class on average: size · 1/size.
numbers["marketer"] = len(sizes) / len(rows)
"""
_POPULATION = """
# Whether who is alone here is alone among all, the sizes of classes let one estimate. The law is
# fitted step by step, so that two ways to fit it agree in some digits.
if 1 < len(sizes) < len(rows):
    theta, alpha = pitman_fit(sizes)
    people = max(len(rows), round(len(rows) / sampled))
    numbers["population"] = pitman_alone(theta, alpha, sizes, people)
"""
_REGISTER = """
# All rows of the table are the population, of which these are published.
people = published_rows(table, quasi, every_row(table))
numbers["journalist"] = highest_in_population(table, quasi, rows, people)
"""
_HERO = """
steps = [1, 2, 3, 5, 10, 20, 50, 100, 1000]
place = np.searchsorted(steps, sizes, side="right") - 1
shares = np.bincount(place, weights=sizes, minlength=len(steps)) / len(rows)
axes.bar([f"{step}" for step in steps], shares)
axes.set_xlabel("rows that look alike, at least")
axes.set_ylabel("share of rows")
"""


def script(lab: Risk, known: Known) -> Script:
    """The script of a state."""
    settings: dict[str, object] = {"quasi": lab.quasi}
    lines = _RISK.format(among=condition(lab.among, known))
    if not lab.whole:
        return Script(settings, lines + _REGISTER, hero=_HERO)
    settings["sampled"] = lab.sampled
    return Script(settings, lines + _POPULATION, law={"population": 1e-4}, hero=_HERO)
