"""`dpstudio script`: a state as a file that works without the program."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dpstudio.data.dataset import Dataset
    from dpstudio.labs import Lab


def scripted(lab: Lab, data: Dataset, given: argparse.Namespace) -> int:
    """Print the script of a state, or write it to the file that was named. Raises NoScript and
    SessionError."""
    from dpstudio.files.session import write_text
    from dpstudio.files.write.notebook import notebook
    from dpstudio.files.write.script import OPENDP, PYTHON, python_script

    if given.form == "notebook":
        text = notebook([lab], data)
    else:
        text = python_script(lab, data, OPENDP if given.form == "opendp" else PYTHON)
    if given.out:
        write_text(Path(given.out), text)
        print(given.out)
    else:
        print(text, end="")
    return 0
