"""From a session to its report: each page worked out, to leave where the report is without exact
answers, drawn and written with its references beside it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

from dpstudio.data.dataset import Dataset
from dpstudio.files.handing_out import played
from dpstudio.files.ledger import Ledger
from dpstudio.files.session import Session, SessionError, write_text
from dpstudio.files.tables import CancelledError, called
from dpstudio.files.talk import Step
from dpstudio.files.write import export, report
from dpstudio.files.write.leaving import StaysError, UntoldError
from dpstudio.labs import LABS, Lab
from dpstudio.labs.carry_over import TRUTH
from dpstudio.labs.context import SCREEN, Effort
from dpstudio.labs.naming import lab_kind
from dpstudio.labs.question import reads_table
from dpstudio.values.messages import N_, Message, Translate, render, say, unchanged
from dpstudio.values.parameters import ParamError, domains

_HIDES = N_(
    "This page hides the exact answer, which would stand beside it: it is in a report without the "
    "exact answers."
)

_ONLY_EXACT = N_("Nothing here is drawn with noise: it is in a report with the exact answers.")


class Tables(Protocol):
    """Gives the tables of a page, as `handing_out.Tables` does."""

    @property
    def cancelled(self) -> Callable[[], bool]:
        """Whether nobody waits any more."""

    def __call__(self, step: Step) -> Dataset:
        """The table of a page."""

    def beside(self, step: Step) -> Mapping[str, Dataset]:
        """The table beside it."""


def reported(session: Session, pages: Iterable[str] = ()) -> list[Lab]:
    """The pages that a report is of, in the order of the catalogue: those named, else all that were
    set or opened. Raises SessionError for one that there is not."""
    held = {lab.key: lab for lab in session.labs}
    known = [about.key for about in LABS]
    opened = session.view.get("opened", ())
    wanted = [*pages] or [*held, *(key for key in opened if isinstance(key, str))]
    for key in pages:
        if key not in known:
            raise SessionError(say("There is no page “{name}”.", name=key))
    return [held.get(key) or lab_kind(key)() for key in known if key in wanted]


def write_report(
    session: Session,
    path: Path,
    tables: Tables,
    ledger: Ledger,
    pictures: export.Pictures,
    *,
    hides: bool = False,
    pages: Iterable[str] = (),
    progress: Callable[[float, Message], object] = lambda share, text: None,
    tell: Callable[[Message], object] = lambda text: None,
    language: str = "en",
    effort: Effort = SCREEN,
    translate: Translate = unchanged,
) -> list[Path]:
    """Write a report of a session to `path`, as HTML or PDF by its ending, and beside it what it
    cites as BibTeX; returns both. One that `hides` has no exact answer in it: each page is drawn to
    leave, or says why it stays. `progress` is told which page is worked out, `tell` what its draws
    cost. Raises SessionError, TableError, OSError and CancelledError (`tables.cancelled`)."""
    steps = [_step(session, lab, hides=hides) for lab in reported(session, pages)]
    sections = tuple(_sections(steps, tables, ledger, effort, hides, progress, tell, translate))
    book = session.codebook.public if hides else session.codebook
    data = None if hides or not any(reads_table(s.lab) for s in steps) else tables(steps[0])
    name = called(session.table) or translate(N_("a pasted table"))
    title = render(say("Report on {name}", name=name), translate)
    made = report.Report(
        title,
        report.about_table(name, session.codebook, data, translate),
        report.about_columns(book, data, translate),
        sections,
        exact=data is not None,
    )
    if path.suffix.lower() == ".pdf":
        pictures.pdf(list(report.report_pages(made, translate)), path, {"Title": title})
    else:
        write_text(path, report.report_html(made, language, translate))
    if not made.cites:
        return [path]
    beside = path.with_name(f"{path.stem}-references.bib")  # not over the bibliography of a paper
    write_text(beside, made.bibtex)
    return [path, beside]


def _step(session: Session, lab: Lab, *, hides: bool) -> Step:
    """A page as a step of a talk, which is worked out likewise; what reads no table is not given
    one that may not be seen."""
    lab = lab.with_(**{TRUTH: False}) if hides and TRUTH in domains(type(lab)) else lab
    if hides and not reads_table(lab):
        return Step(lab.label, lab)
    return Step(
        lab.label,
        lab,
        session.table,
        session.digest,
        codebook=session.codebook,
        reading=session.reading,
        second=session.second,
    )


def _sections(
    steps: list[Step],
    tables: Tables,
    ledger: Ledger,
    effort: Effort,
    hides: bool,
    progress: Callable[[float, Message], object],
    tell: Callable[[Message], object],
    translate: Translate,
) -> Iterator[report.Section]:
    for number, step in enumerate(steps):
        if tables.cancelled():
            raise CancelledError
        progress(number / len(steps), say("Page {title}", title=Message(step.lab.label)))
        try:
            yield _section(step, tables, ledger, effort, hides, tell, translate)
        except UntoldError:
            raise  # of the whole table
        except (StaysError, ParamError) as error:
            why = render(error.sentence, translate)
            yield report.Section(translate(step.lab.label), stays=why)


def _section(
    step: Step,
    tables: Tables,
    ledger: Ledger,
    effort: Effort,
    hides: bool,
    tell: Callable[[Message], object],
    translate: Translate,
) -> report.Section:
    if hides and reads_table(step.lab) and not step.hides:
        raise StaysError(say(_ONLY_EXACT))
    if step.hides and not hides and reads_table(step.lab):
        raise StaysError(say(_HIDES))
    play = played(step, tables(step), ledger, effort, tables.cancelled, tables.beside)
    for told in play.told:
        tell(told)
    return report.section_of(step.lab, play, translate)
