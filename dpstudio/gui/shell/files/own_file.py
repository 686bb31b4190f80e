"""A lab that goes out as a file of its own, or comes in from one."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from dpstudio.files.session import SessionError, write_text
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.state.store import Store
from dpstudio.labs.panel import Lack, OwnFile
from dpstudio.values.messages import N_, because, say
from dpstudio.values.parameters import ParamError

_MOST = 10_000_000  # bytes


class Desk(Protocol):
    """Where a text without a file goes: to be released, or to be approved and brought back."""

    def take(self, text: str) -> object: ...

    def lack(self, title: str, missing: Sequence[Lack]) -> object: ...

    def sign(self, text: str, then: Callable[[str], object]) -> object: ...


def ask(window: Window, store: Store, desk: Desk, row: OwnFile) -> None:
    """Ask where to or where from, write or read it, and say in the bar what happened."""
    try:
        if row.lacks is not None and (missing := tuple(row.lacks(store.lab))):
            desk.lack(tr(row.text), missing)
            return
        text = "" if row.write is None else row.write(store.lab)
        if not row.name:
            back = row.read
            if back is None:
                desk.take(text)
            else:
                desk.sign(text, lambda text: store.edit(back(store.lab, text)))
            return
        dialog = QFileDialog.getOpenFileName if row.write is None else QFileDialog.getSaveFileName
        start = "" if row.write is None else row.name
        kinds = f"{tr(row.text)} (*{Path(row.name).suffix});;{tr(N_('All files'))} (*)"
        path, _ = dialog(window, tr(row.text), os.path.join(window.kept.folder, start), kinds)
        if not path:
            return
        window.kept.keep_folder(path)
        if row.write is not None:
            write_text(Path(path), text)
            window.say(shown(say("Saved {path}.", path=path)), tone="good")
        elif row.read is not None:
            store.edit(row.read(store.lab, _text(Path(path))))
            window.say("")
    except (ParamError, SessionError) as error:
        text = shown(error.sentence)
        window.say(text)
        if row.write is not None:  # what it refused is mended, or may be, by the next edit
            once = Qt.ConnectionType.SingleShotConnection
            store.changed.connect(lambda _: window.message.unsay(text), once)


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _MOST:
            raise SessionError(say("{path} is too large for such a file.", path=path))
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = because(error)
        raise SessionError(say("{path} could not be read: {why}.", path=path, why=why)) from error
