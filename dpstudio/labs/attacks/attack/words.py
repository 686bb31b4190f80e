"""Strip, sentences and tables of each attack."""

from __future__ import annotations

from types import ModuleType

from dpstudio.labs.attacks.attack.attackers import differencing_words
from dpstudio.labs.attacks.attack.model import AttackModel
from dpstudio.labs.findings import Fact, Sentence, Table

_SAID: dict[str, ModuleType] = {"differencing": differencing_words}


def facts(model: AttackModel) -> tuple[Fact, ...]:
    """The strip of the attack in use."""
    return tuple(_SAID[model.lab.attacker.key].facts(model.found))


def sentences(model: AttackModel) -> tuple[Sentence, ...]:
    """What is said of the attack in use, and what it does."""
    attacker = model.lab.attacker
    return (*_SAID[attacker.key].sentences(model.found), Sentence("what", attacker.what))


def tables(model: AttackModel) -> tuple[Table, ...]:
    """Its tables, where it has any."""
    module = _SAID[model.lab.attacker.key]
    return tuple(module.tables(model.found)) if hasattr(module, "tables") else ()
