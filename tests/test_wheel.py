"""The wheel: built without a network, installed into an empty environment, it finds its own
tables."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from dpstudio import __version__

ROOT = Path(__file__).parent.parent
HELP = ROOT / "assets/help"


# The window as `dpstudio` opens it, until its first picture stands.
OPENED = """
from PySide6.QtTest import QTest
from dpstudio.gui.shell.app import make_app, make_window
app, window = make_app(), make_window()
window.show()
while window.studio is None or window.studio.findings is None:
    QTest.qWait(10)
print(window.studio.findings.truth[0], flush=True)
window.close()
"""


def do(*words: object, **options) -> str:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_runs_by_itself(tmp_path: Path) -> None:
    """From another folder, without the checkout on the path: 6,460 over 50, from the table inside
    the wheel."""
    pytest.importorskip("hatchling")
    do(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "dist", cwd=ROOT)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert "dpstudio/assets/tables/adult.csv.xz" in names
    shipped = {f"dpstudio/{path.relative_to(ROOT).as_posix()}" for path in HELP.rglob("*.md")}
    assert shipped <= set(names)
    assert not [name for name in names if name.startswith(("tests", "assets"))]

    home = tmp_path / "venv"
    do(sys.executable, "-m", "venv", "--without-pip", home)
    place = home / ("Scripts" if os.name == "nt" else "bin")
    python = place / ("python.exe" if os.name == "nt" else "python")
    do(
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "--no-index",
        "--no-deps",
        "--quiet",
        "--disable-pip-version-check",
        # A run compiles what it imports, which is a part.
        "--no-compile",
        wheel,
    )
    packages = Path(
        do(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    )
    # The dependencies come from here; the wheel's own folder stands before them on the path.
    (packages / "dependencies.pth").write_text(
        sysconfig.get_path("purelib") + "\n", encoding="utf-8"
    )

    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    inside = do(
        python, "-c", "import dpstudio; print(dpstudio.__file__)", cwd=elsewhere, env=clean
    ).strip()
    assert Path(inside).resolve().is_relative_to(home.resolve())
    made = json.loads(do(place / "dpstudio", "run", "explore", "--json", cwd=elsewhere, env=clean))
    assert made["truth"] == [6460.0]
    do(place / "dpstudio", "run", "explore", "--out", "charts", cwd=elsewhere, env=clean)
    assert {".svg", ".png", ".csv"} <= {path.suffix for path in (elsewhere / "charts").iterdir()}
    # Nothing of a person is read, and nothing can be kept: a home that is none, not even for root.
    nowhere = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"), "/dev/null/home")
    clean = {name: value for name, value in clean.items() if not name.startswith("DPSTUDIO_")}
    there = {**clean, **nowhere, "QT_QPA_PLATFORM": "offscreen"}
    shown = do(python, "-c", OPENED, cwd=elsewhere, env=there)
    assert shown.strip() == "6460.0"
    read = do(place / "dpstudio", "help", "explore", cwd=elsewhere, env=clean)
    assert read == (HELP / "use/explore.md").read_text(encoding="utf-8")


def test_the_version_stands_in_one_place() -> None:
    """What is read without Python says the same: how to cite it, and what changed last."""
    cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    newest = re.search(r"^## (\S+) ", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert cited
    assert newest
    assert cited[1] == newest[1] == __version__
