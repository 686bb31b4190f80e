"""Strip, sentences and tables of each attack."""

from __future__ import annotations

from dpstudio.labs.attacks.attack.model import AttackModel
from dpstudio.labs.findings import Fact, Sentence, Table


def facts(model: AttackModel) -> tuple[Fact, ...]:
    """The strip of the attack in use."""
    return tuple(model.lab.attacker.beside("words").facts(model.found))


def sentences(model: AttackModel) -> tuple[Sentence, ...]:
    """What is said of the attack in use, and what it does."""
    attacker = model.lab.attacker
    said = tuple(attacker.beside("words").sentences(model.found))
    return (*said, Sentence("what", attacker.what))


def tables(model: AttackModel) -> tuple[Table, ...]:
    """Its tables, where it has any."""
    words = model.lab.attacker.beside("words")
    return tuple(words.tables(model.found)) if hasattr(words, "tables") else ()
