"""The texts of each language keep the fields of their messages, and are read as Babel reads them."""

import ast
import io
import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from chinese import faults
from languages import PLURALS, files, texts_of
from test_architecture import FILES, nodes
from translations import held

from dpstudio.files.assets import asset
from dpstudio.files.language import entries


@pytest.mark.parametrize("language", PLURALS)
def test_no_message_stands_in_two_files(language: str) -> None:
    ids = [
        str(each.id)
        for path in files(language)
        for each in read_po(io.BytesIO(path.read_bytes()), locale=language)
        if each.id
    ]
    assert sorted(set(ids)) == sorted(ids), "python tests/translations.py"


@pytest.mark.parametrize("language", PLURALS)
def test_no_message_lacks_its_translation(language: str) -> None:
    """A new message is translated with the change that brings it."""
    texts = texts_of(files(language))
    wanted = {each if isinstance(each, str) else each[0] for each, _ in held()}
    assert sorted(wanted - texts.keys()) == [], "python tests/languages.py zh_CN --parts FOLDER"


def test_no_message_is_made_of_words_that_nobody_marked() -> None:
    known = {each if isinstance(each, str) else each[0] for each, _ in held()}
    found = [
        (module, node.args[0].value)
        for module in FILES
        for node in nodes(module)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Message"
        if node.args and isinstance(node.args[0], ast.Constant)
        if re.search("[a-z]{2}", re.sub(r"\{.*?\}", "", node.args[0].value))
    ]
    assert [each for each in found if each[1] not in known] == []


@pytest.mark.parametrize("path", files("zh_CN"), ids=lambda path: path.stem)
def test_a_text_keeps_its_fields_and_is_written_as_chinese_is(path: Path) -> None:
    found = []
    for each in read_po(io.BytesIO(path.read_bytes()), locale="zh_CN"):
        text = each.string if isinstance(each.string, str) else each.string[0]
        if each.id and text:
            found += [(text, fault) for fault in faults(each.id, text)]
    assert found == []


@pytest.mark.parametrize("path", files("zh_CN"), ids=lambda path: path.stem)
def test_our_reader_reads_what_babel_reads(path: Path) -> None:
    told = {
        each.id if isinstance(each.id, str) else each.id[0]: (
            (each.string,) if isinstance(each.string, str) else tuple(each.string)
        )
        for each in read_po(io.BytesIO(path.read_bytes()), locale="zh_CN")
        if each.id and any(each.string)
    }
    said = entries(path.read_text(encoding="utf-8"))
    said.pop("", None)
    assert said == told


def _frame(text: str) -> tuple[list[int], list[str], list[str]]:
    """What a page of the manual is in every language: how its headings nest, where it leads, and
    what is code."""
    code = re.findall(r"```.*?```", text, re.S)
    plain = re.sub(r"```.*?```", "", text, flags=re.S)
    levels = [len(marks) for marks in re.findall(r"^(#+) ", plain, re.M)]
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", plain)]
    return levels, sorted(links), code


@pytest.mark.parametrize("language", PLURALS)
def test_a_page_of_the_manual_has_the_frame_of_the_english_one(language: str) -> None:
    root, other = asset("help"), asset("translations", language, "help")
    pages = {path.relative_to(other) for path in other.rglob("*.md")}
    there = {path.relative_to(root) for path in root.rglob("*.md")}
    assert pages <= there
    assert {page for page in there - pages if page.parts[0] != "build"} == set()
    for page in sorted(pages):
        said, english = ((top / page).read_text(encoding="utf-8") for top in (other, root))
        frame = _frame(said)
        if page == Path("README.md"):
            frame[1].remove("../README.md")  # of a language; the English one lies at the root
        assert frame == _frame(english), page


def test_what_is_attested_is_not_called_proved_in_chinese() -> None:
    """Somebody says that bounds are known from outside: 确认. The manual had 证明, which is a proof."""
    english, chinese = asset("help", "use"), asset("translations", "zh_CN", "help", "use")
    for page in sorted(english.glob("*.md")):
        texts = ((root / page.name).read_text("utf-8") for root in (english, chinese))
        said, told = (re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.S) for text in texts)
        attested = len(re.findall(r"\battest|\bAttest", re.sub("“[^”]*”", "", said)))
        assert told.count("确认") >= attested, page.name


@pytest.mark.parametrize("language", PLURALS)
def test_the_front_page_of_a_language_leads_somewhere(language: str) -> None:
    """And has the labs of its manual."""
    home = asset("translations", language)
    front, index = ((home / name).read_text("utf-8") for name in ("README.md", "help/README.md"))
    assert [link for link in _frame(front)[1] if not (home / link).is_file()] == []
    labs = re.findall(r"^\|.*\]\(use/.*$", index.partition("<!-- labs -->")[2], re.M)
    assert len(labs) > 30
    assert [row for row in labs if row.replace("](use/", "](help/use/") not in front] == []


def test_a_text_that_loses_something_is_found() -> None:
    good = {
        ("{n} row is left", "{n} rows are left"): "剩下{n}行",
        "{k} of {n}, at ε = {e}": "{n}中的{k}，ε = {e}时",
        "(ε, δ)-DP at {x} %": "{x}%时满足(ε, δ)-差分隐私",
    }
    assert [fault for message, text in good.items() for fault in faults(message, text)] == []
    bad = {
        "{n} rows": "{m}行",
        "a {n:.2f}": "数{n}",
        "all rows": "所有 行",
        "{n} values": "{n} 个值",
        "rows, columns": "行,列",
        "rows (all)": "行(全部)",
        "{x} left": "剩下{x",
        "one": "",
    }
    assert [message for message, text in bad.items() if not [*faults(message, text)]] == []
