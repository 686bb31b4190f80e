"""How wide text is, as estimated from the widths of Inter, and the lines that it takes."""

import re
from functools import lru_cache

# Advance widths of Inter in hundredths of an em; a few wide blocks follow in _advance.
_WIDTHS = {
    c: width
    for width, characters in (
        (24, "Iijl′'"),
        (29, " !,.:;·¹₁|"),
        (36, "()/[]\\frt{}"),
        (43, '-1^_"⁰²³⁴⁵⁶⁷⁸⁹⁻₂*?`s–'),
        (56, "7JLackvxyzεδ"),
        (61, "025689EFZbdeghnopqu"),
        (66, "#$&+34<=>BKPRSTXY~±−≤≥×σ"),
        (71, "ADVΔ"),
        (75, "CGHNOQU"),
        (80, "%w…"),
        (88, "mM"),
        (96, "@W→∞"),
    )
    for c in characters
}


@lru_cache(maxsize=4096)
def _advance(character: str) -> int:
    """How far a character takes the pen, in hundredths of the size."""
    wide = (
        "\u1100" <= character <= "\u115f"
        or "\u2e80" <= character <= "\ud7ff"
        or "\uf900" <= character <= "\ufaff"
    )
    wide = (
        wide
        or "\ufe30" <= character <= "\ufe6f"
        or "\uff00" <= character <= "\uff60"
        or character >= "\U0001f000"
    )
    return 100 if wide or character == "\ufffd" else _WIDTHS.get(character, 62)


def text_width(text: str, size: float, bold: bool = False) -> float:
    """The estimated width in px of text set in Inter at `size` px; CJK characters count a full
    em."""
    return _px(sum(map(_advance, text)), size, bold)


def _px(advance: int, size: float, bold: bool) -> float:
    return advance * size / 100 * (1.04 if bold else 1.0)


_HAN = "\u2e80-\u303f\u3040-\ud7ff\uf900-\uffef"
# What stays in one line: a character of Chinese, or a word among such, with the marks about it.
_UNIT = re.compile(rf"[（“《「]*(?:[{_HAN}]|[^{_HAN}（“《「]+)[，。：；？！、）”》」…]*|.")


def _units(word: str) -> list[str]:
    return _UNIT.findall(word) if re.search(f"[{_HAN}]", word) else [word]


def wrapped(text: str, size: float, width: float, bold: bool = False) -> list[str]:
    """The text in lines of at most `width` px, broken at spaces and between characters of Chinese,
    of which no line begins or ends with a mark that belongs to its neighbour; inside words that
    are longer than a line."""
    lines, line, taken = [], "", 0
    for word in text.split():
        joint = " "
        for unit in _units(word):
            more = taken + (_advance(joint) if joint else 0) + sum(map(_advance, unit))
            if line and _px(more, size, bold) <= width:
                line, taken, joint = f"{line}{joint}{unit}", more, ""
                continue
            if line:
                lines.append(line)
            line, taken, joint = "", 0, ""
            for character in unit:
                if line and _px(taken + _advance(character), size, bold) > width:
                    lines.append(line)
                    line, taken = "", 0
                line, taken = line + character, taken + _advance(character)
    return [*lines, line] if line else lines
