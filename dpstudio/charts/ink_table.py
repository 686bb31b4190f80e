"""All inks by name: colours, and a dash and a marker, so that nothing is told by colour alone.
Without numpy, which the first window does without."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Ink:
    """Colours on light and on dark ground; those without have that of others. Dashes are drawn and
    left out in turn, in widths of the pen; none is a solid line. Without a `marker` it stands for
    no curve."""

    light: str
    dark: str
    dashes: tuple[float, ...] = ()
    marker: str = ""


# One set of hues, readable on a light and on a dark ground and apart for colour-blind eyes. Of inks
# that cannot be told apart, or beyond eight in a chart, the first of this table keep their colour.
INKS = {
    "truth": Ink("#16181c", "#f4f4f2", (), "circle"),
    "answer": Ink("#510669", "#af75a5", (), "star"),
    "target": Ink("#8589a9", "#c5abc3", (7, 4), "circle"),
    "laplace": Ink("#0179cf", "#40abff", (), "circle"),
    "gaussian": Ink("#ed5e05", "#ee890a", (4, 3), "diamond"),
    "geometric": Ink("#1042c4", "#5474ed", (1, 1.5), "square"),
    "staircase": Ink("#026a5a", "#09ecff", (5, 1.5), "up"),
    "discrete_gaussian": Ink("#b60053", "#be4077", (4, 1.5, 1, 1.5), "down"),
    "textbook": Ink("#825610", "#90875b", (8, 2, 1, 2), "plus"),
    "l2norm": Ink("#8f8e5f", "#e3e258", (2, 2), "hexagon"),
    "catastrophe": Ink("#6f0000", "#f7b39f", (1, 3), "cross"),
    "exponential": Ink("#287c80", "#33d2f4", (), "circle"),
    "noisy_max": Ink("#d26e05", "#eec514", (4, 3), "up"),
    "permute_flip": Ink("#a059ba", "#d65979", (1, 1.6), "square"),
    "pld": Ink("#18126b", "#d6fffb", (), "circle"),
    "sequential": Ink("#767777", "#7c7c7c", (), "square"),
    "drv": Ink("#ce68a8", "#d058a9", (6, 3), "up"),
    "kov35": Ink("#7a3a63", "#da9bbf", (6, 2, 1.2, 2), "diamond"),
    "zcdp_tight": Ink("#4e35ae", "#b993fe", (2.2, 1.6), "down"),
    "optimal": Ink("#3973f4", "#d4d3ff", (9, 2), "hexagon"),
    "gdp": Ink("#789628", "#bebe6e", (3, 3), "plus"),
    "renyi": Ink("#9a6407", "#8c6e0a", (4, 1.5, 1, 1.5, 1, 1.5), "cross"),
    "kov33": Ink("#035838", "#5a8c5a", (8, 2, 2, 2), "right"),
    "zcdp": Ink("#9f8b5d", "#fadcbe", (5, 1.5), "left"),
    "tanh": Ink("#4d1101", "#a09600", (3, 1.5, 1, 1.5), "pentagon"),
    "parallel": Ink("", "", (10, 4), "circle"),
    "group_privacy": Ink("", "", (10, 2, 3, 2), "square"),
    "gdp_clt": Ink("", "", (2, 3), "diamond"),
    "shortcut": Ink("", "", (6, 1.5), "hexagon"),
    "grr": Ink("#0179cf", "#40abff", (), "circle"),
    "oue": Ink("#ed5e05", "#ee890a", (4, 3), "diamond"),
    "sue": Ink("#1042c4", "#5474ed", (1, 1.5), "square"),
    "olh": Ink("#026a5a", "#09ecff", (5, 1.5), "up"),
    "the": Ink("#b60053", "#be4077", (4, 1.5, 1, 1.5), "down"),
    "she": Ink("#825610", "#90875b", (8, 2, 1, 2), "plus"),
    "subset": Ink("#8f8e5f", "#e3e258", (2, 2), "hexagon"),
    "hadamard": Ink("#6f0000", "#f7b39f", (1, 3), "cross"),
    "fair_coins": Ink("#1042c4", "#5474ed", (3, 3), "right"),
    "biased_coins": Ink("#ed5e05", "#ee890a", (6, 2, 1.2, 2), "left"),
    "warner": Ink("#b60053", "#be4077", (9, 2), "pentagon"),
    "local_laplace": Ink("#0179cf", "#40abff", (), "circle"),
    "duchi": Ink("#ed5e05", "#ee890a", (4, 3), "diamond"),
    "piecewise": Ink("#026a5a", "#09ecff", (5, 1.5), "up"),
    "hybrid": Ink("#b60053", "#be4077", (4, 1.5, 1, 1.5), "down"),
    "second": Ink("#a87881", "#5a780d", (6, 3), "up"),
    "third": Ink("#7f5300", "#f4bca7", (2.2, 1.6), "down"),
    "surface": Ink("#ffffff", "#15171a"),
    "ground": Ink("#f7f7f5", "#1b1e22"),
    "text": Ink("#16181c", "#f4f4f2"),
    "muted": Ink("#5f6369", "#a9aeb5"),
    "ghost": Ink("#9a9a95", "#9a9a95", (2, 3)),
    "grid": Ink("#dfe1e4", "#383c42"),
    "hair": Ink("#eeedea", "#25292e"),
    "axis": Ink("#b9b9b4", "#5a6067"),
    "band": Ink("#eef0ef", "#272b2f"),
    "accent": Ink("#0b6bbf", "#5aaef5"),
    "accent_soft": Ink("#e5f0fa", "#1f3448"),
    "good": Ink("#18763f", "#58c98c"),
    "warn": Ink("#8a5a00", "#e5b567"),
    "bad": Ink("#c02626", "#ff8f85"),
    "first": Ink("#0179cf", "#40abff"),
    "limit": Ink("#a87881", "#5a780d"),
    "reported": Ink("#a87881", "#5a780d"),
}
