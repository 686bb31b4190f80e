"""The register of deployments as it ships: assets/deployments/deployments.json, made of the registry's YAML.

python tests/deployments.py FOLDER DATE      writes it anew; needs PyYAML, which nothing else does

What is copied is copied as it is. Ours are two things alone, and this file has both: who is
protected by a unit of privacy, and over what time, in UNITS; and which fields are doubtful. A field
is doubtful where the registry itself has a TODO beside it, where a δ is no number, where there is a
unit or a variant that cannot be, and where a text of the same record says otherwise, which somebody
has to read: DENIED has each with the words, and nothing is written where they are not in the record.
"""

import importlib
import json
import re
import sys
from pathlib import Path
from typing import Any

OUT = Path(__file__).parent.parent / "assets/deployments/deployments.json"
FROM = "opendp/deployments-registry-data"

# (who is protected, over what time) by the unit as the registry has it. A device or an account is
# no person, however few have two of them, unless the unit says that it is a user's account.
PERSON, EVENT, OTHER = "person", "event", "other"
ALL, MONTH, DAY, QUARTER = "all", "month", "day", "quarter day"
UNITS = {
    "": (OTHER, ""),
    "Aggregate Statistics": (OTHER, ""),
    "Aggregate-level": (OTHER, ""),
    "Birth-level": (EVENT, ""),
    "Bounded contribution-day": (OTHER, DAY),
    "Business establishment": (OTHER, ALL),
    "Device-day-level": (OTHER, DAY),
    "Event-Month-level": (EVENT, MONTH),
    "Event-level": (EVENT, ""),
    "Individual-level": (PERSON, ALL),
    "Person-level": (PERSON, ALL),
    "Person-level; housing-unit-level": (PERSON, ALL),
    "Tuple-level": (EVENT, ""),
    "User account-month-level": (OTHER, MONTH),
    "User-account-level": (OTHER, ALL),
    "User-day-level": (PERSON, DAY),
    "User-device-level": (OTHER, ALL),
    "User-level": (PERSON, ALL),
    "User-month-country-level": (PERSON, MONTH),
    "User-month-level": (PERSON, MONTH),
    "User-quarter-day-level": (PERSON, QUARTER),
    "User-trip-level": (EVENT, ""),
    "record-level": (EVENT, ""),
}

# Fields that a text of the same record denies: by the start of its file's name, the field and words
# of the text. Read on 2026-11-28.
HOUSING = "housing-unit-level records for"
DENIED = {
    "census_demographic": [
        ("rho", "Person Tables: \\\\(\\rho\\\\) = 4.96 was used"),
        ("privacy_unit", HOUSING),
    ],
    "census_detailed_demographic_and_housing_a": [("privacy_unit", HOUSING)],
    "census_detailed_demographic_and_housing_b": [("privacy_unit", HOUSING)],
    "census_redistricting": [
        ("rho", "Person Tables: \\\\(\\rho\\\\) = 2.56 was used"),
        ("privacy_unit", HOUSING),
    ],
    "census_supplemental": [("privacy_unit", HOUSING)],
    "county": [("variant_name", "Per-Record Differential Privacy (PRDP)")],
    "covid19_notifications": [
        ("epsilon", "that result from unlinkable aggregation of \\\\(\\epsilon_0\\\\) = 8"),
        ("privacy_unit", "how frequently the budget is refreshed is not available"),
    ],
    "linkedin": [
        ("privacy_unit", "event-level privacy, where the event is a user being hired"),
        ("release_type", "Monthly"),
    ],
    "autoplay": [("release_type", "Daily")],
    "lookup": [("release_type", "Daily")],
    "vaccine": [
        ("privacy_unit", "daily search activity related to COVID-19 vaccinations"),
        ("release_type", "Daily"),
    ],
    "movement": [("release_type", "Static")],
    "recurve": [("epsilon", "If not, then the privacy parameters are \\\\(\\epsilon = 6.8\\\\)")],
    "sas": [("privacy_unit", "a single customer and all their linked records/accounts")],
    "uber": [("epsilon", "in operation the parameters are set by users on query-by-query basis")],
    "user_url": [("privacy_unit", "the granularity of what is protected is not a single user")],
    "wikimedia_editor": [("privacy_unit", "differential privacy guarantee per user-month")],
    "wikimedia_russian": [
        ("epsilon", "(\\\\(\\epsilon\\\\)=0.9; sensitivity = 1, noise scale = 10)")
    ],
}

# A TODO on what is said of a field leaves that field open.
OF = {"privacy_unit_details": "privacy_unit", "dp_variant": "variant_name"}
_TODO = re.compile(r"^\s*(?:# ?)?(\w+):.*#? ?TODO", re.M)
_LINKS = re.compile(r"https?://[^\s)>\]]+")


def doubts(name: str, text: str, told: dict[str, Any]) -> list[dict[str, str]]:
    """The doubtful ones of the fields that are kept, each with why and, where there are, words."""
    found = []

    def doubt(field: str, why: str, words: str = "") -> None:
        found.append({"field": field, "why": why, "words": words})

    due = [m[1] for m in _TODO.finditer(text)]
    for field in sorted({OF.get(each, each) for each in due} & told.keys()):
        doubt(field, "todo")
    if not told["privacy_unit"]:
        doubt("privacy_unit", "missing")
    if isinstance(told["delta"], str):
        doubt("delta", "formula", told["delta"])
        told["delta"] = None
    if told["variant_name"] == "Pure DP" and told["delta"]:
        doubt("variant_name", "denied", f"delta: {told['delta']:g}")
    flat = " ".join(text.split())
    for start, denied in DENIED.items():
        for field, words in denied if name.startswith(start) else ():
            assert words in flat, (name, words)
            doubt(field, "denied", words)
    return found


def record(name: str, text: str, read: Any) -> dict[str, Any]:
    """One deployment."""
    held = read["deployment"]
    parts = ("basic", "dp_variant", "privacy_loss", "deployment_model")
    basic, variant, loss, model = (held.get(part) or {} for part in parts)
    promised = loss.get("privacy_parameters") or {}
    unit = " ".join((loss.get("privacy_unit") or "").split())
    told: dict[str, Any] = {
        "slug": read["url_slug"],
        "status": read["status"],
        "name": basic["name"],
        "data_curators": basic["data_curators"],
        "publication_date": basic["publication_date"],
        "data_product_type": basic["data_product_type"],
        "data_product_region": basic["data_product_region"],
        "variant_name": variant.get("variant_name", ""),
        "privacy_unit": unit,
        "epsilon": promised.get("epsilon"),
        "delta": promised.get("delta"),
        "rho": promised.get("rho"),
        "model_name": model["model_name"],
        "release_type": model.get("release_type", ""),
        "source": _LINKS.findall(str(held["administrative"]["sources"]))[0],
    }
    told["doubts"] = doubts(name, text, told)
    told["who"], told["period"] = UNITS[unit]
    return told


def main(folder: str, date: str) -> None:
    """Read the registry, and write what ships."""
    yaml = importlib.import_module("yaml")
    paths = [path for path in sorted(Path(folder).glob("*.yaml")) if path.stem != "schema"]
    texts = {path.stem: path.read_text(encoding="utf-8") for path in paths}
    records = [record(name, text, yaml.safe_load(text)) for name, text in texts.items()]
    lines = ",\n".join(json.dumps(each, ensure_ascii=False) for each in records)
    head = f'{{"from": "{FROM}", "licence": "MIT", "date": "{date}", "deployments": [\n'
    OUT.write_text(f"{head}{lines}\n]}}\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
