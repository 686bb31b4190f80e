"""Pages of paper as SVG texts: their size, their type, and what stands on them in blocks."""

from collections.abc import Sequence

from dpstudio.files.write.palette import palette
from dpstudio.files.write.svg import FONTS
from dpstudio.files.write.svg_text import escaped
from dpstudio.files.write.text_width import text_width, wrapped

# A sheet of A4 in px at 96 dpi, and the margin around what stands on it.
WIDTH, HEIGHT, MARGIN = 793.7, 1122.5, 60.0
ROOM, ASIDE = WIDTH - 2 * MARGIN, 168.0  # of a line, and where what stands beside a name begins
NAME, TITLE, TEXT, SMALL, LINE, GAP = 25.0, 17.0, 13.0, 10.5, 1.4, 22.0
Block = tuple[list[str], float]  # SVG elements from (0, 0) on, and their height in px


def page(blocks: Sequence[Block], foot: str, gap: float = GAP) -> str:
    """Blocks below one another, as one SVG text, with so much between them."""
    inks, out, top = palette(False, printed=True), list[str](), MARGIN
    for parts, high in blocks:
        out += [f'<g transform="translate({MARGIN} {top:.1f})">', *parts, "</g>"]
        top += high + gap
    place = f'x="{MARGIN}" y="{HEIGHT - MARGIN / 2:.1f}" font-size="{SMALL}"'
    out.append(f'<text {place} fill="{inks["muted"]}">{escaped(foot)}</text>')
    size = f'width="{WIDTH}" height="{HEIGHT}"'
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" '
        f'version="1.1" {size} viewBox="0 0 {WIDTH} {HEIGHT}" font-family="{FONTS}">\n'
        f'<rect x="0" y="0" {size} fill="{inks["surface"]}"/>\n' + "\n".join(out) + "\n</svg>\n"
    )


def head(name: str, about: str) -> Block:
    """A name, and what it is of, and the height in px."""
    inks, out, y = palette(False, printed=True), list[str](), 0.0
    for words, size, ink, weight in ((name, NAME, "text", 600), (about, TEXT, "muted", 400)):
        for line in wrapped(words, size, ROOM, weight > 400):
            y += size * LINE
            out.append(text(line, y, size, inks[ink], weight))
    return out, y + GAP


def text(words: str, y: float, size: float, ink: str, weight: int) -> str:
    """A line of text at that height."""
    look = f'font-size="{size}" font-weight="{weight}" fill="{ink}"'
    return f'<text x="0" y="{y:.1f}" {look}>{escaped(words)}</text>'


def lines(words: str, size: float, ink: str, weight: int = 400, room: float = ROOM) -> Block:
    """A text in as many lines as it needs."""
    inks, out, y = palette(False, printed=True), list[str](), 0.0
    for line in wrapped(words, size, room, weight > 400):
        y += size * LINE
        out.append(text(line, y, size, inks[ink], weight))
    return out, y


def row(name: str, words: str, size: float = SMALL) -> Block:
    """A name, and beside it what it is; without a name the words from edge to edge."""
    if not name:
        return lines(words, size, "text")
    left, one = lines(name, size, "muted", room=ASIDE - size)
    right, two = lines(words, size, "text", room=ROOM - ASIDE)
    return [*left, f'<g transform="translate({ASIDE} 0)">', *right, "</g>"], max(one, two)


def joined(blocks: Sequence[Block]) -> Block:
    """Blocks that no page break parts."""
    out, y = list[str](), 0.0
    for parts, high in blocks:
        out += [f'<g transform="translate(0 {y:.1f})">', *parts, "</g>"]
        y += high
    return out, y


def flow(blocks: Sequence[Block], gap: float = 0.0) -> list[list[Block]]:
    """Blocks page by page, with so much between them; a page does not begin with empty space."""
    pages, room = [list[Block]()], HEIGHT - 2 * MARGIN
    for block in blocks:
        if block[1] > room:
            pages.append([])
            room = HEIGHT - 2 * MARGIN
        if block[0] or pages[-1]:
            pages[-1].append(block)
            room -= block[1] + gap
    return [page for page in pages if page]


def grid(rows: Sequence[Sequence[str]], right: Sequence[bool], size: float = SMALL) -> list[Block]:
    """Rows of words in columns, the first of them heads; those that stand `right` are numbers.
    Where the columns have no room side by side the widest give way."""
    wide = [max(text_width(cell, size) for cell in column) + size for column in zip(*rows)]  # noqa: B905
    fair = ROOM / len(wide)
    over, large = sum(wide) - ROOM, sum(each for each in wide if each > fair)
    if over > 0:
        wide = [each - over * each / large if each > fair else each for each in wide]
    out = list[Block]()
    for number, row in enumerate(rows):
        ink, parts, high, left = "text" if number else "muted", list[str](), 0.0, 0.0
        for cell, room, side in zip(row, wide, right, strict=True):
            drawn, deep = lines(cell, size, ink, room=room - size / 2)
            x = left + (room - size - text_width(cell, size) if side else 0.0)
            parts += [f'<g transform="translate({max(x, left):.1f} 0)">', *drawn, "</g>"]
            high, left = max(high, deep), left + room
        out.append((parts, high))
    return out
