"""The sheet that asks where a table is that stays in its database, and lists what is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from urllib.parse import unquote

from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from dpstudio.data.aggregates import Cost
from dpstudio.files.engines.costs import amount
from dpstudio.files.read.outcome import TableError
from dpstudio.gui.parts.buttons import push
from dpstudio.gui.parts.labels import label
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.frame.sheet import Sheet
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.state.jobs import Channel, Work
from dpstudio.gui.table.reading import Request
from dpstudio.values.messages import N_

_DUCKDB = ("*.duckdb", "*.ddb", "*.db")
_MOST = 8  # tables that are seen at once
_HOW = N_(
    "A server as postgresql://name@host/database, a DuckDB file as duckdb:///folder/file.duckdb, "
    "or a folder of Parquet or CSV files; by Spark as spark://host:7077/folder. It is "
    "only read. A password is never typed here: PostgreSQL takes it from PGPASSWORD or from "
    "~/.pgpass."
)


class DatabaseSheet(Sheet):
    """Look lists the tables and views behind an address; one that is clicked is opened, as is the
    one that is marked by Open."""

    def __init__(
        self, window: Window, looker: Channel, open_: Callable[[str, Request | None], object]
    ):
        super().__init__(window, QWidget())
        self._looker, self._open = looker, open_
        self._request: Request | None = None
        self.title.setText(tr(N_("Open from a database")))
        self.address, self.said = QLineEdit(), label("", "bad", wrap=True)
        self.list, self.head = QListWidget(), label(tr(N_("Tables and views")), "head")
        self.address.setAccessibleName(tr(N_("Address")))
        self.address.setPlaceholderText("postgresql://name@host/database")
        self.list.setAccessibleName(tr(N_("Tables and views")))
        column = QVBoxLayout(self.body)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(label(tr(N_("Address")), "head"))
        column.addWidget(self.address)
        column.addLayout(self._choosing())
        for part in (self.said, label(tr(_HOW), "muted", wrap=True), self.head, self.list):
            column.addWidget(part)
        self.address.returnPressed.connect(self.look)
        self.address.textChanged.connect(self._begin)
        self.does.clicked.connect(self._do)
        self.list.itemClicked.connect(self._take)
        self.list.itemActivated.connect(self._take)  # by Enter
        looker.value.connect(self._on_listed)
        looker.failed.connect(self._on_failed)

    def ask(self, request: Request | None = None) -> None:
        """Show it, with the address that was last opened; or that of a session, which opens on the
        table that is chosen; or a file, in which it looks at once."""
        inside = request is not None and request.session is None
        self._request = None if inside else request
        if request is not None:
            self.address.setText(request.where if inside else request.where.partition("#")[0])
        elif not self.address.text():
            known = (r for r in self._window.kept.recent if "://" in r)
            self.address.setText(next(known, "").partition("#")[0])
        self._begin()
        self.rise()
        self.address.selectAll()
        self.address.setFocus()
        if inside:
            self.look()

    def _choosing(self) -> QHBoxLayout:
        """A file or a folder is chosen as well as typed, and looked into at once."""
        row = QHBoxLayout()
        self.file, self.folder = push(tr(N_("Choose a file …"))), push(tr(N_("Choose a folder …")))
        for button, choose in ((self.file, self._file), (self.folder, self._folder)):
            button.clicked.connect(choose)
            row.addWidget(button)
        row.addStretch()
        return row

    def _file(self) -> None:
        kinds = f"DuckDB ({' '.join(_DUCKDB)});;{tr(N_('All files'))} (*)"
        title, folder = tr(N_("Open from a database")), self._window.kept.folder
        self._chosen(QFileDialog.getOpenFileName(self._window, title, folder, kinds)[0])

    def _folder(self) -> None:
        title, folder = tr(N_("Open from a database")), self._window.kept.folder
        self._chosen(QFileDialog.getExistingDirectory(self._window, title, folder))

    def _chosen(self, path: str) -> None:
        if path:
            self._window.kept.keep_folder(path)
            self.address.setText(path)
            self.look()

    def _do(self) -> None:
        """Open what is marked, or look for it."""
        if (marked := self.list.currentItem()) is not None:
            self._take(marked)
        else:
            self.look()

    def look(self) -> None:
        """List what is behind the address, in the background."""
        self._begin()
        if where := self.address.text().strip():
            self.does.setText(tr(N_("Looking …")))
            self._looker.submit(partial(_listed, where), cancel=True)

    def _begin(self, _: str = "") -> None:
        """Nothing is known of what is typed."""
        self._looker.cancel()
        self.list.clear()
        self._tell("")

    def _tell(self, why: str) -> None:
        """What was wrong with the address, if anything; and what was found."""
        found = self.list.count()
        self.does.setText(tr(N_("Open") if found else N_("Look")))
        self.said.setText(why)
        self.said.setVisible(bool(why))
        for part in (self.head, self.list):
            part.setVisible(bool(found))
        high = self.list.sizeHintForRow(0) * min(found, _MOST)
        self.list.setFixedHeight(high + 2 * self.list.frameWidth())
        if self.isVisible():
            self.fit()

    def _on_listed(self, found: Mapping[str, Cost]) -> None:
        for where, cost in found.items():
            name, size = unquote(where.partition("#")[2]) or where, shown(amount(cost))
            item = QListWidgetItem(name if cost == Cost() else f"{name}  ({size})", self.list)
            item.setToolTip(where)
        self._tell("")
        self.list.setCurrentRow(0)
        self.list.setFocus()

    def _on_failed(self, error: Exception) -> None:
        if not isinstance(error, TableError):
            raise error
        self._tell(shown(error.sentence))
        self.address.setFocus()

    def _take(self, item: QListWidgetItem) -> None:
        if self.isVisible():  # where a click activates, it is told twice
            self.leave()
            self._open(item.toolTip(), self._request)

    def leave(self) -> None:
        """Go; what is looked for is not wanted any more."""
        self._looker.cancel()
        super().leave()


def _listed(where: str, work: Work) -> Iterator[Mapping[str, Cost]]:
    from dpstudio.files.engines.connecting import tables

    yield tables(where)
