"""Help in lines of a terminal."""

import argparse

from dpstudio.files.language import tr
from dpstudio.values.lines import wrapped


def headed(heading: str) -> str:
    """The line above a list."""
    return tr("%(heading)s:") % {"heading": heading}


class Lines(argparse.HelpFormatter):
    """Help in such lines."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrapped(" ".join(text.split()), width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(wrapped(" ".join(text.split()), width, indent, indent))
