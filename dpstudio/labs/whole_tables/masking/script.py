"""The script of the lab Masking: a column before and after, and its tie to another."""

from dpstudio.labs.scripting.scripted import Known, Script, condition
from dpstudio.labs.whole_tables.masking import operated, perturbed
from dpstudio.labs.whole_tables.masking.choices import operations
from dpstudio.labs.whole_tables.masking.parameters import Masking

_ROWS = """
rows = published_rows(table, quasi, {among})
secret, values = secret_codes(table[sensitive][rows])
first = {first}
"""
# What is done, by its key: to the sensitive column, or to the first of the others.
_DONE = {
    "pram": """
# Each value stays by chance, or else becomes another.
after = pram(secret, keep, rng)
""",
    "swap": """
# Rows next to each other in the first column exchange their values by chance.
after = swapped(secret, first, share, rng)
""",
    "permute": """
# Values are shuffled within boxes of at least so many rows that are near each other.
boxes = mondrian(boxed(table, quasi, rows), lambda part: len(part) >= least, "ties")
after = shuffled_within(secret, boxes, rng)
""",
    "anatomy": """
# Two tables: the group of each row, and the values of each group. Who reads both can but guess.
group, counts = anatomy(secret, values, diversity, rng)
after = guessed_within(secret, values, group, counts, np.random.default_rng((*seed, 1)))
""",
    "top_code": """
# Numbers beyond the outermost ones are drawn in.
after = np.clip(first, *np.quantile(first, [share, 1 - share]))
""",
    "micro_aggregate": """
# Numbers give way to the mean of so many next to them.
after = group_means(first, least)
""",
    "resample": """
# Each is drawn anew, and has nothing to do with its row any more.
after = {drawn}
""",
    "suppress": """
# Values of few rows are blanked.
_, of, held = np.unique(first, return_inverse=True, return_counts=True)
blank = {blank}
after = np.where(blank, {gap}, first)
""",
    "perturb": """
# Everybody adds noise, whose law is public, before handing a number in.
after = {noisy}
""",
}
_END = """
numbers["changed"] = np.mean(after != {before})
# The tie to the other column, numbers in the same bins before and after.
numbers["tie"] = {tie}
# Who is alone by the quasi-identifiers that stay as they are.
_, sizes = looking_alike(table, {staying}, rows)
numbers["alone"] = np.count_nonzero(sizes == 1) / len(rows)
"""
_BINNED = """
shown = [x[np.isfinite(x)] for x in (first.astype(float), after.astype(float))]
edges = np.histogram_bin_edges(np.concatenate(shown), 40)
axes.hist(shown, edges, label=["before", "after"])
axes.set_ylabel("rows")
axes.legend()
"""
_CODED = """
for place, (name, x) in enumerate((("before", {before}), ("after", after))):
    values_of, rows_of = np.unique(x, return_counts=True)
    axes.bar(values_of + 0.4 * place, rows_of, 0.4, label=name)
axes.set_xlabel("value, by its code")
axes.set_ylabel("rows")
axes.legend()
"""


def script(lab: Masking, known: Known) -> Script:
    """The script of a state."""
    operation, name = lab.operation, lab.quasi[0]
    words = known.type_of(name) == "category"
    secret = isinstance(operation, _OF_SECRETS)
    stream = perturbed.STREAM if operation.key == "perturb" else operated.STREAM
    settings: dict[str, object] = {"quasi": lab.quasi, "sensitive": lab.sensitive}
    more, filled = _more(operation, words, known.type_of(name) != "number")
    before = "secret" if secret else "first"
    moved = 0 if secret else operation.columns if isinstance(operation, operations.Resample) else 1
    first = "table[quasi[0]][rows]"
    if secret:
        tie = "tie(after, in_bins(first, first))"
    else:
        tie = "tie(after, secret)" if words else "tie(in_bins(after, first), secret)"
    lines = _ROWS.format(
        among=condition(lab.among, known),
        first="value_codes(table[quasi[0]])[rows]" if words else first,
    )
    staying = f"quasi[{moved}:]" if moved else "quasi"
    done = _DONE[operation.key].format(**filled)
    if "rng" in done:
        settings["seed"] = (lab.seed, stream)
        lines += "rng = np.random.default_rng(seed)\n"
    lines += done
    lines += _END.format(before=before, tie=tie, staying=staying)
    hero = _CODED.format(before=before) if secret or words else _BINNED
    return Script(settings | more, lines, hero=hero)


_OF_SECRETS = operations.Pram, operations.Swap, operations.Permute, operations.Anatomy


def _more(
    operation: operations.Operation, words: bool, whole: bool
) -> tuple[dict[str, object], dict[str, str]]:
    """Settings of what is done, and what fills its lines."""
    match operation:
        case operations.Pram():
            return {"keep": operation.keep}, {}
        case operations.Swap() | operations.TopCode():
            return {"share": operation.share}, {}
        case operations.Permute() | operations.MicroAggregate():
            return {"least": operation.rows}, {}
        case operations.Anatomy():
            return {"diversity": operation.l}, {}
        case operations.Suppress():
            gap = "first.max() + 1" if words else "np.nan"
            blank = "np.ones(len(rows), dtype=bool)" if operation.column else "held[of] < least"
            return {"least": operation.rows}, {"gap": gap, "blank": blank}
        case operations.Resample():
            fitted = operation.fitted and not words
            drawn = f"drawn_anew(first, rng, fitted={fitted})"
            return {}, {"drawn": f"np.round({drawn})" if whole and not words else drawn}
        case operations.Perturb():
            noisy = "{0} + noise_on({0}, law, deviation, rng)"
            noisy = noisy.format("np.log(first)" if operation.times else "first")
            told = {"law": operation.law, "deviation": operation.deviation}
            return dict(told), {"noisy": f"np.exp({noisy})" if operation.times else noisy}
    raise AssertionError(operation.key)
