"""Association rules of a table, and what hiding one of them does to the others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpstudio.labs.anonymity.anonymity.choices.operations import HideRule
from dpstudio.labs.anonymity.anonymity.columns import coded, words_of
from dpstudio.labs.anonymity.anonymity.model import AnonymityModel
from dpstudio.labs.anonymity.anonymity.table import known_names, published
from dpstudio.labs.memo import once
from dpstudio.privacy.anonymity.rules import (
    AssociationRule,
    Baskets,
    Items,
    SideEffects,
    hidden,
    mined,
    side_effects,
)

_ITEMS, _STREAM, _WORDS = 12, 83, 50


@dataclass(frozen=True, eq=False)
class Table:
    """Which rows hold which items, (n, items), and the items’ names: a column and a value."""

    baskets: Baskets
    names: tuple[tuple[str, str], ...]

    @property
    def nbytes(self) -> int:
        """What remembering it costs."""
        return self.baskets.nbytes


def _operation(model: AnonymityModel) -> HideRule:
    operation = model.lab.operation
    assert isinstance(operation, HideRule)
    return operation


@once
def table(model: AnonymityModel) -> Table:
    """The most frequent values of the columns of words, those that might be known and the
    sensitive one, at most 12; a value that all rows have says nothing."""
    names = dict.fromkeys((*known_names(model.lab, model.data), model.lab.sensitive))

    def work() -> Table:
        rows, found = published(model.lab, model.data), []
        for name in names:
            column = coded(model.data, name, "known")
            words = words_of(column)
            if len(words) > _WORDS:
                continue
            codes = column.quasi.codes[rows]
            held = np.bincount(codes[codes >= 0], minlength=len(words))
            found += [
                (int(many), name, words[i], codes == i)
                for i, many in enumerate(held.tolist())
                if 0 < many < len(codes)
            ]
        best = sorted(found, key=lambda each: -each[0])[:_ITEMS]
        if not best:
            return Table(np.zeros((int(rows.sum()), 0), dtype=np.bool_), ())
        return Table(np.stack([each[3] for each in best], axis=1),
                     tuple(each[1:3] for each in best))  # fmt: skip

    asked = "anonymity baskets", tuple(names), model.lab.among
    return model.data.remember(asked, work)


@once
def before(model: AnonymityModel) -> list[AssociationRule]:
    """The rules of the table, the surest first."""
    operation = _operation(model)
    return mined(table(model).baskets, operation.support, operation.sure)


def secret(model: AnonymityModel) -> AssociationRule:
    """The rule that is hidden: the last where there are not so many."""
    rules = before(model)
    return rules[min(_operation(model).rank, len(rules)) - 1]


@once
def _after(model: AnonymityModel) -> Baskets:
    operation = _operation(model)
    rng = np.random.default_rng((model.lab.seed, _STREAM))
    return hidden(table(model).baskets, secret(model), operation.support, operation.sure, rng)


@once
def after(model: AnonymityModel) -> list[AssociationRule]:
    """The rules once it is hidden."""
    operation = _operation(model)
    return mined(_after(model), operation.support, operation.sure)


@once
def effects(model: AnonymityModel) -> SideEffects:
    """What else hiding it did."""
    operation = _operation(model)
    return side_effects(
        table(model).baskets, _after(model), [secret(model)], operation.support, operation.sure
    )


@dataclass(frozen=True)
class Outcomes:
    """The rules by what became of them."""

    kept: tuple[AssociationRule, ...]
    secret: tuple[AssociationRule, ...]
    lost: tuple[AssociationRule, ...]
    ghosts: tuple[AssociationRule, ...]


def _name(rule: AssociationRule) -> tuple[Items, Items]:
    return rule.given, rule.then


@once
def outcomes(model: AnonymityModel) -> Outcomes:
    """The rules that stay, as they were; the hidden one; the lost ones; those made up, as they
    are."""
    found, hide = effects(model), secret(model)
    gone = {_name(rule) for rule in (hide, *found.lost)}
    kept = tuple(rule for rule in before(model) if _name(rule) not in gone)
    return Outcomes(kept, (hide,), found.lost, found.ghosts)


def deleted(model: AnonymityModel) -> int:
    """How many cells were blanked."""
    return int(np.count_nonzero(table(model).baskets != _after(model)))


def counted(model: AnonymityModel) -> tuple[int, int, int]:
    """How many rules there were, how many were lost besides, and how many are new."""
    found = effects(model)
    return len(before(model)), len(found.lost), len(found.ghosts)


def told(model: AnonymityModel, items: Items) -> str:
    """Items as people read them."""
    names = table(model).names
    return ", ".join(f"{names[item][0]} = {names[item][1]}" for item in items)
