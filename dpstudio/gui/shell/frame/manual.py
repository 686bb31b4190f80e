"""Opens the manual beside the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dpstudio.files.manual import INDEX, ManualPage, NoPageError, manual_page
from dpstudio.gui.shell.frame.over_charts import OverCharts
from dpstudio.gui.shell.frame.window import Window

if TYPE_CHECKING:
    from dpstudio.gui.shell.frame.manual_pane import ManualPane

KEYS, ABOUT = "use/keys", "use/about"


class Manual(OverCharts["ManualPane"]):
    """Opens the manual at a page, and closes it. `here` gives the name of the page of the manual
    that tells of what is on the screen."""

    def __init__(self, window: Window, here: Callable[[], str]):
        super().__init__(window)
        self.here = here

    def made(self) -> ManualPane:
        from dpstudio.gui.shell.frame.manual_pane import ManualPane

        pane = ManualPane()
        pane.index.connect(self.contents)
        return pane

    def toggle(self) -> None:
        """The page of what is on the screen, or the index where it has none; away where a person
        reads already."""
        if self.read:
            self.leave()
        else:
            self.show(self._found())

    def _found(self) -> ManualPage:
        try:
            return manual_page(f"use/{self.here()}")
        except NoPageError:
            return manual_page(INDEX)

    def contents(self) -> None:
        """The index."""
        self.show(manual_page(INDEX))

    def about(self) -> None:
        """The page of the program itself."""
        self.show(manual_page(ABOUT))

    def keys(self) -> None:
        """The page of the keys."""
        self.show(manual_page(KEYS))

    def show(self, page: ManualPage, heading: str = "") -> None:
        """A page, from a heading of it where one is named."""
        self.come()
        self.pane.reader.read(page, heading)
        self.pane.reader.setFocus()

    def dress(self) -> None:
        self.pane.reader.dress(self.window.theme.look)
