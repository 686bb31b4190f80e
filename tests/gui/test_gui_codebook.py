"""What is known of a table is state: one step of the history, saved with the session, and none of
another table's."""

from dataclasses import replace
from pathlib import Path

import pytest
from hand import LEFT, save, settle
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from dpstudio.data.codebook import EMPTY, About, Codebook, codebook_words
from dpstudio.data.dataset import Dataset
from dpstudio.files.read.outcome import TableError
from dpstudio.files.session import read_session
from dpstudio.files.tables import open_table
from dpstudio.gui.shell.studio import Studio
from dpstudio.gui.state.snapshot import first_state, state_from
from dpstudio.gui.state.store import Store
from dpstudio.labs.person_question import WHO
from dpstudio.values.messages import Message
from dpstudio.values.parameters import ParamError, put

BOOK = codebook_words(["age: low=10 high=95 attested=yes"], "hours-per-week", 40)


@pytest.fixture
def store(qapp: object) -> Store:
    store = Store()
    store.open_table(open_table("adult"))
    return store


def test_telling_is_one_step(store: Store) -> None:
    plain = store.data
    assert plain is not None
    told: list[int] = []
    store.changed.connect(lambda at: told.append(at.data.rows))
    store.describe(BOOK)
    store.describe(BOOK)
    assert (told, store.history.count()) == ([2_436], 1)
    assert store.data is plain.described(BOOK)
    store.edit(put(store.lab, "mechanism.epsilon", 0.3))
    assert store.state.codebook == BOOK
    store.history.undo()
    store.history.undo()
    assert store.data is plain
    assert store.state.codebook == EMPTY
    store.history.redo()
    assert store.data.contributions == 40
    with pytest.raises(ParamError):
        store.describe(EMPTY.with_person("nobody", 2))
    assert store.state.codebook == BOOK


def test_each_table_has_its_own(store: Store, tmp_path: Path) -> None:
    store.describe(BOOK)
    (tmp_path / "other.csv").write_text(
        "age,pay\n" + "".join(f"{20 + i % 50},{i}\n" for i in range(200))
    )
    store.open_table(open_table(str(tmp_path / "other.csv")))
    assert store.state.codebook == EMPTY
    assert store.data is not None
    assert store.data.about("age") == About()
    store.open_table(open_table("adult"))
    assert store.state.codebook == BOOK
    assert store.data.contributions == 40


def test_rows_date_no_column_of_an_older_session(store: Store, tmp_path: Path) -> None:
    """One from before types were told holds days alone: nobody said that they are dates, and one
    row decides whether the column is one of dates. What leaves goes by what is kept here."""
    days = EMPTY.with_about("x", About(low=18_000, high=19_000, attested=True))
    lines, types = ["x,c", *["2020-01-01,a", "2020-01-02,b"] * 30], []
    for rows in (lines, [*lines, "w,a"]):
        (tmp_path / "days.csv").write_text("\n".join(rows))
        store.open_session(
            replace(first_state(), codebook=days), open_table(str(tmp_path / "days.csv"))
        )
        assert store.data is not None
        types.append(store.data.info("x").type)
        told = days.with_about("c", About(categories=("a", "b"), attested=True))
        store.describe(told)
        assert store.state.codebook == told
    assert types == ["date", "category"]


def test_a_session_of_another_table_loses_only_its_persons(store: Store, tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text(
        "age,pay\n" + "".join(f"{20 + i % 50},{i}\n" for i in range(200))
    )
    store.open_session(
        state_from(store.state.labs, "explore", BOOK), open_table(str(tmp_path / "other.csv"))
    )
    assert store.state.codebook == BOOK.with_person("")


def test_pictures_follow_and_the_session_keeps_it(
    studio: Studio, qtbot: QtBot, tmp_path: Path
) -> None:
    studio.store.describe(BOOK)
    settle(qtbot, studio)
    assert studio.findings is not None
    assert studio.findings.truth is not None
    assert studio.findings.truth.tolist() == [590]
    assert studio.window.top._name.endswith("32,561 rows, 40 a person")
    path = tmp_path / "s.dpstudio"
    save(studio, path)
    assert read_session(path).codebook == BOOK
    studio.store.history.undo()
    settle(qtbot, studio)
    assert studio.findings.truth.tolist() == [6460]
    assert studio.window.top._name.endswith("32,561 rows")
    studio.open(str(path))
    qtbot.waitUntil(lambda: studio.store.state.codebook == BOOK)
    settle(qtbot, studio)
    assert studio.findings.truth.tolist() == [590]


def test_opening_asks_once_who_a_person_is(studio: Studio, qtbot: QtBot, tmp_path: Path) -> None:
    """Of a table whose column looks like persons with several rows; every lab says so until it is
    answered, and the session keeps the answer."""
    path = tmp_path / "visits.csv"
    lines = [f"{i // 4},{20 + i % 50 if i else 'n/a'}\n" for i in range(200)]
    path.write_text("patient_id,age\n" + "".join(lines))
    bar = studio.window.message
    studio.open(str(path))
    qtbot.waitUntil(lambda: "Who is a person?" in bar.text.text() and bar.other.isVisible())

    def warned() -> bool:
        found = settle(qtbot, studio)
        return found is not None and any(p.field == WHO for p in found.problems)

    assert warned()
    bar.say("Something else came.")
    QTest.mouseClick(bar.shut, LEFT)
    assert bar.other.isVisible()
    QTest.mouseClick(bar.action, LEFT)
    qtbot.waitUntil(lambda: studio.store.state.codebook == EMPTY.with_person("patient_id"))
    assert not warned()
    qtbot.waitUntil(lambda: "keeps 1 row (m), 150 of 200 go" in bar.text.text())
    studio.store.describe(EMPTY.with_person("patient_id", 4))
    # It does not hold of four, and makes room for what was said of the file, which could wait.
    assert "“n/a” (1)" in bar.text.text()
    studio.undo()
    QTest.mouseClick(bar.shut, LEFT)
    assert not bar.isVisible()
    studio.undo()
    assert warned()
    studio.persons.look()
    qtbot.waitUntil(lambda: bar.other.isVisible())
    QTest.mouseClick(bar.shut, LEFT)
    assert not bar.isVisible()  # for good
    studio.persons.look()
    qtbot.waitUntil(lambda: bar.other.isVisible())
    QTest.mouseClick(bar.other, LEFT)
    assert studio.store.state.codebook.each_row
    assert not warned()
    kept = tmp_path / "s.dpstudio"
    save(studio, kept)
    assert read_session(kept).codebook == EMPTY.with_each_row()
    bar.say("")
    studio.open(str(kept))
    settle(qtbot, studio)
    assert "person" not in bar.text.text()


def test_an_empty_box_shows_the_bound_that_is_known(studio: Studio, qtbot: QtBot) -> None:
    """Also on the pages whose bounds stand in a line of their own; where nothing is known, that it
    comes from the data."""
    for key, path in (("clipping", "{}"), ("local_means", "query.{}")):
        studio.show_page(key)
        settle(qtbot, studio)
        studio.store.set(path.format("column"), "age")
        boxes = [studio.panel.field(path.format(name)).box for name in ("low", "high")]
        assert [box.placeholderText() for box in boxes] == ["from data", "from data"]
        studio.store.describe(BOOK)
        settle(qtbot, studio)
        assert [box.placeholderText() for box in boxes] == ["10", "95"]
        studio.store.describe(EMPTY)
        settle(qtbot, studio)


def test_a_file_that_is_gone_stops_no_step(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fitting a lab reads columns; where they cannot be read any more the page is shown as it is,
    and its findings say why."""

    def gone(*_: object) -> object:
        raise TableError(Message("gone"))

    monkeypatch.setattr(Dataset, "_about_rows", gone)
    store.activate("sensitivity")
    assert store.lab.key == "sensitivity"
    store.choose("query", "sum")
    assert store.lab.query.key == "sum"
    store.choose("query", "histogram")


def test_what_went_wrong_with_the_file_is_its_own_sentence(studio: Studio) -> None:
    studio.error_bar.of_column(TableError(Message("The file is gone.")))
    assert studio.window.message.text.text() == "The file is gone."


def roles(**told: str) -> Codebook:
    return codebook_words([f"{name}: role={role}" for name, role in told.items()])


def test_a_role_reaches_what_nobody_chose(store: Store) -> None:
    """As one step that undo takes back; what somebody chose stays, and so does what is opened
    later."""
    store.choose("query", "mean")
    assert store.lab.query.column == "age"
    store.activate("learn")
    store.activate("compress")
    store.set("points.privacy", "race")
    store.describe(roles(relationship="label", occupation="sensitive", age="identifier"))
    learn, compress = store.state.held("learn"), store.state.held("compress")
    assert learn.predicts == "relationship"
    assert not {"relationship", "age"} & set(learn.features)
    assert (compress.points.utility, compress.points.privacy) == ("relationship", "race")
    assert store.state.held("explore").query.column == "education-num"
    store.activate("local_learning")
    assert store.lab.predicts == "relationship"
    store.set("predicts", "sex")
    store.describe(roles(workclass="label"))
    assert store.lab.predicts == "sex"
    assert store.state.held("learn").predicts == "workclass"
    assert store.state.held("learn").features == type(learn)().features
    store.history.undo()
    assert store.state.held("learn") == learn
    for _ in range(store.history.count()):
        store.history.undo()
    assert store.state.held("learn") == type(learn)()
    assert store.state.codebook == EMPTY


def test_a_choice_that_is_the_start_stays_once_made(store: Store) -> None:
    """Chosen again after another was taken from its role, and kept where another kind of the page
    is chosen."""
    store.activate("learn")
    store.describe(roles(education="label"))
    store.set("predicts", "income")
    store.choose("learner", "decision_tree")
    assert store.lab.predicts == "income"
    store.describe(roles(education="label", sex="sensitive"))
    assert store.lab.predicts == "income"


def test_bounds_change_no_columns(store: Store) -> None:
    before = store.state.labs, store.lab
    store.describe(codebook_words(["age: low=10 high=95 attested=yes"]))
    assert (store.state.labs, store.lab) == before


def test_spellings_are_offered_to_be_merged_where_a_page_groups_by_them(
    studio: Studio, qtbot: QtBot, tmp_path: Path
) -> None:
    """Once for a column of a table: what was answered is not asked again."""
    words = ("Cardiology", "cardiology", "Surgery")
    lines = [f"{words[i * i % 7 % 3]},{20 + i % 50}" for i in range(200)]
    (tmp_path / "wards.csv").write_text("\n".join(["ward,age", *lines]))
    bar, store = studio.window.message, studio.store
    store.open_table(open_table(str(tmp_path / "wards.csv")))
    settle(qtbot, studio)
    assert "several spellings" not in bar.text.text()
    bar.say("A note of the file", tone="")
    store.choose("query", "grouped")
    qtbot.waitUntil(lambda: bar.busy and "several spellings" in bar.text.text())
    bar.action.click()
    qtbot.waitUntil(lambda: store.state.codebook.merged == ("ward",))
    settle(qtbot, studio)
    assert bar.text.text() == "A note of the file"  # which gave way, and comes back
    bar.shut.click()
    assert not bar.busy
    store.history.undo()
    settle(qtbot, studio)
    assert store.state.codebook.merged == ()
    assert not bar.busy
