"""NumPy arrays as tables: pictures, labels beside them, and what is refused."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from running import little

from dpstudio.files.read import choices, outcome, source
from dpstudio.files.read.opening import read_file
from dpstudio.files.tables import open_table
from dpstudio.labs.whole_tables.compress.parameters import Compress
from dpstudio.privacy.compression.faces import SIDE, album
from dpstudio.values.messages import render


def written(folder: Path, array: Any) -> Path:
    np.save(folder / "a.npy", array, allow_pickle=True)
    return folder / "a.npy"


def names(path: Path, part: str = "") -> list[str]:
    return list(read_file(path, source.Watch(), choices.Choices(part=part)).table.column_names)


def test_rows_are_the_first_axis(tmp_path: Path) -> None:
    pictures = np.arange(24).reshape(4, 2, 3).astype(">u2")
    path = written(tmp_path, pictures)
    assert names(path) == [f"pixel_{y}_{x}" for y in range(2) for x in range(3)]
    held = read_file(path, source.Watch()).table
    assert held.column("pixel_1_2").to_pylist() == pictures[:, 1, 2].tolist()
    assert names(written(tmp_path, np.zeros((4, 2)))) == ["x_0", "x_1"]
    assert names(written(tmp_path, np.array(["a", "b", "c"]))) == ["x"]


@pytest.mark.parametrize(
    ("array", "why"),
    [
        (np.array([{"a": 1}, None], dtype=object), "Python objects"),
        (np.zeros((3, 2, 2, 3)), "colour"),
        (np.array(3.0), "rows"),
        (np.zeros(3, dtype=complex), "numbers and words"),
        (np.zeros((2, 101, 100)), "10,100 columns"),
    ],
)
def test_what_is_refused_says_why(tmp_path: Path, array: Any, why: str) -> None:
    with pytest.raises(outcome.TableError, match=why):
        read_file(written(tmp_path, array), source.Watch())


def test_a_header_that_promises_more_than_there_is(tmp_path: Path) -> None:
    path = written(tmp_path, np.zeros((100, 10)))
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(outcome.TableError, match="ends too early"):
        read_file(path, source.Watch())


@pytest.mark.parametrize(
    ("kind", "shape"),
    [("'<U0'", "(100000000000,)"), ("'|S0'", "(100000000000,)"), ("'<f8'", "(True, 1)")],
)
def test_a_header_that_promises_rows_of_nothing(tmp_path: Path, kind: str, shape: str) -> None:
    """A file of 80 bytes would make 10¹¹ empty words."""
    head = f"{{'descr': {kind}, 'fortran_order': False, 'shape': {shape}}}\n".encode()
    path = tmp_path / "a.npy"
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head + bytes(8))
    with pytest.raises(outcome.TableError, match="not a NumPy array"):
        read_file(path, source.Watch())


def test_letters_that_are_none_are_marked(tmp_path: Path) -> None:
    letters = np.array([0xD800, 0x7FFFFFFF, ord("A")], dtype=np.uint32).view("U1")
    for order in "<>":
        held = read_file(written(tmp_path, letters.astype(f"{order}U1")), source.Watch()).table
        assert held.column("x").to_pylist() == ["\ufffd", "\ufffd", "A"]


def test_an_archive_is_one_table_of_arrays_as_long(tmp_path: Path) -> None:
    """Pictures first, labels behind them; of arrays of two lengths a person chooses; a member
    that is a bomb, or holds objects, is not read."""
    path, rng = tmp_path / "a.npz", np.random.default_rng(1)
    faces = rng.integers(0, 256, (6, 2, 2)).astype(np.uint8)
    np.savez(path, who=np.array(list("aabbcc")), face=faces, about=np.array("made here"))
    read = read_file(path, source.Watch())
    pixels = [f"face_{y}_{x}" for y in range(2) for x in range(2)]
    assert read.table.column_names == [*pixels, "who"]
    assert read.table.column("face_1_0").to_pylist() == faces[:, 1, 0].tolist()
    assert render(read.notes[0]) == "1 array that is no table was left out."
    np.savez_compressed(path, test=np.zeros((2, 3)), train=np.ones((4, 3)), label=np.arange(4))
    with pytest.raises(outcome.UncertainError, match="part=train"):
        read_file(path, source.Watch())
    assert names(path, "test") == ["test_0", "test_1", "test_2"]
    assert names(path, "label") == ["train_0", "train_1", "train_2", "label"]
    np.savez_compressed(path, x=np.zeros((5_000, 1_000)))
    with pytest.raises(outcome.TableError, match="unpacks to more"):
        read_file(path, source.Watch())


def test_own_pictures_with_labels_are_projected_and_drawn(tmp_path: Path) -> None:
    """An array of named fields: a picture, and two labels of it."""
    made = album(4, 30, 0.5, 1)
    kind = np.dtype([("face", "f8", (SIDE, SIDE)), ("who", "U3"), ("mood", "i8")])
    fields = np.zeros(len(made.x), dtype=kind)
    fields["face"] = made.x.reshape(-1, SIDE, SIDE)
    fields["who"], fields["mood"] = [f"p{c}" for c in made.who], made.mood
    data = open_table(str(written(tmp_path, fields)))
    lab = Compress().suited(data)
    assert (lab.points.utility, lab.points.privacy) == ("mood", "who")
    found = little(lab, data)
    assert "strip" in [figure.key for figure in found.figures]
    assert found.figure("strip").exact
