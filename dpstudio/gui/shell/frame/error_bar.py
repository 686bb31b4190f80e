"""What went wrong in the background, said in the bar with a next step."""

import sys
from collections.abc import Callable

from dpstudio.files.tables import TableError
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.state.store import Store
from dpstudio.values.messages import N_, Message, say
from dpstudio.values.parameters import ParamError


def _log(error: Exception, where: str) -> None:
    """Numbers and names of the code only: a log must hold no rows."""
    print(
        f"dpstudio: {type(error).__name__} in {where}\n{getattr(error, '__traceback_text__', '')}",
        file=sys.stderr,
    )


class ErrorBar:
    """Takes exceptions. `ask_open()` asks for another table, `reload()` for the same anew."""

    def __init__(
        self, window: Window, store: Store, ask_open: Callable[[], None], reload: Callable[[], None]
    ):
        self.window, self.store, self._ask_open, self._reload = window, store, ask_open, reload

    def of_profile(self, error: Exception) -> None:
        """The columns could not be summed up."""
        if isinstance(error, TableError):
            self._of_table(error)
            return
        _log(error, "the page of the table")
        text = say(
            "The columns of this table could not be summed up: {error}. The labs still work.",
            error=type(error).__name__,
        )
        self.window.say(shown(text))

    def of_column(self, error: Exception) -> None:
        """What was told of the columns could not be taken."""
        if isinstance(error, ParamError | TableError):
            self.window.say(shown(error.sentence))
        else:
            self.of_profile(error)

    def of_lab(self, error: Exception) -> None:
        """A lab could not be worked out."""
        if isinstance(error, TableError):
            self._of_table(error)
            return
        _log(error, f"the lab {self.store.lab.key}")
        text = say(
            "Something is wrong inside {lab}: {error}. Undo the last step; everything else still "
            "works.",
            lab=Message(self.store.lab.label),
            error=type(error).__name__,
        )
        self.window.say(shown(text), tr(N_("Undo")), self.store.history.undo)

    def _of_table(self, error: TableError) -> None:
        """The table is gone; one in a database may be reached by another connection."""
        data = self.store.data
        if data is not None and data.asked is not None:
            self.window.say(shown(error.sentence), tr(N_("Reload")), self._reload)
        else:
            self.window.say(shown(error.sentence), tr(N_("Open another …")), self._ask_open)
