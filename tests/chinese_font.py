"""The font of Chinese: the characters of our texts, the 3,755 common ones and Greek, out of the font
that Debian has as fonts-noto-cjk (OFL 1.1). What is written beyond them comes from the system.

python tests/chinese_font.py NotoSansCJK-Regular.ttc        writes it anew
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTCollection, TTFont
from languages import LANGUAGES

FONT = LANGUAGES.parent / "fonts/NotoSansSC-Regular.otf"
NAME = "Noto Sans CJK SC"


def common() -> set[str]:
    """The first level of GB 2312, which are the 3,755 common characters."""
    pairs = (bytes((row, cell)) for row in range(0xB0, 0xD8) for cell in range(0xA1, 0xFF))
    return {pair.decode("gb2312") for pair in pairs if pair[0] < 0xD7 or pair[1] < 0xFA}


def written() -> set[str]:
    """The characters of all texts in Chinese, and of the names that places have in theirs."""
    chinese = LANGUAGES / "zh_CN"
    paths = [*chinese.glob("*.po"), chinese / "terms.toml", *chinese.rglob("*.md")]
    companion = (LANGUAGES.parent / "companion").rglob("*.json")
    text = "".join(path.read_text(encoding="utf-8") for path in (*paths, *companion))
    return {letter for letter in text if "\u2000" <= letter < "\ufff0"}


def wanted() -> set[str]:
    """All that the font is to have."""
    marks = set(map(chr, (*range(0x3000, 0x3018), *range(0xFF01, 0xFF5F), *range(0x2010, 0x2027))))
    return common() | written() | marks | set(map(chr, range(0x391, 0x3CA)))


def as_high_as_inter(font: TTFont) -> None:
    """A line with Chinese in it is as high as one without, so that both languages have one layout."""
    inter = TTFont(FONT.with_name("Inter-Regular.otf"))
    of, at = inter["hhea"], inter["head"].unitsPerEm
    high, low = (int(font["head"].unitsPerEm * one / at) for one in (of.ascent, -of.descent))
    font["hhea"].ascent, font["hhea"].descent = high, -low
    mark = font["OS/2"]
    mark.sTypoAscender, mark.sTypoDescender, mark.sTypoLineGap = high, -low, 0
    mark.usWinAscent, mark.usWinDescent = high, low


def main() -> None:
    """As this file says at its head."""
    fonts = TTCollection(sys.argv[1]).fonts
    font = next(one for one in fonts if one["name"].getDebugName(1) == NAME)
    options = subset.Options(
        layout_features=["locl", "vert"], hinting=False, name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14]
    )
    cut = subset.Subsetter(options)
    cut.populate(text="".join(wanted()))
    cut.subset(font)
    for one in font["name"].names:  # it is another font now, which may stand beside the whole one
        one.string = one.toUnicode().replace(NAME, "Noto Sans SC").replace("CJKsc", "SC")
    cff = font["CFF "].cff
    cff.fontNames = ["NotoSansSC-Regular"]
    cff.topDictIndex[0].FullName = cff.topDictIndex[0].FamilyName = "Noto Sans SC"
    as_high_as_inter(font)
    font.save(FONT)
    print(FONT.name, Path(FONT).stat().st_size, len(font.getBestCmap()))


if __name__ == "__main__":
    main()
