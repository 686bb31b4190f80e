"""Disclosure risk: who is found in a table as it is, and in the population behind it."""

from dpstudio.labs.whole_tables.risk import ABOUT
from dpstudio.labs.whole_tables.rows.parameters import RowsLab, known
from dpstudio.values.fields import real
from dpstudio.values.messages import N_


class Risk(RowsLab, about=ABOUT):
    """People of a table are looked for by what is known of them; nothing is hidden."""

    known: tuple[str, ...] = known()
    sampled: float = real(
        0.01,
        N_("Share of the population"),
        N_("What part of a population these rows are, drawn by lot; for the estimate alone."),
        low=1e-6,
        high=1,
        log=True,
        percent=True,
        active_when=("whole", True),
        leads=True,
    )
