"""What calamine does not tell of a sheet of an .xlsx file: errors such as #DIV/0!, and formulas
whose value was not kept; from its XML, as it is read."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field
from typing import IO, Any
from xml.parsers import expat
from zipfile import BadZipFile, ZipFile

_MOST = 1 << 28  # bytes of XML that are looked through
_BLOCK = 1 << 20


@dataclass
class SheetErrors:
    """The errors of a sheet by row and column, from 0, and how many formulas have no value."""

    errors: dict[tuple[int, int], str] = field(default_factory=dict)
    formulas: int = 0


def untold(book: IO[bytes], sheet: str) -> SheetErrors:
    """What a sheet holds besides values. Nothing of other files than .xlsx and .xlsm, or of one
    that is broken, of which calamine says more; and of the first bytes of a long one alone."""
    found = _Cells()
    try:
        with ZipFile(book) as archive:
            path = _path(archive, sheet)
            if path and _worth(archive, path):
                with archive.open(path) as xml:
                    _parse(xml, found.begin, found.end, found.text)
    except (BadZipFile, KeyError, ValueError, OSError, NotImplementedError, RuntimeError):
        pass
    except expat.ExpatError:
        pass
    return found.untold


def _path(archive: ZipFile, sheet: str) -> str:
    """Where the XML of a sheet lies; "" where it is not told."""
    ids, paths = dict[str, str](), dict[str, str]()

    def of_sheet(name: str, given: dict[str, str]) -> None:
        if name.rpartition(":")[2] == "sheet":
            told = next((v for k, v in given.items() if k.rpartition(":")[2] == "id"), "")
            ids[given.get("name", "")] = told

    def of_relation(name: str, given: dict[str, str]) -> None:
        if name.rpartition(":")[2] == "Relationship":
            paths[given.get("Id", "")] = given.get("Target", "")

    with archive.open("xl/workbook.xml") as xml:
        _parse(xml, of_sheet)
    with archive.open("xl/_rels/workbook.xml.rels") as xml:
        _parse(xml, of_relation)
    target = paths.get(ids.get(sheet, ""), "")
    return posixpath.normpath(posixpath.join("/xl", target)).lstrip("/") if target else ""


def _worth(archive: ZipFile, path: str) -> bool:
    """Whether there may be an error or a formula at all."""
    before = b""
    with archive.open(path) as xml:
        for _ in range(_MOST // _BLOCK):
            block = xml.read(_BLOCK)
            if not block:
                return False
            if any(sign in before + block for sign in (b'"e"', b"'e'", b"<f", b":f")):
                return True
            before = block[-3:]
    return False


def _parse(xml: IO[bytes], begin: Any, end: Any = None, text: Any = None) -> None:
    """Raises ExpatError where it is no XML, and ValueError where it declares what XML of workbooks
    never does and bombs are made of."""
    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.CharacterDataHandler = text
    parser.EntityDeclHandler = _refuse
    parser.buffer_text = True
    for _ in range(_MOST // _BLOCK):
        block = xml.read(_BLOCK)
        parser.Parse(block, not block)
        if not block:
            return


def _refuse(*_: Any) -> None:
    raise ValueError("entities")


class _Cells:
    """What is known of the cell that is read, and of those before."""

    def __init__(self) -> None:
        self.untold = SheetErrors()
        self.row = self.column = -1
        self.error = self.formula = self.valued = self.within = False
        self.word = ""

    def begin(self, name: str, given: dict[str, str]) -> None:
        """An element begins."""
        kind = name.rpartition(":")[2]
        if kind == "row":
            told = given.get("r", "")
            self.row, self.column = int(told) - 1 if told else self.row + 1, -1
        elif kind == "c":
            letters = given.get("r", "").rstrip("0123456789")
            self.column = _number(letters) if letters else self.column + 1
            self.error = given.get("t") == "e"
            self.formula = self.valued = False
            self.word = ""
        elif kind == "f":
            self.formula = True
        elif kind in ("v", "is"):
            self.within = kind == "v"
            self.valued |= kind == "is"

    def text(self, part: str) -> None:
        """Text in an element."""
        if self.within:
            self.word, self.valued = self.word + part, True

    def end(self, name: str) -> None:
        """An element ends."""
        kind = name.rpartition(":")[2]
        self.within = self.within and kind != "v"
        if kind == "c":
            if self.error and self.word:
                self.untold.errors[self.row, self.column] = self.word
            self.untold.formulas += self.formula and not self.valued


def _number(letters: str) -> int:
    """A is 0, Z is 25, AA is 26."""
    place = 0
    for letter in letters.upper():
        place = 26 * place + ord(letter) - 64
    return place - 1
