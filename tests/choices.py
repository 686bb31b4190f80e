"""Every lab with each option of each of its settings: a third of them in the suite, six at a time; all
of them, each alone, in `tests/soak.py --only choices`."""

import json
import math
from collections.abc import Callable, Sequence
from typing import Any

from running import LEAST, little

from dpstudio.data.dataset import Dataset
from dpstudio.files.tables import open_table
from dpstudio.files.write.jsonout import findings_json
from dpstudio.labs.context import Context
from dpstudio.labs.findings import Findings
from dpstudio.labs.naming import every_lab
from dpstudio.labs.page import Lab
from dpstudio.values.domains import Choice, Flag, Integer, Real
from dpstudio.values.messages import render
from dpstudio.values.parameters import OneOf, ParamError, Parameters, domains, put

Setting = tuple[str, Any]


def choices(lab: Parameters, outer: str = "") -> list[Setting]:
    """(path, value) of each option of each choice, flag and family, and of both ends of numbers."""
    out: list[Setting] = []
    for name, domain in domains(type(lab)).items():
        path = f"{outer}{name}"
        if isinstance(domain, OneOf):
            out += [(path, member.key) for member in domain.family()]
            out += choices(getattr(lab, name), f"{path}.")
        elif isinstance(domain, Choice):
            out += [(path, word) for word in domain.words]
        elif isinstance(domain, Flag):
            out.append((path, not getattr(lab, name)))
        elif (
            isinstance(domain, Real)
            and name not in ("seed", "trials", "answers")
            and math.isfinite(domain.low + domain.high)
        ):
            high = domain.high if not isinstance(domain, Integer) else int(domain.high)
            out += [(path, domain.low), (path, high)]
    return out


def together(settings: Sequence[Setting], most: int = 6) -> list[list[Setting]]:
    """The settings in lots of so many at most, none of which a later one of its lot undoes."""
    lots: list[list[Setting]] = []
    for path, value in settings:
        for lot in lots:
            if len(lot) < most and not any(_undone(held, path) for held, _ in lot):
                lot.append((path, value))
                break
        else:
            lots.append([(path, value)])
    return lots


def _undone(one: str, other: str) -> bool:
    """Whether two paths are of one parameter, or of a family and of a parameter of its member."""
    return one == other or one.startswith(f"{other}.") or other.startswith(f"{one}.")


def check_choices(
    kind: type[Lab],
    settings: Sequence[Setting],
    data: Dataset,
    sound: Callable[[Findings], None] = lambda found: None,
) -> None:
    """The lab with all of these settings says what it finds, which is `sound`, or why it stops;
    where they stop it or do not agree, so it does with each half of them."""
    found: Findings | None
    try:
        state = kind()
        for path, value in settings:
            state = put(state, path, value)
        if len(settings) > 1:
            found = little(state, data, LEAST)
        else:  # what comes before the last findings is drawn too
            *_, found = state.run(Context(data, effort=LEAST))
    except ParamError:
        found = None  # fields that do not agree
    if len(settings) > 1 and (found is None or not found.figures):
        half = len(settings) // 2
        check_choices(kind, settings[:half], data, sound)
        check_choices(kind, settings[half:], data, sound)
    elif found is not None:
        sound(found)
        assert found.figures or any(p.stops for p in found.problems), settings
        json.dumps(findings_json(found), allow_nan=False)
        for p in found.problems:
            assert render(p.say).endswith("."), (settings, render(p.say))


def run_choices() -> int:
    """Run every lab with each setting alone; print what breaks, and give how many did."""
    data, broken = open_table("adult"), 0
    for kind in every_lab():
        for setting in choices(kind()):
            try:
                check_choices(kind, [setting], data)
            except Exception as error:
                broken += 1
                print("!", kind.key, setting, repr(error)[:300])
    return broken
