"""The script of the lab Compress: splits of rows, directions of each, and who tells what."""

from dpstudio.data.pixels import pixels_of
from dpstudio.labs.scripting.features import chosen_of, told_of
from dpstudio.labs.scripting.scripted import Known, NoScript, Script
from dpstudio.labs.whole_tables.compress.beside import LEARNT_MOST
from dpstudio.labs.whole_tables.compress.model import STREAM
from dpstudio.labs.whole_tables.compress.parameters import Compress, TableRows
from dpstudio.labs.whole_tables.compress.rows import CLASSES_MOST
from dpstudio.values.messages import N_, say

_MADE = N_("No script makes these pictures: choose rows of the table.")
_PERSONS = N_("No script splits a table by persons here. Take the column of persons back.")
_LINES = """
x, ((told, told_classes), (hidden, hidden_classes)) = rows_as_numbers(table, features, labels)
z = where_they_vary(x)
n, rank = z.shape
most = max(1, {most})
kept = min(k, most)


def scatters(rows):
    \"\"\"The scatter of some rows by each label.\"\"\"
    return scatter_of(z[rows], told[rows], told_classes), scatter_of(
        z[rows], hidden[rows], hidden_classes
    )


def directions(one, two, place):
    \"\"\"All directions, the best first.\"\"\"
    return {directions}


# Rows are split by lot, and the others are told by what is learnt from the rest.
share = min(0.25, 2000 / n)
tests = [tested_rows(n, share, seed + place) for place in range(splits)]
rules, chosen = ("linear", "centre", "inverse", "decoder"), []
found = {{name: [] for name in ("told", "crowd", "crowd_hidden", "whole", "whole_hidden", *rules)}}
for place, test in enumerate(tests):
    one, two = scatters(np.setdiff1d(np.arange(n), test))
    w = directions(one, two, place)[:, :kept]
    chosen.append(w)
    rows = z[test] - one.mean
    plain = [linear_rule(each, np.eye(rank)) for each in (one, two)]

    def right(rule, s, by, seen, wanted):
        \"\"\"How often a rule is right of these rows.\"\"\"
        return share_told(told_by_rule(rule, s, by, seen, score), wanted, score)

    found["told"].append(right(linear_rule(one, w), one, "linear", rows @ w, told[test]))
    for by in rules:
        rule = rule_of(two, by, w, plain[1])
        found[by].append(right(rule, two, by, rows @ w, hidden[test]))
    found["whole"].append(right(plain[0], one, "linear", rows, told[test]))
    found["whole_hidden"].append(right(plain[1], two, "linear", rows, hidden[test]))
    found["crowd"].append(best_single_answer(told[test], told_classes, score))
    found["crowd_hidden"].append(best_single_answer(hidden[test], hidden_classes, score))
few = [w[:, :learnt_most] for w in chosen[:20]]
found |= learners_tell(z, hidden, hidden_classes, tests[:20], few, learners_seed, score)
middle = {{name: float(np.median(each)) for name, each in found.items()}}

numbers["utility"], numbers["privacy"] = middle["told"], middle[attacker]
numbers["strongest"] = max(middle[name] for name in (*rules, "neighbours", "logistic"))
# How far each is told above one answer for all, of the way that whole rows go.
numbers["gain"] = (
    so_far(middle["told"], middle["crowd"], middle["whole"]),
    so_far(numbers["strongest"], middle["crowd_hidden"], middle["whole_hidden"]),
)
# What cannot be had back of the rows, by an inverse and by the best linear guess.
every = scatters(np.arange(n))
w = directions(*every, None)[:, :kept]
spread = every[0].spread
numbers["lost"] = (
    lost_with(spread, w, inverse_of(w)),
    lost_with(spread, w, decoder_of(spread, w)),
)
"""
_HERO = """
names = ["told", "linear", "centre", "inverse", "decoder", "neighbours", "logistic"]
axes.boxplot([found[name] for name in names])
axes.set_xticks(range(1, len(names) + 1), names, rotation=30)
axes.set_ylabel("accuracy")
"""
_ALL, _SIGNALS = "rank", "min(rank, told_classes - 1)"
# Of each way how many directions mean something, and the directions.
_WAYS = {
    "pca": (_ALL, "leading_vectors(one.spread, rank)"),
    "dca": (_ALL, "dca_directions(one, rho, rho_prime)"),
    "mdr": (_SIGNALS, "pencil(one.between, with_ridge(two.between, rho, one.spread))"),
    "lda": (_SIGNALS, "pencil(one.between, with_ridge(one.within, 1e-6, one.spread))"),
    "random": (_ALL, "drawn if place is None else drawn_of[place]"),
}
_DRAWN = """
# Directions by lot, for each split and for all rows.
drawn_of = np.linalg.qr(stream(*of_splits).standard_normal((splits, rank, rank)))[0]
drawn = np.linalg.qr(stream(*of_all).standard_normal((rank, rank)))[0]
"""


def script(lab: Compress, known: Known) -> Script:
    """The script of a state. Raises NoScript."""
    points, way = lab.points, lab.way
    if not isinstance(points, TableRows):
        raise NoScript(say(_MADE))
    if known.person:
        raise NoScript(say(_PERSONS))
    labels = tuple((n, told_of(known, n, classes=True)) for n in (points.utility, points.privacy))
    both = {points.utility, points.privacy}
    pixels = pixels_of(n for n in known.names if known.numeric(n))
    named = points.features or (pixels if both.isdisjoint(pixels) else ())
    rest = (n for n in known.names if n not in both and known.type_of(n) != "other")
    settings, found = chosen_of(known, named, rest, of="features", few=CLASSES_MOST, dates=True)
    settings |= {
        "labels": labels,
        "k": lab.k,
        "attacker": lab.attacker,
        "score": lab.score,
        "splits": lab.splits,
        "seed": lab.seed,
        "learners_seed": (lab.seed, STREAM + 1),
        "learnt_most": LEARNT_MOST,
    }
    settings |= {n: getattr(way, n) for n in ("rho", "rho_prime") if hasattr(way, n)}
    most, directions = _WAYS[way.key]
    lines = _LINES
    if way.key == "random":
        settings |= {"of_splits": (lab.seed, STREAM, lab.seed), "of_all": (lab.seed, STREAM + 4)}
        lines = lines.replace("\n# ", f"{_DRAWN}\n# ", 1)
    return Script(settings, found + lines.format(most=most, directions=directions), hero=_HERO)
