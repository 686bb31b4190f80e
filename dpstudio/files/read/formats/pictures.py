"""A folder of pictures as a table: a row each, a column for each pixel in grey, then what the names
of folders and files say of it.

A folder in the folder is a class, as in torchvision's ImageFolder; parts of file names that “_”,
“.” or “-” divide are labels too, as in the names of UTKFace or of the Yale faces."""

from __future__ import annotations

import io
import os
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpstudio.files.read.choices import FITTING, Choices
from dpstudio.files.read.formats.every import WITHOUT_VALUES
from dpstudio.files.read.formats.folders import BYTES_MOST, FolderDigest, Member, listed, members
from dpstudio.files.read.outcome import ColumnRead, Counts, Doubt, Read, TableError, quoted
from dpstudio.files.read.source import Watch
from dpstudio.files.read.told import PICTURES, settled, untold
from dpstudio.values.messages import N_, Message, Num, say

if TYPE_CHECKING:
    import pyarrow as pa
    from PIL import Image

Pixels = NDArray[np.uint8]
Labels = dict[str, list[str | None]]  # by the name of the column
PIXELS_MOST, BRIGHTEST = 40_000_000, 255  # of one picture, before it is unpacked; of one pixel
_SIDE, _SMALL, _FEW = 32, 20, 400  # pixels along a picture; of many pictures; which are more
_FORMATS = ("PNG", "JPEG", "BMP", "PPM", "GIF")
_SIGNS = "_.-"  # between parts of a file's name
_NAMED = N_("PNG, JPEG, BMP, PGM or GIF")


@dataclass(frozen=True)
class Album:
    """A folder that was read, its digest, and which columns are pixels, 0 to BRIGHTEST."""

    read: Read
    digest: str
    pixels: tuple[str, ...]


@dataclass(frozen=True)
class _Taken:
    """A picture that was read: the names that lead to it, its pixels, and its longer side before;
    of a file that is none no pixels."""

    names: tuple[str, ...]
    pixels: Pixels | None
    longest: int = 0


def read_folder(folder: Path, choices: Choices, watch: Watch) -> Album:
    """All pictures at one size, the commonest once each is at most `choices.side` pixels long;
    what is none is left out and counted. Raises TableError where none is left, and CancelledError.

    Where every record is a row, each file is one, none of which decides about that of another: what
    is no picture is a row without pixels, and labels are those that `types` names."""
    every = choices.every
    if every and untold(choices, PICTURES):
        free = read_folder(folder, choices.with_(rows=FITTING), watch).read
        told = settled(free)
        album = read_folder(folder, told.with_(types=choices.types or told.types), watch)
        return replace(album, read=replace(album.read, doubts=free.doubts))
    files, seal = listed(folder, watch), FolderDigest()
    side = choices.side or (_SIDE if len(files) <= _FEW else _SMALL)
    side = max(side, choices.down or 0) if every else side
    taken, odd = list[_Taken](), list[tuple[Member, Message]]()
    for member in members(folder, files, watch):
        seal.add(member)
        found = _taken(member, int(side))
        if isinstance(found, Message):
            odd.append((member, found))
            found = _Taken(member.names, None)
        if every or found.pixels is not None:
            taken.append(found)
    if not taken and not every:
        raise TableError(_nothing(folder, odd))
    names = [_readable(one.names) for one in taken]
    if every:
        shape: tuple[int, ...] = (int(choices.down or 1), int(choices.side or 1))
        labels = {name: [_label(path, name) for path in names] for name in choices.forced()}
    else:
        shapes = Counter(one.pixels.shape for one in taken if one.pixels is not None)
        shape, labels = shapes.most_common(1)[0][0], _labels(names)
    table, fitted = _table(taken, shape, labels)
    notes = tuple(_notes(taken, odd, shape, fitted))
    longest = max((one.longest for one in taken), default=0)
    doubts = () if choices.side else _doubts(int(side), longest)
    pixels = tuple(name for name in table.column_names if name not in labels)
    kinds = ["words" if name in labels else "integer" for name in table.column_names]
    read = Read(
        table,
        str(folder),
        "pictures",
        choices if every else choices.with_(side=side),
        Counts(kept=table.num_rows),
        tuple(map(ColumnRead, table.column_names, kinds)),
        notes,
        doubts,
    )
    return Album(read, seal.hex, pixels)


def _taken(member: Member, side: int) -> _Taken | Message:
    """A picture in grey, at most `side` pixels long; or why there is none."""
    from PIL import Image

    if member.large:
        return say("it has more than {n} {n:byte|bytes}", n=Num(BYTES_MOST))
    if not member.body:
        return say("it is no picture")
    huge = say("it has more than {n} {n:pixel|pixels}", n=Num(PIXELS_MOST))
    # Else it is written to a terminal; for the whole process, since filters know no threads.
    warnings.filterwarnings("error", category=Image.DecompressionBombWarning)
    try:
        with Image.open(io.BytesIO(member.body), formats=_FORMATS) as opened:
            across, down = opened.size
            if across * down > PIXELS_MOST:
                return huge
            return _Taken(member.names, _small(opened, side), max(across, down))
    except MemoryError:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        return huge
    except Exception:  # a broken picture, however its decoder says so, costs no other
        return say("it is broken")


def _small(opened: Image.Image, side: int) -> Pixels:
    """Turned upright, in grey, on white where one sees through it; a pixel is the mean of what
    falls on it."""
    from PIL import Image, ImageOps

    opened.draft("L", (2 * side, 2 * side))  # of JPEG, which then unpacks no more than that
    upright = ImageOps.exif_transpose(opened)
    if upright.mode.startswith("I"):  # 16 bits
        grey = Image.fromarray((np.asarray(upright, dtype=np.int64) >> 8).astype(np.uint8))
    else:
        grey = upright.convert("L")
    if upright.has_transparency_data:
        whole = upright if "A" in upright.getbands() else upright.convert("RGBA")
        grey = Image.composite(grey, Image.new("L", grey.size, BRIGHTEST), whole.getchannel("A"))
    longest = max(grey.size)
    if longest > side:
        size = [max(1, round(length * side / longest)) for length in grey.size]
        grey = grey.resize((size[0], size[1]), Image.Resampling.BOX)
    return np.asarray(grey)


def _table(taken: Sequence[_Taken], shape: tuple[int, ...], labels: Labels) -> tuple[pa.Table, int]:
    """The rows, and how many pictures had to be cut to fill this shape."""
    import pyarrow as pa
    from PIL import Image, ImageOps

    fitted, rows = 0, np.zeros((len(taken), *shape), dtype=np.uint8)
    none = np.array([one.pixels is None for one in taken], dtype=np.bool_)
    for place, one in enumerate(taken):
        if one.pixels is None:
            continue
        if one.pixels.shape == shape:
            rows[place] = one.pixels
            continue
        fitted += 1
        cut = ImageOps.fit(Image.fromarray(one.pixels), shape[::-1], Image.Resampling.BOX)  # type: ignore[arg-type]
        rows[place] = np.asarray(cut)
    made: dict[str, Any] = {
        f"pixel_{y}_{x}": pa.array(np.ascontiguousarray(rows[:, y, x]), mask=none)
        for y, x in np.ndindex(*shape)
    }
    made |= {name: pa.array(words, pa.string()) for name, words in labels.items()}
    return pa.table(made), fitted


def _readable(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names whose bytes are no UTF-8 with these bytes as words, since no table holds them."""
    return tuple(os.fsencode(name).decode("utf-8", "backslashreplace") for name in names)


def _label(path: tuple[str, ...], name: str) -> str | None:
    """What the names that lead to one file say, by the name of the label; no other file decides."""
    kind, _, place = name.partition("_")
    level = int(place) - 1 if place.isdecimal() else 0
    words = path[:-1] if kind == "folder" else ()
    if kind == "name":
        stem = _stem(path[-1])
        words = tuple(stem.split(next((sign for sign in _SIGNS if sign in stem), "_")))
    return words[level] if 0 <= level < len(words) else None


def _labels(paths: Sequence[tuple[str, ...]]) -> Labels:
    """What names say: parts of file names, then folders from the inside out, the outermost last; a
    column each, where it tells some rows apart and others not."""
    depth = max(len(path) for path in paths) - 1
    made: Labels = {}
    for place, words in enumerate(_parts([path[-1] for path in paths])):
        made[f"name_{place + 1}"] = list(words)
    for level in reversed(range(depth)):
        name = "folder" if level == 0 else f"folder_{level + 1}"
        made[name] = [path[level] if len(path) > level + 1 else None for path in paths]
    return {name: words for name, words in made.items() if 1 < len(set(words)) < len(words)}


def _parts(names: Sequence[str]) -> list[tuple[str, ...]]:
    """The parts of file names where all have as many; without the ending that says the format."""
    stems = [_stem(name) for name in names]
    for sign in _SIGNS:
        divided = [stem.split(sign) for stem in stems]
        if len(divided[0]) > 1 and len({len(parts) for parts in divided}) == 1:
            return list(zip(*divided, strict=True))
    return []


def _stem(name: str) -> str:
    stem, _, end = name.rpartition(".")
    return stem if end.lower() in _ENDINGS and stem else name


_ENDINGS = ("png", "jpg", "jpeg", "bmp", "pgm", "pnm", "gif")


def _doubts(side: int, longest: int) -> tuple[Doubt, ...]:
    if longest <= side:
        return ()
    why = say(
        "the pictures are up to {n} {n:pixel|pixels} long, and are made smaller", n=Num(longest)
    )
    others = (size for size in (16, _SMALL, _SIDE, 64) if size != side and size < longest)
    return (Doubt("side", why, (side, *others)),)


def _notes(
    taken: Sequence[_Taken],
    odd: Sequence[tuple[Member, Message]],
    shape: tuple[int, ...],
    fitted: int,
) -> list[Message]:
    down, across = shape
    read = [one for one in taken if one.pixels is not None]
    size = {"n": Num(len(read)), "across": Num(across), "down": Num(down)}
    notes = [
        say("{n:# picture|# pictures}, each at {across} × {down:# pixel|# pixels} in grey.", **size)
    ]
    if fitted:
        text = N_(
            "{n} {n:picture of another shape was scaled and cut at its edges|pictures of another "
            "shape were scaled and cut at their edges} to fill it."
        )
        notes.append(say(text, n=Num(fitted)))
    if odd:
        gone = len(taken) > len(read)
        notes.append(say(WITHOUT_VALUES, n=Num(len(odd))) if gone else _left_out(odd))
    return notes


def _left_out(odd: Sequence[tuple[Member, Message]]) -> Message:
    member, why = odd[0]
    name = quoted("/".join(member.names))
    text = N_(
        "{n} {n:file was left out: {name}, {why}|files were left out, the first {name}: {why}}."
    )
    return say(text, n=Num(len(odd)), name=name, why=why)


def _nothing(folder: Path, odd: Sequence[tuple[Member, Message]]) -> Message:
    broken = [one for one in odd if one[0].body or one[0].large]
    text = N_("{path} is a folder without a picture ({formats}). Choose a file in it.")
    if not broken:
        return say(text, path=folder, formats=Message(_NAMED))
    text = N_("{path} is a folder without a picture that can be read. {left}")
    return say(text, path=folder, left=_left_out(broken))
