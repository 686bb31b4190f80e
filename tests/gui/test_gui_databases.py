"""Tables that stay in their database, from the window."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from hand import LEFT, WAIT, said, settle, turn_page
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

pytest.importorskip("ibis", reason="the extra “engines” is not installed")

from dpstudio.data.aggregates import Cost
from dpstudio.files.engines import asking, costs
from dpstudio.files.read.choices import Choices
from dpstudio.files.read.outcome import TableError
from dpstudio.files.tables import open_with_report
from dpstudio.gui.shell import lab_result, pictures
from dpstudio.gui.shell.frame import person_bar
from dpstudio.gui.shell.frame.message import LATE_MS
from dpstudio.gui.shell.studio import Studio
from dpstudio.values.messages import render, say
from dpstudio.values.stopping import interrupting

pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")


def idle(studio: Studio, qtbot: QtBot) -> None:
    """Wait until nothing is asked any more."""
    qtbot.waitUntil(lambda: not studio.jobs.busy(), timeout=WAIT)


@pytest.fixture(autouse=True)
def asked_no_more(studio: Studio, qtbot: QtBot) -> Iterator[None]:
    """A question of a database that a test left has a thread beside it, until it is answered."""
    yield
    idle(studio, qtbot)


@pytest.fixture
def start(tmp_path: Path) -> str:
    """The address of a DuckDB file with a table, a view and a table of an odd name."""
    import duckdb

    with duckdb.connect(str(tmp_path / "a#b.duckdb")) as held:
        held.execute("CREATE TABLE visits AS SELECT range % 90 AS age FROM range(500)")
        held.execute("CREATE VIEW young AS SELECT * FROM visits WHERE age < 18")
        held.execute('CREATE TABLE "50% of?" AS SELECT * FROM visits')
    return f"duckdb://{tmp_path}/a%23b.duckdb"


def test_a_table_is_found_in_its_database_and_opened(
    studio: Studio, qtbot: QtBot, start: str, tmp_path: Path
) -> None:
    """By its address or by the path of its file; what is wrong stands at the field."""
    sheet = studio.databases
    sheet.ask()
    assert studio.window.focusWidget() is sheet.address
    for typed, why in (
        ("postgresql://me:hid/den#?@host/db", "An address with a password in it"),
        ("postgresql://host/db?password=hidden", "nothing after a “?”"),
        (str(tmp_path / "none.duckdb"), "is no address and no file"),
    ):
        sheet.address.setText(typed)
        QTest.keyClick(sheet.address, Qt.Key.Key_Return)
        qtbot.waitUntil(sheet.said.isVisible)
        assert why in sheet.said.text()
        assert "hid" not in sheet.said.text()
    for typed in (start, str(tmp_path / "a#b.duckdb")):
        sheet.address.setText(typed)
        QTest.mouseClick(sheet.does, LEFT)
        qtbot.waitUntil(sheet.list.isVisible)
        names = [sheet.list.item(row).text() for row in range(sheet.list.count())]
        assert names == ["50% of?  (500 rows)", "visits  (500 rows)", "young"]
    assert sheet.list.item(0).toolTip() == f"{start}#50%25 of%3F"
    QTest.keyClick(sheet.list, Qt.Key.Key_Return)
    settle(qtbot, studio)
    assert not sheet.isVisible()
    assert studio.store.data.origin == f"{start}#50%25 of%3F"
    assert studio.store.data.rows == 500
    assert studio.window.kept.recent[0] == studio.store.data.origin


def test_a_database_file_is_opened_as_any_file(
    studio: Studio, qtbot: QtBot, start: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sheet lists its tables at once, as where it is chosen there; Open takes the marked one."""
    sheet, path = studio.databases, str(tmp_path / "a#b.duckdb")
    with pytest.raises(TableError) as refused:
        open_with_report(path)
    assert f"Open one by its address, {start}#TABLE, or" in render(refused.value.sentence)

    def chosen() -> None:
        sheet.ask()
        QTest.mouseClick(sheet.file, LEFT)

    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (path, ""))
    for row, ask in enumerate((lambda: studio.open(path), chosen)):
        ask()
        qtbot.waitUntil(sheet.list.isVisible)
        assert (sheet.list.count(), sheet.does.text(), said(studio)) == (3, "Open", "")
        sheet.list.setCurrentRow(1 + row)
        QTest.mouseClick(sheet.does, LEFT)
        settle(qtbot, studio)
        assert studio.store.data.name == ("visits", "young")[row]
        assert studio.opener.open_now.request.unsaved is False


def test_an_address_is_pasted_and_nothing_is_said_of_a_file(
    studio: Studio, qtbot: QtBot, start: str
) -> None:
    """No file of this name is missed; it is read anew, and there is no other way to read it."""
    QGuiApplication.clipboard().setText(f" {start}#young\n")
    studio.opener.paste()
    settle(qtbot, studio)
    assert studio.store.data.name == "young"
    studio.look_at_file()
    qtbot.waitUntil(lambda: not studio.jobs.busy("watch"))
    settle(qtbot, studio)
    assert said(studio) == ""
    studio.opener.reload()
    settle(qtbot, studio)
    assert (studio.store.data.rows, said(studio)) == (108, "")
    studio.opener.read_otherwise()
    assert "by the types that its columns have there" in said(studio)
    QGuiApplication.clipboard().setText("postgresql://me:secret@host")
    studio.opener.paste()
    settle(qtbot, studio)
    assert "password in it" in said(studio)
    assert "secret" not in said(studio)
    assert studio.store.data.name == "young"
    assert not any("secret" in recent for recent in studio.window.kept.recent)


def test_a_folder_of_files_says_that_one_of_them_changed(
    studio: Studio, qtbot: QtBot, tmp_path: Path
) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"age": range(100)}), tmp_path / "a.parquet")
    studio.open(str(tmp_path))
    settle(qtbot, studio)
    studio.look_at_file()
    qtbot.waitUntil(lambda: not studio.jobs.busy("watch"))
    assert said(studio) == ""
    pq.write_table(pa.table({"age": range(120)}), tmp_path / "a.parquet")
    studio.look_at_file()
    qtbot.waitUntil(lambda: "stays as it was" in said(studio))


def test_a_table_that_changed_in_its_database_says_so(
    studio: Studio, qtbot: QtBot, start: str, tmp_path: Path
) -> None:
    """Once the window comes forward, or something is asked of it; the picture stays until it is
    reloaded."""
    import duckdb

    studio.open(f"{start}#visits")
    settle(qtbot, studio)
    for rows, look in (
        (90, studio.look_at_file),
        (80, lambda: studio.store.set("query.where", "age > 3")),
    ):
        before = studio.findings
        with duckdb.connect(str(tmp_path / "other")) as held:
            held.execute(f"CREATE TABLE visits AS SELECT 7 AS age FROM range({rows})")
        (tmp_path / "other").replace(tmp_path / "a#b.duckdb")
        look()
        qtbot.waitUntil(lambda: "visits has changed in its database" in said(studio))
        assert (studio.findings is before) == (rows == 90)
        QTest.mouseClick(studio.window.message.action, LEFT)
        settle(qtbot, studio)
        assert (studio.store.data.rows, said(studio)) == (rows, "")


def test_who_is_a_person_is_asked_before_spellings(
    studio: Studio, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever of both a database answers first."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    words = ["Ward", "ward"] * 50
    rows = {"patient_id": [f"p{i % 40}" for i in range(100)], "dept": words}
    pq.write_table(pa.table(rows), tmp_path / "a.parquet")
    go = Event()

    def slowly(data: object) -> str:
        go.wait(60)
        return "patient_id"

    monkeypatch.setattr(person_bar, "asked_about", slowly)
    studio.open(str(tmp_path))
    settle(qtbot, studio)
    turn_page(studio, "selection")
    settle(qtbot, studio)
    studio.store.set("query.column", "dept")
    qtbot.waitUntil(lambda: studio.twins._found is not None)
    assert said(studio) == ""
    go.set()
    qtbot.waitUntil(lambda: "seems to tell persons apart" in said(studio))
    studio.persons._answer("")
    qtbot.waitUntil(lambda: "Ward" in said(studio))


def test_a_lost_connection_leaves_the_picture_and_offers_another(
    studio: Studio, qtbot: QtBot, start: str
) -> None:
    studio.open(f"{start}#visits")
    settle(qtbot, studio)
    idle(studio, qtbot)
    data, findings = studio.store.data, studio.findings
    data._there.get_backend().disconnect()
    studio.store.set("mechanism.epsilon", 0.3)  # for which nothing is asked
    settle(qtbot, studio)
    assert said(studio) == ""
    assert studio.findings is not findings
    findings = studio.findings
    studio.store.set("query.where", "age > 31")
    settle(qtbot, studio)
    assert f"The connection to {start} is lost" in said(studio)
    assert studio.findings is findings
    QTest.mouseClick(studio.window.message.action, LEFT)
    settle(qtbot, studio)
    assert said(studio) == ""
    assert studio.store.data is not data
    assert studio.findings is not findings


def test_a_table_that_is_away_when_it_is_read_anew_is_looked_for_again(
    studio: Studio, qtbot: QtBot, start: str, tmp_path: Path
) -> None:
    """With what was set of it; it stays open until then."""
    studio.open(f"{start}#visits")
    settle(qtbot, studio)
    studio.store.set("query.where", "age > 31")
    settle(qtbot, studio)
    idle(studio, qtbot)
    data, file, away = studio.store.data, tmp_path / "a#b.duckdb", tmp_path / "away"
    file.rename(away)
    studio.opener.reload()
    settle(qtbot, studio)
    assert "There is no file" in said(studio)
    assert studio.store.data is data
    assert studio.window.message.action.text() == "Look there again"
    away.rename(file)
    QTest.mouseClick(studio.window.message.action, LEFT)
    settle(qtbot, studio)
    assert said(studio) == ""
    assert studio.store.data is not data
    assert str(studio.store.lab.query.where) == "age > 31"


def test_what_was_asked_is_shown_where_it_was(studio: Studio, qtbot: QtBot, start: str) -> None:
    studio.open(f"{start}#visits")
    settle(qtbot, studio)
    studio.show_page("data")
    page = studio.pages.data_page
    qtbot.waitUntil(lambda: page.data is studio.store.data)
    qtbot.waitUntil(lambda: not studio.jobs.busy())
    tab = page.tabs.buttons["asked"]
    QTest.mouseClick(tab, LEFT)
    asked = studio.store.data.asked
    assert page.asked.model.rowCount() == len(asked) > 2
    assert page.asked.whole.toPlainText() == asked[-1].sql
    assert f"{asked[-1].number} statements were" in page.asked.head.text()
    studio.open("adult")
    settle(qtbot, studio)
    qtbot.waitUntil(lambda: page.data is studio.store.data)
    assert tab.isHidden()
    assert page.stack.currentIndex() == 0


def test_a_session_whose_database_is_away_looks_there_again(
    studio: Studio, qtbot: QtBot, start: str, tmp_path: Path
) -> None:
    """It opens as it was saved once the database is there; nothing of it is to be saved anew. It
    holds what was asked, when, and in what state, and says so where the table changed."""
    import duckdb

    studio.open(f"{start}#visits")
    settle(qtbot, studio)
    studio.store.set("query.where", "age > 31")
    settle(qtbot, studio)
    session, file, away = tmp_path / "s.dpstudio", tmp_path / "a#b.duckdb", tmp_path / "away"
    (tmp_path / "a%23b.duckdb#visits").write_text("age\n1\n")  # which is another table
    studio.sessions.write(session)
    qtbot.waitUntil(session.exists)
    settle(qtbot, studio)
    state = json.loads(session.read_text())["table"]["state"]
    assert list(state) == ["table", "engine", "opened", "query", "state", "may_change"]
    assert state["query"] == 'SELECT * FROM "main"."visits"'
    idle(studio, qtbot)
    studio.store.data._there.get_backend().disconnect()
    studio.open("adult")
    settle(qtbot, studio)
    file.rename(away)
    studio.open(str(session))
    settle(qtbot, studio)
    assert "There is no file" in said(studio)
    assert studio.store.data.origin == "adult"
    QTest.mouseClick(studio.window.message.action, LEFT)
    sheet = studio.databases
    assert sheet.isVisible()
    assert sheet.address.text() == start
    QTest.keyClick(sheet.address, Qt.Key.Key_Return)
    qtbot.waitUntil(sheet.said.isVisible)
    away.rename(file)
    with duckdb.connect(str(file)) as held:
        held.execute("INSERT INTO visits VALUES (7)")
    QTest.mouseClick(sheet.does, LEFT)
    qtbot.waitUntil(sheet.list.isVisible)
    sheet.list.setCurrentRow(1)
    QTest.keyClick(sheet.list, Qt.Key.Key_Return)
    settle(qtbot, studio)
    assert studio.store.data.origin == f"{start}#visits"
    assert str(studio.store.lab.query.where) == "age > 31"
    assert studio.opener.session_path == session
    told = f"in {state['engine']} has changed since this was saved of it as it was at"
    assert told in said(studio)
    assert state["opened"] in said(studio)


def test_a_folder_of_csv_files_is_asked_about_and_opened(
    studio: Studio, qtbot: QtBot, tmp_path: Path
) -> None:
    """As one file is; how it was read is shown again, and the sheet lists it as one table."""
    (tmp_path / "a.csv").write_text("age,cost\n1,2.5\n3,4\n")
    (tmp_path / "b.csv").write_text("age,cost\n5,6\n,\n7,8\n")
    studio.open(str(tmp_path))
    qtbot.waitUntil(lambda: studio.opener.importer.got is not None)
    importer = studio.opener.importer
    importer.choose(Choices(blank="missing"))
    qtbot.waitUntil(lambda: not importer.reading)
    importer.accept()
    settle(qtbot, studio)
    data = studio.store.data
    assert (data.name, data.rows, data.reading) == (tmp_path.name, 5, "blank=missing")
    studio.opener.reload()  # as it was chosen
    settle(qtbot, studio)
    assert (studio.store.data.rows, said(studio)) == (5, "")
    studio.opener.read_otherwise()
    assert importer.got is not None
    qtbot.waitUntil(lambda: not importer.reading)
    importer.cancel()
    studio.databases.ask()
    studio.databases.address.setText(str(tmp_path))
    studio.databases.look()
    qtbot.waitUntil(studio.databases.list.isVisible)
    assert studio.databases.list.count() == 1


def test_a_first_look_comes_before_what_reads_much_and_stays_where_that_is_stopped(
    studio: Studio, qtbot: QtBot, start: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is marked, it is in no file, and the whole takes its place."""
    monkeypatch.setattr(asking, "MUCH", Cost(1, 1))
    monkeypatch.setattr(costs, "MUCH", Cost(1, 1))
    monkeypatch.setattr(lab_result, "LOOK", Cost(400, 10**12))
    monkeypatch.setattr(pictures, "LONG_MS", LATE_MS)
    studio.open(f"{start}#visits")
    settle(qtbot, studio)
    whole, go, sent = studio.findings, Event(), asking.Asking._sent

    def slowly(there: asking.Asking, sql: str) -> object:
        stopped, spent = Event(), costs.here()
        if spent.tell is not None and spent.most is None:
            with interrupting(stopped.set):
                while not (go.wait(0.01) or stopped.is_set()):
                    spent.tell("DuckDB", Cost(500, 4000), None, 3.5)
        if stopped.is_set():
            raise TableError(say("stopped"))
        return sent(there, sql)

    monkeypatch.setattr(asking.Asking, "_sent", slowly)
    message = studio.window.message
    look = "A first look at"
    studio.store.set("query.where", "age > 31")
    for stop in (True, False):
        qtbot.waitUntil(lambda: seen(studio).startswith(look))
        assert studio.findings.coarse >= {figure.key for figure in studio.findings.figures}
        assert studio.saver.found() is None
        qtbot.waitUntil(lambda: not message.progress.isHidden())
        assert message.text.text() == "DuckDB reads up to 500 rows, 4 kB: 3 s"
        assert message.progress.maximum() == 0  # how far it is is not known
        if stop:
            QTest.mouseClick(message.action, LEFT)
            settle(qtbot, studio)
            assert "It was stopped" in said(studio)
            assert seen(studio).startswith(look)
            QTest.mouseClick(message.action, LEFT)
    go.set()
    settle(qtbot, studio)
    assert not seen(studio)
    assert said(studio) == ""
    assert not studio.findings.coarse
    assert studio.findings is not whole
    assert studio.saver.found() is not None


def seen(studio: Studio) -> str:
    """What is said of the rows that the picture is of."""
    found = studio.findings.problems if studio.findings is not None else ()
    return " ".join(render(problem.say) for problem in found if problem.field == "data")


def test_a_table_whose_questions_cost_much_is_opened_when_a_person_says_so(
    studio: Studio, qtbot: QtBot, start: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    studio.open("adult")
    settle(qtbot, studio)
    monkeypatch.setattr(costs, "LIMIT", Cost(500, 10**12))
    studio.open(f"{start}#visits")
    settle(qtbot, studio)
    assert "A question about “visits” may have DuckDB read 500 rows" in said(studio)
    assert studio.store.data.origin == "adult"
    QTest.mouseClick(studio.window.message.action, LEFT)
    settle(qtbot, studio)
    assert studio.store.data.name == "visits"
    studio.opener.reload()  # which was said once
    settle(qtbot, studio)
    assert said(studio) == ""
