"""Anonymity's charts of what classes do not protect."""

from dpstudio.charts.figure import Axis, Columns, Dots, Figure, Line
from dpstudio.labs.percents import shares_axis
from dpstudio.labs.whole_tables.anonymity.attacked import by_columns, ruled_out
from dpstudio.labs.whole_tables.anonymity.model import AnonymityModel
from dpstudio.values.messages import Num, say


def ruled_out_chart(model: AnonymityModel) -> Figure:
    """Background knowledge."""
    share = ruled_out(model)
    return Figure(
        "ruled_out",
        say("What is known besides"),
        Axis(say("other values that are ruled out"), range=(-0.6, len(share) - 0.4), whole=True),
        shares_axis(say("rows whose value is certain"), share),
        (Columns("certain", "gaussian", "", range(len(share)), share, 0.6),),
        exact=True,
        source="Machanavajjhala, Kifer, Gehrke & Venkitasubramaniam 2007",
    )


def dimension_chart(model: AnonymityModel) -> Figure | None:
    """Many columns, where there are two at least."""
    loss, same = by_columns(model)
    if len(loss) < 2:
        return None
    x = range(1, len(loss) + 1)
    return Figure(
        "dimension",
        say("Many columns"),
        Axis(say("quasi-identifiers"), range=(0.7, len(loss) + 0.3), whole=True),
        shares_axis(say("share of all"), loss, same),
        (
            Line("loss", "first", say("width lost (NCP)"), x, loss),
            Dots("marks", "first", "", x, loss),
            Line("same", "gaussian", say("rows in classes of one value"), x, same),
        ),
        say("at k = {k}, of what might be known", k=Num(model.lab.promise.k)),
        exact=True,
        source="Aggarwal 2005",
    )
