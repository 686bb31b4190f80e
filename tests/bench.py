"""The time and memory budgets, each beside its floor from the same run: python tests/bench.py
[--quick] [--only PART] [--large].

What is measured in a window runs in processes of its own (bench_children.py, offscreen), ours and
the floor in turn.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import pstats
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

# As in the program, and as it before numpy is imported: threads of small products spin.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import csv
from running import LOOKS

from dpstudio.data.conditions import parse
from dpstudio.data.dataset import Dataset
from dpstudio.files.tables import open_table
from dpstudio.gui.state.snapshot import first_state
from dpstudio.labs import LABS
from dpstudio.labs.carry_over import lever_path
from dpstudio.labs.context import SCREEN, Context
from dpstudio.labs.findings import Findings
from dpstudio.labs.models.components.draws import captured_at
from dpstudio.labs.models.components.draws import seeds as draws_of
from dpstudio.labs.models.components.model import components_model, scale, scatter
from dpstudio.labs.models.components.parameters import Components
from dpstudio.labs.models.learn import model as learn_model
from dpstudio.labs.models.learn.parameters import Learn
from dpstudio.labs.nobody.local_learning.parameters import LocalLearning
from dpstudio.labs.one_answer.explore.parameters import Explore
from dpstudio.labs.worded import with_words
from dpstudio.privacy.accounting import (
    KOV35,
    ZCDP,
    Advanced,
    AdvancedTanh,
    GaussianDP,
    Numeric,
    Optimal,
    Renyi,
    Sequential,
    Spend,
    ZCDPTight,
)
from dpstudio.privacy.accounting.numeric import _rounded
from dpstudio.privacy.accounting.optimal import optimal_epsilon
from dpstudio.privacy.learning import lloyd, logistic, logistic_noise
from dpstudio.privacy.learning.sampled_training import Plan, trained
from dpstudio.privacy.local.direct import Direct
from dpstudio.privacy.local.unary import Symmetric
from dpstudio.privacy.mechanisms import MECHANISMS, Sensitivity
from dpstudio.privacy.mechanisms.gaussian import AnalyticGaussian
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.privacy.queries import ADD_REMOVE, CHOICES, QUERIES
from dpstudio.privacy.queries.contingency import Contingency
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.queries.covariance import Covariance
from dpstudio.privacy.queries.grouped import Grouped
from dpstudio.privacy.queries.histogram import Histogram
from dpstudio.privacy.queries.mode import MostCommon, MostMet
from dpstudio.privacy.queries.quantile import Quantile
from dpstudio.privacy.queries.several import Counts
from dpstudio.privacy.queries.total import Mean, Sum
from dpstudio.privacy.queries.variance import Deviation, Variance
from dpstudio.values.parameters import put

STEPS = 120
IN_CPU = "   in time of processors"  # what others do on the machine changes it less
SIZES = (10_000, 100_000, 1_000_000)
TRAINED = ("learn", "local_learning", "clusters", "components", "membership", "synthesis")


def run(name: str, *words: str) -> dict:
    """One measured process."""
    with tempfile.TemporaryDirectory() as folder:
        own = {
            "QT_QPA_PLATFORM": "offscreen",
            "DPSTUDIO_SETTINGS": os.path.join(folder, "settings.ini"),
            "DPSTUDIO_DRAFTS": os.path.join(
                folder, "drafts"
            ),  # those of others take a second to read
        }
        start = {"BENCH_START": str(time.monotonic_ns())}
        # Libraries come as byte code; so do we, once we were started. We say for ourselves how many
        # threads there are.
        ours = ("PYTHONDONTWRITEBYTECODE", "OPENBLAS_NUM_THREADS")
        held = {k: v for k, v in os.environ.items() if k not in ours}
        command = [sys.executable, str(Path(__file__).with_name("bench_children.py")), name, *words]
        done = subprocess.run(
            command, env={**held, **own, **start}, capture_output=True, text=True, timeout=300
        )
    if done.returncode or not done.stdout:
        raise SystemExit(f"{name} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def in_turn(rounds: int, *jobs) -> list[list]:
    """What each job gives in every round; the order turns round, and a first round is not
    counted."""
    out: list[list] = [[] for _ in jobs]
    for job in jobs:
        job()
    for turn in range(rounds):
        order = list(range(len(jobs)))
        for at in order if turn % 2 == 0 else reversed(order):
            out[at].append(jobs[at]())
    return out


def _timed(act):
    def job() -> float:
        start = time.perf_counter()
        act()
        return (time.perf_counter() - start) * 1e3

    return job


def _percentiles(values: list[float]) -> tuple[float, float]:
    return float(np.median(values)), float(np.percentile(values, 95))


def tell(
    what: str,
    ours: list[float],
    floor: list[float] | None = None,
    ratio: float = 0,
    most: float = 0,
    unit: str = "ms",
) -> None:
    """One line: `ratio` is the goal for medians over the floor's, `most` for our 95th
    percentile."""
    median, high = _percentiles(ours)
    line = f"{what:<44}{median:9.1f} {high:9.1f} {unit}"
    times = 0.0
    if floor:
        base, base_high = _percentiles(floor)
        times = median / base
        line += f"   floor {base:8.1f} {base_high:8.1f}   {times:5.2f}x"
    else:
        line += " " * 36
    if ratio or most:
        goal = f"≤ {ratio:g}x" if ratio else f"95 % ≤ {most:g} {unit}"
        line += (
            f"   goal {goal:<16}{'ok' if (times <= ratio if ratio else high <= most) else 'OVER'}"
        )
    print(line, flush=True)


def bench_start(quick: bool) -> None:
    pairs = (
        ("window painted", "window", "bare", 1.5),
        ("charts of the sample table drawn", "charts", "plots", 1.1),
    )
    for what, ours, floor, goal in pairs:
        a, b = in_turn(
            3 if quick else 11, lambda ours=ours: run(ours), lambda floor=floor: run(floor)
        )
        for key, name in (("ms", what), ("cpu", IN_CPU)):
            tell(name, [o[key] for o in a], [o[key] for o in b], ratio=goal)


def bench_steps(quick: bool) -> None:
    """Each size beside a floor of its own: the pace of a machine changes within a minute."""
    steps = str(STEPS // 2 if quick else STEPS)
    measured: list[tuple[int, list[dict], list[dict]]] = [(size, [], []) for size in SIZES]
    for turn in range(1 if quick else 3):
        for size, ours, floor in measured:
            jobs = [(ours, ("steps", str(size), steps)), (floor, ("repaint", steps))]
            for outs, words in jobs if turn % 2 == 0 else reversed(jobs):
                outs.append(run(*words))
    for key, what, ratio in (
        ("ms", "slider step until painted", 1.5),
        ("settled", "   until nothing is left to do", 0),
    ):
        for size, *both in measured:
            times = ([ms for out in outs for ms in out[key]] for outs in both)
            tell(f"{what}, {size:,} trials", *times, ratio=ratio)
    late = sum(out["late"] for _, ours, _ in measured for out in ours)
    if late:
        print(f"   {late} steps left a chart unpainted for a second")


def bench_hand(quick: bool, labs: Sequence[str] = ()) -> None:
    """Repaints of the hero with new data while ε is dragged, or what else a lab is turned by; how
    long the longest waits are over those of the same paints alone; and the time of processors that
    each takes with all that goes with it. No goal where whole numbers are dragged: they are few."""
    asked = [about for about in LABS if about.key in labs] or (LABS[:6] if quick else LABS)
    looks = [(one, words) for one in asked for words in LOOKS.get(one.key, ((),))]
    for about, words in looks:
        if not (path := lever_path(with_words(first_state().held(about.key), words))):
            continue
        found = run("hand", about.key, *words)
        if not (gaps := found.get("gaps", ())):
            print(f"{about.key:<16}{path}: " + ("no new picture" if found else "no slider"))
            continue
        pace, high, floor = len(gaps) / 3, *(np.percentile(found[k], 95) for k in ("gaps", "floor"))
        goal = (25 if about.key in TRAINED else 45) * ("epsilon" in path)
        line = f"{about.key:<16}{path:<20}{pace:4.0f} a second, {found['cpu'] / len(gaps):6.1f} ms each"
        line += f"   95 % within {high:4.0f} ms, floor {floor:4.0f}   {high / floor:5.2f}x"
        met = {f"≥ {goal}": pace >= goal, "≤ 1.5x": high <= 1.5 * floor}
        told = [one if ok else f"{one} MISSED" for one, ok in met.items()]
        print(line + f"   goals {', '.join(told)}" * bool(goal), flush=True)


def bench_calls(quick: bool) -> None:
    """How much of us a step of ε wakes: a measure of work that no other load of the machine moves."""
    found = run("calls", "10" if quick else "40")
    middle = statistics.median(found["calls"])
    print(
        f"calls on the GUI thread in one step of ε: {middle:,.0f} in {found['files']} files (≤ 2,000)"
    )


def bench_open(quick: bool, large: bool = False) -> None:
    """Opening a table beside the bare reader of its format, in processes of their own; and the
    large ones alone."""
    with tempfile.TemporaryDirectory() as folder:
        paths = {kind: os.path.join(folder, f"million.{kind}") for kind in ("csv", "parquet")}
        write_table(paths["csv"], 1_000_000)
        pd.read_csv(paths["csv"]).to_parquet(paths["parquet"])
        for (kind, path), bare in zip(paths.items(), ("pandas", "arrow"), strict=True):
            jobs = [
                lambda reader=reader, path=path: run("opened", reader, path, "5")
                for reader in ("ours", bare)
            ]
            ours, floor = in_turn(2 if quick else 6, *jobs)
            what = f"1,000,000 rows, {kind} ({os.path.getsize(path) / 1e6:.0f} MB)"
            for key, name in (("ms", f"opening {what}"), ("cpu", IN_CPU)):
                tell(
                    name,
                    *([ms for out in outs for ms in out[key]] for outs in (ours, floor)),
                    ratio=1.2,
                )
            tell(
                "   peak memory above what it began with",
                *([out["peak"] for out in outs] for outs in (ours, floor)),
                ratio=1.3,
                unit="MB",
            )
        path = os.path.join(folder, "ten.parquet")
        write_large(10_000_000, parquet=path)
        outs = [run("opened", "ours", path, "3") for _ in range(2 if quick else 5)]
        tell(
            f"opening 10,000,000 rows, parquet ({os.path.getsize(path) / 1e6:.0f} MB)",
            [ms for out in outs for ms in out["ms"]],
            most=200,
        )
        tell("   peak memory above what it began with", [out["peak"] for out in outs], unit="MB")
    if large:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "large.csv")
            write_large(10_000_000, csv_path=path)
            what = f"10,000,000 rows, csv ({os.path.getsize(path) / 1e9:.2f} GB)"
            ours, floor = in_turn(
                1 if quick else 3,
                *(
                    lambda reader=reader: run("opened", reader, path, "0")
                    for reader in ("ours", "pandas")
                ),
            )
            tell(
                f"opening {what}",
                [o["first"] for o in ours],
                [o["first"] for o in floor],
                ratio=1.2,
            )
            tell(
                "   peak memory above what it began with",
                [o["peak"] for o in ours],
                [o["peak"] for o in floor],
                ratio=1.3,
                unit="MB",
            )
            longest = ours[0]["first"] / 1e3
            stops = [
                run("cancelled", path, f"{share * longest:.3f}")["ms"]
                for share in np.linspace(0.02, 0.95, 4 if quick else 12)
            ]
            tell("   from cancelling until it is let go", stops, most=200)


def write_large(rows: int, parquet: str = "", csv_path: str = "", seed: int = 1) -> None:
    """A table of nine columns, a million rows at a time, to either kind of file or both."""
    rng, made = np.random.default_rng(seed), 0
    states, writers = np.array([f"state{i:02d}" for i in range(50)]), []
    while made < rows:
        n = min(1_000_000, rows - made)
        part = pa.table(
            {
                "id": np.arange(made, made + n),
                "age": rng.integers(0, 100, n),
                "income": np.round(rng.lognormal(10, 1, n), 2),
                "hours": rng.normal(40, 10, n),
                "state": states[rng.integers(0, 50, n)],
                "sex": np.array(["F", "M"])[rng.integers(0, 2, n)],
                "day": pa.array(rng.integers(10_000, 20_000, n).astype("int32")).cast(pa.date32()),
                "a": rng.normal(size=n),
                "b": rng.normal(size=n),
            }
        )
        if not writers:
            writers = [pq.ParquetWriter(parquet, part.schema)] if parquet else []
            writers += [csv.CSVWriter(csv_path, part.schema)] if csv_path else []
        for writer in writers:
            writer.write(part)
        made += n
    for writer in writers:
        writer.close()


def write_table(path: str, rows: int, seed: int = 7) -> None:
    """A table of six mixed columns: whole numbers, numbers with gaps, words."""
    rng = np.random.default_rng(seed)
    income = np.round(rng.lognormal(10, 1, rows), 2)
    csv.write_csv(
        pa.table(
            {
                "id": np.arange(rows),
                "age": rng.integers(17, 91, rows),
                "income": pa.array(income, mask=rng.random(rows) < 0.03),
                "score": np.round(rng.normal(0, 1, rows), 4),
                "region": np.array(["north", "east", "south", "west", "centre"])[
                    rng.integers(0, 5, rows)
                ],
                "member": np.array(["yes", "no"])[rng.integers(0, 2, rows)],
            }
        ),
        path,
    )


def bench_queries(quick: bool) -> None:
    """Every kind of question on 1,414,593 rows, beside the bare pandas or numpy expression; nothing
    is remembered but the word codes."""
    frame = pd.read_parquet(
        Path(__file__).parent.parent / "assets" / "tables" / "us_military.parquet"
    )
    frame["pay"] = frame["rank"] * 3 + 1
    data = Dataset(frame, "us_military")
    rank, pay, race, branch, female = (
        frame["rank"],
        frame["pay"],
        frame["race"],
        frame["branch"],
        frame["gender"] == "female",
    )
    bounds = {"column": "rank", "low": 0.0, "high": 7.0}
    asked = {
        "count": (Count(where=parse("rank > 4")), lambda: int((rank > 4).sum())),
        "sum": (Sum(**bounds), lambda: rank.clip(0, 7).sum()),
        "mean": (Mean(**bounds), lambda: rank.clip(0, 7).mean()),
        "variance": (Variance(**bounds), lambda: rank.clip(0, 7).var(ddof=0)),
        "deviation": (Deviation(**bounds), lambda: rank.clip(0, 7).std(ddof=0)),
        "histogram": (Histogram(column="race"), lambda: race.value_counts()),
        "grouped": (
            Grouped(by="branch", **bounds),
            lambda: rank.clip(0, 7).groupby(branch, observed=True).mean(),
        ),
        "contingency": (
            Contingency(first="race", second="branch"),
            lambda: pd.crosstab(race, branch),
        ),
        "counts": (
            Counts(conditions=(parse("rank > 4"), parse("gender = female"), parse("race = white"))),
            lambda: ((rank > 4).sum(), female.sum(), (race == "white").sum()),
        ),
        "covariance": (
            Covariance(columns=("rank", "pay"), ranges=((0.0, 7.0), (1.0, 20.0))),
            lambda: np.cov(np.clip(rank, 0, 7), np.clip(pay, 1, 20)),
        ),
        "most_common": (MostCommon(column="race"), lambda: race.value_counts().idxmax()),
        "most_met": (
            MostMet(conditions=(parse("rank > 4"), parse("gender = female"))),
            lambda: max((rank > 4).sum(), female.sum()),
        ),
        "quantile": (Quantile(column="rank", low=0.0, high=10.0), lambda: rank.quantile(0.5)),
    }
    assert set(asked) == {q.key for q in (*QUERIES, *CHOICES)} - {"typed"}

    def fresh(query):
        data._memory.forget(unless=lambda question: question[0] == "codes")
        return query.ask(data, ADD_REMOVE)

    for key, (query, bare) in asked.items():
        a, b = in_turn(5 if quick else 20, _timed(lambda query=query: fresh(query)), _timed(bare))
        tell(f"{key} on 1,414,593 rows", a, b, ratio=2)


def staircase(rng: np.random.Generator, law, n: int) -> np.ndarray:
    steps = rng.geometric(-np.expm1(-law.epsilon), n) - 1
    high = rng.random(n) < law.gamma / law._mean_level
    place = rng.random(n)
    size = np.where(high, steps + law.gamma * place, steps + law.gamma + (1 - law.gamma) * place)
    return np.where(rng.random(n) < 0.5, -1.0, 1.0) * size * law.width


def bench_draws(quick: bool) -> None:
    def rng() -> np.random.Generator:
        return np.random.Generator(np.random.SFC64(3))

    n = 1_000_000
    for kind in MECHANISMS:
        law = kind(epsilon=0.5).law(Sensitivity(1.0, 1.0, 1.0))
        if kind.key == "laplace":
            raw = _timed(lambda law=law: rng().laplace(0.0, law.b, n))
        elif kind.key == "geometric":
            p = -np.expm1(-law.t)
            raw = _timed(lambda p=p: rng().geometric(p, n) - rng().geometric(p, n))
        elif kind.key == "staircase":  # as printed: sign, step, part and place, a draw each
            raw = _timed(lambda law=law: staircase(rng(), law, n))
        elif (
            kind.key == "discrete_gaussian"
        ):  # rounded: not the law, but the integers that numpy can draw
            raw = _timed(lambda law=law: np.rint(rng().normal(0.0, law.sigma, n)))
        elif kind.key == "catastrophe":
            raw = _timed(
                lambda law=law: np.where(
                    rng().random(n) < law.leak, 0.0, rng().laplace(0.0, law.noise.b, n)
                )
            )
        else:
            raw = _timed(lambda law=law: rng().normal(0.0, np.sqrt(law.variance), n))
        a, b = in_turn(10 if quick else 40, _timed(lambda law=law: law.sample(rng(), n)), raw)
        tell(f"1,000,000 draws, {kind.key}", a, b, ratio=1.2)


def bench_lab(quick: bool) -> None:
    k = np.unique(2 * np.round(np.linspace(1, 100, 56) ** 2 / 2).clip(1))
    epsilons = np.geomspace(0.003, 5, 20 if quick else 100)
    tell(
        f"exact optimum at {len(k)} k up to {int(k[-1]):,}",
        [_timed(lambda e=e: optimal_epsilon(k, e, 1e-5))() for e in epsilons],
    )
    data = open_table("adult")
    for kind in QUERIES:
        if kind.key in ("count", "mean", "histogram"):
            lab = put(Explore(query=kind()), "trials", 1_000_000).suited(data)
            for _ in lab.run(data):
                pass
            times = [
                _timed(
                    lambda e=e, lab=lab: list(put(lab, "mechanism.epsilon", float(e)).run(data))
                )()
                for e in epsilons
            ]
            tell(f"the lab alone, one step, {kind.key}", times)


def bench_accounting(quick: bool) -> None:
    """All bounds of the Composition lab on a frame; the numeric curve, and how near it is to
    dp-accounting where that is installed."""
    every, some = np.arange(1.0, 10_001), np.unique(np.round(np.geomspace(1, 10_000, 66)))
    many = np.unique(np.round(np.geomspace(1, 10_000, 194)))
    epsilons = np.geomspace(0.01, 3, 6 if quick else 30)

    def bounds(epsilon: float) -> None:
        pure, noise = (
            Spend.of(Laplace().at(epsilon, 0.0)),
            Spend.of(AnalyticGaussian().at(epsilon, 1e-5)),
        )
        for bound in (Sequential(), Advanced(), AdvancedTanh(), KOV35(), ZCDP()):
            bound.curve(pure, every, 1e-5)
        for bound, spend in (
            (Optimal(), pure),
            (ZCDPTight(), pure),
            (Renyi(), pure),
            (GaussianDP(), noise),
        ):
            bound.curve(spend, some, 1e-5)

    def numeric(spend: Spend) -> None:
        _rounded.cache_clear()
        Numeric().curve(spend, many, 1e-5)

    bounds(0.1)
    tell(
        f"five bounds at 10,000 k, four at {len(some)}",
        [_timed(lambda e=e: bounds(float(e)))() for e in epsilons],
        most=20,
    )
    for mechanism in (Laplace(), AnalyticGaussian()):
        times = [
            _timed(
                lambda e=e, m=mechanism: numeric(Spend.of(m.at(float(e), 1e-5 * (not m.pure))))
            )()
            for e in epsilons
        ]
        tell(f"numeric curve of {len(many)} k to 10,000, {mechanism.key}", times, most=100)
    try:
        from dp_accounting.pld import privacy_loss_distribution as library
    except ImportError:
        return
    for epsilon in (0.1, 1.0):
        off = 0.0
        for k in (1, 10, 100, 500):
            theirs = (
                library.from_laplace_mechanism(1 / epsilon, value_discretization_interval=1e-4)
                .self_compose(k)
                .get_epsilon_for_delta(1e-5)
            )
            ours = float(
                Numeric().curve(Spend.of(Laplace().at(epsilon, 0.0)), np.array([float(k)]), 1e-5)[0]
            )
            off = max(off, abs(ours / theirs - 1))
        print(
            f"   farthest from dp-accounting at ε = {epsilon:g}: {off:.1e} relative, goal ≤ 1e-4: "
            f"{'ok' if off <= 1e-4 else 'OVER'}"
        )


def bench_local(quick: bool) -> None:
    """Surveys of 1,000,000 people over 100 categories, perturbed and estimated, beside the bare
    numpy draws that they need."""
    n, d, epsilon = 1_000_000, 100, 1.0
    rng = np.random.default_rng(1)
    values = rng.integers(0, d, n)
    counts = np.bincount(values, minlength=d)
    rounds = 5 if quick else 25
    grr, sue = Direct(epsilon=epsilon), Symmetric(epsilon=epsilon)
    s = sue.support(d)

    def bare_totals() -> None:
        kept = rng.binomial(counts, grr.support(d).gap, size=(200, d))
        rng.multinomial(n - kept.sum(axis=1), np.full(d, 1 / d))

    def bare_bits() -> None:
        rng.binomial(counts, s.q, size=(200, d))
        rng.binomial(n - counts, s.q, size=(200, d))

    def bare_people() -> None:
        rng.random(n)
        rng.integers(0, d, n)

    for what, ours, bare in (
        (
            "200 surveys by totals, GRR",
            lambda: grr.estimate(grr.draw(rng, counts, 200), n),
            bare_totals,
        ),
        (
            "200 surveys by totals, SUE",
            lambda: sue.estimate(sue.draw(rng, counts, 200), n),
            bare_bits,
        ),
        (
            "a survey person by person, GRR",
            lambda: grr.estimate(grr.tally(grr.reports(rng, values, d), d), n),
            bare_people,
        ),
    ):
        tell(what, *in_turn(rounds, _timed(ours), _timed(bare)), ratio=1.5)


def _cpu(act):
    def job() -> float:
        start = time.process_time()
        act()
        return (time.process_time() - start) * 1e3

    return job


def bare_bayes(x, y, test, told, epsilons, generators) -> list[float]:
    """The scores of private naive Bayes as anyone would write it: a loop over ε, and one over
    models."""
    counts = np.bincount(y, minlength=2).astype(float)
    sums = np.stack([x[y == c].sum(axis=0) for c in (0, 1)])
    squares = np.stack([(x[y == c] ** 2).sum(axis=0) for c in (0, 1)])
    k, out = x.shape[1], []
    rows = np.hstack([np.ones((len(test), 1)), test, test**2])
    for epsilon in epsilons:
        for rng in generators:
            n = np.maximum(counts + rng.laplace(0, 3 / epsilon, 2), 1)
            scale = 3 * k / epsilon
            means = np.clip((sums + rng.laplace(0, scale, (2, k))) / n[:, None], -1, 1)
            found = (squares + rng.laplace(0, scale, (2, k))) / n[:, None]
            var = np.maximum(found - means**2, 1e-4)
            constant = np.log(n / n.sum()) - 0.5 * (np.log(var) + means**2 / var).sum(axis=1)
            weights = np.hstack([constant[:, None], means / var, -0.5 / var])
            out.append(float(np.mean((rows @ (weights[1] - weights[0]) > 0) == told)))
    return out


def bench_learning_learn(quick: bool) -> None:
    """Learn on Adult, all 48,842 rows, in time of processors: the first picture, all of it, and the
    fits alone beside the same in bare numpy; matrix products in one thread, as in the program."""
    data = open_table("adult_all")
    task, alone = learn_model.task_of(Learn(), data), Learn(others=False)

    def fresh() -> Context:
        return Context(Dataset(data._table, "fresh"))

    def first() -> None:
        next(iter(alone.run(fresh())))

    def whole() -> None:
        list(Learn().run(fresh()))

    learner, points, runs = alone.learner, learn_model.grid(SCREEN, first=False), alone.runs
    known = learn_model.known(alone, learn_model.sampled(alone, data), learner)
    rngs = [np.random.default_rng(seed) for seed in range(runs)]
    y, told = task.y.astype(int), task.test_y > 0

    def fits() -> None:
        for epsilon in points.tolist():
            here = replace(known, epsilon=epsilon)
            learner.scores(task, here, learn_model.looked(alone, runs))

    def bare() -> None:
        bare_bayes(task.x, y, task.test_x, told, points.tolist(), rngs)

    rounds = 3 if quick else 11
    tell("Learn, first picture", in_turn(rounds, _cpu(first))[0], most=1000)
    tell("Learn, all learners at all ε", in_turn(2, _cpu(whole))[0], most=10_000)
    tell("fits of naive Bayes", *in_turn(rounds, _cpu(fits), _cpu(bare)), ratio=1.3)


def bare_objective(rows, ridge, linear) -> list[np.ndarray]:
    """Minimisers with a tilt as anyone would write them: Newton's steps, a loop over models."""
    out = []
    for tilt in linear:
        w = np.zeros(rows.shape[1])
        for _ in range(50):
            wrong = 1 / (1 + np.exp(np.clip(rows @ w, -700, 700)))
            slope = tilt + ridge * w - wrong @ rows
            if np.linalg.norm(slope) < 1e-8:
                break
            curve = (rows.T * (wrong * (1 - wrong))) @ rows
            w = w - np.linalg.solve(curve + ridge * np.eye(len(w)), slope)
        out.append(w)
    return out


def bare_lloyd(x, starts, noise) -> list[np.ndarray]:
    """Noisy steps as anyone would write them: a loop over runs."""
    out = []
    for c, added in zip(starts, noise, strict=True):
        for step in added:
            near = ((x[:, None] - c) ** 2).sum(axis=2).argmin(axis=1)
            n = np.bincount(near, minlength=len(c)) + step[:, 0]
            total = np.stack([np.bincount(near, v, minlength=len(c)) for v in x.T], axis=1)
            total += step[:, 1:]
            mean = np.clip(total / np.maximum(n, 1)[:, None], -1, 1)
            c = np.where(n[:, None] >= 1, mean, c)
        out.append(c)
    return out


def bare_descent(x, y, plan, rngs) -> list[np.ndarray]:
    """Noisy gradients as anyone would write them: a loop over trainings, and one over steps."""
    out = []
    for rng in rngs:
        w = np.zeros(x.shape[1])
        for _ in range(plan.steps):
            drawn = np.flatnonzero(rng.random(len(x)) < plan.chance)
            part = x[drawn]
            found = part * (1 / (1 + np.exp(-(part @ w))) - y[drawn])[:, None]
            norm = np.linalg.norm(found, axis=1)
            found *= np.minimum(1, plan.clip / np.maximum(norm, 1e-300))[:, None]
            total = found.sum(axis=0) + rng.normal(0, plan.deviation, len(w))
            w = w * (1 - plan.rate * plan.ridge) - plan.rate / plan.batch * total
        out.append(w)
    return out


def bench_learning_fits(quick: bool) -> None:
    """The other fits on Adult, in time of processors, beside the same in bare numpy."""
    task = learn_model.task_of(Learn(), open_table("adult_all"))
    rng, rounds = np.random.default_rng(1), 3 if quick else 11
    x, y = logistic.with_bias(task.x), np.where(task.y > 0, 1.0, -1.0)
    ridge = logistic_noise.add_remove(2.0)
    terms = logistic_noise.objective_terms(1.0, ridge)
    unit = logistic_noise.unit_noise(rng, 20, x.shape[1])

    def tilted() -> None:
        logistic_noise.objective_perturbed(x, y, np.ones(1), ridge, unit)

    def bare_tilted() -> None:
        bare_objective(x * y[:, None], terms.strength, terms.scale * unit)

    tell("fits of a noisy objective", *in_turn(rounds, _cpu(tilted), _cpu(bare_tilted)), ratio=1.3)
    plan = Plan(100, 0.02, 1.2, 0.5, 20.0, 20_000.0, 1e-4)

    def steps() -> None:
        trained(x, task.y, plan, np.random.default_rng(1), 20)

    def bare_steps() -> None:
        bare_descent(x, task.y, plan, [np.random.default_rng(seed) for seed in range(20)])

    tell("fits by noisy gradients", *in_turn(rounds, _cpu(steps), _cpu(bare_steps)), ratio=1.3)
    split = lloyd.su_split(1.0, task.x.shape[1], 5)
    starts = lloyd.starts(rng, 20, 4, task.x.shape[1])
    noise = lloyd.lloyd_noise(rng, 20, 5, 4, task.x.shape[1])
    scales = np.r_[split.count, np.full(task.x.shape[1], split.total)]

    def ours() -> None:
        lloyd.lloyd(task.x, starts, split, noise)

    def bare() -> None:
        bare_lloyd(task.x, starts, noise * scales)

    tell("fits of k-means", *in_turn(rounds, _cpu(ours), _cpu(bare)), ratio=1.3)


def bare_components(a, k, sigmas, seeds) -> list[float]:
    """What noisy matrices keep as anyone would write it: a loop over ε, and one over draws."""
    best, p, out = np.linalg.eigvalsh(a)[-k:].sum(), len(a), []
    rng = np.random.default_rng(1)
    for sigma in sigmas:
        for _ in range(seeds):
            noise = np.triu(rng.normal(0, sigma, (p, p)))
            v = np.linalg.eigh(a + noise + np.triu(noise, 1).T)[1][:, -k:]
            out.append(np.trace(v.T @ a @ v) / best)
    return out


def bench_learning_reports(quick: bool) -> None:
    """Components and Local learning on Adult, all 48,842 rows, and on connect-4 where people pay
    for directions, in time of processors; and draws of components beside bare numpy."""
    adult, board = open_table("adult_all"), open_table("connect4")
    rounds = 3 if quick else 11
    paid = LocalLearning(reduction="dca", source_of="paid").suited(board)
    for what, lab, data in (
        ("Components", Components(), adult),
        ("Local learning", LocalLearning(), adult),
        ("Local learning, paid directions of connect-4", paid, board),
    ):

        def run(lab=lab, data=data) -> Iterator[Findings]:
            return lab.run(Context(Dataset(data._table, data.name).described(data.codebook)))

        tell(f"{what}, first", in_turn(rounds, _cpu(lambda run=run: next(run())))[0], most=1000)
        tell(f"{what}, all", in_turn(2, _cpu(lambda run=run: list(run())))[0], most=10_000)
    model = components_model(Components(), Context(adult))
    a, sigmas = scatter(model), [scale(model, e) for e in np.geomspace(0.001, 50, 25)]

    def ours() -> None:
        for epsilon in np.geomspace(0.001, 50, 25):
            captured_at(model, "gaussian_matrix", float(epsilon))

    def bare() -> None:
        bare_components(a, model.k, sigmas, draws_of(model))

    tell("draws of components", *in_turn(rounds, _cpu(ours), _cpu(bare)), ratio=1.3)


def bench_find(quick: bool) -> None:
    """A key typed into Find, in time of processors, beside one search of all words it looks in."""
    found = run("find", "60" if quick else "15")
    tell(f"a key in Find over {found['known']:,} things", found["keys"], found["floor"], ratio=4)
    tell("   its goal", found["keys"], most=16)


def bench_speak(quick: bool) -> None:
    """Another language while all pages are open; the first time reads its texts, too."""
    found = run("speak", "3" if quick else "10")
    for key, what in (("ms", "language switched, every page open"), ("cpu", IN_CPU)):
        tell(what, found[key], most=1000)


def bench_memory(quick: bool) -> None:
    jobs = [lambda: run("rest"), lambda: run("steps", "1000000", "50"), lambda: run("bare_rest")]
    rest, busy, bare = ([job() for _ in range(2 if quick else 5)] for job in jobs)
    floor = [m["peak"] for m in bare]
    for what, held in (("at rest", rest), ("1,000,000 trials, 50 steps", busy)):
        tell(f"peak memory, {what}", [m["peak"] for m in held], floor, ratio=1.4, unit="MB")
        tell(f"memory then, {what}", [m["now"] for m in held], [m["now"] for m in bare], unit="MB")


def profile(trials: str) -> None:
    """What a slider step costs on the GUI thread, by function."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "steps.prof")
        tell(
            f"slider step, {trials} trials, profiled", run("steps", trials, str(STEPS), path)["ms"]
        )
        for order in ("tottime", "cumtime"):
            pstats.Stats(path).strip_dirs().sort_stats(order).print_stats(45)


def main() -> None:

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    parser.add_argument(
        "--only",
        default="",
        help="one part: start, steps, hand, calls, open, queries, draws, lab, accounting, local, learning, find, speak or memory",
    )
    parser.add_argument(
        "--labs", default="", help="of hand: these alone, by key, with commas between"
    )
    parser.add_argument("--profile", metavar="TRIALS", help="profile the slider step instead")
    parser.add_argument(
        "--large",
        action="store_true",
        help="also open a CSV of 1 GB, which is made in a temporary folder",
    )
    given = parser.parse_args()
    if given.profile:
        profile(given.profile)
        return
    print(
        f"Python {platform.python_version()}, {os.cpu_count()} cores, load "
        f"{os.getloadavg()[0]:.2f}; median and 95th percentile"
    )
    for part in (
        bench_start,
        bench_steps,
        bench_hand,
        bench_calls,
        bench_open,
        bench_queries,
        bench_draws,
        bench_lab,
        bench_accounting,
        bench_local,
        bench_learning_learn,
        bench_learning_fits,
        bench_learning_reports,
        bench_find,
        bench_speak,
        bench_memory,
    ):
        if given.only in part.__name__:
            more = {bench_open: (given.large,), bench_hand: (given.labs.split(","),)}
            part(given.quick, *more.get(part, ()))


if __name__ == "__main__":
    main()
