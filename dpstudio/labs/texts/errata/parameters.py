"""As printed: where the texts' formulas or code are wrong, both versions are drawn and told
apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dpstudio.charts.figure import Figure
from dpstudio.data.dataset import Dataset
from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.context import Cancelled, never
from dpstudio.labs.findings import Fact, Findings, Sentence, Table
from dpstudio.labs.page import Lab
from dpstudio.labs.texts.errata import ABOUT
from dpstudio.labs.texts.errata.listings import ERRATA, Draws, Erratum, Reading
from dpstudio.labs.texts.errata.listings.calibration import HistogramEpsilon
from dpstudio.labs.texts.errata.listings.erratum import CORRECTED, PRINTED, Row
from dpstudio.values.messages import N_, Num, Say, plain, say
from dpstudio.values.params import Choice, Integer, OneOf, param

VIEWS = {"both": N_("both"), "printed": N_("as printed"), "corrected": N_("corrected")}
_HIDDEN = {"both": (), "printed": (CORRECTED,), "corrected": (PRINTED,)}
_STRIP = 4


@dataclass(frozen=True)
class Printed(Lab, about=ABOUT):
    """One erratum: the printed curve, the corrected one, what is wrong, what follows, and the proof
    where a promise breaks."""

    erratum: Erratum = param(
        HistogramEpsilon(),
        OneOf(N_("Text"), N_("Which formula or listing."), family=lambda: ERRATA, apart=True),
    )
    view: str = param(
        "both",
        Choice(N_("Show"), N_("The printed version, the corrected one, or both."), options=VIEWS),
    )
    trials: int = param(
        4000,
        Integer(
            N_("Trials"),
            N_("How many simulated outputs, where any are drawn."),
            low=500,
            high=20_000,
            log=True,
        ),
    )
    seed: int = shared.seed()

    def run(self, data: Dataset, cancelled: Cancelled = never) -> Iterator[Findings]:  # type: ignore[override]
        reading = with_verdict(self.erratum.read(Draws(self.seed, self.trials, data.remember)))
        if not cancelled():
            yield Findings(
                tuple(self._seen(figure) for figure in reading.figures),
                tuple(self._fact(row) for row in reading.rows[:_STRIP]),
                self._sentences(reading),
                (self._table(reading),),
                headline=("wrong", "follows"),
            )

    def _seen(self, figure: Figure) -> Figure:
        """The figure without the side that is switched off."""
        layers = tuple(
            layer
            for layer in figure.layers
            if not layer.key.startswith(_HIDDEN[self.view] or ("\0",))
        )
        return replace(figure, layers=layers)

    def _fact(self, row: Row) -> Fact:
        was, now = (_said(cell) for cell in (row.printed, row.corrected))
        value = tuple(
            cell.value if isinstance(cell, Num) else None for cell in (row.printed, row.corrected)
        )
        if self.view == "corrected":
            return Fact(row.key, row.label, now, say("corrected"), "good", value[1])
        if self.view == "printed":
            return Fact(row.key, row.label, was, say("as printed"), "bad", value[0])
        return Fact(row.key, row.label, was, say("corrected: {x}", x=now), "bad", value)

    def _sentences(self, reading: Reading) -> tuple[Sentence, ...]:
        proof = tuple(Sentence(f"proof_{i}", line) for i, line in enumerate(reading.proof, 1))
        found = reading.audited
        return (
            Sentence("wrong", reading.wrong, "warn"),
            Sentence("follows", reading.follows, reading.tone),
            *((Sentence("verdict", found.said, found.tone),) if found else ()),
            *proof,
            Sentence("source", say("The text: {source}.", source=plain(self.erratum.source))),
        )

    def _table(self, reading: Reading) -> Table:
        columns: list[tuple[str, tuple[Num | Say, ...]]] = [
            ("quantity", tuple(row.label for row in reading.rows))
        ]
        heads = [say("quantity")]
        if self.view != "corrected":
            columns.append(("printed", tuple(row.printed for row in reading.rows)))
            heads.append(say("as printed"))
        if self.view != "printed":
            columns.append(("corrected", tuple(row.corrected for row in reading.rows)))
            heads.append(say("corrected"))
        return Table(
            "versions", Say(self.erratum.label), tuple(columns), shown=True, heads=tuple(heads)
        )


def with_verdict(reading: Reading) -> Reading:
    """The audit's chart behind the others, and its row early enough for the strip."""
    found = reading.audited
    if found is None:
        return reading
    rows = (*reading.rows[: _STRIP - 1], found.row, *reading.rows[_STRIP - 1 :])
    return replace(reading, figures=(*reading.figures, found.figure), rows=rows)


def _said(cell: Num | Say) -> Say:
    return say("{x}", x=cell) if isinstance(cell, Num) else cell
