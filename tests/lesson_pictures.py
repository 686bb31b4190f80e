"""The small pictures of the lessons, drawn when the program is packaged: test_gui_navigation.py
compares them with what the lessons show.

python tests/lesson_pictures.py        draws them anew
"""

import re
from collections.abc import Iterator

from dpstudio.data.dataset import Dataset
from dpstudio.files.assets import asset
from dpstudio.files.tables import EXAMPLES, open_table
from dpstudio.files.talk import Step
from dpstudio.files.write.bare_svg import bare_svg
from dpstudio.files.write.palette import palette
from dpstudio.gui.parts.theme import Look, frame_color
from dpstudio.gui.shell.lessons import PICTURE, lessons
from dpstudio.labs.context import LITTLE, Context, Effort

# Small pictures need few points, but as many draws as the lesson speaks of.
_EFFORT = Effort(points=LITTLE.points, replays=LITTLE.replays)
_COLOUR = re.compile("(#[0-9a-f]{6})")


def drawn() -> Iterator[tuple[str, str]]:
    """The name of each lesson, and its picture with each colour twice: light|dark."""
    tables: dict[str, Dataset] = {}
    for name, lesson in lessons():
        step = _pictured(lesson.steps)
        key = step.table or EXAMPLES[0].key
        data = tables.setdefault(key, tables.get(key) or open_table(key))
        data = data.described(step.codebook) if step.table else data
        found = list(step.lab.run(Context(data, effort=_EFFORT)))[-1]
        figure = next((one for one in found.figures if one.key == step.chart), found.figures[0])
        hidden = frozenset(step.hidden.get(figure.key, ()))
        light, dark = (
            _COLOUR.split(
                bare_svg(
                    figure,
                    palette(look.dark),
                    PICTURE,
                    ground=frame_color(look, "side").name(),
                    hidden=hidden,
                )
            )
            for look in (Look(), Look(dark=True))
        )
        yield (
            name,
            "".join(
                f"{a}|{b}" if place % 2 else a
                for place, (a, b) in enumerate(zip(light, dark, strict=True))
            ),
        )


def _pictured(steps: tuple[Step, ...]) -> Step:
    """The first step; but where that asks, one whose chart does not tell the answer, if any."""
    first, *others = steps
    if first.ask is None:
        return first
    return next((s for s in others if s.ask is None and s.chart != first.chart), first)


if __name__ == "__main__":
    folder = asset("lessons") / "pictures"
    folder.mkdir(exist_ok=True)
    for lesson, svg in drawn():
        (folder / lesson).with_suffix(".svg").write_text(svg + "\n", encoding="utf-8")
