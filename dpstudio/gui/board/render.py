"""SVG text to pictures: one drawing path for PNG, PDF and the clipboard. Needs a QGuiApplication;
offscreen will do."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QHashSeed,
    QIODevice,
    QMarginsF,
    QPointF,
    QRectF,
    Qt,
    QUuid,
)
from PySide6.QtGui import QGuiApplication, QImage, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgRenderer

from dpstudio.files.session import unwritten, write_file
from dpstudio.files.write.paper import DPI
from dpstudio.files.write.xmp import xmp
from dpstudio.gui.parts.theme import load_fonts

# Beyond this a QImage would take more than a gigabyte.
_MOST_PIXELS = 256_000_000
_FINE = 20


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
    svg = re.sub(r"<text .*?</text>", _fine_type, svg, flags=re.DOTALL)
    renderer = QSvgRenderer(QByteArray(svg.encode("utf-8", "replace")))
    if not renderer.isValid() or renderer.viewBoxF().isEmpty():
        raise ValueError("this is no SVG picture that can be drawn")
    return renderer


def _fine_type(found: re.Match[str]) -> str:
    """A text whose sizes are no whole px, which Qt would round: set so many times larger, and made
    smaller again."""
    text = found.group()
    if all(size.is_integer() for size in map(float, re.findall(r'font-size="([^"]*)"', text))):
        return text

    def larger(one: re.Match[str]) -> str:
        return f'{one[1]}="{float(one[2]) * _FINE:g}"'

    text = re.sub(r'\b(x|y|font-size)="([^"]*)"', larger, text)
    shrink = f"scale({1 / _FINE})"
    if ' transform="' in text:
        return re.sub(r' transform="([^"]*)"', rf' transform="\1 {shrink}"', text, count=1)
    return text.replace("<text ", f'<text transform="{shrink}" ', 1)


def svg_to_image(svg: str, scale: float = 1.0) -> QImage:
    """The picture at `scale` times its own size. ValueError if it is no SVG, or too large to
    hold."""
    renderer = _renderer(svg)
    size = (renderer.viewBoxF().size() * scale).toSize()
    if size.isEmpty() or size.width() * size.height() > _MOST_PIXELS:
        raise ValueError(f"a picture of {size.width()} x {size.height()} pixels cannot be made")
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    # 96 dpi at scale 1, so that the picture keeps its printed size at every scale.
    image.setDotsPerMeterX(round(DPI * scale / 0.0254))
    image.setDotsPerMeterY(round(DPI * scale / 0.0254))
    painter = QPainter(image)
    renderer.render(painter, QRectF(0, 0, size.width(), size.height()))
    painter.end()
    return image


def svg_within(svg: str, width: float, height: float) -> QImage:
    """The whole picture as large as it is within so many px. Errors as above."""
    own = _renderer(svg).viewBoxF().size()
    return svg_to_image(svg, min(width / own.width(), height / own.height()))


def save_png(
    svg: str, path: Path | str, scale: float = 2.0, metadata: Mapping[str, str] | None = None
) -> None:
    """Write a PNG with `metadata` as its text chunks, whole or not at all. ValueError as above,
    SessionError if it cannot be written."""
    image = svg_to_image(svg, scale)
    for key, value in (metadata or {}).items():
        image.setText(key, value)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image.save(buffer, "PNG"):  # type: ignore[call-overload,unused-ignore]
        raise unwritten(Path(path), ValueError("the picture could not be encoded as PNG"))
    write_file(Path(path), bytes(buffer.data().data()))


def save_pdf(
    svg: str | Sequence[str],
    path: Path | str,
    metadata: Mapping[str, str] | None = None,
    attached: Mapping[str, bytes] | None = None,
) -> None:
    """Write a PDF with `metadata` and files `attached` by their names, a page of the picture's own
    size at 96 dpi for each picture, whole or not at all; fonts are embedded, and equal pictures
    make equal bytes. Errors as `save_png`."""
    pages = [_renderer(svg)] if isinstance(svg, str) else list(map(_renderer, svg))
    if not pages:
        raise ValueError("a PDF needs a page")
    QHashSeed.setDeterministicGlobalSeed()  # fonts are written in the order of a hash
    try:
        body = _pdf(pages, path, "".join(svg), metadata or {}, attached or {})
    finally:
        QHashSeed.resetRandomGlobalSeed()
    write_file(Path(path), re.sub(rb"/(Creation|Mod)Date \(D:[^)]*\)", _blanked, body, count=2))


def _blanked(found: re.Match[bytes]) -> bytes:
    """As many bytes, since a PDF tells where each of its parts begins."""
    return b" " * len(found.group())


def _pdf(
    pages: Sequence[QSvgRenderer],
    path: Path | str,
    drawn: str,
    metadata: Mapping[str, str],
    attached: Mapping[str, bytes],
) -> bytes:
    """The bytes; its name follows from what is `drawn`."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(DPI)
    writer.setCreator("dpstudio")
    writer.setTitle(metadata.get("Title", ""))
    writer.setDocumentXmpMetadata(QByteArray(xmp(metadata).encode("utf-8", "replace")))
    writer.setDocumentId(QUuid.createUuidV5(QUuid(), QByteArray(drawn.encode("utf-8", "replace"))))
    for name, body in attached.items():
        writer.addFileAttachment(name, QByteArray(body))
    painter = QPainter()
    for number, page in enumerate(pages):
        size = page.viewBoxF().size()
        writer.setPageSize(QPageSize(size * (72 / DPI), QPageSize.Unit.Point))
        writer.setPageMargins(QMarginsF(0, 0, 0, 0))
        begun = writer.newPage() if number else painter.begin(writer)
        if not begun:
            raise unwritten(Path(path), ValueError("the PDF could not be begun"))
        page.render(painter, QRectF(QPointF(0, 0), size))
    painter.end()
    return bytes(buffer.data().data())


class FigureImages:
    """Pictures to files, for who may not know Qt; without a window `headless` comes first."""

    png, pdf = staticmethod(save_png), staticmethod(save_pdf)
