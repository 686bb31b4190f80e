"""A model that leaves, as two files: JSON with all of it, and a loader beside it."""

import json
from pathlib import Path

from dpstudio import __version__
from dpstudio.files.session import write_text
from dpstudio.labs.outcome import ReleasedModel
from dpstudio.values.messages import render


def model_files(model: ReleasedModel, path: Path) -> list[Path]:
    """Write it to `path`, which ends in .json, and the lines that load it beside that; returns both
    paths. Raises SessionError."""
    statement = [render(line) for line in model.statement]
    told = {"dpstudio": __version__, "statement": statement, **model.values}
    text = json.dumps(told, ensure_ascii=False, allow_nan=False, indent=1)
    beside = path.with_suffix(".py")
    write_text(path, text + "\n")
    write_text(beside, f'"""Loads {path.name}, written by dpstudio."""\n\n{model.loader}')
    return [path, beside]
