"""What a desktop is told: an entry, kinds of files and an icon, in one person's own folder."""

import configparser
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from dpstudio.cli import main
from dpstudio.files import desktop_entry
from dpstudio.files.desktop_entry import TYPES, entry, kinds, places


def read(text: str) -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str
    parser.read_string(text)
    return parser["Desktop Entry"]


@pytest.mark.parametrize(
    "program", ["/usr/bin/dpstudio", '/home/王 伟/my $tools`/100%/a"b\\c/dpstudio']
)
def test_exec_starts_the_program_wherever_it_lies(program):
    line = read(entry(program))["Exec"].replace("\\\\", "\\")  # a string of the specification first
    word = re.fullmatch(r'"((?:[^"`$\\]|\\.)*)" %f', line)  # then its quotes
    assert word
    assert re.sub(r"\\(.)", r"\1", word[1]).replace("%%", "%") == program


def test_every_kind_of_file_is_told_and_opened():
    held = ET.fromstring(kinds())
    there = {each.get("type"): each[-1].get("pattern") for each in held}
    assert there == {kind: f"*.{end}" for end, (kind, _) in TYPES.items()}
    assert {*there} <= {*read(entry("dpstudio"))["MimeType"].split(";")}


def test_what_is_written_is_taken_away_whole(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(desktop_entry.shutil, "which", lambda name: None)
    assert main(["desktop"]) == 0
    told = {Path(line) for line in capsys.readouterr().out.splitlines()}
    assert told == {*places().values()} == {p for p in tmp_path.rglob("*") if p.is_file()}
    assert main(["desktop", "--remove"]) == 0
    assert not any(p.is_file() for p in tmp_path.rglob("*"))


def test_a_folder_that_is_none_is_told_of(tmp_path, monkeypatch):
    (tmp_path / "share").write_text("a file")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    with pytest.raises(NotADirectoryError, match="share"):
        desktop_entry.write()
