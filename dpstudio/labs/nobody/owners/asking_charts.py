"""Charts of one query over sealed tables: its steps, who may do what, and what an order tells."""

import numpy as np

from dpstudio.charts.figure import Axis, Figure, Line
from dpstudio.labs import sequence
from dpstudio.labs.nobody.owners import asking
from dpstudio.labs.nobody.owners.charts import squares
from dpstudio.labs.nobody.owners.model import OwnersModel
from dpstudio.labs.nobody.owners.parameters import OPERATIONS, Asking
from dpstudio.labs.sequence import Sent
from dpstudio.values.messages import N_, Message, Num, plain, say

SOURCE = "Paillier 1999; " + N_("sorting attack: Naveed, Kamara & Wright 2015")
_ROLES = (N_("an owner"), N_("provider"), N_("server"), N_("user"))
_OBJECTS = (N_("own table"), N_("rules"), N_("query"), N_("order"), N_("answer"))
_MAY = ("11000", "01100", "01100", "00001")  # by role, an object each


def steps_chart(model: OwnersModel, asked: Asking) -> Figure:
    """Submit, grant, request, run, answer: an arrow for each, and the player goes through them."""
    what = Message(OPERATIONS[asked.operation])
    ordering = asked.operation == "order"
    sealed = say("each cell, order kept") if ordering else say("its own sum, sealed")
    done = say("sorts sealed cells") if ordering else say("adds sealed numbers")
    parties = {
        "owners": say("{n} {n:owner|owners}", n=Num(asked.owners)),
        "server": say("server"),
        "user": say("user"),
    }
    steps = (
        Sent("submit", "owners", "server", "first", say("submit"), True, sealed),
        Sent("grant", "owners", "server", "truth", say("grant"), False, say("the user may ask it")),
        Sent("request", "user", "server", "gaussian", say("request"), False, what),
        Sent("run", "server", "server", "discrete_gaussian", say("run"), False, done),
        Sent("answer", "server", "user", "truth", say("answer"), False, say("opened by the user")),
    )  # fmt: skip
    return Figure(
        "flow",
        say("Submit, grant, request, run, answer"),
        *sequence.axes(len(steps)),
        sequence.sequence(parties, steps, (say("it holds"), Message(""))),
        say("time runs down; a lock marks what its receiver cannot read"),
        staged=True,
        source=SOURCE,
    )


def rights_chart(model: OwnersModel, asked: Asking) -> Figure:
    """Roles against objects, a square where the role may read or set it."""
    may = [[mark == "1" for mark in marks] for marks in _MAY]
    may[2][3] = asked.operation == "order"
    return squares(
        "rights",
        say("Roles, and what each may read or set"),
        _ROLES,
        _OBJECTS,
        may,
        say("if nobody helps another"),
        (N_("may"), N_("may not")),
    )


def order_chart(model: OwnersModel, asked: Asking) -> Figure | None:
    """The cells of the other owners by rank, and what one owner guesses; None where nothing is
    ordered."""
    found = asking.ordered(model)
    if found is None:
        return None
    at = np.unique(np.linspace(0, len(found.cells) - 1, model.effort.of_points(201)).astype(int))
    share = (at + 0.5) / len(found.cells)
    return Figure(
        "order",
        say("What ordering tells"),
        Axis(say("share of cells below"), range=(0.0, 1.0)),
        Axis(plain(asked.column), room=1.1),
        (
            Line("cells", "truth", say("cells of the others"), share, found.cells[at]),
            Line(
                "guesses", "second", say("guessed by rank"), share, found.guesses[at], dash="dash"
            ),
        ),
        say("one owner guesses by its own rows at the same rank"),
        exact=True,
        source=SOURCE,
    )
