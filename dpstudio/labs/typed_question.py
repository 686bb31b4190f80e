"""A question of columns as it is typed, “mean fine by branch”: which question of the catalogue
that is, and what of it is set so."""

from collections.abc import Mapping
from dataclasses import dataclass

from dpstudio.privacy.queries.contingency import Contingency
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.queries.grouped import Grouped
from dpstudio.privacy.queries.histogram import Histogram
from dpstudio.privacy.queries.query import Query
from dpstudio.privacy.queries.total import Mean, Sum
from dpstudio.values.domains import Column
from dpstudio.values.parameters import Parameters, domains

# What can be published for each group, by the question that it is of everybody.
OF_GROUPS: tuple[type[Query], ...] = (Count, Sum, Mean)


@dataclass(frozen=True)
class Typed:
    """`rest` is what is left without columns: what is asked. `about` is the column it is asked of,
    `by` the one it is split by; "" for none. `statistic` is what each part is to have."""

    rest: str
    about: str = ""
    by: str = ""
    statistic: str = ""

    @property
    def columns(self) -> tuple[str, ...]:
        """Those that are named."""
        return tuple(filter(None, (self.about, self.by)))


def question_of(
    one: Typed, statistic: str, numbers: Mapping[str, bool]
) -> tuple[type[Query] | None, Typed]:
    """The question that is meant, None for what the rest is called, and what it is about.
    `statistic` is the one that the rest is called; `numbers` tells which columns are of numbers."""
    if not one.by:
        return None, one
    if numbers[one.by]:  # parts of numbers are the bars of a histogram
        other = one.about or (one.rest and not statistic)
        return (None if other else Histogram), Typed(one.rest, one.about or one.by)
    if one.about and not numbers[one.about]:
        return Contingency, Typed(one.rest, one.about, one.by)
    chosen = statistic or ("" if one.about else Count.key)
    return Grouped, Typed(one.rest, one.about if chosen != Count.key else "", one.by, chosen)


def set_so(kind: type[Parameters], typed: Typed) -> dict[str, str]:
    """What of a question is set, by parameter: the column by which it is split comes last."""
    asks = domains(kind)
    columns = [name for name, domain in asks.items() if isinstance(domain, Column)]
    chosen = {name: typed.statistic for name in asks if name == "statistic"}
    if typed.by and columns:
        chosen |= {columns[0]: typed.about, columns[-1]: typed.by}
    else:
        chosen |= dict.fromkeys(columns[-1:], typed.about)
    return {name: value for name, value in chosen.items() if value}
