"""What classes do not protect, on the table that is open: background knowledge, similar values,
skew, many columns."""

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.labs.memo import once
from dpstudio.labs.whole_tables.anonymity import parameters
from dpstudio.labs.whole_tables.anonymity.model import AnonymityModel, published_as, task, told
from dpstudio.labs.whole_tables.anonymity.ways.boxes import Mondrian
from dpstudio.labs.whole_tables.anonymity.ways.heights.full_domain import FullDomain
from dpstudio.labs.whole_tables.anonymity.ways.way import Way
from dpstudio.labs.whole_tables.rows.model import n, overall, sensitive
from dpstudio.labs.whole_tables.rows.table import known_names
from dpstudio.privacy.anonymity.classes import classes_of, risk
from dpstudio.privacy.anonymity.columns import words_of
from dpstudio.privacy.anonymity.hierarchy import HierarchyError
from dpstudio.privacy.anonymity.loss import homogeneous
from dpstudio.privacy.anonymity.models import distinct
from dpstudio.privacy.anonymity.mondrian import STRICT, TIES
from dpstudio.privacy.anonymity.together import Laid, Release, laid_together
from dpstudio.values.parameters import ParamError

_RULED = 8


@once
def ruled_out(model: AnonymityModel) -> Array:
    """The share of people whose value is certain to somebody who finds their class and can rule
    out 0, 1, … other values (Machanavajjhala et al. 2007, background knowledge)."""
    values, sizes = distinct(told(model)), told(model).sum(1)
    most = min(_RULED, max(model.rows.sensitive.values - 1, 1))
    return array([sizes[values <= ruled + 1].sum() / n(model) for ruled in range(most + 1)])


@once
def parents(model: AnonymityModel) -> tuple[str, ...]:
    """The parent of each sensitive value, () where its hierarchy has none but all."""
    try:
        hierarchy = task(model).hierarchy(model.rows.sensitive)
        if hierarchy.height < 2:
            return ()
        above = {row[0]: row[1] for row in hierarchy.rows}
        words = words_of(model.rows.sensitive)[: model.rows.sensitive.values]
        return tuple(above[word] for word in words)
    except (HierarchyError, KeyError):
        return ()


@once
def similar(model: AnonymityModel) -> tuple[int, int]:
    """Classes with several values that all have one parent, and their people (Li et al. 2007, the
    similarity attack)."""
    names = parents(model)
    if not names:
        return 0, 0
    known = sorted(set(names))
    held = told(model)
    by_parent = np.stack(
        [held[:, [i for i, name in enumerate(names) if name == one]].sum(1) for one in known], 1
    )
    alike = (np.count_nonzero(by_parent, axis=1) == 1) & (distinct(held) > 1)
    return int(alike.sum()), int(held[alike].sum())


@once
def skewed(model: AnonymityModel) -> tuple[str, float, float]:
    """The sensitive value of which a class tells most: its share among those of the whole table and
    of that class, which may be fully diverse (Li et al. 2007, the skewness attack)."""
    shares = np.array(overall(model.rows))
    inside = told(model) / np.maximum(told(model).sum(1), 1)[:, None]
    gain = np.where(shares > 0, inside / np.where(shares > 0, shares, 1.0), 0.0)
    _, value = np.unravel_index(int(np.argmax(gain)), gain.shape)
    word = model.rows.sensitive.words[int(value)]
    return word, float(shares[value]), float(inside[:, value].max())


def times_likelier(model: AnonymityModel) -> float:
    """How many times likelier that value is in that class."""
    _, share, inside = skewed(model)
    return inside / share


@once
def by_columns(model: AnonymityModel) -> tuple[Array, Array]:
    """What is lost, and the share of people in classes of one value, with the first 1, 2, … of the
    columns that might be known as quasi-identifiers (Aggarwal 2005), shapes (columns,). Boxes
    alone."""
    names = [
        name for name in known_names(model.lab.known, model.data) if name != model.lab.sensitive
    ]
    loss, same = [], []
    many = model.effort.of_points(len(names), 2) if model.lab.algorithm.boxes else 0
    for columns in range(1, many + 1):
        model.check()
        try:
            found = published_as(model, quasi=tuple(names[:columns]))
        except ParamError:  # nobody has a number in all of these, or the population lacks one
            break
        if found is None:
            break
        rows, made = found[0].rows, found[1]
        loss.append(made.loss)
        same.append(homogeneous(rows.told(made.classes))[1] / len(rows.kept))
    return array(loss), array(same)


@once
def first_hidden(model: AnonymityModel) -> tuple[int, float]:
    """The rows of the smallest class, and the share of people alone, where the first
    quasi-identifier is hidden and nothing else is done, as a picture in the texts does."""
    others = [each.codes for each in model.rows.quasi[1:]]
    codes = np.stack(others, axis=1) if others else np.zeros((n(model), 0), dtype=np.int64)
    classes = classes_of(codes)
    return classes.k, risk(classes).unique


@once
def k_of_sensitive(model: AnonymityModel) -> int:
    """The rows of the rarest sensitive value: what an introductory book calls k-anonymity of the
    sensitive column."""
    held = np.bincount(sensitive(model), minlength=model.rows.values)
    return int(held[held > 0].min())


def second_lab(lab: parameters.Anonymity) -> parameters.Anonymity:
    """The lab of the second release."""
    promise = lab.promise.with_(k=lab.again)
    quasi = lab.again_quasi or lab.quasi
    return lab.with_(quasi=quasi, promise=promise, algorithm=_algorithm(lab))


def _algorithm(lab: parameters.Anonymity) -> Way:
    boxes = isinstance(lab.algorithm, Mondrian)
    if lab.again_by == parameters.ANOTHER:
        return FullDomain() if boxes else Mondrian(way=TIES)
    if isinstance(lab.algorithm, Mondrian) and lab.again_by == parameters.SIDE:
        return Mondrian(way=TIES if lab.algorithm.way == STRICT else STRICT)
    if isinstance(lab.algorithm, FullDomain) and lab.again_quasi:
        return lab.algorithm.with_(heights=())  # those of other columns
    return lab.algorithm


def shares_values(model: AnonymityModel) -> bool:
    """Whether boxes of one of the releases may hold the same values: who knows these of somebody
    does not know her box then, and what is counted here is for who does."""
    return model.lab.algorithm.overlaps or second_lab(model.lab).algorithm.overlaps


@once
def again(model: AnonymityModel) -> Release | None:
    """The second release; None where the table cannot be published so, all rows would be left out,
    or the population lacks one of its columns."""
    lab = second_lab(model.lab)
    try:
        found = published_as(model, quasi=lab.quasi, promise=lab.promise, algorithm=lab.algorithm)
    except ParamError:
        return None
    if found is None:
        return None
    rows, classes = found[0].rows, found[1].classes
    if not classes.many:
        return None
    place = np.full(model.data.rows, -1, dtype=np.int64)
    place[rows.kept] = classes.of
    return Release(place[model.rows.kept], classes.sizes, rows.told_as(model.rows, classes))


@once
def laid(model: AnonymityModel) -> Laid | None:
    """Both releases upon each other; None without a second."""
    other = again(model)
    if other is None:
        return None
    first = Release(model.classes.of, model.classes.sizes, told(model))
    return laid_together(first, other, sensitive(model) < model.rows.sensitive.values)
