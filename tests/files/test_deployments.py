"""The register of deployments: how many there are, and that nothing doubtful goes unmarked."""

from collections import Counter

import pytest

from dpstudio.files.deployments import deployments
from dpstudio.privacy.deployments import (
    AT_DELTA,
    MODELS,
    PART,
    PERSON,
    UNITS,
    Deployment,
    chosen,
    numbered,
    placed,
)
from dpstudio.privacy.mechanisms.concentrated import concentrated_rho

BY_NAME = {each.name: each for each in deployments()}


def test_forty_one_of_them_thirty_five_with_a_number_four_of_these_drafts() -> None:
    them = deployments()
    assert len(them) == len({each.slug for each in them}) == 41
    assert len(numbered(them)) == 35
    assert Counter(each.status for each in them) == {"Pending": 37, "Draft": 4}
    assert not [each for each in them if each.approved]
    assert len(placed(them)) == 31
    assert Counter(each.model for each in them) == {"Central": 33, "Local": 7, "Varies": 1}


def test_every_unit_and_every_model_can_be_asked_for() -> None:
    them = deployments()
    assert sum(len(chosen(them, [unit], MODELS)) for unit in UNITS) == 41
    assert sum(len(chosen(them, UNITS, [model])) for model in MODELS) == 41
    assert not chosen(them, [], MODELS)
    for each in chosen(them, [PERSON], MODELS):
        assert each.unit.startswith(("User-level", "Individual", "Person")), each.unit
    for each in chosen(them, [PART], MODELS):
        assert each.unit.startswith("User-")
        assert "day" in each.unit or "month" in each.unit


def _impossible(each: Deployment) -> set[str]:
    """The fields that cannot be as they are, found without reading a text."""
    known = {
        "privacy_unit": bool(each.unit),
        "variant_name": bool(each.variant) and not (each.variant == "Pure DP" and each.delta),
        "delta": each.variant != "Approximate DP" or each.epsilon is None or bool(each.delta),
    }
    return {field for field, possible in known.items() if not possible}


def test_nothing_doubtful_goes_unmarked() -> None:
    for each in deployments():
        marked = {doubt.field for doubt in each.doubts}
        assert _impossible(each) <= marked, each.name
        for doubt in each.doubts:
            assert doubt.why in ("todo", "missing", "formula", "denied")
            assert bool(doubt.words) == (doubt.why in ("formula", "denied")), each.name


@pytest.mark.parametrize(
    ("name", "field", "why"),
    [
        ("FLEX", "delta", "formula"),
        ("FLEX", "epsilon", "denied"),
        ("Iconic scenes and photo sections for iOS apps", "privacy_unit", "missing"),
        ("Iconic scenes and photo sections for iOS apps", "variant_name", "denied"),
        ("AutoPlay Intent", "release_type", "todo"),
        ("Disclosure Avoidance System for Demographic and Housing Data", "rho", "denied"),
        ("Wikipedia Russian Editor Activity Statistics", "epsilon", "denied"),
        ("Vaccine Search Insights", "privacy_unit", "denied"),
        ("User-URL Privacy Dataset", "privacy_unit", "denied"),
        ("Korean Government Statistical Data Hub Platform", "variant_name", "todo"),
    ],
)
def test_each_kind_of_doubt_is_caught(name: str, field: str, why: str) -> None:
    assert (field, why) in {(doubt.field, doubt.why) for doubt in BY_NAME[name].doubts}


def test_an_epsilon_of_rho_is_what_another_accountant_finds() -> None:
    """By the least δ over a grid of orders, and back."""
    of_rho = [each for each in deployments() if each.converted]
    assert len(of_rho) == 8
    for each in of_rho:
        assert concentrated_rho(each.promised, AT_DELTA) == pytest.approx(each.rho, rel=1e-4)
