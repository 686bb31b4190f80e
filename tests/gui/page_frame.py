"""The frame of a page as it stands on the screen, against the measures of the drawings: what lies
beside its edges, too low, or out of sight. For the soak, which walks all labs, and for tests."""

from collections.abc import Iterator

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from dpstudio.gui.board.cards import ChartCard
from dpstudio.gui.parts.choice_list import ChoiceRow
from dpstudio.gui.shell.frame.window import Window
from dpstudio.gui.shell.studio import Studio

MARGIN = 24  # px around a page, at any type
HEAD, HERO, SMALL = 120, 290, 100  # px at normal type: a head at most, plots at least
RAIL, NARROW = 40, 1100  # px of the rail, and at normal type of a window that has one
# Of a window of 1280x800 at normal type: the panel, and the hero, which may be higher.
DRAWN, PANEL, ACROSS, HIGH = (1280, 800), 272, (472, 1256), 416
# Numbers below the sentence; numbers along an axis; px at normal type from a plot to a name.
TILES, TICKS, LEADER = 3, 8, 24
# Of a list: a row, the law drawn in it with the px before the name, the bar before what is chosen.
ROW, LAW, BEFORE, BAR = 28, 40, 12, 3
TYPE = (12, 14, 20, 32)
# Of the height of a stage: the margin of all on it, and how far a slider may lie from its value.
STAGE, LEVEL = 17, 200
ROOMY = 700  # px at normal type: a board that is so high has room for all of these


def box(widget: QWidget, window: QWidget) -> QRect:
    """Where a widget lies in its window."""
    return QRect(widget.mapTo(window, QPoint()), widget.size())


def beside(window: Window) -> Iterator[str]:
    """What of a page that is not presented does not stand in its frame."""
    board, look = window.board, window.theme.look
    if not board.items:
        return
    hero, sheet = board.items[0], box(window.sheet, window)
    left, right = sheet.left() + MARGIN, sheet.right() + 1 - MARGIN
    if window.rail.isVisible() != (window.width() / look.scale < NARROW):
        yield f"at {window.width()} px and x{look.scale} the rail is wrong"
    if window.rail.isVisible() and window.rail.width() != RAIL:
        yield f"the rail is {window.rail.width()} wide"
    if look.scale == 1 and (window.width(), window.height()) == DRAWN:
        yield from _drawn(window, hero)
    tiles = [tile.value for tile in window.strip.tiles if tile.isVisible() and not board.low]
    first = (window.page_line.name, window.headline, *tiles[:1], hero.title)
    for part in [part for part in first if part.isVisible()]:
        if box(part, window).left() != left:
            yield f"the left edge of {part.objectName() or 'head'} is {box(part, window).left()}, not {left}"
    if len(tiles) > TILES and not window.strip.more.isChecked():
        yield f"{len(tiles)} numbers stand below the sentence"
    ends = [one for one in (window.strip.new, window.strip.more) if one.isVisible()]
    hearts = [card.heart() for card in board.items if card.isVisible()]
    last = max([heart for heart in hearts if heart], key=lambda one: box(one, window).right())
    for part in [part for part in (*ends[:1], window.headline, last) if part.isVisible()]:
        if box(part, window).right() + 1 != right:
            yield f"the right edge of {type(part).__name__} is {box(part, window).right() + 1}, not {right}"
    seen = box(board.area.viewport(), window)
    if not seen.contains(box(hero, window)) and board.area.verticalScrollBar().value() == 0:
        yield f"of the hero {box(hero, window).getCoords()} only {seen.getCoords()} is seen"
    for said in window.headline.lines:
        ink = said.palette().color(said.foregroundRole()).name()
        if said.isVisible() and ink not in (look.color("text").name(), look.color("muted").name()):
            yield f"the sentence “{said.text()}” has the ink {ink}"
    roomy = board.height() >= look.px(ROOMY)
    # A hero may stand below its small charts, as the lanes of Decide are drawn.
    tops = [box(card, window).top() for card in board.items if card.isVisible()]
    high = min(tops) - box(window.page_line, window).top()
    if roomy and high > look.px(HEAD):
        yield f"the head is {high / look.scale:.0f} high"
    for card in [card for card in board.cards if card.isVisible() and card.view is not None]:
        least, clause = HERO if card is hero else SMALL, card.subtitle
        if (
            clause.isVisible()
            and clause.fontMetrics().horizontalAdvance(clause.words()) > clause.width()
        ):
            yield f"the clause “{clause.words()}” beside the title of {card.key} is cut"
        yield from _charted(card, look.scale)
        plot = card.view.plot_area().height() / look.scale
        if (roomy or card is not hero) and plot < least - 0.5:
            yield f"the plot of {card.key} is {plot:.0f} high"


def listed(window: Window) -> Iterator[str]:
    """What of the lists and the words beside the charts does not have its size."""
    look = window.theme.look
    for row in [one for one in window.panel.findChildren(ChoiceRow) if one.isVisible()]:
        off = abs(row.height() - look.px(ROW))  # it is a sum of lengths that are each rounded
        if len(row._lines(row.width())) == 1 and off > int(look.scale % 1 > 0):
            yield f"the row “{row.text()}” is {row.height()} high"
        if not row.icon().isNull() and row.iconSize().width() - BEFORE != look.px(LAW):
            yield f"the law of “{row.text()}” is {row.iconSize().width() - BEFORE} wide"
        if row.isChecked():
            yield from _washed(row)
    sizes = {look.px(size) for size in TYPE}
    for part in (window.panel, window.page_line, window.headline, window.strip):
        for words in part.findChildren(QWidget):
            if isinstance(words, QLabel | QPushButton) and words.isVisible() and words.text():
                size = words.fontInfo().pixelSize()
                if size not in sizes:
                    yield f"“{words.text()}” is of size {size}"


def staged(studio: Studio) -> Iterator[str]:
    """What of a page that is presented leaves the one margin of its stage, or is said twice."""
    window, stage = studio.window, studio.stage()
    card = next(card for card in window.board.items if card.isVisible())
    left, heart = window.height() // STAGE, card.heart()
    right = window.width() - left
    assert heart is not None
    lefts = [stage.header.sentence, stage.header.question, heart, stage.foot.epsilon]
    for part in [part for part in lefts if part.isVisible()]:
        if box(part, window).left() != left:
            yield f"the left edge of {type(part).__name__} is {box(part, window).left()}, not {left}"
    for part in [
        part for part in (stage.header.place, heart, stage.foot.right) if part.isVisible()
    ]:
        if box(part, window).right() + 1 != right:
            yield f"the right edge of {type(part).__name__} is {box(part, window).right() + 1}, not {right}"
    if card.title.isVisible():
        yield f"the title of {card.key} stands on the stage"
    value, field = stage.foot.epsilon, stage.foot.field
    if field is not None and value.isVisible():
        off = box(field.slider, window).center().y() - box(value, window).center().y()
        if abs(off) > window.height() / LEVEL:
            yield f"the slider lies {off} px below its value"


def _washed(row: ChoiceRow) -> Iterator[str]:
    """Of a chosen row its bar and its wash, as they are painted."""
    seen, middle = row.grab().toImage(), row.height() // 2
    inks = [seen.pixelColor(x, middle).name() for x in range(BAR + 2)]
    if [ink == inks[0] for ink in inks] != [True] * BAR + [False] * 2:
        yield f"no bar of {BAR} px stands before “{row.text()}”: {inks}"


def _charted(card: ChartCard, scale: float) -> Iterator[str]:
    """Of a chart axes with more numbers than are read, and lines to names that are too long."""
    assert card.view is not None
    for name, axis in card.view.plot.axes.items():
        told = [text for level in axis._tickLevels or () for _, text in level if text]
        # What holds a dash from one number to another is the name of a bar.
        numbers = [
            text for text in told if not any(letter.isalpha() or letter == "–" for letter in text)
        ]
        if axis.isVisible() and numbers == told and len(told) > TICKS:
            yield f"the {name} axis of {card.key} has {len(told)} numbers"
        if getattr(axis, "turned", False):
            yield f"the names along {card.key} read upwards"
    for label in card.view.labels.layout.labels:
        across = [x for x, _ in label.leader]
        # A curve that stands in the place of a lane's words leads to none.
        if label.text and across and max(across) - min(across) > LEADER * scale + 1:
            yield f"{max(across) - min(across):.0f} px lead to “{label.text}” in {card.key}"


def _drawn(window: Window, hero: QWidget) -> Iterator[str]:
    """What differs from the drawings at their size."""
    panel, at = window.panel.width() + window.lab_page.handle(1).width(), box(hero, window)
    if panel != PANEL:
        yield f"the panel is {panel} wide"
    if (at.left() + 2, at.right() - 1) != ACROSS:
        yield f"the hero reaches from {at.left() + 2} to {at.right() - 1}"
    if at.height() < HIGH:
        yield f"the hero is {at.height()} high"
    for card in [card for card in window.board.items[:3] if card.isVisible()]:
        if box(card, window).bottom() >= window.height():
            yield f"{card.key} is cut by the foot of the window"
