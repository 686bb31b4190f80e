"""Chinese is drawn by a font of ours: in the window, in an SVG, and without a display."""

import re
from base64 import b64decode
from io import BytesIO

import pytest
from chinese_font import FONT, common, written
from fontTools.ttLib import TTFont

from dpstudio.files.write.text_width import wrapped
from dpstudio.files.write.typeface import with_typeface
from dpstudio.gui.board.render import headless, svg_to_image

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30" viewBox="0 0 90 30" '
    'font-family="Inter, Arial"><rect width="90" height="30" fill="#fff"/>'
    '<text x="4" y="20" font-size="20" font-weight="400">{}</text></svg>'
)


def test_the_font_has_what_is_written_and_what_is_common() -> None:
    font = TTFont(FONT)
    inter = TTFont(FONT.with_name("Inter-Regular.otf")).getBestCmap()
    has = {chr(code) for code in (*font.getBestCmap(), *inter)}
    assert len(common()) == 3755
    assert common() - has == set()
    assert {letter for letter in written() - has if letter >= "\u2e80"} == set(), (
        "python tests/chinese_font.py"
    )
    assert FONT.stat().st_size < 1_600_000


def test_a_line_with_chinese_is_as_high_as_one_without() -> None:
    lines = []
    for name in ("Inter-Regular.otf", FONT.name):
        font = TTFont(FONT.with_name(name))
        mark, size = font["hhea"], font["head"].unitsPerEm
        lines.append((mark.ascent / size, mark.descent / size, mark.lineGap))
    assert lines[1] == pytest.approx(lines[0], abs=0.002), "python tests/chinese_font.py"


def test_an_svg_brings_the_letters_that_it_uses() -> None:
    drawn = with_typeface(SVG.format("ε为隐私"))
    faces = dict(
        re.findall(r"font-family:'?([\w ]+)'?;font-weight:400;src:url\(\"[^,]*,([^\"]*)", drawn)
    )
    held = {
        name: {chr(code) for code in TTFont(BytesIO(b64decode(face))).getBestCmap()}
        for name, face in faces.items()
    }
    assert held == {"Inter": {"ε"}, "Noto Sans SC": set("为隐私")}
    assert "Noto" not in with_typeface(SVG.format("ε"))


def test_a_picture_without_a_display_has_them_too() -> None:
    """One that no font has would be drawn as the box of what is missing, as another one is."""
    headless()
    one, other = (svg_to_image(SVG.format(text)) for text in ("隐", "私"))
    assert one != other
    assert one != svg_to_image(SVG.format(" "))


def test_chinese_breaks_between_characters_but_not_before_its_marks() -> None:
    text = "噪声的标准差为1.41，是原来的两倍（见“说明”）。隐私预算减半。"
    for room in range(30, 200, 7):
        lines = wrapped(text, 14, float(room))
        assert "".join(lines) == text
        assert not [line for line in lines[1:] if line[0] in "，。）”" and len(lines) < 12]
        assert not [line for line in lines[:-1] if line[-1] in "（"]
    assert wrapped("two “words” here", 14, 60.0) == ["two", "“words”", "here"]
