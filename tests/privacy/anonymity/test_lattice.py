"""Hierarchies and the lattice of their heights: ARX's files, and the best node by brute force."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpstudio.privacy.anonymity import models
from dpstudio.privacy.anonymity.hierarchy import (
    Hierarchy,
    HierarchyError,
    from_csv,
    of_dates,
    of_intervals,
    of_prefixes,
    of_words,
    to_csv,
)
from dpstudio.privacy.anonymity.lattice import Column, Lattice, search
from dpstudio.privacy.anonymity.presence import Bounds, Heights

EIGHT = of_intervals(range(8), [2, 4], whole=True)
ARX = "Bachelors;Undergraduate;Higher education;*\n11th;High School;Secondary education;*\n"


def column(codes: np.ndarray, made: Hierarchy) -> Column:
    heights = range(made.height + 1)
    return Column(
        codes,
        tuple(made.codes(made.values, height) for height in heights),
        tuple(made.penalty(made.values, height) for height in heights),
    )


def test_a_hierarchy_of_arx_comes_and_goes():
    made = from_csv(ARX)
    assert (made.height, made.values, made.words(2)) == (
        3,
        ("Bachelors", "11th"),
        ("Higher education", "Secondary education"),
    )
    assert to_csv(made) == ARX
    assert from_csv("\ufeff" + ARX.replace(";", ",")) == made


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no value"),
        ("a;x;*\nb;*\n", "Line 2 has 2 levels"),
        ("a;x;*\na;y;*\n", "is there twice"),
        ("a;x;p;*\nb;x;q;*\n", "has two parents"),
        ("a;x\nb;y\n", "has several values"),
    ],
)
def test_what_is_no_hierarchy_is_refused_in_a_sentence(text: str, said: str):
    with pytest.raises(HierarchyError, match=said):
        from_csv(text)


def test_hierarchies_are_made_of_numbers_words_codes_and_days():
    ages = of_intervals([17, 36, 39.0], [5, 10], whole=True)
    assert ages.rows[1] == ("36", "35-39", "30-39", "*")
    assert of_intervals([0.26], [0.1, 0.2], whole=False).rows[0][1:3] == (
        "[0.2, 0.3)",
        "[0.2, 0.4)",
    )
    assert of_prefixes(["33617", "33620"]).rows[0] == (
        "33617",
        "3361*",
        "336**",
        "33***",
        "3****",
        "*****",
    )
    assert [row[1:4] for row in of_prefixes(["336", "336170", "33*", ""], 5).rows] == [
        ("336", "336", "33***"),
        ("3361*", "336**", "33***"),
        ("33*", "33*", "33***"),
        ("", "", ""),
    ]
    assert of_dates(["2026-11-22"]).rows[0] == ("2026-11-22", "2026-11", "2026", "2020s", "*")
    assert (
        of_words(["nurse", "clerk"], {"nurse": "health", "clerk": "office"}.__getitem__).height == 2
    )
    assert list(ages.penalty(ages.values, 2)) == [0, 0.5, 0.5]
    with pytest.raises(HierarchyError, match="multiple"):
        of_intervals([1], [5, 12], whole=True)
    with pytest.raises(HierarchyError, match="no line for"):
        ages.codes(["40"], 1)


def test_a_value_that_a_hierarchy_lacks_takes_its_place_in_it():
    """As the parent that it names, or by itself; so whatever a row holds, the others stay."""
    jobs = from_csv("nurse;health;work;*\nclerk;office;work;*")
    more = jobs.with_values(["office", "nurse", "pilot", "work", "*", "office"])
    assert more.rows[:2] == jobs.rows
    assert [row[1:] for row in more.rows[2:]] == [
        ("office", "work", "*"),
        ("pilot", "pilot", "*"),
        ("work", "work", "*"),
        ("*", "*", "*"),
    ]
    assert jobs.with_values(["nurse"]) is jobs


def test_every_number_lies_in_the_intervals_that_it_is_given():
    """Decimals, of which 0.3/0.1 is below 3 as floats are; some of them whole, in one way of
    writing."""
    for tenths, start in ((range(43, 80), 4.3), (range(-30, 31), -3.0), (range(0, 1000, 5), 0.0)):
        made = of_intervals([each / 10 for each in tenths], [0.1, 0.5, 2, 4], start, whole=False)
        for value, *above, _ in made.rows:
            for ends in above:
                low, high = map(float, ends.strip("[)").split(","))
                assert low - 1e-12 <= float(value) < high - 1e-12
    assert {row[1] for row in of_intervals([10, 10.5, 19], [10], whole=False).rows} == {"[10, 20)"}


RULES: list[models.Rule] = [
    models.KAnonymity(2),
    models.DistinctDiversity(2),
    models.EntropyDiversity(1.7),
    models.All((models.KAnonymity(3), models.EntropyDiversity(1.5))),
    models.All((models.KAnonymity(2), models.OfValues(models.TCloseness(0.3, (0.5, 0.5)), 2))),
]


def chances(lattice: Lattice, node: tuple[int, ...]) -> list[float]:
    """How likely each of the crowd is in the table, person by person: her words at a node, or those
    who have none of the words that are published."""
    crowd, of = lattice.crowd, lattice.classes(node).of
    rows = [tuple(each.ancestors[h][each.codes[i]] for each, h in zip(lattice.columns, node, strict=True))
            for i in range(lattice.rows)]  # fmt: skip
    public = {words: int((of == of[i]).sum()) for i, words in enumerate(rows) if of[i] >= 0}
    told = [
        tuple(crowd.all[c][h][person[c]] for c, h in enumerate(node)) for person in crowd.people
    ]
    people = [words if words in public else None for words in told]
    held = {**public, None: int((of < 0).sum())}
    return [held[words] / people.count(words) for words in people]


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_the_search_finds_the_best_of_all_nodes(data):
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    n, rule = data.draw(st.integers(2, 20)), data.draw(st.sampled_from(RULES))
    limit = data.draw(st.sampled_from([0.0, 0.2, 1.0]))
    words = of_words("abcd", lambda word: "ab" if word in "ab" else "cd")
    columns = [column(rng.integers(0, 8, n), EIGHT), column(rng.integers(0, 4, n), words)]
    crowd, bounds = None, Bounds(0.0, 1.0)
    if data.draw(st.booleans()):
        few = st.sampled_from([0.0, 0.2, 0.6, 1.0])
        bounds = Bounds(*sorted(data.draw(st.tuples(few, few))))
        here = np.stack([each.codes for each in columns], axis=1)
        people = np.concatenate((here, rng.integers(0, (8, 4), (int(rng.integers(0, 30)), 2))))
        # Of the last values of some hierarchies nothing is known below the top.
        lost = data.draw(st.booleans())
        told = [tuple(np.where((np.arange(len(up)) > here[:, c].max()) & lost & (up > 0), -1, up)
                      for up in each.ancestors) for c, each in enumerate(columns)]  # fmt: skip
        crowd = Heights(people, tuple(told), bounds)
    lattice = Lattice(columns, rng.integers(0, 2, n), 2, rule, crowd)
    every = [lattice.judge(node) for node in product(range(4), range(3))]
    assert len(every) == lattice.many
    if crowd is not None:
        for each in every:
            shares = np.array(chances(lattice, each.node))
            low, high = shares.min() >= bounds.least - 1e-9, shares.max() <= bounds.most + 1e-9
            assert each.rest == (low and high)
    kept = (each for each in every if each.rest and each.classes)  # not one that leaves nobody
    fits = [each.loss for each in kept if each.suppressed <= limit * n + 1e-9]
    *_, found = search(lattice, limit)
    if not fits:
        assert found.best is None
        return
    assert found.best is not None
    assert found.best.loss == pytest.approx(min(fits))
    assert found.exact
    made = lattice.classes(found.best.node)
    assert made.kept == n - found.best.suppressed
    assert made.many == found.best.classes
    for each in every:
        assert each.loss >= lattice.at_least(each.node) - 1e-12
    first, *_ = search(lattice, limit, most=1)
    assert first.bound <= min(fits) + 1e-12


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_classes_keep_t_against_what_is_left_of_the_table(data):
    """Not against rows that nobody sees. What is missing, the last code, is no value, and a class
    of nothing else tells nothing."""
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    n, t = data.draw(st.integers(2, 40)), data.draw(st.sampled_from([0.0, 0.1, 0.3]))
    sensitive, columns = rng.integers(0, 3, n), [column(rng.integers(0, 8, n), EIGHT)]
    held = np.bincount(sensitive, minlength=3)[:2]
    rule = models.OfValues(models.TCloseness(t, tuple(held / max(held.sum(), 1))), 2)
    lattice = Lattice(columns, sensitive, 3, models.All((models.KAnonymity(2), rule)))
    for height in range(4):
        counts = lattice.classes((height,)).counts(sensitive, 3)
        assert (counts.sum(1) >= 2).all()
        told = counts[counts[:, :2].sum(1) > 0, :2]
        shares = told / told.sum(1, keepdims=True)
        assert (models.equal_distance(shares, told.sum(0) / max(told.sum(), 1)) <= t + 1e-9).all()


def test_classes_at_a_node_keep_the_rule_whatever_is_suppressed():
    rng = np.random.default_rng(4)
    sensitive = rng.integers(0, 3, 300)
    made = Lattice(
        [column(rng.integers(0, 8, 300), of_intervals(range(8), [2, 4], whole=True))],
        sensitive,
        3,
        models.KAnonymity(40),
    )
    for height in range(4):
        counts = made.classes((height,)).counts(sensitive, 3)
        assert models.KAnonymity(40).kept(counts).all()
