"""A ledger that is forgotten with the test."""

import shutil
import tempfile
import weakref
from pathlib import Path

from dpstudio.files.ledger import Ledger


def forgotten() -> Ledger:
    """An empty one in a folder of its own."""
    folder = Path(tempfile.mkdtemp(prefix="dpstudio-ledger-"))
    made = Ledger(folder / "ledger.dpledger")
    weakref.finalize(made, shutil.rmtree, folder, ignore_errors=True)
    return made
