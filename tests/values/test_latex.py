"""Formulas as LaTeX: all that the glossary has, and read back they are what stood there."""

import re
import unicodedata

import pytest

from dpstudio.files.glossary import glossary
from dpstudio.values.latex import latex

# Read back: what each command stands for, by its own name where Unicode has none that is like it.
SIGNS = {
    "varepsilon": "ε", "varphi": "φ", "sum": "Σ", "prod": "Π", "int": "∫", "cdot": "·", "dots": "…",
    "le": "≤", "ge": "≥", "ne": "≠", "approx": "≈", "ll": "≪", "propto": "∝", "in": "∈", "cup": "∪",
    "cap": "∩", "subset": "⊂", "Rightarrow": "⇒", "leftarrow": "←", "leftrightarrow": "↔",
    "mapsto": "↦", "pm": "±", "top": "T", "sqrt": "√", "|": "‖", "%": "%", "{": "{", "}": "}",
    "text": "", "mathrm": "", "operatorname": "", "hat": "",
    **{name: name for name in ("ln", "exp", "max", "min", "sup", "inf")},
}  # fmt: skip
GREEK = ("alpha", "beta", "gamma", "delta", "eta", "theta", "lambda", "mu", "rho", "sigma", "chi")
SIGNS |= {
    name: unicodedata.lookup(f"GREEK SMALL LETTER {name.replace('lambda', 'lamda')}")
    for name in GREEK
}
SIGNS |= {"Delta": "Δ", "Phi": "Φ"}


def read(text: str) -> str:
    """The letters and signs of LaTeX, without brackets, scripts and spaces."""
    text = text.replace(r"\tfrac{1}{2}", "½")
    text = re.sub(r"\\([A-Za-z]+|[|%{}])", lambda found: SIGNS[found[1]] or "", text)
    return bare(text)


def bare(text: str) -> str:
    text = unicodedata.normalize("NFKD", text.replace("ᵋ", "ε").replace("½", "⟨half⟩"))
    text = text.translate(str.maketrans({"−": "-", "′": "'", "’": "'", "“": "`", "”": "'"}))
    return re.sub(r"[\s(){}^_\u0302`']", "", text)


def test_every_formula_of_the_glossary_is_latex_and_says_the_same() -> None:
    formulas = [term.formula for term in glossary()]
    assert len(formulas) > 150
    for formula in formulas:
        text = latex(formula)
        assert text.isascii(), text
        braces = re.sub(r"\\[{}]", "", text)
        depth = 0
        for sign in braces:
            depth += (sign == "{") - (sign == "}")
            assert depth >= 0, text
        assert depth == 0, text
        assert not re.search(r"[\^_][^{]", text), text
        assert read(text) == bare(formula), (formula, text)


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        ("δ(ε) = E(1 − e^(ε − L))₊", r"\delta(\varepsilon) = E(1 - e^{\varepsilon - L})_{+}"),
        ("σ = √Var X", r"\sigma = \sqrt{\operatorname{Var} X}"),
        ("α^|x|, a whole number", r"\alpha^{|x|},\text{ a whole number}"),
        ("P(a ≤ X ≤ b)", r"P(a \le X \le b)"),
        ("ε_sum + xᵢ₋₁²", r"\varepsilon_{\text{sum}} + x_{i-1}^{2}"),
        ("S̄, x̂", r"\bar{S}, \hat{x}"),
    ],
)
def test_what_carries_what(formula: str, text: str) -> None:
    assert latex(formula) == text
