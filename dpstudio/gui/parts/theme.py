"""How the studio looks: one palette, light or dark, and one type scale for the whole window."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetricsF, QPalette
from PySide6.QtWidgets import QApplication

from dpstudio.charts.label_folding import Measure
from dpstudio.files.assets import asset
from dpstudio.files.write.palette import palette, word_ink

FAMILIES = [
    "Inter",
    "Noto Sans SC",
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Sans CJK KR",
    "DejaVu Sans",
]
_FONTS = ("Inter-Regular", "Inter-Medium", "Inter-SemiBold", "NotoSansSC-Regular")
# The tones of the frame, which has no hue: colour belongs to data. Chosen is a wash, focus a ring.
_FRAME = {
    False: {"side": "#f7f7f5", "line": "#e4e3df", "wash": "#ebeae6"},
    True: {"side": "#1b1e22", "line": "#2e3237", "wash": "#2a2e33"},
}
SCALES = (0.8, 0.9, 1.0, 1.15, 1.3, 1.5, 1.75, 2.0)

LARGEST = SCALES[-1]
# From which height of the window on the type is how much larger.
_GROWTH = ((1300, 1.4), (1000, 1.15), (0, 1.0))


def load_fonts() -> tuple[str, ...]:
    """Make the shipped fonts known to Qt and return their families; one that is missing is left
    out. What Inter lacks comes from the next."""
    QFont.insertSubstitution(*FAMILIES[:2])
    families: list[str] = []
    for name in _FONTS:
        path = asset("fonts", f"{name}.otf")
        number = QFontDatabase.addApplicationFont(str(path)) if path.is_file() else -1
        if number >= 0:
            families += [
                family
                for family in QFontDatabase.applicationFontFamilies(number)
                if family not in families
            ]
    return tuple(families)


@dataclass(frozen=True)
class Look:
    """Dark or light, the type scale (1 = 14 px text), and whether a projector is to bear it."""

    dark: bool = False
    scale: float = 1.0
    stage: bool = False

    def color(self, ink: str) -> QColor:
        inks = palette(self.dark, stage=self.stage)
        return QColor(inks.get(ink, inks["text"]))

    def px(self, size: float) -> int:
        return round(size * self.scale)

    def font(self, size: float = 14, weight: int = 400) -> QFont:
        font = QFont(FAMILIES[0])
        font.setFamilies(FAMILIES)
        font.setPixelSize(max(6, self.px(size)))
        font.setWeight(QFont.Weight(weight))
        return font


def word_color(look: Look, ink: str) -> QColor:
    """The colour of words in an ink."""
    return QColor(word_ink(palette(look.dark, stage=look.stage), ink, look.stage))


def frame_color(look: Look, tone: str) -> QColor:
    """One of the tones of the frame: "side", "line" or "wash"."""
    return QColor(_FRAME[look.dark][tone])


@lru_cache(maxsize=256)
def measured(look: Look, size: float, weight: int = 400) -> QFontMetricsF:
    """How wide and high text of this size is; it is asked in every frame of a drag."""
    return QFontMetricsF(look.font(size, weight))


@lru_cache(maxsize=64)
def measuring(look: Look, size: float, weight: int = 400) -> Measure:
    """(width, height) of a text in px. Of text, not data: the same words are measured in every
    frame of a drag."""
    type_ = measured(look, size, weight)
    high = type_.height()

    @lru_cache(maxsize=1000)
    def measure(text: str) -> tuple[float, float]:
        return type_.horizontalAdvance(text), high

    return measure


class Theme(QObject):
    """The look in force; `changed` is emitted with the new Look, `changing` before anything has
    taken it."""

    changing = Signal()
    changed = Signal(object)

    def __init__(self, look: Look):
        super().__init__()
        self.look = look
        self.chosen = look.scale
        self._grown = 1.0
        self._dressed: Look | None = None

    def set_dark(self, dark: bool) -> None:
        self._take(replace(self.look, dark=dark))

    def set_scale(self, scale: float) -> None:
        self.chosen = scale
        self._take(replace(self.look, scale=min(LARGEST, scale * self._grown)))

    def grow(self, height: int) -> None:
        """Let the type grow with the window, whose height is given in px."""
        grown = next(factor for least, factor in _GROWTH if height >= least)
        if grown != self._grown:
            self._grown = grown
            self.set_scale(self.chosen)

    def step(self, by: int) -> None:
        """Type one size larger (+1) or smaller (−1); 0 goes back to normal."""
        place = min(range(len(SCALES)), key=lambda i: abs(SCALES[i] - self.chosen))
        scale = 1.0 if by == 0 else SCALES[min(len(SCALES) - 1, max(0, place + by))]
        self.set_scale(scale)

    def _take(self, look: Look) -> None:
        if look != self.look:
            self.changing.emit()
            self.look = look
            self.apply()
            self.changed.emit(look)

    def apply(self) -> None:
        """Give the application its type and palette; the style sheet is worn by the parts of a
        window."""
        app = QApplication.instance()
        if isinstance(app, QApplication):
            if app.font().families() != FAMILIES:
                app.setFont(Look().font())
            if self._dressed is None or self._dressed.dark != self.look.dark:
                app.setPalette(_qt_palette(self.look))
            self._dressed = self.look


def _qt_palette(look: Look) -> QPalette:
    colors = QPalette()
    for role, ink in (
        (QPalette.ColorRole.Window, "ground"), (QPalette.ColorRole.Base, "surface"), (QPalette.ColorRole.Button, "surface"),
        (QPalette.ColorRole.Text, "text"), (QPalette.ColorRole.WindowText, "text"), (QPalette.ColorRole.ButtonText, "text"),
        (QPalette.ColorRole.ToolTipBase, "surface"), (QPalette.ColorRole.ToolTipText, "text"), (QPalette.ColorRole.Highlight, "accent"),
        (QPalette.ColorRole.HighlightedText, "surface"), (QPalette.ColorRole.PlaceholderText, "muted"),
    ):  # fmt: skip
        colors.setColor(role, look.color(ink))
    for role in (
        QPalette.ColorRole.Text,
        QPalette.ColorRole.ButtonText,
        QPalette.ColorRole.WindowText,
    ):
        colors.setColor(QPalette.ColorGroup.Disabled, role, look.color("muted"))
    return colors


def style_sheet(look: Look) -> str:
    """The one style sheet. Sizes follow the type scale."""
    ink = dict(palette(look.dark))
    size = {f"s{n}": f"{look.px(n)}px" for n in (2, 4, 6, 8, 10, 12, 14, 18, 20, 24, 32, 48, 112)}
    # Within a ring of 2 px there is one px less than within a border of 1.
    size |= {f"f{n}": f"{max(0, look.px(n) - 1)}px" for n in (2, 4, 6, 8, 10)}
    kind = "dark" if look.dark else "light"
    icons = {name: asset("icons", f"{name}-{kind}.svg").as_posix() for name in ("down", "check")}
    knob = look.px(12) // 2 * 2
    slider = {"knob": knob, "lift": knob // 2, "round": (knob + 4) // 2}
    return _SHEET.format_map({**ink, **_FRAME[look.dark], **size, **icons, **slider})


_SHEET = """
QWidget#ground {{ background: {ground}; }}
QWidget {{ color: {text}; font-size: {s14}; }}
QFrame#card, QFrame#topbar {{ background: {surface}; }}
QFrame#nav, QFrame#side {{ background: {side}; }}
QFrame#foot {{ background: {side}; border-top: 1px solid {line}; }}
QFrame#hair {{ background: {line}; min-height: 1px; max-height: 1px; }}
QFrame#card {{ border: 1px solid {grid}; border-radius: {s8}; }}
QFrame#sheet, QFrame#facts, QWidget#plain {{ background: {surface}; }}
QFrame#piece {{ background: {surface}; border: 0; }}
QFrame#part {{ background: {surface}; border: 0; border-top: 1px solid {line}; }}
QFrame#beside {{ background: {surface}; border-left: 1px solid {line}; }}
QFrame#apart {{ background: {text}; }}
QLabel#apart-name {{ color: {surface}; font-weight: 600; }}
QLabel#apart-said {{ color: {surface}; font-size: {s12}; }}
QPushButton#apart {{ background: {text}; color: {surface}; border-color: {surface}; font-weight: 600; }}
QPushButton#apart[ring="true"] {{ border: 2px solid {surface}; }}
QFrame#topbar {{ border-bottom: 1px solid {line}; }}
QFrame#nav {{ border-right: 1px solid {line}; }}
QLabel#brand {{ font-size: {s14}; font-weight: 600; }}
QLabel#head {{ font-size: {s12}; font-weight: 600; color: {muted}; }}
QLabel#sentence {{ font-size: {s14}; font-weight: 500; }}
QPushButton#lesson {{ border: 1px solid transparent; background: transparent; text-align: left; padding: 0; }}
QPushButton#lesson:hover {{ background: {wash}; }}
QPushButton#lesson[ring="true"] {{ border: 2px solid {text}; }}
QLabel#small {{ font-size: {s12}; }}
QLabel#title {{ font-size: {s14}; font-weight: 600; }}
QLabel#page-name {{ font-size: {s12}; font-weight: 600; }}
QLabel#muted, QLabel#subtitle {{ color: {muted}; font-size: {s12}; }}
QLabel[chosen="true"] {{ color: {text}; font-weight: 600; }}
QLabel#value {{ font-size: {s20}; font-weight: 500; }}
QLabel#says, QLabel#good, QLabel#warn, QLabel#bad {{ font-size: {s12}; }}
QLabel#good {{ color: {good}; font-weight: 500; }}
QLabel#headline, QLabel#headline-good, QLabel#headline-warn, QLabel#headline-bad {{ font-size: {s20}; font-weight: 600; }}
QLabel#headline-small, QLabel#headline-small-good, QLabel#headline-small-warn, QLabel#headline-small-bad {{ font-size: {s14}; font-weight: 600; }}
QLabel#said, QLabel#said-good, QLabel#said-warn, QLabel#said-bad {{ font-size: {s12}; }}
QLabel#said {{ color: {muted}; }}
QLabel#headline-good, QLabel#headline-small-good, QLabel#said-good {{ color: {good}; }}
QLabel#headline-warn, QLabel#headline-small-warn, QLabel#said-warn {{ color: {warn}; }}
QLabel#headline-bad, QLabel#headline-small-bad, QLabel#said-bad {{ color: {bad}; }}
QLabel#warn {{ color: {warn}; }}
QLabel#bad {{ color: {bad}; }}
QPushButton, QCheckBox {{ outline: 0; }}
QPushButton, QToolButton {{ font-size: {s12}; background: {surface}; border: 1px solid {grid}; border-radius: {s6}; padding: {s4} {s10}; }}
QPushButton:hover, QToolButton:hover {{ border-color: {muted}; }}
QPushButton[ring="true"], QToolButton[ring="true"] {{ border: 2px solid {text}; padding: {f4} {f10}; }}
QPushButton:disabled, QToolButton:disabled {{ color: {muted}; }}
QPushButton:checked, QPushButton[here="true"] {{ background: {wash}; border: 1px solid {text}; font-weight: 600; }}
QPushButton[ring="true"]:checked {{ border: 2px solid {text}; }}
QPushButton#primary {{ background: {text}; border-color: {text}; color: {surface}; font-weight: 600; }}
QPushButton#primary[ring="true"] {{ border: 2px solid {accent}; }}
QPushButton#primary:disabled {{ background: {surface}; border-color: {grid}; color: {muted}; font-weight: 400; }}
QPushButton#link {{ border: 1px solid transparent; background: transparent; text-decoration: underline; padding: {s2} {s4}; text-align: left; }}
QPushButton#link[ring="true"] {{ border: 2px solid {text}; padding: {f2} {f4}; }}
QPushButton#link:disabled {{ color: {muted}; }}
QLabel#cell {{ padding: {s4} 0; }}
QLabel#cell-muted {{ color: {muted}; font-size: {s12}; padding: {s6} 0 {s4}; }}
QPushButton#cell {{ border: 1px solid transparent; background: transparent; text-decoration: underline; padding: {f6} 0 {s2} 0; text-align: left; }}
QPushButton#cell[ring="true"] {{ border: 2px solid {text}; padding: {s4} 0 {s2}; }}
QPushButton#page {{ border: 1px solid transparent; border-left: 3px solid transparent; border-radius: 0; text-align: left; padding: {s4} {s8} {s4} {s24};
  background: transparent; font-size: {s14}; }}
QPushButton#more {{ border: 1px solid transparent; border-left: 3px solid transparent; border-radius: 0; text-align: left; padding: {s4} {s8} {s4} {s24};
  background: transparent; color: {muted}; font-size: {s12}; }}
QLabel#page-part {{ color: {muted}; font-size: {s12}; padding: {s4} {s8} {s2} {s24}; }}
QPushButton#page:checked {{ background: {wash}; color: {text}; border-left: 3px solid {text}; }}
QPushButton#group {{ border: 1px solid transparent; border-radius: {s4}; text-align: left; padding: {s6} {s8}; background: transparent; color: {muted};
  font-size: {s12}; font-weight: 600; }}
QPushButton#group[here="true"] {{ color: {text}; }}
QPushButton#page[ring="true"], QPushButton#more[ring="true"] {{ border: 2px solid {text}; border-left: 3px solid {text}; padding: {f4} {f8} {f4} {s24}; }}
QPushButton#group[ring="true"] {{ border: 2px solid {text}; padding: {f6} {f8}; }}
QPushButton#sentence, QPushButton#sentence:checked {{ border: 1px solid transparent; background: transparent; padding: 0; }}
QPushButton#sentence:hover {{ background: {wash}; }}
QPushButton#sentence[ring="true"] {{ border: 2px solid {text}; padding: 0; }}
QPushButton#page:hover, QPushButton#more:hover, QPushButton#group:hover {{ background: {wash}; }}
QPushButton#quiet, QToolButton#quiet {{ border: 1px solid transparent; background: transparent; color: {muted}; padding: {s2} {s6}; }}
QPushButton#quiet[ring="true"], QToolButton#quiet[ring="true"] {{ border: 2px solid {text}; padding: {f2} {f6}; }}
QPushButton#quiet:checked {{ color: {text}; }}
QPushButton#fold, QPushButton#all {{ border: 1px solid transparent; background: transparent; color: {muted}; padding: {s4} {s4}; text-align: left; }}
QPushButton#fold:checked, QPushButton#all:checked {{ background: transparent; border: 1px solid transparent; color: {text}; font-weight: 500; }}
QPushButton#fold[ring="true"] {{ border: 2px solid {text}; padding: {f4} {f4}; }}
QPushButton#all {{ padding: {s4} 7px; }}
QPushButton#all[ring="true"] {{ border: 2px solid {text}; padding: {f4} 6px; }}
QPushButton#segment {{ padding: {s4} {s4}; }}
QPushButton#segment[ring="true"] {{ padding: {f4} {f4}; }}
QPushButton#row, QPushButton#row:checked {{ border: 1px solid transparent; border-left: 3px solid transparent; border-radius: 0; text-align: left;
  padding: {f4} 2px {f4} 5px; background: transparent; font-size: {s14}; min-height: {s20}; }}
QPushButton#row:hover {{ background: {wash}; }}
QPushButton#row:checked {{ background: {wash}; border-left: 3px solid {text}; }}
QPushButton#row[ring="true"] {{ border: 2px solid {text}; border-left: 3px solid {text}; padding: {f4} 1px {f4} 5px; min-height: {s18}; }}
QPushButton#beside {{ border: 0; background: transparent; padding: 0; color: {accent}; font-size: {s12}; }}
QPushButton#beside:checked {{ border: 0; background: transparent; color: {muted}; font-weight: 400; }}
QPushButton#beside[ring="true"] {{ border: 0; padding: 0; color: {text}; text-decoration: underline; }}
QPushButton::menu-indicator, QToolButton::menu-indicator {{ image: none; width: 0; }}
QLineEdit, QPlainTextEdit, QComboBox, QAbstractSpinBox {{ background: {surface}; border: 1px solid {grid}; border-radius: {s6};
    padding: {s4} {s8};
  selection-background-color: {accent}; selection-color: {surface}; min-height: {s18}; }}
QLineEdit:focus, QPlainTextEdit:focus {{ border-color: {muted}; }}
QLineEdit[ring="true"], QPlainTextEdit[ring="true"], QComboBox[ring="true"] {{ border: 2px solid {text}; padding: {f4} {f8}; }}
QLineEdit#large[ring="true"] {{ padding: 0; }}
QLineEdit#large {{ font-size: {s32}; font-weight: 600; border-color: transparent; background: transparent; padding: 1px; }}
QLineEdit[wrong="true"], QLineEdit[wrong="true"][ring="true"], QPlainTextEdit[wrong="true"], QComboBox[wrong="true"] {{ border-color: {bad}; }}
QComboBox {{ combobox-popup: 0; }}
QComboBox::drop-down {{ border: 0; width: {s20}; }}
QComboBox::down-arrow {{ image: url("{down}"); width: {s12}; height: {s12}; margin-right: {s6}; }}
QComboBox QAbstractItemView {{ background: {surface}; border: 1px solid {grid};
  selection-background-color: {wash}; selection-color: {text}; outline: 0; }}
QComboBox QAbstractItemView::item {{ padding: {s4} {s8}; }}
QTextBrowser {{ background: {surface}; border: 0; selection-background-color: {accent}; selection-color: {surface}; }}
QListWidget {{ background: {surface}; border: 0; outline: 0; }}
QListWidget::item {{ padding: {s4} {s8}; }}
QListWidget::item:selected {{ background: {wash}; color: {text}; }}
QMenu {{ background: {surface}; border: 1px solid {grid}; padding: {s4}; }}
QMenu::item {{ padding: {s6} {s24} {s6} {s12}; border-radius: {s4}; }}
QMenu::item:selected {{ background: {wash}; }}
QMenu::item:disabled {{ color: {muted}; }}
QMenu::separator {{ height: 1px; background: {grid}; margin: {s4}; }}
QToolTip {{ background: {surface}; color: {text}; border: 1px solid {grid}; padding: {s4}; }}
QSlider {{ min-height: {s24}; }}
QSlider::groove:horizontal {{ height: 4px; background: {grid}; border-radius: 2px; }}
QSlider::sub-page:horizontal {{ background: {text}; border-radius: 2px; }}
QSlider::handle:horizontal {{ background: {text}; border: 2px solid {side};
  width: {knob}px; height: {knob}px; margin: -{lift}px 0; border-radius: {round}px; }}
QSlider[ring="true"]::handle:horizontal {{ background: {side}; border: 4px solid {text}; }}
QCheckBox {{ spacing: {s8}; }}
QCheckBox::indicator {{ width: {s14}; height: {s14}; border: 1px solid {muted}; border-radius: 3px; background: {surface}; }}
QCheckBox::indicator:checked {{ background: {text}; border-color: {text}; image: url("{check}"); }}
QCheckBox {{ border: 2px solid transparent; border-radius: {s4}; }}
QCheckBox[ring="true"] {{ border-color: {text}; }}
QScrollArea, QScrollArea > QWidget > QWidget {{ border: 0; background: transparent; }}
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
QScrollBar::handle:vertical {{ background: {grid}; border-radius: 4px; min-height: {s24}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; }}
QScrollBar::handle:horizontal {{ background: {grid}; border-radius: 4px; min-width: {s24}; }}
QFrame#bar {{ background: {surface}; border: 0; border-top: 1px solid {muted}; }}
QProgressBar {{ border: 1px solid {grid}; border-radius: {s4}; background: {surface}; max-height: {s14}; }}
QFrame#bar QProgressBar {{ min-width: {s112}; max-width: {s112}; margin-right: {s48}; text-align: right; }}
QProgressBar::chunk {{ background: {text}; border-radius: {s4}; }}
QTableView {{ background: {surface}; border: 0; gridline-color: {grid}; }}
QTableView::item {{ padding: 0 {s8}; }}
QTableView::item:selected {{ background: {wash}; color: {text}; }}
QHeaderView, QTableView::corner, QAbstractScrollArea::corner {{ background: {surface}; border: 0; }}
QHeaderView::section {{ background: {surface}; color: {muted}; border: 0; border-bottom: 1px solid {grid}; padding: {s6} {s8}; }}
QHeaderView::section:vertical, QTableCornerButton::section {{ background: {surface}; border: 0; }}
"""
