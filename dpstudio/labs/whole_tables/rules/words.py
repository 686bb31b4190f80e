"""Hidden rules' strip and sentences."""

from collections.abc import Iterator

from dpstudio.labs.findings import Fact, Sentence
from dpstudio.labs.whole_tables.rules.model import RulesModel, counted, deleted, secret, told
from dpstudio.values.messages import N_, Message, Num, say


def facts(model: RulesModel) -> Iterator[Fact]:
    """How many rules there are, what is lost and made up besides, and what it took."""
    many, lost, ghosts = counted(model)
    yield Fact("rules", say("Rules"), say("{n}", n=Num(many)), value=many)
    yield Fact("lost", say("Lost besides"), say("{n}", n=Num(lost)), value=lost)
    yield Fact("ghosts", say("Made up"), say("{n}", n=Num(ghosts)), value=ghosts)
    cells = deleted(model)
    yield Fact("cells", say("Cells blanked"), say("{n}", n=Num(cells)), value=cells)


def sentences(model: RulesModel) -> Iterator[Sentence]:
    """The rule, what it took to hide it, and what else that did."""
    rule, (many, lost, _) = secret(model), counted(model)
    text = N_("Hiding the rule blanks {cells} {cells:cell|cells} and loses {lost} more of {rules}.")
    values = {
        "given": told(model, rule.given),
        "then": told(model, rule.then),
        "support": Num(rule.support, 3, percent=True),
        "sure": Num(rule.confidence, 3, percent=True),
        "cells": Num(deleted(model)),
        "rules": Num(many),
        "lost": Num(lost),
    }
    yield Sentence("operated", Message(text, values))
    text = N_("The rule: “{given} ⇒ {then}” (support {support}, confidence {sure}).")
    yield Sentence("rule", Message(text, values))
    text = N_("A rule just below the thresholds tells that one was hidden there: no promise.")
    yield Sentence("promise", say(text), "warn")
