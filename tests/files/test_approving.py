"""Four eyes: a plan that names who must approve it is released with that signature of its digest
alone, and who planned, approved and drew is kept."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from dpstudio import cli
from dpstudio.files.booked.approving import approved, make_key, unapproved
from dpstudio.files.booked.certificate import certificate_text, digest_of
from dpstudio.files.booked.releasing import APPROVAL, LEDGER, Desk, Source, looked
from dpstudio.files.ledgers.amounts import EPSILON, Cap, LedgerError, Terms
from dpstudio.files.ledgers.book import BOOKED, DRAWN, Book, make_ledger
from dpstudio.files.plan_file import read_plan_file, write_plan_file
from dpstudio.files.read.choices import Choices
from dpstudio.files.tables import open_table
from dpstudio.plans.plan import Plan, Share, digest, plan_json
from dpstudio.plans.plan import Terms as PlanTerms
from dpstudio.plans.question import LAPLACE, Count
from dpstudio.values.messages import render
from dpstudio.values.parameters import ParamError

BARE = Plan(
    PlanTerms(who="the steward", origin="the form"),
    (Count(name="Over 50", where="age > 50"),),
    (Share(LAPLACE, Fraction(1, 10)),),
)


def of(key: str, name: str = "Ada Lovelace") -> Plan:
    return replace(BARE, terms=BARE.terms.with_(planner="Bo", approval=f"{name} {key}"))


def book_of(folder: Path) -> Book:
    cap = Cap(EPSILON, Fraction(2), Fraction(1, 100))
    return make_ledger(folder / "l", "people", Terms(adjacency="replace"), cap)


def test_plans_that_need_no_approval_are_as_they_were() -> None:
    """Their digest, by which ledgers know that they were paid for, is that of the version before."""
    assert digest(BARE) == "664ab94e75c34d9333c4fffc01c4039bed6b1fb025dfadf44d6e2e0afdd67aac"
    assert unapproved(BARE) is None


def test_who_approves_is_a_name_and_a_key() -> None:
    for wrong in ("Ada", "ab" * 32, f"Ada {'ab' * 31}", f"Ada {'AB' * 32}"):
        with pytest.raises(ParamError, match="64 digits"):
            PlanTerms(approval=wrong)


def test_nothing_is_released_without_the_approval_of_this_very_plan(tmp_path: Path) -> None:
    mine, other = (make_key(tmp_path / name) for name in ("mine", "other"))
    assert (tmp_path / "mine").stat().st_mode & 0o077 == 0
    plan, book, source = of(mine), book_of(tmp_path), Source(open_table("adult"))
    signed = approved(plan, tmp_path / "mine")
    changed = replace(signed, split=(Share(LAPLACE, Fraction(1, 5)),))
    moved = replace(signed, terms=signed.terms.with_(approval=f"Eve {other}"))
    forged = replace(signed, approved="00" * 64)
    for wrong, why in (
        (plan, "must be approved by Ada Lovelace"),
        (changed, "changed since"),
        (moved, "changed since"),
        (forged, "changed since"),
        (replace(signed, approved="x"), "changed since"),
    ):
        with pytest.raises(LedgerError, match=why):
            Desk(book).release(wrong, source)
        found = looked(wrong, book, "adult", Choices())
        assert [each.of for each in found.missing] == [APPROVAL]
    assert len(book.state().entries) == 1
    Desk(book).release(signed, source)
    for kind in (BOOKED, DRAWN):
        (entry,) = book.state().of(kind)
        people = entry.body["people"]
        assert (people["planned"], people["approved"], people["key"]) == (
            "Bo",
            "Ada Lovelace",
            mine,
        )
        assert people["drew"]


# A key of secp112r1, which no library signs with any longer.
CURVE = """\
-----BEGIN EC PRIVATE KEY-----
MD4CAQEEDn5ByQQUR6fzJBLS2umToAcGBSuBBAAGoSADHgAEvQUohM6ILvubGkOF
oOuE3DTB50uom7B9OSp4uw==
-----END EC PRIVATE KEY-----
"""


def test_only_the_key_that_is_named_approves(tmp_path: Path) -> None:
    mine, _ = (make_key(tmp_path / name) for name in ("mine", "other"))
    (tmp_path / "text").write_text("no key")
    (tmp_path / "curve").write_text(CURVE)
    for key, plan, why in (
        ("other", of(mine), "is the key"),
        ("text", of(mine), "no private key"),
        ("none", of(mine), "no private key"),
        ("curve", of(mine), "no private key"),
        ("mine", BARE, "names nobody"),
    ):
        with pytest.raises(LedgerError, match=why):
            approved(plan, tmp_path / key)
    with pytest.raises(LedgerError, match="could not be made"):
        make_key(tmp_path / "mine")


def test_on_the_command_line_and_in_the_certificate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key, path, book = tmp_path / "ada.pem", tmp_path / "p.json", book_of(tmp_path)
    assert cli.main(["plan", str(key), "key"]) == 0
    public = capsys.readouterr().out.strip()
    write_plan_file(path, of(public))
    release = ["release", str(path), "--ledger", str(book.path), "--data", "adult"]
    out = tmp_path / "out"
    assert cli.main(release) == 2
    assert "approve KEYFILE" in capsys.readouterr().err
    assert cli.main(["plan", str(path), "approve", str(key)]) == 0
    assert "no access control" in capsys.readouterr().out
    assert unapproved(read_plan_file(path)) is None
    assert cli.main([*release, "--out", str(out)]) == 0
    held = json.loads((out / "certificate.json").read_text())
    assert held["approval"]["approved"] == f"Ada Lovelace {public}"
    assert "no access control" in held["approval"]["says"]
    assert held["questions"][0]["drawn_by"]
    assert cli.main(["verify", str(out / "certificate.json"), "--ledger", str(book.path)]) == 0
    assert "approved by Ada Lovelace, by the key" in capsys.readouterr().out
    held["approval"]["signature"] = "00" * 64
    held = {**held, "digest": digest_of(held)}
    (tmp_path / "forged.json").write_text(certificate_text(held))
    assert cli.main(["verify", str(tmp_path / "forged.json")]) == 1
    assert "was not approved by Ada Lovelace" in capsys.readouterr().out
    page = (out / "certificate.html").read_text()
    assert "Four eyes" in page
    assert "Planned by</th><td>Bo" in page
    capsys.readouterr()
    assert cli.main(["verify", str(out / "certificate.html"), "--ledger", str(book.path)]) == 0
    assert cli.main(["ledger", str(book.path)]) == 0
    said = capsys.readouterr().out
    assert "Planned by Bo, approved by Ada Lovelace" in said
    assert cli.main(["plan", str(path), "set", "epsilon=0.9"]) == 0
    assert cli.main(release) == 2
    assert render(unapproved(read_plan_file(path)) or "") in capsys.readouterr().err


def test_a_plan_without_one_says_nothing_of_it(tmp_path: Path) -> None:
    book = book_of(tmp_path)
    Desk(book).release(BARE, Source(open_table("adult")))
    assert all("people" not in entry.body for entry in book.state().entries)


def test_a_plan_that_names_a_population_is_released_of_that_one_alone(tmp_path: Path) -> None:
    """Also where another ledger is of the same unit; and what names none has the digest of
    before."""
    book, source = book_of(tmp_path), Source(open_table("adult"))
    wrong = replace(BARE, terms=BARE.terms.with_(population="patients"))
    with pytest.raises(LedgerError, match="“patients” alone"):
        Desk(book).release(wrong, source)
    found = looked(wrong, book, "adult", Choices())
    assert [each.of for each in found.missing] == [LEDGER]
    assert len(book.state().entries) == 1
    right = replace(BARE, terms=BARE.terms.with_(population="people"))
    assert len(Desk(book).release(right, source).lines) == 1
    assert "population" not in plan_json(BARE)["terms"]
