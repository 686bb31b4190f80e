"""A figure says what it was made of, and is made again from that."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

import pytest
from running import LEAST

from dpstudio import cli
from dpstudio.data.codebook import About, Codebook
from dpstudio.data.dataset import Dataset
from dpstudio.files import again as again_
from dpstudio.files.again import again
from dpstudio.files.ledger import Ledger, ledger_path
from dpstudio.files.recorded import READERS, recorded
from dpstudio.files.session import SessionError
from dpstudio.files.write.export import chart_files
from dpstudio.files.write.leaving import leave
from dpstudio.gui.board.render import FigureImages, headless
from dpstudio.labs.context import Context
from dpstudio.labs.worded import lab_of_words
from dpstudio.values.messages import render

BOOK = Codebook((("age", About(low=17, high=90, attested=True, source="the form <&>")),))
BIG = "x" * 2_000_000
MEAN = ["explore", "query=mean", "query.column=age", "seed=7"]


def written(folder: Path, data: Dataset, hidden: frozenset[str] = frozenset()) -> dict[str, Path]:
    headless()
    lab = lab_of_words(MEAN)
    found = lab.last(Context(data, effort=LEAST))
    paths = {kind: folder / f"figure{kind}" for kind in READERS}
    chart_files(found.figures[0], lab, data, [*paths.values()], FigureImages(), hidden=hidden)
    return paths


@pytest.mark.parametrize("hidden", [frozenset(), frozenset({"dots"})])
def test_every_kind_of_figure_says_the_same_and_is_made_again(
    adult: Dataset, tmp_path: Path, hidden: frozenset[str]
) -> None:
    data = adult.described(BOOK)
    lab = lab_of_words(MEAN)
    for kind, path in written(tmp_path, data, hidden).items():
        held = recorded(path)
        assert (held.lab, held.codebook, held.table) == (lab, BOOK, "adult"), kind
        assert held.digest == adult.digest
        made = again(held, adult, LEAST)
        assert (made.same, list(map(render, made.said))) == (
            True,
            ["Made again, its numbers are the same."],
        )


def test_what_differs_is_said(
    adult: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, adult)[".csv"]
    text = path.read_text(encoding="utf-8")
    assert '"seed": 7' in text
    path.write_text(text.replace('"seed": 7', '"seed": 8'), encoding="utf-8")
    made = again(recorded(path), adult, LEAST)
    assert not made.same
    assert render(made.said[-1]).endswith("others, of the same table and version.")
    path.write_text(text.replace(adult.digest, "0" * 64), encoding="utf-8")
    assert "another one by now" in render(again(recorded(path), adult, LEAST).said[0])
    monkeypatch.setattr(again_, "__version__", "9.9")
    path.write_text(text, encoding="utf-8")
    assert "this is 9.9" in render(again(recorded(path), adult, LEAST).said[0])


def test_what_left_is_looked_up_and_never_drawn_anew(
    adult: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    headless()
    monkeypatch.setenv("DPSTUDIO_LEDGER", str(tmp_path / "ledger.json"))
    lab = lab_of_words(["explore", "query=count", "query.where=age>50"])
    left = leave(lab, adult, Ledger(ledger_path()), LEAST)
    path = tmp_path / "a.svg"
    chart_files(left.findings.figures[0], left.lab, left.data, [path], FigureImages())
    held, before = recorded(path), ledger_path().read_bytes()
    assert (held.digest, held.leaves) == ("", True)
    assert again(held, adult, LEAST).same
    assert ledger_path().read_bytes() == before
    ledger_path().unlink()
    with pytest.raises(SessionError, match="not drawn anew"):
        again(held, adult, LEAST)
    assert not ledger_path().exists()


# A figure that is small until it is unpacked.
TOLD = {"Software": "dpstudio 1", "Parameters": '{"kind": "explore"}', "a": BIG, "b": BIG, "c": BIG}


def packed(told: tuple[str, str]) -> bytes:
    """A chunk of a PNG."""
    body = told[0].encode() + b"\0\0" + zlib.compress(told[1].encode())
    return struct.pack(">I4s", len(body), b"zTXt") + body + b"\0" * 4


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.svg", b"<svg/>"),
        ("a.svg", b"<metadata>[1]</metadata>"),
        ("a.svg", b"<metadata>" + b"[" * 100_000 + b"</metadata>"),
        ("a.png", b"GIF89a"),
        ("a.png", b"\x89PNG\r\n\x1a\n" + b"\xff\xff\xff\xffzTXtSoftware\0\0nothing packed"),
        ("a.svg", b"<metadata>" * 200_000),
        ("a.png", b"\x89PNG\r\n\x1a\n" + b"".join(map(packed, TOLD.items()))),
        ("a.pdf", b"%PDF-1.4"),
        ("a.csv", b"age\n3\n"),
        ("a.txt", b"words"),
    ],
)
def test_what_is_none_of_ours_is_one_sentence(
    tmp_path: Path, name: str, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert cli.main(["again", str(path)]) == 2
    assert "no figure that dpstudio wrote" in capsys.readouterr().err


def test_a_figure_of_a_later_page_and_one_without_its_table_are_one_sentence(
    adult: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, adult)[".csv"]
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"kind": "explore"', '"kind": "crystal"', 1), encoding="utf-8")
    assert cli.main(["again", str(path)]) == 2
    assert "Open it with that version" in capsys.readouterr().err
    (tmp_path / "out.csv").write_text("age\n3\n")
    (tmp_path / "in").mkdir()
    path = path.rename(tmp_path / "in" / path.name)
    for name in ("gone.csv", "../out.csv", str(tmp_path / "out.csv")):  # no figure leads elsewhere
        path.write_text(text.replace("name adult,", f"name {name},"), encoding="utf-8")
        assert cli.main(["again", str(path)]) == 2
        assert "say where it is" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    os.mkfifo(path)
    with pytest.raises(SessionError, match="no figure that dpstudio wrote"):
        recorded(path)
