"""What earlier programs saved opens: the files of tests/files/old were written by them, each format
of sessions and of talks; and what they had in one lab opens in the lab of today that does it."""

import json
from pathlib import Path

import pytest

from dpstudio.cli.commands import main
from dpstudio.data.codebook import EMPTY
from dpstudio.files.again import differs
from dpstudio.files.recorded import Recorded
from dpstudio.files.session import Session, other_rows, read_session, write_session
from dpstudio.files.tables import open_table
from dpstudio.files.talk import read_talk
from dpstudio.gui.shell.frame.findable import pages
from dpstudio.gui.shell.frame.ranking import WHOLE, fit
from dpstudio.labs import LABS, naming
from dpstudio.labs.naming import LAB_NAMES, SUCCESSORS, Successor, lab_from_json, lab_today
from dpstudio.values.messages import render
from dpstudio.values.parameters import get, put, settings, to_json

OLD = Path(__file__).parent / "old"
KEYS = {about.key for about in LABS}
# Which labs a session opens; the first one shows.
SESSIONS = {
    "session-1": ["local_counts", "explore", "compare", "composition", "printed", "stories"],
    "session-2": ["printed", "explore"],
    "session-3": ["differencing", "composition", "masking"],
}
# Which lab each step of a talk shows.
TALKS = {
    "talk-1": {
        "differencing": "differencing",
        "membership": "membership",
        "reconstruction": "reconstruction",
        "census": "reconstruction",
        "shadows": "membership",
        "tracker": "differencing",
        "console": "differencing",
        "inversion": "inversion",
        "frequency": "linkage",
        "linkage": "linkage",
        "joining": "linkage",
    },
    "talk-2": {
        "nothing": "anonymity",
        "swap": "masking",
        "permute": "masking",
        "pram": "masking",
        "anatomy": "masking",
        "top_code": "masking",
        "micro_aggregate": "masking",
        "resample": "masking",
        "suppress": "masking",
        "perturb": "masking",
        "hide_rule": "rules",
        "risk": "risk",
        "hiding": "rules",
        "averages": "averaging",
        "bounds": "composition",
        "two tables": "linkage",
    },
}


def held(name: str) -> dict:
    """What the old file holds, as it is."""
    (path,) = OLD.glob(f"{name}.*")
    return json.loads(path.read_text(encoding="utf-8"))


def test_each_format_that_was_ever_written_is_there() -> None:
    assert {held(name)["dpstudio"] for name in SESSIONS} == {1, 2, 3}
    assert {held(name)["dpstudio_talk"] for name in TALKS} == {1, 2}
    assert {path.stem for path in OLD.iterdir()} == {*SESSIONS, *TALKS}


@pytest.mark.parametrize("name", SESSIONS)
def test_an_old_session_shows_the_lab_that_does_it_today(name: str) -> None:
    session, (first, *others) = read_session(OLD / f"{name}.dpstudio"), SESSIONS[name]
    assert session.active == first
    assert {lab.key for lab in session.labs} == {first, *others}
    assert {*session.view["hidden"], *session.view["opened"]} <= KEYS
    assert lab_from_json(to_json(session.lab(first))) == session.lab(first)


def test_old_names_of_parameters_hold_their_values() -> None:
    session = read_session(OLD / "session-1.dpstudio")
    explore, compare = session.lab("explore"), session.lab("compare")
    assert (explore.delta_prime, explore.post_processing, explore.compare_with) == (
        1e-6,
        "round",
        "gaussian",
    )
    assert compare.post_processing == "round"
    assert session.lab("composition").delta_prime == 1e-7


@pytest.mark.parametrize("name", TALKS)
def test_an_old_talk_shows_the_labs_that_do_it_today(name: str) -> None:
    """What a step points at, and the numbers that its sentences name, are there in that lab."""
    talk = read_talk(OLD / f"{name}.dptalk")
    assert {step.title: step.lab.key for step in talk.steps} == TALKS[name]
    for step in talk.steps:
        for field in (step.point, *(part.split("}")[0] for part in step.say.split("{")[1:])):
            if field and not field.startswith("fact."):
                get(step.lab, field)


# A lab that became two, and gave a name of its own up.
PARTS = (
    Successor("explore", "looks", ("closely", "true"), ("near",), {"looks": "", "pair": "query"}),
    Successor(
        "composition", "looks.deeply", ("laplace",), paths={"looks": "", "noise": "mechanism"}
    ),
    Successor(
        "guarantee", paths={"noise.epsilon": "at_epsilon", "noise": "", "looks": "", "pair": ""}
    ),
)


@pytest.fixture
def parted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(naming.SUCCESSORS, "once", PARTS)
    monkeypatch.setitem(naming.LAB_NAMES, "yore", "once")


@pytest.mark.usefixtures("parted")
def test_a_lab_that_was_parted_opens_by_its_parameters() -> None:
    laplace = {"kind": "laplace", "epsilon": 3.0}
    explore = lab_from_json({"kind": "once", "looks": "closely", "pair": {"kind": "count"}})
    assert explore.key == "explore"
    found = lab_from_json({"kind": "yore", "looks": {"deeply": laplace}, "noise": laplace})
    assert (found.key, get(found, "mechanism.epsilon")) == ("composition", 3.0)
    found = lab_from_json({"kind": "once", "looks": "from afar", "noise": laplace})
    assert (found.key, get(found, "at_epsilon")) == ("guarantee", 3.0)
    assert lab_from_json({"kind": "once", "looks": True}).key == "explore"
    assert lab_from_json({"kind": "once"}, ("near",)).key == "explore"
    assert lab_today("yore") == "guarantee"


@pytest.mark.usefixtures("parted")
def test_a_session_keeps_one_of_a_lab_that_would_be_there_twice(tmp_path: Path) -> None:
    """That with a name of its own; what was seen of the old one is seen of what it became."""
    data = {
        "dpstudio": 1,
        "table": {"path": "adult", "sha256": ""},
        "active": "once",
        "labs": [
            {"kind": "explore", "seed": 5},
            {"kind": "once", "looks": "closely"},
            {"kind": "compare"},
        ],
        "view": {"hidden": {"once": {"noise": ["x"]}}, "opened": ["explore", "compare", "once"]},
    }
    path = tmp_path / "s.dpstudio"
    path.write_text(json.dumps(data), encoding="utf-8")
    session = read_session(path)
    assert [(lab.key, lab.seed) for lab in session.labs] == [("explore", 5), ("compare", 1)]
    assert session.active == "explore"
    assert session.view == {
        "hidden": {"explore": {"noise": ["x"]}},
        "opened": ["explore", "compare"],
    }


@pytest.mark.usefixtures("parted")
def test_words_of_a_call_and_of_the_finder_know_an_old_lab(capsys: pytest.CaptureFixture) -> None:
    def lab(*words: str) -> dict:
        assert main(["run", *words, "--json"]) == 0
        return json.loads(capsys.readouterr().out)["lab"]

    made = lab("once", "looks.deeply=laplace", "noise.epsilon=3", "answers=4")
    assert (made["kind"], made["mechanism"]["epsilon"], made["answers"]) == ("composition", 3.0, 4)
    assert lab("yore", "noise.epsilon=2")["at_epsilon"] == 2.0
    entries = [entry for entry in pages(print, LABS) if fit("yore", entry.named).rank == WHOLE]
    assert len(entries) == len(PARTS)


@pytest.mark.parametrize("old", [*LAB_NAMES, *SUCCESSORS])
def test_what_is_declared_of_old_labs_is_there_today(old: str) -> None:
    """Labs, and parameters of theirs that some choice of their families brings."""
    for part in SUCCESSORS.get(old, (Successor(LAB_NAMES.get(old, old)),)):
        assert part.lab in KEYS
        (kind,) = (about.kind for about in LABS if about.key == part.lab)
        for path in filter(None, part.paths.values()):
            first, _, below = path.partition(".")
            domain = settings(kind)[first]
            kinds = domain.family() if below else ()
            assert not below or any(below in settings(each) for each in kinds)
            assert put(kind(), first, get(kind(), first)) == kind()


@pytest.mark.parametrize(
    ("old", "part"),
    [(old, part) for old, parts in SUCCESSORS.items() for part in parts if part.charts],
)
def test_a_step_that_looked_at_a_chart_still_does(old: str, part: Successor) -> None:
    """In the lab that has it today, looked at so that it is there; what a step holds itself is
    left."""
    for chart in part.charts:
        lab = lab_from_json({"kind": old}, (chart,))
        assert lab.key == part.lab
        assert all(get(lab, path) == value for path, value in part.sets.items())
        held = {path: get(type(lab)(), path) for path in part.sets}
        assert lab_from_json({"kind": old, **held}, (chart,)) == type(lab)()


def test_a_session_that_kept_the_first_rows_of_persons_says_so(tmp_path: Path) -> None:
    """So does a figure; one that is saved today says nothing."""
    lab = lab_from_json({"kind": "explore"})
    book = EMPTY.with_person("patient", 2)
    path = tmp_path / "s.dpstudio"
    write_session(Session("adult", "", (lab,), "explore", codebook=book), path)
    assert other_rows(read_session(path)) is None
    path.write_text(path.read_text().replace(',\n  "kept": "md5"', ""))
    session = read_session(path)
    assert session.codebook == book
    assert "first rows of each “patient”" in render(other_rows(session))
    figure = Recorded("0.1.0", "t", lab, codebook=book, first_rows=True)
    assert [render(told) for told in differs(figure, open_table("adult"))][-1:] == [
        render(other_rows(session))
    ]
