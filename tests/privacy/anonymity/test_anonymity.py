"""Classes, models and partitions: the numbers of the texts on Adult, toy tables, and brute force over
small ones."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from dpstudio.data.features import sample_of
from dpstudio.files.tables import open_table
from dpstudio.privacy.anonymity import classes as anonymity_classes
from dpstudio.privacy.anonymity import loss, models
from dpstudio.privacy.anonymity.mondrian import RELAXED, STRICT, TIES, Quasi, mondrian
from dpstudio.privacy.anonymity.presence import Bounds, Crowd

K3 = models.KAnonymity(3)


def means(quasi, classes):
    """The mean of a number in each class, shape (many,): what the texts publish."""
    there = classes.of >= 0
    total = np.bincount(classes.of[there], weights=quasi.places[there], minlength=classes.many)
    return np.asarray(total / np.maximum(classes.sizes, 1))


def codes_of(column: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    values, codes = np.unique(column, return_inverse=True)
    return values, codes.astype(np.int64)


@pytest.fixture(scope="module")
def adult() -> tuple[list[Quasi], np.ndarray]:
    """All 48,842 rows: age and education-num as quasi-identifiers, income as what is sensitive."""
    told = sample_of(open_table("adult_all"), ("age", "education-num"), "income")
    quasi = []
    for column in told.x.T:
        values, codes = codes_of(column)
        quasi.append(Quasi(codes, values))
    return quasi, told.y.astype(np.int64)


def last(
    quasi: list[Quasi], sensitive: np.ndarray, values: int, rule, way: str = STRICT
) -> anonymity_classes.Classes:
    *_, made = mondrian(quasi, sensitive, values, rule, way)
    return made


@pytest.mark.parametrize(
    ("rule", "way", "classes", "rows", "penalty", "dm"),
    [
        (K3, STRICT, 500, 822, 0.0377, 17_927_486),
        (models.All((K3, models.DistinctDiversity(2))), STRICT, 309, 618, 0.0450, None),
        (
            models.All((K3, models.TCloseness(0.2, (0.760718, 0.239282), models.PRINTED))),
            STRICT,
            114,
            228,
            0.267,
            None,
        ),
        (K3, TIES, 893, None, 0.00014, None),
    ],
)
def test_adult_has_the_classes_that_are_printed(adult, rule, way, classes, rows, penalty, dm):
    quasi, income = adult
    made = last(quasi, income, 2, rule, way)
    assert made.many == classes
    counts = made.counts(income, 2)
    assert rule.kept(counts).all()
    assert rows in (None, np.count_nonzero(counts))
    assert loss.certainty_penalty(quasi, made) == pytest.approx(
        penalty, abs=6e-4 if penalty > 0.01 else 6e-6
    )
    assert dm in (None, loss.discernibility(made))


def test_adult_has_the_first_classes_and_the_homogeneous_ones_that_are_printed(adult):
    quasi, income = adult
    assert models.shares(income, 2) == pytest.approx((0.760718, 0.239282), abs=1e-6)
    made = last(quasi, income, 2, K3)
    assert (made.k, made.sizes.max()) == (3, 948)
    assert loss.homogeneous(made.counts(income, 2)) == (178, 4121)
    assert loss.average_class(made, 3) == pytest.approx(48_842 / 500 / 3)
    printed = list(
        zip(means(quasi[0], made), means(quasi[1], made), made.counts(income, 2), strict=True)
    )
    told = {(round(a, 4), round(b, 4), *counts) for a, b, counts in printed}
    assert {(17, 7.2006, 334, 0), (18.2279, 7.2832, 451, 1)} <= told


def test_adult_is_as_unique_as_is_known():
    names = ("age", "sex", "race", "marital-status", "education", "occupation", "workclass", "native-country")  # fmt: skip
    data = open_table("adult_all")
    frame = data._frame[list(names)]
    codes = np.stack(
        [codes_of(frame[name].astype(str).fillna("?").to_numpy(dtype=str))[1] for name in names],
        axis=1,
    )
    known = {(0, 1): (3, 146), (0, 1, 2): (59, 575), (0, 1, 2, 7): (1500, 2926),
             (0, 1, 2, 3, 4): (3948, 7976), tuple(range(8)): (20_593, 27_118)}  # fmt: skip
    for columns, (unique, many) in known.items():
        made = anonymity_classes.classes_of(codes[:, columns])
        assert (made.unique, made.many) == (unique, many)
    small = anonymity_classes.classes_of(codes[:, :2]).sizes
    assert (np.count_nonzero(small < 5), small[small < 5].sum()) == (9, 18)
    alone = anonymity_classes.uniqueness(codes[:, :3])
    assert [(each.columns, each.best) for each in alone[1:]] == [(2, (0, 2)), (3, (0, 1, 2))]
    assert alone[2].most == 59 / 48_842


# Tables of the texts: zip and age as they are published, the disease.
HEART = [("236**", "2*", d) for d in ("heart", "viral")] + [("336**", "4*", "heart")] * 2


def toy(rows: list[tuple[str, ...]]) -> tuple[np.ndarray, np.ndarray, int]:
    columns = [codes_of(np.array(column))[1] for column in zip(*rows, strict=True)]
    return np.stack(columns[:-1], axis=1), columns[-1], int(columns[-1].max()) + 1


def test_a_table_that_is_k_anonymous_need_not_be_diverse():
    quasi, disease, many = toy(HEART)
    made = anonymity_classes.classes_of(quasi)
    assert made.k == 2
    assert not models.DistinctDiversity(2).kept(made.counts(disease, many)).all()
    assert loss.homogeneous(made.counts(disease, many)) == (1, 2)
    told = anonymity_classes.risk(made)
    assert (told.highest, told.prosecutor, told.marketer, told.unique) == (0.5, 0.5, 0.5, 0)


def test_earth_movers_distances_are_the_printed_ones_and_those_of_a_linear_program():
    q = np.full(9, 1 / 9)
    near, far = np.zeros(9), np.zeros(9)
    near[[0, 1, 2]] = far[[3, 5, 8]] = 1 / 3
    assert models.ordered_distance(near, q) == pytest.approx(0.375)
    assert models.ordered_distance(far, q) == pytest.approx(1 / 6)
    rng = np.random.default_rng(1)
    p, q = rng.dirichlet(np.ones(6), 2)
    levels = [[0, 1, 2, 3, 4, 5], [0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 1], [0] * 6]
    root = models.branch(levels)
    assert isinstance(root, models.Branch)
    steps = np.abs(np.subtract.outer(range(6), range(6))) / 5
    apart = np.array([
        [next(h for h in range(4) if levels[h][i] == levels[h][j]) / 3 for i in range(6)] for j in range(6)
    ])  # fmt: skip
    for ground, ours in [
        (steps, models.ordered_distance(p, q)),
        (1 - np.eye(6), models.equal_distance(p, q)),
        (apart, models.hierarchical_distance(p, q, root)),
    ]:
        rows = np.kron(np.eye(6), np.ones(6)), np.kron(np.ones(6), np.eye(6))
        least = linprog(ground.ravel(), A_eq=np.vstack(rows), b_eq=np.concatenate((p, q)))
        assert ours == pytest.approx(least.fun, abs=1e-9)


def test_what_is_printed_as_t_closeness_lets_through_what_is_not():
    counts = np.array([[10, 10, 10, 10, 10, 0, 0, 0, 0, 0]])
    overall = (0.1,) * 10
    assert models.TCloseness(0.2, overall, models.PRINTED).kept(counts).all()
    assert models.TCloseness(0.2, overall, models.EQUAL).distances(counts) == pytest.approx(0.5)
    assert not models.TCloseness(0.2, overall, models.EQUAL).kept(counts).any()


def test_entropies_of_2_and_of_1_give_175_together():
    good, bad = np.array([[1, 1, 1, 1]]), np.array([[2, 2, 0, 0]])
    four = models.EntropyDiversity(4.0)
    assert four.kept(good).all()
    assert not four.kept(bad).any()
    both = good + bad
    assert math.isclose(models.EntropyDiversity(1.0).kept(both).all() and 2**1.75, 2**1.75)
    assert not models.EntropyDiversity(2**1.95).kept(both).any()
    assert models.EntropyDiversity(2**1.8).kept(np.array([[3, 3, 1, 1]])).all()
    assert not four.upward


RULES = [
    K3,
    models.DistinctDiversity(2),
    models.EntropyDiversity(1.6),
    models.RecursiveDiversity(2.0, 2),
    models.TCloseness(0.3, (0.5, 0.3, 0.2), models.EQUAL),
    models.TCloseness(0.3, (0.5, 0.3, 0.2), models.ORDERED),
    models.All((models.KAnonymity(2), models.DistinctDiversity(2))),
    *(models.OfValues(rule, 2) for rule in (models.DistinctDiversity(2), models.EntropyDiversity(1.6),
      models.RecursiveDiversity(2.0, 2), models.TCloseness(0.3, (0.6, 0.4), models.EQUAL))),
]  # fmt: skip


def test_what_is_missing_is_no_value():
    """Four times HIV and one missing tell HIV; nothing but missing ones tells nothing, and is as
    near to the table as can be, but diverse in no sense. To k they count."""
    counts = np.array([[4, 0, 1], [4, 1, 0], [0, 0, 5], [2, 2, 1]])
    for rule, kept in (
        (models.DistinctDiversity(2), [False, True, False, True]),
        (models.EntropyDiversity(1.6), [False, True, False, True]),
        (models.RecursiveDiversity(5.0, 2), [False, True, False, True]),
        (models.TCloseness(0.3, (0.6, 0.4), models.EQUAL), [False, True, True, True]),
        (models.TCloseness(0.3, (0.6, 0.4), models.PRINTED), [False, True, True, True]),
    ):
        assert models.OfValues(rule, 2).kept(counts).tolist() == kept, rule
    assert models.KAnonymity(5).kept(counts).all()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
def test_what_is_said_to_join_joins(rule):
    """Every pair of classes of up to three rows a value: monotone rules survive a union of two that
    keep them, upward ones any union."""
    counts = np.array(list(product(range(4), repeat=3)))[1:]
    kept = rule.kept(counts)
    for i, one in enumerate(counts[kept]):
        joined = rule.kept(one + counts)
        assert joined[kept].all()
        assert joined.all() or not rule.upward, (i, one)
    assert rule.monotone


def told(rows: list[int]) -> list[Fraction]:
    """The shares of the three values among rows."""
    return [Fraction(rows.count(value), len(rows)) for value in range(3)]


def exact_entropy_is_at_least(rows: list[int], l: Fraction) -> bool:
    """Whether the entropy of rows is ln l or more, in whole numbers: n^n · d^n ≥ a^n · ∏ c^c for
    l = a/d, since entropy is ln n − Σ c ln c / n."""
    n, counts = len(rows), [rows.count(value) for value in range(3)]
    return n**n * l.denominator**n >= l.numerator**n * math.prod(c**c for c in counts)


OVERALL = (Fraction(1, 2), Fraction(3, 10), Fraction(1, 5))
FLOATS = (0.5, 0.3, 0.2)
# Each rule beside what its paper says, of the rows of a class one by one and in whole numbers.
DEFINED = [
    (models.KAnonymity(4), lambda rows: len(rows) >= 4),
    *[(models.DistinctDiversity(l), lambda rows, l=l: len(set(rows)) >= l) for l in (1, 2, 3, 4)],
    *[(models.EntropyDiversity(float(l)), lambda rows, l=l: exact_entropy_is_at_least(rows, l))
      for l in (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(5, 2), Fraction(3))],
    *[(models.RecursiveDiversity(float(c), l), lambda rows, c=c, l=l: (
        (down := sorted((rows.count(v) for v in set(rows)), reverse=True))[0] < c * sum(down[l - 1:])))
      for c in (Fraction(1, 2), Fraction(1), Fraction(2), Fraction(3)) for l in (1, 2, 3, 4)],
    *[(models.TCloseness(float(t), FLOATS, models.EQUAL), lambda rows, t=t: (
        sum(max(p - q, 0) for p, q in zip(told(rows), OVERALL, strict=True)) <= t))
      for t in (Fraction(0), Fraction(3, 10), Fraction(1, 2))],
    *[(models.TCloseness(float(t), FLOATS, models.ORDERED), lambda rows, t=t: (
        (apart := [p - q for p, q in zip(told(rows), OVERALL, strict=True)])
        and (abs(apart[0]) + abs(apart[0] + apart[1])) / 2 <= t))
      for t in (Fraction(1, 10), Fraction(3, 10), Fraction(13, 20))],
    *[(models.TCloseness(float(t), FLOATS, models.PRINTED), lambda rows, t=t: (
        max(abs(p - q) for p, q in zip(told(rows), OVERALL, strict=True)) <= t))
      for t in (Fraction(3, 10), Fraction(1, 2))],
]  # fmt: skip


@pytest.mark.parametrize(("rule", "defined"), DEFINED, ids=range(len(DEFINED)))
def test_a_class_keeps_a_rule_where_its_rows_meet_the_definition(rule, defined):
    """Every class of up to five rows a value, judged at once and one row after the other."""
    counts = np.array(list(product(range(6), repeat=3)))[1:]
    wanted = [
        defined([value for value, many in enumerate(each) for _ in range(many)])
        for each in counts.tolist()
    ]
    np.testing.assert_array_equal(rule.kept(counts), wanted)


def test_the_part_of_a_rule_that_any_company_keeps():
    even = models.EntropyDiversity(2.0)
    assert models.upward_part(K3) == K3
    assert models.upward_part(even) is None
    assert models.upward_part(models.All((even, K3, models.DistinctDiversity(2)))) == models.All(
        (K3, models.DistinctDiversity(2))
    )
    assert models.upward_part(models.All((even, models.TCloseness(0.1, FLOATS)))) is None


def chances_kept(crowd: Crowd, made: anonymity_classes.Classes) -> bool:
    """Whether everybody of a crowd is in the table with a chance within its bounds, person by
    person: her class by its lowest and highest number and by its words, 0 without one."""
    held = [crowd.here[made.of == of] for of in range(made.many)]
    fits = [
        [i for i, rows in enumerate(held)
         if rows[:, 0].min() <= number <= rows[:, 0].max() and word in rows[:, 1]]
        for number, word in crowd.people
    ]  # fmt: skip
    assert max(map(len, fits), default=0) <= 1
    people = [sum(place == [of] for place in fits) for of in range(made.many)]
    chances = [len(held[place[0]]) / people[place[0]] if place else 0.0 for place in fits]
    low, high = crowd.bounds.least, crowd.bounds.most
    return all(low - 1e-9 <= chance <= high + 1e-9 for chance in chances)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_class_that_is_published_breaks_the_rule(data):
    n = data.draw(st.integers(1, 24))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    sensitive = rng.integers(0, 3, n)
    quasi = [Quasi(rng.integers(0, 5, n), np.arange(5.0)), Quasi(rng.integers(0, 4, n))]
    rule, crowd = data.draw(st.sampled_from(RULES)), None
    way = data.draw(st.sampled_from([STRICT, TIES, RELAXED]))
    if way != RELAXED and data.draw(st.booleans()):
        here = np.stack([each.codes for each in quasi], axis=1)
        others = rng.integers(0, (6, 4), (int(rng.integers(0, 30)), 2))
        bounds = Bounds(*sorted(data.draw(st.tuples(*[st.sampled_from([0.0, 0.2, 0.6, 1.0])] * 2))))
        crowd = Crowd(here, np.concatenate((here, others)), (True, False), bounds)
    whole = anonymity_classes.Classes(np.zeros(n, dtype=np.int64), 1)
    one = crowd is None or chances_kept(crowd, whole)
    if not (one and rule.kept(whole.counts(sensitive, 3)).all()):
        with pytest.raises(ValueError, match="does not keep"):
            next(mondrian(quasi, sensitive, 3, rule, way, crowd=crowd))
        return
    if crowd is None and way != RELAXED:
        kinds = anonymity_classes.kinds_of(
            np.stack([*(each.codes for each in quasi), sensitive], axis=1)
        )
        once = [Quasi(kinds.codes[:, i], each.at) for i, each in enumerate(quasi)]
        *_, few = mondrian(once, kinds.codes[:, 2], 3, rule, way, rows=kinds.rows)
        np.testing.assert_array_equal(few.of[kinds.of], last(quasi, sensitive, 3, rule, way).of)
    before = 0
    for made in mondrian(quasi, sensitive, 3, rule, way, crowd=crowd):
        assert rule.kept(made.counts(sensitive, 3)).all()
        assert crowd is None or chances_kept(crowd, made)
        assert made.kept == n
        assert made.many > before
        before = made.many


def test_labels_are_numbered_in_their_order_however_far_they_lie_apart():
    rng = np.random.default_rng(5)
    for low, high in ((0, 1), (0, 7), (0, 300), (0, 1 << 40)):
        labels = rng.integers(low, high, 40)
        values, codes = np.unique(labels, return_inverse=True)
        found, many = anonymity_classes.dense(labels)
        assert many == len(values)
        assert (found == codes).all()
    assert anonymity_classes.dense(np.array([], dtype=np.int64))[1] == 0


def test_risk_of_a_sample_looks_at_its_population():
    sample, population = np.array([[0], [1], [1]]), np.array([[0], [0], [1], [1], [1], [2]])
    assert anonymity_classes.journalist(sample, population) == 1 / 2
    with pytest.raises(ValueError, match="every person"):
        anonymity_classes.journalist(population, sample)


def test_suda_counts_the_smallest_sets_that_single_a_row_out():
    codes = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]])
    score = anonymity_classes.suda(codes, most=3)
    # Row 4 is alone by its last column, which weighs (3 − 1)(3 − 2); row 0 by the first two.
    assert score[4] == 2
    assert score[0] == 1
    assert anonymity_classes.grouped(codes)[1] == 5


def test_counts_that_classes_give_are_right_for_boxes_that_cut_none(adult):
    quasi, income = adult
    made = last(quasi, income, 2, models.KAnonymity(500), TIES)
    whole = np.array([[[17, 90], [1, 16]], [[17, 40], [1, 16]]], dtype=float)
    true, given_ = loss.count_errors(quasi, made, whole)
    assert given_[0] == true[0] == 48_842
    assert given_[1] == pytest.approx(true[1], rel=0.05)


@pytest.mark.parametrize(("width", "score"), [(1, 1), (2, 2), (3, 6), (5, 60), (8, 336)])
def test_who_is_alone_by_each_column_has_the_highest_suda_score(width: int, score: int) -> None:
    """Also where there are fewer columns than a set may have."""
    alone = np.stack([np.zeros(width, dtype=np.int64), np.ones(width, dtype=np.int64)])
    assert anonymity_classes.suda(alone, 3).tolist() == [score, score]


def test_a_class_on_one_real_number_is_in_a_box_or_not():
    quasi = [Quasi(np.array([0, 0, 1, 2]), np.array([0.5, 1.5, 2.25]))]
    true, told = loss.count_errors(quasi, anonymity_classes.Classes(np.array([0, 0, 1, 1]), 2), np.array([[[0.0, 1.0]], [[0.6, 2.25]]]))  # fmt: skip
    np.testing.assert_array_equal(told, [2, 2])
    np.testing.assert_array_equal(true, [2, 2])
