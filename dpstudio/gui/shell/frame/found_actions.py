"""What can be done, as Find finds it: the actions of menus and the buttons of the bar. Somebody who
asks how a thing is done is shown where; it is done for who names it."""

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QAbstractButton, QMenu, QToolButton

from dpstudio.gui.shell.frame.doing import does, only_tells
from dpstudio.gui.shell.frame.known import HERE, FinderEntry, named_so


def actions(*menus: QMenu, checked: bool = True) -> Iterator[FinderEntry]:
    """Every action of the menus that can be done now, with the names of the menus it stands in, and
    each menu within one; those that are `checked` only if wanted."""
    told = does()
    for menu in menus:
        for action in menu.actions():
            inner = action.menu()
            if isinstance(inner, QMenu):
                yield unfolded(inner.title(), inner, menu)
                yield from actions(inner)
            elif action.isEnabled() and action.text() and (checked or not action.isCheckable()):
                name, _, keys = action.text().partition("\t")
                more, title = told.get(name, menu.title()), menu.title()
                named = named_so(name, said=" · ".join((more, title, action.toolTip())))
                where = keys or action.shortcut().toString() or title
                point = partial(_point, menu, action.text())
                at_once = not name.endswith("…") and name not in only_tells()
                yield FinderEntry(
                    name, HERE, named, action.trigger, more, where, point=point if at_once else None
                )


def unfolded(name: str, menu: QMenu, within: QMenu) -> FinderEntry:
    """A menu by its name, which opens it below the button that it hangs from."""
    more = does().get(name, within.title())
    return FinderEntry(name, HERE, named_so(name, said=more), partial(_unfold, menu), more)


def button(one: QAbstractButton) -> FinderEntry:
    """A button that is always there, by what it says of itself: a name, and what it does."""
    name, _, said = one.toolTip().partition(": ")
    point = partial(one.setFocus, Qt.FocusReason.TabFocusReason)
    return FinderEntry(name, HERE, named_so(name, said=said), one.click, said, point=point)


def _unfold(menu: QMenu) -> None:
    hung = menu.parentWidget()
    while isinstance(hung, QMenu):
        hung = hung.parentWidget()
    if hung is not None:  # a card, or a button of the bar itself
        hung = next((b for b in hung.findChildren(QToolButton) if b.menu() is menu), hung)
    menu.popup(hung.mapToGlobal(hung.rect().bottomLeft()) if hung else QCursor.pos())


def _point(menu: QMenu, text: str) -> None:
    """Open a menu, with what is called so marked."""
    _unfold(menu)
    for each in menu.actions():  # some menus are filled as they open
        if each.text() == text:
            menu.setActiveAction(each)
