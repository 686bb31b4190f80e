"""What the menus hold: files, export, view and help, each with its keys."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QMenu

from dpstudio import __version__
from dpstudio.files.tables import EXAMPLES
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.shell.topbar import act, submenu
from dpstudio.values.messages import N_

if TYPE_CHECKING:
    from dpstudio.gui.shell.studio import Studio

KEYS = (
    ("Ctrl+V", N_("open the table that was copied, while no box is typed in")),
    ("Shift+F5", N_("read the file of the table anew")),
    (
        "F5",
        N_("one chart fills the window at double type; Esc goes back, Page Up and Page Down turn"),
    ),
    ("Ctrl + 1 … 9", N_("to the first, second, … page")),
    (
        "← →",
        N_(
            "on a chart: move its point; with Shift ten steps; or go from dot to dot, and Enter "
            "takes one"
        ),
    ),
    ("Space", N_("on the first chart: play simulated answers")),
    ("Tab", N_("to the next control")),
    ("Ctrl + + −", N_("larger and smaller type")),
)


def fill_menus(studio: Studio) -> None:
    """Give the buttons of the top bar their menus."""
    _file_menu(studio)
    _export_menu(studio)
    _view_menu(studio)
    for keys, do in (
        ("F5", studio.window.present),
        ("Ctrl++", partial(studio.window.theme.step, 1)),
        ("Ctrl+=", partial(studio.window.theme.step, 1)),
        ("Ctrl+-", partial(studio.window.theme.step, -1)),
        ("Ctrl+0", partial(studio.window.theme.step, 0)),
    ):
        shortcut = QShortcut(QKeySequence(keys), studio.window)
        shortcut.activated.connect(do)


def _file_menu(studio: Studio) -> None:
    menu, window, saver = studio.window.top.table.menu(), studio.window, studio.saver
    act(menu, tr(N_("Open table or session …")), saver.ask_open, "Ctrl+O", window)
    submenu(menu, tr(N_("Examples")), {tr(e.label): partial(studio.open, e.key) for e in EXAMPLES})
    act(menu, tr(N_("Paste a table")), studio.opener.paste, "Ctrl+V", window)
    recent = menu.addMenu(tr(N_("Recent")))
    recent.aboutToShow.connect(lambda: _recent(studio, recent))
    menu.addSeparator()
    act(menu, tr(N_("Reload from the disk")), studio.opener.reload, "Shift+F5", window)
    act(menu, tr(N_("Read it in another way …")), studio.opener.read_otherwise)
    menu.addSeparator()
    act(menu, tr(N_("Save session")), saver.save, "Ctrl+S", window)
    act(menu, tr(N_("Save session as …")), saver.ask_save, "Ctrl+Shift+S", window)
    menu.addSeparator()
    act(menu, tr(N_("Quit")), window.close, "Ctrl+Q", window)


def _recent(studio: Studio, menu: QMenu) -> None:
    menu.clear()
    names = {e.key: tr(e.label) for e in EXAMPLES}
    for origin in studio.opener.recent():
        act(menu, names.get(origin, Path(origin).name), partial(studio.open, origin)).setToolTip(
            origin
        )
    if menu.isEmpty():
        menu.addAction(tr(N_("nothing yet"))).setEnabled(False)


def _export_menu(studio: Studio) -> None:
    menu, saver, window = studio.window.top.export.menu(), studio.saver, studio.window
    act(menu, tr(N_("All charts to a folder …")), saver.ask_folder, "Ctrl+E", window)
    act(menu, tr(N_("All charts without the exact answer …")), partial(saver.ask_folder, True))
    menu.addSeparator()
    act(menu, tr(N_("Copy the sentences")), saver.copy_words)
    menu.addSeparator()
    note = menu.addAction(tr(N_("One chart: use the ⋯ of its card")))
    note.setEnabled(False)


def _view_menu(studio: Studio) -> None:
    menu, window, theme = studio.window.top.more.menu(), studio.window, studio.window.theme
    act(menu, tr(N_("Undo")), studio.undo, "Ctrl+Z", window)
    act(menu, tr(N_("Redo")), studio.redo, "Ctrl+Shift+Z | Ctrl+Y", window)
    menu.addSeparator()
    dark = act(menu, tr(N_("Dark")), lambda: theme.set_dark(not theme.look.dark), "Ctrl+D", window)
    dark.setCheckable(True)
    menu.aboutToShow.connect(lambda: dark.setChecked(theme.look.dark))
    act(menu, tr(N_("Larger type")) + "\tCtrl +", partial(theme.step, 1))
    act(menu, tr(N_("Smaller type")) + "\tCtrl −", partial(theme.step, -1))
    act(menu, tr(N_("Normal type")) + "\tCtrl 0", partial(theme.step, 0))
    menu.addSeparator()
    act(menu, tr(N_("New draws")), studio.new_draws, "Ctrl+R", window)
    keys = menu.addMenu(tr(N_("Keys")))
    for key, what in KEYS:
        keys.addAction(f"{key}   {tr(what)}").setEnabled(False)
    menu.addAction(
        tr(N_("dpstudio {version} · nothing leaves this machine")).format(version=__version__)
    ).setEnabled(False)
