"""The letters of an SVG inside it, so that it looks the same where Inter is not installed."""

import re
from base64 import b64encode
from functools import lru_cache
from html import unescape
from io import BytesIO

from dpstudio.files.assets import asset

_FILES = {400: "Regular", 500: "Medium", 600: "SemiBold"}


def with_typeface(svg: str) -> str:
    """A drawing with the glyphs of Inter that its texts use, a web font a weight; what Inter lacks
    (Chinese, say) is left to the fonts of the reader."""
    texts = re.findall(r"<text\b.*?</text>", svg, re.DOTALL)
    used = "".join(sorted(set(unescape(re.sub(r"<[^>]*>", "", "".join(texts))))))
    weights = {int(weight) for weight in re.findall(r'font-weight="(\d+)"', svg)}
    if any("font-weight=" not in text for text in texts):
        weights.add(400)
    faces = "".join(
        f"@font-face{{font-family:Inter;font-weight:{weight};"
        f'src:url("data:font/woff;base64,{_subset(weight, used)}") format("woff")}}'
        for weight in sorted(weights & set(_FILES))
    )
    return svg.replace("<rect ", f"<style>{faces}</style>\n<rect ", 1) if faces else svg


@lru_cache(maxsize=64)
def _subset(weight: int, used: str) -> str:
    """The characters that are used, as a web font in base64."""
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    path = asset("fonts", f"Inter-{_FILES[weight]}.otf")
    # No clock goes in, and no kerning: it takes four times as long, and the lines are laid without.
    with TTFont(path, lazy=True, recalcTimestamp=False) as font:
        for table in {"GSUB", "GPOS", "GDEF"} & set(font.keys()):
            del font[table]
        chosen = Subsetter(Options(layout_features=[], hinting=False, name_IDs=[1, 2]))
        chosen.populate(text=used)
        chosen.subset(font)
        font.flavor, out = "woff", BytesIO()
        font.save(out)
    return b64encode(out.getvalue()).decode()
