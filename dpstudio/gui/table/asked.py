"""What was asked of the database that holds the table: statements, newest first."""

from PySide6.QtWidgets import QHeaderView, QPlainTextEdit, QTableView, QVBoxLayout, QWidget

from dpstudio.data.aggregates import Asked, Cost
from dpstudio.data.dataset import Dataset
from dpstudio.files.engines.costs import amount
from dpstudio.gui.parts.cell_model import CellModel
from dpstudio.gui.parts.labels import label
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.values.messages import N_, Num, say


class AskedView(QWidget):
    """The last statements with their time and rows; the chosen one in full below them."""

    def __init__(self) -> None:
        super().__init__()
        self.head, self.model = label("", "muted", wrap=True), CellModel()
        self.view, self.whole = QTableView(), QPlainTextEdit(readOnly=True)
        self.view.setModel(self.model)
        self.view.setAccessibleName(tr(N_("What was asked of the database")))
        self.whole.setAccessibleName(tr(N_("The statement in full")))
        self.view.setTabKeyNavigation(False)
        self.whole.setTabChangesFocus(True)
        self.view.setWordWrap(False)
        self.view.setShowGrid(False)
        self.view.verticalHeader().hide()
        self.view.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.view.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.view.selectionModel().currentRowChanged.connect(self._show_whole)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        for part, stretch in ((self.head, 0), (self.view, 3), (self.whole, 1)):
            layout.addWidget(part, stretch)

    def show_data(self, data: Dataset | None) -> None:
        """What was asked until now."""
        asked = list(data.asked or ())[::-1] if data is not None else []
        text = N_(
            "{n:# statement was|# statements were} sent since the table was opened; "
            "{kept:the last # is|the last # are} here. What is known from them is not asked again."
        )
        number = asked[0].number if asked else 0
        self.head.setText(shown(say(text, n=Num(number), kept=Num(len(asked)))))
        heads = [tr(N_("statement")), tr(N_("reads at most")), tr(N_("ms")), tr(N_("rows"))]
        cells = [[a.sql, _read(a), f"{1000 * a.seconds:,.1f}", f"{a.rows:,}"] for a in asked]
        self.model.show_cells(heads, [False, True, True, True], cells)
        header = self.view.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.view.selectRow(0)

    def _show_whole(self, *_: object) -> None:
        row = self.view.currentIndex().row()
        self.whole.setPlainText(self.model.cells[row][0] if row >= 0 else "")


def _read(asked: Asked) -> str:
    """What it may have read, where that is worth to be asked."""
    return "" if asked.cost == Cost() else shown(amount(asked.cost))
