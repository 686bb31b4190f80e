"""Projections that keep one label and lose another, against scikit-learn, scipy and brute force."""

import numpy as np
import pytest
from scipy.linalg import eigh
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid

from dpstudio.charts.figure import Array
from dpstudio.privacy.compression import adversaries, faces, printed, scatter
from dpstudio.privacy.compression.inverse import (
    decoder,
    errors_of_decoder,
    errors_of_inverse,
    errors_of_taught,
    inverse,
)
from dpstudio.privacy.compression.private import halved, row_deviation, row_noise
from dpstudio.privacy.compression.projections import (
    PRIVACY,
    PROJECTIONS,
    UTILITY,
    Dca,
    Lda,
    Mdr,
    Pca,
    ridge,
)
from dpstudio.privacy.learning.ways import GaussianMatrix, LaplaceMatrix
from dpstudio.privacy.mechanisms.gaussian import analytic_sigma
from dpstudio.privacy.sampling import SimulationRandom

RNG = np.random.default_rng(19)
N, P, CLASSES = 240, 6, 3
U, V = RNG.integers(CLASSES, size=N), RNG.integers(2, size=N)
SPREADS = np.linspace(0.2, 1.2, P)
X = RNG.normal(size=(N, P)) * SPREADS + 1.5
X[:, 1] += U
X[:, 4] += 2 * V
SUMS = scatter.sums_of(X, ((U, CLASSES), (V, 2)))
LOOKING = SimulationRandom(3, 1)


def around(x: Array) -> Array:
    return x - x.mean(axis=0)


def same_lines(one: Array, two: Array) -> None:
    """Columns that point the same way or back."""
    one, two = (w / np.linalg.norm(w, axis=0) for w in (one, two))
    assert np.abs(np.sum(one * two, axis=0)) == pytest.approx(1, abs=1e-7)


def test_scatter_is_that_of_its_definition() -> None:
    """S̄ = S_W + S_B, each by a loop over rows and classes."""
    within = sum(around(X[c == U]).T @ around(X[c == U]) for c in range(CLASSES)) / N
    assert SUMS.within(UTILITY) == pytest.approx(within)
    assert SUMS.spread == pytest.approx(np.cov(X.T, bias=True))
    assert SUMS.within(PRIVACY) + SUMS.between(PRIVACY) == pytest.approx(SUMS.spread)


def test_splits_are_all_rows_less_the_tested_ones() -> None:
    tests = [np.arange(0, 60), np.arange(60, 120)]
    parts = [scatter.sums_of(X[t], ((U[t], CLASSES), (V[t], 2))) for t in tests]
    found = scatter.less(SUMS, parts)
    for place, test in enumerate(tests):
        rest = np.setdiff1d(np.arange(N), test)
        alone = scatter.sums_of(X[rest], ((U[rest], CLASSES), (V[rest], 2)))
        assert found.spread[place] == pytest.approx(alone.spread)
        assert found.between(PRIVACY)[place] == pytest.approx(alone.between(PRIVACY))


def test_the_pencil_is_solved_as_scipy_solves_it() -> None:
    a, b = SUMS.between(UTILITY), SUMS.within(UTILITY)
    values, w = scatter.pencil(np.stack([a, b]), np.stack([b, b]))
    told, vectors = eigh(a, b)
    assert values[0] == pytest.approx(told[::-1], abs=1e-10)
    assert w[0].T @ b @ w[0] == pytest.approx(np.eye(P), abs=1e-9)
    same_lines(w[0][:, :2], vectors[:, ::-1][:, :2])
    assert values[1] == pytest.approx(1)


def test_directions_are_those_of_other_libraries() -> None:
    values, w = Pca().directions(SUMS, LOOKING)
    other = PCA().fit(X)
    same_lines(w, other.components_.T)
    assert values == pytest.approx(other.explained_variance_ * (N - 1) / N)
    lda = LinearDiscriminantAnalysis(solver="eigen").fit(X, U)
    w = Lda().directions(SUMS, LOOKING)[1][:, : CLASSES - 1]
    # The ridge is a millionth; the same plane, whatever its axes.
    both = np.linalg.qr(w)[0].T @ np.linalg.qr(lda.scalings_[:, : CLASSES - 1])[0]
    assert np.linalg.svd(both)[1] == pytest.approx(1, abs=1e-5)


def test_mdr_is_the_quotient_of_both_labels() -> None:
    """Against scipy, and no direction has a larger quotient."""
    private = SUMS.between(PRIVACY) + ridge(SUMS.between(PRIVACY), 0.05, SUMS.spread)
    values = Mdr(rho=0.05).directions(SUMS, LOOKING)[0]
    assert values == pytest.approx(eigh(SUMS.between(UTILITY), private)[0][::-1], abs=1e-8)
    tried = RNG.normal(size=(P, 4000))
    above = np.sum(tried * (SUMS.between(UTILITY) @ tried), axis=0)
    assert (above / np.sum(tried * (private @ tried), axis=0)).max() <= values[0]


@pytest.mark.parametrize("rho_prime", [-0.5, 0.5])
def test_dca_is_the_pencil_of_scipy_and_fishers_first(rho_prime: float) -> None:
    """(S̄ + (ρ + ρ′)I, S_W + ρI); where ρ′ = 0 the first L − 1 are those of (S_B, S̄ + ρI)."""
    spread, within, eye = SUMS.spread, SUMS.within(UTILITY), np.eye(P)
    rho = 0.03 * np.linalg.eigvalsh(within)[-1]
    values, w = Dca(rho=0.03, rho_prime=rho_prime).directions(SUMS, LOOKING)
    told, vectors = eigh(spread + (1 + rho_prime) * rho * eye, within + rho * eye)
    assert values == pytest.approx(told[::-1])
    same_lines(w, vectors[:, ::-1])
    plain = Dca(rho=0.03, rho_prime=0.0).directions(SUMS, LOOKING)[1]
    fisher = eigh(SUMS.between(UTILITY), spread + rho * eye)[1][:, ::-1]
    same_lines(plain[:, : CLASSES - 1], fisher[:, : CLASSES - 1])


@pytest.mark.parametrize("rho_prime", [-0.5, 0.5])
def test_the_sign_of_rho_prime_orders_what_tells_no_class(rho_prime: float) -> None:
    """Where S_B w = 0 the eigenvalue is 1 + ρ′/(λ + ρ): on rows whose within-class scatter is
    diagonal, and whose classes differ along the first axis alone."""
    z = np.concatenate([np.eye(P), -np.eye(P)]) * SPREADS * 3
    x = np.concatenate([z, z])
    x[: len(z), 0] += 5
    codes = np.repeat([0, 1], len(z))
    m = scatter.sums_of(x, ((codes, 2), (codes, 2)))
    values, w = Dca(rho=0.01, rho_prime=rho_prime).directions(m, LOOKING)
    variances = np.diag(m.within(UTILITY))
    rho = float(ridge(m.within(UTILITY), 0.01, m.spread)[0, 0])
    law = 1 + rho * rho_prime / (variances[1:] + rho)
    assert np.argmax(np.abs(w[:, 0])) == 0
    assert values[1:] == pytest.approx(np.sort(law)[::-1])
    least_first = list(range(1, P)) if rho_prime > 0 else list(range(P - 1, 0, -1))
    assert np.abs(w[:, 1:]).argmax(axis=0).tolist() == least_first


@pytest.mark.parametrize("kind", PROJECTIONS)
def test_errors_fall_and_are_those_of_rows_turned_back(kind: type) -> None:
    w = kind().directions(SUMS, LOOKING)[1]
    found, best = errors_of_inverse(SUMS.spread, w), errors_of_decoder(SUMS.spread, w)
    assert (np.diff(found) <= 1e-12).all()
    assert (best <= found + 1e-9).all()
    assert found[-1] == pytest.approx(0, abs=1e-9)
    x = around(X)
    for k in (1, 3, P):
        z = x @ w[:, :k]
        back = z @ inverse(w[:, :k]).T
        assert inverse(w[:, :k]) == pytest.approx(np.linalg.pinv(w[:, :k].T), abs=1e-8)
        assert np.mean(np.sum((x - back) ** 2, axis=1)) == pytest.approx(found[k], abs=1e-9)
        fitted = z @ np.linalg.lstsq(z, x, rcond=None)[0]
        assert np.mean(np.sum((x - fitted) ** 2, axis=1)) == pytest.approx(best[k], abs=1e-9)
        assert z @ decoder(SUMS.spread, w[:, :k]).T == pytest.approx(fitted, abs=1e-7)


def test_errors_of_a_decoder_that_others_teach() -> None:
    """Least squares on the known rows, tried on the others, one number of directions at a time."""
    w, known, rows = Dca().directions(SUMS, LOOKING)[1], X[::2], X[1::2]
    found = errors_of_taught(rows, known, w)
    for k in (1, 3, P):
        z = around(known) @ w[:, :k]
        taught = np.linalg.lstsq(z, around(known), rcond=None)[0]
        off = rows - known.mean(axis=0)
        left = off - off @ w[:, :k] @ taught
        assert np.mean(np.sum(left**2, axis=1)) == pytest.approx(found[k - 1], abs=1e-9)


def test_pca_loses_the_sum_of_the_dropped_eigenvalues() -> None:
    values, w = Pca().directions(SUMS, LOOKING)
    dropped = np.append(np.cumsum(values[::-1])[::-1], 0)
    assert errors_of_inverse(SUMS.spread, w) == pytest.approx(dropped, abs=1e-12)
    assert errors_of_decoder(SUMS.spread, w) == pytest.approx(dropped, abs=1e-12)


def test_rows_vary_along_no_more_directions_than_there_are() -> None:
    """Fewer rows than columns, and a column that follows from others."""
    few = RNG.normal(size=(5, 9))
    mean, basis, z = scatter.span(few)
    assert basis.shape == (9, 4)
    assert mean + z @ basis.T == pytest.approx(few)
    tied = np.column_stack([X, X.sum(axis=1)])
    assert scatter.span(tied)[1].shape == (P + 1, P)


def test_rules_are_those_of_other_libraries() -> None:
    w, new = RNG.normal(size=(P, 4)), RNG.normal(size=(500, P)) + 1.5
    z, told = (X - X.mean(axis=0)) @ w, (new - X.mean(axis=0)) @ w
    other = LinearDiscriminantAnalysis(solver="lsqr").fit(z, U)
    assert np.mean(adversaries.linear(SUMS, UTILITY, w).tells(told) == other.predict(told)) > 0.995
    even = LinearDiscriminantAnalysis(solver="lsqr", priors=np.full(3, 1 / 3)).fit(z, U)
    rule = adversaries.linear(SUMS, UTILITY, w).even(SUMS.shares(UTILITY))
    assert np.mean(rule.tells(told) == even.predict(told)) > 0.995
    near = NearestCentroid().fit(z, U)
    assert (adversaries.nearest_centre(SUMS, UTILITY, w).tells(told) == near.predict(told)).all()
    votes = KNeighborsClassifier(7).fit(z, U)
    assert (adversaries.Nearest(7).tells(z, U, told, CLASSES) == votes.predict(told)).all()
    sure = LogisticRegression(C=1e3).fit(z, V)
    assert np.mean(adversaries.logistic(z, V, told, 2) == sure.predict(told)) > 0.97


def test_a_rule_of_whole_rows_sees_rows_that_are_turned_back() -> None:
    w = RNG.normal(size=(P, 3))
    x = around(X)
    back = x @ w @ inverse(w).T
    rule = adversaries.whole(SUMS, UTILITY)
    assert (rule.through(inverse(w)).tells(x @ w) == rule.tells(back)).all()


def test_classes_without_spread_and_directions_that_nobody_learnt() -> None:
    """A column that is the label itself leaves rounding within classes, of either sign; a split may
    learn nothing along a direction that tested rows vary along."""
    for scale in (1e-8, 1.0, 1e8):
        x = around(np.column_stack([U / 3, U**2 / 7])) * scale
        m = scatter.sums_of(x, ((U, CLASSES), (V, 2)))
        for kind in PROJECTIONS:
            w = kind().directions(m, LOOKING)[1]
            assert np.isfinite(w).all()
            assert (adversaries.linear(m, UTILITY, w).tells(x @ w) == U).all()
    flat = np.diag([1.0, 0.0])
    assert decoder(flat, np.eye(2)) == pytest.approx(flat, abs=1e-9)
    assert decoder(flat * 1e-14, np.eye(2)[:, ::-1]) == pytest.approx(flat[:, ::-1], abs=1e-9)


def test_a_listing_compares_pictures_of_others() -> None:
    """Errors by a loop: in order they fall to 0, out of order they end at twice the variance."""
    x, w = around(X), Pca().directions(SUMS, LOOKING)[1]
    order, ks = RNG.permutation(N), (1, 3, P)
    q = w
    back = [x @ q[:, :k] @ q[:, :k].T for k in ks]
    loop = [np.mean(np.sum((x - b[order]) ** 2, axis=1)) for b in back]
    assert printed.errors_in_order(x, w, order, ks) == pytest.approx(loop)
    aligned = printed.errors_in_order(x, w, np.arange(N), ks)
    assert aligned == pytest.approx(errors_of_inverse(SUMS.spread, w)[list(ks)], abs=1e-9)
    assert loop[-1] > loop[0]
    mean = X.mean(axis=0)
    kept = [X - X @ q[:, :k] @ q[:, :k].T for k in ks]
    uncentred = [np.mean(np.sum(left**2, axis=1)) for left in kept]
    assert printed.errors_uncentred(x, mean, w, ks) == pytest.approx(uncentred, abs=1e-9)


def test_noise_on_rows_is_for_rows_that_are_replaced() -> None:
    """Half of (ε, δ) each; a row of length 2 moves by 4 at most, and by 4√k in L1."""
    made = halved(GaussianMatrix(epsilon=2.0, delta=1e-5))
    assert row_deviation(made, 2.0, 3, 1) == pytest.approx(analytic_sigma(1.0, 5e-6, 4.0))
    pure = halved(LaplaceMatrix(epsilon=2.0))
    assert row_deviation(pure, 2.0, 9, 1) == pytest.approx(np.sqrt(2) * 12)
    for way in (made, pure):
        drawn = row_noise(way, 3.0, (20_000,), LOOKING)
        assert drawn.std() == pytest.approx(3, rel=0.03)


def test_faces_are_the_same_for_a_seed_and_differ_by_label() -> None:
    one, two = faces.album(4, 30, 0.8, 5), faces.album(4, 30, 0.8, 5)
    assert (one.x == two.x).all()
    assert one.x.shape == (120, faces.SIDE**2)
    assert 0 <= one.x.min() < one.x.max() <= 1
    dark = one.x[one.light == 1].mean() - one.x[one.light != 1].mean()
    assert dark > 0.05
    assert faces.album(4, 30, 0.0, 5).x[one.light != 1].mean() > one.x[one.light != 1].mean()
