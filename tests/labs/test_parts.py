"""A page of parts: what comes together, when, and in which order."""

from dataclasses import dataclass, replace

from dpstudio.charts.figure import Axis, Figure
from dpstudio.labs.findings import Sentence, Table
from dpstudio.labs.page import Page, Part
from dpstudio.values.messages import say


@dataclass(frozen=True)
class Model:
    owners: int | None = None


def chart(key: str) -> Figure:
    return Figure(key, key, Axis(""), Axis(""), ())


PAGE: Page = Page(
    stages=lambda lab, context: iter(()),
    parts=(
        Part((lambda model: chart("first"), lambda model: None)),
        Part(
            (lambda model, owners: (chart(f"of {owners}"), chart("second")),),
            sentences=lambda model, owners: (Sentence("owners", say("{n}", n=owners)),),
            tables=lambda model, owners: Table("owners", say("owners"), ()),
            about=lambda model: model.owners,
        ),
        Part((lambda model: chart("alone"),), when=lambda model: model.owners is None),
        Part((lambda model: chart("last"),)),
    ),
)


def test_parts_stand_in_their_order_and_only_where_they_are() -> None:
    for page in (PAGE, replace(PAGE, leads=("x",))):
        alone, zero = Model(), Model(0)
        assert [f.key for f in page.charts(alone)] == ["first", "alone", "last"]
        # Nothing but None is what is missing: a part may be about 0.
        assert [f.key for f in page.charts(zero)] == ["first", "of 0", "second", "last"]
        assert [s.key for s in page.sentences(zero)] == ["owners"]
        assert [t.key for t in page.tables(zero)] == ["owners"]
        for made in (page.facts(zero), page.sentences(alone), page.tables(alone)):
            assert list(made) == []
