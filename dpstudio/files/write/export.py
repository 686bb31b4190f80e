"""Charts and findings to files: SVG and CSV from plain figures, PNG by drawing the same SVG."""

import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from dpstudio import __version__
from dpstudio.charts.figure import Figure
from dpstudio.data.dataset import Dataset
from dpstudio.data.stand_in import StandIn
from dpstudio.files.language import for_programs
from dpstudio.files.session import SessionError, make_folder, write_text
from dpstudio.files.write import csvout, jsonout, published
from dpstudio.files.write.foot import Paragraph, Part
from dpstudio.files.write.palette import palette
from dpstudio.files.write.paper import DPI, Paper, in_mm
from dpstudio.files.write.svg import figure_svg
from dpstudio.files.write.told import JOINT, set_to
from dpstudio.files.write.typeface import with_typeface
from dpstudio.labs import Lab
from dpstudio.labs.carry_over import SEED, TRUTH
from dpstudio.labs.findings import Findings, Table
from dpstudio.labs.outcome import MadeText, PublishedTable
from dpstudio.labs.person_question import without_question
from dpstudio.labs.question import reads_table
from dpstudio.values.messages import N_, Message, Translate, cited, ended, joint, say, unchanged
from dpstudio.values.messages import render as words
from dpstudio.values.parameters import to_json


class Pictures(Protocol):
    """What draws pixels and pages; it is given because only the window's side may know Qt."""

    def png(self, svg: str, path: Path, scale: float, metadata: Mapping[str, str]) -> None:
        """Write the picture with so many pixels a px of it."""

    def pdf(
        self,
        svg: str | Sequence[str],
        path: Path,
        metadata: Mapping[str, str],
        attached: Mapping[str, bytes] | None = None,
    ) -> None:
        """Write a page for each picture, and files within it."""


SIZE = (800, 520)
ROW, AROUND = 15, 175  # px that the name of a row needs, and what stands above and below them
# What gives way first where not all has room below a chart; warnings never do.
_MADE, _SHOWN, _SET, _SOURCE = 1, 2, 3, 4
_HEAD = 1 << 16  # bytes of a file in which it says what made it


def leaving(findings: Findings, lab: Lab) -> Findings:
    """The findings of a lab as they may leave."""
    exact = reads_table(lab) and getattr(lab, TRUTH, True)
    return findings if exact else without_question(findings)


def provenance(lab: Lab, data: Dataset) -> dict[str, Any]:
    """What made the findings: version, table where one was read, parameters. Of what left without
    the exact answer, which was made of a stand-in, there is no seed in it."""
    parameters = to_json(lab)
    hides = parameters.get(TRUTH) is False
    if hides:
        parameters.pop(SEED, None)
    if not reads_table(lab):
        return {"dpstudio": __version__, "lab": parameters}
    table: dict[str, Any] = {"name": Path(data.origin).name if data.origin else data.name}
    if not (hides or isinstance(data, StandIn)):
        # A digest would let whoever knows all rows but one try out the last; the number of rows is
        # an exact answer.
        mark = "sha256" if data.asked is None else "snapshot"
        table |= {"rows": data.whole.rows, mark: data.digest}
        table |= {"rows_used": lab.reads(data).rows} if data.person else {}
    # What a person knows from outside the data, and says so: public bounds and words, and whose
    # rows are one person's.
    known = {"codebook": data.codebook.to_json()} if data.codebook else {}
    return {"dpstudio": __version__, "table": table, **known, "lab": parameters}


def _listed(table: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in table.items())


def metadata(
    figure: Figure | Table, lab: Lab, data: Dataset, hidden: frozenset[str] = frozenset()
) -> dict[str, str]:
    """The same as flat text, for the inside of the file of one chart without its `hidden` curves,
    or of a table; of a chart with a mark of its numbers."""
    made = provenance(lab, data)
    return {
        "Software": f"dpstudio {__version__}",
        "Title": words(figure.title),
        **({"Table": _listed(made["table"])} if "table" in made else {}),
        **({"Second table": _listed(figure.beside)} if figure.beside else {}),
        **(
            {"Codebook": json.dumps(made["codebook"], ensure_ascii=False)}
            if "codebook" in made
            else {}
        ),
        "Parameters": json.dumps(made["lab"], ensure_ascii=False),
        "Source": figure.source if isinstance(figure, Figure) else "",
        **({"Caption": caption(figure, lab, data)} if isinstance(figure, Figure) else {}),
        "Warning": " ".join(words(note) for note in warnings(figure, _drawn(lab, data))),
        **(_numbers(figure, hidden) if isinstance(figure, Figure) else {}),
    }


def _numbers(figure: Figure, hidden: frozenset[str]) -> dict[str, str]:
    """By what its numbers are known again, of the curves that are in it."""
    unseen = {layer.key for layer in figure.layers} & hidden
    mark = {"Numbers": csvout.numbers_mark(figure.without(hidden))}
    return mark | ({"Hidden": "; ".join(sorted(unseen))} if unseen else {})


def _drawn(lab: Lab, data: Dataset) -> bool:
    """Whether what is simulated was drawn exactly of a table, to leave without the exact answer."""
    return isinstance(data, StandIn) and reads_table(lab)


def warnings(figure: Figure | Table, drawn: bool = False) -> tuple[Message, ...]:
    """What must be said below a chart or a table that leaves the program; `drawn` exactly, or
    simulated to look at."""
    notes = []
    if figure.exact:
        notes.append(say("Contains the exact answer: not private."))
    if figure.simulated:
        notes.append(
            say("Drawn exactly: its ε adds to that of all else that leaves of this table.")
            if drawn
            else say("Simulated answers: not a private release.")
        )
    return tuple(notes)


def warned(figure: Figure, lab: Lab, data: Dataset, translate: Translate) -> str:
    """What must be said below a chart of these rows, in one line."""
    return Paragraph(_warned(figure, lab, data, translate), joint(translate)).text


def _warned(figure: Figure, lab: Lab, data: Dataset, translate: Translate) -> tuple[Part, ...]:
    return tuple(Part(words(note, translate)) for note in warnings(figure, _drawn(lab, data)))


def caption(
    figure: Figure,
    lab: Lab,
    data: Dataset,
    translate: Translate = unchanged,
    *,
    titled: bool = False,
) -> str:
    """What stands below a chart in a paper: its title, where that does not stand above it, what it
    shows, and its warnings."""
    return _caption(figure, lab, data, translate, titled=titled).text


def _caption(
    figure: Figure, lab: Lab, data: Dataset, translate: Translate, *, titled: bool
) -> Paragraph:
    told = (*(() if titled else (figure.title, figure.subtitle)), *figure.notes)
    sentences = [sentence for each in told if (sentence := words(each, translate).strip())]
    shown = tuple(Part(ended(text, translate), _SHOWN) for text in sentences)
    return Paragraph((*shown, *_warned(figure, lab, data, translate)), joint(translate))


def made_with(
    lab: Lab,
    data: Dataset,
    translate: Translate = unchanged,
    beside: Mapping[str, Any] | None = None,
) -> str:
    """What made the findings in one line: version, table, the one `beside` it, and how the lab is
    set."""
    return _made_with(lab, data, translate, beside).text


def _made_with(
    lab: Lab, data: Dataset, translate: Translate, beside: Mapping[str, Any] | None
) -> Paragraph:
    parts = [f"dpstudio {__version__}"]
    data = lab.reads(data)
    if reads_table(lab):
        names = Path(data.origin).name or data.name, (beside or {}).get("name")
        parts.append(" + ".join(name for name in names if name))
        if data.person:
            text = N_("up to {m} {m:row|rows} of each “{person}”")
            parts.append(words(say(text, m=data.contributions, person=data.person), translate))
    made = (*(Part(part, _MADE) for part in parts if part),)
    return Paragraph((*made, *(Part(part, _SET) for part in set_to(lab, translate))), JOINT, True)


def foot(
    figure: Figure,
    lab: Lab,
    data: Dataset,
    translate: Translate = unchanged,
    paper: Paper | None = None,
) -> tuple[Paragraph, ...]:
    """What stands below an exported chart, as on the screen or on `paper`: its caption or its
    warnings alone, then what made it and where the formula is from."""
    source = Paragraph((Part(cited(figure.source, translate), _SOURCE),))
    made = _made_with(lab, data, translate, figure.beside), source
    if paper is None:
        return (Paragraph(_warned(figure, lab, data, translate), joint(translate)), *made)
    caption = _caption(figure, lab, data, translate, titled=paper.title)
    return (*((caption,) if paper.caption else ()), *(made if paper.footer else ()))


def footer(
    figure: Figure, lab: Lab, data: Dataset, translate: Translate = unchanged
) -> tuple[str, ...]:
    """The lines below a chart exported as on the screen, whole."""
    return tuple(line.text for line in foot(figure, lab, data, translate) if line.text)


def chart_svg(
    figure: Figure,
    lab: Lab,
    data: Dataset,
    *,
    dark: bool = False,
    hidden: frozenset[str] = frozenset(),
    paper: Paper | None = None,
    translate: Translate = unchanged,
) -> str:
    """One chart as a standalone SVG with its warnings, parameters and source inside: as it is seen
    on the screen, or on `paper`, in mm."""
    if paper is None:
        return figure_svg(
            figure,
            palette(dark),
            SIZE[0],
            max(SIZE[1], ROW * len(figure.y.ticks) + AROUND),
            translate=translate,
            hidden=hidden,
            foot=foot(figure, lab, data, translate),
            metadata=metadata(figure, lab, data, hidden),
        )
    svg = figure_svg(
        figure,
        palette(dark, printed=not paper.screen),
        *paper.size,
        scale=paper.scale,
        translate=translate,
        hidden=hidden,
        foot=foot(figure, lab, data, translate, paper),
        metadata=metadata(figure, lab, data, hidden),
        titled=paper.title,
        grows=not paper.fixed,
    )
    return in_mm(svg)


def chart_files(
    figure: Figure,
    lab: Lab,
    data: Dataset,
    paths: Sequence[Path],
    pictures: Pictures,
    *,
    dark: bool = False,
    hidden: frozenset[str] = frozenset(),
    paper: Paper | None = None,
    translate: Translate = unchanged,
) -> None:
    """Write one chart to files, each as its ending says: .csv, .svg or .pdf, else PNG. Of its
    layers all have what is drawn. Raises SessionError, and ValueError of a picture that is
    too large."""
    made, svg = metadata(figure, lab, data, hidden), ""
    for path in paths:
        kind = path.suffix.lower()
        if kind == ".csv":
            write_text(path, csvout.figure_csv(figure.without(hidden), made, translate))
            continue
        svg = svg or chart_svg(
            figure, lab, data, dark=dark, hidden=hidden, paper=paper, translate=translate
        )
        if kind == ".svg":
            write_text(path, with_typeface(svg))
        elif kind == ".pdf":
            pictures.pdf(svg, path, made)
        else:
            pictures.png(svg, path, 2.0 if paper is None else paper.dpi / DPI, made)


def export_findings(
    findings: Findings,
    lab: Lab,
    data: Dataset,
    folder: Path,
    pictures: Pictures,
    *,
    dark: bool = False,
    hidden: Mapping[str, frozenset[str]] | None = None,
    paper: Paper | None = None,
    translate: Translate = unchanged,
) -> list[Path]:
    """Write every chart as SVG, PNG and CSV (on `paper` as PDF too), shown tables as CSV, a table
    that was drawn to leave as `published_files` does, texts, and findings.json into `folder`;
    returns the paths. A table of exact rows goes alone, as `publish` does it. SessionError."""
    make_folder(folder)
    charts = [figure.key for figure in findings.figures]
    tables = {
        # A chart and a table of one page may have the same key.
        f"{lab.key}-{table.key}{'-table' if table.key in charts else ''}.csv": table
        for table in findings.tables
        if table.shown
    }
    if _drawn(lab, data):
        refuse_exact(folder, {*tables, *(f"{lab.key}-{key}.csv" for key in charts)})
    out, kinds = [], ("svg", "png", "csv", *(("pdf",) if paper is not None else ()))
    for figure in findings.figures:
        unseen = (hidden or {}).get(figure.key, frozenset())
        paths = [folder / f"{lab.key}-{figure.key}.{kind}" for kind in kinds]
        look: dict[str, Any] = {
            "dark": dark,
            "hidden": unseen,
            "paper": paper,
            "translate": translate,
        }
        chart_files(figure, lab, data, paths, pictures, **look)
        out += paths
    for name, table in tables.items():
        out.append(folder / name)
        write_text(out[-1], csvout.table_csv(table, metadata(table, lab, data), translate))
    for made in findings.outcomes:
        if isinstance(made, PublishedTable) and not made.exact:
            out += published.published_files(made, f"{lab.key}-{made.key}", folder)
        elif isinstance(made, MadeText):
            out.append(folder / f"{lab.key}-{made.key}.txt")
            write_text(out[-1], "".join(f"{words(line, translate)}\n" for line in made.lines))
    said = jsonout.findings_json(leaving(findings, lab), for_programs())
    told = json.dumps({**provenance(lab, data), **said}, ensure_ascii=False, allow_nan=False)
    write_text(path := folder / "findings.json", f"{told}\n")
    return [*out, path]


_BESIDE = N_(
    "{path} was saved with the exact answer, and what may leave would lie beside it. Choose "
    "another folder, or take that away."
)


def refuse_exact(folder: Path, replaced: Collection[str] = ()) -> None:
    """Raise SessionError where a chart or table that names the digest of its table, as those with
    exact answers do, would stay beside what leaves. Each of them has a CSV, whose head says so."""
    for path in sorted(folder.glob("*-*.csv")):
        if path.name in replaced or not path.is_file():
            continue
        with suppress(OSError), path.open("rb") as file:
            head = file.read(_HEAD)
            if head.startswith(b"# Software: dpstudio") and b", sha256 " in head:
                raise SessionError(say(_BESIDE, path=path))
