"""Whether the number of people who report is public, so that a survey may leave the program."""

from __future__ import annotations

from dpstudio.data.dataset import Dataset
from dpstudio.values.messages import Say, say


def not_public(data: Dataset) -> Say | None:
    """Why the number of reports of a table is not public; None where it is: each row is one person
    then, and neighbours replace one."""
    if data.contributions == 1:
        return None
    return say(
        "A person may have several rows here, so the number of reports tells of persons: a survey "
        "cannot leave. Let each person have one row."
    )
