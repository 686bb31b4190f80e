"""A screen of another scale: no words of a page, of the manual, of Find or of the table's page are
cut. Only a new process has another one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SCRIPT = """
import os
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from dpstudio.gui.parts.labels import ElidedLabel
from dpstudio.gui.shell.app import make_app, make_window
from dpstudio.gui.state.settings import Settings
from hand import clipped, seen, short, turn_page

def waited(done):
    for _ in range(6000):
        if done():
            return
        QTest.qWait(10)
    raise SystemExit("nothing came")

def cut():
    waited(lambda: not studio.jobs.busy("table", "lab") and not studio.pictures.busy)
    QTest.qWait(100)
    words = [w for w in seen(window) if isinstance(w, QLabel | QPushButton) and w.text()]
    return clipped(studio) + [
        w.text() for w in words if not isinstance(w, ElidedLabel) and short(w)
    ]

def main():
    global window, studio
    make_app()
    Settings.begun = True
    window = make_window(None)
    window.resize(1280, 800)
    window.show()
    waited(lambda: window.studio is not None and window.studio.findings is not None)
    studio, found = window.studio, {}
    assert window.devicePixelRatioF() == float(os.environ["QT_SCALE_FACTOR"])
    found["explore"] = cut()
    for key in ("composition", "selection", "survey", "plan"):
        turn_page(studio, key)
        found[key] = cut()
    ways = {"find": (Qt.Key.Key_K, True), "table": (Qt.Key.Key_T, True), "help": (Qt.Key.Key_F1, False)}
    for name, (key, held) in ways.items():
        modifier = Qt.KeyboardModifier.ControlModifier if held else Qt.KeyboardModifier.NoModifier
        QTest.keyClick(window, key, modifier)
        QTest.qWait(500)
        found[name] = cut()
        QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Escape)
    print({name: words for name, words in found.items() if words} or "all is whole", flush=True)
    studio.unsaved.discard()
    os._exit(0)

if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize("scale", ["1.5", "2"])
def test_no_words_are_cut_on_a_screen_of_another_scale(scale: str, tmp_path: Path) -> None:
    script = tmp_path / "scaled.py"
    script.write_text(SCRIPT)
    own = {
        "QT_SCALE_FACTOR": scale,
        "QT_QPA_PLATFORM": "offscreen",
        "DPSTUDIO_SETTINGS": str(tmp_path / "s.ini"),
        "DPSTUDIO_DRAFTS": str(tmp_path / "drafts"),
        "DPSTUDIO_LEDGER": str(tmp_path / "ledger.json"),
        "PYTHONPATH": os.pathsep.join([str(HERE), str(HERE.parent), str(HERE.parents[1])]),
    }
    ran = subprocess.run(
        [sys.executable, str(script)], env=os.environ | own, capture_output=True, text=True, check=False
    )  # fmt: skip
    assert ran.stdout.strip() == "all is whole", ran.stdout + ran.stderr[-2000:]
