"""A folder of pictures as a table: sizes, labels of their names, hostile files, its digest."""

import io
import os
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from running import little

from dpstudio.data.dataset import Dataset
from dpstudio.files.asking import file_digest
from dpstudio.files.read.choices import Choices
from dpstudio.files.tables import TableError, UncertainError, open_table, open_with_report
from dpstudio.labs.whole_tables.compress.parameters import Compress
from dpstudio.privacy.compression.faces import SIDE, album
from dpstudio.values.messages import render


def put(path: Path, pixels: np.ndarray) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels.astype(np.uint8)).save(path)
    return path


def picture(data: Dataset, row: int, shape: tuple[int, int]) -> np.ndarray:
    names = [c.name for c in data.columns[: shape[0] * shape[1]]]
    assert names == [f"pixel_{y}_{x}" for y, x in np.ndindex(*shape)]
    return np.array(data.cells(row, row + 1)[0][: len(names)], dtype=float).reshape(shape)


def words(data: Dataset, column: str) -> set[str]:
    return {word for word, _ in data.distinct(column)}


def test_folders_are_classes_and_pixels_are_columns(tmp_path: Path) -> None:
    """Of each format that keeps pixels, in grey and in colours; 0 to 255 is known of the format."""
    made = np.arange(24).reshape(4, 6) * 10
    for place, end in enumerate(("png", "bmp", "pgm")):
        put(tmp_path / "cats" / f"a{place}.{end}", made)
        put(tmp_path / "dogs" / f"b{place}.{end}", 255 - made)
    put(tmp_path / "dogs" / "c.png", np.stack([made] * 3, axis=-1))
    data = open_table(str(tmp_path))
    assert [c.name for c in data.columns][-2:] == ["pixel_3_5", "folder"]
    assert words(data, "folder") == {"cats", "dogs"}
    assert np.array_equal(picture(data, 0, (4, 6)), made)
    assert np.array_equal(picture(data, 5, (4, 6)), 255 - made)
    assert np.array_equal(picture(data, 6, (4, 6)), made)
    about = data.documented.about("pixel_0_0")
    assert (about.low, about.high, about.attested) == (0, 255, True)


def test_larger_ones_are_made_smaller_and_a_person_is_asked(tmp_path: Path) -> None:
    """A pixel is the mean of a block: by numpy, of a picture four times as large."""
    large = np.random.default_rng(1).integers(0, 256, (64, 128))
    put(tmp_path / "x_1.png", large)
    put(tmp_path / "x_2.png", large.T)
    put(tmp_path / "y_3.png", large)
    with pytest.raises(UncertainError) as asked:
        open_table(str(tmp_path))
    assert [(d.choice, d.values[0]) for d in asked.value.preview.doubts] == [("side", 32)]
    opened = open_with_report(str(tmp_path), choices=Choices(side=32))
    means = large.reshape(16, 4, 32, 4).mean(axis=(1, 3))
    assert np.abs(picture(opened.data, 0, (16, 32)) - means).max() <= 1
    assert words(opened.data, "name_1") == {"x", "y"}
    said = " ".join(map(render, opened.report.notes))
    assert "3 pictures, each at 32 × 16" in said
    assert "1 pictures of another shape" not in said
    assert "1 picture of another shape" in said


def test_what_one_sees_through_is_white(tmp_path: Path) -> None:
    """A drawing in black on nothing would be black all over."""
    ink, seen = np.zeros((4, 4, 4)), np.full((4, 4), 255)
    ink[:2, :, 3], seen[:2] = 255, 0
    put(tmp_path / "1.png", ink)
    sheet = Image.fromarray((ink[..., 3] == 0).astype(np.uint8), "P")
    sheet.putpalette([0, 0, 0, 7, 7, 7])
    sheet.save(tmp_path / "2.png", transparency=1)
    data = open_table(str(tmp_path))
    for row in range(2):
        assert np.array_equal(picture(data, row, (4, 4)), seen)


def test_names_that_are_no_words_are_labels_all_the_same(tmp_path: Path) -> None:
    for place, folder in enumerate((b"b\xff", b"b\xfe", b"b\xfe")):
        put(tmp_path / os.fsdecode(folder) / f"{place}.png", place * np.eye(4))
    assert words(open_table(str(tmp_path)), "folder") == {r"b\xff", r"b\xfe"}


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def bomb(across: int, down: int) -> bytes:
    """A PNG of a few bytes that promises so many pixels."""
    head = struct.pack(">IIBBBBB", across, down, 8, 0, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def test_hostile_files_cost_no_other_and_are_counted(tmp_path: Path) -> None:
    good = put(tmp_path / "a" / "good.png", np.eye(8) * 200)
    put(tmp_path / "b" / "good.png", np.eye(8) * 100)
    out = io.BytesIO()
    Image.fromarray(np.zeros((40, 40), dtype=np.uint8)).save(out, "JPEG")
    whole = {"JPEG": out.getvalue(), "PNG": good.read_bytes()}
    bad = [bomb(60_000, 60_000), bomb(7_000, 7_000), bomb(8, 8), b"GIF89a", b"BM" + bytes(60)]
    bad += [b"P5 1000000000 1000000000 255\n", whole["JPEG"][:200], whole["PNG"][:60]]
    bad += [b"not a picture", b"", b"\x89PNG\r\n\x1a\n" + bytes(40)]
    rng = np.random.default_rng(3)
    for name, body in (pair for pair in whole.items() for _ in range(12)):
        cut = bytearray(body)
        for place in rng.integers(2, len(cut), 2):
            cut[place] ^= 0xFF
        (tmp_path / f"fuzz_{name}_{len(list(tmp_path.iterdir()))}").write_bytes(bytes(cut))
    for place, body in enumerate(bad):
        (tmp_path / f"bad_{place}.png").write_bytes(body)
    (tmp_path / "a" / "link.png").symlink_to(good)
    opened = open_with_report(str(tmp_path), choices=Choices(side=8))
    said = " ".join(map(render, opened.report.notes))
    kept = opened.data.rows
    assert f"{len(bad) + 24 + 1 + 2 - kept} files were left out" in said
    assert kept <= 26
    assert "bad_0.png: it has more than 4·10⁷ pixels" in said


def test_a_folder_without_pictures_says_so(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text("[]")
    with pytest.raises(TableError, match=r"without a picture .*Choose a file in it"):
        open_table(str(tmp_path))
    (tmp_path / "t.png").write_bytes(bomb(60_000, 60_000))
    with pytest.raises(TableError, match=r"t.png, it"):
        open_table(str(tmp_path))


def test_its_digest_is_that_of_names_and_bytes(tmp_path: Path) -> None:
    path = put(tmp_path / "a" / "1.png", np.eye(5))
    digest = open_table(str(tmp_path)).digest

    def now() -> str:
        return file_digest(tmp_path, lambda: False)

    assert now() == digest
    put(path, 2 * np.eye(5))
    changed = now()
    path.rename(path.with_name("2.png"))
    assert len({digest, changed, now()}) == 3


def test_own_faces_are_projected_and_drawn(tmp_path: Path) -> None:
    """Who by folder, mood and light by file name: labels for a projection, whose pixels alone are
    taken for rows, and of which the bounds are known."""
    made = album(3, 20, 0.5, 1)
    for place, x in enumerate(made.x):
        name = f"{made.mood[place]}_{made.light[place]}_{place}.png"
        put(tmp_path / f"p{made.who[place]}" / name, 255 * x.reshape(SIDE, SIDE))
    data = open_table(str(tmp_path))
    lab = Compress().suited(data)
    assert (lab.points.utility, lab.points.privacy) == ("folder", "name_2")
    found = little(lab, data)
    assert "strip" in [figure.key for figure in found.figures]
    assert not found.figure("trade").notes
