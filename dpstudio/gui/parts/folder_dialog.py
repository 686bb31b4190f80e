"""Asking for a folder to write to, which need not be there yet."""

from pathlib import Path

from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFileDialog,
    QGridLayout,
    QLineEdit,
    QPushButton,
    QWidget,
)

from dpstudio.gui.parts.labels import ProblemLabel
from dpstudio.values.messages import N_, because, plain, say

_NAMED = "fileNameEdit"  # as Qt calls the box of a dialog that it draws itself


def asked_folder(window: QWidget, title: str, start: str) -> str:
    """The folder that a person chose, which is there by then; "" where none was. The dialogs of
    most systems make folders; that of Qt takes a new name for a mistake."""
    dialog = _only_folders(QFileDialog(window, title, start))
    if dialog.findChild(QLineEdit, _NAMED) is not None:
        dialog.deleteLater()
        dialog = NewFolder(window, title, start)
    chosen = dialog.selectedFiles()[0] if dialog.exec() else ""
    dialog.deleteLater()
    return chosen


class NewFolder(QFileDialog):
    """Qt's own, in which a name that is not there yet is that of a folder to be made."""

    def __init__(self, window: QWidget | None, title: str, start: str):
        super().__init__(window, title, start)
        _only_folders(self)
        self.complaint = ProblemLabel()
        grid = self.layout()
        assert isinstance(grid, QGridLayout)
        grid.addWidget(self.complaint, grid.rowCount(), 0, 1, -1)
        named, buttons = self.findChild(QLineEdit, _NAMED), self.findChild(QDialogButtonBox)
        assert named is not None
        assert buttons is not None
        self.named: QLineEdit = named
        self.choose: QPushButton = buttons.button(QDialogButtonBox.StandardButton.Open)
        self.named.textChanged.connect(lambda _: self.choose.setEnabled(True))

    def accept(self) -> None:
        """Make it where it is not there, or say why not and stay."""
        folder = Path(self.directory().absolutePath(), typed := self.named.text().strip())
        try:
            folder = Path(self.directory().absolutePath(), Path(typed).expanduser())
            folder.mkdir(parents=True, exist_ok=True)
        except (OSError, RuntimeError, ValueError) as error:  # of “~nobody”, or half a letter
            why = because(error)
            text = N_("{folder} could not be made: {why}. Choose another name or place.")
            self.complaint.say(say(text, folder=plain(folder), why=why))
        else:
            self.setDirectory(str(folder))  # Qt would read blanks and quotes of the name
            self.named.clear()
            super().accept()


def _only_folders(dialog: QFileDialog) -> QFileDialog:
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    return dialog
