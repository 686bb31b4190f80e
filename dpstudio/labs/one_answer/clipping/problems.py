"""What stops or qualifies Clipping on a table, and the nearest state that suits it."""

from collections.abc import Iterator
from dataclasses import replace

from dpstudio.data.column_roles import MEASURE, columns_for
from dpstudio.data.conditions import Where
from dpstudio.data.dataset import Dataset
from dpstudio.labs.context import Context
from dpstudio.labs.lacking import no_rows
from dpstudio.labs.one_answer.clipping import law, parameters, private
from dpstudio.labs.one_answer.clipping.bounds import (
    bounds_in_force,
    finite,
    integer_answers,
    rows_in_order,
)
from dpstudio.labs.one_answer.clipping.model import ClippingModel, clipping_model
from dpstudio.labs.page import Refused
from dpstudio.labs.row_sample import in_digits
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.privacy.queries import query
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import switch
from dpstudio.values.problem import Problem


def problems(lab: parameters.Clipping, data: Dataset) -> Iterator[Problem]:
    """Why the table cannot answer; the first one counts."""
    found = next(_question_problems(lab, data), None)
    if found is not None:
        yield found
        return
    why = refused(lab, data)["mechanism"].get(lab.mechanism.key)
    if why is not None:
        yield Problem("mechanism", why)


def _question_problems(lab: parameters.Clipping, data: Dataset) -> Iterator[Problem]:
    if data.rows == 0:
        yield Problem("data", no_rows(data))
        return
    if not any(column.numeric for column in data.columns):
        text = N_("This table has no column of numbers. Count rows in another lab instead.")
        yield Problem("column", Message(text))
        return
    found = [*query.condition_problems(lab.where, data)]
    number = query.number_problem(lab.column, data) or query.range_problem(lab.column, data)
    for problem in (*found, *([number] if number else [])):
        yield replace(problem, field=problem.field.removeprefix("query."))
    if found or number:
        return
    if not finite(lab, data):
        text = N_(
            "“{column}” holds infinite values, so there is nothing to compare a clipped "
            "{statistic} with. Choose another column."
        )
        yield Problem("column", say(text, column=lab.column, statistic=Message(lab.statistic)))
        return
    if rows_in_order(lab, data) is None:
        text = N_("No row meets the condition and has a value. Widen the condition.")
        yield Problem("where", Message(text))
        return
    bounds = bounds_in_force(lab, data)
    if bounds.low >= bounds.high:
        yield Problem("high", parameters.above_centre(bounds.centre))
    else:
        yield from _public_problems(lab, data)


def _public_problems(lab: parameters.Clipping, data: Dataset) -> Iterator[Problem]:
    """Why the number of rows is not public."""
    if not lab.n_public or lab.statistic == "sum":
        return
    if data.person:
        text = N_(
            "Another person may have another number of rows, so n is not public. Publish the count "
            "too instead."
        )
    elif lab.adjacency != query.REPLACE:
        text = N_("A public n needs the neighbours “replace one”: adding a person would change n.")
    elif lab.where:
        text = N_(
            "With a condition a row can drop out, so n is not public. Remove the condition, or "
            "publish the count too."
        )
    elif data.missing(lab.column):
        text = N_(
            "Rows that lack “{column}” drop out, so n is not public. Publish the count too instead."
        )
        yield Problem("n_public", say(text, column=lab.column))
        return
    else:
        return
    yield Problem("n_public", Message(text))


def refused(lab: parameters.Clipping, data: Dataset) -> Refused:
    """The mechanisms that cannot answer the question, each with the reason."""
    if any(_question_problems(lab, data)) or integer_answers(lab, data):
        return {"mechanism": {}}
    why = say(
        "Integer noise needs integer answers: an integer column with integer bounds. Choose "
        "Laplace instead."
    )
    return {"mechanism": {m.key: why for m in MECHANISMS if m.integers}}


def suited(lab: parameters.Clipping, data: Dataset) -> parameters.Clipping:
    """The lab with a column of numbers, a condition that can be asked, a mechanism that can answer
    and a grid that suits the column."""
    if not data.has(lab.column) or not data.info(lab.column).numeric:
        fitting = columns_for(data, MEASURE, [c.name for c in data.columns if c.numeric])
        # Bounds, centre and grid belonged to the other column.
        gone = dict.fromkeys(("low", "high", "centre", "grid_low", "grid_high"))
        lab = lab.with_(column=fitting[0], attested=False, **gone) if fitting else lab
    if any(query.condition_problems(lab.where, data)):
        lab = lab.with_(where=Where())
    if lab.mechanism.key in refused(lab, data)["mechanism"]:
        lab = lab.with_(mechanism=switch(Laplace, lab.mechanism))
    return lab.with_(grid="equal") if _needs_steps(lab, data) else lab


def _needs_steps(lab: parameters.Clipping, data: Dataset) -> bool:
    """Whether no two powers of two suit the column, as with years."""
    fitted = lab.grid == "doubling" and lab.grid_low is None and lab.grid_high is None
    if not lab.show_truth or not fitted or any(_question_problems(lab, data)):
        return False
    model = clipping_model(lab, Context(data))
    return len(private.candidates(model)) < 2 or private.clips_nothing(model)


def advice(model: ClippingModel) -> Iterator[Problem]:
    """What qualifies the picture without stopping it."""
    lab, promised = model.lab, law.guarantee(model)
    if not promised.proven or promised.violated:
        yield Problem("mechanism", promised.note, stops=False, grave=promised.violated)
    if lab.show_truth:
        yield from in_digits(model.data, lab.column)
    if lab.choose == "none" or not lab.show_truth:
        return
    if not private.public_other(model):
        text = N_(
            "The other bound comes from the data: even the private choice of this one does not "
            "make the answer private."
        )
        yield Problem("low", Message(text), stops=False)
    if private.private_choice(model) is None:
        text = N_(
            "The grid has fewer than two candidates above {bound}. Widen it or take equal steps to "
            "see a private choice."
        )
        told = say(text, bound=Num(model.bounds.floor, 6))
        yield Problem("grid_high", told, stops=False)
    elif not private.public_grid(model):
        told = say("The grid comes from the data: this choice is not private.")
        yield Problem("grid_low", told, stops=False)
    why = private.missed(model)
    if why:
        yield Problem("grid_high", why, stops=False)
