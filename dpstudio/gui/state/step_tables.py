"""The tables that the steps of a talk name, and where they were found."""

from dpstudio.data.dataset import Dataset
from dpstudio.files.talk import Step
from dpstudio.gui.state.store import Store


class StepTables:
    """Which tables of a step stand in the store. It names them as they were called when it was
    made; they may lie elsewhere by now."""

    def __init__(self, store: Store):
        self.store = store
        self._found: dict[str, str] = {}

    def found(self, table: str) -> str:
        """Where the table that steps name was when it was opened for one; "" before that."""
        return self._found.get(table, "")

    def locate(self, table: str, data: Dataset | None) -> None:
        """The table that steps name so is this one."""
        if data is not None:
            self._found[table] = data.origin

    def lacks_first(self, step: Step) -> bool:
        """Whether the table of a step is to be opened first."""
        return bool(step.table) and not self._open(step.table, self.store.data)

    def lacks_second(self, step: Step) -> bool:
        """Whether the table beside it is."""
        second = step.second
        return second is not None and not self._open(second.table, self.store.second)

    def _open(self, table: str, data: Dataset | None) -> bool:
        return data is not None and data.origin == (self.found(table) or table)

    def send_away(self, step: Step) -> None:
        """Let no table stand beside the first that a step would read, and is not of it."""
        if self.store.second is None or (step.second is not None and not self.lacks_second(step)):
            return
        if step.second is not None or step.lab.page().second is not None:
            self.store.stand(None)
