"""Anonymity's sentences of an association rule that is hidden."""

from __future__ import annotations

from collections.abc import Iterator

from dpstudio.labs.anonymity.anonymity.association_rules import counted, deleted, secret, told
from dpstudio.labs.anonymity.anonymity.model import AnonymityModel
from dpstudio.labs.findings import Sentence
from dpstudio.values.messages import N_, Message, Num, say


def rule_sentences(model: AnonymityModel) -> Iterator[Sentence]:
    """The rule, what it took to hide it, and what else that did."""
    rule, (many, lost, ghosts) = secret(model), counted(model)
    text = N_(
        "“{given} ⇒ {then}” (support {support}, confidence {sure}) is hidden by blanking {cells} "
        "cells. Of the {rules} rules there were, lost with it: {lost}; made up: {ghosts}."
    )
    values = {
        "given": told(model, rule.given),
        "then": told(model, rule.then),
        "support": Num(rule.support, 3, percent=True),
        "sure": Num(rule.confidence, 3, percent=True),
        "cells": Num(deleted(model)),
        "rules": Num(many),
        "lost": Num(lost),
        "ghosts": Num(ghosts),
    }
    yield Sentence("operated", Message(text, values))
    text = N_("A rule just below the thresholds tells that one was hidden there: no promise.")
    yield Sentence("promise", say(text), "warn")
