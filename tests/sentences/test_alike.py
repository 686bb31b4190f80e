"""A number that is said twice reads alike: where a sentence, the strip and a chart give the same ε,
they round it the same way and to the same digits."""

from collections import defaultdict
from collections.abc import Iterator

import pytest
from running import little, opened
from soak_states import said

from dpstudio.labs.naming import lab_kind
from dpstudio.values.messages import Message, Num
from dpstudio.values.parameters import put

STATES = {
    "survey": ("coins=biased_coins", "coins=warner"),
    "composition": ("mechanism.epsilon=0.7", "mechanism=gaussian"),
    "local_counts": ("protocol=oue", "query=histogram"),
    "guarantee": ("mechanism=gaussian", "mechanism=catastrophe"),
}


def epsilons(message: Message) -> Iterator[Num]:
    """The numbers of a message and those within it that are an ε."""
    for name, value in message.values.items():
        if isinstance(value, Message):
            yield from epsilons(value)
        elif any(f"{shown} {{{name}}}" in message.text for shown in ("ε =", "ε")):
            yield value


@pytest.mark.parametrize("key", STATES)
def test_an_epsilon_reads_alike_wherever_it_stands(key: str) -> None:
    for setting in STATES[key]:
        lab = put(lab_kind(key)(), *setting.split("=", 1))
        found = little(lab, opened("adult"))
        read: dict[float, set[str]] = defaultdict(set)
        for message in said((found.facts, found.sentences, found.figures)):
            for number in epsilons(message):
                read[float(f"{number.value:.12g}")].add(str(number))
        assert {value: texts for value, texts in read.items() if len(texts) > 1} == {}, setting
