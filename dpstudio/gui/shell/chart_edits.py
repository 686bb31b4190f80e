"""The hand on a chart: handles that are dragged, arrow keys, dots that are picked."""

from collections.abc import Callable
from typing import Any

from dpstudio.charts.figure import Axis
from dpstudio.gui.board.handles import landed, nudged
from dpstudio.gui.parts.tr import shown
from dpstudio.gui.state.store import Store
from dpstudio.labs.carry_over import lever_path
from dpstudio.values.parameters import ParamError


class ChartEdits:
    """Turns what is done to charts into edits; `say` takes the sentence of one that cannot be."""

    def __init__(self, store: Store, say: Callable[[str], object]):
        self.store, self._say = store, say
        self._dragging: tuple[str, str] | None = None

    def drag(self, path: str, value: float, last: bool, axis: Axis) -> None:
        """A handle is dragged along its axis."""
        if self._dragging is None or self._dragging[0] not in ("", path):
            self._dragging = ("", self.store.grasp())
        self._dragging = (path, self._dragging[1])
        held = landed(self.store.lab, path, value, axis, self.store.data)
        self._put(path, held, self._dragging[1])
        if last:
            self._dragging = None
            self.store.let_go()

    def nudge(self, path: str, steps: int, axis: Axis | None = None, stands: float = 0.0) -> None:
        """Arrow keys move a parameter by hundredths of its slider, or of the axis along which its
        handle `stands`."""
        self._put(path, nudged(self.store.lab, path, steps, axis, stands, self.store.data), None)

    def nudge_budget(self, steps: int) -> None:
        """Move ε, or what leads, in a lab that has either."""
        path = lever_path(self.store.lab)
        if path:
            self.nudge(path, steps)

    def pick(self, pairs: tuple[tuple[str, Any], ...], held: bool = False) -> None:
        """A dot was clicked: take over its parameters, in one step; where it is `held`, that of the
        drag which begins."""
        self._dragging = ("", self.store.grasp()) if held else None
        try:
            self.store.set_all(pairs, self._dragging[1] if self._dragging else None)
        except ParamError as error:
            self._say(shown(error.sentence))

    def _put(self, path: str, value: float, gesture: str | None) -> None:
        try:
            self.store.set(path, value, gesture)
        except ParamError:
            # A bound that would pass the other one: the handle stays where it is.
            return
