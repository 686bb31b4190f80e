"""What to ask where several ways to part the rows are as good as each other."""

from dpstudio.files.read.outcome import Doubt
from dpstudio.files.read.signs import DELIMITER_LABELS, QUOTES
from dpstudio.files.read.text.splitting import Split
from dpstudio.values.messages import N_, Message, say


def asked(best: Split, rivals: list[Split], sure: bool) -> tuple[Doubt, ...]:
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


def _called(name: str) -> Message:
    return Message(DELIMITER_LABELS[name])
