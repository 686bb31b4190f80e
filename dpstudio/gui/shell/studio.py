"""The studio within the window: store, jobs, files, pages and pictures, tied together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from dpstudio.files import language
from dpstudio.gui.board.cards import READ
from dpstudio.gui.panel.panels import Panel
from dpstudio.gui.parts.boxes import REFUSALS, refused
from dpstudio.gui.parts.tabs import order_tabs
from dpstudio.gui.parts.theme import Look
from dpstudio.gui.parts.tr import remembered, shown, tr
from dpstudio.gui.shell import chart_edits, first_minute, menus, pictures, room_door, talk_door
from dpstudio.gui.shell.files import (
    copying,
    figures,
    naming,
    outgoing,
    own_file,
    saving,
    sessions,
    unsaved,
)
from dpstudio.gui.shell.frame import error_bar, explaining, person_bar, presenting, twin_bar
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.shell.pages import DATA_PAGE, IMPORT_PAGE, LESSONS, NO_LABS, Pages
from dpstudio.gui.shell.release import door
from dpstudio.gui.shell.seeking import Seeking
from dpstudio.gui.state.history import Moment
from dpstudio.gui.state.jobs import Jobs
from dpstudio.gui.state.shared_settings import suited
from dpstudio.gui.state.snapshot import Snapshot, state_from
from dpstudio.gui.state.store import Store
from dpstudio.gui.table.opening import Opener
from dpstudio.gui.table.reading import Request, TableRead, in_database
from dpstudio.labs import LABS, MEANING
from dpstudio.labs.carry_over import NEIGHBOURS, SEED
from dpstudio.labs.findings import Findings
from dpstudio.labs.naming import lab_kind
from dpstudio.labs.worded import lab_of_words
from dpstudio.values.messages import N_, Message, say
from dpstudio.values.parameters import ParamError, get

if TYPE_CHECKING:
    from dpstudio.gui.shell.files.database_sheet import DatabaseSheet
    from dpstudio.gui.shell.files.scripting import Scripting


class Studio(QObject):
    """Everything that the window shows and does; it knows all parts, and none of them knows it."""

    def __init__(self, window: Window):
        super().__init__(window)
        self.window = window
        self.jobs = Jobs(self)
        self.store = Store(self.jobs.channel("fit"))
        self._profiled = self._retold = False
        self._codebook = self.store.state.codebook
        self._disordered = True
        self.pages = Pages(window, self.store, self.jobs, self)
        self.seeking = Seeking(window, self.store, self.jobs, self.pages)
        self.explaining = explaining.Explaining(window, self.pages.manual, self.show_state)
        bar, pages, about = window.message, self.pages, self.pages.describer
        self.persons = person_bar.PersonBar(
            self.store, self.jobs, window, about, pages.go_to_column, pages.turned, self
        )
        self.twins = twin_bar.TwinBar(self.store, self.jobs, bar, self.persons, self)
        self.pictures = pictures.Pictures(window, self.store, self.jobs, self.pages)
        self.opener = Opener(self.store, self.jobs, window.kept, bar, window.theme, self)
        self.saver = saving.Saver(window, self.store, self.jobs, self._shown, self.opener)
        self.outgoing = outgoing.Outgoing(
            self.pages, self.store, self.jobs, self.saver, self.opener
        )
        self.naming = naming.Naming(window, self.store, self.opener)
        index = lambda: self.pictures.index  # noqa: E731
        self.sessions = sessions.Sessions(window, self.store, self.jobs, self.opener, index)
        self.opener.astray.connect(self._find)
        self.figures = figures.Figures(window, self.store, self.opener, self.show_page)
        self.unsaved = unsaved.Unsaved(window, self.store, self.jobs, self.opener, self.sessions)
        self.talk = talk_door.Talking(
            window, self.jobs, self.opener, self.sessions, self.unsaved, self.pages, self.pictures
        )
        self.rooms = room_door.Rooms(window, self.store, self.jobs, self.pages, self.pictures)
        self.releasing = door.Releasing(window, self.store, self.jobs, self.pages, self.opener)
        self.rooms.rearranged.connect(self.order_tabs)
        self.naming.talk = self.talk.name
        self.talk.changed.connect(self.naming.title)
        self.talk.changed.connect(self.tell_history)
        self.talk.rearranged.connect(self.order_tabs)
        self.chart_edits = chart_edits.ChartEdits(self.store, window.say)
        self.first_minute = first_minute.FirstMinute(
            window, self.pages, self._doors(), lambda: self.talk.on
        )
        self.talk.changed.connect(self.first_minute.look)
        self.pictures.arrived.connect(self.first_minute.look)
        menus.fill_menus(window, self._acts())
        self.copying = copying.Copying(window, self.saver)
        self._tie_screen()
        self._tie_files()
        window.fit_nav()
        self.pages.bring(self.store.state.active)

    @cached_property
    def scripting(self) -> Scripting:
        """The script of the page, made when it is first asked for."""
        from dpstudio.gui.shell.files.scripting import Scripting

        made = Scripting(self.window, self.store, self.sessions.session)
        made.rearranged.connect(self.order_tabs)
        return made

    @cached_property
    def databases(self) -> DatabaseSheet:
        """Where a table is that stays in its database, made when it is first asked for."""
        from dpstudio.gui.shell.files.database_sheet import DatabaseSheet

        return DatabaseSheet(self.window, self.jobs.channel("database"), self._open_there)

    def _open_there(self, where: str, request: Request | None) -> None:
        """A table behind an address, with the session that asks for it, if one does."""
        if request is None:
            self.open(where)
        else:
            moved = request.unsaved or where != request.where
            self.opener.open_session(replace(request, where=where, unsaved=moved))

    def _find(self, request: Request) -> None:
        """The table of a session, where it is not; or, without one, those within a file."""
        if request.session is None or in_database(request):
            self.databases.ask(request)
        else:
            self.sessions.ask_table(request)

    def _read_apart(self) -> None:
        """Every spelling a word of its own, as in the file."""
        self.twins.apart()
        self.pages.describer.describe(lambda book: book.apart)

    def _acts(self) -> menus.MenuActions:
        return menus.MenuActions(
            open=self.open,
            show_table=partial(self.show_page, DATA_PAGE),
            ask_open=self.sessions.ask_open,
            ask_folder=self.sessions.ask_folder,
            ask_database=lambda: self.databases.ask(),
            beside=self.opener.beside,
            paste=self.opener.paste,
            reload=self.opener.reload,
            read_otherwise=self.opener.read_otherwise,
            save=self.talk.save,
            save_as=self.talk.save_as,
            saver=self.saver,
            find=self.seeking.find,
            undo=self.undo,
            redo=self.redo,
            reset=self.reset,
            new_draws=self.new_draws,
            new_talk=self.talk.new,
            open_talk=self.talk.ask_open,
            add_step=self.talk.add_step,
            hand_out=self.talk.hand_out,
            report=self.talk.report,
            copy_command=self.sessions.copy_command,
            script=lambda: self.scripting.toggle(),
            lessons=partial(self.show_page, LESSONS.key),
            room=self.rooms.toggle,
            manual=self.pages.manual,
            explain=self.explaining.ask,
            first_minute=self.first_minute.again,
            speak=self.speak,
        )

    def _doors(self) -> dict[str, Callable[[], object]]:
        """Where the first minute may lead."""
        return {
            tr(N_("Take a lesson")): partial(self.show_page, LESSONS.key),
            tr(N_("My own table …")): self.sessions.ask_open,
            tr(N_("What ε means")): partial(self.pages.bring, MEANING.key),
            tr(N_("A talk for the room")): self.talk.new,
        }

    def _tie_screen(self) -> None:
        self.error_bar = error_bar.ErrorBar(
            self.window, self.store, self.sessions.ask_open, self.opener.reload
        )
        top, board, history = self.window.top, self.window.board, self.store.history
        self.store.changed.connect(self._on_change)
        self.pictures.runner.failed.connect(self.error_bar.of_lab)
        self.pictures.recovered.connect(partial(self.window.message.say, ""))
        self.pictures.arrived.connect(self._on_picture)
        self.pictures.settled.connect(self.saver.look_again)
        self.pictures.settled.connect(self.opener.watcher.check_asked)
        self.pages.profiler.failed.connect(self.error_bar.of_profile)
        self.pages.late.timeout.connect(self.rooms.look)  # which imports a server
        self.pages.asked.connect(self.show_page)
        self.pages.turned.connect(self._on_page)
        self.pages.turned.connect(self.explaining.leave)
        self.pages.turned.connect(self.seeking.arrive)
        self.pages.rearranged.connect(self.order_tabs)
        self.pages.handed.connect(self.hand_over)
        self.pages.filed.connect(partial(own_file.ask, self.window, self.store, self.releasing))
        self.pages.room_wanted.connect(self.rooms.toggle)
        self.pages.reopened.connect(self.open)
        self.pages.file_wanted.connect(self.sessions.ask_open)
        self.opener.apart.connect(self._read_apart)
        self.seeking.explained.connect(self.explaining.term)
        self.pages.wanted.connect(self._on_wanted)
        self.pages.troubled.connect(self.error_bar.of_column)
        top.neighbours.chosen.connect(partial(self.store.set, NEIGHBOURS))
        top.waiting.clicked.connect(partial(self.show_page, IMPORT_PAGE))
        top.seek.clicked.connect(self.seeking.find)
        top.undo.clicked.connect(self.undo)
        top.redo.clicked.connect(self.redo)
        top.present.clicked.connect(lambda: self.window.present())
        self.tell_history()
        history.canUndoChanged.connect(self.tell_history)
        history.canRedoChanged.connect(self.tell_history)
        REFUSALS.changed.connect(self.tell_history)
        history.restored.connect(self._on_restored)
        self.window.strip.fresh.connect(self.new_draws)
        board.dragged.connect(self.chart_edits.drag)
        board.nudged.connect(self.chart_edits.nudge)
        board.picked.connect(self.chart_edits.pick)
        for stepped in (board.replayed, self.pages.column.stepped):
            stepped.connect(self.pictures.show_answer)
        board.wanted.connect(self._on_chart_wanted)
        board.rearranged.connect(self.order_tabs)
        self.window.question.rearranged.connect(self.order_tabs)

    def _tie_files(self) -> None:
        importer = self.opener.importer
        importer.stepped.connect(self.tell_history)
        importer.made.connect(self.pages.add_import)
        importer.waits.connect(self.pages.show_import)
        self.opener.opened.connect(self._on_opened)
        self.opener.other.connect(self.sessions.ask_open)
        self.pictures.elsewhere.connect(self.sessions.ask_open)
        self.sessions.chosen.connect(self.open)
        self.sessions.saved.connect(self._on_saved)

    def start(self, file: str | None, beside: str = "") -> None:
        """Read the tables in the background, and meanwhile make what draws them."""
        self.opener.beside.first = beside
        self.opener.open(self.talk.first(file))
        QTimer.singleShot(0, self._make_plots)

    def _make_plots(self) -> None:
        """Make the plot of one card after the other."""
        for card in [card for card in self.window.board.cards if card.view is None][:1]:
            card.make_view()
            self.order_tabs()
            QTimer.singleShot(0, self._make_plots)

    # What is on the screen

    @property
    def panel(self) -> Panel:
        """The panel of the lab that is active."""
        return self.pages.panel

    @property
    def page(self) -> str:
        """The key of the page."""
        return self.pages.page

    @property
    def findings(self) -> Findings | None:
        """The findings that are drawn."""
        drawn = self.pictures.drawn
        return drawn.findings if drawn is not None else None

    def _shown(self) -> saving.Outcome | None:
        drawn = self.pictures.shown
        seen = drawn is not None and not drawn.glimpse  # a first look leaves in no file
        return (drawn.lab, drawn.framed) if drawn is not None and seen else None

    # The store has changed

    def _on_change(self, store: Store) -> None:
        self._retold, self._codebook = self._codebook != store.state.codebook, store.state.codebook
        self.panel.show_state()
        self.pages.profile_again()
        self.window.top.show_neighbours(getattr(store.lab, NEIGHBOURS, None), store.lab.label)
        self.pages.follow()
        self.pictures.follow()

    def _on_picture(self) -> None:
        if not self._profiled:
            # Only then is counted what the columns hold, so that no list waits for it later.
            self._profiled = True
            self.pages.late.start()
            self.unsaved.look()
            self.talk.look()

    # What a person does

    def hand_over(self, key: str) -> None:
        """Add what is set here to another lab, and offer to go there."""
        if self.store.hand(key):
            text = shown(say("Added to the lab {lab}.", lab=Message(lab_kind(key).label)))
            self.window.say(text, tr(N_("Go there")), partial(self.pages.bring, key), "good")
        else:
            text = N_("{lab} has no such question.")
            self.window.say(shown(say(text, lab=Message(lab_kind(key).label))))

    def show_state(self, words: Sequence[str]) -> None:
        """Turn to the lab of these words of a command line, as they say and fitted to the table,
        as one step that can be undone."""
        try:
            lab = suited(lab_of_words(words), self.store.data)
        except ParamError as error:
            self.window.say(shown(error.sentence))
            return
        self.store.turn_to(lab)
        self.show_page(lab.key)
        text = shown(say("Shown in the lab {lab}.", lab=Message(lab.label)))
        self.window.say(text, tr(N_("Undo")), self.undo, "good")

    def _on_chart_wanted(self, key: str, what: str) -> None:
        if what == READ:
            self.explaining.read(key)
        else:
            self.saver.chart(key, what)

    def new_draws(self) -> None:
        """The next seed, where anything is drawn."""
        if self.pictures.draws:
            self.store.set(SEED, (get(self.store.lab, SEED) + 1) % 2**62)

    def turn(self, by: int) -> bool:
        """So many steps on in the talk that is open; False where none is."""
        return self.talk.turn(by)

    def stage(self) -> presenting.PresentingFrame:
        """What stands around a chart that is presented."""
        return self.pictures.stage

    def nudge_budget(self, steps: int) -> None:
        """Move ε, in a lab that has one."""
        self.chart_edits.nudge_budget(steps)

    def _on_wanted(self, what: str, chart: bool) -> None:
        if self.pages.data_page is not None:
            self.saver.column(self.pages.data_page.column_view, what, chart)

    # History: of the labs, or on the page of a table that waits to be opened of the choices there

    def undo(self) -> None:
        """Take back the last step, before all a typing that was refused."""
        if typed := refused(self.window):
            for box in typed:
                box.restore()
            return
        (self.opener.importer if self.page == IMPORT_PAGE else self.talk.history).undo()

    def reset(self) -> None:
        """Make the page as it opens, seen to be so."""
        self.show_page(self.store.state.active)
        self.store.reset()

    def redo(self) -> None:
        """Do it again."""
        (self.opener.importer if self.page == IMPORT_PAGE else self.talk.history).redo()

    def tell_history(self, _: object = None) -> None:
        """Say which of both there is to do."""
        choices, history, top = self.opener.importer, self.talk.history, self.window.top
        here = self.page == IMPORT_PAGE
        can_undo = choices.can_undo if here else history.canUndo()
        top.undo.setEnabled(can_undo or bool(refused(self.window)))
        top.redo.setEnabled(choices.can_redo if here else history.canRedo())

    def _on_restored(self, _: Snapshot) -> None:
        # What was undone is to be seen: what is told of columns on the page of the table.
        if self.page != self.store.state.active and not (self.page == DATA_PAGE and self._retold):
            self.pages.turn(self.store.state.active)
        self.pages.stay()

    # Tables and sessions, which the opener brings

    def open(self, where: str, *, beside: bool = False) -> None:
        """Open a table, an example, a session or a talk in the background; or a second table. A
        figure brings its page back."""
        if not beside and self.figures.opens(where):
            return
        (self.opener.beside if beside else self.talk).open(where)

    def look_at_file(self) -> None:
        """Whether the file of the table is still as it was read."""
        self.opener.watcher.check()

    def _on_opened(self, got: TableRead) -> None:
        """Show a table: the same as it is now, a session as it was saved, or another one with its
        labs as they were left, or as they are, fitted to it."""
        data, session = got.opened.data, got.request.session
        self.pictures.forget()
        self.pages.forget()
        self._profiled = False
        if got.request.again:
            self.store.renew(data)
        elif session is not None:
            self.pictures.index = sessions.index_in(session.view)
            self.window.board.hide_layers(sessions.hidden_in(session.view, LABS[0].key))
            state = state_from(session.labs, session.active, session.codebook)
            self.store.open_session(state, data, sessions.opened_in(session.view))
        else:
            self.pictures.index = 0
            self.store.open_table(data)
        self.unsaved.opened(got.request)
        if not got.request.again and not self.talk.on:
            self.sessions.hold()
            self.persons.look()
        self.naming.title()
        self.pages.opened()
        self.talk.opened()

    def _on_saved(self, moment: Moment) -> None:
        self.store.history.setClean(moment)
        self.naming.title()

    # Pages

    def show_page(self, key: str) -> None:
        """Turn to the page of a lab, or of the table."""
        if key not in NO_LABS:
            self.store.activate(key)
        if self.page != key:
            self.pages.turn(key)
        self.pages.stay()

    def show_lab(self) -> None:
        """Turn to the page of the lab."""
        self.pages.turn(self.store.state.active)

    def _on_page(self) -> None:
        self.tell_history()
        self.window.top.show_page(self.page == DATA_PAGE, self.page == IMPORT_PAGE)
        self.order_tabs()

    def order_tabs(self) -> None:
        """Widgets came or went: let the next Tab go as the eye does."""
        self._disordered = True

    def tidy_tabs(self) -> None:
        """Tab goes as the eye does: top bar, pages, panel, strip, charts."""
        if not self._disordered:
            return
        self._disordered, window = False, self.window
        page = {DATA_PAGE: self.pages.data_page, IMPORT_PAGE: self.pages.import_page}.get(self.page)
        sides = [page.left, page.right] if page is not None else self.pages.tiles
        above = [window.top, window.question, window.rail, window.nav, *sides, *self.panel.parts]
        below = [
            self.first_minute.bar,
            *self.pages.manual.parts,
            *(self.scripting.parts if "scripting" in self.__dict__ else []),
            *([self.talk.talks.bar] if self.talk.on else []),
        ]
        border = window.lab_page.handle(1)
        order_tabs([*above, border, window.page_line, window.board, *below])

    def speak(self, tag: str) -> None:
        """Say everything in another language, where it stands."""
        from dpstudio.gui.shell.frame.retelling import retell

        if tag != language.spoken():
            again = remembered()
            language.use(language.written(tag))
            self.window.kept.keep_language(tag)
            retell(again)
            self.pages.retell()
            self.pictures.retell()
            self.releasing.look_again()
            self.naming.title()
            self.window.fit_nav()

    def dress(self, look: Look) -> None:
        """Take another look."""
        self.pages.dress(look)
        self.pictures.show_answer(self.pictures.index)

    def may_close(self) -> bool:
        """Whether nothing would be lost; else it is asked."""
        return self.talk.may_close() and self.unsaved.may_close()

    def close(self) -> None:
        """Stop every worker; nothing is heard of them any more."""
        self.store.history.disconnect(self)
        self.explaining.leave()
        self.pages.close()
        self.opener.watcher.close()
        self.jobs.close()
        self.rooms.close()
        self.unsaved.close()
        self.talk.close()
