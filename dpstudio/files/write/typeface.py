"""The letters of an SVG inside it, so that it looks the same where Inter is not installed."""

import re
from base64 import b64encode
from copy import copy
from functools import lru_cache
from html import unescape
from io import BytesIO
from threading import Lock
from typing import TYPE_CHECKING

from dpstudio.files.assets import asset

if TYPE_CHECKING:
    from fontTools.misc.psCharStrings import T2CharString
    from fontTools.ttLib import TTFont

_FILES = {400: "Inter-Regular", 500: "Inter-Medium", 600: "Inter-SemiBold"}
_CHINESE, _HAN = "NotoSansSC-Regular", re.compile("[\u2e80-\uffef]")


def with_typeface(svg: str) -> str:
    """A drawing with the glyphs of Inter that its texts use, a web font a weight, and with those of
    Chinese; what both lack is left to the fonts of the reader."""
    texts = re.findall(r"<text\b.*?</text>", svg, re.DOTALL)
    used = "".join(sorted(set(unescape(re.sub(r"<[^>]*>", "", "".join(texts))))))
    weights = {int(weight) for weight in re.findall(r'font-weight="(\d+)"', svg)}
    if any("font-weight=" not in text for text in texts):
        weights.add(400)
    kinds = [("Inter", weight, _FILES[weight], used) for weight in sorted(weights & set(_FILES))]
    if han := "".join(_HAN.findall(used)):
        kinds.append(("'Noto Sans SC'", 400, _CHINESE, han))
    faces = "".join(
        f"@font-face{{font-family:{family};font-weight:{weight};"
        f'src:url("data:font/woff;base64,{_subset(file, letters)}") format("woff")}}'
        for family, weight, file, letters in kinds
    )
    return svg.replace("<rect ", f"<style>{faces}</style>\n<rect ", 1) if faces else svg


@lru_cache(maxsize=64)
def _subset(file: str, used: str) -> str:
    """The characters that are used, as a web font in base64: glyphs as they are drawn, without
    hints and kerning, which the lines are laid without; no clock goes in. To take all others out of
    a copy of the font takes five times as long as to write these."""
    from fontTools.fontBuilder import FontBuilder

    with _READING:
        whole = _whole(file)
        names, widths = whole.getBestCmap(), whole["hmtx"].metrics
        letters = {ord(one): names[ord(one)] for one in used if ord(one) in names}
        order = [".notdef", *sorted({*letters.values()})]
        drawn = {name: _glyph(file, name) for name in order}
        about = whole["CFF "].cff.topDictIndex[0].rawDict
        made = FontBuilder(whole["head"].unitsPerEm, isTTF=False)
        # Of the whole font: to draw all glyphs again for their bounds takes most of the time.
        made.font.recalcBBoxes = False
        for table in ("head", "hhea", "OS/2", "post"):
            made.font[table] = copy(whole[table])
    made.setupGlyphOrder(order)
    made.setupCharacterMap(letters)
    family, _, style = file.partition("-")
    made.setupNameTable({"familyName": family, "styleName": style}, mac=False)
    told = {key: value for key, value in about.items() if isinstance(value, str)}
    told["FontBBox"] = about["FontBBox"]
    made.setupCFF(file, told, drawn, {})
    made.setupHorizontalMetrics({name: widths[name] for name in order})
    made.font.flavor, out = "woff", BytesIO()
    made.font.save(out)
    return b64encode(out.getvalue()).decode()


_READING = Lock()  # a font is read bit by bit, as its glyphs are asked for


@lru_cache(maxsize=8)
def _whole(file: str) -> "TTFont":
    from fontTools.ttLib import TTFont

    return TTFont(BytesIO(asset("fonts", f"{file}.otf").read_bytes()), lazy=True)


@lru_cache(maxsize=16384)
def _glyph(file: str, name: str) -> "T2CharString":
    """How one is drawn; nothing where a letter is missing."""
    from fontTools.pens.t2CharStringPen import T2CharStringPen

    whole = _whole(file)
    pen = T2CharStringPen(whole["hmtx"].metrics[name][0], None)
    if name != ".notdef":
        whole.getGlyphSet()[name].draw(pen)
    drawn = pen.getCharString()
    drawn.compile()  # once for all fonts that it goes into
    return drawn
