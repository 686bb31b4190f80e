"""The picker of a local protocol: by its short name and stroke, with its full name and formula, and
what else it can be told."""

from typing import Any

from dpstudio.gui.panel.legend import with_stroke
from dpstudio.gui.panel.mechanisms import FamilyPicker
from dpstudio.gui.parts.buttons import Segments
from dpstudio.gui.parts.theme import Look
from dpstudio.gui.parts.tr import tr


class ProtocolField(FamilyPicker):
    """Buttons with the stroke that each protocol has in the charts, and its name and formula."""

    def buttons(self) -> Segments:
        names = {key: kind.short for key, kind in self.family.items()}
        return Segments(names)

    def about(self, kind: Any) -> str:
        return f"{tr(kind.label)}: {tr(kind.formula)}"

    def dress(self, look: Look) -> None:
        for key, button in self.segments.buttons.items():
            with_stroke(button, self.family[key].ink, look)
