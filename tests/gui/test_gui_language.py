"""Another language in the middle of work: everything is said in it, and nothing else changes."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from hand import calm, settle, turn_page
from marked import texts, unmarked, untranslated
from marks import SENTENCE, Marked
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QComboBox, QWidget
from pytestqt.qtbot import QtBot

from dpstudio.files import language
from dpstudio.files.assets import asset
from dpstudio.files.talk import read_talk
from dpstudio.files.write.told import set_to
from dpstudio.gui.panel.fields import LinesField
from dpstudio.gui.panel.form import BoxField
from dpstudio.gui.parts.keeping import words
from dpstudio.gui.parts.tr import tr
from dpstudio.gui.shell.app import _speak
from dpstudio.gui.shell.pages import COMPANION, DATA_PAGE, IMPORT_PAGE, LESSONS
from dpstudio.gui.shell.release.door import RELEASE
from dpstudio.gui.shell.studio import Studio
from dpstudio.gui.state.settings import Settings
from dpstudio.gui.table.data_page import DataPage
from dpstudio.labs.context import LITTLE, Context
from dpstudio.plans.plan import ONE_ROW

NAMES = ("Count", "Mean")


@pytest.fixture
def spoken(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Chinese is the language of marks here; that of the settings is nobody's."""
    english = language.written(language.ENGLISH)
    marks = {language.CHINESE: Marked(), language.ENGLISH: english}
    monkeypatch.setattr(language, "written", marks.__getitem__)
    yield
    language.use(english)


def entry(studio: Studio, name: str) -> None:
    menu = studio.window.top.more.menu()
    (action,) = [a for a in menu.actions() if a.text().startswith("Language")]
    inner = action.menu()
    inner.aboutToShow.emit()
    next(a for a in inner.actions() if a.text() == name).trigger()


def seen(studio: Studio, qtbot: QtBot, unhidden: bool = False) -> set[str]:
    """Every text, or each that is on the screen; menus that list what there is are filled anew by the first look."""
    for _ in texts(studio):
        pass
    settle(qtbot, studio)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return {text for part, _, text in texts(studio) if not unhidden or part.isVisible()}


def test_all_is_said_in_another_language_and_the_work_stays(
    spoken: None, studio: Studio, open_window: Callable[..., Studio], qtbot: QtBot
) -> None:
    # A window of its own: what is hidden since other tests is said anew when it is shown.
    store, window = studio.store, studio.window
    store.set("mechanism.epsilon", 0.3)
    settle(qtbot, studio)
    was, steps = store.state, store.history.count()
    before = seen(studio, qtbot)
    entry(studio, "简体中文")
    settle(qtbot, studio)
    seen(studio, qtbot)
    assert not untranslated(studio)
    assert (store.state, store.history.count(), studio.page) == (was, steps, "explore")
    assert window.kept.language == language.CHINESE
    for page in (DATA_PAGE, LESSONS.key, RELEASE.key, COMPANION.key):
        studio.show_page(page)
        settle(qtbot, studio)
    studio.show_lab()
    studio.undo()
    studio.redo()
    settle(qtbot, studio)
    seen(studio, qtbot)
    assert not untranslated(studio)
    entry(studio, "English")
    settle(qtbot, studio)
    assert store.state == was
    after = seen(studio, qtbot)
    assert [text for text in after if "⟦" in text] == []
    assert before - after == set()


def test_nothing_is_lost_wherever_somebody_works(
    spoken: None, studio: Studio, qtbot: QtBot, tmp_path: Path
) -> None:
    """In a step of a talk and on the stage, beside a half-read file, with a sheet open, at the desk:
    what was typed, the place and the state stay, also where panels of other pages were made."""
    store, window, talks = studio.store, studio.window, studio.talk.talks
    for key in ("components", "survey", "plan"):  # whose panels share names with others
        turn_page(studio, key)
        settle(qtbot, studio)
    ragged = tmp_path / "ragged.csv"
    ragged.write_text(
        "who,age\n" + "".join(f"p{n},{n % 90}{',0' * (n == 40)}\n" for n in range(99))
    )

    def in_both(place: Callable[[], object]) -> None:
        was = place(), studio.page, store.state, store.history.count()
        for name in ("简体中文", "English"):
            entry(studio, name)
            settle(qtbot, studio)
            assert (place(), studio.page, store.state, store.history.count()) == was
            said = seen(studio, qtbot, unhidden=True)
            foreign = {t for t in said if "⟦" in t}
            if name != "English":
                foreign = {t for t in said if SENTENCE.search(unmarked(t))}
            assert foreign == set(), studio.page

    in_both(lambda: None)
    turn_page(studio, "averaging")
    talks.begin(read_talk(asset("lessons", "11-averaging.dptalk")), shipped=True)
    talks.player.go(2)
    calm(qtbot, studio)
    in_both(lambda: talks.player.place)
    window.present()
    calm(qtbot, studio)
    in_both(lambda: (talks.player.place, window.presenting))
    window.leave_presenting()
    talks.leave()
    settle(qtbot, studio)
    studio.databases.ask()
    studio.databases.address.setText("duckdb:///some/where")
    in_both(lambda: (studio.databases.address.text(), studio.databases.address.isVisible()))
    studio.databases.leave()
    studio.show_page(RELEASE.key)
    settle(qtbot, studio)
    fields = studio.releasing.desk.certificate.fields
    for field in fields.values():
        field.setText("in my own words")
    in_both(lambda: [field.text() for field in fields.values()])
    studio.open(str(ragged))
    settle(qtbot, studio)
    assert studio.page == IMPORT_PAGE
    in_both(lambda: studio.page)


def test_what_says_nothing_is_not_said_again(studio: Studio) -> None:
    """Of eight texts of widgets seven are empty: asked of all, a switch took more than a second with
    every page open."""
    parts = studio.window.findChildren(QWidget)
    told = [text for part in parts for text, _ in words(part)]
    assert len(told) > 200
    assert all(told)


def test_a_language_that_was_chosen_is_spoken_at_the_next_start(
    spoken: None, studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Settings()
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    for chosen, said in (("", language.ENGLISH), (language.CHINESE, "marked"), ("xx", "marked")):
        kept.keep_language(chosen)
        _speak(kept)
        assert language.spoken() == said
    kept.keep_language("")


def test_the_unit_that_a_plan_starts_with_is_said_in_another_language_and_kept(
    spoken: None, studio: Studio, qtbot: QtBot
) -> None:
    """It is words of ours until somebody types others; files keep it as it is."""
    studio.show_page("plan")
    settle(qtbot, studio)
    entry(studio, "简体中文")
    settle(qtbot, studio)
    field = next(one for one in studio.window.findChildren(BoxField) if one.path == "person")
    assert "⟦" in field.box.text()
    field.box.given.emit(field.box.text())
    assert studio.store.lab.person == ONE_ROW[1]
    field.box.given.emit("a household")
    assert (studio.store.lab.person, field.box.text()) == ("a household", "a household")
    studio.undo()


def test_names_of_the_table_stay_in_another_language(
    spoken: None, open_window: Callable[..., Studio], tmp_path: Path, qtbot: QtBot
) -> None:
    """Also those that are words of the program."""
    path = tmp_path / "names.csv"
    path.write_text("Count,Mean,Table\n" + "".join(f"{n % 7},{n % 5},yes\n" for n in range(60)))
    studio = open_window(str(path))
    studio.show_page(DATA_PAGE)
    settle(qtbot, studio)
    entry(studio, "简体中文")
    settle(qtbot, studio)
    held = [
        (box.itemData(at), box.itemText(at))
        for box in studio.window.findChildren(QComboBox)
        for at in range(box.count())
        if "says who" not in box.itemText(at)
    ]
    assert {text for data, text in held if data in NAMES} == set(NAMES)
    assert studio.window.findChildren(DataPage)[0].name.whole == "Count"


# Pages whose words have the text of another message in Chinese, in editors of every kind.
BACK = ("composition", "components", "survey", "anonymity")


def test_a_page_is_english_again_word_by_word(
    studio: Studio,
    open_window: Callable[..., Studio],
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """304 Chinese texts stand for 681 messages: what was English before, and what was made in Chinese,
    is what is made in English."""
    # Its clock's times are other ones each time, and say nothing of the words.
    monkeypatch.setattr("dpstudio.gui.shell.lab_result.Context", partial(Context, effort=LITTLE))
    english, chinese = map(language.written, (language.ENGLISH, language.CHINESE))
    before = {}
    for page in BACK:
        before[page] = visible(studio, qtbot, page)
        studio.speak(language.CHINESE)
        assert not {each for each in visible(studio, qtbot, page) if SENTENCE.search(each[2])}
        studio.speak(language.ENGLISH)
        assert visible(studio, qtbot, page) == before[page]
    language.use(chinese, named=True)  # the window too
    try:
        made = open_window(None)
        for page in BACK:
            made.speak(language.CHINESE)
            visible(made, qtbot, page)
            made.speak(language.ENGLISH)
            assert visible(made, qtbot, page) == before[page]
    finally:
        language.use(english)


def visible(studio: Studio, qtbot: QtBot, page: str) -> set[tuple[str, str, str]]:
    """Each text of a page that is on the screen, with the kind of what says it."""
    studio.show_page(page)
    seen(studio, qtbot)
    told = [one for one in texts(studio) if one[0].isVisible() and one[2]]
    # A chart that waits may be drawn or not by what was open before, and so its menu may list curves.
    seen_, waits = set[str](), set[str]()
    for card in studio.window.board.items:
        (seen_ if card.isVisible() else waits).update(a.text() for a in card.menu.actions())
    waits -= seen_
    return {
        (type(widget).__name__, what, text)
        for widget, what, text in told
        if what != "action" or text not in waits
    }


def test_what_a_room_is_asked_is_said_in_another_language_and_kept(
    studio: Studio, qtbot: QtBot
) -> None:
    """Question and options are words of ours until somebody types others, in the box and below an
    exported chart as on phones; files keep them as they are."""
    studio.show_page("room")
    settle(qtbot, studio)
    studio.store.choose("asked", "option")
    settle(qtbot, studio)
    was = studio.store.lab
    studio.speak(language.CHINESE)
    settle(qtbot, studio)
    fields = {each.path: each for each in studio.panel.findChildren(LinesField)}
    text, options = fields["asked.text"], fields["asked.options"]
    assert [text.box.toPlainText(), options.box.toPlainText().split("\n")[0]] == [
        "你今天是怎么来的？",
        "步行",
    ]
    for field in (text, options):  # given as it stands, nothing changes
        field.box.given.emit(field.box.toPlainText())
    assert studio.store.lab == was
    assert "Have you" not in "".join(set_to(type(was)(), tr))
    assert not re.search("How did|on foot", "".join(set_to(was, tr)))
    options.box.given.emit("步行\n游泳")
    assert studio.store.lab.asked.options == (was.asked.options[0], "游泳")
    studio.speak(language.ENGLISH)
    settle(qtbot, studio)
    assert text.box.toPlainText() == "How did you come here today?"
    assert options.box.toPlainText() == "on foot\n游泳"
    studio.undo()
