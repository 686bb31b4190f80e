"""From a talk to its hand-out: tables opened, each step worked out (to leave, where it hides the
exact answer), drawn and written."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from dpstudio.data.dataset import Dataset
from dpstudio.files.asking import left_open
from dpstudio.files.assets import asset
from dpstudio.files.deployments import deployments
from dpstudio.files.ledger import Ledger
from dpstudio.files.read.choices import Choices
from dpstudio.files.session import SessionError, write_text
from dpstudio.files.tables import EXAMPLES, CancelledError, example, open_table
from dpstudio.files.talk import SUFFIX, Step, Talk
from dpstudio.files.write import export, handout, leaving
from dpstudio.labs.carry_over import SEED
from dpstudio.labs.context import SCREEN, SECOND, Context, Effort, never
from dpstudio.labs.question import reads_table
from dpstudio.values.messages import N_, Message, Num, Translate, say, unchanged
from dpstudio.values.parameters import domains


def lesson(name: str) -> Path | None:
    """The file of a lesson that ships with the program, by its name with or without its number;
    None where there is none."""
    files = sorted(asset("lessons").glob("*" + SUFFIX))
    return next((p for p in files if name in (p.stem, p.stem.partition("-")[2])), None)


class Tables:
    """Opens the tables of a step, each once; one that moved with the talk is found in its
    `folder`."""

    def __init__(self, folder: Path | None = None, cancelled: Callable[[], bool] | None = None):
        self._folder, self.cancelled = folder, cancelled or never
        self._held: dict[object, Dataset] = {}

    def __call__(self, step: Step) -> Dataset:
        """The dataset of a step. Raises SessionError where it is another by now, and TableError."""
        where = step.table
        if not where and reads_table(step.lab):
            raise SessionError(say("Its table came from the clipboard and is in no file."))
        if not where:  # what reads no table may have any, of which nothing was told
            return self._opened(EXAMPLES[0].key, "", None)
        if step.hides and reads_table(step.lab):
            _stays_untold(where, step.reading or Choices())
        # That a table is another one by now would tell of its rows, where it hides them.
        digest = "" if step.hides else step.digest
        return self._opened(where, digest, step.reading).described(step.codebook)

    def beside(self, step: Step) -> dict[str, Dataset]:
        """The table beside the first, by the name that labs know it by, where the step has one."""
        held = step.second
        return {SECOND: self._opened(held.table, held.digest, held.reading)} if held else {}

    def _opened(self, table: str, digest: str, reading: Choices | None) -> Dataset:
        where = table
        beside = self._folder / Path(where).name if self._folder is not None else None
        if beside is not None and example(where) is None and not Path(where).exists():
            where = str(beside) if beside.exists() else where
        asked = where, reading
        if asked not in self._held:
            self._held[asked] = open_table(where, None, self.cancelled, reading)
        data = self._held[asked]
        if digest and digest != data.digest:
            text = N_("The table {path} is another one by now than when this was saved.")
            raise SessionError(say(text, path=table))
        return data


def _stays_untold(where: str, choices: Choices) -> None:
    """Raise UntoldError, before a file is read, where rows would decide how it is."""
    if names := left_open(where, choices):
        raise leaving.UntoldError(names)


def played(
    step: Step,
    data: Dataset,
    ledger: Ledger,
    effort: Effort = SCREEN,
    cancelled: Callable[[], bool] = never,
    beside: Callable[[Step], Mapping[str, Dataset]] = lambda step: {},
) -> handout.Played:
    """A step as it may be shown on paper; where it hides the exact answer, its tables `beside` the
    first are not even opened. Raises StaysError, SessionError, ParamError and
    CancelledError."""
    if step.hides:
        left = leaving.leave(step.lab, data, ledger, effort)
        return handout.Played(left.lab, left.data, left.findings, left.told)
    context = Context(
        data, beside(step), effort=effort, cancelled=cancelled, deployments=deployments
    )
    parts = list(step.lab.run(context))
    if cancelled():
        raise CancelledError
    found = parts[-1]
    for problem in found.problems:
        if problem.stops:
            raise leaving.StaysError(problem.say)
    return handout.Played(step.lab, data, step.lab.frame(found, step.index))


def public(talk: Talk) -> Talk:
    """The talk as it may be attached: of a step that hides the exact answer nothing is told of the
    bytes of its table, where it is, how it was read, what its rows say of a column, and no seed."""

    def without(step: Step) -> Step:
        if not step.hides:
            return step
        lab, kind = step.lab, type(step.lab)
        lab = lab.with_(**{SEED: getattr(kind(), SEED)}) if SEED in domains(kind) else lab
        table = Path(step.table).name
        book = step.codebook.public
        made = replace(step, lab=lab, table=table, digest="", reading=None, second=None)
        return replace(made, codebook=book)

    return replace(talk, steps=tuple(map(without, talk.steps)))


def hand_out(
    talk: Talk,
    path: Path,
    tables: Tables,
    ledger: Ledger,
    pictures: export.Pictures,
    *,
    progress: Callable[[float, Message], object] = lambda share, text: None,
    tell: Callable[[Message], object] = lambda text: None,
    language: str = "en",
    effort: Effort = SCREEN,
    translate: Translate = unchanged,
    solutions: str = "",
) -> None:
    """Write a talk to `path`, as HTML or PDF by its ending, with the talk inside. `progress` is
    told which step is worked out, `tell` what its draws cost; `solutions` is one of
    `handout.SOLUTIONS`, "" folded where that can be. Raises SessionError, StaysError, OSError and
    CancelledError (`tables.cancelled`)."""
    paper = path.suffix.lower() == ".pdf"
    solutions = solutions or (handout.LAST if paper else handout.FOLDED)
    if paper and solutions == handout.FOLDED:
        raise SessionError(say("Paper does not fold: solutions of a PDF are none, or last."))
    made = list(_sheets(talk, tables, ledger, effort, progress, tell, translate))
    made, shown = handout.answering(made, talk), public(talk)
    if paper:
        pages = list(handout.page_svgs(shown, made, translate, solutions))
        about = {"Title": translate(talk.name), "Caption": translate(talk.about)}
        with_talk = {handout.attached_name(shown): handout.talk_bytes(shown)}
        pictures.pdf(pages, path, about, with_talk if handout.attaches(made, solutions) else {})
    else:
        write_text(path, handout.handout_html(shown, made, language, translate, solutions))


def _sheets(
    talk: Talk,
    tables: Tables,
    ledger: Ledger,
    effort: Effort,
    progress: Callable[[float, Message], object],
    tell: Callable[[Message], object],
    translate: Translate,
) -> Iterator[handout.Sheet]:
    from dpstudio.files.tables import TableError
    from dpstudio.values.parameters import ParamError

    for number, step in enumerate(talk.steps, 1):
        if tables.cancelled():
            raise CancelledError
        place = {"n": Num(number), "count": Num(len(talk.steps)), "title": translate(step.title)}
        share = (number - 1) / len(talk.steps)
        progress(share, say("Step {n} of {count}: {title}", **place))
        try:
            data = tables(step)
            play = played(step, data, ledger, effort, tables.cancelled, tables.beside)
        except (SessionError, leaving.StaysError, TableError, ParamError) as error:
            text = N_("Step {n} of {count}, {title}: {why}")
            raise SessionError(say(text, **place, why=error.sentence)) from error
        for told in play.told:
            tell(told)
        yield handout.sheet_of(step, play, translate)
