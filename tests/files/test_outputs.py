"""What leaves the program: SVG where the data say, CSV and JSON without loss, PNG with its
provenance, and any text anywhere."""

import csv
import io
import json
import os
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dpstudio.charts.figure import (
    Area,
    Axis,
    Band,
    Columns,
    Dots,
    Figure,
    Handle,
    Heat,
    Line,
    Ribbon,
    Rule,
    array,
)
from dpstudio.data.dataset import Dataset
from dpstudio.files.session import SessionError
from dpstudio.files.write.csvout import figure_csv, table_csv, table_tsv
from dpstudio.files.write.export import footer
from dpstudio.files.write.foot import Paragraph, Part
from dpstudio.files.write.jsonout import findings_json
from dpstudio.files.write.svg import figure_svg
from dpstudio.files.write.text_width import text_width, wrapped
from dpstudio.files.write.told import settings
from dpstudio.labs import Lab
from dpstudio.labs.findings import Fact, Findings, Sentence, Table
from dpstudio.labs.naming import every_lab
from dpstudio.labs.one_answer.explore.parameters import Explore
from dpstudio.labs.one_answer.selection.parameters import Selection
from dpstudio.labs.one_answer.sensitivity.parameters import SensitivityLab
from dpstudio.labs.outcome import MadeTable, NamedValues
from dpstudio.labs.question import reads_table
from dpstudio.labs.start.stories.parameters import Stories
from dpstudio.privacy.queries import Query
from dpstudio.values.messages import Num, plain, render, say
from dpstudio.values.parameters import OneOf, Parameters, domains, put
from dpstudio.values.problem import Problem

LABS = every_lab()

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

PALETTE = {
    "surface": "#ffffff",
    "text": "#1c1e21",
    "muted": "#65696f",
    "grid": "#e3e4e6",
    "accent": "#0b6bbf",
    "band": "#eef0ef",
}
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<&\"]]>'\x00\x1b\ud800\ufffe 年龄 é\n# {x}"


def everything(text: str = "name") -> Figure:
    """A figure with every kind of layer, gaps and infinities, and the same text wherever there is
    one."""
    named = plain(text)
    x = array(np.linspace(-2, 12, 141))
    y = np.sin(x) * 9
    y[30:33] = np.nan
    layers = (
        Band("band", "band", named, low=2, high=np.inf),
        Area(
            "area",
            "accent",
            named,
            edges=array([-1, 0.1, 1 / 3, 20]),
            heights=array([1, 2 / 3, 1e3]),
        ),
        Columns(
            "columns",
            "nothing",
            named,
            x=array([4, 5]),
            heights=array([3, np.nan]),
            low=array([2, 0]),
            high=array([4, np.inf]),
        ),
        Ribbon("ribbon", "accent", named, x=x, low=array(y) - 1, high=array([*y[:-1], np.nan])),
        Dots("dots", "accent", named, x=array([0, 5, 99]), y=array([5, 5, 5]), diameter=0.5),
        Line("line", "accent", named, x=x, y=array(y)),
        Rule("rule", "text", named, at=7),
        Rule("flat", "text", named, at=0.1, axis="y", dash="dot"),
        Handle("handle", "accent", named, x=3, y=3, sets="epsilon"),
        Heat(
            "heat",
            "accent",
            named,
            array([0, 1, 30]),
            array([0, 2, 4]),
            array([[0, 1], [np.nan, -1]]),
            -1,
            1,
            "text",
        ),
    )
    axes = Axis(named, range=(0, 10), ticks=((1, text), (5, "five"))), Axis(named, range=(0, 10))
    return Figure(text, named, *axes, layers, subtitle=named, notes=(named,))


def coordinates(element: ET.Element) -> np.ndarray:
    return np.array(
        [[float(part) for part in pair.split(",")] for pair in element.attrib["points"].split()]
    )


def test_svg_curve_lands_where_the_data_say() -> None:
    line = Line("l", "accent", x=array([0, 5, 10]), y=array([0, 100, 50]))
    frame = Rule("r", "text", at=0), Rule("s", "text", at=0, axis="y")
    figure = Figure("k", "t", Axis("", range=(0, 10)), Axis("", range=(0, 100)), (line, *frame))
    curve, upright, flat = map(
        coordinates, ET.fromstring(figure_svg(figure, PALETTE)).findall(f"{SVG}polyline")
    )
    (left, bottom), (right, _) = flat
    top = upright[:, 1].min()
    np.testing.assert_allclose(
        curve, [(left, bottom), ((left + right) / 2, top), (right, (top + bottom) / 2)], atol=0.02
    )


def test_svg_marks_are_cut_to_the_plot_and_break_at_gaps() -> None:
    figure = everything("")
    figure = replace(figure, layers=tuple(replace(one, label="") for one in figure.layers))
    root = ET.fromstring(figure_svg(figure, PALETTE))
    lines = root.findall(f"{SVG}polyline")
    upright = [
        points
        for points in map(coordinates, lines)
        if len(points) == 2 and points[0, 0] == points[1, 0]
    ]
    top, bottom = (
        min(points[:, 1].min() for points in upright),
        max(points[:, 1].max() for points in upright),
    )
    shapes = np.concatenate(
        [coordinates(shape) for shape in [*lines, *root.findall(f"{SVG}polygon")]]
    )
    assert (shapes[:, 1].min(), shapes[:, 1].max()) == (top, bottom)
    assert shapes[:, 0].min() > 0
    assert shapes[:, 0].max() <= 640 - 16
    # 9 sin x is above zero from 0 to π and from 2π to 3π; NaN at 1.0 … 1.2 breaks the first arch in
    # two.
    assert (
        len(
            [
                line
                for line in lines
                if (line.get("stroke"), line.get("stroke-width")) == ("#0b6bbf", "2")
            ]
        )
        == 3
    )


@pytest.mark.parametrize("size", [(640, 420), (1280, 840), (200, 120), (20, 20)])
def test_svg_holds_any_text_at_any_size(size: tuple[int, int]) -> None:
    svg = figure_svg(
        everything(HOSTILE),
        PALETTE,
        *size,
        foot=(Paragraph((Part(HOSTILE), Part(""))),),
        metadata={HOSTILE: HOSTILE, "seed": "1"},
    )
    root = ET.fromstring(svg.encode())
    metadata = json.loads(root.findtext(f"{SVG}metadata") or "")
    assert metadata["seed"] == "1"
    assert any("年龄" in value for value in metadata.values())
    assert "年龄" in (root.findtext(f"{SVG}title") or "")
    # An ink that the palette does not know is drawn as text.
    assert size[0] < 640 or any(
        box.get("fill") == PALETTE["text"] for box in root.findall(f"{SVG}rect")
    )


def test_svg_cells_lie_where_their_edges_are_and_have_their_colours() -> None:
    heat = Heat(
        "h",
        "accent",
        "",
        array([0, 2, 10]),
        array([0, 5, 10]),
        array([[1, 0], [0.5, -1]]),
        -1,
        1,
        "text",
    )
    frame = Rule("r", "muted", at=0), Rule("s", "muted", at=0, axis="y")
    figure = Figure("k", "t", Axis("", range=(0, 10)), Axis("", range=(0, 10)), (heat, *frame))
    root = ET.fromstring(figure_svg(figure, PALETTE))
    upright, flat = map(coordinates, root.findall(f"{SVG}polyline"))
    (left, bottom), (right, _) = flat
    top = upright[:, 1].min()
    boxes = {
        box.get("fill"): [float(box.get(side) or 0) for side in ("x", "y", "width", "height")]
        for box in root.findall(f"{SVG}rect")[1:]
    }
    full, half, below = PALETTE["accent"], "#85b5df", PALETTE["text"]
    assert set(boxes) == {full, half, below, PALETTE["surface"]}
    wide, high = right - left, (bottom - top) / 2
    # Each lies a hair under its neighbours, so that no seam shows.
    np.testing.assert_allclose(boxes[full], [left, top + high, wide / 5, high], atol=0.5)
    np.testing.assert_allclose(boxes[half], [left, top, wide / 5, high], atol=0.5)
    np.testing.assert_allclose(boxes[below], [left + wide / 5, top, wide * 4 / 5, high], atol=0.5)


def test_the_key_has_the_marks_of_the_chart() -> None:
    """What fills is as pale there as it is drawn, and dots have their own marker: of two areas the
    darker one was called by the lighter mark, and squares and triangles by circles."""
    heights = array([2, 1])
    area = Area("pale", "accent", "pale", edges=array([0, 1, 2]), heights=heights, opacity=0.2)
    dots = Dots("star", "muted", "star", x=heights, y=heights, marker="answer")
    x = Axis("", range=(0, 3), ticks=((1, "one"),))
    figure = Figure("k", "t", x, Axis("", range=(0, 3)), (area, dots))
    root = ET.fromstring(figure_svg(figure, PALETTE))
    ((filled,), key) = (
        [one for one in root.iter(f"{SVG}{tag}") if one.get("fill") == PALETTE["accent"]]
        for tag in ("polygon", "rect")
    )
    assert [one.get("fill-opacity") for one in (filled, *key)] == ["0.2", "0.2"]
    stars = [one for one in root.iter(f"{SVG}polygon") if one.get("fill") == PALETTE["muted"]]
    assert [len(coordinates(one)) for one in stars] == [10, 10, 10]
    assert not root.findall(f".//{SVG}circle")


@pytest.mark.parametrize("size", [(640, 420), (420, 640)])
def test_svg_keeps_circles_round(size: tuple[int, int]) -> None:
    turn = np.linspace(0, 2 * np.pi, 200)
    circle = Line("c", "accent", x=array(np.cos(turn)), y=array(np.sin(turn)))
    axis = Axis("", range=(-1.5, 1.5))
    root = ET.fromstring(
        figure_svg(Figure("k", "t", axis, axis, (circle,), square=True), PALETTE, *size)
    )
    (curve,) = map(coordinates, root.findall(f"{SVG}polyline"))
    across, up = np.ptp(curve, axis=0)
    assert across == pytest.approx(up, abs=0.2)


def test_svg_hides_layers_and_refuses_a_size_of_nothing() -> None:
    hidden = frozenset(layer.key for layer in everything().layers)
    assert "<polyline" not in figure_svg(everything(), PALETTE, hidden=hidden)
    with pytest.raises(ValueError):
        figure_svg(everything(), PALETTE, 0, 100)


def test_text_is_wrapped_within_its_width() -> None:
    text = "a few words and averyveryverylongwordthatcannotfit 没有空格的一行文字"
    lines = wrapped(text, 12, 90)
    assert all(text_width(line, 12) <= 90 for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_csv_reads_back_to_the_last_bit() -> None:
    figure = everything(HOSTILE)
    text = figure_csv(figure, {"seed": "1\n2", "version": "0.1"})
    lines = text.split("\n")
    comments = [line for line in lines if line.startswith("# ")]
    assert comments[:2] == ["# seed: 1 2", "# version: 0.1"]
    assert lines[len(comments)] == "layer,kind,label,x,y,low,high,name"
    rows = list(csv.DictReader(text.splitlines(keepends=True)[len(comments) :]))

    def column(key: str, name: str) -> np.ndarray:
        return np.array([float(row[name]) for row in rows if row["layer"] == key])

    for key in ("line", "dots"):
        np.testing.assert_array_equal(column(key, "x"), figure.layer(key).x)
        np.testing.assert_array_equal(column(key, "y"), figure.layer(key).y)
    area, columns = figure.layer("area"), figure.layer("columns")
    np.testing.assert_array_equal(column("area", "low"), area.edges[:-1])
    np.testing.assert_array_equal(column("area", "high"), area.edges[1:])
    np.testing.assert_array_equal(column("area", "y"), area.heights)
    np.testing.assert_array_equal(column("columns", "high"), columns.high)
    assert [row["y"] for row in rows if row["layer"] == "flat"] == ["0.1"]
    np.testing.assert_array_equal(column("heat", "low"), [0, 1, np.nan, -1])
    np.testing.assert_array_equal(column("heat", "x"), [0.5, 15.5, 0.5, 15.5])
    assert rows[0]["label"] == " ".join(HOSTILE.replace("\ud800", "?").split())
    assert text.encode()


def test_bars_over_words_come_with_them_and_as_they_stand() -> None:
    ticks = ((1.0, "old"), (0.0, "new, =A1"))
    x = np.array([1.0, 0.0])
    layers = (
        Columns("exact", "truth", "exact", x - 0.2, [3.0, 9.0], 0.36),
        Rule("least", "limit", "least", 2.0, "y"),
    )
    figure = Figure("k", "t", Axis("", range=(-0.6, 1.6), ticks=ticks), Axis("n"), layers)
    rows = list(csv.DictReader(figure_csv(figure, {}).split("# y: n\n")[1].splitlines()))
    assert [(row["x"], row["y"], row["name"]) for row in rows] == [
        ("-0.2", "9.0", "new, '=A1"), ("0.8", "3.0", "old"), ("", "2.0", "")
    ]  # fmt: skip


@pytest.mark.parametrize("places", [(0.0, 0.2, 0.4), (0.0, 1.0)])
def test_what_stands_on_a_scale_has_no_name(places: tuple[float, ...]) -> None:
    """A share of 0.0999 was named “0 %”."""
    ticks = tuple((place, f"{100 * place:.0f} %") for place in places)
    dots = Dots("middle", "data", "", [0.0999], [2.0], diameter=0.0)
    figure = Figure("k", "t", Axis("", range=(0, 1), ticks=ticks), Axis("n"), (dots,))
    assert figure_csv(figure, {}).rstrip().endswith(",,,")


def test_a_table_reads_back_to_the_last_bit() -> None:
    columns = (
        ("name", (plain(HOSTILE), say("±{w}", w=Num(2.0)), "c")),
        ("x", (Num(1 / 3), 2, None)),
        ("y", (0.1, np.float64(1e300), np.nan)),
    )
    table = Table("t", "title", columns, shown=True, heads=(say("Name"), say("X"), say("Y")))
    lines = table_csv(table, {"seed": "1\n2"}).split("\n")
    assert lines[:2] == ["# seed: 1 2", "# title: title"]
    rows = list(csv.reader(lines[2:]))
    assert rows[0] == ["name", "x", "y"]
    assert rows[1][0] == " ".join(HOSTILE.replace("\ud800", "?").split())
    assert [row[1:] for row in rows[1:4]] == [[repr(1 / 3), "0.1"], ["2", "1e+300"], ["", "nan"]]
    whole = [line.split("\t") for line in table_tsv(table).split("\n")]
    assert whole[0] == ["Name", "X", "Y"]
    assert [len(line) for line in whole] == [3] * 4
    assert (
        table_tsv(table, [(0, 1), (0, 2), (1, 1), (1, 2), (9, 9)]) == f"{1 / 3!r}\t0.1\n2\t1e+300"
    )


def test_json_keeps_raw_values_beside_the_text() -> None:
    half = Num(1 / 3)
    findings = Findings(
        figures=(everything(HOSTILE),),
        facts=(
            Fact("f", "label", say("±{w}", w=half), value=np.array([1.0, np.nan])),
            Fact("g", "", plain(""), value=np.int64(3)),
        ),
        sentences=(Sentence("s", say("half {w} {n}", w=half, n=np.inf), "warn"),),
        tables=(Table("t", "title", (("k", (1, half, np.float64(2.5), "x")),)),),
        problems=(Problem("epsilon", say("too big"), stops=False),),
        replays=array([[1, np.inf], [2, 3]]),
    )
    out = json.loads(json.dumps(findings_json(findings), allow_nan=False))
    line = next(layer for layer in out["figures"][0]["layers"] if layer["key"] == "line")
    assert line["kind"] == "line"
    assert line["y"].count(None) == 3
    assert out["facts"][0]["text"] == "±0.333"
    assert [fact["value"] for fact in out["facts"]] == [[1.0, None], 3]
    sentence = {
        "key": "s",
        "tone": "warn",
        "text": "half 0.333 inf",
        "template": "half {w} {n}",
        "values": {"w": 1 / 3, "n": None},
    }
    assert out["sentences"] == [sentence]
    assert out["tables"][0]["columns"] == [{"name": "k", "values": [1, 1 / 3, 2.5, "x"]}]
    assert out["problems"][0]["stops"] is False
    assert out["replays"] == [[1, None], [2, 3]]
    assert "outcomes" not in out


def test_json_holds_what_a_lab_made() -> None:
    plan = NamedValues(
        "plan", say("left for {n}", n=2), {"factor": np.float64(0.5), "bound": np.inf}
    )
    rows = MadeTable("rows", "synthetic", (("age", (1, 2)), ("sex", ("f", "m"))), exact=True)
    out = json.loads(json.dumps(findings_json(Findings(outcomes=(plan, rows))), allow_nan=False))
    told, table = out["outcomes"]
    values = {"factor": 0.5, "bound": None}
    assert told == {"key": "plan", "title": "left for 2", "exact": False, "values": values}
    assert table["exact"]
    assert table["values"] == {"age": [1, 2], "sex": ["f", "m"]}


@pytest.mark.parametrize("kind", LABS)
def test_footers_tell_what_made_the_chart(kind: type[Lab]) -> None:
    figure = Figure("k", "t", Axis(""), Axis(""), ())
    data = Dataset(pd.DataFrame({"age": [1, 2]}), "People", "/tmp/people.csv")
    (line,) = footer(figure, kind(), data)
    assert line.startswith("dpstudio ")
    assert not line.endswith("·")
    assert "· ·" not in line
    named = ("query", "column", "columns", "predicts", "features", "sensitive", "quasi")
    chosen = [
        held for name in domains(kind) if isinstance(held := getattr(kind(), name), Parameters)
    ]
    reads = any(name in domains(one) for one in (kind, *map(type, chosen)) for name in named)
    assert ("people.csv" in line) == reads
    for name in ("epsilon", "delta", "mechanisms", "column", "statistic", "low", "k", "adjacency"):
        told = f"· {domains(kind)[name].label}" if name in domains(kind) else f" {name}="
        assert (told in line) == (name in domains(kind)), name
    for name, domain in domains(kind).items():
        if isinstance(domain, OneOf):
            held = getattr(kind(), name)
            head = render(held.sentence()) if isinstance(held, Query) else held.label
            assert head in line
    assert "_" not in line


def test_a_footer_tells_what_is_not_as_it_starts_and_no_seed_where_the_answer_is_hidden() -> None:
    lab = put(put(Explore(), "confidence", 0.9), "relative", True)
    assert "Confidence = 0.9" in settings(lab)
    assert "Relative: yes" in settings(lab)
    assert "Confidence" not in settings(Explore())
    assert "Seed" in settings(lab)
    assert "Seed" not in settings(put(lab, "show_truth", False))
    assert settings(put(Explore(), "compare_with", "laplace")) == settings(Explore())  # a look
    grouped = put(put(Explore(), "query", "grouped"), "query.statistic", "count")
    assert "Share for the sums" in settings(put(grouped, "query.statistic", "mean"))
    assert "Share for the sums" not in settings(grouped)  # a count has none
    made = settings(put(SensitivityLab(), "measured", "1")).split(" · ")
    told = [part.replace(" =", ":").split(":")[0] for part in made]
    assert told[-4:] == ["ε", "δ", "Neighbours", "Measurement"]
    typed = put(Selection(), "query", "typed")
    assert (
        "people.csv"
        not in footer(
            Figure("k", "t", Axis(""), Axis(""), ()),
            typed,
            Dataset(pd.DataFrame(), "", "people.csv"),
        )[0]
    )


def test_what_reads_the_table_is_known_by_its_columns_and_conditions() -> None:
    assert reads_table(Explore())  # a condition
    assert not reads_table(put(Selection(), "query", "typed"))
    assert reads_table(put(Stories(), "story", "differencing"))  # a column within a story
    assert not reads_table(Stories())


def test_svg_bars_rise_from_the_bottom_of_a_log_axis() -> None:
    axis = Axis("", log=True, range=(0.001, 1), floored=True)
    bars = Columns("c", "accent", "", array([1, 2, 3]), array([1, 0.001 * 10**1.5, 0]), 0.5)
    frame = Rule("r", "text", at=0), Rule("s", "text", at=0.001, axis="y")
    root = ET.fromstring(
        figure_svg(Figure("k", "t", Axis("", range=(0, 4)), axis, (bars, *frame)), PALETTE)
    )
    upright, flat = map(coordinates, root.findall(f"{SVG}polyline"))
    bottom, high = flat[0, 1], np.ptp(upright[:, 1])
    boxes = [box for box in root.findall(f"{SVG}rect") if box.get("fill") == PALETTE["accent"]]
    assert len(boxes) == 2  # what is nothing has no height
    for box, share in zip(boxes, (1.0, 0.5), strict=True):
        top, tall = (float(box.get(side) or 0) for side in ("y", "height"))
        assert top + tall == pytest.approx(bottom, abs=0.02)
        assert tall == pytest.approx(share * high, abs=0.03)


@pytest.fixture
def drawn(qapp: object) -> str:
    from dpstudio.gui.parts.theme import load_fonts

    assert "Inter" in load_fonts()
    return figure_svg(everything("年龄"), PALETTE, 320, 240)


def test_png_carries_its_metadata_and_size(drawn: str, tmp_path: Path) -> None:
    from PySide6.QtGui import QImage

    from dpstudio.gui.board.render import save_png

    save_png(drawn, tmp_path / "a.png", 2, {"Description": "ε = 0.10 年龄", "seed": "1"})
    image = QImage(str(tmp_path / "a.png"))
    assert (image.width(), image.height()) == (640, 480)
    assert image.text("Description") == "ε = 0.10 年龄"
    assert image.text("seed") == "1"
    assert b"seed" in (tmp_path / "a.png").read_bytes()
    # The paper is the surface, and something is drawn on it.
    assert image.pixelColor(1, 1).name() == "#ffffff"
    assert len({image.pixel(x, 200) for x in range(0, 640, 3)}) > 3
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]


def test_pdf_is_one_page_of_the_pictures_size(drawn: str, tmp_path: Path) -> None:
    from dpstudio.gui.board.render import save_pdf

    save_pdf(drawn, tmp_path / "a.pdf")
    content = (tmp_path / "a.pdf").read_bytes()
    assert content.startswith(b"%PDF")
    assert content.count(b"/MediaBox [0 0 240") == 1
    assert b"Inter" in content


def test_what_cannot_be_drawn_or_written_leaves_nothing_behind(drawn: str, tmp_path: Path) -> None:
    from dpstudio.gui.board.render import save_png

    (tmp_path / "old.png").write_bytes(b"old")
    with pytest.raises(ValueError):
        save_png("no svg at all", tmp_path / "old.png")
    with pytest.raises(ValueError):
        save_png(drawn, tmp_path / "old.png", 1e4)
    with pytest.raises(SessionError, match="could not be written"):
        save_png(drawn, tmp_path / "nowhere" / "a.png")
    assert (tmp_path / "old.png").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["old.png"]


@pytest.mark.parametrize(
    "evil",
    ["=1+1", "+cmd|' /C calc'!A0", "-2+3+cmd|x", "@SUM(A1)", "\t=1", "\x07=1", "a;=1", 'x,"=1'],
)
def test_no_cell_is_a_formula(evil: str) -> None:
    """Words of a table that a spreadsheet would work out, in every place of a file and of the
    clipboard where words stand; numbers stay numbers."""
    figure = replace(
        everything(), title=plain(evil), layers=(Line(evil, "text", plain(evil), [1.0], [-2.0]),)
    )
    table = Table("t", plain(evil), ((evil, (evil, -2.5)), ("n", (-3, Num(-1e-9)))), shown=True)
    written = [
        figure_csv(figure, {"Table": evil}),
        table_csv(table, {evil: evil}),
        table_tsv(table),
        table_tsv(table, [(0, 0)]),
    ]
    for text in written:
        for separator in (",", ";", "\t"):
            for row in csv.reader(io.StringIO(text), delimiter=separator):
                for cell in row:
                    bare = cell.lstrip(" '\"") if not cell.startswith("'") else cell
                    number = re.fullmatch(r"[-\d.,e\t]+", cell)
                    assert number or bare[:1] not in tuple("=+-@\t\r"), (cell, separator)
    assert "-2.5" in written[1]
    assert "-3" in written[2].split("\n")[1]
