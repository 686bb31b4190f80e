"""Hidden rules: what hiding one does to the others, counted again."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd
import pytest
from running import lab_of, little, opened

from dpstudio.data.dataset import Dataset
from dpstudio.labs.whole_tables.rules import model
from dpstudio.labs.whole_tables.rules.parameters import Rules
from dpstudio.privacy.anonymity.rules import AssociationRule, Items


def test_a_hidden_rule_and_its_side_effects() -> None:
    lab, _ = lab_of(["rules", "rank=2", "sure=0.6"])
    found = model.RulesModel(lab, opened("adult"))
    fates, names = model.outcomes(found), model.table(found).names

    def named(rules: Iterable[AssociationRule]) -> set[tuple[Items, Items]]:
        return {(rule.given, rule.then) for rule in rules}

    assert named(model.after(found)) == named(fates.kept) | named(fates.ghosts)
    parts = [named(part) for part in (fates.kept, fates.secret, fates.lost)]
    assert sum(map(len, parts)) == len(model.before(found)) == len(set.union(*parts))
    rule, adult = model.secret(found), opened("adult")._frame
    holds = [
        np.all([adult[column] == word for column, word in (names[i] for i in items)], axis=0)
        for items in (rule.given, rule.given + rule.then)
    ]
    assert rule.confidence == pytest.approx(holds[1].sum() / holds[0].sum())
    assert model.deleted(found) > 0


def test_a_table_without_a_rule_says_so_and_one_with_few_is_asked_for_less() -> None:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"a": rng.choice(list("xyz"), 90), "b": rng.choice(list("uvw"), 90)})
    data = Dataset(frame, "few")
    plain = Rules(known=("a",), sensitive="b")
    (problem,) = plain.problems(data)
    assert problem.field == "support"
    lab = Rules().suited(data)
    assert not little(lab, data).problems
    assert lab.sure < Rules().sure
    alike = Dataset(frame.assign(a="x", b="u"), "alike")
    assert [problem.field for problem in Rules().suited(alike).problems(alike)] == ["support"]
