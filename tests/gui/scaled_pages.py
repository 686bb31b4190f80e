"""Every page on a screen of another scale: which words are cut, and which hardly stand out from
their ground. A process of its own, since only a new one has another scale:
`QT_SCALE_FACTOR=2 python tests/gui/scaled_pages.py [light|dark] [PAGE …]`; all pages where none is
named."""

import json
import os
import sys
from functools import partial

import numpy as np
from hand import clipped, seen, short
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from dpstudio.gui.parts.labels import ElidedLabel
from dpstudio.gui.shell import lab_result
from dpstudio.gui.shell.app import make_app, make_window
from dpstudio.gui.shell.pages import IMPORT_PAGE, NO_LABS
from dpstudio.gui.shell.studio import Studio
from dpstudio.gui.state.settings import Settings
from dpstudio.labs.context import LITTLE, Context
from dpstudio.labs.naming import every_lab

KEYS = Qt.KeyboardModifier
BESIDE = {
    "find": (Qt.Key.Key_K, KEYS.ControlModifier),
    "help": (Qt.Key.Key_F1, KEYS.NoModifier),
    "manual": (Qt.Key.Key_F1, KEYS.ShiftModifier),
}
PAGES = (
    *(kind.key for kind in every_lab()),
    *(each for each in NO_LABS if each != IMPORT_PAGE),
    *BESIDE,
)
LEAST = 4.5  # of WCAG 2.2 AA, for words of any size


def waited(studio: Studio) -> None:
    """Until what a page is made of stands there."""
    for _ in range(3000):
        busy = studio.jobs.busy("table", "lab") or studio.pictures.busy
        if not (busy or studio.pages.column.waits or studio.window.style_sheets.changing):
            break
        QTest.qWait(5)
    else:
        raise SystemExit(f"nothing came of {studio.page}")
    QTest.qWait(30)  # the layout follows


def luminance(colors: np.ndarray) -> np.ndarray:
    """The relative luminance of colours that are 0xAARRGGBB."""
    part = np.stack([colors >> 16 & 255, colors >> 8 & 255, colors & 255], axis=-1) / 255
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ (0.2126, 0.7152, 0.0722))


def standing_out(pixels: np.ndarray) -> float:
    """The contrast of the strongest ink with the ground, which is the most frequent colour."""
    colors, counts = np.unique(pixels, return_counts=True)
    light = luminance(colors)
    ground = light[counts.argmax()]
    return float(((np.maximum(light, ground) + 0.05) / (np.minimum(light, ground) + 0.05)).max())


def faults(studio: Studio) -> list[str]:
    """Words that are cut, and words that are hardly read."""
    window = studio.window
    words = [w for w in seen(window) if isinstance(w, QLabel | QPushButton) and w.text().strip()]
    out = clipped(studio)
    out += [f"“{w.text()}” is cut" for w in words if not isinstance(w, ElidedLabel) and short(w)]
    picture = window.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    ratio = picture.devicePixelRatio()
    pixels = np.frombuffer(picture.constBits(), np.uint32).reshape(picture.height(), -1)
    for w in words:
        rect = w.visibleRegion().boundingRect()
        at = w.mapTo(window, rect.topLeft())
        over = window.childAt(at + QPoint(rect.width() // 2, rect.height() // 2))
        top, left = round(at.y() * ratio), round(at.x() * ratio)
        high, wide = round(rect.height() * ratio), round(rect.width() * ratio)
        part = pixels[top : top + high, left : left + wide]
        if w.isEnabled() and over is not None and (over is w or over.isAncestorOf(w)) and part.size:
            found = standing_out(part)
            if 1.0 < found < LEAST:  # what only the pointer calls up is not there yet
                out.append(f"“{w.text()}” has a contrast of {found:.2f}")
    return out


def main(ink: str = "light", *pages: str) -> None:
    make_app()
    lab_result.Context = partial(Context, effort=LITTLE)  # type: ignore[misc]
    Settings.begun = True
    window = make_window(None)
    window.resize(1280, 800)
    window.theme.set_dark(ink == "dark")
    window.show()
    while window.studio is None or window.studio.findings is None:
        QTest.qWait(10)
    studio, found = window.studio, dict[str, list[str]]()
    assert window.devicePixelRatioF() == float(os.environ["QT_SCALE_FACTOR"])
    for page in pages or PAGES:
        if page in BESIDE:
            QTest.keyClick(window, *BESIDE[page])
        else:
            studio.show_page(page)
        waited(studio)
        assert page in BESIDE or studio.page == page
        found[page] = faults(studio)
        if page in BESIDE:
            QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Escape)
    wrong = {page: said for page, said in found.items() if said}
    print(json.dumps(wrong, ensure_ascii=False), flush=True)
    studio.unsaved.discard()
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
