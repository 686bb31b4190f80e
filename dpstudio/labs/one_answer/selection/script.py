"""Selection as a script: scores, the exact chance of each candidate, and what is lost."""

from dpstudio.data.conditions import Where
from dpstudio.labs.one_answer.selection.parameters import Selection
from dpstudio.labs.scripting.questions import where_of
from dpstudio.labs.scripting.scripted import Known, Script, condition
from dpstudio.privacy.mechanisms.choosing import GUMBEL, NoisyMax
from dpstudio.privacy.queries.mode import MostCommon, MostMet
from dpstudio.privacy.queries.quantile import Quantile
from dpstudio.privacy.queries.query import ADD_REMOVE
from dpstudio.privacy.queries.several import together
from dpstudio.privacy.queries.typed_scores import Typed

_CHANCES = {
    "exponential": "exponential_chances",
    "noisy_max": "noisy_max_chances",
    "permute_flip": "flip_chances",
}
_CHOICE = """
# Scores in units of the noise: ε/2Δ each, or ε/Δ where one person moves all in one direction.
rate = epsilon / sensitivity / {half}
chances = {chances}(rate * (scores - scores.max()))
loss = scores.max() - scores
numbers["truth"] = {best}
numbers["chance"] = chances[loss == 0].sum()
numbers["typical"] = chances @ loss
numbers["interval"] = least_within({errors}, chances, confidence)
numbers["cost"] = epsilon
"""
_HERO = """
order = np.argsort(scores)[-12:]
axes.barh([str(labels[i]) for i in order], chances[order])
axes.set_xlabel("chance to be chosen")
"""
_METRIC = "np.abs(labels[:, None] - labels[loss == 0]).min(axis=1)"


def script(lab: Selection, known: Known) -> Script:
    """The facts of the page from the formulas."""
    mechanism, adding = lab.mechanism, lab.adjacency == ADD_REMOVE
    settings, lines, numbered = _scores(lab, known, adding)
    query = lab.query
    monotone = query.monotone if isinstance(query, Typed) else adding
    monotone = monotone and not isinstance(query, Quantile) and lab.monotone
    chances = _CHANCES[mechanism.key]
    if isinstance(mechanism, NoisyMax) and mechanism.noise == GUMBEL:
        chances = "exponential_chances"  # with Gumbel noise it is that
    best = "labels[int(np.argmax(scores))]"
    errors = _METRIC if isinstance(query, Quantile) else "loss"
    settings |= {"epsilon": mechanism.epsilon, "confidence": lab.confidence}
    lines.append(
        _CHOICE.format(
            half="1" if monotone else "2",
            chances=chances,
            best=f"told({best})" if numbered else best,
            errors=errors,
        )
    )
    law = dict.fromkeys(("chance", "typical"), 1e-8)
    return Script(settings, "\n".join(lines), law, _HERO, drawn=("answer",))


Found = tuple[dict[str, object], list[str], bool]


def _scores(lab: Selection, known: Known, adding: bool) -> Found:
    """(settings, lines, whether labels are numbers) that give `labels`, `scores` and their
    `sensitivity`."""
    query = lab.query
    if isinstance(query, Typed):
        settings: dict[str, object] = {
            "labels": [name for name, _ in query.scores],
            "typed": [score for _, score in query.scores],
            "sensitivity": query.sensitivity,
        }
        return settings, ["scores = np.array(typed)"], False
    if isinstance(query, MostMet):
        wheres = together(query.conditions, query.where)
        lines = ["scores = np.array([", *(f"    {_count(w, known)}," for w in wheres), "])"]
        lines = ["\n".join(lines) + ".astype(float)", f"sensitivity = {_moved(known)}"]
        return {"labels": [str(each) for each in query.conditions]}, lines, False
    if isinstance(query, Quantile):
        return _quantile(query, known, adding)
    assert isinstance(query, MostCommon)
    return _most_common(query, known)


def _moved(known: Known, by_a_row: str = "1.0") -> str:
    """How far one person moves a score, by how far a row of theirs does."""
    return by_a_row if known.most == 1 else f"{known.most} * {by_a_row}  # the rows of one person"


def _count(where: Where, known: Known) -> str:
    return f"np.count_nonzero({condition(where, known)})"


def _most_common(query: MostCommon, known: Known) -> Found:
    settings: dict[str, object] = {"column": query.column}
    told = query.categories or known.about(query.column).categories
    chosen = f"table[column]{where_of(query.where, known)}"
    numbers = known.numeric(query.column)
    lines = []
    if told:
        settings["labels"] = sorted({float(word) for word in told}) if numbers else list(told)
    else:
        piece = "numbers_in" if numbers else "words_in"
        lines.append(f"labels = {piece}(table[column])  # from the data: this is not private")
    if numbers:
        lines.append("labels = np.array(labels, dtype=float)")
    lines += [f"scores = tally({chosen}, labels)", f"sensitivity = {_moved(known)}"]
    return settings, lines, numbers


def _quantile(query: Quantile, known: Known, adding: bool) -> Found:
    about = known.about(query.column)
    low = query.low if query.low is not None else about.low
    high = query.high if query.high is not None else about.high
    settings: dict[str, object] = {"column": query.column, "q": query.q}
    if query.grid:
        settings["grid"] = list(query.grid)
        lines = ["labels = np.array(grid)"]
    elif low is not None and high is not None:
        settings |= {"low": low, "high": high if high > low else low + 1, "points": query.points}
        lines = ["labels = equal_grid(low, high, points)"]
    else:
        settings |= {"low": low, "high": high, "points": query.points}
        lines = ["labels = proposed_grid(table[column], low, high, points)  # not private"]
    lines += [
        f"scores = quantile_scores(table[column]{where_of(query.where, known)}, labels, q)",
        f"sensitivity = {_moved(known, 'max(q, 1 - q)' if adding else '1.0')}",
    ]
    return settings, lines, True


_OPENDP = """
dp.enable_features("contrib")
space = dp.vector_domain(dp.atom_domain(T=float, nan=False))
metric = dp.linf_distance(T=float, monotonic={monotone})
scale = {half} * sensitivity / epsilon
# Its noise is exponential, which is permute-and-flip, by whatever the page chooses: at the same ε
# that loses no more on average than the exponential mechanism (McKenna and Sheldon 2020).
choice = dp.m.make_noisy_max(space, metric, dp.max_divergence(), scale=scale)
numbers["scale"] = scale
numbers["epsilon"] = choice.map(d_in=sensitivity)
numbers["answer"] = {best}
"""


def opendp(lab: Selection, known: Known) -> Script:
    """The same choice by OpenDP's noisy max, whose noise is exponential: as permute-and-flip."""
    adding = lab.adjacency == ADD_REMOVE
    settings, lines, numbered = _scores(lab, known, adding)
    query = lab.query
    monotone = query.monotone if isinstance(query, Typed) else adding
    monotone = monotone and not isinstance(query, Quantile) and lab.monotone
    best = "labels[choice(scores.tolist())]"
    settings["epsilon"] = lab.mechanism.epsilon
    lines.append(
        _OPENDP.format(
            monotone=monotone, half=1 if monotone else 2, best=f"told({best})" if numbered else best
        )
    )
    return Script(settings, "\n".join(lines))
