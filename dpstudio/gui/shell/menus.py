"""What the menus hold: files, export, view and help, each with its keys."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QMenu

from dpstudio import __version__
from dpstudio.files.language import LANGUAGES, spoken
from dpstudio.files.tables import EXAMPLES
from dpstudio.gui.parts import motion
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.files.saving import Saver
from dpstudio.gui.shell.frame.manual import Manual
from dpstudio.gui.shell.frame.topbar import NEIGHBOURS, act, submenu
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.shell.recent_names import named
from dpstudio.gui.table.beside import SecondTable
from dpstudio.values.messages import N_, Message, say

Do = Callable[[], object]


@dataclass(frozen=True)
class MenuActions:
    """What the entries of the menus do."""

    open: Callable[[str], object]
    show_table: Do
    ask_open: Do
    ask_folder: Do
    ask_database: Do
    beside: SecondTable
    paste: Do
    reload: Do
    read_otherwise: Do
    save: Do
    save_as: Do
    saver: Saver
    find: Do
    undo: Do
    redo: Do
    reset: Do
    new_draws: Do
    new_talk: Do
    open_talk: Do
    add_step: Do
    hand_out: Do
    report: Do
    copy_command: Do
    script: Do
    lessons: Do
    room: Do
    manual: Manual
    explain: Do
    first_minute: Do
    speak: Callable[[str], object]


FIND = N_("Find …")
LANGUAGE = "Language · 语言"  # the same in every language, so that each finds its own


def fill_menus(window: Window, acts: MenuActions) -> None:
    """Give the buttons of the top bar their menus."""
    _file_menu(window, acts)
    _export_menu(window, acts)
    _view_menu(window, acts)
    theme = window.theme
    for keys, do, name in (
        ("F5", window.present, N_("Present: one chart fills the screen")),
        ("Ctrl++", partial(theme.step, 1), N_("Larger type")),
        ("Ctrl+=", partial(theme.step, 1), N_("Larger type")),
        ("Ctrl+-", partial(theme.step, -1), N_("Smaller type")),
        ("Ctrl+0", partial(theme.step, 0), N_("Normal type")),
    ):
        shortcut = QShortcut(QKeySequence(keys), window)
        shortcut.activated.connect(do)
        shortcut.setWhatsThis(tr(name))


def _file_menu(window: Window, acts: MenuActions) -> None:
    menu = window.top.table.menu()
    act(menu, tr(N_("Columns and rows of this table")), acts.show_table, "Ctrl+T", window)
    menu.addSeparator()
    act(menu, tr(N_("Open table or session …")), acts.ask_open, "Ctrl+O", window)
    act(menu, tr(N_("Open a folder of pictures …")), acts.ask_folder)
    act(menu, tr(N_("Open from a database …")), acts.ask_database)
    _examples(menu.addMenu(tr(N_("Examples"))), "", acts.open)
    act(menu, tr(N_("Paste a table")), acts.paste, "Ctrl+V", window)
    recent = menu.addMenu(tr(N_("Recent")))
    recent.aboutToShow.connect(partial(_recent, window, acts, recent))
    beside = submenu(
        menu,
        tr(N_("Beside this table")),
        {
            tr(N_("Open a second table …")): acts.beside.ask,
            tr(N_("Close the second table")): acts.beside.close,
        },
    )
    beside.addSeparator()
    _examples(beside, N_("Beside it: {name}"), acts.beside.open)
    menu.addSeparator()
    act(menu, tr(N_("Reload from the disk")), acts.reload, "Shift+F5", window)
    act(menu, tr(N_("Read it in another way …")), acts.read_otherwise)
    menu.addSeparator()
    act(menu, tr(N_("Save")), acts.save, "Ctrl+S", window)
    act(menu, tr(N_("Save as …")), acts.save_as, "Ctrl+Shift+S", window)
    menu.addSeparator()
    act(menu, tr(N_("Lessons")), acts.lessons)
    act(menu, tr(N_("New talk")), acts.new_talk)
    act(menu, tr(N_("Open talk …")), acts.open_talk)
    act(menu, tr(N_("Add this to the talk")), acts.add_step, "Ctrl+Shift+A", window)
    act(menu, tr(N_("Hand out the talk …")), acts.hand_out)
    act(menu, tr(N_("Open a room, or show it …")), acts.room, "Ctrl+Shift+R", window)
    menu.addSeparator()
    act(menu, tr(N_("Quit")), window.close, "Ctrl+Q", window)


def _examples(menu: QMenu, pattern: str, do: Callable[[str], object]) -> None:
    """An entry for each table that ships with the program, those of a group one level below."""
    inner = {"": menu}
    for each in EXAMPLES:
        if each.group not in inner:
            inner[each.group] = menu.addMenu(tr(each.group))
        name = shown(say(pattern, name=Message(each.label))) if pattern else tr(each.label)
        act(inner[each.group], name, partial(do, each.key))


def _recent(window: Window, acts: MenuActions, menu: QMenu) -> None:
    menu.clear()
    for origin, name in named(window.kept.recent).items():
        act(menu, name, partial(acts.open, origin)).setToolTip(origin)
    if menu.isEmpty():
        menu.addAction(tr(N_("nothing yet"))).setEnabled(False)


def _export_menu(window: Window, acts: MenuActions) -> None:
    menu, saver = window.top.export.menu(), acts.saver
    act(menu, tr(N_("All charts to a folder …")), saver.ask_folder, "Ctrl+E", window)
    without = partial(saver.ask_folder, without=True)
    act(menu, tr(N_("All charts without the exact answer …")), without)
    alone = partial(saver.ask_folder, alone=True)
    table = act(menu, tr(N_("The table for others, alone in a folder …")), alone)
    menu.aboutToShow.connect(lambda: table.setEnabled(saver.publishes()))
    menu.addSeparator()
    act(menu, tr(N_("A report of the pages that were opened …")), acts.report)
    act(menu, tr(N_("Hand out the talk …")), acts.hand_out)  # here too, where it is looked for
    act(menu, tr(N_("Copy the sentences")), saver.copy_words)
    act(menu, tr(N_("Copy as a command")), acts.copy_command)
    act(menu, tr(N_("As script …")), acts.script)
    menu.addSeparator()
    note = menu.addAction(tr(N_("One chart: use the ⋯ of its card")))
    note.setEnabled(False)


def _neighbours_menu(window: Window, menu: QMenu) -> None:
    """What the top bar asks, which gives way in a small window."""
    buttons = window.top.neighbours.buttons
    inner = menu.addMenu(tr(N_("Neighbours")))
    for key, button in buttons.items():
        act(inner, tr(NEIGHBOURS[key]), button.click).setCheckable(True)

    def follow() -> None:
        for action, button in zip(inner.actions(), buttons.values(), strict=True):
            action.setChecked(button.isChecked())
            action.setEnabled(button.isEnabled())

    inner.aboutToShow.connect(follow)


def _view_menu(window: Window, acts: MenuActions) -> None:
    menu, theme = window.top.more.menu(), window.theme
    act(menu, tr(FIND), acts.find, "Ctrl+K", window)
    act(menu, tr(N_("Undo")), acts.undo, "Ctrl+Z", window)
    act(menu, tr(N_("Redo")), acts.redo, "Ctrl+Shift+Z | Ctrl+Y", window)
    act(menu, tr(N_("Reset this page")), acts.reset)
    _neighbours_menu(window, menu)
    menu.addSeparator()
    dark = act(menu, tr(N_("Dark")), lambda: theme.set_dark(not theme.look.dark), "Ctrl+D", window)
    dark.setCheckable(True)
    menu.aboutToShow.connect(lambda: dark.setChecked(theme.look.dark))
    kept = window.kept.held
    less = act(menu, tr(N_("Less motion")), lambda: motion.choose(kept, not motion.less(kept)))
    less.setCheckable(True)
    menu.aboutToShow.connect(lambda: less.setChecked(motion.less(kept)))
    languages = menu.addMenu(LANGUAGE)
    for tag, name in LANGUAGES.items():
        act(languages, name, partial(acts.speak, tag)).setCheckable(True)
    languages.aboutToShow.connect(partial(_tell_language, languages))
    act(menu, tr(N_("Larger type")) + "\tCtrl +", partial(theme.step, 1))
    act(menu, tr(N_("Smaller type")) + "\tCtrl −", partial(theme.step, -1))
    act(menu, tr(N_("Normal type")) + "\tCtrl 0", partial(theme.step, 0))
    menu.addSeparator()
    act(menu, tr(N_("New draws")), acts.new_draws, "Ctrl+R", window)
    menu.addSeparator()
    menu.addMenu(_help_menu(window, acts))


def _tell_language(menu: QMenu) -> None:
    for action, tag in zip(menu.actions(), LANGUAGES, strict=True):
        action.setChecked(tag == spoken())


def _help_menu(window: Window, acts: MenuActions) -> QMenu:
    """The menu of the button Help, which the last one has too: in a small window it alone is
    seen."""
    menu = window.top.help.menu()
    menu.setTitle(tr(N_("Help")))
    act(menu, tr(N_("Explain this, then the manual")), acts.explain, "F1", window)
    act(menu, tr(N_("Manual")), acts.manual.toggle, "Shift+F1", window)
    act(menu, tr(N_("Keys")), acts.manual.keys)
    act(menu, tr(N_("First minute")), acts.first_minute)
    act(menu, tr(N_("Cite this page")), acts.saver.cite)
    act(menu, tr(N_("About dpstudio")), acts.manual.about)
    menu.addAction(
        shown(say("dpstudio {version} · nothing leaves this machine", version=__version__))
    ).setEnabled(False)
    return menu
