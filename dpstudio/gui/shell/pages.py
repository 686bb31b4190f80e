"""The pages of the studio: a panel for each lab, made when it is first opened, the page of the
table, and that of a table which waits to be opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from dpstudio.data.dataset import Dataset
from dpstudio.data.profile import Profile
from dpstudio.gui.panel.panels import Panel
from dpstudio.gui.parts.layout_pass import IdleStep
from dpstudio.gui.parts.theme import Look
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.shell.apart import LEDGER, RELEASE
from dpstudio.gui.shell.frame import manual, navigation, panel_column
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.state.jobs import Jobs, Work
from dpstudio.gui.state.store import Store
from dpstudio.gui.table.describing import Describer
from dpstudio.labs import QUESTIONS, About
from dpstudio.labs.naming import about_lab, by_question
from dpstudio.values.messages import N_

DATA_PAGE, IMPORT_PAGE = "data", "import"
# A page among those of labs, though it is none.
LESSONS = About(
    key="lessons",
    label=N_("Lessons"),
    asks=N_("What is there to see, step by step?"),
    help=N_("Lessons that point, ask, and then show. Your own work waits until you are back."),
    useful=N_("Anyone new, and lecturers: begin with the first."),
    question="start",
)
COMPANION = About(
    key="companion",
    label=N_("The texts"),
    asks=N_("Where is what I read?"),
    help=N_("The articles and the book, place by place: each opens the page that shows it."),
    useful=N_("Readers of the texts: choose the place that you read."),
    question="start",
)
GROUP_PAGES = {navigation.group_page(name): name for name in QUESTIONS}
# Pages that are none of labs, in the groups they stand in.
OTHERS = (LESSONS, COMPANION, RELEASE, LEDGER)
NO_LABS = (DATA_PAGE, IMPORT_PAGE, *(about.key for about in OTHERS), *GROUP_PAGES)
# What the manual calls that which those are for.
IN_MANUAL = {
    DATA_PAGE: "tables",
    IMPORT_PAGE: "tables",
    LESSONS.key: "talks",
    COMPANION.key: "talks",
    RELEASE.key: "release",
    LEDGER.key: "ledger",
}
PROFILE_MS = 400
AROUND = (24, 16, 24, 16)


class Pages(QObject):
    """The names on the left, and what they turn to.

    `asked(key)`: a page is wanted; `left`: nobody waits for what comes of the one on the screen any
    more; `stayed`: it is waited for again; `turned`: there is another one. `rearranged`: widgets
    came or went. From panels: `handed(lab)`, `filed(row)`, `room_wanted`. From the page of the
    table: `wanted(what, chart)`, `troubled(error)`; from that of the lessons: `taught(Talk)`,
    `talk_new`, `talk_open`; from what was found, or Start: `reopened(path)`, `file_wanted`.
    """

    asked = Signal(str)
    left = Signal()
    stayed = Signal()
    turned = Signal()
    rearranged = Signal()
    taught = Signal(object)
    read_along = Signal(object, int)
    talk_new = Signal()
    talk_open = Signal()
    handed = Signal(str)
    filed = Signal(object)
    room_wanted = Signal()
    wanted = Signal(str, bool)
    troubled = Signal(object)
    reopened = Signal(str)
    file_wanted = Signal()

    def __init__(self, window: Window, store: Store, jobs: Jobs, parent: QObject):
        super().__init__(parent)
        self.window, self.store, self.jobs = window, store, jobs
        self.page = ""  # none until the first is there
        self.column = panel_column.PanelColumn(store, jobs, window, self)
        self.column.ready.connect(self._on_ready)
        self.column.broken.connect(self.stay)
        self.column.rearranged.connect(self.rearranged)
        self.column.handed.connect(self.handed)
        self.column.filed.connect(self.filed)
        self.column.room_wanted.connect(self.room_wanted)
        # A DataPage and a PreviewPage, whose code is imported when they are first opened.
        self.data_page: Any = None
        self.import_page: Any = None
        self.lessons_page: Any = None
        # Others that are none of labs, by their keys, and what makes them when first opened.
        self.apart = dict[str, Any]()
        self.makers: dict[str, Callable[[], Any]] = {COMPANION.key: self._companion_page}
        self.group_pages = dict[str, Any]()
        self._before_import = ""
        self._from_start = False  # a table was asked for on the page Start
        self.describer = Describer(store, jobs, self)
        self.profiler = jobs.channel("profile")
        self.profiler.value.connect(self._on_profile)
        self._profiled: Dataset | None = None
        self.late = QTimer(self)
        self.late.setSingleShot(True)
        self.late.setInterval(PROFILE_MS)
        self.late.timeout.connect(self.profile)
        # Only after the layout is it known what a panel needs.
        self.fitting = QTimer(self)
        self.fitting.setSingleShot(True)
        self.fitting.timeout.connect(self.fit_panel)
        self.column.rearranged.connect(self.fitting.start)
        self.nav = navigation.Navigation(QUESTIONS, _groups())
        self.manual = manual.Manual(window, lambda: IN_MANUAL.get(self.page, self.page))
        self.manual.rearranged.connect(self.rearranged)
        window.theme.changing.connect(self._on_changing)
        self.nav.asked.connect(self.bring)
        self.nav.neared.connect(self.near)
        self.nav.folded.connect(self.rearranged)
        self.buttons = self.nav.buttons
        window.nav.names.addWidget(self.nav)
        window.rail.fill(self.nav)
        for place, button in enumerate(list(self.buttons.values())[:9]):
            shortcut = QShortcut(QKeySequence(f"Ctrl+{place + 1}"), window)
            shortcut.activated.connect(button.click)
            shortcut.setWhatsThis(button.text())

    @property
    def panel(self) -> Panel:
        """The panel of the lab that is active."""
        return self.panel_of(self.store.state.active)

    def panel_of(self, key: str) -> Panel:
        """The panel of a lab; what is not made of it yet is made now."""
        return self.column.panel_of(key)

    @property
    def tiles(self) -> list[QWidget]:
        """The page of tiles that is on the screen, once it is made."""
        held = {LESSONS.key: self.lessons_page, **self.apart, **self.group_pages}
        page = held.get(self.page)
        return [page] if page is not None else []

    def bring(self, key: str) -> None:
        """Turn to a page; to that of a lab when its panel is there."""
        if key in NO_LABS or key in self.column.panels:
            self.asked.emit(key)
        else:
            self.nav.show_page(key)
            self.left.emit()
            self.column.bring(key)

    def _on_ready(self, key: str) -> None:
        self.asked.emit(key)
        if self.page != key:  # that lab failed
            self.nav.show_page(self.page)
            self.stayed.emit()

    def near(self, key: str) -> None:
        """A page may be wanted soon: make what it needs."""
        if key not in NO_LABS:
            self.column.prepare(key)

    def _on_changing(self) -> None:
        """Another look is to be taken: cards that are not to be seen are made anew when they are,
        for each widget costs as much as one that is."""
        self.window.board.card_pool.keep(self.window.board.lab)

    def turn(self, key: str) -> None:
        """Show the page of a lab, or of the table, which is not presented."""
        IdleStep.take()
        had = self.window.focusWidget()
        held = had if had is not None and had.isVisible() else None
        if key in NO_LABS:
            self.window.leave_presenting()
        self.page = key
        self.nav.show_page(key)
        self._name()
        if key in self.buttons:
            self.window.nav.area.ensureWidgetVisible(self.buttons[key], 0, 12)
        self.window.lab_page.setVisible(key not in NO_LABS)
        for page in self.group_pages.values():
            page.leave()
        if key == DATA_PAGE:
            self._make_data_page()
            self.profile()
        elif key == LESSONS.key:
            self._make_lessons_page()
            self.lessons_page.begin()
        elif key in self.makers:
            self._make_apart(key)
        elif key in GROUP_PAGES:
            self._make_group_page(key)
            self.group_pages[key].begin()
        elif key != IMPORT_PAGE:
            self._show_panel(key)
        for other, page in (*self.group_pages.items(), *self.apart.items()):
            page.setVisible(other == key)
        self.window.set_apart(key == RELEASE.key)
        if self.lessons_page is not None:
            self.lessons_page.setVisible(key == LESSONS.key)
        if self.data_page is not None:
            self.data_page.setVisible(key == DATA_PAGE)
        if self.import_page is not None:
            self.import_page.setVisible(key == IMPORT_PAGE)
        if held is not None and not held.isVisible():
            self._go_on(key)
        self.turned.emit()
        self.stay()

    def _go_on(self, key: str) -> None:
        """What had the keyboard went with the page before: Qt would go to the next that is there,
        such as an answer in a bar. It goes on in the list of columns, or at the page's name."""
        there = self.data_page.view if key == DATA_PAGE else self.buttons.get(key)
        if there is not None:
            there.setFocus(Qt.FocusReason.OtherFocusReason)

    def _name(self) -> None:
        about = about_lab(self.store.state.active)
        self.window.page_line.show_page(tr(about.label), tr(about.asks), tr(about.useful))

    def retell(self) -> None:
        """What is told of the page and of the table, in the language that is in force now."""
        self._name()
        if self.store.state.active in self.column.panels:
            self.panel.show_state()
        if self.page in self.group_pages:
            self.group_pages[self.page].begin()
        if self.data_page is not None:
            self.data_page.column_view.chart.show_held()
        self.fitting.start()

    def stay(self) -> None:
        """A page that was wanted, and is not there yet, is wanted no more."""
        if self.column.waits:
            self.column.forget_wish()
            self.nav.show_page(self.page)
            self.stayed.emit()

    def follow(self) -> None:
        """Turn to the lab that is active, unless the page is none of a lab."""
        if self.page not in (*NO_LABS, self.store.state.active):
            self.turn(self.store.state.active)

    def _show_panel(self, key: str) -> None:
        self.column.show_panel(key)
        self.fit_panel()

    def fit_panel(self) -> None:
        """As wide as the panel on the screen needs to be."""
        if self.store.state.active in self.column.panels:  # else it is still being made
            self.window.fit_panel(self.panel.need())

    def go_to_column(self, name: str) -> None:
        """Turn to the page of the table, at a column."""
        self.asked.emit(DATA_PAGE)
        self.data_page.choose(name)

    def turn_to_chapter(self, text: str, chapter: str) -> None:
        """Turn to the page of the texts, at a chapter."""
        self.asked.emit(COMPANION.key)
        self.apart[COMPANION.key].show_chapter(text, chapter)

    # The table

    def profile(self) -> None:
        """Sum up the columns in the background; they are remembered, and shown where the page is
        open."""
        from dpstudio.data.profile import profiles

        data = self.store.data
        if data is None:
            return

        def job(work: Work) -> Iterator[tuple[Dataset, Profile]]:
            for seen in profiles(data, work.cancelled):
                yield data, seen

        self._profiled = data
        if self.data_page is not None:
            self.data_page.show_data(data)
        self.profiler.submit(job, cancel=True)

    def opened(self) -> None:
        """Another table is there."""
        asked, self._from_start = self._from_start, False
        if self.page == DATA_PAGE:
            self.profile()
        elif asked and self.page == navigation.group_page(LESSONS.question):
            self.bring(self.store.state.active)  # it was asked for there, to be looked at
        elif self.page in self.group_pages:
            self.group_pages[self.page].begin()

    def profile_again(self) -> None:
        """Where the page is open and the table is read in another way than before."""
        if self.page == DATA_PAGE and self.store.data is not self._profiled:
            self.profile()

    def forget(self) -> None:
        """Another table is to come: what was summed up belongs to the one before."""
        self.late.stop()
        self.profiler.cancel()
        self._profiled = None
        if self.data_page is not None:
            self.data_page.clear()

    def _make_data_page(self) -> None:
        from dpstudio.gui.table.data_page import DataPage

        if self.data_page is None:
            look = self.window.theme.look
            self.data_page = DataPage(self.store, self.jobs, self.describer, look)
            self.data_page.wanted.connect(self.wanted)
            self.data_page.troubled.connect(self.troubled)
            self.data_page.rearranged.connect(self.rearranged)
            self.data_page.setContentsMargins(*AROUND)
            self._put_in(self.data_page)

    def _make_lessons_page(self) -> None:
        from dpstudio.gui.shell.lessons import LessonsPage

        if self.lessons_page is None:
            self.lessons_page = LessonsPage(self.window.theme)
            self.lessons_page.chosen.connect(self.taught)
            self.lessons_page.new.connect(self.talk_new)
            self.lessons_page.other.connect(self.talk_open)
            self.lessons_page.rearranged.connect(self.rearranged)
            self.lessons_page.hide()
            self._put_in(self.lessons_page, LESSONS.label)

    def _make_apart(self, key: str) -> None:
        if key not in self.apart:
            page = self.apart[key] = self.makers[key]()
            page.rearranged.connect(self.rearranged)
            page.hide()
            self._put_in(page, next(about.label for about in OTHERS if about.key == key))

    def _companion_page(self) -> Any:
        from dpstudio.gui.shell.companion_page import CompanionPage

        page = CompanionPage()
        page.chosen.connect(self.read_along)
        return page

    def _make_group_page(self, key: str) -> None:
        from dpstudio.gui.shell.group_page import GroupPage

        if key not in self.group_pages:
            name = GROUP_PAGES[key]
            page: Any
            if name == LESSONS.question:
                page = self._start_page()
            else:
                held = _groups()[name]
                page = GroupPage(QUESTIONS[name], held, self.store, self.jobs, self.window.theme)
            page.chosen.connect(self.bring)
            page.neared.connect(self.near)
            page.rearranged.connect(self.rearranged)
            self.group_pages[key] = page
            self._put_in(page, QUESTIONS[name].label)

    def _start_page(self) -> Any:
        from dpstudio.gui.shell.start_page import StartPage

        group, window = QUESTIONS[LESSONS.question], self.window
        page = StartPage(group, LESSONS.key, self.store, self.jobs, window.theme, window.kept)
        page.taught.connect(self.taught)
        page.file.connect(partial(self._open, ""))
        page.reopened.connect(self._open)
        return page

    def _open(self, path: str) -> None:
        self._from_start = True
        self.reopened.emit(path) if path else self.file_wanted.emit()

    # A table that waits to be opened

    def add_import(self, page: Any) -> None:
        self.import_page = page
        page.rearranged.connect(self.rearranged)
        page.hide()
        page.setContentsMargins(*AROUND)
        self._put_in(page)

    def _put_in(self, page: QWidget, name: str = "") -> None:
        page.setAccessibleName(tr(name))
        self.window.style_sheets.add(page)
        self.window.middle.addWidget(page, 1)

    def show_import(self, waits: bool) -> None:
        """Turn to the preview, or, where it was shown, back to the page before."""
        self.window.top.show_waiting(waits)
        if waits and self.page != IMPORT_PAGE:
            self._before_import = self.page
            self.turn(IMPORT_PAGE)
        elif not waits and self.page == IMPORT_PAGE:
            self.turn(DATA_PAGE if self._before_import == DATA_PAGE else self.store.state.active)

    def _on_profile(self, found: tuple[Dataset, Profile]) -> None:
        if self.data_page is not None:
            self.data_page.show_profile(*found)

    def dress(self, look: Look) -> None:
        self.fitting.start()
        self.column.dress(look)
        if self.data_page is not None:
            self.data_page.dress(look)
        if self.import_page is not None:
            self.import_page.dress(look)
        if self.page == RELEASE.key:
            self.apart[self.page].fit()
        if self.page in self.group_pages:
            self.group_pages[self.page].begin()

    def close(self) -> None:
        """Begin nothing any more."""
        self.column.making.stop()
        self.fitting.stop()
        self.late.stop()


def _groups() -> dict[str, list[About]]:
    """The pages by question, with that of the lessons."""
    groups = {LESSONS.question: list[About](), **by_question()}
    return {
        name: [*held, *(about for about in OTHERS if about.question == name)]
        for name, held in groups.items()
    }
