"""Writes anonymity.json: what pyCANON 1.3 finds of k, l and t in tables that ship with dpstudio.

Run in an environment of its own, since it pins what it needs, with the tables as CSV in a folder:
    python anonymity.py FOLDER
"""

import json
import sys
from pathlib import Path

import pandas as pd
from pycanon import anonymity

ASKED = (
    ("adult", ["age", "education-num"], "income"),
    ("adult", ["sex", "race"], "occupation"),
    ("adult", ["sex"], "education-num"),
    ("car", ["buying", "safety"], "class"),
    ("mushroom", ["cap-shape", "odor"], "class"),
    ("house_votes_84", ["physician_fee_freeze", "crime"], "party"),
    ("chess", ["bkblk", "wkna8"], "class"),
)

if __name__ == "__main__":
    out = []
    for name, quasi, sensitive in ASKED:
        table = pd.read_csv(Path(sys.argv[1]) / f"{name}.csv", keep_default_na=False)
        out.append(
            {
                "table": name,
                "quasi": quasi,
                "sensitive": sensitive,
                "k": anonymity.k_anonymity(table, quasi),
                "l": anonymity.l_diversity(table, quasi, [sensitive]),
                "entropy_l": anonymity.entropy_l_diversity(table, quasi, [sensitive]),
                "t": anonymity.t_closeness(table, quasi, [sensitive]),
            }
        )
    Path(__file__).with_suffix(".json").write_text(json.dumps(out, indent=1) + "\n")
