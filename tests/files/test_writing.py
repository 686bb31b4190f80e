"""Writing files: whole or not at all, and what the person made of the old file is kept."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from dpstudio.files import writing
from dpstudio.files.session import SessionError, write_text
from dpstudio.files.writing import replace_file, sweep


def test_permission_bits_stay(tmp_path: Path) -> None:
    path = tmp_path / "s.dpstudio"
    old = os.umask(0o027)
    try:
        write_text(path, "new")
        assert stat.S_IMODE(path.stat().st_mode) == 0o640  # as any new file
    finally:
        os.umask(old)
    path.chmod(0o600)
    write_text(path, "again")
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("again", 0o600)


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_text(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    dangling = tmp_path / "dangling"
    dangling.symlink_to(tmp_path / "none" / "x")
    with pytest.raises(SessionError):
        write_text(dangling, "new")
    assert dangling.is_symlink()


def test_read_only_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s.dpstudio"
    path.write_text("old")
    path.chmod(0o444)
    with pytest.raises(SessionError, match="read-only"):
        write_text(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == [path.name]


def test_a_pipe_stays_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    end = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        replace_file(path, b"through")
        assert os.read(end, 99) == b"through"
        assert stat.S_ISFIFO(path.stat().st_mode)
    finally:
        os.close(end)


def test_what_a_kill_left_is_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of this file, of processes that ended; not of another file, and not of one that writes."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    paths = [tmp_path / name for name in ("a.dpstudio", "b.dpstudio")]
    mine = writing._mark(paths[0].name)
    left = [f"{mine}{ended.pid}-00000000", f"{mine}{os.getpid()}-00000000"]
    left.append(f"{writing._mark(paths[1].name)}{ended.pid}-00000000")
    for name in left:
        (tmp_path / name).write_text("half")
    sweep(paths[0])
    assert sorted(os.listdir(tmp_path)) == sorted(left[1:])
    # The names are those that writing uses.
    seen: list[str] = []
    monkeypatch.setattr(os, "replace", lambda draft, _: seen.append(Path(draft).name))
    replace_file(paths[0], b"x")
    assert seen[0].startswith(f"{mine}{os.getpid()}-")
