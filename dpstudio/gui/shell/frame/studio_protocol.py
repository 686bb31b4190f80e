"""What the window asks of the studio within it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from dpstudio.gui.parts.theme import Look

if TYPE_CHECKING:
    from dpstudio.gui.shell.frame.presenting import PresentingFrame


class StudioProtocol(Protocol):
    """What the window asks of the studio within it."""

    def dress(self, look: Look) -> None:
        """Take another look."""

    def show_lab(self) -> None:
        """Turn to the page of the lab, as a chart of it is to be presented."""

    def stage(self) -> PresentingFrame:
        """What stands around a chart that is presented."""

    def turn(self, by: int) -> bool:
        """A page key was pressed; whether a talk took it."""

    def nudge_budget(self, steps: int) -> None:
        """An arrow key was pressed while a chart is presented."""

    def open(self, where: str, *, beside: bool = False) -> None:
        """A file was dropped, to be opened alone or beside the table that is open."""

    def tidy_tabs(self) -> None:
        """The focus is to go on: widgets may have come or gone since it last did."""

    def look_at_file(self) -> None:
        """The window came forward: the file may be another by now."""

    def may_close(self) -> bool:
        """Whether the window may close now; else a person was asked."""

    def close(self) -> None:
        """The window closes."""
