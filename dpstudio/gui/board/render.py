"""SVG text to pictures: one drawing path for PNG, PDF and the clipboard. Needs a QGuiApplication;
offscreen will do."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF, QSizeF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgRenderer

from dpstudio.files.writing import replace_file
from dpstudio.gui.parts.theme import load_fonts

# Beyond this a QImage would take more than a gigabyte.
_MOST_PIXELS = 256_000_000


_application: list[QGuiApplication] = []


def headless() -> None:
    """An application that draws without a display, for the command line; nothing where there is one
    already."""
    if QGuiApplication.instance() is None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        _application.append(QGuiApplication(["dpstudio"]))
        load_fonts()


def _renderer(svg: str) -> QSvgRenderer:
    # Qt takes a list of families for one name, which nothing has; for what Inter lacks it finds a
    # font by itself.
    svg = re.sub(r'font-family="\s*([^",]+)[^"]*"', r'font-family="\1"', svg)
    renderer = QSvgRenderer(QByteArray(svg.encode("utf-8", "replace")))
    if not renderer.isValid() or renderer.defaultSize().isEmpty():
        raise ValueError("this is no SVG picture that can be drawn")
    return renderer


def svg_to_image(svg: str, scale: float = 1.0) -> QImage:
    """The picture at `scale` times its own size. ValueError if it is no SVG, or too large to
    hold."""
    renderer = _renderer(svg)
    size = renderer.defaultSize() * scale
    if size.isEmpty() or size.width() * size.height() > _MOST_PIXELS:
        raise ValueError(f"a picture of {size.width()} x {size.height()} pixels cannot be made")
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    # 96 dpi at scale 1, so that the picture keeps its printed size at every scale.
    image.setDotsPerMeterX(round(96 * scale / 0.0254))
    image.setDotsPerMeterY(round(96 * scale / 0.0254))
    painter = QPainter(image)
    renderer.render(painter, QRectF(0, 0, size.width(), size.height()))
    painter.end()
    return image


def save_png(
    svg: str, path: Path | str, scale: float = 2.0, metadata: Mapping[str, str] | None = None
) -> None:
    """Write a PNG with `metadata` as its text chunks, whole or not at all. ValueError as above,
    OSError if it cannot be written."""
    image = svg_to_image(svg, scale)
    for key, value in (metadata or {}).items():
        image.setText(key, value)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image.save(buffer, "PNG"):  # type: ignore[call-overload,unused-ignore]
        raise OSError("the picture could not be encoded as PNG")
    replace_file(Path(path), bytes(buffer.data().data()))


def save_pdf(svg: str | Sequence[str], path: Path | str, title: str = "") -> None:
    """Write a PDF, a page of the picture's own size at 96 dpi for each picture, whole or not at
    all; fonts are embedded. Errors as `save_png`."""
    pages = [_renderer(svg)] if isinstance(svg, str) else list(map(_renderer, svg))
    if not pages:
        raise ValueError("a PDF needs a page")
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(96)
    writer.setCreator("dpstudio")
    writer.setTitle(title)
    painter = QPainter()
    for number, page in enumerate(pages):
        size = page.defaultSize()
        points = QSizeF(size.width() * 0.75, size.height() * 0.75)
        writer.setPageSize(QPageSize(points, QPageSize.Unit.Point))
        writer.setPageMargins(QMarginsF(0, 0, 0, 0))
        begun = writer.newPage() if number else painter.begin(writer)
        if not begun:
            raise OSError("the PDF could not be begun")
        page.render(painter, QRectF(0, 0, size.width(), size.height()))
    painter.end()
    replace_file(Path(path), bytes(buffer.data().data()))
