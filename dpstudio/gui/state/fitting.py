"""Labs that are being fitted to a large table, in the background."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal

from dpstudio.data.dataset import Dataset
from dpstudio.gui.state.history import Step
from dpstudio.gui.state.jobs import Channel, Work
from dpstudio.gui.state.shared_settings import suited
from dpstudio.labs import Lab

_QUICK = 50_000  # rows: fitting a question to no more than these takes less than a frame


@dataclass(eq=False)
class Fit:
    """A lab to be fitted. `step` is the edit that brought it; None where every remembered state
    holds it. `found` takes what the table made of it, or something else."""

    lab: Lab
    data: Dataset
    found: Callable[[Lab], Lab]
    step: Step | None = None


class Fitter(QObject):
    """`fitted(fit, lab)`: what a table made of a lab; `failed`: that nothing was made of any."""

    fitted = Signal(object, object)
    failed = Signal()

    def __init__(self, channel: Channel | None, parent: QObject):
        super().__init__(parent)
        self._channel = channel
        self._fits: list[Fit] = []
        if channel is not None:
            channel.value.connect(self._on_made)
            channel.failed.connect(self._give_up)

    @property
    def busy(self) -> bool:
        """Whether anything is still to be fitted."""
        return bool(self._fits)

    def slow(self, data: Dataset | None) -> bool:
        """Whether fitting to that table may take longer than a hand waits."""
        return self._channel is not None and data is not None and data.rows > _QUICK

    def begin(self, lab: Lab, data: Dataset, found: Callable[[Lab], Lab]) -> Fit:
        """Fit a lab to a table; `fitted` will say what became of it."""
        assert self._channel is not None
        fit = Fit(lab, data, found)
        self._fits.append(fit)
        # Only the newest job waits, so each has all that is still to be done.
        self._channel.submit(partial(_fit_all, tuple(self._fits)))
        return fit

    def leave(self, fit: Fit) -> None:
        """Want it no more."""
        self._fits.remove(fit)

    def finish(self) -> None:
        """Fit what is left now, and wait for it."""
        for fit in tuple(self._fits):
            self._take(fit, suited(fit.lab, fit.data))

    def _on_made(self, fitted: tuple[Fit, Lab]) -> None:
        self._take(*fitted)

    def _take(self, fit: Fit, lab: Lab) -> None:
        if fit in self._fits:
            self._fits.remove(fit)
            self.fitted.emit(fit, fit.found(lab))

    def _give_up(self, _: Exception) -> None:
        self._fits.clear()
        self.failed.emit()


def _fit_all(fits: tuple[Fit, ...], work: Work) -> Iterator[tuple[Fit, Lab]]:
    for fit in fits:
        if work.cancelled():
            return
        yield fit, suited(fit.lab, fit.data)
