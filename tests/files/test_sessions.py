"""Sessions: they read back, hold no rows, are written whole or not at all, and refuse with a
sentence."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from dpstudio.data.codebook import codebook_words
from dpstudio.files import session as files_session
from dpstudio.files.read.choices import Choices
from dpstudio.files.tables import open_table
from dpstudio.files.talk import Step, Talk, talk_from_json, talk_json
from dpstudio.labs import LABS, About
from dpstudio.labs.naming import lab_from_json
from dpstudio.labs.one_answer.explore.parameters import Explore
from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.privacy.queries import QUERIES
from dpstudio.values.parameters import OneOf, ParamError, domains, put, to_json


def explore(*settings: str) -> Explore:
    lab = Explore()
    for setting in settings:
        lab = put(lab, *setting.split("=", 1))
    return lab


STATES = [
    Explore(),
    *(explore(f"query={q.key}", f"mechanism={m.key}") for q in QUERIES for m in MECHANISMS),
    explore(
        'query.where=(sex = "Male" or `x y` in (1, "a\\"b")) and age is not missing',
        "seed=4611686018427387903",
    ),
    explore(
        "query=histogram",
        "query.edges=0, 0.1, 1e3",
        "query.categories=ä | b c",
        "show_truth=no",
        "adjacency=replace",
    ),
    explore(
        "query=mean",
        "query.low=0.1",
        "query.high=100",
        "query.centred=yes",
        "mechanism.epsilon=0.30000000000000004",
    ),
    explore("mechanism=textbook").with_(show_truth=False),
]


def session(lab: Explore, **changes) -> files_session.Session:
    given = {
        "table": "/data/tabelle ä.csv",
        "digest": "ab" * 32,
        "labs": (lab,),
        "active": "explore",
        "view": {"dark": True, "zoom": [1, 2.5]},
    }
    return files_session.Session(**{**given, **changes})


@pytest.mark.parametrize("lab", STATES, ids=range(len(STATES)))
def test_round_trip(tmp_path: Path, lab: Explore) -> None:
    path = tmp_path / "s.dpstudio"
    files_session.write_session(session(lab), path)
    assert files_session.read_session(path) == session(lab)
    assert files_session.read_session(path).lab("explore") == lab
    assert json.loads(path.read_text(encoding="utf-8"))["dpstudio"] == files_session.PLAIN


@pytest.mark.parametrize("about", LABS, ids=lambda about: about.key)
def test_every_lab_and_kind_reads_back(about: About) -> None:
    """Also where a parameter has the name that another one had once."""
    lab = about.kind()
    for name, domain in domains(about.kind).items():
        for kind in domain.family() if isinstance(domain, OneOf) else ():
            made = put(lab, name, kind.key)
            assert lab_from_json(to_json(made)) == made


def test_what_is_known_of_columns_is_kept(tmp_path: Path) -> None:
    """With a codebook it is a later format: a program that knows no unit of privacy must not open
    it as if there were none."""
    path = tmp_path / "s.dpstudio"
    known = codebook_words(
        ["age: low=17 high=90 attested=yes source=the form", "sex: categories=Male | Female"],
        "relationship",
        3,
    )
    files_session.write_session(session(Explore(), codebook=known), path)
    assert files_session.read_session(path) == session(Explore(), codebook=known)
    text = path.read_text(encoding="utf-8")
    assert json.loads(text)["dpstudio"] == files_session.KNOWING > files_session.PLAIN
    for good, bad in (
        ('"low": 17.0', '"low": 100'),
        ('"most": 3', '"most": 0'),
        ('"type"', '"kind"'),
        ('"source"', '"sauce"'),
    ):
        path.write_text(text.replace(good, bad), encoding="utf-8")
        if good in text:
            with pytest.raises(files_session.SessionError, match="codebook"):
                files_session.read_session(path)


def test_a_second_table_is_kept_by_its_path_and_digest(tmp_path: Path) -> None:
    path, second = (
        tmp_path / "s.dpstudio",
        files_session.Second("/data/all.csv", "cd" * 32, Choices(skip=2)),
    )
    files_session.write_session(session(Explore(), second=second), path)
    assert files_session.read_session(path) == session(Explore(), second=second)
    text = path.read_text(encoding="utf-8")
    assert json.loads(text)["dpstudio"] == files_session.TWO_TABLES > files_session.KNOWING
    path.write_text(text.replace('"skip"', '"leap"'), encoding="utf-8")
    with pytest.raises(files_session.SessionError, match=r"second\.reading"):
        files_session.read_session(path)


def test_a_role_that_was_told_is_saved(tmp_path: Path) -> None:
    """A program that knows no roles must refuse the session, and a talk with it; not one that only
    says who a person is."""
    path = tmp_path / "s.dpstudio"
    for book, version in (
        (codebook_words(["age: role=quasi"], "id", 3), files_session.VERSION),
        (codebook_words(["id: type=identifier"], "id", 3), files_session.KNOWING),
    ):
        files_session.write_session(replace(session(Explore()), codebook=book), path)
        assert files_session.read_session(path).codebook == book
        assert json.loads(path.read_text(encoding="utf-8"))["dpstudio"] == version
        talk = Talk("t", (Step("one", Explore(), table="adult", codebook=book),))
        assert (talk_json(talk)["dpstudio_talk"] > 2) == (version == files_session.VERSION)
        assert talk_from_json(talk_json(talk), path).steps[0].codebook == book


def test_how_the_table_was_chosen_to_be_read_is_saved(tmp_path: Path) -> None:
    """Every choice; a program that knows no choices refuses the session; choices that are none are
    named."""
    path = tmp_path / "s.dpstudio"
    reading = Choices(
        part="Sheet 2",
        skip=3,
        decimal="comma",
        missing_words=("n/a", "a=b"),
        types=("x = y=words", "z=date"),
    )
    files_session.write_session(session(Explore(), reading=reading), path)
    assert files_session.read_session(path).reading == reading
    text = path.read_text(encoding="utf-8")
    assert json.loads(text)["dpstudio"] == files_session.KNOWING
    for right, wrong in (
        ('"comma"', '"dot"'),
        ('"skip"', '"leap"'),
        ('"kind": "reading"', '"kind": "explore"'),
    ):
        path.write_text(text.replace(right, wrong), encoding="utf-8")
        with pytest.raises(files_session.SessionError, match=r"table\.reading"):
            files_session.read_session(path)


def test_cut_short_anywhere(tmp_path: Path) -> None:
    """Every prefix of a session is refused as one sentence with the file's name."""
    path = tmp_path / "s.dpstudio"
    files_session.write_session(session(STATES[-2]), path)
    whole = path.read_bytes().rstrip()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(files_session.SessionError) as caught:
            files_session.read_session(path)
        assert "s.dpstudio" in str(caught.value)
        assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"dpstudio": 99, "labs": "of the future"}', "later dpstudio"),
        ('{"dpstudio": 99999999999999999999}', "later dpstudio"),
        ('{"dpstudio": true}', "not a dpstudio session"),
        ('{"dpstudio": 0, "table": {"path": "x"}, "labs": []}', ""),
        ("[]", "not a dpstudio session"),
        ("{}", "not a dpstudio session"),
        ('{"dpstudio": 1}', "cut short"),
        ('{"dpstudio": 1, "table": {"path": "x"}, "labs": [], "active": "explore"}', "no lab"),
        (
            '{"dpstudio": 1, "table": {"path": "x"}, "labs": [{"kind": "explore"}], '
            '"active": "risk"}',
            "no lab",
        ),
        (
            '{"dpstudio": 1, "table": {"path": "x"}, "labs": [{"kind": "explore"}], '
            '"active": ["explore"]}',
            "no lab",
        ),
        (
            '{"dpstudio": 1, "table": {"path": "x"}, "labs": [{"kind": "nothing"}], '
            '"active": "nothing"}',
            "at labs",
        ),
        (
            '{"dpstudio": 1, "table": {"path": "x"}, "labs": [{"kind": "explore", "slack": 7}], '
            '"active": "explore"}',
            "at delta_prime",
        ),
        (
            '{"dpstudio": 1, "table": {"path": "x"}, "labs": [{"kind": "explore", "slack": NaN}], '
            '"active": "explore"}',
            "at delta_prime",
        ),
        (
            '{"dpstudio": 1, "table": {"path": "x"}, "active": "explore", '
            '"labs": [{"kind": "explore", "query": {"kind": "sum", "low": 3, "high": 2}}]}',
            "at query.high",
        ),
        ("[" * 100_000, "broken at line"),
        ('{"dpstudio": ' + "1" * 5000 + "}", ""),
        (
            '{"dpstudio": 1, "table": {"path": "x"}, "labs": [{"kind": "explore", "seed": '
            + "1" * 5000
            + '}], "active": "explore"}',
            "",
        ),
        ("{\n\n  nothing", "line 3"),
        ("\ufeff{}", ""),
    ],
    ids=lambda text: text[:60],
)
def test_bad_sessions_are_sentences(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "s.dpstudio"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(files_session.SessionError) as caught:
        files_session.read_session(path)
    assert why in str(caught.value)
    assert str(caught.value).endswith(".")


def test_what_is_no_text_or_no_file(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    for path in (tmp_path / "binary", tmp_path / "missing", tmp_path):
        with pytest.raises(files_session.SessionError):
            files_session.read_session(path)


def test_no_row_is_saved(tmp_path: Path) -> None:
    """A value that stands in the table, and that no parameter names, does not stand in the
    session."""
    table = tmp_path / "t.csv"
    table.write_text(
        "x,word\n" + "".join(f"{918273.5 + i},Zebrafink{i}\n" for i in range(20)), encoding="utf-8"
    )
    data = open_table(str(table))
    for settings in (
        ["query=histogram", "query.where=", "query.column=word"],
        ["query=sum", "query.where=", "query.column=x"],
    ):
        lab = explore(*settings)
        assert any(found.figures for found in lab.run(data))
        path = tmp_path / "s.dpstudio"
        files_session.write_session(
            files_session.Session(data.origin, data.digest, (lab,), "explore"), path
        )
        text = path.read_text(encoding="utf-8")
        assert "Zebrafink" not in text
        assert "9182" not in text
        assert data.digest in text


@pytest.mark.parametrize("broken", ["replace", "fsync", "chmod"])
def test_a_failure_leaves_the_old_file_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    """The disk fills up, or the machine says no: the old session is still there, and nothing lies
    beside it."""
    path = tmp_path / "s.dpstudio"
    files_session.write_session(session(Explore()), path)

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, broken, fail)
    with pytest.raises(files_session.SessionError, match="No space left"):
        files_session.write_session(session(explore("seed=2")), path)
    monkeypatch.undo()
    assert files_session.read_session(path).lab("explore").seed == 1
    assert os.listdir(tmp_path) == ["s.dpstudio"]


def test_writing_where_one_cannot(tmp_path: Path) -> None:
    for path in (tmp_path / "no folder" / "s.dpstudio", tmp_path):
        with pytest.raises(files_session.SessionError):
            files_session.write_session(session(Explore()), path)
    assert os.listdir(tmp_path) == []


def test_a_table_whose_path_is_not_utf8(tmp_path: Path) -> None:
    """Such names exist on Linux: the session is written, or refused with a sentence."""
    path = tmp_path / "s.dpstudio"
    try:
        files_session.write_session(session(Explore(), table="/data/\udcff.csv"), path)
        assert files_session.read_session(path).table == "/data/\udcff.csv"
    except files_session.SessionError:
        assert os.listdir(tmp_path) == []


def test_what_would_be_read_without_end_is_no_session(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.dpstudio")
    (tmp_path / "device.dpstudio").symlink_to("/dev/zero")
    with (tmp_path / "long.dpstudio").open("wb") as file:
        file.truncate(10**10)
    for name in ("pipe", "device", "long"):
        with pytest.raises(files_session.SessionError, match="is not a dpstudio session"):
            files_session.read_session(tmp_path / f"{name}.dpstudio")
    for name, why in (("", "directory"), ("\0.dpstudio", "null")):
        with pytest.raises(files_session.SessionError, match=why):
            files_session.read_session(tmp_path / name)


def test_what_no_session_is_is_refused_before_it_is_read(tmp_path: Path) -> None:
    """2,000,000 labs in 40 MB held the window for five minutes."""
    path = tmp_path / "s.dpstudio"
    files_session.write_session(session(Explore()), path)
    held = json.loads(path.read_text())
    path.write_text(json.dumps({**held, "labs": held["labs"] * 101}))
    with pytest.raises(files_session.SessionError, match="names 101 labs"):
        files_session.read_session(path)
    path.write_text(json.dumps(held) + " " * 4_000_000)
    with pytest.raises(files_session.SessionError, match=r"has 4\.01 MB"):
        files_session.read_session(path)


def test_lists_and_conditions_have_an_end() -> None:
    for path, value, said in (
        ("query.where", " or ".join(["age = 1"] * 2001), "2,001 comparisons"),
        ("query.where", f"age in ({', '.join(['1'] * 60_000)})", "characters"),
        ("query.categories", " | ".join(map(str, range(10_001))), "10,001 entries"),
    ):
        with pytest.raises(ParamError, match=said):
            put(explore("query=histogram"), path, value)
    assert put(Explore(), "query.where", " or ".join(["age = 1"] * 1500))


def test_a_byte_order_mark_is_no_break(tmp_path: Path) -> None:
    """Editors put one before what they save."""
    path = tmp_path / "s.dpstudio"
    files_session.write_session(files_session.Session("adult", "", (Explore(),), "explore"), path)
    whole = files_session.read_session(path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert files_session.read_session(path) == whole
