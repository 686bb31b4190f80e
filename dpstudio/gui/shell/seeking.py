"""What is looked for by its name, and what is done where it was found."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from dpstudio.gui.parts.tr import tr
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.shell.menus import FIND
from dpstudio.gui.shell.pages import GROUP_PAGES, OTHERS, Pages
from dpstudio.gui.state.jobs import Jobs, Work
from dpstudio.gui.state.shared_settings import suited
from dpstudio.gui.state.store import Store
from dpstudio.labs import LABS
from dpstudio.labs.contents import Content
from dpstudio.labs.naming import about_lab
from dpstudio.labs.typed_question import set_so
from dpstudio.labs.worded import with_words
from dpstudio.values.domains import Choice, ParamError
from dpstudio.values.lists import Several
from dpstudio.values.messages import N_
from dpstudio.values.parameters import OneOf, Parameters, domains, get

if TYPE_CHECKING:
    from dpstudio.files.glossary import Term
    from dpstudio.gui.shell.frame.finding import Hit
    from dpstudio.gui.shell.frame.palette import Palette
    from dpstudio.labs.typed_question import Typed


class Seeking(QObject):
    """Find, over all that the pages have. `explained(Term)`: a term was looked for."""

    explained = Signal(object)

    def __init__(self, window: Window, store: Store, jobs: Jobs, pages: Pages):
        super().__init__(pages)
        self.window, self.store, self.pages = window, store, pages
        self._afterwards: Content | Term | None = None
        self._told: Term | None = None
        self._asks: Typed | None = None
        self.reader = jobs.channel("find")
        self.reader.value.connect(self._on_read)

    @cached_property
    def palette(self) -> Palette:
        """The box to type into, made when it is first asked for."""
        from dpstudio.gui.shell.frame.palette import Palette

        palette = Palette(self.window)
        palette.taken.connect(self._take)
        return palette

    def find(self) -> None:
        """Let a person type what is to be gone to or done."""
        from dpstudio.gui.shell.frame import findable, found_actions

        self.window.leave_presenting()
        top, here = self.window.top, self.store.state.active
        menus = [button.menu() for button in (top.table, top.export, top.more)]
        charts = [card.menu for card in self.window.board.items[:1]]
        for menu in (*menus, *charts):
            menu.aboutToShow.emit()  # what it offers follows from what is open
        own = {tr(FIND), top.help.menu().title()}  # itself, and what the manual is the word for
        known = [
            *findable.pages(self.pages.bring, (*LABS, *OTHERS[1:])),
            *findable.groups(self.pages.bring, GROUP_PAGES),
            *findable.parameters(self.pages.panel, self._go_to, self._choose, self._here()),
            *findable.charts(self.pages.bring),
            *findable.terms(self._go_into, (*LABS, *OTHERS)),
            *findable.columns(self.store.data, self.pages.go_to_column),
            *(one for one in found_actions.actions(*menus) if one.name not in own),
            *found_actions.actions(*charts, checked=False),  # but for its curves
            found_actions.button(top.present),
            found_actions.unfolded(tr(N_("Settings")), top.more.menu(), top.more.menu()),
            *findable.recent(self.window.kept.recent, self.pages.reopened.emit),
            *findable.manual(self.pages.manual.show),
            *self._places(),
        ]
        self.palette.ask(known, self.window.theme.look.px)
        self.reader.submit(partial(_read, here), cancel=True)

    def _on_read(self, read: tuple[str, tuple[Content, ...], list[Any]]) -> None:
        from dpstudio.gui.shell.frame import findable

        here, held, lessons = read
        self.palette.know(
            [
                *findable.held(held, here, self._go_into, self._here()),
                *findable.lessons(lessons, self._teach),
            ]
        )

    def _go_into(self, what: Content | Term) -> None:
        """Turn to a page, and do there what was found in it, or show a term and say what it is."""
        lab = what.lab if isinstance(what, Content) else what.words[0]
        self._afterwards = what
        if self.pages.page == lab:
            self._do(lab)
        else:
            self.pages.bring(lab)

    def _take(self, hit: Hit) -> None:
        """Go there, and read then what it is called that is shown."""
        if hit.only_shown and hit.entry.point is not None:
            hit.entry.point()
            return
        turns = hit.entry.lab not in ("", self.pages.page)
        self._told, self._asks = hit.term, hit.asks if turns else None
        hit.entry.go()
        if not turns:
            self._asks = hit.asks
            self._ask_about()
            self._tell()

    def _ask_about(self) -> None:
        """Let the question that was chosen be about the columns that were typed with it."""
        typed, self._asks = self._asks, None
        if typed is None:
            return
        for path, domain in domains(type(self.store.lab)).items():
            chosen = get(self.store.lab, path)
            if isinstance(domain, OneOf) and isinstance(chosen, Parameters):
                for name, value in set_so(type(chosen), typed).items():
                    with suppress(ParamError):  # its panel offers those that it can be about
                        self.store.set(f"{path}.{name}", value)

    def _tell(self) -> None:
        term, self._told = self._told, None
        if term is not None:
            self.explained.emit(term)

    def arrive(self) -> None:
        """Another page is there: do what was to be done then."""
        self._do(self.pages.page)
        if self.pages.page == self.store.state.active:
            self._ask_about()
        self._tell()

    def _do(self, page: str) -> None:
        what, self._afterwards = self._afterwards, None
        if isinstance(what, Content) and what.lab == page:
            self._set(what)
        elif what is not None and not isinstance(what, Content) and what.words[0] == page:
            with suppress(ParamError):  # what this table cannot show is read all the same
                lab = with_words(self.store.lab, what.words[1:])
                self.store.turn_to(suited(lab, self.store.data))
            self.explained.emit(what)

    def _set(self, what: Content) -> None:
        domain = domains(self.pages.panel.kind)[what.path]
        if what.key and isinstance(domain, OneOf) and "." not in what.path:
            self.store.choose(what.path, what.key)
        elif what.key and type(domain) is Choice:
            with suppress(ParamError):  # its panel says why not
                self.store.set(what.path, what.key)
        elif what.key and isinstance(domain, Several):
            drawn = getattr(self.store.lab, what.path)
            with suppress(ParamError):  # so many are no longer told apart
                self.store.set(what.path, (*drawn, *({what.key} - {*drawn})))
        self.pages.panel.go_to(f"{what.path}.{what.inner}" if what.inner else what.path)

    def _teach(self, path: Path) -> None:
        from dpstudio.files.talk import read_talk

        self.pages.taught.emit(read_talk(path))

    def _places(self) -> Iterator[Any]:
        from dpstudio.gui.shell.companion_page import entries

        return entries(self.pages.read_along.emit, self.pages.turn_to_chapter)

    def _here(self) -> str:
        """Where the settings of the lab that is open are: a page of the table may lie over it."""
        active = self.store.state.active
        return tr(N_("on this page") if self.pages.page == active else about_lab(active).label)

    def _choose(self, path: str, key: str) -> None:
        """Choose it, where it is seen to be chosen."""
        if self.pages.page != self.store.state.active:
            self.pages.asked.emit(self.store.state.active)
        self.store.choose(path, key)

    def _go_to(self, path: str) -> None:
        self.pages.asked.emit(self.store.state.active)
        self.pages.panel.go_to(path)


def _read(here: str, work: Work) -> Iterator[tuple[str, tuple[Content, ...], list[Any]]]:
    """What all labs hold, and the names of the lessons: it takes a second."""
    from dpstudio.files.talk import lesson_names
    from dpstudio.labs.contents import contents

    yield here, contents(), lesson_names()
