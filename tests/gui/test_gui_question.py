"""The question and its condition: what a change keeps, what is refused and where it is said."""

from pathlib import Path

import pytest
from conftest import Open
from hand import asking, chart, choose, facts, field, lab, settle, type_into
from odd_tables import peoples_tables
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QWidget
from pytestqt.qtbot import QtBot

from dpstudio.data.conditions import Test, Where
from dpstudio.gui.panel.condition_form import shown_values, split_values
from dpstudio.gui.shell.frame.splitter import STEP
from dpstudio.gui.shell.frame.window import PANEL, PANEL_MOST
from dpstudio.gui.shell.studio import Studio
from dpstudio.labs.one_answer.explore.parameters import Explore
from dpstudio.privacy.queries import QUERIES
from dpstudio.values.messages import render


def press(button: QWidget) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize(
    "word", ["a，b", "数学、物理", "a,b", 'a，"b', '"a', '"', 'a"b', " a", '""、']
)
def test_a_list_is_parted_as_it_was_written(word: str) -> None:
    """A word is lost in no list, whatever it holds: who edits another one would drop its rows."""
    words = ("b", word, "c")
    assert tuple(split_values(shown_values(Test("word", "in", words)))) == words


def where(studio: Studio) -> str:
    return str(lab(studio).query.where)


def test_what_survives_a_change_of_query_and_mechanism_and_the_way_back(
    studio: Studio, qtbot: QtBot
) -> None:
    panel, store = studio.panel, studio.store
    press(studio.window.top.neighbours.buttons["replace"])
    type_into(field(studio, "mechanism.epsilon").box, "0.7")
    press(panel.field("mechanism").picker.buttons["gaussian"])
    type_into(field(studio, "mechanism.delta").box, "1e-7")
    states = [store.state]
    for key in ("sum", "mean", "histogram", "count"):
        press(asking(studio).kinds.buttons[key])
        states.append(store.state)
        assert lab(studio).query.key == key
    for key in ("laplace", "gaussian", "laplace", "gaussian"):
        press(panel.field("mechanism").picker.buttons[key])
        states.append(store.state)
    for state in states:
        held = state.lab
        assert isinstance(held, Explore)
        assert (where(studio), held.adjacency, held.mechanism.epsilon) == (
            "age > 50",
            "replace",
            0.7,
        )
        assert held.mechanism.key == "laplace" or held.mechanism.total_delta == 1e-7
    for state in reversed(states):
        assert store.state == state
        store.history.undo()
    for state in states:
        store.history.redo()
        assert store.state == state
    settle(qtbot, studio)
    assert facts(studio)["True answer"] == "6,460"


def test_the_chosen_button_stays_down(studio: Studio) -> None:
    for segments, key in (
        (asking(studio).kinds, "count"),
        (studio.panel.field("mechanism").picker, "laplace"),
        (studio.window.top.neighbours, "add_remove"),
    ):
        press(segments.buttons[key])
        assert [name for name, button in segments.buttons.items() if button.isChecked()] == [key]
    assert not studio.store.history.canUndo()


def test_the_condition_is_built_row_by_row(studio: Studio, qtbot: QtBot) -> None:
    form = asking(studio).condition
    press(form.and_)
    assert len(form.rows) == 2
    assert not form.or_.isVisible()
    choose(form.rows[1].column, "sex")
    assert [form.rows[1].operator.itemData(i) for i in range(form.rows[1].operator.count())][
        :2
    ] == ["=", "!="]
    type_into(form.rows[1].value, "Female")
    assert where(studio) == 'age > 50 and sex = "Female"'
    choose(form.rows[0].operator, "<=")
    type_into(form.rows[0].value, "30")
    assert where(studio) == 'age <= 30 and sex = "Female"'
    settle(qtbot, studio)
    data = studio.store.data
    assert data is not None
    assert facts(studio)["True answer"] == f"{data.count(lab(studio).query.where):,}"
    press(form.rows[0].drop)
    press(form.or_)
    choose(form.rows[1].operator, "is missing")
    assert where(studio).startswith('sex = "Female" or ')
    assert not form.rows[1].value.isVisible()
    for _ in range(2):
        press(form.rows[0].drop)
    assert where(studio) == ""
    assert form.everyone.isVisible()
    settle(qtbot, studio)
    assert facts(studio)["True answer"] == "32,561"
    while studio.store.history.canUndo():
        studio.store.history.undo()
    assert [row.value.text() for row in form.rows] == ["50"]


def test_a_word_is_taken_from_the_list_that_opens_while_it_is_typed(
    open_window: Open, qtbot: QtBot, tmp_path: Path
) -> None:
    """By Enter, which once ended the program, and by a click; of a column that says something of
    people, not of the one that names them."""
    path = tmp_path / "visits.csv"
    peoples_tables()["visits"].to_csv(path, index=False)
    studio = open_window(str(path))
    form = asking(studio).condition
    press(form.and_)
    assert form.rows[-1].column.currentText() in ("Age", "Gender", "Diagnosis", "Cost")
    choose(form.rows[-1].column, "Gender")
    box = form.rows[-1].value
    words = box.completer().popup()
    for word, other in (("m", "f"), ("f", "m")):
        box.setFocus()
        box.selectAll()
        QTest.keyClicks(box, word)
        qtbot.waitUntil(words.isVisible)
        if word == "m":
            QTest.keyClick(words, Qt.Key.Key_Return)
        else:
            place = words.visualRect(words.model().index(0, 0)).center()
            QTest.mouseClick(words.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert f'Gender = "{word}"' in where(studio)
        assert f'"{other}"' not in where(studio)
    settle(qtbot, studio)


@pytest.mark.parametrize("text", ["abc", "", "nan", "inf", "1e999"])
def test_a_number_that_is_none_changes_no_condition(studio: Studio, text: str) -> None:
    form = asking(studio).condition
    type_into(form.rows[0].value, text)
    assert where(studio) == "age > 50"
    assert form.complaint.text().endswith(".")
    type_into(form.rows[0].value, "60")
    assert where(studio) == "age > 60"
    assert not form.complaint.isVisible()


@pytest.mark.parametrize(
    "other", ["fnlwgt > 1234567", 'workclass in ("a, b", "c")', 'workclass = " x"']
)
def test_editing_one_row_leaves_the_others_alone(studio: Studio, other: str) -> None:
    studio.store.set("query.where", f"{other} and age > 50")
    rows = asking(studio).condition.rows
    type_into(rows[1].value, "40")
    assert where(studio) == f"{other} and age > 40"


def test_the_condition_as_text(studio: Studio, qtbot: QtBot) -> None:
    form = asking(studio).condition
    press(form.text)
    assert form.box.isVisible()
    assert form.box.text() == "age > 50"
    type_into(form.box, "age >")
    assert where(studio) == "age > 50"
    assert form.complaint.isVisible()
    assert "character" in form.complaint.text()
    type_into(form.box, 'age > 50 and (sex = "Male" or occupation = "O\\"Brien")')
    assert not form.complaint.isVisible()
    assert where(studio) == 'age > 50 and (sex = "Male" or occupation = "O\\"Brien")'
    assert not form.text.isVisible()  # rows cannot show brackets
    settle(qtbot, studio)
    data = studio.store.data
    assert data is not None
    assert facts(studio)["True answer"] == f"{data.count(lab(studio).query.where):,}"
    type_into(form.box, 'education = "Some-college"')
    press(form.text)
    assert [row.value.text() for row in form.rows] == ["Some-college"]


def test_an_unknown_column_is_said_and_undone(studio: Studio, qtbot: QtBot) -> None:
    studio.store.set("query.where", "nosuch > 5")
    settle(qtbot, studio)
    assert "nosuch" in studio.panel.question.problem.text()
    assert studio.window.stopped.isVisible()
    assert studio.window.board.isVisible()  # its picture belongs to another question: it is dimmed
    assert studio.findings is None  # and nobody can save it as this one's
    studio.window.present()
    studio.window.leave_presenting()
    assert studio.window.stopped.isVisible()
    box, sheet = studio.window.stopped.geometry(), studio.window.sheet.rect()
    assert box == sheet
    press(studio.window.stopped.other)
    settle(qtbot, studio)
    assert not studio.window.stopped.isVisible()
    assert studio.window.board.isVisible()
    assert facts(studio)["True answer"] == "6,460"


@pytest.mark.parametrize(
    ("path", "value", "words", "mended"),
    [
        ("query.where", "agee > 50", "Ask about age > 50", "age > 50"),
        ("query.where", "nosuch > 5", "Ask about all rows", ""),
    ],
)
def test_what_mends_a_problem_is_one_step(
    studio: Studio, qtbot: QtBot, path: str, value: str, words: str, mended: str
) -> None:
    studio.store.set(path, value)
    settle(qtbot, studio)
    stopped, steps = studio.window.stopped, studio.store.history.index()
    assert stopped.action.text() == words
    press(stopped.action)
    settle(qtbot, studio)
    assert not stopped.isVisible()
    assert where(studio) == mended
    assert studio.store.history.index() == steps + 1


def test_words_are_not_offered_for_a_mean(studio: Studio) -> None:
    press(asking(studio).kinds.buttons["mean"])
    combo: QComboBox = field(studio, "query.column").combo
    offered = {combo.itemData(i) for i in range(combo.count())}
    assert offered == {
        "age",
        "fnlwgt",
        "education-num",
        "capital-gain",
        "capital-loss",
        "hours-per-week",
    }
    choose(combo, "hours-per-week")
    assert lab(studio).query.column == "hours-per-week"  # type: ignore[attr-defined]
    assert studio.store.history.index() == 2


def test_a_histogram_of_words(studio: Studio, qtbot: QtBot) -> None:
    studio.store.set("query.where", "")
    press(asking(studio).kinds.buttons["histogram"])
    choose(field(studio, "query.column").combo, "marital-status")
    settle(qtbot, studio)
    truth = chart(studio, "published").figure.layer("truth").heights
    assert len(truth) == 7
    assert truth.sum() == 32561
    assert not [p for p in ("query.bins", "query.edges", "query.low") if field_or_none(studio, p)]
    choose(field(studio, "part").combo, 2)
    settle(qtbot, studio)
    assert any(f"{truth[2]:,.0f}" == value for value in facts(studio).values())


def field_or_none(studio: Studio, path: str) -> object:
    try:
        return field(studio, path)
    except AssertionError:
        return None


def test_integer_noise_is_greyed_where_the_answer_is_none(studio: Studio, qtbot: QtBot) -> None:
    button = studio.panel.field("mechanism").picker.buttons["geometric"]
    press(asking(studio).kinds.buttons["sum"])
    assert button.isEnabled()
    type_into(field(studio, "query.low").box, "16.5")
    settle(qtbot, studio)
    assert not button.isEnabled()
    assert "integer" in button.toolTip()
    type_into(field(studio, "query.low").box, "16")
    settle(qtbot, studio)
    assert button.isEnabled()
    assert not button.toolTip()


def test_bounds_are_marked_until_they_are_typed_and_attested(studio: Studio, qtbot: QtBot) -> None:
    press(asking(studio).kinds.buttons["sum"])
    mark = studio.panel.question.open

    def marked() -> bool:
        settle(qtbot, studio)
        return mark.isVisible() and "not private" in mark.text()

    assert marked()
    press(field(studio, "query.attested").check)
    assert lab(studio).query.attested  # type: ignore[attr-defined]
    assert marked()
    type_into(field(studio, "query.low").box, "16")
    assert marked()
    type_into(field(studio, "query.high").box, "10")
    assert field(studio, "query.high").complaint.isVisible()
    type_into(field(studio, "query.high").box, "91")
    assert not marked()


def test_use_meets_the_target(studio: Studio, qtbot: QtBot) -> None:
    type_into(field(studio, "target").box, "0.1")
    for query in ("count", "mean"):
        studio.store.choose("query", query)
        settle(qtbot, studio)
        assert "not met" in studio.panel.lines["needed"].text()
        press(studio.panel.lines["needed"].use)
        settle(qtbot, studio)
        text = studio.panel.lines["needed"].text()
        assert text == f"needs ε = {lab(studio).mechanism.epsilon:#.3g} — met"
        assert studio.findings is not None
        low, high = studio.findings.fact("interval").value
        assert (high - low) / 2 <= 0.001 * (low + high) / 2 * (1 + 1e-9)
        studio.store.set("mechanism.epsilon", 0.1)
    type_into(field(studio, "target").box, "0.0001")
    settle(qtbot, studio)
    line = studio.panel.lines["needed"]
    assert line.text().endswith("Here ε ends at 50: try narrower bounds, or a wider target.")
    assert not line.use.isEnabled()
    assert "50" in line.use.toolTip()


def test_new_draws_are_one_step(studio: Studio, qtbot: QtBot) -> None:
    before = facts(studio)
    press(studio.window.strip.new)
    settle(qtbot, studio)
    assert (lab(studio).seed, studio.store.history.index()) == (2, 1)
    post_processing = facts(studio)
    assert [name for name in before if before[name] != post_processing[name]] == [
        "Simulated answer"
    ]
    studio.store.history.undo()
    settle(qtbot, studio)
    assert facts(studio) == before


def test_a_lab_that_breaks_does_not_take_the_window_with_it(
    studio: Studio, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> object:
        raise ZeroDivisionError("6460 rows")

    with monkeypatch.context() as patch:
        patch.setattr(Explore, "run", broken)
        studio.store.set("mechanism.epsilon", 0.2)
        settle(qtbot, studio)
        bar = studio.window.message
        assert bar.isVisible()
        assert "Undo the last step" in bar.text.text()
    press(bar.action)
    settle(qtbot, studio)
    assert not bar.isVisible()
    assert lab(studio).mechanism.epsilon == 0.1
    studio.store.set("mechanism.epsilon", 0.3)
    settle(qtbot, studio)
    assert chart(studio, "tradeoff").figure.layer("here").x == 0.3
    assert "ZeroDivisionError" in capfd.readouterr().err


def test_what_a_table_proposes_to_count_no_other_question_takes_over(
    studio: Studio, tmp_path: Path, qtbot: QtBot
) -> None:
    """Else seven of eight groups are empty, and the mean is that of one ward."""
    path = tmp_path / "visits.csv"
    path.write_text("ward;years\n" + "north;50\nsouth;60\nnorth;40\n" * 20)
    studio.open(str(path))
    settle(qtbot, studio)
    proposed = lab(studio).query.where
    assert proposed.proposed
    for kind, there in ("grouped", ""), ("mean", ""), ("count", str(proposed)):
        press(asking(studio).kinds.buttons[kind])
        assert where(studio) == there
    studio.store.set("query.where", "years > 45")
    press(asking(studio).kinds.buttons["grouped"])
    assert where(studio) == "years > 45"


def test_no_proposed_condition_stands_on_a_column_that_is_asked_about(
    studio: Studio, tmp_path: Path, qtbot: QtBot
) -> None:
    """All groups of a column but one are empty where it is one word: also where the word was
    proposed before a cap of rows made another the commonest, or was added, or the column came
    after it."""
    path = tmp_path / "visits.csv"
    rows = "p1;north;50\n" * 9 + "".join(f"p{i};south;{50 + i}\np{i};west;7\n" for i in range(8))
    path.write_text("patient id;ward;years\n" + rows)
    studio.open(str(path))
    settle(qtbot, studio)
    assert where(studio) == 'ward = "north"'
    studio.store.describe(studio.store.state.codebook.with_person("patient id", 1))
    press(asking(studio).kinds.buttons["grouped"])
    assert (lab(studio).query.by, where(studio)) == ("ward", "")
    asking(studio).condition._add("and")
    assert "ward" not in where(studio)
    proposed = Where("and", (Test("ward", "=", ("north",)),), proposed=True)
    studio.store.set("query.where", proposed)
    studio.store.set("query.by", "patient id")
    assert lab(studio).query.where == proposed
    studio.store.set("query.by", "ward")
    assert where(studio) == ""
    studio.store.set("query.where", 'ward = "south"')  # by a person, who may want it so
    studio.store.set("query.by", "patient id")
    studio.store.set("query.by", "ward")
    assert where(studio) == 'ward = "south"'


def test_a_table_without_numbers_or_rows(studio: Studio, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "words.csv"
    path.write_text("colour,size\nred,S\nblue,L\nred,\n")
    studio.open(str(path))
    settle(qtbot, studio)
    assert facts(studio)["True answer"] == "2"  # red ones
    for kind in ("sum", "mean"):
        button = asking(studio).kinds.buttons[kind]
        assert not button.isEnabled()
        assert "no column of numbers" in button.toolTip()
    path.write_text("colour,size\n")
    studio.open(str(path))
    settle(qtbot, studio)
    assert "no rows" in studio.window.message.text.text()
    assert facts(studio)["True answer"] == "2"


def test_a_step_touches_only_the_editors_that_changed(
    studio: Studio, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    touched: list[str] = []
    for path, editor in studio.panel.fields.items():
        shows = editor.show_state
        monkeypatch.setattr(editor, "show_state", lambda p=path, f=shows: (touched.append(p), f()))
    studio.store.set("mechanism.epsilon", 0.2)
    settle(qtbot, studio)
    # The picker looks after the editors below it, which see for themselves.
    assert set(touched) == {"mechanism.epsilon", "mechanism"}


def test_a_click_into_a_number_and_another_number_typed_is_that_number(studio: Studio) -> None:
    """0.1 with 0.001 typed into its middle was no number; a second click sets the caret."""
    studio.panel.field("target").setFocus()
    box = field(studio, "mechanism.epsilon").box
    press(box)
    QTest.keyClicks(box, "0.001")
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert lab(studio).mechanism.epsilon == 0.001
    press(box)
    assert not box.hasSelectedText()


def test_nonsense_in_a_box_can_be_undone(studio: Studio) -> None:
    """Also where it is the first thing that was done; it is no step of the history."""
    undo, moment = studio.window.top.undo, studio.store.history.moment()
    box = studio.panel.field("mechanism.epsilon").box
    assert not undo.isEnabled()
    type_into(box, "nonsense")
    assert undo.isEnabled()
    undo.click()
    assert (box.text(), undo.isEnabled()) == ("0.1", False)
    assert studio.store.history.moment() == moment


def test_a_refused_text_goes_with_the_next_change(studio: Studio) -> None:
    box = studio.panel.field("target").box
    type_into(box, "nonsense")
    assert box.text() == "nonsense"
    assert studio.panel.field("target").complaint.text()
    studio.store.set("mechanism.epsilon", 0.2)
    assert box.text() != "nonsense"
    assert not studio.panel.field("target").complaint.text()


def test_the_question_folds_to_its_sentence_and_the_budget_stays(
    studio: Studio, qtbot: QtBot
) -> None:
    """Folded it is one sentence, which follows the state; ε stands above what scrolls."""
    panel = studio.panel
    question, budget = panel.question, panel.field("mechanism.epsilon")
    assert question is not None
    assert not question.within.isVisible()
    assert question.sentence.words.text() == "How many rows have age > 50?"
    studio.store.choose("query", "mean")
    assert question.sentence.words.text() == "What is the mean of age, where age > 50?"
    question.sentence.setFocus()
    QTest.keyClick(question.sentence, Qt.Key.Key_Space)
    assert question.within.isVisible()
    settle(qtbot, studio)
    bar = panel.area.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert bar.value() > 0
    assert budget.visibleRegion().boundingRect().height() == budget.height()


def test_the_panel_is_drawn_wider_but_never_takes_the_window_and_is_kept_as_the_look_is(
    studio: Studio, open_window: Open, qtbot: QtBot
) -> None:
    window = studio.window
    studio.show_page("composition")
    settle(qtbot, studio)
    assert window.panel.width() == max(PANEL, studio.panel.need())
    window.lab_page.moveSplitter(330, 1)
    assert window.panel.width() == 330
    window.lab_page.moveSplitter(900, 1)
    assert window.panel.width() <= PANEL_MOST * window.width() + 1
    window.resize(900, 600)
    settle(qtbot, studio)
    assert window.panel.width() <= PANEL_MOST * 900
    window.resize(1440, 900)
    window.lab_page.moveSplitter(330 + STEP, 1)
    QTest.keyClick(window.lab_page.handle(1), Qt.Key.Key_Left)
    QTest.keyClick(window, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    window.close()
    again = open_window().window
    assert again.panel.width() == 330
    assert again.theme.look.dark


def test_bounds_that_are_not_drawn_are_folded(studio: Studio, qtbot: QtBot) -> None:
    """Those that are chosen, or are as the lab starts, are seen; all others when asked for."""
    studio.show_page("composition")
    settle(qtbot, studio)
    field = studio.panel.field("bounds")
    drawn = [key for key, button in field.chips.buttons.items() if not button.isHidden()]
    assert drawn == list(studio.store.lab.bounds)
    field.chips.all.click()
    assert not any(button.isHidden() for button in field.chips.buttons.values())
    field.chips.buttons["renyi"].click()
    field.chips.all.click()
    assert {key for key, b in field.chips.buttons.items() if not b.isHidden()} == {*drawn, "renyi"}


def test_every_query_says_itself_as_a_question() -> None:
    said = {kind.key: render(kind().sentence()) for kind in QUERIES}
    assert len(set(said.values())) == len(said)
    for sentence in said.values():
        assert sentence.endswith("?"), sentence
        assert "{" not in sentence, sentence


def test_a_value_that_the_rows_gave_is_marked_until_a_person_writes_one(
    studio: Studio, qtbot: QtBot
) -> None:
    """A condition that leaves may not take its word from the rows."""
    form = asking(studio).condition

    def marked() -> bool:
        return bool(lab(studio).query.where.proposed)

    assert not marked()
    form._add("and")
    assert len(form.rows) == 2
    assert marked()
    second = form.rows[1]
    choose(second.column, "hours-per-week")
    assert marked()
    type_into(second.value, second.value.held)  # the same, by a person
    assert not marked()
    first = form.rows[0]
    choose(first.column, "capital-gain")
    assert marked()
    form.rows[1].dropped.emit()
    assert marked()
    type_into(form.rows[0].value, "12")
    assert not marked()
    assert str(lab(studio).query.where) == "capital-gain > 12"
