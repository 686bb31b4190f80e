"""The numbers of the lab Many owners, worked out without the program."""

from dpstudio.labs.nobody.owners.model import COLUMNS_MOST
from dpstudio.labs.nobody.owners.parameters import Asking, Owners, Sharing, Trusting
from dpstudio.labs.scripting.features import chosen_of, is_number, told_of
from dpstudio.labs.scripting.scripted import Known, Script, paragraphs
from dpstudio.values.messages import N_, say

_SHARES = """
    {found}
    # Rows that have every value: numbers in [-1, 1] by their bounds, each word as 0 and 1.
    told = {{name: told_from(table[name], each) for name, each in features.items()}}
    x = np.hstack([in_columns(table[name], each) for name, each in told.items()])
    {classes}
    there = ~np.isnan(np.column_stack([x, y])).any(axis=1)
    x, y = x[there], y[there].astype(int)

    # What each owner sends, rounded to multiples of 2^-bits, and what all of it adds up to.
    {parts}
    sent = [share_of_owner(*part, classes, bits{centred}) for part in parts]
    squares, sums, rows = (np.sum(each, axis=0) for each in zip(*sent, strict=True))
    {restored}
    ours = scatter_matrices(squares, sums, rows)
    theirs = scatter_matrices(*share_of_owner(x, y, classes))
    numbers["apart"] = max(np.abs(a - b).max() for a, b in zip(ours, theirs, strict=True))
    p = x.shape[1]
    numbers["count"] = p * (p + 1) // 2 + classes * (p + 1)
    # Of Paillier's scheme each is a number below the square of the modulus.
    numbers["bytes"] = numbers["count"] * 2 * modulus // 8
    # Who adds up and who has the key.
    numbers["parties"] = 2
"""
_CLASSES = """words = told_from(table[label], label_words)
    y, classes = place_of(table[label], words), len(words)"""
_BY_TURNS = "parts = [(x[i::owners], y[i::owners]) for i in range(owners)]"
_BY_CLASSES = "parts = [(x[y == k], y[y == k]) for k in range(classes)]"
_CENTRED = "squares = squares + between_zero(sums, rows)  # was about the means"
_ENTRIES = """
    axes.bar(["shares - numpy"], [numbers["apart"]])
    axes.set(ylabel="largest difference of an entry", yscale="log")
"""
_SECONDS = N_("How long encryption takes depends on the machine.")
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
    some = counts[::4].round().astype(int)
    mixed = [count_by_coins(shuffled_epsilon0(epsilon, delta, n), n) for n in some]
    axes.loglog(some, mixed, marker="o", label="shuffled coins")
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
    assert isinstance(looks, Sharing)
    return _shared(looks, known)


def _shared(looks: Sharing, known: Known) -> Script:
    """What shares add up to, beside the exact matrices."""
    names = (n for n in known.names if is_number(known, n) and n != looks.classes)
    settings, found = chosen_of(known, looks.features, names, of="features", most=COLUMNS_MOST)
    classes = "y, classes = np.zeros(len(x)), 1"
    if looks.scatter != "pca":
        words = told_of(known, looks.classes, classes=True)
        settings |= {"label": looks.classes, "label_words": words}
        classes = _CLASSES
    whole = looks.scatter == "scdo"
    if not whole:
        settings["owners"] = looks.owners
    settings |= {"bits": looks.bits, "modulus": int(looks.modulus)}
    lines = _SHARES.format(
        found=found.replace("\n", "\n    "),
        classes=classes,
        parts=_BY_CLASSES if whole else _BY_TURNS,
        centred=", centred=True" if whole else "",
        restored=_CENTRED if whole else "",
    )
    # What rounding leaves is tiny: in which order rows are added changes its last digits.
    law, left_out = {"apart": 0.1}, {"seconds": say(_SECONDS)}
    return Script(settings, lines, law, hero=_ENTRIES, left_out=left_out)
