"""`dpstudio again`: a figure of ours, made again and compared."""

from __future__ import annotations

from pathlib import Path

from dpstudio.cli import parsing
from dpstudio.cli.tables import opened


def made_again(words: list[str]) -> int:
    """Say whether the numbers of a figure are the same when it is made again: 0 where they are, 1
    where not. Raises SessionError, StaysError, TableError and ParamError."""
    from dpstudio.files.again import again, table_of
    from dpstudio.files.language import shown
    from dpstudio.files.recorded import recorded

    given = parsing.again_parser().parse_args(words)
    path = Path(given.figure)
    held = recorded(path)
    where = given.data or table_of(held, path.parent)
    data = opened(where, given.read, leaves=held.leaves)
    made = again(held, data)
    for each in made.said:
        print(shown(each))
    return 0 if made.same else 1
