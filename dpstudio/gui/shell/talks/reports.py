"""The pages that were opened as a report."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from dpstudio.data.dataset import Dataset
from dpstudio.files.ledger import Ledger, ledger_path
from dpstudio.files.session import Session
from dpstudio.files.talk import Step, file_name
from dpstudio.gui.parts.tr import language, tr
from dpstudio.gui.shell.files.pages_out import PagesOut
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.state.jobs import Jobs, Work
from dpstudio.gui.state.store import Store
from dpstudio.labs.context import SECOND
from dpstudio.values.messages import N_, Message

# What a file dialog offers: an ending, and whether the exact answers stay here.
_KINDS = {
    N_("Web page (*.html)"): (".html", False),
    N_("PDF (*.pdf)"): (".pdf", False),
    N_("Web page without the exact answers (*.html)"): (".html", True),
    N_("PDF without the exact answers (*.pdf)"): (".pdf", True),
}


class Reports(PagesOut):
    """Writes a report of what `session()` says of the tables that are open."""

    def __init__(
        self, window: Window, store: Store, jobs: Jobs, session: Callable[[], Session | None]
    ):
        super().__init__(window, jobs, "report")
        self.store, self._session = store, session

    def ask(self) -> None:
        """Ask for a file, and write the report to it."""
        if self.store.data is not None:
            name = file_name(Path(self.store.data.name).stem)
            self.ask_for(tr(N_("Report")), f"report-{name}", _KINDS, self.write)

    def write(self, path: Path, hides: bool = False) -> bool:
        """Begin to write the report of the pages as they are now, without the exact answers where
        it `hides` them; whether there is a table."""
        session, data, beside = self._session(), self.store.data, self.store.second
        if session is None or data is None:
            return False
        self.submit(path, partial(_written, session, data, beside, path, hides), self.ask)
        return True


class _Open:
    """The tables that are open, in the place of `handing_out.Tables`."""

    def __init__(self, data: Dataset, second: Dataset | None, work: Work):
        self._data, self._second, self.cancelled = data, second, work.cancelled

    def __call__(self, step: Step) -> Dataset:
        return self._data

    def beside(self, step: Step) -> dict[str, Dataset]:
        return {SECOND: self._second} if self._second is not None and not step.hides else {}


def _written(
    session: Session, data: Dataset, second: Dataset | None, path: Path, hides: bool, work: Work
) -> Iterator[tuple[Message, ...]]:
    """What the draws of the pages without exact answers cost, once the file is written."""
    from dpstudio.files.reporting import write_report
    from dpstudio.gui.board.render import FigureImages

    told = list[Message]()
    write_report(
        session,
        path,
        _Open(data, second, work),
        Ledger(ledger_path()),
        FigureImages(),
        hides=hides,
        progress=work.progress,
        tell=told.append,
        language=language(),
        translate=tr,
    )
    yield tuple(told)
