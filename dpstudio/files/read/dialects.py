"""Which delimiter and quote: every candidate splits the start of the text; the libraries' opinion
and ours choose."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from dpstudio.files.read.choices import COMMENTS, DELIMITER_LABELS, DELIMITERS, QUOTES, Choices
from dpstudio.files.read.marks import is_name, natural
from dpstudio.files.read.outcome import Doubt
from dpstudio.files.read.rows import Dialect
from dpstudio.files.read.splitting import _RARE, Split, split
from dpstudio.values.messages import N_, Say, say

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
            for n in (*STRONG, *_RARE, *_WEAK)
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


def _occurs(sample: str, name: str) -> bool:
    return (" " if name == "spaces" else DELIMITERS[name]) in sample


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
class Found:
    """The dialect that was chosen with the sample under it, and what a person should confirm."""

    split: Split
    doubts: tuple[Doubt, ...] = ()
    notes: tuple[Say, ...] = ()
    skip: int = 0


def detect(sample: str, choices: Choices, whole: bool) -> Found:
    """The dialect of a text from its start; `whole` when the sample is all of it."""
    told = _told(sample, choices)
    if told:
        name, sign = told
        inner = detect(sample, choices.with_(delimiter=name, skip=1), whole)
        note = say("The first line says that values are separated by “{sign}”.", sign=sign)
        return replace(inner, skip=1, notes=(*inner.notes, note))
    splits = _distinct(
        [split(sample, dialect, choices, whole) for dialect in candidates(sample, choices)]
    )
    clean = [s for s in splits if s.clean and s.width > 1]
    if not clean:
        alone = [s for s in splits if s.dialect.delimiter == "none" and s.clean]
        # One column is certain where nothing in the sample could part two.
        if alone and not any(
            s.width > 1 and s.steady > (0.3 if _rank(s) == 0 else 0.95) for s in splits
        ):
            others = [s for s in alone[1:] if s.records != alone[0].records]
            return Found(alone[0], _asked(alone[0], others, sure=True))
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
    rivals = [s for s in splits if s is not best and _rivals(s, best)]
    rivals += _alone(sample, best, splits)
    return Found(best, _asked(best, rivals, sure=True)) if rivals else Found(best)


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
    return cell.strip().lstrip("+-−").isdigit()


def _rank(found: Split) -> int:
    name = found.dialect.delimiter
    return 0 if name in STRONG or name in _RARE else 1


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


def _messy(sample: str, splits: list[Split]) -> Found:
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
    rivals = [
        *(s for s in ranked[1:] if weight[id(s)] > 0.5 * weight[id(best)] and s not in alike),
        *alike,
    ]
    if (
        best.steady == 1
        and best.natural >= 0.85
        and not [s for s in rivals if s.dialect.delimiter != best.dialect.delimiter]
    ):
        return Found(
            best,
            _asked(
                best,
                [s for s in rivals if (s.steady == 1 and s.mended <= best.mended) or s in alike],
                sure=False,
            ),
        )
    return Found(best, _asked(best, rivals, sure=False) if rivals else ())


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


def _asked(best: Split, rivals: list[Split], sure: bool) -> tuple[Doubt, ...]:
    """The choices in which the best reading and its rivals differ."""
    out = []
    names = list(dict.fromkeys(s.dialect.delimiter for s in [best, *rivals]))
    if len(names) > 1:
        text = (
            N_("{one} and {other} part the rows equally well")
            if sure
            else N_("values may be separated by {one} or by {other}")
        )
        out.append(
            Doubt(
                "delimiter", say(text, one=_called(names[0]), other=_called(names[1])), tuple(names)
            )
        )
    same = [s for s in rivals if s.dialect.delimiter == best.dialect.delimiter]
    quotes = list(dict.fromkeys(_quote_name(s.dialect.quote) for s in [best, *same]))
    if len(quotes) > 1:
        out.append(
            Doubt("quote", say("quotes may enclose values or be letters of them"), tuple(quotes))
        )
    escapes = list(
        dict.fromkeys(
            "backslash" if s.dialect.backslash else "doubled"
            for s in [best, *same]
            if s.dialect.quote
        )
    )
    if len(escapes) > 1:
        out.append(
            Doubt(
                "escape", say("a backslash may be a letter or stand before a quote"), tuple(escapes)
            )
        )
    return tuple(out)


def _quote_name(quote: str) -> str:
    return next(name for name, sign in QUOTES.items() if sign == quote)


def _called(name: str) -> Say:
    return Say(DELIMITER_LABELS[name])
