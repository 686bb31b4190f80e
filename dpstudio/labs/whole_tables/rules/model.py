"""Association rules of a table, and what hiding one of them does to the others."""

from dataclasses import dataclass

import numpy as np

from dpstudio.data.dataset import Dataset
from dpstudio.data.memory import Sized
from dpstudio.labs.memo import once
from dpstudio.labs.whole_tables.rows.columns import coded
from dpstudio.labs.whole_tables.rows.table import known_names
from dpstudio.labs.whole_tables.rules.parameters import Rules
from dpstudio.privacy.anonymity import rules as anonymity_rules
from dpstudio.privacy.anonymity.columns import words_of
from dpstudio.values.messages import Message, listed

STREAM, _ITEMS, _WORDS = 83, 12, 50


@dataclass(frozen=True, eq=False)
class RulesModel:
    """One state of the lab."""

    lab: Rules
    data: Dataset


@dataclass(frozen=True, eq=False)
class Table(Sized):
    """Which rows hold which items, (n, items), and the items’ names: a column and a value."""

    baskets: anonymity_rules.Baskets
    names: tuple[tuple[str, str], ...]


def table_of(lab: Rules, data: Dataset) -> Table:
    """The most frequent values of the columns of words, those that might be known and the
    sensitive one, at most 12; a value that all rows have says nothing. Raises ParamError where a
    column does not serve."""
    names = dict.fromkeys((*known_names(lab.known, data), lab.sensitive))

    def work() -> Table:
        found = []
        for name in names:
            column = coded(data, name, "sensitive" if name == lab.sensitive else "known")
            words = words_of(column)
            if len(words) > _WORDS:
                continue
            codes = column.quasi.codes
            held = np.bincount(codes[codes >= 0], minlength=len(words))
            found += [
                (int(many), name, words[i], codes == i)
                for i, many in enumerate(held.tolist())
                if 0 < many < len(codes)
            ]
        best = sorted(found, key=lambda each: -each[0])[:_ITEMS]
        if not best:
            return Table(np.zeros((data.rows, 0), dtype=np.bool_), ())
        return Table(np.stack([each[3] for each in best], axis=1),
                     tuple(each[1:3] for each in best))  # fmt: skip

    return data.remember(("baskets", tuple(names)), work)


def found(lab: Rules, data: Dataset) -> tuple[anonymity_rules.AssociationRule, ...]:
    """The rules of the table, the surest first. Raises ParamError where a column does not serve."""
    asked = "rules", known_names(lab.known, data), lab.sensitive, lab.support, lab.sure
    return data.remember(
        asked,
        lambda: tuple(anonymity_rules.mined(table_of(lab, data).baskets, lab.support, lab.sure)),
    )


def table(model: RulesModel) -> Table:
    """The items of each row."""
    return table_of(model.lab, model.data)


def before(model: RulesModel) -> tuple[anonymity_rules.AssociationRule, ...]:
    """The rules of the table, the surest first."""
    return found(model.lab, model.data)


def secret(model: RulesModel) -> anonymity_rules.AssociationRule:
    """The rule that is hidden: the last where there are not so many."""
    rules = before(model)
    return rules[min(model.lab.rank, len(rules)) - 1]


@once
def _after(model: RulesModel) -> anonymity_rules.Baskets:
    lab, rng = model.lab, np.random.default_rng((model.lab.seed, STREAM))
    return anonymity_rules.hidden(table(model).baskets, secret(model), lab.support, lab.sure, rng)


@once
def after(model: RulesModel) -> list[anonymity_rules.AssociationRule]:
    """The rules once it is hidden."""
    return anonymity_rules.mined(_after(model), model.lab.support, model.lab.sure)


@once
def effects(model: RulesModel) -> anonymity_rules.SideEffects:
    """What else hiding it did."""
    lab = model.lab
    made = table(model).baskets, _after(model)
    return anonymity_rules.side_effects(*made, [secret(model)], lab.support, lab.sure)


@dataclass(frozen=True)
class Outcomes:
    """The rules by what became of them."""

    kept: tuple[anonymity_rules.AssociationRule, ...]
    secret: tuple[anonymity_rules.AssociationRule, ...]
    lost: tuple[anonymity_rules.AssociationRule, ...]
    ghosts: tuple[anonymity_rules.AssociationRule, ...]


def _name(
    rule: anonymity_rules.AssociationRule,
) -> tuple[anonymity_rules.Items, anonymity_rules.Items]:
    return rule.given, rule.then


@once
def outcomes(model: RulesModel) -> Outcomes:
    """The rules that stay, as they were; the hidden one; the lost ones; those made up, as they
    are."""
    made, hide = effects(model), secret(model)
    gone = {_name(rule) for rule in (hide, *made.lost)}
    kept = tuple(rule for rule in before(model) if _name(rule) not in gone)
    return Outcomes(kept, (hide,), made.lost, made.ghosts)


def deleted(model: RulesModel) -> int:
    """How many cells were blanked."""
    return int(np.count_nonzero(table(model).baskets != _after(model)))


def counted(model: RulesModel) -> tuple[int, int, int]:
    """How many rules there were, how many were lost besides, and how many are new."""
    made = effects(model)
    return len(before(model)), len(made.lost), len(made.ghosts)


def told(model: RulesModel, items: anonymity_rules.Items) -> Message:
    """Items as people read them."""
    names = table(model).names
    return listed(f"{names[item][0]} = {names[item][1]}" for item in items)
