"""The numbers of the lab Many owners, worked out without the program."""

from dpstudio.labs.nobody.owners.parameters import Asking, Owners, Trusting
from dpstudio.labs.scripted import Known, NoScript, Script, paragraphs
from dpstudio.values.messages import N_, say

_SHARED = N_("No script adds up encrypted shares yet. Look at one count, or at one query.")
_TRUSTING = """
    # The error of one count of all people, by whom they trust.
    numbers["central"] = count_by_curator(epsilon)
    numbers["local"] = count_by_coins(epsilon, people)

    # Mixed answers keep epsilon together though each has a larger one: looked for by halving.
    epsilon0 = shuffled_epsilon0(epsilon, delta, people)
    numbers["coins"] = epsilon0
    numbers["shuffled"] = count_by_coins(epsilon0, people)
"""
_HERO = """
    counts = np.geomspace(10, 1e6, 40)
    axes.loglog(counts, np.full(40, count_by_curator(epsilon)), label="one trusted curator")
    axes.loglog(counts, [count_by_coins(epsilon, n) for n in counts], label="nobody trusted")
    axes.loglog([people], [numbers["shuffled"]], "o", label="shuffled coins")
    axes.set(xlabel="people", ylabel="standard deviation of the count")
    axes.legend()
"""
_CELLS = """
    # Rows are dealt out in turn.
    cells = table[column][~np.isnan(table[column])]
    own = [cells[i::owners] for i in range(owners)]
    numbers["count"] = owners
"""
_ANSWER = {
    # Whole multiples of 2^-20 are what is sealed.
    "sum": 'numbers["answer"] = float(sum(np.rint(x * 2**20).sum() for x in own)) / 2**20',
    "average": (
        "total = float(sum(np.rint(x * 2**20).sum() for x in own)) / 2**20\n"
        'numbers["answer"] = total / len(cells)'
    ),
    "order": 'numbers["right"] = told_by_order(own[0], np.concatenate(own[1:]))',
}


def script(lab: Owners, known: Known) -> Script:
    """One count by whom its people trust, or what is shared."""
    looks = lab.looks
    if isinstance(looks, Trusting):
        settings: dict[str, object] = {"epsilon": looks.epsilon, "delta": looks.delta}
        settings["people"] = looks.people
        # The page looks for it to one part in a million, and rounds down.
        return Script(settings, _TRUSTING, law={"coins": 1e-5, "shuffled": 1e-4}, hero=_HERO)
    if isinstance(looks, Asking):
        asked: dict[str, object] = {"column": looks.column, "owners": looks.owners}
        return Script(asked, paragraphs(_CELLS, _ANSWER[looks.operation]))
    raise NoScript(say(_SHARED))
