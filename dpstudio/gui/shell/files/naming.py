"""The names on the window: of the table in the top bar, of the session or the talk in the title."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from dpstudio.data.dataset import Dataset
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.state.store import Store
from dpstudio.gui.table.opening import Opener
from dpstudio.values.messages import N_, Num, named, say


class Naming(QObject):
    """`talk()`: the name of the talk that is open, and whether it is not saved; None where there
    is none."""

    def __init__(self, window: Window, store: Store, opener: Opener):
        super().__init__(window)
        self.window, self.store, self.opener = window, store, opener
        self.talk: Callable[[], tuple[str, bool] | None] = lambda: None
        self._data: tuple[Dataset | None, Dataset | None] = (None, None)
        store.changed.connect(self._on_change)
        store.history.cleanChanged.connect(self.title)
        opener.empty.connect(self._on_empty)

    def _on_change(self, store: Store) -> None:
        if store.data is not self._data[0] or store.second is not self._data[1]:
            self._data = store.data, store.second
            self._name_table()

    def _on_empty(self) -> None:
        self.window.top.name_table(tr(N_("No table")))

    def _name_table(self) -> None:
        """The table, and who a person is where that is not each row: both belong to every number on
        the screen."""
        data = self.store.data
        if data is None:
            return
        text = N_("{table} · {rows} {rows:row|rows}")
        if data.person:
            text = N_("{table} · {rows} {rows:row|rows}, {m} a person")
        rows, most = Num(data.whole.rows), Num(data.contributions)
        name = shown(say(text, table=named(data.name), rows=rows, m=most))
        if self.store.second is not None:
            other = named(self.store.second.name)
            name = shown(say("{table} + {other}", table=name, other=other))
        self.window.top.name_table(name)

    def title(self, _: object = None) -> None:
        """Name the talk, the session or the table in the window's title, with a dot where something
        is not saved."""
        data, path, talk = self.store.data, self.opener.session_path, self.talk()
        if talk is not None:
            self.window.title("", *talk)
        elif data is not None:
            changed = not self.store.history.isClean()
            self.window.title(tr(data.name), path.name if path else "", changed)
