"""The order in which Tab goes."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def order_tabs(containers: Sequence[QWidget]) -> None:
    """Chain everything that takes the focus by Tab, container after container, inside each from top
    to bottom and left to right."""
    chain: list[QWidget] = []
    for container in containers:
        inside = list(_taking(container))
        places = {id(w): w.mapTo(container, w.rect().center()) for w in inside}
        # Widgets of one row differ a little in height; twelve pixels are one row.
        inside = [w for w in inside if w not in chain]  # of a part of this one that came before
        chain += sorted(inside, key=lambda w: (places[id(w)].y() // 12, places[id(w)].x()))
    for before, after in pairwise(chain):
        QWidget.setTabOrder(before, after)


def _taking(widget: QWidget, outer: bool = True) -> Iterator[QWidget]:
    """What takes the focus by Tab, of a widget and all its parts, a button that is hidden for now
    among them. What lies in a part that is hidden, such as the cards of other labs, is never asked;
    a window of its own, such as an open list of choices, has its own order."""
    policy = widget.focusPolicy()
    # Most take none, and to know that needs no arithmetic of flags, which Python does slowly.
    if policy is not Qt.FocusPolicy.NoFocus and policy & Qt.FocusPolicy.TabFocus:
        yield widget
    if widget.isHidden() and not outer:
        return
    for part in widget.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
        if not part.isWindow():
            yield from _taking(part, outer=False)
