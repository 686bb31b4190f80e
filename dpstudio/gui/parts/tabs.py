"""The order in which Tab goes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def order_tabs(containers: Sequence[QWidget]) -> None:
    """Chain everything that takes the focus by Tab, container after container, inside each from top
    to bottom and left to right."""
    chain: list[QWidget] = []
    never = Qt.FocusPolicy.NoFocus
    for container in containers:
        window = container.window()
        parts = [container, *container.findChildren(QWidget)]
        # Most take none, and to know that needs no arithmetic of flags, which Python does slowly.
        taking = [(w, policy) for w in parts if (policy := w.focusPolicy()) is not never]
        inside = [w for w, policy in taking if policy & Qt.FocusPolicy.TabFocus]
        # An open list of choices is a window of its own.
        inside = [w for w in inside if w.isVisibleTo(container) and w.window() is window]
        places = {id(w): w.mapTo(container, w.rect().center()) for w in inside}
        # Widgets of one row differ a little in height; twelve pixels are one row.
        inside = [w for w in inside if w not in chain]  # of a part of this one that came before
        chain += sorted(inside, key=lambda w: (places[id(w)].y() // 12, places[id(w)].x()))
    for before, after in pairwise(chain):
        QWidget.setTabOrder(before, after)
