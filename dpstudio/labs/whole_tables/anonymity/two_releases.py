"""Two releases of one table, laid upon each other: what who holds both knows of somebody (Ganta,
Kasiviswanathan & Smith 2008, the intersection attack)."""

import numpy as np

from dpstudio.labs.memo import once
from dpstudio.labs.whole_tables.anonymity import parameters
from dpstudio.labs.whole_tables.anonymity.model import AnonymityModel, published_as, told
from dpstudio.labs.whole_tables.anonymity.ways.boxes import Mondrian
from dpstudio.labs.whole_tables.anonymity.ways.heights.full_domain import FullDomain
from dpstudio.labs.whole_tables.anonymity.ways.way import Way
from dpstudio.labs.whole_tables.rows.model import sensitive
from dpstudio.privacy.anonymity.mondrian import STRICT, TIES
from dpstudio.privacy.anonymity.together import Laid, Release, laid_together
from dpstudio.values.parameters import ParamError


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
