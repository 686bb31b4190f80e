"""Micro-aggregation class by class: its curves on the table that the texts had, and whom its groups
in a public order tell apart."""

from pathlib import Path

import numpy as np
import pytest

from dpstudio.privacy.synthetic import clusters

PIMA = next(
    (
        path
        for folder in Path(__file__).resolve().parents
        if (path := folder / "shared" / "data" / "pima_diabetes_scaled.csv").exists()
    ),
    None,
)


@pytest.mark.skipif(PIMA is None, reason="the table of the texts is not beside the repository")
def test_noise_as_printed_keeps_what_a_machine_learns_and_right_noise_does_not():
    """Scenario 2: learnt from rows made of 80 %, tried on the other 20 %; clusters of each class."""
    from sklearn.svm import SVC

    assert PIMA is not None
    table = np.genfromtxt(PIMA, delimiter=",", skip_header=1)
    y, x = table[:, 0], np.clip(table[:, 1:], -1, 1)
    noises = {
        "none": lambda size, columns, epsilon: clusters.Scales(0.0, 0.0),
        "printed": lambda size, columns, epsilon: clusters.printed_scales(
            size, columns, epsilon, len(x)
        ),
        "right": clusters.fixed_scales,
    }
    right: dict[str, list[float]] = {name: [] for name in noises}
    for seed in range(4):
        rng = np.random.default_rng(seed)
        lot = rng.permutation(len(x))
        known, asked = lot[: len(x) * 8 // 10], lot[len(x) * 8 // 10 :]
        for k in (25, 100):
            sides = {name: x[known][y[known] == name] for name in (-1, 1)}
            found = {
                name: clusters.clusters_of_sets(one, clusters.feature_sets(one), k)
                for name, one in sides.items()
            }
            for noise, scales in noises.items():
                for epsilon in (0.1, 1.0) if noise != "none" else (1.0,):
                    made = np.empty((len(known), 8))
                    for name, one in sides.items():
                        drawn = clusters.synthesised_by_sets(one, found[name], scales, epsilon, rng)
                        made[y[known] == name] = drawn
                    told = SVC(C=10.0).fit(made, y[known]).predict(x[asked])
                    right[noise].append(float(np.mean(told == y[asked])))
    none, printed, true = (float(np.mean(right[name])) for name in noises)
    assert 0.73 <= none <= 0.75
    assert abs(printed - none) < 0.02
    assert 0.47 <= true <= 0.64


def rows_of(x: np.ndarray) -> list[tuple[float, ...]]:
    return [tuple(row) for row in x]


def test_who_comes_replaces_one_row_of_each_group_at_most():
    """Whether a class has as many rows as its noisy count says, fewer, or more."""
    rng = np.random.default_rng(3)
    for rows in (20, 23, 24, 30):
        for _ in range(20):
            x = np.round(rng.uniform(-1, 1, (23, 2)), 1)
            more = np.vstack([x, np.round(rng.uniform(-1, 1, (1, 2)), 1)])
            sides = [clusters.of_length(each, rows) for each in (x, more)]
            for one, two in zip(*(clusters.ordered_clusters(s, 5) for s in sides), strict=True):
                left = rows_of(sides[0][one])
                for row in rows_of(sides[1][two]):
                    if row in left:
                        left.remove(row)
                assert len(left) <= 1


def test_groups_in_order_make_as_many_rows_of_a_class_as_its_noisy_count_says():
    rng = np.random.default_rng(4)
    x = np.vstack([rng.normal(-0.5, 0.05, (400, 2)), rng.normal(0.5, 0.05, (300, 2))])
    classes = np.repeat([0, 1], [400, 300])
    made, label = clusters.insensitive(
        x, classes, np.array([410.4, 290.0, -3.0, 2.0]), 30, 1e7, rng
    )
    np.testing.assert_array_equal(np.bincount(label), [410, 290, 0, 2])
    assert made.shape == (702, 2)
    # Rows that lack are in the middle; the rest lies where its class does.
    means = [np.median(made[label == name], axis=0) for name in (0, 1)]
    np.testing.assert_allclose(means, [[-0.5, -0.5], [0.5, 0.5]], atol=0.03)
