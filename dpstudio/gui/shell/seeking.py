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
from dpstudio.gui.shell.pages import OTHERS, Pages
from dpstudio.gui.state.jobs import Jobs, Work
from dpstudio.gui.state.store import Store
from dpstudio.labs import LABS
from dpstudio.labs.contents import Content
from dpstudio.values.domains import Choice, ParamError
from dpstudio.values.messages import N_
from dpstudio.values.parameters import OneOf, domains

if TYPE_CHECKING:
    from dpstudio.gui.shell.frame.palette import Palette


class Seeking(QObject):
    """Find, over all that the pages have. `explained(Term)`: a term was looked for."""

    explained = Signal(object)

    def __init__(self, window: Window, store: Store, jobs: Jobs, pages: Pages):
        super().__init__(pages)
        self.window, self.store, self.pages = window, store, pages
        self._afterwards: Content | None = None
        pages.turned.connect(self._arrive)
        self.reader = jobs.channel("find")
        self.reader.value.connect(self._on_read)

    @cached_property
    def palette(self) -> Palette:
        """The box to type into, made when it is first asked for."""
        from dpstudio.gui.shell.frame.palette import Palette

        return Palette(self.window)

    def find(self) -> None:
        """Let a person type what is to be gone to or done."""
        from dpstudio.gui.shell.frame import finding

        self.window.leave_presenting()
        top, here = self.window.top, self.store.state.active
        menus = [button.menu() for button in (top.table, top.export, top.more)]
        charts = [card.menu for card in self.window.board.items[:1]]
        for menu in (*menus, *charts):
            menu.aboutToShow.emit()  # what it offers follows from what is open
        own = {tr(FIND), top.help.menu().title()}  # itself, and what the manual is the word for
        known = [
            *finding.pages(self.pages.bring, (*LABS, *OTHERS[1:])),
            *finding.parameters(self.pages.panel, self._go_to),
            *finding.charts(self.pages.bring),
            *finding.terms(self.explained.emit),
            *finding.columns(self.store.data, self.pages.go_to_column),
            *(one for one in finding.actions(*menus) if one.name not in own),
            *finding.actions(*charts, checked=False),  # but for its curves
            finding.button(top.present),
            finding.unfolded(tr(N_("Settings")), top.more.menu(), top.more.menu()),
            *finding.recent(self.window.kept.recent, self.pages.reopened.emit),
            *finding.manual(self.pages.manual.show),
            *self._places(),
        ]
        self.palette.ask(known, self.window.theme.look.px)
        self.reader.submit(partial(_read, here), cancel=True)

    def _on_read(self, read: tuple[str, tuple[Content, ...], list[Any]]) -> None:
        from dpstudio.gui.shell.frame import finding

        here, held, lessons = read
        self.palette.know(
            [*finding.held(held, here, self._go_into), *finding.lessons(lessons, self._teach)]
        )

    def _go_into(self, what: Content) -> None:
        """Turn to a page, and do there what was found in it."""
        self._afterwards = what
        if self.pages.page == what.lab:
            self._arrive()
        else:
            self.pages.bring(what.lab)

    def _arrive(self) -> None:
        what, self._afterwards = self._afterwards, None
        if what is None or self.pages.page != what.lab:
            return
        domain = domains(self.pages.panel.kind)[what.path]
        if what.key and isinstance(domain, OneOf) and "." not in what.path:
            self.store.choose(what.path, what.key)
        elif what.key and type(domain) is Choice:
            with suppress(ParamError):  # its panel says why not
                self.store.set(what.path, what.key)
        self.pages.panel.go_to(what.path)

    def _teach(self, path: Path) -> None:
        from dpstudio.files.talk import read_talk

        self.pages.taught.emit(read_talk(path))

    def _places(self) -> Iterator[Any]:
        from dpstudio.gui.shell.companion_page import entries

        return entries(self.pages.read_along.emit, self.pages.turn_to_chapter)

    def _go_to(self, path: str) -> None:
        self.pages.asked.emit(self.store.state.active)
        self.pages.panel.go_to(path)


def _read(here: str, work: Work) -> Iterator[tuple[str, tuple[Content, ...], list[Any]]]:
    """What all labs hold, and the names of the lessons: it takes a second."""
    from dpstudio.files.talk import lesson_names
    from dpstudio.labs.contents import contents

    yield here, contents(), lesson_names()
