"""The command line: the same numbers without a window, files, and one sentence with status 2 for
what is to be mended."""

from __future__ import annotations

import errno
import io
import json
import os
import random
import re
import shlex
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from marks import SENTENCE, Marked
from odd_tables import peoples_tables
from running import first_rows, opened, read_once

from dpstudio import cli
from dpstudio.cli import commands, waiting
from dpstudio.data.codebook import codebook_words
from dpstudio.files import asking, language
from dpstudio.files.asking import open_as_told
from dpstudio.files.session import Session, write_session
from dpstudio.files.talk import Step, Talk, write_talk
from dpstudio.labs import Lab
from dpstudio.labs.naming import by_question, every_lab
from dpstudio.labs.nobody.survey.parameters import Survey
from dpstudio.labs.one_answer.explore.parameters import Explore
from dpstudio.labs.promise.printed.listings.vectors import L2Laplace
from dpstudio.labs.worded import with_words
from dpstudio.privacy.queries.total import Sum
from dpstudio.values.dates import days_of
from dpstudio.values.messages import say
from dpstudio.values.parameters import OneOf, domains, put, to_json

LABS = every_lab()


@pytest.fixture(autouse=True)
def _no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(asking, "open_with_report", read_once)


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> dict:
    assert cli.main([*words, "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return json.loads(out)


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    """The default question, with its numbers unrounded and what made them."""
    made = answer(capsys, "run", "explore")
    facts = {fact["key"]: fact for fact in made["facts"]}
    assert made["truth"] == [6460.0]
    assert facts["truth"]["text"] == "6,460"
    assert facts["cost"]["value"] == pytest.approx(4.2204, abs=1e-3)
    assert "needs ε = 0.0464" in "".join(s["text"] for s in made["sentences"])
    assert made["table"] == {"name": "adult", "rows": 32_561, "sha256": opened("adult").digest}
    assert made["lab"]["mechanism"] == {"kind": "laplace", "epsilon": 0.1}
    assert made["lab"]["seed"] == 1
    assert [figure["key"] for figure in made["figures"]] == [
        "published",
        "error",
        "tradeoff",
        "cost",
        "deployments",
    ]


def test_settings_and_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "t.csv"
    table.write_text("x\n1\n2\n30\n", encoding="utf-8")
    words = [
        "query=mean",
        "query.where=",
        "query.column=x",
        "query.low=0",
        "query.high=10",
        "mechanism=gaussian",
        "--data",
        str(table),
    ]
    made = answer(capsys, "run", "explore", *words)
    assert made["truth"] == pytest.approx([13 / 3])
    assert made["lab"]["mechanism"] == {"kind": "gaussian", "epsilon": 0.1, "delta": 1e-5}
    assert answer(capsys, "run", "explore", "query.where=age >= 50")["truth"] == [7062.0]


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", "explore"]) == 0
    out = capsys.readouterr().out
    for words in ("6,460", "0.0464", "ε = 4.221", "not a private release"):
        assert words in out


def test_the_language_is_that_of_the_system_or_the_one_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What people read is in it, what programs read is English unless it is named; names and exit
    codes are alike."""
    english = language.written(language.ENGLISH)
    marks = {language.CHINESE: Marked(), language.ENGLISH: english}
    monkeypatch.setattr(language, "written", marks.__getitem__)
    monkeypatch.delenv("LANGUAGE", raising=False)
    monkeypatch.delenv("LC_ALL", raising=False)
    run = ["run", "explore"]
    try:
        for lang, words, read, programs in (
            ("C.UTF-8", [], False, False),
            ("de_DE.UTF-8", [], False, False),
            ("zh_CN.UTF-8", [], True, False),
            ("zh_CN.UTF-8", ["--language=en"], False, False),
            ("en_US.UTF-8", ["--language", "zh_CN"], True, True),
        ):
            monkeypatch.setenv("LANG", lang)
            assert cli.main([*run, *words]) == 0
            assert ("⟦True answer⟧" in capsys.readouterr().out) == read
            assert cli.main([*run, *words, "--json"]) == 0
            out = capsys.readouterr().out
            assert ("⟦" in out) == programs
            assert json.loads(out)["facts"][3]["key"] == "truth"
            assert cli.main([*run, *words, "mechanism.epsilon=-1"]) == 2
            err = capsys.readouterr().err
            assert err.startswith("dpstudio: mechanism.epsilon: ")
            assert ("⟦" in err) == read
        assert cli.main([*run, "--language", "xx"]) == 2
        assert "Known: en, zh_CN" in capsys.readouterr().err
    finally:
        language.use(english)


def test_every_command_and_its_refusals_are_whole_in_chinese(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """English are names, and what is typed, alone."""
    nothing = str(tmp_path / "nothing")
    calls = [[command, "--help"] for command in COMMANDS.split()]
    calls += [["--help"], *(["run", key, "--help"] for key in ("explore", "learn"))]
    calls += [[command, nothing, "--out", "x.html"] for command in ("handout", "report", "export")]
    calls += [[command, nothing] for command in ("again", "verify", "read", "plan", "ledger")]
    calls += [["handout"], ["release"], ["run", "explore", "--nope"], ["run", "nope"]]
    calls += [["handout", "averaging", "--out", "x.html", "--solutions", "nope"]]
    left = {}
    try:
        for words in calls:
            with suppress(SystemExit):  # of argparse, after its help
                cli.main(["--language", "zh_CN", *words])
            told = "".join(capsys.readouterr())
            if SENTENCE.search(told) or re.search(r"usage|option|argument|[一-鿿]\)?[:;]\s", told):
                left[" ".join(words)] = told
    finally:
        language.use(language.written(language.ENGLISH))
    assert left == {}


COMMANDS = (
    "run read export script report handout again plan ledger release verify places desktop help"
)


def test_plans_and_ledgers_are_the_same_for_programs_in_every_language(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plan, ledger = str(tmp_path / "p.json"), str(tmp_path / "l.json")
    assert cli.main(["plan", plan, "new"]) == 0
    assert cli.main(["ledger", ledger, "new", "population=x", "epsilon=1"]) == 0
    capsys.readouterr()
    told = []
    try:
        for lang in ("C.UTF-8", "zh_CN.UTF-8"):
            for name in ("LANGUAGE", "LC_ALL", "LANG"):
                monkeypatch.setenv(name, lang)
            assert cli.main(["ledger", ledger]) == 0
            read = capsys.readouterr().out
            assert cli.main(["plan", plan, "--json"]) == 0
            assert cli.main(["ledger", ledger, "--json"]) == 0
            told.append((read, capsys.readouterr().out))
    finally:
        language.use(language.written(language.ENGLISH))
    (english, first), (chinese, second) = told
    assert "一个人" in chinese
    assert chinese != english
    assert first == second


def test_without_the_truth(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Neither answer nor seed, however the truth is switched off; the draw that left leaves again,
    and another seed is a draw of its own, which is said."""
    monkeypatch.setenv("DPSTUDIO_LEDGER", str(tmp_path / "ledger.json"))
    # One draw in ten would round to the exact answer itself.
    monkeypatch.setattr("secrets.randbelow", random.Random(7).randrange)
    seen = []
    for words in (["--without-truth"], ["show_truth=no"], ["show_truth=no", "seed=2"]):
        # So much noise that hardly any draw reads like the exact answer by chance.
        assert cli.main(["run", "explore", "mechanism.epsilon=0.001", *words, "--json"]) == 0
        out, err = capsys.readouterr()
        one = json.loads(out)
        assert one["truth"] is None
        assert "seed" not in one["lab"]
        assert one["table"].keys() == {"name"}
        assert "6460.0" not in out
        assert "6,460" not in out
        assert one["replays"][0][0] * 2**30 % 1 == 0, "not on the grid"
        seen.append((one["replays"], err))
    assert seen[0][0] == seen[1][0] != seen[2][0]
    assert "costs ε = 0.001" in seen[0][1]
    assert "nothing more" in seen[1][1]
    assert "after 1 draw in the ledger of this machine" in seen[2][1]
    assert cli.main(["run", "explore", "query=sum", "--without-truth"]) == 2
    assert "outside the data" in capsys.readouterr().err


def test_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each chart as SVG, PNG and CSV, and the findings; every path is printed."""
    out = tmp_path / "charts"
    assert cli.main(["run", "explore", "--out", str(out)]) == 0
    names = {
        f"explore-{chart}.{kind}"
        for chart in ("published", "error", "tradeoff", "cost", "deployments")
        for kind in ("svg", "png", "csv")
    }
    assert {path.name for path in out.iterdir()} == names | {"findings.json"}
    assert sorted(capsys.readouterr().out.split()) == sorted(str(path) for path in out.iterdir())
    assert (out / "explore-cost.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (out / "explore-cost.svg").read_text(encoding="utf-8")
    assert "not private" in (out / "explore-published.svg").read_text(encoding="utf-8")
    assert json.loads((out / "findings.json").read_text(encoding="utf-8"))["truth"] == [6460.0]


def test_export(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A saved session gives its numbers again; a table that has changed since is refused."""
    path = tmp_path / "s.dpstudio"
    lab = put(Explore(), "query.where", "age >= 50")
    write_session(Session("adult", opened("adult").digest, (lab,), "explore"), path)
    assert answer(capsys, "export", str(path))["truth"] == [7062.0]
    assert cli.main(["export", str(path), "--out", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out" / "findings.json").exists()
    capsys.readouterr()
    write_session(Session("adult", "0" * 64, (lab,), "explore"), path)
    refused(capsys, "has changed", "export", str(path), "--json")


def test_what_is_known_from_outside(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Attested bounds leave nothing open, persons multiply the noise; both are in what is written,
    and come back with a session."""
    known = [
        "--about",
        "age: low=10 high=90 attested=yes source=the census form",
        "--person",
        "hours-per-week",
        "--most",
        "40",
    ]
    found = answer(capsys, "run", "explore", "query=sum", *known)
    assert found["codebook"]["columns"]["age"] == {
        "low": 10.0,
        "high": 90.0,
        "attested": True,
        "source": "the census form",
    }
    assert (found["codebook"]["person"], found["codebook"]["most"]) == ("hours-per-week", 40)
    assert (found["table"]["rows"], found["table"]["rows_used"]) == (32_561, 2_436)
    alone = answer(capsys, "run", "explore", "query=sum", *known[:2])
    widths = [
        next(f["value"] for f in each["facts"] if f["key"] == "interval") for each in (found, alone)
    ]
    assert widths[0][1] - widths[0][0] == pytest.approx(40 * (widths[1][1] - widths[1][0]))
    path = tmp_path / "s.dpstudio"
    book = codebook_words(known[1:2], "hours-per-week", 40)
    write_session(
        Session("adult", opened("adult").digest, (Explore(query=Sum()),), "explore", {}, book), path
    )
    again = answer(capsys, "export", str(path))
    assert (again["truth"], again["codebook"]) == (found["truth"], found["codebook"])


def test_what_cannot_be_read_as_told_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,x\n2,7\n3,y\n")
    assert (
        cli.main(
            [
                "run",
                "explore",
                "query=count",
                "query.where=",
                "--data",
                str(tmp_path / "t.csv"),
                "--about",
                "b: type=number",
            ]
        )
        == 0
    )
    assert (
        capsys.readouterr().err
        == "dpstudio: 2 values of “b” cannot be read as numbers: they count as missing.\n"
    )


def test_the_bounds_of_a_column_of_dates_are_dates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """1990 would be taken for so many days since 1970."""
    days = [f"{1990 + i % 40}-01-31" for i in range(80)]
    (tmp_path / "t.csv").write_text("\n".join(["day", *days]))
    words = ["run", "explore", "query=count", "query.where=", "--data", str(tmp_path / "t.csv")]
    years = [*words, "--json", "--about", "day: low=1990 high=2020"]
    refused(capsys, "“day” holds dates: write its bounds as dates, such as 2020-03-31.", *years)
    known = answer(capsys, *words, "--about", f"{years[-1]}-01-01")["codebook"]["columns"]["day"]
    assert known == {"type": "date", "low": days_of("1990"), "high": days_of("2020")}


def test_a_public_word_that_is_read_as_missing_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """NA is Namibia to some, and no value to most."""
    (tmp_path / "t.csv").write_text("a,b\n1,NA\n2,EU\n3,NA\n")
    words = ["explore", "query=histogram", "query.column=b", "--data", str(tmp_path / "t.csv")]
    words = [*words, "--about", "b: categories=NA|EU attested=yes", "--json"]
    assert cli.main(["run", *words]) == 0
    out, err = capsys.readouterr()
    assert "“NA” of “b” is read as a missing value" in err
    assert json.loads(out)["truth"] == [0, 1]
    assert cli.main(["run", *words, "--read", "missing=blank"]) == 0
    out, err = capsys.readouterr()
    assert "NA" not in err
    assert json.loads(out)["truth"] == [2, 1]


def refused(capsys: pytest.CaptureFixture[str], why: str, *words: str) -> None:
    assert cli.main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("dpstudio: ")
    assert err.count("\n") == 1
    assert why in err
    assert err.rstrip().endswith((".", "--json"))


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["run", "nothing"], "nothing"),
        (["run", "explore", "nothing=1"], "no such parameter"),
        (["run", "explore", "epsilon"], "name=value"),
        (["run", "explore", "mechanism.epsilon=0"], "mechanism.epsilon"),
        (["run", "explore", "mechanism.epsilon=abc"], "not a number"),
        (["run", "explore", "mechanism=nothing"], "laplace"),
        (["run", "explore", "mechanism.delta=1e-5"], "no such parameter"),
        (["run", "explore", "query.where=age >"], "character"),
        (["run", "explore", "query.where=gone = 1"], "gone"),
        (["run", "explore", "query=mean", "query.column=sex"], "words"),
        (["run", "explore", "query=mean", "query.n_public=yes"], "replace one"),
        (
            [
                "run",
                "explore",
                "query=mean",
                "query.n_public=yes",
                "adjacency=replace",
                "--person",
                "sex",
            ],
            "Another person",
        ),
        (["run", "explore", "--about", "agee: low=1"], "agee"),
        (["run", "explore", "--about", "age 1 to 9"], "age: low=17"),
        (["run", "explore", "--about", "age: low=9 high=1"], "above the lowest"),
        (["run", "clipping", "low=1234567.5", "high=1"], "above the lowest (1234567.5)"),
        (
            ["run", "stories", "story=differencing", "story.low=1234567.5", "story.high=1"],
            "above the lowest (1234567.5)",
        ),
        (["run", "explore", "--person", "nobody"], "nobody"),
        (["run", "explore", "--person", "sex", "--most", "0"], "most"),
        (["run", "explore", "--most", "3"], "whose row"),
        (["run", "explore", "--data", "no such file.csv"], "no such file.csv"),
        (["run", "explore", "--nothing"], "--nothing"),
        (["run", "explore", "--json", "--out", "x"], "not allowed"),
        (["run", "explore", "--beside", "adult"], "no second table"),
        (["run", "anonymity", "--beside", "no such file.csv"], "no such file.csv"),
        (["run", "explore", "--data"], "--data"),
        (["export", "no such session", "--json"], "no such session"),
        (["export", "no such session"], "--out"),
        (["export"], "session"),
        (["run", "explore", "--out", "/dev/null/x"], "/dev/null/x"),
        (["adult"], "no screen"),
        (["steps.dptalk", "--beside", "adult"], "leave --beside out"),
    ],
)
def test_refusals_are_one_sentence(
    capsys: pytest.CaptureFixture[str], words: list[str], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if words == ["adult"]:
        if not sys.platform.startswith("linux"):
            pytest.skip("only Linux can be without a screen")
        monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    refused(capsys, why, *words)


FULL = OSError(errno.ENOSPC, "No space left on device")
READ_ONLY = OSError(errno.EROFS, "Read-only file system")


@pytest.mark.parametrize(
    ("call", "error"),
    [
        ("run explore --out d --paper one-column", FULL),
        ("run anonymity --data t.csv --out d", READ_ONLY),
        ("handout h.dptalk --out h.pdf", FULL),
        ("handout h.dptalk --out h.html", READ_ONLY),
    ],
)
def test_a_disk_that_takes_no_more_is_a_sentence(
    call: str,
    error: OSError,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Whichever of the files is the first for which there is no room."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DPSTUDIO_LEDGER", str(tmp_path / "ledger.json"))
    write_talk(Talk("Coins", (Step("One", Survey()),)), Path("h.dptalk"))
    first_rows(500)._frame.to_csv("t.csv", index=False)
    left, sync = [0], os.fsync

    def full(number: int) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise error
        sync(number)

    monkeypatch.setattr(os, "fsync", full)
    for room in (0, 1, 2, 3):
        left[0] = room
        if cli.main(call.split()) == 0:
            break
        told = capsys.readouterr().err.splitlines()[-1]
        assert told.startswith("dpstudio: ")
        assert f"could not be written: {error.strerror}. Choose another place." in told
    assert room > 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_an_output_that_is_full_is_told() -> None:
    with Path("/dev/full").open("w") as out:
        done = subprocess.run(
            [sys.executable, "-m", "dpstudio", "run", "explore", "--json"],
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.startswith("dpstudio: The output could not be written: No space")
    assert "Traceback" not in done.stderr


def test_paper_without_figures_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", "explore", "--paper", "one-column"]) == 0
    assert "--out DIR alone writes: it is ignored" in capsys.readouterr().err


def test_the_window_opens_with_a_table_beside(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[tuple[str | None, str]] = []
    monkeypatch.setenv("DISPLAY", ":9")
    monkeypatch.setattr("dpstudio.gui.door.open_window", lambda *given: asked.append(given) or 0)
    for words in (["adult", "--beside", "all.csv"], ["--beside=all.csv"], []):
        assert cli.main(words) == 0
    assert asked == [("adult", "all.csv"), (None, "all.csv"), (None, "")]
    for words in (["labs"], ["labs", "explore"]):  # which is neither a command nor a table
        assert cli.main(words) == 2
        assert "“labs” is no command" in capsys.readouterr().err
    assert len(asked) == 3


def test_another_kind_keeps_what_was_typed_and_nothing_else(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def made(*words: str) -> dict:
        return answer(capsys, "run", *words)["lab"]

    assert made("explore", "query=mean")["query"]["where"] == ""
    assert (
        made("explore", "query.where=age > 30", "query=mean", "query.column=hours-per-week")[
            "query"
        ]["where"]
        == "age > 30"
    )
    assert (
        made("explore", "query=mean", "query.column=hours-per-week", "query=sum")["query"]["column"]
        == "hours-per-week"
    )
    assert made("explore", "query=count")["query"]["where"] == "age > 50"
    assert made("explore", "mechanism.epsilon=3", "mechanism=gaussian")["mechanism"]["epsilon"] == 3
    assert made("explore", "mechanism=laplace", "mechanism=gaussian")["mechanism"]["epsilon"] == 0.1
    assert made("selection", "monotone=yes", "query=typed")["query"]["monotone"] is False
    assert made("printed", "erratum.asked=0.5", "erratum=l2_laplace")["erratum"] == to_json(
        L2Laplace()
    )


def test_a_table_that_is_not_certain_names_what_settles_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 2, each doubt with its options; what is proposed settles it as it stands; rows are never
    left out in silence."""
    path = tmp_path / "visits of 2020.csv"
    lines = [
        "who;seen;cost",
        *(f"p{i};{1 + i % 12}/{1 + i % 11}/2020;{i},5" for i in range(60)),
        "p60;1/2/2020",
        "p61;1/2/2020;2,5;3",
    ]
    path.write_text("\n".join(lines) + "\n")
    run = ["run", "explore", "query.where=", "--data", str(path)]
    assert cli.main(run) == 2
    out, err = capsys.readouterr()
    assert out == ""
    for word in (
        "Nothing was opened",
        "--read dates=mdy",
        "--read dates=dmy   (proposed)",
        "--read ragged=refuse",
        "line 63",
    ):
        assert word in err
    # One choice settles one doubt, not the others.
    assert cli.main([*run, "--read", "dates=mdy"]) == 2
    err = capsys.readouterr().err
    assert "dates=dmy" not in err
    assert err.rstrip().endswith("--read 'dates=mdy ragged=pad'")
    given = shlex.split(err.rstrip().splitlines()[-1].removeprefix("As proposed: "))
    assert cli.main([*run, *given, "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["truth"] == [61.0]
    assert "1 row was left out: line 63" in err
    assert "1 row was repaired: line 62" in err
    # Of a table beside the first it is another option.
    two = ["run", "anonymity", "--data", str(path), *given, "--beside", str(path)]
    assert cli.main([*two, "--read-beside", "dates=mdy"]) == 2
    proposed = capsys.readouterr().err.rstrip().splitlines()[-1]
    assert proposed == "As proposed: --read-beside 'dates=mdy ragged=pad'"
    for words, why in (
        ("dates=tomorrow", "dates"),
        ("dates", "name=value"),
        ("dates='mdy", "quote"),
        ("nothing=1", "no such parameter"),
    ):
        refused(capsys, why, *run, "--read", words)
    # A session that holds the choices needs no others.
    session = tmp_path / "s.dpstudio"
    opened = open_as_told(str(path), given[1:])
    lab = put(Explore(), "query.where", "")
    write_session(
        Session(str(path), opened.data.digest, (lab,), "explore", reading=opened.report.choices),
        session,
    )
    assert cli.main(["export", str(session), "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["truth"] == [61.0]
    assert "1 row was left out" in err
    write_session(Session(str(path), opened.data.digest, (lab,), "explore"), session)
    assert cli.main(["export", str(session), "--json"]) == 2
    assert "--read dates=mdy" in capsys.readouterr().err
    assert cli.main(["export", str(session), "--json", *given]) == 0


@pytest.mark.parametrize("kind", LABS)
def test_help_shows_what_happens(capsys: pytest.CaptureFixture[str], kind: type[Lab]) -> None:
    """The default beside each parameter is what it is if nothing but the kind it belongs to is
    typed."""
    assert cli.main(["run", kind.key, "--help"]) == 0
    lines = capsys.readouterr().out.split("parameters:\n")[1].splitlines()
    for name, domain in domains(kind).items():
        if not isinstance(domain, OneOf):
            continue
        for member in domain.family():
            chosen = getattr(with_words(kind(), [f"{name}={member.key}"]), name)
            for inner, held in domains(member).items():
                text = held.show(getattr(chosen, inner)) or "none"
                (line,) = [
                    s
                    for s in lines
                    if s.startswith(f"    {name}.{inner} ") and f" ({member.key}) " in s
                ]
                assert line.endswith(f"[{text}]"), line


def test_help_names_every_parameter(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", "--help"]) == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line[:2] == "  "]
    assert listed == [about.key for labs in by_question().values() for about in labs]
    assert cli.main(["run", "explore", "--help"]) == 0
    out = capsys.readouterr().out
    for word in (
        "mechanism.epsilon",
        "mechanism.delta",
        "query.where",
        "adjacency",
        "delta_prime",
        "0.001",
        "--without-truth",
    ):
        assert word in out


CHILD = """
import sys
from dpstudio import cli
assert cli.main(["run", "explore", "--json"]) == 0
assert cli.main(["run", "explore", "mechanism=gaussian", "query=histogram", "--json"]) == 0
seen = {name.split(".")[0] for name in sys.modules} & {"PySide6", "shiboken6", "pyqtgraph", "matplotlib", "dp_accounting"}
seen |= {"scipy.stats", "scipy.optimize", "dpstudio.gui"} & set(sys.modules)
print(sorted(seen), file=sys.stderr)
"""


def test_numbers_need_no_window() -> None:
    """Neither Qt nor a plotting library is imported, nor the slow parts of scipy; warnings are
    errors."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", CHILD],
        capture_output=True,
        text=True,
        env={**os.environ, "QT_QPA_PLATFORM": "none"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.strip() == "[]"


def test_notes_of_a_certain_reading_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was left out, or taken for a missing value, where nobody was asked."""
    path = tmp_path / "t.csv"
    path.write_text("# by hand\n# twice\nage,w\n1,x\n?,y\n3,z\n")
    assert cli.main(["run", "explore", "--data", str(path), "--json"]) == 0
    told = capsys.readouterr().err
    assert "2 lines that begin with" in told
    assert "“?” (1)" in told


def test_a_terminal_is_told_how_far_a_long_run_is(monkeypatch: pytest.MonkeyPatch):
    """In one line that goes away; a file or a pipe is told nothing, nor who waits for a moment."""
    told = []
    for terminal, seconds in ((True, 5.0), (True, 0.5), (False, 5.0)):
        out, clock = io.StringIO(), iter([0.0, seconds])
        monkeypatch.setattr(out, "isatty", lambda terminal=terminal: terminal)
        monkeypatch.setattr(sys, "stderr", out)
        monkeypatch.setattr(waiting, "monotonic", lambda clock=clock: next(clock))
        with waiting.waiting() as tell:
            tell(0.62, say("Making"))
        told.append(out.getvalue().split("\r\x1b[K"))
    assert told == [["", "Making: 62 %", ""], ["", ""], [""]]


def test_who_ends_a_run_by_hand_reads_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def ended(words: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(commands, "_run", ended)
    assert commands.main(["run", "synthesis"]) == 130
    assert not any(capsys.readouterr())


def test_a_table_of_ones_own_is_asked_about_its_own_columns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where nobody named one; what was typed stays, and roles that were told are taken."""
    path = str(tmp_path / "visits.csv")
    peoples_tables()["visits"].to_csv(path, index=False)
    for lab in ("explore", "differencing", "linkage", "clipping", "learn", "anonymity", "compress"):
        assert cli.main(["run", lab, "--data", path]) == 0, lab
    assert cli.main(["run", "explore", "query=mean", "query.column=age", "--data", path]) == 2
    assert "“age”" in capsys.readouterr().err
    words = ["--about", "Gender: role=sensitive", "--about", "Age: role=identifier", "--json"]
    assert cli.main(["run", "anonymity", "--data", path, *words]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["lab"]["sensitive"], found["lab"]["identifiers"]) == ("Gender", ["Age"])
    assert cli.main(["run", "anonymity", "sensitive=Diagnosis", "--data", path, *words]) == 0
    assert json.loads(capsys.readouterr().out)["lab"]["sensitive"] == "Diagnosis"


CHOICES = [
    (kind, name, member)
    for kind in every_lab()
    for name, domain in domains(kind).items()
    if isinstance(domain, OneOf) and domain.apart
    for member in domain.family()
]


@pytest.mark.parametrize(
    ("kind", "name", "member"), CHOICES, ids=lambda each: getattr(each, "key", None)
)
def test_what_only_one_choice_has_chooses_it(kind: type[Lab], name: str, member: type) -> None:
    """Of what is looked at apart: a call that names a parameter of one choice alone needs not say
    which one it is of; so calls hold whose lab begins with another choice today."""
    family = domains(kind)[name].family()
    for inner, domain in domains(member).items():
        if sum(inner in domains(each) for each in family) == 1:
            word = f"{name}.{inner}={domain.show(getattr(member(), inner))}"
            made = with_words(kind(), [word])
            assert isinstance(getattr(made, name), member), word
