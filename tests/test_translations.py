"""The catalogue template holds every message id of the code, so that a translator misses none."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
REFRESH = "pybabel extract -k N_ -k tr --no-location --sort-output --omit-header -o assets/translations/dpstudio.pot dpstudio"


def marked() -> set[str]:
    """Every string that is marked with N_ or given to tr."""
    calls = (
        node
        for path in (ROOT / "dpstudio").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("N_", "tr") and node.args
    )
    return {call.args[0].value for call in calls if isinstance(call.args[0], ast.Constant) and call.args[0].value}


def test_template_is_complete() -> None:
    """assets/translations/dpstudio.pot holds every message id, and nothing else."""
    text = (ROOT / "assets/translations/dpstudio.pot").read_text(encoding="utf-8")
    entries = re.findall(r'^msgid ((?:".*"\n)+)', text, re.MULTILINE)
    held = {"".join(ast.literal_eval(line) for line in entry.splitlines()) for entry in entries} - {""}
    assert held == marked(), f"refresh it: {REFRESH}"
