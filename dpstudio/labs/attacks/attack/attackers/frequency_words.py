"""What is said of frequency matching."""

from __future__ import annotations

from collections.abc import Iterator

from dpstudio.labs.attacks.attack.attackers.frequency import FrequencyModel, commonest, here
from dpstudio.labs.attacks.attack.attackers.success_charts import percent
from dpstudio.labs.findings import Fact, Sentence
from dpstudio.values.messages import N_, plain, say


def facts(model: FrequencyModel) -> tuple[Fact, ...]:
    """How many rows and words are read, beside always the commonest word."""
    rows, words = here(model)
    crowd = commonest(model)
    return (
        Fact("off", say("of encrypted rows read"), say("{x}", x=percent(rows)), "", "answer", rows),
        Fact("best", say("of words read"), say("{x}", x=percent(words)), "", "text", words),
        Fact("promised", say("commonest word"), say("{x}", x=percent(crowd)), "", "muted", crowd),
    )


def sentences(model: FrequencyModel) -> Iterator[Sentence]:
    """What is read of the column without any key."""
    rows, words = here(model)
    values = {
        "column": plain(model.attacker.column),
        "rows": percent(rows),
        "words": percent(words),
        "known": percent(model.attacker.known),
    }
    text = N_(
        "Without a key {rows} of the encrypted “{column}” are read right, by the frequencies of "
        "{known} of the rows."
    )
    yield Sentence("gain", say(text, **values), "bad")
    text = N_("{words} of its words are told; this is exact, and not private.")
    yield Sentence("exact", say(text, **values))
