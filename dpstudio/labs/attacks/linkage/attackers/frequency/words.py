"""What is said of frequency matching."""

from collections.abc import Iterator

from dpstudio.labs.attacks.attackers.success_charts import percent
from dpstudio.labs.attacks.linkage.attackers.frequency import model as frequency
from dpstudio.labs.findings import Fact, Sentence
from dpstudio.values.messages import N_, Message, Num, plain, say


def facts(model: frequency.FrequencyModel) -> tuple[Fact, ...]:
    """How many rows and words are read, beside always the commonest word."""
    rows, words = frequency.here(model)
    crowd = frequency.commonest(model)
    return (
        Fact("off", say("of encrypted rows read"), *_told(rows), "answer", rows.middle),
        Fact("best", say("of words read"), *_told(words), "text", words.middle),
        Fact("promised", say("most common word"), say("{x}", x=percent(crowd)), "", "muted", crowd),
    )


def _told(read: frequency.Read) -> tuple[Message, Message]:
    """A share with what it is between."""
    least, most = percent(read.least, "down"), percent(read.most, "up")
    return say("{x}", x=percent(read.middle)), say("{least} to {most}", least=least, most=most)


def sentences(model: frequency.FrequencyModel) -> Iterator[Sentence]:
    """What is read of the column without any key."""
    rows, words = frequency.here(model)
    values = {
        "column": plain(model.attacker.column),
        "rows": percent(rows.middle),
        "least": percent(rows.least, "down"),
        "most": percent(rows.most, "up"),
        "words": percent(words.middle),
        "known": percent(model.attacker.known),
        "runs": Num(frequency.runs(model)),
    }
    text = N_("Without a key {rows} of the encrypted “{column}” are recovered.")
    yield Sentence("gain", say(text, **values), "bad")
    text = N_(
        "By the frequencies of {known} of the rows: the middle of {runs} {runs:split|splits} by "
        "lot, which give {least} to {most}. Of the words {words} are told. No noise is in the way: "
        "this has no ε."
    )
    yield Sentence("exact", say(text, **values))
