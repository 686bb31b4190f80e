"""`dpstudio plan`: a plan from words, byte for byte the same beside any table; errors as sentences."""

import json
from pathlib import Path

import pytest

from dpstudio import cli
from dpstudio.plans.plan import read_plan
from dpstudio.plans.question import QUESTIONS

TOLD = ("who=the steward", "origin=the form")
SIX = (
    ("count", "name=Over 50", "where=age > 50", "target=25"),
    (
        "by_group",
        "name=Schooling",
        "column=education",
        f"groups={'|'.join('abcdefghijklmnop')}",
        "target=5 % of 800",
    ),
    (
        "mean",
        "name=Hours",
        "column=hours",
        "low=1",
        "high=99",
        "size=32561",
        "size_known=yes",
        "target=0.1",
    ),
    (
        "sum_by_group",
        "name=Gain",
        "column=sex",
        "groups=F|M",
        "measured=gain",
        "low=0",
        "high=100",
        "target=9000",
    ),
    ("quantile", "name=Age", "column=age", "grid=20, 30, 40, 50", "target=80"),
    ("most_common", "name=Work", "column=job", "groups=a|b|c", "target=90"),
)


def _made(path: Path) -> bytes:
    assert cli.main(["plan", str(path), "new", "epsilon=1", "delta=1e-6", *TOLD]) == 0
    for words in SIX:
        assert cli.main(["plan", str(path), "add", *words]) == 0
    assert cli.main(["plan", str(path), "solve", "worst"]) == 0
    return path.read_bytes()


def test_a_plan_from_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Six questions, solved, shown as text and as JSON; and the same bytes beside another table, of
    which nothing is opened."""
    held = []
    for place, row in (("a", "50,1\n"), ("b", "51,0\n")):
        folder = tmp_path / place
        folder.mkdir()
        (folder / "t.csv").write_text("age,x\n" + row, encoding="utf-8")
        held.append(_made(folder / "p.json"))
    assert held[0] == held[1]
    path = tmp_path / "a" / "p.json"
    capsys.readouterr()
    assert cli.main(["plan", str(path)]) == 0
    text = capsys.readouterr().out
    for words in (
        "Over 50",
        "±5 % of 800",
        "±80 ranks",
        "Charged: ε = ",
        "dearest",
        "95 % of all releases",
    ):
        assert words in text
    assert cli.main(["plan", str(path), "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert len(made["lines"]) == len(SIX)
    assert float(made["charge"]["epsilon"]) <= 1
    assert read_plan(path.read_text(encoding="utf-8")).keeps
    assert path.read_bytes() == held[0]  # to show it changes nothing
    worst = max(line["error"] / line["target"] for line in made["lines"])
    assert cli.main(["plan", str(path), "find", "error", "Over 50", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] <= 25 * max(1, worst)
    assert cli.main(["plan", str(path), "drop", "Age"]) == 0
    assert cli.main(["plan", str(path), "change", "Work", "times=3"]) == 0
    assert "not solved" in capsys.readouterr().out


def test_two_plans_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Setting by setting, both ways round; of the same plan that is said."""
    one, other = str(tmp_path / "a.json"), str(tmp_path / "b.json")
    told = ["who=the steward", "origin=the form"]
    for path in (one, other):
        assert cli.main(["plan", path, "new", "epsilon=1", *told]) == 0
        assert cli.main(["plan", path, "add", "count", "name=A", "target=25"]) == 0
    for words in (
        ["set", "epsilon=2", "adjacency=add_remove"],
        ["change", "A", "target=40", "where=age > 50"],
        ["add", "quantile", "name=B", "grid=1, 2, 3"],
        ["solve", "weighted"],
    ):
        assert cli.main(["plan", other, *words]) == 0
    capsys.readouterr()
    assert cli.main(["plan", one, "compare", one]) == 0
    assert capsys.readouterr().out == "Both plans say the same.\n"
    assert cli.main(["plan", one, "compare", other]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "ε: 1 → 2"
    for line in (
        "“A”, Target: 25 → 40",
        "“A”, Only rows with: – → age > 50",
        "“B”, Kind: – → Quantile",
    ):
        assert line in lines
    assert any(line.startswith("“A”, pays: – → ") for line in lines)
    assert any(line.startswith("“B”, off by: – → ±") and "rank" in line for line in lines)
    assert cli.main(["plan", other, "compare", one, "--json"]) == 0
    held = json.loads(capsys.readouterr().out)
    assert {"question": "A", "what": "Target", "first": "40", "second": "25"} in held
    assert len(held) == len(lines)


def test_what_is_off_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "p.json")
    assert cli.main(["plan", path]) == 2
    assert cli.main(["plan", path, "new", "epsilon=1"]) == 0
    before = Path(path).read_bytes()
    capsys.readouterr()
    for words, told in (
        (["new"], "there already"),
        (["fly"], "After the file"),
        (["add", "count"], "name"),
        (["add", "count", "name=a"], "attests"),
        (["add", "count", "name=a", "colour=red", *TOLD], "has no “colour”"),
        (["add", "cuont", "name=a", *TOLD], "is not one of"),
        (["add", "count", "name=a", "where=age >", *TOLD], "condition"),
        (["add", "count", "name=a", "target=near", *TOLD], "target"),
        (["add", "count", "name=a", "target=5 %", *TOLD], "Type the size"),
        (["add", "mean", "name=a", "low=5", "high=5", *TOLD], "above the lowest"),
        (["add", "by_group", "name=a", "groups=x", *TOLD], "two words"),
        (["set", "epsilon=0"], "outside"),
        (["set", "epsilon"], "name=value"),
        (["set", "types=age: foo"], "types are"),
        (["solve"], "no question"),
        (["drop", "a"], "There is no question"),
        (["find", "size", "a"], "There is no question"),
        (["find", "a"], "Say what"),
    ):
        assert cli.main(["plan", path, *words]) == 2, words
        err = capsys.readouterr().err
        assert err.startswith("dpstudio: "), words
        assert told in err, (words, err)
        assert Path(path).read_bytes() == before, words
    Path(path).write_text("age,x\n1,2\n", encoding="utf-8")
    assert cli.main(["plan", path]) == 2
    assert "no plan" in capsys.readouterr().err


def test_help_names_every_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["plan", "--help"]) == 0
    out = capsys.readouterr().out
    assert all(f"\n{kind.key}: " in out for kind in QUESTIONS)
