"""A formula as the screen writes it, in letters and signs, as LaTeX."""

import re
from collections.abc import Iterator

_SIGNS = {
    **dict(zip("εδΔσμραλθφγηβχΦωτκνζψΩ", [
        r"\varepsilon", r"\delta", r"\Delta", r"\sigma", r"\mu", r"\rho", r"\alpha", r"\lambda",
        r"\theta", r"\varphi", r"\gamma", r"\eta", r"\beta", r"\chi", r"\Phi", r"\omega", r"\tau",
        r"\kappa", r"\nu", r"\zeta", r"\psi", r"\Omega",
    ], strict=True)),
    **dict(zip("ΣΠ∫·×…≤≥≠≈≪≫∝∈∪∩⊂⇒→←↔↦∞±¬∨∧‖−½¼¾", [
        r"\sum", r"\prod", r"\int", r"\cdot", r"\times", r"\dots", r"\le", r"\ge", r"\ne",
        r"\approx", r"\ll", r"\gg", r"\propto", r"\in", r"\cup", r"\cap", r"\subset",
        r"\Rightarrow", r"\to", r"\leftarrow", r"\leftrightarrow", r"\mapsto", r"\infty", r"\pm",
        r"\neg", r"\vee", r"\wedge", r"\|", "-", r"\tfrac{1}{2}", r"\tfrac{1}{4}", r"\tfrac{3}{4}",
    ], strict=True)),
    **{"{": r"\{", "}": r"\}", "%": r"\%", "#": r"\#", "&": r"\&", "$": r"\$", "′": "'"},
}  # fmt: skip
_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿⁱᵏᵋᵀ", [*"0123456789-+nik", r"\varepsilon", r"\top"], strict=True))
_LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉₋₊ᵢⱼₖₙₓₘ", "0123456789-+ijknxm", strict=True))
_MARKS = {"\u0302": r"\hat", "\u0304": r"\bar"}
_NAMED = ("ln", "exp", "max", "min", "sup", "inf", "tanh", "log")
_OPERATORS = ("argmax", "tr", "Var", "cov", "clip", "orth", "Beta", "Lap", "Geom")
_SMALL = ("do", "of", "in", "or", "to", "by", "at", "is", "as", "if", "no", "on", "an", "it")
_WORD = r"[A-Za-z]+(?:[’'-][A-Za-z]+)*"
_TOKEN = re.compile(rf"“[^”]*”|[A-Za-z][{''.join(_MARKS)}]|{_WORD}|\d+(?:[.,]\d+)*|\s+|.")
_CLOSED = {"(": ")", "|": "|"}


def latex(formula: str) -> str:
    """A formula as LaTeX, for between two $. Words in it become text."""
    return "".join(_spaced(_atoms(_TOKEN.findall(formula)))).strip()


def _spaced(atoms: Iterator[str]) -> Iterator[str]:
    """Atoms with a space between a command and a letter."""
    before = ""
    for atom in atoms:
        if re.search(r"\\[A-Za-z]+$", before) and atom[:1].isalpha():
            yield " "
        yield atom
        before = atom


def _atoms(pieces: list[str]) -> Iterator[str]:
    at = 0
    while at < len(pieces):
        words = _words(pieces, at)
        if words > at:
            # The spaces around words belong to them: a formula has none.
            said = "".join(pieces[at:words]).replace("“", "``").replace("”", "''")
            said = said.replace("’", "'")
            yield rf"\text{{{_escaped(said)}}}"
            at = words
            continue
        held, at = _atom(pieces, at)
        yield held


def _words(pieces: list[str], at: int) -> int:
    """Where words that begin here end, with the spaces around them; `at` where none begin."""
    begin = at + pieces[at].isspace()
    end = begin
    while end < len(pieces) and (_is_word(pieces, end) or (end > begin and pieces[end].isspace())):
        end += 1
    return end if end > begin else at


def _is_word(pieces: list[str], at: int) -> bool:
    piece = pieces[at]
    if piece.startswith("“"):
        return True
    if not re.fullmatch(_WORD, piece) or piece in (*_NAMED, *_OPERATORS) or piece.isupper():
        return False
    if piece == "a":  # the article, before a word
        return len(pieces) > at + 2 and pieces[at + 1].isspace() and _is_word(pieces, at + 2)
    return len(piece) > 2 or piece in _SMALL


def _atom(pieces: list[str], at: int) -> tuple[str, int]:
    """One sign with what it carries, and where the next begins."""
    piece = pieces[at]
    if piece in _RAISED or piece in _LOWERED:
        table, mark = (_RAISED, "^") if piece in _RAISED else (_LOWERED, "_")
        end = at
        while end < len(pieces) and pieces[end] in table:
            end += 1
        return f"{mark}{{{''.join(_spaced(table[each] for each in pieces[at:end]))}}}", end
    if piece in ("^", "_") and at + 1 < len(pieces):
        inner, end = _group(pieces, at + 1)
        return f"{piece}{{{inner}}}", end
    if piece == "√" and at + 1 < len(pieces):
        inner, end = _group(pieces, at + 1)
        if pieces[at + 1] in _OPERATORS:  # with what it is of
            of, end = _atom(pieces, end + pieces[end].isspace())
            inner += " " + of
        while end < len(pieces) and pieces[end] in (*_RAISED, *_LOWERED):
            script, end = _atom(pieces, end)
            inner += script
        return rf"\sqrt{{{inner}}}", end
    return _sign(piece), at + 1


def _group(pieces: list[str], at: int) -> tuple[str, int]:
    """What stands in brackets from here on, without them, or between two bars, or one sign."""
    opened = pieces[at]
    if opened not in _CLOSED:
        if re.fullmatch(_WORD, opened) and len(opened) > 2 and opened not in _OPERATORS:
            return rf"\text{{{opened}}}", at + 1
        return _atom(pieces, at)
    depth, end = 1, at + 1
    while end < len(pieces) and depth:
        closes = pieces[end] == _CLOSED[opened]
        depth += (pieces[end] == opened and not closes) - closes
        end += 1
    inner = latex("".join(pieces[at + 1 : end - 1]))
    return (inner if opened == "(" else f"|{inner}|"), end


def _sign(piece: str) -> str:
    if piece[-1] in _MARKS:
        return f"{_MARKS[piece[-1]]}{{{piece[0]}}}"
    if piece in _NAMED:
        return rf"\{piece}"
    if piece in _OPERATORS:
        return rf"\operatorname{{{piece}}}"
    if re.fullmatch(_WORD, piece) and len(piece) > 2:
        return rf"\mathrm{{{piece}}}"
    if piece.isspace():
        return " "
    return _SIGNS.get(piece, piece if piece.isascii() else rf"\text{{{piece}}}")


def _escaped(text: str) -> str:
    return re.sub(r"[{}%#&$_]", lambda found: "\\" + found[0], text)
