"""The first seconds: what stands on the screen, and in which order it comes."""

import os
import subprocess
import sys
from pathlib import Path

from conftest import Open
from hand import facts
from PySide6.QtWidgets import QApplication, QLabel

from dpstudio.gui.shell.studio import Studio
from dpstudio.labs import LABS


def test_starts_with_the_count_over_fifty(open_window: Open) -> None:
    studio = open_window()
    lab, board = studio.store.lab, studio.window.board
    assert (str(lab.query.where), lab.mechanism.key, lab.mechanism.epsilon) == (
        "age > 50",
        "laplace",
        0.1,
    )
    assert facts(studio)["True answer"] == "6,460"
    assert [card.title.text() for card in board.cards if card.isVisible()] == [
        "What would be published", "How wrong it is", "Privacy against utility",
    ]  # fmt: skip
    drawn = [card.drawn for card in board.cards]
    assert drawn == [True, True, True, False, False]  # what waits is not drawn
    assert "32,561" in studio.window.top.table.text()
    assert not studio.store.history.canUndo()
    assert studio.window.message.isHidden()


def test_the_window_needs_no_heavy_imports() -> None:
    code = (
        "import sys, dpstudio.gui.shell.frame.window, dpstudio.gui.shell.app;"
        "print([m for m in ('pyqtgraph', 'numpy', 'pandas', 'scipy', 'pyarrow', 'secrets', "
        "'dpstudio.labs', 'dpstudio.data', 'dpstudio.privacy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_lab_imports_a_heavy_library_before_it_is_worked_out() -> None:
    """A lab that is opened by keyboard is imported while the window waits, and fitted to the table:
    what only its numbers need comes later, off the GUI thread."""
    code = (
        "import sys; from dpstudio.labs import LABS; from dpstudio.files.tables import open_table\n"
        "from dpstudio.gui.panel.design import panel_of\n"
        "data = open_table('diabetes')\n"
        "for about in LABS:\n"
        "    about.kind().suited(data), panel_of(about.kind)\n"
        "    print(about.key, [m for m in ('scipy', 'pandas', 'sklearn') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert lines == [f"{about.key} []" for about in LABS]


def test_no_widget_stands_outside_the_window(studio: Studio) -> None:
    """A label that is in no layout would open as a window of its own once it has something to
    say."""
    assert not [
        w for w in QApplication.topLevelWidgets() if isinstance(w, QLabel) and w.parent() is None
    ]


FIRST_PICTURE = """
import gc, linecache, os, sys
os.environ["QT_QPA_PLATFORM"] = "offscreen"
import dpstudio.gui.shell.app
from dpstudio.gui.door import ready
dpstudio.gui.shell.app.START_MS = 0
app, window = ready()
window.show()
while window.studio is None:
    app.processEvents()
found = []
def arrived():  # what comes after the picture, whenever that is, does not count
    found.append((set(sys.modules), list(linecache.cache)))
window.studio.pictures.arrived.connect(arrived)
while not found:
    app.processEvents()
held, read = found[0]
print(sorted({"pandas", "scipy", "matplotlib", "numpy.f2py"} & held))
print(sorted(m for m in held if m.startswith("dpstudio.labs.") and m.endswith(".parameters")))
print({".".join(m.split(".")[:4]) for m in held if m.startswith("dpstudio.labs.") and m.count(".") > 3})
own = tuple(os.path.dirname(sys.modules[m].__file__) + os.sep for m in ("dpstudio", "numpy"))
print([f for f in read if f.startswith(own)])
files = [m for m in sorted(held) if not hasattr(sys.modules[m], "__path__")]
print([m for m in files if "talk" in m or "lesson" in m or "player" in m])
pages, jobs = window.studio.pages, window.studio.jobs
pages.profile()
while jobs.busy("profile") or jobs.busy("lab"):
    app.processEvents()
print("pandas" in sys.modules, gc.isenabled())
print(sys.modules["pyarrow"].default_memory_pool().backend_name)
window.close()
"""


def test_the_first_picture_loads_its_own_lab_alone(tmp_path: Path) -> None:
    """A new lab adds nothing to the start, nor do libraries that the first picture does not need,
    nor talks and lessons; pandas is not needed even to count what is in the columns. PySide reads
    no source again, and the collector of garbage is the window's alone; Arrow has no memory of
    its own that it keeps."""
    done = subprocess.run(
        [sys.executable, "-c", FIRST_PICTURE],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "DPSTUDIO_SETTINGS": str(tmp_path / "settings.ini")},
    )
    assert done.stdout.splitlines() == [
        "[]",
        "['dpstudio.labs.one_answer.explore.parameters']",
        "{'dpstudio.labs.one_answer.explore'}",
        "[]",
        "['dpstudio.gui.shell.talk_door']",
        "False False",
        "system",
    ]
