"""Many owners: all messages on a machine, what the player shows, a count by whom one trusts, and
what is left when exact results are hidden."""

import random
from itertools import count

import numpy as np
import pandas as pd
import pytest
from running import LEAST, little
from sklearn.metrics import f1_score
from test_numbers import heard_of

from dpstudio.charts.figure import Line, Words
from dpstudio.charts.readout import reading
from dpstudio.data.codebook import About, Codebook
from dpstudio.data.dataset import Dataset
from dpstudio.files.write.export import warnings
from dpstudio.gui.parts.declared import plays
from dpstudio.labs.context import LITTLE, Context, Machine
from dpstudio.labs.findings import Findings
from dpstudio.labs.nobody.owners.charts import flow_chart, reads_chart
from dpstudio.labs.nobody.owners.cost import PUBLISHED, bytes_curve, bytes_sent, each, off, span
from dpstudio.labs.nobody.owners.model import OwnersModel, added, at_bits, here, rows
from dpstudio.labs.nobody.owners.parameters import Asking, Owners, Sharing, Trusting
from dpstudio.labs.nobody.owners.trust import at_hand, enough, epsilon0, error, proved_from, times
from dpstudio.labs.promise.printed.listings import AverageF1, Draws
from dpstudio.privacy.learning.paillier import new_key
from dpstudio.privacy.learning.sorting import f1_scores, weighted_f1
from dpstudio.privacy.owners import exchange, shuffled
from dpstudio.values.messages import render

RNG = np.random.default_rng(6)
KINDS = RNG.integers(0, 3, 240)
FRAME = pd.DataFrame(
    {"a": np.clip(RNG.normal(0.6 * (KINDS - 1), 0.2), -1, 1),
     "b": RNG.uniform(-1, 1, 240), "c": RNG.uniform(-0.3, 0.3, 240)}
)  # fmt: skip
FRAME["kind"] = np.array(["low", "middle", "high"])[KINDS]
FRAME.loc[:4, "b"] = np.nan
BOUNDED = About(low=-1.0, high=1.0, attested=True)
WORDS = About(categories=("high", "low", "middle"), attested=True)
BOOK = Codebook((*((c, BOUNDED) for c in "abc"), ("kind", WORDS)))
DATA = Dataset(FRAME, "small").described(BOOK)
SHARING = Sharing(features=("a", "b", "c"), classes="kind", owners=4)
LAB = Owners(looks=SHARING)
TICKS = count()
MACHINE = Machine(random.Random(2).randrange, lambda: float(next(TICKS)))


def said(found: Findings, key: str) -> str:
    return render(found.sentence(key).say)


@pytest.mark.parametrize(
    ("scatter", "owners", "numbers"), [("mcdo", 4, 18), ("scdo", 3, 18), ("pca", 4, 10)]
)
def test_an_exchange_on_a_machine(scatter: str, owners: int, numbers: int) -> None:
    """All stages: times, the sums to the last digit, and scores; a clock that ticks once for each
    look says how many operations are done."""
    lab = LAB.with_(looks=SHARING.with_(scatter=scatter))
    first, *_, found = lab.run(Context(DATA, effort=LITTLE, machine=MACHINE))
    assert "live" not in {s.key for s in first.sentences}
    text = f"{owners} owners, 3 columns and keys of 256 bits: of {numbers} sums"
    assert text in said(found, "live")
    assert "off by 0 units" in said(found, "live")
    assert found.sentence("equal").tone == "good"
    assert found.fact("count").value == numbers
    assert found.fact("seconds").value == (numbers, numbers + owners * numbers, numbers)
    assert "5 rows" in said(found, "left_out")
    seen = dict(next(t for t in found.tables if t.key == "messages").columns)["digits"]
    assert "digits)" in render(seen[1])
    assert ("f1" in {s.key for s in found.sentences}) == (scatter != "pca")


def test_the_player_goes_through_the_messages() -> None:
    """Step walks down: at first all messages, then one more each time."""
    found = little(LAB, DATA)
    for step in range(len(found.replays)):
        flow = LAB.frame(found, step).figure("flow")
        rows = {int(layer.key[0]) for layer in flow.layers if layer.key[0].isdigit()}
        assert rows == set(range(1, (step or 5) + 1))
        if step:
            assert render(flow.subtitle).startswith(f"{step} of 5: ")
    assert "blinded" in render(LAB.frame(found, 3).figure("flow").subtitle)
    # A drawing of a protocol is stepped through, and no simulated answer.
    flow = found.figure("flow")
    assert (flow.staged, warnings(flow)) == (True, ())
    assert reading(flow, 0.5, -3.0) == ()  # places in a drawing are no numbers


def test_the_sequence_has_a_lock_where_nobody_reads_and_bytes_where_something_is_sent() -> None:
    """Arrows between neighbouring lines, a lock on what is sealed or blinded; what does not run
    says so; bytes against numbers that really were encrypted."""
    model = OwnersModel(LAB, DATA, LITTLE)
    flow = flow_chart(model, SHARING)
    layers = {layer.key: layer for layer in flow.layers}
    locks = [k for k, each in layers.items() if isinstance(each, Words) and each.mark]
    assert locks == ["2_shares_name", "3_blinded_name"]
    assert [k for k, each in layers.items() if isinstance(each, Line) and each.arrow] == [
        "1_key", "2_shares", "3_blinded", "4_circuit"]  # fmt: skip
    said = [render(layers[f"{row}_size"].texts[0]) for row in range(1, 6)]
    assert said == ["256", "36,864", "9,216", "not run", "not sent"]
    key = new_key(64, random.Random(3).randrange)
    sealed = exchange.sealed(added(SHARING, here(model)).shares(4)[0], key.public, MACHINE.below)
    most = exchange.sealed_size(len(sealed), 64)
    assert 0.8 * most < sum((c.bit_length() + 7) // 8 for c in sealed) <= most
    assert key.public.n < 256 ** exchange.key_size(64)
    x, curve = bytes_curve(SHARING, 3, 2048)
    assert curve[x == 3] == bytes_sent(model, SHARING).owner
    assert (2 * bytes_curve(SHARING, 3, 1024)[1] == curve).all()


def test_who_learns_what_is_what_the_exchange_hands_over() -> None:
    """A filled square for each of READS: what the key holder opens is masked, and no one has a
    sum."""
    figure = reads_chart(OwnersModel(LAB, DATA, LITTLE), SHARING)
    filled = figure.layer("read")
    rows = [at for at, _ in figure.y.ticks]
    places = [(x, rows.index(y)) for x, y in zip(filled.x, filled.y, strict=True)]
    assert places == [(0, 0), (1, 0), (3, 1)]
    assert len(figure.layer("unread").x) == 12 - 3
    rng = random.Random(5)
    key = new_key(64, rng.randrange)
    hidden, masks = exchange.blinded(
        [key.public.encrypt(7, rng.randrange)], key.public, rng.randrange
    )
    seen = exchange.opened(hidden, key)
    assert seen != [7]
    assert exchange.trusted_box(seen, masks, key.public) == [7]


def test_one_query_over_sealed_tables() -> None:
    """The sum and the average as pandas has them, run under encryption; what the order tells,
    guessed cell by cell; and nothing of the rows where exact results are hidden."""
    frame = pd.DataFrame({"x": [4.0, -2.5, 4.0, 7.25, 0.0, 4.0, 9.0, -2.5, 1.0, 4.0]})
    data = Dataset(frame, "ten")
    context = Context(data, machine=MACHINE, effort=LITTLE)
    for operation, value in (("sum", frame["x"].sum()), ("average", frame["x"].mean())):
        lab = Owners(looks=Asking(operation=operation, column="x", owners=3))
        found = lab.last(context)
        assert found.fact("answer").value == pytest.approx(value, abs=1e-6)
        assert found.sentence("live").tone == "good"
        assert len(found.replays) == 6
        hidden = lab.with_(show_truth=False).last(context)
        assert [fact.key for fact in hidden.facts] == ["count"]
        assert "live" not in [sentence.key for sentence in hidden.sentences]
        # Bounds that are told for noise clip nothing of a sum that has none.
        narrow = data.described(Codebook((("x", About(low=0.0, high=1.0, attested=True)),)))
        told = lab.last(Context(narrow, effort=LITTLE))
        assert told.fact("answer").value == pytest.approx(value, abs=1e-6)
    wild = Dataset(pd.DataFrame({"x": [1.0, np.inf, 2.0]}), "wild")
    lab = Owners(looks=Asking(operation="sum", column="x", owners=2))
    assert "without a sum" in render(next(iter(lab.problems(wild))).say)
    lab = Owners(looks=Asking(operation="order", column="x", owners=2))
    own, others = sorted(frame["x"][::2]), sorted(frame["x"][1::2])  # 5 each: rank by rank
    right = sum(one == other for one, other in zip(own, others, strict=True)) / 5
    assert lab.last(context).fact("right").value == pytest.approx(right)
    assert "order" not in [
        figure.key for figure in lab.with_(show_truth=False).last(context).figures
    ]
    shown = [figure.key for figure in lab.last(context).figures]
    assert shown == ["flow", "rights", "order"]
    words = Dataset(pd.DataFrame({"w": ["a", "b"]}), "words")
    assert isinstance(lab.suited(words).looks, Trusting)
    assert lab.with_(looks=Asking(column="gone")).suited(data).looks.column == "x"


def test_a_count_asks_for_no_seed_and_has_no_rows_to_hide() -> None:
    for looks, there in ((Sharing(), True), (Trusting(), False)):
        lab = LAB.with_(looks=looks)
        assert [plays(lab, name) for name in ("seed", "show_truth")] == [there] * 2


def test_the_published_tables_are_a_time_for_each_ciphertext() -> None:
    low, high = span()
    assert (round(low), round(high)) == (13, 18)
    assert each(PUBLISHED[0]) == pytest.approx((14.0, 12.963), abs=1e-3)
    assert off() == 1.1


def test_a_count_by_whom_one_trusts() -> None:
    model = OwnersModel(LAB.with_(looks=Trusting()), DATA, LITTLE)
    errors = at_hand(model)
    order = ("central", "gamma", "gaussian", "shuffled", "proved", "local")
    assert [errors[w] for w in order] == sorted(errors[w] for w in order)
    assert errors["gamma"] == errors["laplace"]
    for way in ("central", "local"):
        least = enough(model, way).at
        asked = Trusting()
        assert error(way, asked, least) <= 0.01 * least
        assert error(way, asked, least - 1) > 0.01 * (least - 1)
    few = little(LAB.with_(looks=Trusting(epsilon=5.0, below=0.1)), DATA)  # √2/5 of 3, .082·√2 of 2
    assert "it takes 3 with a trusted curator, 1 without" in said(few, "enough")
    few = little(LAB.with_(looks=Trusting(people=200)), DATA)
    assert "refuses here" in said(few, "theorem")
    assert np.isnan(few.figure("error").layer("proved").y[0])


@pytest.mark.parametrize(
    "looks",
    [Trusting(), Trusting(epsilon=4.0, people=100, colluding=0), Sharing(scatter="scdo"),
     SHARING.with_(scatter="pca", modulus="1024")],
)  # fmt: skip
def test_every_number_comes_from_the_model(looks: Sharing | Trusting) -> None:
    lab = Owners(looks=looks).suited(DATA)
    _, missing = heard_of(lab, DATA)
    assert missing == []


def test_tables_that_have_no_classes_or_no_numbers() -> None:
    none = Dataset(FRAME[["kind"]], "words")
    assert isinstance(Owners(looks=Sharing()).suited(none).looks, Trusting)
    plain = Dataset(FRAME[["a", "b"]], "numbers").described(DATA.codebook)
    fitted = Owners(looks=Sharing()).suited(plain).looks
    assert isinstance(fitted, Sharing)
    assert fitted.scatter == "pca"
    for asked, field, text in (
        (SHARING.with_(classes="a"), "looks.classes", "is a feature already"),
        (SHARING.with_(classes="nobody"), "looks.classes", "no column “nobody”"),
    ):
        found = little(LAB.with_(looks=asked), DATA)
        assert (found.problems[0].field, found.figures) == (field, ())
        assert text in render(found.problems[0].say)


def test_words_are_shared_as_0_and_1() -> None:
    """As the texts’ Australian and German have them; sixty-four numbers at most."""
    side = np.where(FRAME["c"] > 0, "left", "right")
    many = [f"word {row % 70}" for row in range(len(FRAME))]
    data = Dataset(FRAME.assign(side=side, many=many), "words").described(BOOK)
    held = rows(SHARING.with_(features=("a", "side")), data)
    dummies = pd.get_dummies(pd.Series(side)).to_numpy(float)
    np.testing.assert_allclose(held.x, np.column_stack([FRAME["a"], dummies]), atol=1e-12)
    (problem,) = LAB.with_(looks=SHARING.with_(features=("a", "many"))).problems(data)
    assert (problem.field, "71 numbers" in render(problem.say)) == ("looks.features", True)


def test_hidden_it_says_what_no_row_has_a_part_in() -> None:
    """The same of two tables that differ in every row."""
    other = Dataset(FRAME.sample(150, random_state=1) * 1, "other").described(BOOK)
    for scatter in ("mcdo", "scdo", "pca"):
        lab = LAB.with_(looks=SHARING.with_(scatter=scatter), show_truth=False)
        one, two = (little(lab, data, LEAST) for data in (DATA, other))
        assert (
            [f.key for f in one.figures]
            == ["flow", "reads", "bytes", "cost"]
            == [f.key for f in two.figures]
        )
        assert [render(s.say) for s in one.sentences] == [render(s.say) for s in two.sentences]
        assert not any(f.exact for f in one.figures)
        assert not one.coarse


def test_f1_is_no_average() -> None:
    """The erratum against scikit-learn: of 90 found 30 are right, of 50 that are there."""
    truth = np.repeat([1, 0, 1, 0], (30, 60, 20, 40))
    taken = np.repeat([1, 0], (90, 60))
    wrong = AverageF1(precision=30 / 90, recall=30 / 50)
    assert float(wrong.harmonic(wrong.recall)) == pytest.approx(f1_score(truth, taken))
    assert float(wrong.average(wrong.recall)) == pytest.approx((30 / 90 + 30 / 50) / 2)
    draws = Draws(1, 500, lambda question, answer: answer())
    assert wrong.case(draws).tone == "warn"
    assert AverageF1(precision=0.5, recall=0.5).case(draws).tone == "good"


def test_weighted_f1_is_that_of_scikit_learn() -> None:
    """With classes that are never told, and told ones that are not there."""
    rng = np.random.default_rng(1)
    for classes in (1, 2, 3, 5):
        for _ in range(5):
            truth, told = rng.integers(0, classes, 12), rng.integers(0, classes + 1, 12)
            theirs = f1_score(truth, told, average="weighted", zero_division=0)
            assert weighted_f1(truth, told) == pytest.approx(theirs, rel=1e-12)


def test_rows_at_one_place_are_told_the_commonest_class() -> None:
    """scikit-learn gives up where rows differ by rounding alone."""
    x = np.full((6, 1), 7e-6) + np.array([[0], [1], [2], [0], [1], [0]]) * 1e-14
    y = np.array([0, 1, 1, 0, 1, 1])
    found = f1_scores(np.ones((1, 1, 1)), x, y, x, y)
    assert found == pytest.approx(f1_score(y, np.ones(6), average="weighted", zero_division=0))


def test_what_is_proved_of_a_shuffler_and_of_rounding() -> None:
    """The least n at which the theorem allows any ε₀; ε₀ by coins keeps δ exactly, that of the
    theorem is smaller; four owners round four times."""
    model = OwnersModel(LAB.with_(looks=Trusting(people=50_000)), DATA, LITTLE)
    asked, n = Trusting(people=50_000), proved_from(model)
    assert shuffled.clones_most(asked.delta, n - 1) <= 0 < shuffled.clones_most(asked.delta, n)
    coins, theorem = epsilon0(model)
    assert theorem < coins
    kept = shuffled.coins_delta(coins, asked.epsilon, asked.people)
    assert kept == pytest.approx(asked.delta, rel=1e-3)
    assert times(model) == pytest.approx(at_hand(model)["local"] / at_hand(model)["central"])
    looks = SHARING.with_(scatter="pca", owners=4)
    h = 4 * 2.0 ** (-looks.bits - 1)
    _, most = at_bits(OwnersModel(LAB.with_(looks=looks), DATA, LITTLE))
    assert most == pytest.approx(3 * h + h * h / 235)
