"""The register of deployments that ships with the program; tests/deployments.py makes its file."""

import json
from functools import lru_cache
from typing import Any

from dpstudio.files.assets import asset
from dpstudio.privacy.deployments import Deployment, Doubt


@lru_cache(maxsize=1)
def deployments() -> tuple[Deployment, ...]:
    """All of them, in the order of the register's files."""
    held = json.loads(asset("deployments", "deployments.json").read_text(encoding="utf-8"))
    return tuple(_deployment(each) for each in held["deployments"])


def _deployment(held: dict[str, Any]) -> Deployment:
    return Deployment(
        slug=held["slug"],
        name=held["name"],
        curators=tuple(held["data_curators"]),
        year=int(held["publication_date"][:4]),
        product=held["data_product_type"],
        region=held["data_product_region"],
        status=held["status"],
        variant=held["variant_name"],
        unit=held["privacy_unit"],
        who=held["who"],
        period=held["period"],
        model=held["model_name"],
        releases=held["release_type"],
        epsilon=held["epsilon"],
        delta=held["delta"],
        rho=held["rho"],
        source=held["source"],
        doubts=tuple(Doubt(**doubt) for doubt in held["doubts"]),
    )
