"""The script of boxes of rows that look alike, halved as long as each half keeps the rule."""

from collections.abc import Sequence

from dpstudio.labs.scripting.scripted import Known, NoScript, Script, condition
from dpstudio.labs.whole_tables.anonymity.choices import promises
from dpstudio.labs.whole_tables.anonymity.choices.promises import Promise
from dpstudio.labs.whole_tables.anonymity.ways.boxes import Mondrian
from dpstudio.labs.whole_tables.rows.measured import HIERARCHICAL
from dpstudio.labs.whole_tables.rows.parameters import SensitiveLab
from dpstudio.values.messages import say

_LINES = """
rows = published_rows(table, quasi, {among})
columns = boxed(table, quasi, rows)
secret, values = secret_codes(table[sensitive][rows])
whole = np.bincount(secret, minlength=values)[:values]


def keeps(part):
    \"\"\"Whether these rows may be a class; what is missing counts to k alone.\"\"\"
{asked}

of = mondrian(columns, keeps, cut, weights)
sizes = np.bincount(of)
numbers["classes"] = len(sizes)
# Who knows that somebody is in the table finds her with a chance of 1/size of her class.
numbers["risk"] = 1 / sizes.min()
numbers["loss"] = certainty_penalty(columns, of, weights)
# Who finds the class believes its most frequent value as often as it has it.
told = np.zeros((len(sizes), values + 1))
np.add.at(told, (of, secret), 1)
told = told[:, :values]
numbers["sure"] = (told.max(axis=1) / np.maximum(told.sum(axis=1), 1)).max()
"""
_COUNTED = """    counts = np.bincount(secret[part], minlength=values)[:values]
    return len(part) >= k and {more}
"""
_HERO = """
axes.hist(sizes[of], bins=np.geomspace(1, sizes.max() + 1, 40))
axes.set_xscale("log")
axes.set_xlabel("rows that look alike")
axes.set_ylabel("rows")
"""


def boxes_script(
    way: Mondrian, lab: SensitiveLab, promise: Promise, weights: Sequence[str], known: Known
) -> Script:
    """The script of a lab that publishes boxes under a promise. Raises NoScript."""
    if isinstance(promise, promises.Presence):
        raise NoScript(
            say(
                "Boxes that also hide who is in the table follow everybody of a population, which "
                "is longer than a script that teaches. Choose another promise."
            )
        )
    if getattr(promise, "ground", "") == HIERARCHICAL:
        raise NoScript(
            say(
                "A distance by a hierarchy needs the whole hierarchy in the script. Choose another "
                "distance."
            )
        )
    more, asked = _asked(promise)
    settings: dict[str, object] = {"quasi": lab.quasi, "sensitive": lab.sensitive, "k": promise.k}
    settings |= more | {"cut": way.way, "weights": _weights(lab.quasi, weights)}
    lines = _LINES.format(among=condition(lab.among, known), asked=asked)
    return Script(settings, lines, hero=_HERO)


def _asked(promise: Promise) -> tuple[dict[str, object], str]:
    """What is asked of a class: settings, and the body of a function."""
    if isinstance(promise, promises.Closeness):
        more = "is_close(counts, whole, most, ground)"
        return {"most": promise.t, "ground": promise.ground}, _COUNTED.format(more=more)
    if not isinstance(promise, promises.Diversity):
        return {}, "    return len(part) >= k\n"
    if promise.sense == promises.ENTROPY:
        return {"least": promise.l}, _COUNTED.format(more="is_entropic(counts, least)")
    if promise.sense == promises.DISTINCT:
        return {"least": promise.whole}, _COUNTED.format(more="is_distinct(counts, least)")
    more = "is_recursive(counts, least, factor)"
    return {"least": promise.whole, "factor": promise.c}, _COUNTED.format(more=more)


def _weights(quasi: Sequence[str], weights: Sequence[str]) -> tuple[float, ...]:
    """How much the width of each column counts, 1 on average."""
    told = dict.fromkeys(quasi, 1.0)
    for each in weights:
        name, _, weight = each.rpartition("=")
        if name.strip() in told:
            told[name.strip()] = float(weight)
    mean = sum(told.values()) / len(told)
    return tuple(weight / mean for weight in told.values())
