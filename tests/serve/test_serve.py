"""A room over loopback: what it takes, what it refuses and counts, and what it keeps."""

import asyncio
import json
import math
import os
import random
import re
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2
from visitors import body, crowd, exchange, get, post, raw

from dpstudio.files.tables import open_table
from dpstudio.privacy.room import Question, Report, combined, read_report
from dpstudio.serve import Codes, Open, Room, RoomError, Standing, pages
from dpstudio.serve import room as rooms
from dpstudio.serve.export import reports_csv
from dpstudio.serve.kept import open_kept
from dpstudio.serve.limits import Bucket, Gate
from dpstudio.serve.room import names
from dpstudio.serve.sheet import qr_svg, sheet_html
from dpstudio.serve.words import ELSEWHERE, NOWHERE

LN3 = math.log(3)
COINS = Question("smoke", "Do you <b>smoke</b>?", epsilons=(0.5, LN3, 4.0))
COLOUR = Question("colour", "Colour?", "choice", ("red", "green", "=1+1"), epsilons=(1.0, 4.0))
BITS = Question("bits", "Bits?", "choice", ("a", "b", "c"), epsilons=(1.0,), unary=True)
HOURS = Question("hours", "Hours?", "number", low=0, high=12, epsilons=(1.0, 4.0))
ALL = (COINS, COLOUR, BITS, HOURS)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks too much waits here for a moment only."""
    monkeypatch.setattr(pages, "PAUSE", 0.01)


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    with Room.start(ALL, tmp_path_factory.mktemp("room"), Codes(300)) as opened:
        for asked in ALL:
            opened.open(asked.key)
        yield opened


def counted(room: Room, *reasons: str) -> list[int]:
    return [room.counts.refused.get(reason, 0) for reason in reasons]


def test_nothing_of_a_server_is_imported_before_a_room_is_opened() -> None:
    code = (
        "import sys, dpstudio.serve, dpstudio.serve.sheet, dpstudio.serve.export\n"
        "print(sorted({'aiohttp', 'segno', 'cryptography', 'yarl'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_200_phones_in_mixed_epsilon(tmp_path: Path) -> None:
    """All at once, at an open door: every report is kept, the estimate is that of the reports, and
    within four standard errors of the room; changes are told at most ten times a second."""
    rng, told = random.Random(3), []
    people = [(rng.choice(COINS.epsilons), int(i < 60)) for i in range(200)]
    with Room.start(ALL, tmp_path, Open(), on_change=lambda: told.append(time.monotonic())) as room:
        room.open("smoke")
        sent = [body(COINS, e, answer, f"{i:032x}") for i, (e, answer) in enumerate(people)]
        assert asyncio.run(crowd(room, sent)) == [200] * 200
        values = sorted((json.loads(s)["epsilon"], json.loads(s)["value"]) for s in sent)
        assert sorted((r.epsilon, r.value) for r in room.reports) == values
        assert room.counts.accepted == room.counts.kept == 200
        assert not room.counts.refused
        found = combined(COINS, room.reports)
        assert found is not None
        assert abs(found.values[1] - 0.3) < 4 * found.errors[1]
    assert min(b - a for a, b in pairwise(told)) > 0.09


def test_a_code_answers_each_question_once_a_round(room: Room) -> None:
    one, two = room.codes[:2]
    before = room.counts
    assert post(room, body(COINS, LN3, 1, one)) == (200, "")
    assert post(room, body(COINS, LN3, 1, one)) == (409, "used")
    assert post(room, body(COLOUR, 1.0, 2, one)) == (200, "")
    assert post(room, body(COINS, 4.0, 0, two)) == (200, "")
    assert post(room, body(COINS, LN3, 1, "22222222")) == (403, "code")
    room.close("smoke")
    assert post(room, body(COINS, LN3, 1, room.codes[2])) == (410, "late")
    room.reopen("smoke")
    assert room.standing["smoke"] == Standing(True, 2)
    assert post(room, body(COINS, LN3, 1, one)) == (410, "late")
    assert post(room, body(COINS, LN3, 1, one, 2)) == (200, "")
    assert room.counts.accepted == before.accepted + 4
    assert counted(room, "used", "code", "late") == [1, 1, 2]
    assert room.reports is room.reports
    room.close("smoke")


def known(room: Room, code: str) -> tuple[int, list[list[object]]]:
    """What a room tells of a code: whether it knows it, and what it has answered."""
    path = "/" + room.address.split("/", 3)[3] + "code"
    status, _, told = raw(room, "POST", path, content=json.dumps({"pass": code}).encode())
    return status, json.loads(told).get("answered", [])


def test_a_code_is_judged_before_anything_is_asked(tmp_path: Path) -> None:
    """A wrong one, and what one has answered in this round, whichever phone it is typed into."""
    with Room.start([COINS, HOURS], tmp_path, Codes(3)) as room:
        code = room.codes[0]
        room.open("smoke")
        assert known(room, "22222222") == (403, [])
        assert known(room, code) == (200, [])
        assert post(room, body(COINS, LN3, 1, code)) == (200, "")
        assert known(room, code) == (200, [["smoke", 1]])
        assert known(room, room.codes[1]) == (200, [])
        path = "/" + room.address.split("/", 3)[3] + "code"
        for content in (b"{}", b'{"pass": 1}', b'{"pass": "x", "round": 1}'):
            assert raw(room, "POST", path, content=content)[0] == 400
        assert raw(room, "POST", path, {"Origin": "null"}, b'{"pass": "x"}')[0] == 403
        room.reopen("smoke")
        assert known(room, code) == (200, [])
        assert counted(room, "code", "malformed", "foreign") == [1, 3, 1]
    with Room.start([COINS], tmp_path / "open", Open()) as room:
        assert known(room, "22222222")[0] == 403


def test_nothing_tells_in_which_order_reports_came(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of those that are live and those that were read anew: each order is alike likely."""
    monkeypatch.setattr(os, "fsync", lambda _: None)  # it takes its time
    people, places = 5, []
    for turn in range(40):
        folder = tmp_path / str(turn)
        kept = open_kept(folder, [HOURS], Open())
        made = [Report("hours", "duchi", 1.0, int(i == 0)) for i in range(people)]
        for i, report in enumerate(made):  # the first to come is the only 1
            kept.write([(report, str(i))])
        again = open_kept(folder, [HOURS], Open())
        for reports in (kept.reports, again.reports):
            assert sorted(r.value for r in reports) == [0] * (people - 1) + [1]
            places.append(next(i for i, r in enumerate(reports) if r.value))
    counts = np.bincount(places, minlength=people)
    assert ((counts - 16) ** 2 / 16).sum() < chi2.isf(1e-7, people - 1)


MALFORMED = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"\xff\xfe",
    b"[" * 1000,
    b'{"a":' * 170,
    b"1" * 1000,
    b'{"question": "hours"}',
]
CHANGES = [
    {"value": 2},
    {"value": -1},
    {"value": True},
    {"value": 1.0},
    {"value": "1"},
    {"value": 10**400},
    {"epsilon": 2.0},
    {"epsilon": "1.0"},
    {"epsilon": True},
    {"epsilon": float("nan")},
    {"epsilon": float("inf")},
    {"mechanism": "grr"},
    {"question": "none"},
    {"question": None},
    {"round": "1"},
    {"round": None},
    {"name": "me"},
    {"pass": ["x"]},
]


def test_what_is_no_report_is_refused_and_counted(room: Room) -> None:
    code, before = room.codes[10], counted(room, "malformed", "large")
    bad = [*MALFORMED, *(body(HOURS, 1.0, 3, code, 1, change) for change in CHANGES)]
    assert [post(room, content) for content in bad] == [(400, "malformed")] * len(bad)
    assert post(room, body(HOURS, 1.0, 3, code) + b" " * 1024) == (413, "large")
    start = "/" + room.address.split("/", 3)[3] + "report"
    lines = f"POST {start} HTTP/1.1\r\nHost: {room.address.split('/')[2]}\r\n"
    lines += "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    many = lines.encode() + 2 * (b"400\r\n" + b" " * 1024 + b"\r\n") + b"0\r\n\r\n"
    assert exchange(room, many)[0] == 413
    assert post(room, b"x", {"Content-Encoding": "gzip"}) == (400, "malformed")
    assert post(room, b"x", {"Content-Type": "text/plain"}) == (400, "malformed")
    after = counted(room, "malformed", "large")
    assert [b - a for a, b in zip(before, after, strict=True)] == [len(bad) + 2, 2]
    assert post(room, body(HOURS, 1, 3, code)) == (200, "")


def test_other_pages_other_names_and_other_paths_get_nothing(room: Room) -> None:
    code, before = room.codes[11], room.counts
    at, path = room.address.split("/")[2], "/" + room.address.split("/", 3)[3]
    foreign = [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": f"https://{at}"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Host": "evil.example"},
        {"Host": f"evil.example:{at.split(':')[1]}"},
        {"Host": ""},
    ]
    for headers in foreign:
        assert post(room, body(HOURS, 1.0, 3, code), headers) == (403, "foreign")
    status, headers, said = raw(room, "GET", path, {"Host": "evil.example"})
    assert (status, said.decode()) == (403, ELSEWHERE)
    assert headers["Content-Type"].startswith("text/plain")
    lost = [
        "/",
        "/x/",
        path[:-2] + "/",
        path.lower() + "room",
        path + "../" + path,
        path + "%2e%2e/page.js",
    ]
    lost += [path + "..%2f..%2froom.json", path + "room.json", path + "reports.jsonl", "//", "*"]
    lost += [path + "room?x=1", f"http://{at}{path}", path + "presenter", path + "room/"]
    found = [raw(room, "GET", one)[0] for one in lost]
    assert set(found) <= {404, 400}, dict(zip(lost, found, strict=True))
    assert raw(room, "GET", "/")[2].decode() == NOWHERE  # half of the address, typed by hand
    for method in ("OPTIONS", "PUT", "DELETE", "TRACE", "HEAD"):
        assert raw(room, method, path + "report")[0] == 404
    assert raw(room, "GET", path + "report")[0] == 404
    assert raw(room, "POST", path + "room", content=b"{}")[0] == 404
    assert room.counts.refused["foreign"] - before.refused.get("foreign", 0) == len(foreign) + 1
    assert room.counts.accepted == before.accepted
    for typed in (path[:-1], path.lower(), path.lower()[:-1]):
        status, headers, _ = raw(room, "GET", typed)
        assert (status, headers["Location"]) == (307, path)
    assert exchange(room, b"\x16\x03\x01 nothing\r\n\r\n")[0] == 400
    odd = b"GET /\xff\xfe/ HTTP/1.1\r\nHost: " + at.encode() + b"\r\nConnection: close\r\n\r\n"
    assert exchange(room, odd)[0] in (400, 404)
    huge = {"X-Long": "x" * 9000}
    assert raw(room, "GET", path, huge)[0] == 400
    assert raw(room, "GET", path, {f"X-{i}": "x" for i in range(200)})[0] == 400
    assert post(room, body(HOURS, 1.0, 3, code), {"Origin": f"http://{at}"}) == (200, "")


def test_every_answer_is_guarded_and_none_sets_a_cookie(room: Room) -> None:
    scripts = ("page.js", "coins.js", "line.js", "parts.js")
    for name in ("", *scripts, "page.css", "room", "nothing"):
        status, headers, content = get(room, name)
        assert status == (404 if name == "nothing" else 200)
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert headers["Cache-Control"] == "no-store"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Server"] == "room"
        assert "Set-Cookie" not in headers
        assert b"//" not in content
    page = get(room)[2].decode()
    assert "<script>" not in page
    assert "style=" not in page
    assert "[[" not in page
    # The questions are data of the script, which makes text of them, never markup.
    assert "smoke" not in page
    script = "".join(get(room, name)[2].decode() for name in scripts)
    script = re.sub(r"/\*.*?\*/", "", script, flags=re.DOTALL)
    unsafe = ("innerHTML", "eval(", "document.write", "Function(")
    young = ("=>", "let ", "const ", "`", "fetch(", "Promise", "class ", "async ")
    assert not [word for word in (*unsafe, *young) if word in script]


def test_the_fast_are_slowed_down() -> None:
    bucket = Bucket(10.0, 5.0, 5.0, 0.0)
    assert [bucket.take(0.0) for _ in range(6)] == [True] * 5 + [False]
    assert bucket.take(0.1)
    gate = Gate(rate=10, burst=5, connections=2, connections_all=3)
    one, two = gate.device("127.0.0.1"), gate.device("127.0.0.2")
    assert sum(gate.passes(one, 0.0) for _ in range(50)) == 5
    assert gate.passes(two, 0.0)
    assert [gate.enter(one) for _ in range(3)] == [True, True, False]
    gate.leave(one)
    assert gate.enter(two)
    assert not gate.full
    assert gate.enter(two)
    assert gate.full
    assert "127" not in repr(gate)
    crowd = Gate()
    assert all(crowd.passes(at, 0.0) for at in range(1_100))
    assert crowd.passes("later", 1.0)
    assert len(crowd._each) == 1  # the others' buckets are full again


def test_a_phone_of_many_ipv6_addresses_is_one_device() -> None:
    """Which it takes in its own network; in that of the room each phone is told apart."""
    gate = Gate("2001:db8::5")
    far = {gate.device(f"2001:db8:7::{i:x}") for i in range(20)}
    near = {gate.device(f"2001:db8::{i:x}%eth0") for i in range(20)}
    assert (len(far), len(near)) == (1, 20)
    assert gate.device("2001:db8:8::1") not in far
    assert gate.device("::ffff:192.0.2.1") == gate.device("192.0.2.1") != gate.device("192.0.2.2")


def test_a_flood_is_refused_while_others_are_heard(tmp_path: Path) -> None:
    with Room.start(ALL, tmp_path, Codes(3)) as room:
        room.open("smoke")
        room._pages.gate.burst, room._pages.gate.rate = 20, 0.1
        flood = [raw(room, "GET", "/")[0]]
        path = "/" + room.address.split("/", 3)[3] + "room"
        at = room.address.split("/")[2]
        many = f"GET {path} HTTP/1.1\r\nHost: {at}\r\n\r\n".encode() * 20
        many += f"GET {path} HTTP/1.1\r\nHost: {at}\r\nConnection: close\r\n\r\n".encode()
        host, port = at.split(":")
        with socket.create_connection((host, int(port))) as line:
            line.sendall(many)
            received = b"".join(iter(lambda: line.recv(65536), b""))
        assert flood == [404]
        assert received.count(b"HTTP/1.1 200") == 19
        assert received.count(b"HTTP/1.1 429") == 2
        assert counted(room, "fast") == [2]
        assert asyncio.run(crowd(room, [body(COINS, LN3, 1, room.codes[0])])) == [200]


def test_who_is_slow_or_opens_too_many_lines_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a head, half a body; where there are more connections than a device may have (phones may
    share one with who is slow), or than all may, who has asked for nothing yet gives way."""
    monkeypatch.setattr(pages, "BODY", 0.05)
    monkeypatch.setattr(pages, "LIFE", 0.1)
    monkeypatch.setattr(pages, "END", 0.1)
    with Room.start([COINS], tmp_path, Codes(3)) as room:
        sent = body(COINS, LN3, 1, room.codes[0])
        room.open("smoke")
        assert post(room, sent[:9], {"Content-Length": "90"})[0] == 400
        assert exchange(room, b"GET / HTTP/1.1\r\nHost")[0] == 0
        room._pages.gate.connections = 2
        at = ("127.0.0.1", int(room.address.split(":")[2].split("/")[0]))
        with socket.create_connection(at), socket.create_connection(at):
            assert post(room, sent) == (200, "")
            room._pages.gate.connections, room._pages.gate.connections_all = 9, 1
            assert post(room, sent)[0] == 409
    assert counted(room, "malformed", "fast") == [1, 2]


def test_phones_that_only_listen_are_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or else the window would stall where a room is stopped, and this for a minute."""
    monkeypatch.setattr(rooms, "_PATIENCE", 60.0)
    with Room.start([COINS], tmp_path, Open()) as room:
        host, port = room.address.split("/")[2].split(":")
        path = "/" + room.address.split("/", 3)[3] + "room"
        line = socket.create_connection((host, int(port)))
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        assert line.recv(20).startswith(b"HTTP/1.1 200")
    with line:
        while line.recv(65536):
            pass


def test_a_killed_studio_goes_on_where_it_was(tmp_path: Path) -> None:
    """Killed with -9 while reports come: every one that was answered with 200 is there, its code is
    used, the address is the same; a line that was torn is cut off."""
    code = (
        "import sys, time; from pathlib import Path\n"
        "from dpstudio.serve import *; from dpstudio.privacy.room import Question\n"
        f"room = Room.start([Question('q', '?')], Path({str(tmp_path)!r}), Codes(40))\n"
        "room.open('q'); print(room.address, flush=True); time.sleep(60)"
    )
    asked = Question("q", "?")
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        address = run.stdout.readline().strip()
        codes = sorted(json.loads((tmp_path / "room.json").read_text())["codes"])

        class At:
            pass

        there = At()
        there.address = address  # type: ignore[attr-defined]
        with pytest.raises(RoomError, match="another window"):
            Room.start([asked], tmp_path, Codes(40))
        taken: list[str] = []

        def send() -> None:
            for one in codes:
                if post(there, body(asked, LN3, 1, one))[0] != 200:  # type: ignore[arg-type]
                    return
                taken.append(one)

        sending = threading.Thread(target=send)
        sending.start()
        while len(taken) < 10:
            time.sleep(0.005)
        os.kill(run.pid, signal.SIGKILL)
        sending.join()
    with (tmp_path / "reports.jsonl").open("ab") as file:
        file.write(b'{"question": "q", "mech')
    again = Question("r", "and this?")
    with Room.start([asked, again], tmp_path, Codes(40)) as room:
        assert room.address == address
        assert room.standing == {"q": Standing(True), "r": Standing()}
        assert len(taken) <= len(room.reports) <= len(taken) + 1
        assert room.damaged == 0
        assert {post(room, body(asked, LN3, 1, one))[1] for one in taken} == {"used"}
        assert post(room, body(asked, LN3, 1, codes[-1])) == (200, "")
        kept = len(room.reports)
    with Room.start([asked], tmp_path, Codes(40)) as room:
        assert len(room.reports) == kept
    with pytest.raises(RoomError, match="another question"):
        Room.start([Question("q", "changed?")], tmp_path, Codes(40))
    with pytest.raises(RoomError, match="other way in"):
        Room.start([asked], tmp_path, Open())
    (tmp_path / "room.json").write_text("{}")
    with pytest.raises(RoomError, match="could not be read"):
        Room.start([asked], tmp_path, Codes(40))


def test_nothing_of_a_device_or_of_who_answered_is_kept(tmp_path: Path) -> None:
    """The reports hold what was sent but the code; the marks of used codes have an order of their
    own."""
    with Room.start([HOURS], tmp_path, Codes(30)) as room:
        room.open("hours")
        for code in reversed(room.codes):
            assert post(room, body(HOURS, 1.0, 3, code), {"User-Agent": "phone"})[0] == 200
        codes = room.codes
    fields = {"question", "mechanism", "epsilon", "value", "round"}
    content = (tmp_path / "reports.jsonl").read_text()
    assert [json.loads(line).keys() == fields for line in content.splitlines()] == [True] * 30
    everything = b"".join(f.read_bytes() for f in tmp_path.iterdir() if f.name != "room.json")
    assert not [w for w in (b"127.0.0.1", b"phone", *map(str.encode, codes)) if w in everything]
    used = json.loads((tmp_path / "used.json").read_text())
    assert used == sorted(used)
    assert {f.stat().st_mode & 0o077 for f in tmp_path.glob("*.json*")} == {0}


def test_a_full_disk_is_told_and_the_report_can_be_sent_again(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = body(HOURS, 1.0, 3, room.codes[20])
    before = room.counts.kept
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", _full)
        assert post(room, sent) == (503, "disk")
    assert post(room, sent) == (200, "")
    assert room.counts.kept == before + 1


def test_a_question_that_cannot_be_kept_closed_stays_open(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For phones as for who presents."""
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", _full)
        with pytest.raises(OSError, match="No space"):
            room.close("hours")
    assert room.standing["hours"].open
    assert post(room, body(HOURS, 1.0, 3, room.codes[21])) == (200, "")


def _full(_: int) -> None:
    raise OSError(28, "No space left on device")


def test_https_with_a_certificate_of_its_own(tmp_path: Path) -> None:
    with Room.start([COINS], tmp_path, Open(), tls=True) as room:
        assert room.address.startswith("https://127.0.0.1:")
        context = ssl.create_default_context(cafile=str(tmp_path / "room.pem"))
        at = ("127.0.0.1", int(room.address.split(":")[2].split("/")[0]))
        with (
            socket.create_connection(at) as line,
            context.wrap_socket(line, server_hostname="127.0.0.1") as safe,
        ):
            shown = safe.getpeercert(binary_form=True)
            path = "/" + room.address.split("/", 3)[3]
            lines = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{at[1]}\r\nConnection: close\r\n\r\n"
            safe.sendall(lines.encode())
            assert safe.recv(20).startswith(b"HTTP/1.1 200")
        first = room.fingerprint
        assert shown is not None
        digest = __import__("hashlib").sha256(shown).hexdigest().upper()
        assert first is not None
        assert first.replace(":", "") == digest
        assert (tmp_path / "room.pem").stat().st_mode & 0o077 == 0
    with Room.start([COINS], tmp_path, Open(), tls=True) as room:
        assert room.fingerprint == first
    assert names("fe80::1", 443, True) == (
        "https://[fe80::1]",
        frozenset({"[fe80::1]", "[fe80::1]:443"}),
    )


def test_a_port_or_a_folder_that_is_taken_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RoomError, match="file, where a room keeps its reports, cannot be used"):
        Room.start([COINS], tmp_path / "file", Open())
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(RoomError, match="Choose another address or port"):
            Room.start([COINS], tmp_path, Open(), port=port)
        with pytest.raises(RoomError, match="one address"):
            Room.start([COINS], tmp_path, Open(), host="0.0.0.0")
        with Room.start([COINS], tmp_path, Open()) as room:
            assert room.address


def test_reports_leave_as_a_table_that_opens(room: Room, tmp_path: Path) -> None:
    for code in room.codes[40:60]:
        for asked in (COLOUR, BITS, HOURS):
            assert post(room, body(asked, 1.0, 1, code))[0] == 200
    questions = {asked.key: asked for asked in ALL}
    path = tmp_path / "reports.csv"
    path.write_text(reports_csv(questions, room.reports), encoding="utf-8")
    data = open_table(str(path))
    names = ("question", "answers", "mechanism", "epsilon", "report", "round")
    assert tuple(column.name for column in data.columns) == names
    assert data.rows == len(room.reports)
    assert dict(data.distinct("epsilon"))
    assert read_report(BITS, "oue", 1.0, "a | c").value == 5


def test_the_sheet_has_a_slip_a_seat_and_nothing_from_elsewhere(room: Room) -> None:
    page = sheet_html(room.address, room.codes[:4])
    assert page.count("<li>") == page.count("<svg") == 4
    assert all(f"<b>{code}</b>" in page for code in room.codes[:4])
    assert "<script" not in page
    assert "src=" not in page
    assert qr_svg(room.address_of(room.codes[0])).startswith("<svg")
