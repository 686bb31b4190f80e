"""A screen of another scale: no words of any page, of the manual, of Find or of the help are cut,
and all stand out from their ground. Only a new process has another scale."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from scaled_pages import PAGES

HERE = Path(__file__).parent


@pytest.mark.parametrize(("scale", "ink", "part"), [("1.5", "light", 0), ("2", "dark", 1)])
def test_words_are_whole_and_read_on_a_screen_of_another_scale(
    scale: str, ink: str, part: int, tmp_path: Path
) -> None:
    """Each page at one of the scales, in light or dark; `scaled_pages.py` alone walks them all."""
    own = {
        "QT_SCALE_FACTOR": scale,
        "QT_QPA_PLATFORM": "offscreen",
        "DPSTUDIO_SETTINGS": str(tmp_path / "s.ini"),
        "DPSTUDIO_DRAFTS": str(tmp_path / "drafts"),
        "DPSTUDIO_LEDGER": str(tmp_path / "ledger.json"),
        "PYTHONPATH": os.pathsep.join([str(HERE), str(HERE.parent), str(HERE.parents[1])]),
    }
    words = [sys.executable, str(HERE / "scaled_pages.py"), ink, *PAGES[part::2]]
    ran = subprocess.run(words, env=os.environ | own, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert json.loads(ran.stdout) == {}
