"""Which delimiter and quote: every candidate splits the start of the text; the libraries' opinion
and ours choose."""

import re
from dataclasses import dataclass, replace

from dpstudio.files.read.choices import Choices
from dpstudio.files.read.outcome import Doubt
from dpstudio.files.read.signs import COMMENTS, DELIMITERS, QUOTES
from dpstudio.files.read.text.ambiguous_dialects import asked
from dpstudio.files.read.text.headers import judged
from dpstudio.files.read.text.rows import Dialect
from dpstudio.files.read.text.splitting import RARE, ROWS, Split, split
from dpstudio.files.read.typing.marks import digits, is_date, is_name, natural
from dpstudio.values.messages import Message, say

STRONG = ("comma", "semicolon", "tab", "pipe")
_WEAK = ("space", "spaces", "wide", "colon", "ampersand", "hash", "slash", "bang")
SENTENCE = re.compile(r"[^\r\n]*\w, \w")
_AMONG_WORDS = (
    "space",
    "colon",
    "ampersand",
    "hash",
    "slash",
    "bang",
)  # signs that also stand inside a value
_TITLES = 5


def candidates(sample: str, choices: Choices) -> list[Dialect]:
    """The dialects whose signs occur at all."""
    if choices.delimiter != "auto":
        names = [choices.delimiter]
    else:
        names = [
            n
            for n in (*STRONG, *RARE, *_WEAK)
            if (re.search(DELIMITERS[n], sample) if n == "wide" else _occurs(sample, n))
        ]
        names = [
            *[
                n
                for n in names
                if not (n == "spaces" and "  " not in sample and "\t" not in sample)
            ],
            "none",
        ]
    quotes = (
        [QUOTES[choices.quote]]
        if choices.quote != "auto"
        else [q for q in ('"', "'") if q in sample and (_encloses(sample, q) or "\\" + q in sample)]
        or ['"']
    )
    if choices.quote == "auto" and any(q in sample for q in quotes):
        quotes.append("")
    comment = COMMENTS[choices.comment] if choices.comment not in ("auto",) else ""
    out = []
    for name in names:
        for quote in quotes:
            escapes = (
                [False, True]
                if quote and "\\" + quote in sample and choices.escape == "auto"
                else [choices.escape == "backslash"]
            )
            out += [Dialect(name, quote, backslash, comment) for backslash in escapes]
    return out


# What holds such a sign by its nature: an address of a page, a day, a time, a share.
_WHOLE = re.compile(r"\w+://[^\s,;|\t\"']*|\d+[/:]\d+([/:]\d+)?")
_INNER = ("slash", "colon", "ampersand", "hash", "bang")


def _occurs(sample: str, name: str) -> bool:
    """Whether the sign occurs; one that seldom parts values must stand in most lines, outside what
    holds it by its nature."""
    sign = " " if name == "spaces" else DELIMITERS[name]
    if name not in _INNER or sign not in sample:
        return sign in sample
    lines = [line for line in sample.splitlines() if line.strip()][:ROWS]
    return sum(sign in _WHOLE.sub("", line) for line in lines) > 0.5 * len(lines)


def _encloses(sample: str, quote: str) -> bool:
    """Whether some value begins with this quote: after a line's start or something that may be a
    delimiter."""
    before = r"(?m)(^|[^\w\s]|[\t \r\x1c-\x1f])"
    inner = rf"(?:[^{quote}\n]|{quote}{quote})*"
    return (
        quote == '"'
        or re.search(rf"{before}{quote}{inner}(\n{inner})?{quote}([^\w\s]|\s|$)", sample)
        is not None
    )


@dataclass(frozen=True)
class ChosenDialect:
    """The dialect that was chosen with the sample under it, and what a person should confirm."""

    split: Split
    doubts: tuple[Doubt, ...] = ()
    notes: tuple[Message, ...] = ()
    skip: int = 0


def detect(sample: str, choices: Choices, whole: bool) -> ChosenDialect:
    """The dialect of a text from its start; `whole` when the sample is all of it."""
    named = _named_in_comment(sample, choices, whole)
    if named is not None:
        return named
    told = _told(sample, choices)
    if told:
        name, sign = told
        inner = detect(sample, choices.with_(delimiter=name, skip=1), whole)
        note = say("The first line says that values are separated by “{sign}”.", sign=sign)
        return replace(inner, skip=1, notes=(*inner.notes, note))
    splits = [split(sample, dialect, choices, whole) for dialect in candidates(sample, choices)]
    if any(s.dialect.delimiter == "tab" and s.width > 1 and s.steady > 0.9 for s in splits):
        # A run of tabs is a run of blank values then, and spaces stand inside them.
        splits = [s for s in splits if s.dialect.delimiter not in ("wide", "spaces")]
    splits = _distinct(splits)
    clean = [s for s in splits if s.clean and s.width > 1]
    if not clean:
        alone = [s for s in splits if s.dialect.delimiter == "none" and s.clean]
        # One column is certain where nothing in the sample could part two.
        if alone and not any(
            s.width > 1 and s.steady > (0.3 if _rank(s) == 0 else 0.95) for s in splits
        ):
            others = [s for s in alone[1:] if s.records != alone[0].records]
            return ChosenDialect(alone[0], asked(alone[0], others, sure=True))
        return _messy(sample, splits)
    ranked = sorted(clean, key=lambda s: (s.first > 0, -round(s.natural, 2), _rank(s), -s.width))
    best = next(
        (
            s
            for s in ranked
            if s.dialect.delimiter.startswith("two_") and 2 * s.width - 1 == ranked[0].width
        ),
        ranked[0],
    )
    days = next((s for s in splits if s.dialect.delimiter == "none"), None)
    if best.first and days and all(is_date(r[0].strip()) for r in days.records[1:]):
        return ChosenDialect(days)  # a name, and below it days with spaces or commas in them
    rivals = [s for s in splits if s is not best and _rivals(s, best)]
    rivals += _alone(sample, best, splits)
    return ChosenDialect(best, asked(best, rivals, sure=True)) if rivals else ChosenDialect(best)


def _named_in_comment(sample: str, choices: Choices, whole: bool) -> ChosenDialect | None:
    """The table below comments the last of which names its columns, as in #chrom, pos, ref; the
    name keeps the sign."""
    if choices.comment != "auto" or choices.skip is not None or choices.header != "auto":
        return None
    sign = next((s for s in COMMENTS.values() if s and sample.startswith(s)), "")
    lines = sample.splitlines()
    above = next((i for i, line in enumerate(lines) if not line.startswith(sign)), 0)
    if not sign or above < 2 or any(line.startswith(sign) for line in lines[above:]):
        return None
    below = detect(sample, choices.with_(skip=above, comment="none", header="no"), whole).split
    inner = choices.with_(skip=above - 1, comment="none", delimiter=below.dialect.delimiter)
    if below.width < 2 or below.steady < 1:
        return None
    found = detect(sample, inner, whole)
    records = found.split.records
    head = [cell.lstrip(sign).strip() for cell in records[0]] if records else []
    if len(head) != below.width or judged(head, below.records)[0] != "yes":
        return None
    if judged(below.records[0], below.records[1:]) == ("yes", True):
        return None
    note = say(
        "{n} {n:line that begins|lines that begin} with “{sign}” {n:is a comment and no row|are "
        "comments and no rows}; the last of such names the columns.",
        n=above - 1,
        sign=sign,
    )
    return replace(found, skip=above - 1, notes=(*found.notes, note))


def _told(sample: str, choices: Choices) -> tuple[str, str] | None:
    """The name and sign of the delimiter that a first line such as sep=; gives, if nothing is
    chosen."""
    hint = re.match(r'"?sep=(.)"?[ \t]*(\r\n|\n|\r)', sample)
    if not hint or choices.delimiter != "auto" or choices.skip is not None:
        return None
    return next(((name, sign) for name, sign in DELIMITERS.items() if sign == hint[1]), None)


def _alone(sample: str, best: Split, splits: list[Split]) -> list[Split]:
    """The reading as one column, where the values of the best may be parts of one."""
    alone = [s for s in splits if s.dialect.delimiter == "none"]
    below = best.records[1:] if SENTENCE.match(sample) else best.records
    rivals = []
    if (
        best.dialect.delimiter == "comma"
        and best.width == 2
        and all(_digits(c) for r in below for c in r)
    ):
        # 1,5 on every line, and no names above or a title with a comma: two columns, or one with
        # decimal commas.
        rivals += alone[:1]
    if best.dialect.delimiter in _AMONG_WORDS and not any(
        natural(c) == 1 and not is_name(c) for r in below for c in r if c.strip()
    ):
        # Two words on every line, and no number: two columns, or one of names such as New York.
        rivals += [s for s in alone if s.clean][:1]
    return rivals


def _digits(cell: str) -> bool:
    return digits(cell.strip().lstrip("+-−"))


def _rank(found: Split) -> int:
    name = found.dialect.delimiter
    return 0 if name in STRONG or name in RARE else 1


def _rivals(other: Split, best: Split) -> bool:
    """Whether another reading is as sensible as the best one: also steady, and its cells look as
    much like values."""
    if other.width < 2 or other.steady < 1 or other.mended:
        return False
    if other.first > best.first:
        # A line or two above the table, which then looks more like values: "43 -321,5" is split at
        # its space, below a title with a comma.
        return (
            other.first <= _TITLES
            and other.clean
            and other.width >= best.width
            and other.natural >= best.natural + 0.05
        )
    doubled = {"two_colons": "colon", "two_pipes": "pipe"}.get(best.dialect.delimiter)
    if other.dialect.delimiter == doubled and other.width == 2 * best.width - 1:
        return False
    if other.dialect.delimiter == best.dialect.delimiter:
        return (
            other.natural >= best.natural - 0.3
            and other.records != best.records
            and not other.stray
        )
    weaker = _rank(other) > _rank(best)
    return other.natural >= best.natural - (0.0 if weaker else 0.05) and (
        not weaker or other.width >= best.width
    )


def _distinct(splits: list[Split]) -> list[Split]:
    """One of those that read the sample alike: the plainest, which comes first."""
    out: list[Split] = []
    for s in splits:
        alike = next(
            (
                o
                for o in out
                if o.records == s.records
                and (s.width > 1 or o.dialect.delimiter == s.dialect.delimiter)
            ),
            None,
        )
        if alike is None or (s.stray and alike.mended):
            out.append(s)
        elif alike.mended > s.mended:
            out[out.index(alike)] = s
    return out


def _messy(sample: str, splits: list[Split]) -> ChosenDialect:
    """No reading fits every row: the likeliest is proposed. clevercsv's word counts as a quarter
    more."""
    opinion = _opinion(sample)
    weight = {
        id(s): s.score
        * (1.25 if s.dialect.sign == opinion else 1.0)
        * (1.0 if _rank(s) == 0 else 0.8)
        * (0.5 if s.stray else 1.0)
        for s in splits
    }
    # A sign that parts few rows makes one column: then none is proposed, for how wide such rows are
    # turns on where the table begins.
    ranked = sorted(
        splits, key=lambda s: (s.width == 1 and s.dialect.delimiter != "none", -weight[id(s)])
    )
    best = ranked[0]
    alike = [
        s
        for s in ranked[1:]
        if s.dialect.delimiter == best.dialect.delimiter and (s.stray or best.stray)
    ]
    # One column is one column, whichever sign that seldom parts values does not part it.
    rivals = [
        *(
            s
            for s in ranked[1:]
            if weight[id(s)] > 0.5 * weight[id(best)]
            and s not in alike
            and (s.width > 1 or s.dialect.delimiter in ("none", *STRONG))
        ),
        *alike,
    ]
    if (
        best.steady == 1
        and best.natural >= 0.85
        and not [s for s in rivals if s.dialect.delimiter != best.dialect.delimiter]
    ):
        return ChosenDialect(
            best,
            asked(
                best,
                [s for s in rivals if (s.steady == 1 and s.mended <= best.mended) or s in alike],
                sure=False,
            ),
        )
    return ChosenDialect(best, asked(best, rivals, sure=False) if rivals else ())


def _opinion(sample: str) -> str | None:
    """clevercsv's delimiter of the first lines; it is slow, so it sees few."""
    import clevercsv

    part = sample[:6000]
    part = part[: part.rfind("\n") + 1] or part
    try:
        found = clevercsv.Detector().detect("\n".join(line[:500] for line in part.split("\n")[:60]))
    except (clevercsv.exceptions.Error, ValueError, IndexError, TypeError):
        return None
    return found.delimiter if found is not None else None
