"""F1: what is under the focus or the pointer is explained beside it, and terms in tooltips."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hand import active, paint_now
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from dpstudio.files.glossary import glossary
from dpstudio.files.manual import anchor, manual_page
from dpstudio.gui.board.cards import READ
from dpstudio.gui.panel.folding import FoldingSentence
from dpstudio.gui.parts import explanation
from dpstudio.gui.shell.frame.explaining import Explaining
from dpstudio.gui.shell.frame.help_card import ARROW
from dpstudio.gui.shell.studio import Studio
from dpstudio.labs import LABS
from dpstudio.values.parameters import Domain, OneOf, domains


@pytest.fixture
def help_(studio: Studio) -> Iterator[Explaining]:
    yield studio.explaining
    studio.explaining.leave()
    studio.pages.manual.leave()


def f1(studio: Studio) -> None:
    QTest.keyClick(studio.window, Qt.Key.Key_F1)
    paint_now()


def place(widget: QWidget) -> QRect:
    """Where something is seen in the window."""
    seen = widget.visibleRegion().boundingRect()
    return QRect(widget.mapTo(widget.window(), seen.topLeft()), seen.size())


def parameters() -> Iterator[tuple[str, Domain]]:
    """Every parameter of every lab, with those of its families."""
    for about in LABS:
        for name, domain in domains(about.kind).items():
            yield f"{about.key} {name}", domain
            for member in domain.family() if isinstance(domain, OneOf) else ():
                for inner, within in domains(member).items():
                    yield f"{about.key} {name}.{inner} of {member.key}", within


def test_every_parameter_of_every_lab_is_explained() -> None:
    for name, domain in parameters():
        told = explanation.of_parameter(domain, None)
        assert told.title, name
        assert "".join(told.says), name


def test_every_control_of_the_panel_is_explained_and_none_is_covered(
    help_: Explaining, studio: Studio
) -> None:
    """Also in larger type; the control keeps the focus, and Escape closes what is said."""
    window, panel = studio.window, studio.panel
    for scale in (1.0, 1.5):
        window.theme.set_scale(scale)
        window.style_sheets.finish()
        for _ in range(3):
            paint_now()
        for path, field in list(panel.editors()):
            if not field.isVisibleTo(window) or field.visibleRegion().isEmpty():
                continue
            panel.go_to(path)
            paint_now()
            found = help_.told(window.focusWidget())
            assert found is not None, path
            before = window.focusWidget()
            help_.show(*found)
            paint_now()
            assert help_.on
            assert window.focusWidget() is before
            assert not place(help_.card).intersects(place(found[0])), path
            assert window.rect().contains(place(help_.card))
            QTest.keyClick(window, Qt.Key.Key_Escape)
            assert not help_.on
    window.theme.set_scale(1.0)


def test_a_card_is_called_by_the_words_of_a_button_without_its_signs(
    help_: Explaining, studio: Studio
) -> None:
    table = studio.window.top.table
    studio.window.top.remind("What is to be kept in mind.")
    found = help_.told(table)
    studio.window.top.remind("")
    assert found is not None
    assert found[1].title == studio.window.top._name


def test_no_card_lies_on_the_headline_where_there_is_room_below_it(
    help_: Explaining, studio: Studio
) -> None:
    """The card of a term that was found, and that of the first control, covered it."""
    studio.window.resize(1280, 800)
    paint_now()
    headline, lefts = place(studio.window.headline), list[int]()
    for ask in (lambda: help_.term(glossary()[0]), lambda: f1(studio)):
        studio.panel.go_to("mechanism.epsilon")
        paint_now()
        ask()
        paint_now()
        assert help_.on
        card = help_.card.geometry().adjusted(ARROW, ARROW, -ARROW, -ARROW)  # but for its shadow
        assert not card.intersects(headline)
        lefts.append(card.left())
        help_.leave()
    assert lefts[0] >= headline.left()  # nor, of what was found, on the controls


def test_the_key_explains_and_pressed_again_opens_the_manual(
    help_: Explaining, studio: Studio
) -> None:
    studio.panel.go_to("mechanism.epsilon")
    f1(studio)
    epsilon = next(term for term in glossary() if term.key == "epsilon")
    assert help_.card.told == explanation.of_term(epsilon)
    assert not studio.pages.manual.on
    f1(studio)
    assert not help_.on
    assert studio.pages.manual.on


def test_an_option_is_explained_beside_all_of_its_control(
    help_: Explaining, studio: Studio
) -> None:
    field = studio.panel.field("mechanism")
    row = field.findChildren(QWidget, "row")[3]
    found = help_.told(row)
    assert found is not None
    assert (found[0], found[1].title) == (row, "Gaussian mechanism")
    help_.show(*found)
    assert not place(help_.card).intersects(place(field))


def test_what_shows_a_term_is_one_step_that_is_undone(help_: Explaining, studio: Studio) -> None:
    before, store = studio.store.state, studio.store
    studio.show_page("explore")
    studio.panel.go_to("mechanism.epsilon")
    f1(studio)
    words = ["averaging", "mechanism.epsilon=0.25", "answers=40"]
    help_.card.told = explanation.Explanation("", (), see=tuple(words))
    help_.card.see.click()
    assert (studio.page, store.lab.key) == ("averaging", "averaging")
    assert (store.lab.mechanism.epsilon, store.lab.answers) == (0.25, 40)
    assert not help_.on
    studio.undo()
    assert studio.page == "explore"
    assert store.state.lab == before.lab


def test_all_terms_opens_the_page_of_the_term(help_: Explaining, studio: Studio) -> None:
    for term in (glossary()[1], glossary()[-1]):
        help_.term(term)
        assert help_.card.title.text() == explanation.titled(term.name)
        help_.card.all.click()
        manual = studio.pages.manual
        assert manual.pane.reader.source().fragment() == anchor(term.name)
        assert manual.pane.reader.source().toLocalFile().endswith(f"{term.page}.md")
        assert term.name in manual_page(term.page).headings


def test_tab_goes_into_the_card_and_a_click_elsewhere_closes_it(
    help_: Explaining, studio: Studio
) -> None:
    studio.panel.go_to("mechanism.epsilon")
    f1(studio)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert help_.card.isAncestorOf(QApplication.focusWidget())
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert not help_.on
    assert studio.panel.isAncestorOf(QApplication.focusWidget())
    f1(studio)
    QTest.mousePress(studio.window.board, Qt.MouseButton.LeftButton, pos=QPoint(1, 1))
    assert not help_.on


def test_a_chart_tells_how_it_is_read(help_: Explaining, studio: Studio, qtbot: QtBot) -> None:
    """From its menu, and by the key where it has the focus."""
    card = studio.window.board.cards[0]
    card.wanted.emit(card.key, READ)
    assert card.figure is not None
    assert help_.card.told == explanation.of_chart(card.figure)
    help_.leave()
    assert card.view is not None
    active(qtbot, studio)
    card.view.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(card.view.hasFocus)
    f1(studio)
    assert help_.card.told.title == help_.card.title.text() == "How to read this chart"


def test_tooltips_name_the_terms(help_: Explaining, studio: Studio) -> None:
    """One mechanism: a label of the panel, an option, a number of the head, the name of a curve."""
    field = studio.panel.field("mechanism")
    row = field.findChildren(QWidget, "row")[0]
    assert "Laplace mechanism: F1" in explanation.tip_of(row.text(), row.toolTip())
    assert explanation.tip_of("Laplace", explanation.tip_of("Laplace", "x")).count("F1") == 1
    label = next(w for w in studio.panel.findChildren(QLabel) if w.text() == "ε")
    assert explanation.tip_of(help_._words_at(label, QPoint())).endswith("privacy loss: F1")
    view = studio.window.board.cards[0].view
    assert view is not None
    name = next(label for label in view.labels.layout.labels if label.lines == ("Laplace",))
    at = view.plot.mapToScene(view.plot.vb.pos())
    spot = view.mapFromScene(at.x() + name.x + 2, at.y() + name.y + name.height / 2)
    assert view.words_at(spot) == "Laplace"


def test_a_formula_is_copied_as_latex_from_the_card_and_from_the_manual(
    help_: Explaining, studio: Studio
) -> None:
    wanted = r"P(M(D) \in S) \le e^{\varepsilon} \cdot P(M(D') \in S)"
    help_.term(next(term for term in glossary() if term.key == "epsilon"))
    next(part for part in help_.card.parts if isinstance(part, QPushButton)).click()
    assert QGuiApplication.clipboard().text() == wanted
    assert studio.window.message.text.text() == "The formula is copied as LaTeX."
    help_.card.all.click()
    reader = studio.pages.manual.pane.reader
    assert reader.find("P(M(D) ∈ S) ≤ eᵋ · P(M(D′) ∈ S)")
    QGuiApplication.clipboard().clear()
    reader.menu(QPoint()).actions()[-1].trigger()
    assert QGuiApplication.clipboard().text() == wanted


def test_the_question_is_explained_by_what_it_asks(studio: Studio) -> None:
    head = studio.panel.findChild(FoldingSentence)
    assert head is not None
    found = studio.explaining.told(head)
    assert found is not None
    assert found[1].title == "How many rows have age > 50?"
    assert found[1].says != ("Fold",)
    assert "What is asked of the table" in found[1].says[0]
