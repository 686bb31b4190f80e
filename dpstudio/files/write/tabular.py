"""Tables of findings as people read them: for LaTeX (booktabs) and Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from dpstudio.labs.findings import Table
from dpstudio.values.messages import N_, Message, Num, Translate, render, unchanged

# What is read as a number, whoever wrote it: ±1,234.5, 3·10⁻⁵, 12 %, ∞, or a dash where there is
# none.
_NUMBER = re.compile("(?:1 − )?[−–+±≤≥<>≈ ]*(?:[\\d.,]*(?:·?10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]*)?|∞)? ?%?")
_SUPER, _SUB = "⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "₀₁₂₃₄₅₆₇₈₉"
_DIGITS = str.maketrans(_SUPER + _SUB, "-01234567890123456789")
# Of the letters that LaTeX does not take as they are.
_LATEX = {
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    "<": "$<$",
    ">": "$>$",
    "|": "$|$",
    "−": "$-$",
    "–": "--",
    "—": "---",
    "…": "\\dots{}",
    "\u00a0": "~",
    "\u202f": "\\,",
    "·": "$\\cdot$",
    "“": "``",
    "”": "''",
    "′": "$'$",
    **{c: f"\\{c}" for c in "&%$#_{}"},
    **{
        c: f"$\\{name}$"
        for c, name in {
            "ε": "varepsilon",
            "δ": "delta",
            "Δ": "Delta",
            "σ": "sigma",
            "μ": "mu",
            "ρ": "rho",
            "α": "alpha",
            "β": "beta",
            "γ": "gamma",
            "λ": "lambda",
            "π": "pi",
            "∞": "infty",
            "≤": "leq",
            "≥": "geq",
            "≈": "approx",
            "≠": "neq",
            "±": "pm",
            "×": "times",
            "→": "to",
        }.items()
    },
}
_RAISED = re.compile(f"[{_SUPER}]+|[{_SUB}]+|.", re.DOTALL)


def cell_words(cell: Any, translate: Translate = unchanged) -> str:
    """A cell as people read it."""
    if isinstance(cell, Message | str):
        return render(cell, translate)
    if cell is None:
        return "–"
    if isinstance(cell, bool):
        return translate(N_("yes")) if cell else translate(N_("no"))
    return str(cell if isinstance(cell, Num) else Num(float(cell), 4))


def is_number(text: str) -> bool:
    """Whether a text is read as a number, and stands right."""
    return _NUMBER.fullmatch(text) is not None


def table_latex(
    table: Table, cells: Sequence[tuple[int, int]] = (), translate: Translate = unchanged
) -> str:
    """The columns and rows of the cells (row, column) below their heads, none: all; it needs
    \\usepackage{booktabs}."""
    heads, rows = table_words(table, cells, translate)
    sides = "".join("r" if all(map(is_number, column)) else "l" for column in zip(*rows))  # noqa: B905
    head, *body = (" & ".join(map(latex, row)) + r" \\" for row in (heads, *rows))
    title = " ".join(render(table.title, translate).split())
    lines = (f"% {title}", f"\\begin{{tabular}}{{{sides}}}", r"\toprule", head, r"\midrule")
    return "\n".join((*lines, *body, r"\bottomrule", r"\end{tabular}"))


def table_markdown(
    table: Table, cells: Sequence[tuple[int, int]] = (), translate: Translate = unchanged
) -> str:
    """The same as a Markdown table, as GitHub and Pandoc read it."""
    heads, rows = table_words(table, cells, translate)
    rule = ["--:" if all(map(is_number, column)) else "---" for column in zip(*rows)]  # noqa: B905
    lines = [list(map(as_markdown, heads)), rule, *(list(map(as_markdown, row)) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def table_words(
    table: Table, cells: Sequence[tuple[int, int]], translate: Translate
) -> tuple[list[str], list[list[str]]]:
    """Heads and rows in one line each."""
    heads = [render(head, translate) for head in table.heads] or [name for name, _ in table.columns]
    rows = list(zip(*(column for _, column in table.columns), strict=True))
    down = sorted({row for row, _ in cells}) or range(len(rows))
    across = sorted({column for _, column in cells}) or range(len(heads))
    told = [[cell_words(rows[row][column], translate) for column in across] for row in down]
    return [" ".join(heads[column].split()) for column in across], [
        [" ".join(text.split(" ")).replace("\n", " ") for text in row] for row in told
    ]


def latex(text: str) -> str:
    """Plain text for LaTeX, in any engine as far as the field's own letters go."""

    def letter(found: re.Match[str]) -> str:
        part = found.group()
        if part[0] in _SUPER + _SUB:
            return f"${'^' if part[0] in _SUPER else '_'}{{{part.translate(_DIGITS)}}}$"
        return _LATEX.get(part, part)

    return _RAISED.sub(letter, text)


def as_markdown(text: str) -> str:
    """Plain text for Markdown: nothing in it is markup."""
    return re.sub(r"([\\`*_{}\[\]<>#|~$])", r"\\\1", text)
