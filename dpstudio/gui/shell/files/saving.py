"""Charts, tables and sentences to files and to the clipboard, from the menus. The writers are
imported when something is written."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from dpstudio.charts.figure import Figure
from dpstudio.data.dataset import Dataset
from dpstudio.files.session import SessionError, unwritten, write_text
from dpstudio.gui.board.cards import ChartCard
from dpstudio.gui.board.table_card import TableCard
from dpstudio.gui.parts.folder_dialog import asked_folder
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.files import leaving
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.state.jobs import Job, Jobs
from dpstudio.gui.state.store import Store
from dpstudio.gui.table.attesting import stays
from dpstudio.gui.table.opening import Opener
from dpstudio.labs import Lab
from dpstudio.labs.carry_over import TRUTH
from dpstudio.labs.findings import Findings, Table
from dpstudio.values.messages import N_, Message, in_turn, say

if TYPE_CHECKING:
    from dpstudio.files.write.leaving import Left
    from dpstudio.files.write.paper import Paper
    from dpstudio.gui.shell.files.printing import PrintBar, Seen

_KINDS = {"png": "PNG (*.png)", "svg": "SVG (*.svg)", "csv": "CSV (*.csv)", "pdf": "PDF (*.pdf)"}
Outcome = tuple[Lab, Findings]
_COPIES = ("copy", "copy-data", "copy-latex", "copy-markdown")


class Saver:
    """Asks where to, writes, and says in the bar what happened. `drawn()` is what is on the
    screen, None while a problem stands in its place."""

    def __init__(
        self,
        window: Window,
        store: Store,
        jobs: Jobs,
        drawn: Callable[[], Outcome | None],
        opener: Opener,
    ):
        self.window, self.store, self._drawn = window, store, drawn
        self._jobs = jobs
        self.writer = jobs.channel("save")
        self.writer.value.connect(self._on_written)
        self.writer.failed.connect(self._on_unwritten)
        self.leaver = jobs.channel("leave")
        self.leaver.value.connect(self._on_left)
        self._stays = partial(stays, opener)
        self.leaver.failed.connect(self._stays)
        self.leaver.idle.connect(self._next)
        self._asked: list[Job] = []
        self._folder_asked = Path()
        self._told: tuple[Message, ...] = ()
        self.print_bar: PrintBar | None = None

    def chart(self, key: str, what: str, paper: Paper | None = None) -> None:
        """One entry of a chart's menu: present, copy, copy-data, png, svg, csv, without, print; or
        one of the bar of the last, on `paper`."""
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
        assert isinstance(card, ChartCard)
        drawn, view = self._seen(), card.view
        if drawn is None or view is None:
            return
        if what == "print":
            self._ask_paper(key, card.title.text())
            return
        path, hidden = self._place(drawn[0], key, what), view.hidden

        def leave(lab: Lab, findings: Findings, data: Dataset) -> None:
            figure = findings.figure(key)
            if paper is not None:
                self.write(figure, lab, path or Path(), hidden, data, paper)
            else:
                self._leave(figure, lab, what, hidden, data, path or Path())

        if path is not None:
            self._leaving(leave, what == "without", key)

    def _ask_paper(self, key: str, title: str) -> None:
        """Ask in a bar how large the figure is to be, and what stands around it."""
        from dpstudio.gui.shell.files.printing import PagePreview, PrintBar

        if self.print_bar is None:
            preview = PagePreview(self._page, self._jobs.channel("page"), self.window.theme)
            self.print_bar = bar = PrintBar(self.window.bars, self.chart, preview)
            self.window.style_sheets.add(bar)
            self.store.changed.connect(lambda store: bar.leave(store.state.active))
            self.window.presented.connect(bar.hide)
        self.print_bar.ask(self.store.state.active, key, title)

    def look_again(self) -> None:
        """The charts on the screen are others: so may be the page that is to be written."""
        if self.print_bar is not None and not self.print_bar.isHidden():
            self.print_bar.preview.again()

    def _page(self, key: str) -> Seen | None:
        """What would be written of a chart."""
        from dpstudio.gui.shell.files.printing import Seen

        card, drawn, data = self.window.board.card(key), self._drawn(), self.store.data
        view = card.view if isinstance(card, ChartCard) else None
        if drawn is None or data is None or view is None:
            return None
        return Seen(drawn[1].figure(key), drawn[0], data, view.hidden)

    def _place(self, lab: Lab, key: str, what: str) -> Path | None:
        """Where one chart goes, which is asked before anything is drawn for it: no place for the
        clipboard, None where nothing is to be saved."""
        if what in _COPIES:
            return Path()
        filters = _KINDS[what] if what in _KINDS else ";;".join(_KINDS.values())
        ending = "-without.png" if what == "without" else f".{what}"
        path = self._ask(f"{lab.key}-{key}{ending}", filters)
        return Path(path) if path else None

    def _leave(
        self, figure: Figure, lab: Lab, what: str, hidden: frozenset[str], data: Dataset, path: Path
    ) -> None:
        """One chart to the clipboard or to a file."""
        from dpstudio.files.write.csvout import figure_csv
        from dpstudio.files.write.export import metadata

        if what == "copy":
            self.copy(figure, lab, hidden, data)
            self._tell_drawn()
        elif what == "copy-data":
            QGuiApplication.clipboard().setText(
                figure_csv(figure.without(hidden), metadata(figure, lab, data, hidden), tr)
            )
            self._tell_drawn()
        else:
            self.write(figure, lab, path, hidden, data)

    def column(self, view: Any, what: str, chart: bool) -> None:
        """The chart of the column on the page of the table, or its words: exact, and said to be so
        in the file. `view` is its ColumnView."""
        from dpstudio.labs.start.data.charts import Portrait

        if view.seen is None:
            return
        found, lab, drawn = view.findings, Portrait(view.seen.name), view.chart.view
        data = self.store.data
        self._told, kept = (), found.figures if chart else found.tables
        path = self._place(lab, kept[0].key, what) if data is not None and kept else None
        if data is None or path is None:
            return
        if not chart:
            self._leave_table(found.tables[0], lab, what, view.words.chosen(), data, path)
        elif drawn is not None:
            self._leave(found.figures[0], lab, what, drawn.hidden, data, path)

    def table(self, card: TableCard, what: str) -> None:
        """One entry of a table's menu: copy-data (the cells that are chosen, or all) and csv."""
        drawn, key, chosen = self._seen(), card.key, card.chosen()
        path = self._place(drawn[0], key, what) if drawn is not None else None
        if path is not None:
            self._leaving(
                lambda lab, findings, data: self._leave_table(
                    next(t for t in findings.tables if t.key == key), lab, what, chosen, data, path
                ),
                wanted=key,
            )

    def _leave_table(
        self,
        table: Table,
        lab: Lab,
        what: str,
        chosen: list[tuple[int, int]],
        data: Dataset,
        path: Path,
    ) -> None:
        from dpstudio.files.write.csvout import table_csv, table_tsv
        from dpstudio.files.write.export import metadata
        from dpstudio.files.write.tabular import table_latex, table_markdown

        kinds = {"data": table_tsv, "latex": table_latex, "markdown": table_markdown}
        if what in _COPIES:
            QGuiApplication.clipboard().setText(kinds[what[5:]](table, chosen, tr))
            self._tell_drawn()
        else:
            self._write_text(path, table_csv(table, metadata(table, lab, data), tr))

    def _write_text(self, path: Path, text: str) -> None:
        try:
            write_text(path, text)
        except SessionError as error:
            self.window.say(shown(error.sentence))
            return
        self._tell(say("Saved {path}.", path=path))

    def _tell(self, text: Message) -> None:
        """What was done, and what that cost."""
        self.window.say(shown(in_turn((text, *self._told))), tone="good")

    def _tell_drawn(self) -> None:
        """What was drawn for the clipboard."""
        if self._told:
            self._tell(say("Copied."))

    def copy(self, figure: Figure, lab: Lab, hidden: frozenset[str], data: Dataset) -> None:
        """The picture to the clipboard, with its warnings in it."""
        from dpstudio.files.write.export import chart_svg
        from dpstudio.gui.board.render import svg_to_image

        dark = self.window.theme.look.dark
        svg = chart_svg(figure, lab, data, dark=dark, hidden=hidden, translate=tr)
        mime = QMimeData()
        mime.setImageData(svg_to_image(svg, 2.0))
        mime.setData("image/svg+xml", svg.encode())
        QGuiApplication.clipboard().setMimeData(mime)

    def write(
        self,
        figure: Figure,
        lab: Lab,
        path: Path,
        hidden: frozenset[str] = frozenset(),
        data: Dataset | None = None,
        paper: Paper | None = None,
    ) -> bool:
        """One chart to a file whose ending says the format; what fails is said in the bar. It was
        made of `data`, which is the table that is open or a stand-in for it."""
        from dpstudio.files.write.export import chart_files
        from dpstudio.gui.board.render import FigureImages

        data, dark = data or self.store.data, self.window.theme.look.dark
        assert data is not None
        look: dict[str, Any] = {"dark": dark, "hidden": hidden, "paper": paper, "translate": tr}
        try:
            chart_files(figure, lab, data, [path], FigureImages(), **look)
        except (SessionError, OSError, ValueError) as error:
            self.window.say(shown(unwritten(path, error).sentence))
            return False
        self._tell(say("Saved {path}.", path=path))
        return True

    def ask_folder(self, without: bool = False, alone: bool = False) -> None:
        """Ask for a folder, and write all charts to it, or the table for others `alone`."""
        title = N_("Empty folder for the table") if alone else N_("Folder for the charts")
        kept = self.window.kept
        if folder := asked_folder(self.window, tr(title), kept.folder):
            # the next empty folder is looked for beside this one, which is full then
            kept.keep_folder(str(Path(folder).parent) if alone else folder)
            self.folder(Path(folder), without, alone)

    def publishes(self) -> bool:
        """Whether the lab on the screen makes tables for others."""
        return (drawn := self._drawn()) is not None and drawn[0].page().publishes is not None

    def folder(self, folder: Path, without: bool = False, alone: bool = False) -> None:
        """All of it, or the table alone, to a folder, drawn and written off the GUI thread."""
        drawn = self._seen()
        if drawn is None or (
            alone and not without and not leaving.may_publish(*drawn, self.store.data, self._stays)
        ):
            return
        look = {
            "dark": self.window.theme.look.dark,
            "hidden": {
                c.figure.key: c.view.hidden
                for c in self.window.board.cards
                if c.figure is not None and c.view is not None
            },
        }

        def write(lab: Lab, findings: Findings, data: Dataset) -> None:
            self._folder_asked = folder
            work = partial(leaving.exported, findings, lab, data, folder, look)
            self.writer.submit(
                partial(leaving.published, findings, lab, data, folder) if alone else work
            )

        self._leaving(write, without)

    def _on_written(self, written: tuple[Path, int]) -> None:
        self._tell(say("Saved {n} {n:file|files} in {path}.", n=written[1], path=written[0]))

    def _on_unwritten(self, error: Exception) -> None:
        self.window.say(shown(unwritten(self._folder_asked, error).sentence))

    def cite(self) -> None:
        """What the page is cited by to the clipboard, as BibTeX."""
        drawn, data = self._seen(), self.store.data
        if drawn is not None and data is not None:
            from dpstudio.files.write.citation import citation

            QGuiApplication.clipboard().setText(citation(*drawn, data))
            text = N_("Copied as BibTeX: the sources of this page, and the program.")
            self.window.say(tr(text), tone="good")

    def copy_words(self) -> None:
        """The sentences to the clipboard."""
        self.copy_text(lambda lab, found, data: "\n".join(shown(s.say) for s in found.sentences))

    def copy_text(self, text: Callable[[Lab, Findings, Dataset], str]) -> None:
        """Words of what may leave to the clipboard; where there are none without the exact answer,
        it is said."""

        def copy(lab: Lab, findings: Findings, data: Dataset) -> None:
            if words := text(lab, findings, data):
                QGuiApplication.clipboard().setText(words)
                self._tell_drawn()
            else:
                self.window.say(tr(N_("Without the exact answer there is nothing to copy here.")))

        if self._seen() is not None:
            self._leaving(copy)

    def found(self) -> Findings | None:
        """The findings on the screen."""
        return None if (drawn := self._drawn()) is None else drawn[1]

    def _seen(self) -> Outcome | None:
        """What is on the screen; where that is nothing, it is said."""
        drawn = self._drawn() if self.store.data is not None else None
        if drawn is None:
            text = N_("There is no picture to save as long as the question is not answered.")
            self.window.say(tr(text))
        return drawn

    def _leaving(self, then: leaving.Leaves, without: bool = False, wanted: str = "") -> None:
        """Do `then` with what may leave the program: with what is on the screen, or, without the
        exact answer, with what is made of a stand-in and of what is drawn exactly, off the GUI
        thread. Where the chart or table that is `wanted` cannot leave, nothing is drawn, and why is
        said."""
        data, drawn = self.store.data, self._drawn()
        assert data is not None
        assert drawn is not None
        self._told, (lab, findings) = (), drawn
        if not without and getattr(lab, TRUTH, True):
            then(lab, findings, data)
            return
        self.window.say(tr(N_("What leaves is being drawn …")), tone="good")
        self._asked.append(partial(leaving.drawn_to_leave, lab, data, wanted, then))
        self._next()

    def _next(self) -> None:
        """One after the other: whatever was asked for is saved."""
        if self._asked and not self.leaver.busy:
            self.leaver.submit(self._asked.pop(0))

    def _on_left(self, finished: tuple[Left, leaving.Leaves]) -> None:
        left, then = finished
        self._told = left.told
        self.window.say("")
        then(left.lab, left.findings, left.data)

    def _ask(self, name: str, filters: str) -> str:
        path, chosen = QFileDialog.getSaveFileName(
            self.window, tr(N_("Save chart")), os.path.join(self.window.kept.folder, name), filters
        )
        if path and not Path(path).suffix:
            path += "." + next((k for k, v in _KINDS.items() if v == chosen), "png")
        if path:
            self.window.kept.keep_folder(path)
        return path
