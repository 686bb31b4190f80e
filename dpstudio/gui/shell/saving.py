"""Charts and sessions to files and to the clipboard, from the menus. The writers are imported when
something is written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from dpstudio.charts.figure import Figure
from dpstudio.files.session import SUFFIX, SessionError, write_text
from dpstudio.files.tables import SUFFIXES
from dpstudio.gui.board.cards import ChartCard
from dpstudio.gui.board.table_card import TableCard
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.state.jobs import Runner
from dpstudio.labs import Lab
from dpstudio.labs.findings import Findings, Table
from dpstudio.values.messages import N_, say

if TYPE_CHECKING:
    from dpstudio.gui.shell.studio import Studio

_KINDS = {"png": "PNG (*.png)", "svg": "SVG (*.svg)", "csv": "CSV (*.csv)", "pdf": "PDF (*.pdf)"}


class Saver:
    """Asks where to, writes, and says in the bar what happened."""

    def __init__(self, studio: Studio):
        self.studio = studio
        self.writer = Runner(studio)
        self.writer.value.connect(self._on_written)
        self.writer.failed.connect(self._on_unwritten)
        self._folder_asked = Path()

    # Tables and sessions

    def ask_open(self) -> None:
        known, every = tr(N_("Tables and sessions")), tr(N_("All files"))
        filters = (
            f"{known} ({' '.join('*' + suffix for suffix in (*SUFFIXES, SUFFIX))});;{every} (*)"
        )
        path, _ = QFileDialog.getOpenFileName(
            self.studio.window, tr(N_("Open")), self._folder(), filters
        )
        if path:
            self._keep_folder(path)
            self.studio.open(path)

    def save(self) -> None:
        if self.studio.opener.nowhere():
            return
        if self.studio.opener.session_path is not None:
            self.studio.save_session(self.studio.opener.session_path)
        else:
            self.ask_save()

    def ask_save(self) -> None:
        if self.studio.opener.nowhere():
            return
        path, _ = QFileDialog.getSaveFileName(
            self.studio.window,
            tr(N_("Save session")),
            os.path.join(self._folder(), "session" + SUFFIX),
            f"dpstudio (*{SUFFIX})",
        )
        if path:
            self._keep_folder(path)
            self.studio.save_session(Path(path if path.endswith(SUFFIX) else path + SUFFIX))

    # Charts

    def chart(self, key: str, what: str) -> None:
        """One entry of a chart's menu: present, copy, copy-data, png, svg, csv, without."""
        board = self.studio.window.board
        card = board.card(key)
        if card is None:
            return
        if what == "present":
            self.studio.window.present(board.items.index(card))
            return
        if isinstance(card, TableCard):
            self.table(card, what)
            return
        findings, lab = self._leaving(what == "without")
        assert isinstance(card, ChartCard)
        view = card.view
        if findings is None or self.studio.store.data is None or view is None:
            return
        if key not in [f.key for f in findings.figures]:
            self.studio.window.say(
                shown(
                    say(
                        "This chart shows nothing but the exact answer, so there is none without "
                        "it."
                    )
                )
            )
            return
        figure = findings.figure(key)
        self._leave(figure, lab, what, view.hidden)

    def _leave(self, figure: Figure, lab: Lab, what: str, hidden: frozenset[str]) -> None:
        """One chart to the clipboard or to a file that is asked for."""
        from dpstudio.files.write.csvout import figure_csv
        from dpstudio.files.write.export import metadata

        assert self.studio.store.data is not None
        if what == "copy":
            self.copy(figure, lab, hidden)
        elif what == "copy-data":
            QGuiApplication.clipboard().setText(
                figure_csv(figure, metadata(figure, lab, self.studio.store.data), tr)
            )
        else:
            filters = _KINDS[what] if what in _KINDS else ";;".join(_KINDS.values())
            path = self._ask(
                f"{lab.key}-{figure.key}{'-without.png' if what == 'without' else '.' + what}",
                filters,
            )
            if path:
                self.write(figure, lab, Path(path), hidden)

    def column(self, what: str, chart: bool) -> None:
        """The chart of the column on the page of the table, or its words: exact, and said to be so
        in the file."""
        from dpstudio.labs.table.profile.charts import Portrait

        page = self.studio.data_page
        if page is None or page.portrait.seen is None:
            return
        found, lab, view = (
            page.portrait.findings,
            Portrait(page.portrait.seen.name),
            page.portrait.chart.view,
        )
        if chart and found.figures and view is not None:
            self._leave(found.figures[0], lab, what, view.hidden)
        elif not chart and found.tables:
            self._leave_table(found.tables[0], lab, what, page.portrait.words.chosen())

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

        data = self.studio.store.data
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
            self.studio.window.say(shown(error.sentence))
            return
        self.studio.window.say(shown(say("Saved {path}.", path=path)), tone="good")

    def copy(self, figure: Figure, lab: Lab, hidden: frozenset[str]) -> None:
        """The picture to the clipboard, with its warnings in it."""
        from dpstudio.files.write.export import chart_svg
        from dpstudio.gui.board.render import svg_to_image

        assert self.studio.store.data is not None
        svg = chart_svg(
            figure,
            lab,
            self.studio.store.data,
            dark=self.studio.window.theme.look.dark,
            hidden=hidden,
            translate=tr,
        )
        mime = QMimeData()
        mime.setImageData(svg_to_image(svg, 2.0))
        mime.setData("image/svg+xml", svg.encode())
        QGuiApplication.clipboard().setMimeData(mime)

    def write(
        self, figure: Figure, lab: Lab, path: Path, hidden: frozenset[str] = frozenset()
    ) -> bool:
        """One chart to a file whose ending says the format; what fails is said in the bar."""
        from dpstudio.files.write.csvout import figure_csv
        from dpstudio.files.write.export import chart_svg, metadata
        from dpstudio.gui.board.render import save_pdf, save_png

        data = self.studio.store.data
        assert data is not None
        made = metadata(figure, lab, data)
        try:
            if path.suffix.lower() == ".csv":
                write_text(path, figure_csv(figure, made, tr))
            else:
                svg = chart_svg(
                    figure,
                    lab,
                    data,
                    dark=self.studio.window.theme.look.dark,
                    hidden=hidden,
                    translate=tr,
                )
                if path.suffix.lower() == ".svg":
                    write_text(path, svg)
                elif path.suffix.lower() == ".pdf":
                    save_pdf(svg, path, made["Title"])
                else:
                    save_png(svg, path, 2.0, made)
        except SessionError as error:
            self.studio.window.say(shown(error.sentence))
            return False
        except (OSError, ValueError) as error:
            text = say(
                "{path} could not be written: {why}. Choose another place.",
                path=path,
                why=getattr(error, "strerror", None) or error,
            )
            self.studio.window.say(shown(text))
            return False
        self.studio.window.say(shown(say("Saved {path}.", path=path)), tone="good")
        return True

    def ask_folder(self, without: bool = False) -> None:
        folder = QFileDialog.getExistingDirectory(
            self.studio.window, tr(N_("Folder for the charts")), self._folder()
        )
        if folder:
            self._keep_folder(folder)
            self.folder(Path(folder), without)

    def folder(self, folder: Path, without: bool = False) -> None:
        """All charts and findings.json to a folder, drawn and written off the GUI thread."""
        data, dark = self.studio.store.data, self.studio.window.theme.look.dark
        findings, lab = self._leaving(without)
        if findings is None or data is None:
            return
        hidden = {
            c.figure.key: c.view.hidden
            for c in self.studio.window.board.cards
            if c.figure is not None and c.view is not None
        }

        def job(cancelled: Any) -> Iterator[tuple[Path, int]]:
            from dpstudio.files.write.export import export_findings
            from dpstudio.gui.board.render import save_png

            yield (
                folder,
                len(
                    export_findings(
                        findings,
                        lab,
                        data,
                        folder,
                        save_png,
                        dark=dark,
                        hidden=hidden,
                        translate=tr,
                    )
                ),
            )

        self._folder_asked = folder
        self.writer.submit(job)

    def _on_written(self, written: tuple[Path, int]) -> None:
        folder, count = written
        self.studio.window.say(
            shown(say("Saved {n} files in {path}.", n=count, path=folder)), tone="good"
        )

    def _on_unwritten(self, error: Exception) -> None:
        if isinstance(error, SessionError):
            self.studio.window.say(shown(error.sentence))
            return
        why = getattr(error, "strerror", None) or error
        self.studio.window.say(
            shown(
                say(
                    "{path} could not be written: {why}. Choose another place.",
                    path=self._folder_asked,
                    why=why,
                )
            )
        )

    def copy_words(self) -> None:
        findings, _ = self._leaving()
        if findings is not None:
            QGuiApplication.clipboard().setText("\n".join(shown(s.say) for s in findings.sentences))

    def _leaving(self, without: bool = False) -> tuple[Findings | None, Lab]:
        """What may leave the program: as it is on the screen, or, without the exact answer, drawn
        anew with unknown noise."""
        from dpstudio.files.write.export import without_truth

        data, drawn = self.studio.store.data, self.studio.shown()
        if data is None or drawn is None:
            self.studio.window.say(
                tr(N_("There is no picture to save while the question cannot be answered."))
            )
            return None, self.studio.store.lab
        lab, findings = drawn
        if without or not getattr(lab, "show_truth", True):
            lab = without_truth(lab)
            *_, findings = lab.run(data)
        return findings, lab

    def _ask(self, name: str, filters: str) -> str:
        path, chosen = QFileDialog.getSaveFileName(
            self.studio.window, tr(N_("Save chart")), os.path.join(self._folder(), name), filters
        )
        if path and not Path(path).suffix:
            path += "." + next((k for k, v in _KINDS.items() if v == chosen), "png")
        if path:
            self._keep_folder(path)
        return path

    def _folder(self) -> str:
        return str(self.studio.window.kept.value("files/folder", str(Path.home())))

    def _keep_folder(self, path: str) -> None:
        self.studio.window.kept.setValue(
            "files/folder", path if os.path.isdir(path) else os.path.dirname(path)
        )
