"""The script of the lab Hidden rules: rules found, one hidden, and rules found again."""

from dpstudio.labs.scripting.scripted import Known, Script
from dpstudio.labs.whole_tables.rows.table import KNOWN_MOST
from dpstudio.labs.whole_tables.rules.model import STREAM
from dpstudio.labs.whole_tables.rules.parameters import Rules

_LINES = """
held = frequent_items(table, of)
rules = association_rules(held, support, sure)
# The rule of this rank is hidden: the last where there are not so many.
secret = list(rules)[min(rank, len(rules)) - 1]
rng = np.random.default_rng(seed)
after = hide_rule(held, *secret, support, sure, rng)
found = association_rules(after, support, sure)
numbers["rules"] = len(rules)
numbers["cells"] = np.count_nonzero(held != after)
# Deleting an item changes the counts of other rules: some fall below a threshold, and where the
# item stood on the left, others rise above it.
numbers["lost"] = len(rules.keys() - found.keys() - {secret})
numbers["ghosts"] = len(found.keys() - rules.keys())
"""
_HERO = """
lost = rules.keys() - found.keys()
for name, some in (("kept", rules.keys() - lost), ("lost", lost)):
    axes.scatter([rules[r][1] for r in some], [rules[r][0] for r in some], label=name)
axes.set_xlabel("support")
axes.set_ylabel("confidence")
axes.legend()
"""


def script(lab: Rules, known: Known) -> Script:
    """The script of a state."""
    names = [name for name in lab.known if known.has(name)][:KNOWN_MOST]
    settings = {
        "of": tuple(dict.fromkeys((*names, lab.sensitive))),
        "support": lab.support,
        "sure": lab.sure,
        "rank": lab.rank,
        "seed": (lab.seed, STREAM),
    }
    return Script(settings, _LINES, hero=_HERO)
