"""A figure dropped on the window brings its page back, or says in a sentence why not."""

from pathlib import Path

import pytest
from hand import chart, drop, facts, said, settle
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot
from running import LEAST

from dpstudio.data.dataset import Dataset
from dpstudio.files.recorded import recorded
from dpstudio.files.write.export import chart_files
from dpstudio.gui.board.render import FigureImages
from dpstudio.gui.shell.studio import Studio
from dpstudio.labs.context import Context
from dpstudio.labs.worded import lab_of_words

KINDS = (".svg", ".pdf", ".png")
# These constructors are deprecated from Qt 6.12 on; those that replace them are not in 6.10.
dropped = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def figure(folder: Path, data: Dataset, words: str, kinds: tuple[str, ...] = KINDS) -> list[Path]:
    made = lab_of_words(words.split())
    paths = [folder / f"{made.key}{kind}" for kind in kinds]
    found = made.last(Context(data, effort=LEAST))
    chart_files(found.figures[0], made, data, paths, FigureImages())
    return paths


@dropped
def test_a_figure_dropped_brings_its_page_back(
    studio: Studio, tmp_path: Path, qtbot: QtBot
) -> None:
    """Each kind, on the page and on a chart; the page is cited from there."""
    data = studio.store.data
    assert data is not None
    for n, path in enumerate(figure(tmp_path, data, "clipping column=age high=61")):
        first = studio.store.lab
        assert first != recorded(path).lab
        drop(studio.window, studio.window.top if n else chart(studio, "error").viewport(), path)
        settle(qtbot, studio)
        assert (studio.store.lab, studio.store.data) == (recorded(path).lab, data), path
        assert "as it was for the figure" in said(studio)
        studio.saver.cite()
        assert "@" in QGuiApplication.clipboard().text()
        assert "Amin" in QGuiApplication.clipboard().text()
        studio.undo()
        settle(qtbot, studio)
        assert studio.store.lab == first


@dropped
def test_a_figure_that_cannot_be_read_is_a_sentence_and_nothing_is_lost(
    studio: Studio, tmp_path: Path, qtbot: QtBot
) -> None:
    data, before = studio.store.data, studio.store.lab
    assert data is not None
    (strange,) = figure(tmp_path, data, "explore query=mean query.column=age", (".svg",))
    text = strange.read_text("utf-8")
    later = tmp_path / "later.svg"
    later.write_text(text.replace("explore", "crystal"), "utf-8")
    moved = tmp_path / "moved.svg"
    moved.write_text(text.replace(data.digest, "0" * 64), "utf-8")
    QGuiApplication.primaryScreen().grabWindow(0).save(str(tmp_path / "other.png"))
    for path, why in (
        (tmp_path / "other.png", "no figure that dpstudio wrote"),
        (later, "Open it with that version"),
        (moved, "another table than the one open"),
    ):
        drop(studio.window, studio.window.top, path)
        settle(qtbot, studio)
        assert why in said(studio), path
        assert (studio.store.lab, studio.store.data) == (before, data)
        assert facts(studio)
