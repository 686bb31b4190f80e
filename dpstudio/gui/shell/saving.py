"""Charts, tables and sentences to files and to the clipboard, from the menus. The writers are
imported when something is written."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from dpstudio.charts.figure import Figure
from dpstudio.data.dataset import Dataset
from dpstudio.files.session import SessionError, write_text
from dpstudio.gui.board.cards import ChartCard
from dpstudio.gui.board.table_card import TableCard
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.window import Window
from dpstudio.gui.state.jobs import Jobs, Work, findings_of
from dpstudio.gui.state.store import Store
from dpstudio.labs import Lab
from dpstudio.labs.carried import TRUTH
from dpstudio.labs.context import Context
from dpstudio.labs.findings import Findings, Table
from dpstudio.values.messages import N_, Say, say

_KINDS = {"png": "PNG (*.png)", "svg": "SVG (*.svg)", "csv": "CSV (*.csv)", "pdf": "PDF (*.pdf)"}
Outcome = tuple[Lab, Findings]


def _unwritten(path: Path, error: Exception) -> Say:
    """Why a file could not be written."""
    if isinstance(error, SessionError):
        return error.sentence
    return say(
        "{path} could not be written: {why}. Choose another place.",
        path=path,
        why=getattr(error, "strerror", None) or error,
    )


class Saver:
    """Asks where to, writes, and says in the bar what happened. `drawn()` is what is on the
    screen, None while a problem stands in its place."""

    def __init__(
        self, window: Window, store: Store, jobs: Jobs, drawn: Callable[[], Outcome | None]
    ):
        self.window, self.store, self._drawn = window, store, drawn
        self.writer = jobs.channel("save")
        self.writer.value.connect(self._on_written)
        self.writer.failed.connect(self._on_unwritten)
        self._folder_asked = Path()

    def chart(self, key: str, what: str) -> None:
        """One entry of a chart's menu: present, copy, copy-data, png, svg, csv, without."""
        board = self.window.board
        card = board.card(key)
        if card is None:
            return
        if what == "present":
            self.window.present(board.items.index(card))
            return
        if isinstance(card, TableCard):
            self.table(card, what)
            return
        findings, lab = self._leaving(what == "without")
        assert isinstance(card, ChartCard)
        view = card.view
        if findings is None or self.store.data is None or view is None:
            return
        if key not in [f.key for f in findings.figures]:
            text = N_("This chart shows nothing but the exact answer, so there is none without it.")
            self.window.say(tr(text))
            return
        figure = findings.figure(key)
        self._leave(figure, lab, what, view.hidden)

    def _leave(self, figure: Figure, lab: Lab, what: str, hidden: frozenset[str]) -> None:
        """One chart to the clipboard or to a file that is asked for."""
        from dpstudio.files.write.csvout import figure_csv
        from dpstudio.files.write.export import metadata

        assert self.store.data is not None
        if what == "copy":
            self.copy(figure, lab, hidden)
        elif what == "copy-data":
            QGuiApplication.clipboard().setText(
                figure_csv(figure, metadata(figure, lab, self.store.data), tr)
            )
        else:
            filters = _KINDS[what] if what in _KINDS else ";;".join(_KINDS.values())
            path = self._ask(
                f"{lab.key}-{figure.key}{'-without.png' if what == 'without' else '.' + what}",
                filters,
            )
            if path:
                self.write(figure, lab, Path(path), hidden)

    def column(self, view: Any, what: str, chart: bool) -> None:
        """The chart of the column on the page of the table, or its words: exact, and said to be so
        in the file. `view` is its ColumnView."""
        from dpstudio.labs.table.profile.charts import Portrait

        if view.seen is None:
            return
        found, lab, drawn = view.findings, Portrait(view.seen.name), view.chart.view
        if chart and found.figures and drawn is not None:
            self._leave(found.figures[0], lab, what, drawn.hidden)
        elif not chart and found.tables:
            self._leave_table(found.tables[0], lab, what, view.words.chosen())

    def table(self, card: TableCard, what: str) -> None:
        """One entry of a table's menu: copy-data (the cells that are chosen, or all) and csv."""
        findings, lab = self._leaving()
        table = (
            next((t for t in findings.tables if t.key == card.key), None)
            if findings is not None
            else None
        )
        if table is not None:
            self._leave_table(table, lab, what, card.chosen())

    def _leave_table(
        self, table: Table, lab: Lab, what: str, chosen: list[tuple[int, int]]
    ) -> None:
        from dpstudio.files.write.csvout import table_csv, table_tsv
        from dpstudio.files.write.export import metadata

        data = self.store.data
        if data is None:
            return
        if what == "copy-data":
            QGuiApplication.clipboard().setText(table_tsv(table, chosen, tr))
            return
        path = self._ask(f"{lab.key}-{table.key}.csv", _KINDS["csv"])
        if path:
            self._write_text(Path(path), table_csv(table, metadata(table, lab, data), tr))

    def _write_text(self, path: Path, text: str) -> None:
        try:
            write_text(path, text)
        except SessionError as error:
            self.window.say(shown(error.sentence))
            return
        self._tell_saved(path)

    def _tell_saved(self, path: Path) -> None:
        self.window.say(shown(say("Saved {path}.", path=path)), tone="good")

    def _svg(self, figure: Figure, lab: Lab, data: Dataset, hidden: frozenset[str]) -> str:
        from dpstudio.files.write.export import chart_svg

        dark = self.window.theme.look.dark
        return chart_svg(figure, lab, data, dark=dark, hidden=hidden, translate=tr)

    def copy(self, figure: Figure, lab: Lab, hidden: frozenset[str]) -> None:
        """The picture to the clipboard, with its warnings in it."""
        from dpstudio.gui.board.render import svg_to_image

        assert self.store.data is not None
        svg = self._svg(figure, lab, self.store.data, hidden)
        mime = QMimeData()
        mime.setImageData(svg_to_image(svg, 2.0))
        mime.setData("image/svg+xml", svg.encode())
        QGuiApplication.clipboard().setMimeData(mime)

    def write(
        self, figure: Figure, lab: Lab, path: Path, hidden: frozenset[str] = frozenset()
    ) -> bool:
        """One chart to a file whose ending says the format; what fails is said in the bar."""
        from dpstudio.files.write.csvout import figure_csv
        from dpstudio.files.write.export import metadata
        from dpstudio.gui.board.render import save_pdf, save_png

        data, kind = self.store.data, path.suffix.lower()
        assert data is not None
        made = metadata(figure, lab, data)
        try:
            if kind == ".csv":
                write_text(path, figure_csv(figure, made, tr))
            elif kind == ".svg":
                write_text(path, self._svg(figure, lab, data, hidden))
            elif kind == ".pdf":
                save_pdf(self._svg(figure, lab, data, hidden), path, made["Title"])
            else:
                save_png(self._svg(figure, lab, data, hidden), path, 2.0, made)
        except (SessionError, OSError, ValueError) as error:
            self.window.say(shown(_unwritten(path, error)))
            return False
        self._tell_saved(path)
        return True

    def ask_folder(self, without: bool = False) -> None:
        """Ask for a folder, and write all charts to it."""
        folder = QFileDialog.getExistingDirectory(
            self.window, tr(N_("Folder for the charts")), self.window.kept.folder
        )
        if folder:
            self.window.kept.keep_folder(folder)
            self.folder(Path(folder), without)

    def folder(self, folder: Path, without: bool = False) -> None:
        """All charts and findings.json to a folder, drawn and written off the GUI thread."""
        data = self.store.data
        findings, lab = self._leaving(without)
        if findings is None or data is None:
            return
        look = {
            "dark": self.window.theme.look.dark,
            "hidden": {
                c.figure.key: c.view.hidden
                for c in self.window.board.cards
                if c.figure is not None and c.view is not None
            },
        }
        self._folder_asked = folder
        self.writer.submit(partial(_export, findings, lab, data, folder, look))

    def _on_written(self, written: tuple[Path, int]) -> None:
        folder, count = written
        text = say("Saved {n} files in {path}.", n=count, path=folder)
        self.window.say(shown(text), tone="good")

    def _on_unwritten(self, error: Exception) -> None:
        self.window.say(shown(_unwritten(self._folder_asked, error)))

    def copy_words(self) -> None:
        """The sentences to the clipboard."""
        findings, _ = self._leaving()
        if findings is not None:
            QGuiApplication.clipboard().setText("\n".join(shown(s.say) for s in findings.sentences))

    def _leaving(self, without: bool = False) -> tuple[Findings | None, Lab]:
        """What may leave the program: as it is on the screen, or, without the exact answer, drawn
        anew with unknown noise."""
        from dpstudio.files.write.export import without_truth

        data, drawn = self.store.data, self._drawn()
        if data is None or drawn is None:
            text = N_("There is no picture to save while the question cannot be answered.")
            self.window.say(tr(text))
            return None, self.store.lab
        lab, findings = drawn
        if without or not getattr(lab, TRUTH, True):
            lab = without_truth(lab)
            *_, findings = findings_of(lab, Context(data))
        return findings, lab

    def _ask(self, name: str, filters: str) -> str:
        path, chosen = QFileDialog.getSaveFileName(
            self.window, tr(N_("Save chart")), os.path.join(self.window.kept.folder, name), filters
        )
        if path and not Path(path).suffix:
            path += "." + next((k for k, v in _KINDS.items() if v == chosen), "png")
        if path:
            self.window.kept.keep_folder(path)
        return path


def _export(
    findings: Findings, lab: Lab, data: Dataset, folder: Path, look: Any, work: Work
) -> Iterator[tuple[Path, int]]:
    from dpstudio.files.write.export import export_findings
    from dpstudio.gui.board.render import save_png

    made = export_findings(findings, lab, data, folder, save_png, translate=tr, **look)
    yield folder, len(made)
