"""What a draw that leaves costs is what holds: the law that was drawn from against the (ε, δ) that
the ledger keeps, for every noise and lab; what breaks its promise leaves no draw."""

import random
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from forgotten import forgotten
from running import LEAST, lab_of, leaves

from dpstudio.cli.help import lab_help
from dpstudio.data.dataset import Dataset
from dpstudio.files.ledgers.book import BOOKED, Book
from dpstudio.files.tables import open_table
from dpstudio.files.write.leaving import StaysError, leave
from dpstudio.privacy.local import NUMBERS, PROTOCOLS
from dpstudio.privacy.mechanisms import MECHANISMS, Additive
from dpstudio.privacy.mechanisms.additive import Guarantee, Sensitivity
from dpstudio.privacy.mechanisms.law import hockey_stick
from dpstudio.privacy.sampling import NotDrawnError
from dpstudio.values.messages import Message, render

DATA = Dataset(pd.DataFrame({"x": [1.0, 2.0, 5.0], "c": ["a", "b", "b"]}), "t", digest="1" * 64)
ONE = Sensitivity(1.0, 1.0, 1.0)


def explored(kind: type[Additive], epsilon: float, delta: float) -> Any:
    lab: Any = lab_of(["explore", "query.where=x>1"])[0]
    return lab.with_(mechanism=kind(epsilon=epsilon, **({} if kind.pure else {"delta": delta})))


def compared(kind: type[Additive], epsilon: float, delta: float) -> Any:
    lab: Any = lab_of(["compare", "query.where=x>1", f"mechanisms={kind.key}|laplace"])[0]
    return lab.with_(focus=kind.key, epsilon=epsilon, delta=delta)


@pytest.mark.parametrize("kind", list(filter(leaves, MECHANISMS)), ids=lambda kind: kind.key)
def test_what_the_ledger_keeps_is_what_the_law_keeps(kind: type[Additive]) -> None:
    """The exact δ of the law at the ε that is kept, by brute force, is no larger than the δ that
    is; where the mechanism promises less, the sentence says what to choose, and nothing is
    drawn."""
    rng = random.Random(kind.key)
    ends = [(0.3, 1e-3), (5.0, 1e-5), (20.0, 0.1), (50.0, 0.4)]
    for epsilon, delta in (*ends, (rng.uniform(1, 15), 10 ** rng.uniform(-5, -0.5))):
        law = kind().at(epsilon, delta).law(ONE)
        true = hockey_stick(law, epsilon, 1.0, 100_001)
        broken = true > (0.0 if kind.pure else delta) * (1 + 1e-3) + 1e-9
        for made in (explored, compared):
            ledger = forgotten()
            if broken:
                with pytest.raises(StaysError, match="Choose Gaussian noise instead"):
                    leave(made(kind, epsilon, delta), DATA, ledger, LEAST)
                assert not ledger.path.exists() or not Book(ledger.path).state().of(BOOKED)
                continue
            left = leave(made(kind, epsilon, delta), DATA, ledger, LEAST)
            state = Book(ledger.path).state()
            (kept,) = map(state.priced, state.of(BOOKED))
            assert true <= kept.delta * (1 + 1e-3) + 1e-9
            assert float(kept.amount) == pytest.approx(epsilon)
            assert ("δ" in render(left.told[0])) == (kept.delta > 0)


def test_nothing_leaves_at_all_where_a_promise_is_broken() -> None:
    """The one door of all labs, whoever asks, and however it is broken."""
    for promise in (
        Guarantee(1.0, 0.0, False),
        Guarantee(20.0, 0.1, True, 0.98, Message("False.")),
    ):
        with pytest.raises(NotDrawnError, match="Choose"):
            forgotten().draws_of(DATA).draw(["x"], promise, lambda *given: 1)
    assert (
        forgotten().draws_of(DATA).draw(["x"], Guarantee(5.0, 0.1, False, 0.09), lambda *_: 1) == 1
    )


def test_reports_cost_what_they_claim() -> None:
    """No report of any protocol costs more than is booked of a survey."""
    for d in (2, 3, 7):
        for epsilon in (0.1, 1.0, 4.0):
            for kind in (*PROTOCOLS, *NUMBERS):
                made = kind().at(epsilon) or kind()
                if made.refuses(d) is None:
                    assert made.spent(d) <= made.claim * (1 + 1e-9), (kind, d)


def test_draws_are_told_and_added_with_their_delta() -> None:
    """Of a table: ε and δ of all that left of it; at a δ of 1 nothing is promised any longer."""
    ledger, told = forgotten(), []
    for i, cost in enumerate([(1.0, 0.1), (1.0, 0.4), (20.0, 0.01), (0.5, 0.0), (2.0, 0.5)]):
        draws = ledger.draws_of(DATA)
        draws.draw(["x", i], Guarantee(*cost), lambda *given: 1)
        told += map(render, draws.told)
    assert ": it costs ε = 1 with δ = 0.1. What is in another ledger, " in told[0]
    assert all("in the ledger of this machine: " in each for each in told)
    assert told[1].endswith("it costs ε = 1 with δ = 0.4, all of them together ε = 2 with δ = 0.5.")
    assert "together ε = 22 with δ = 0.51." in told[2]
    assert "it costs ε = 0.5, all of them together ε = 22.5 with δ = 0.51." in told[3]
    assert "nothing is promised any longer" in told[4]
    assert "it costs ε = 2 with δ = 0.5." in told[4]


def test_who_edits_a_file_is_told_that_its_draws_are_added_to_none(tmp_path: Path) -> None:
    """Another version of a file is another table to the ledger: where it says so first is where it
    counts from 0, and its words never call that all that left of these people."""
    ledger, path, told = forgotten(), tmp_path / "t.csv", []
    for last in ("1", "2"):
        path.write_text("x\n" + "5\n" * 9 + last + "\n")
        draws = ledger.draws_of(open_table(str(path)))
        draws.draw(["x"], Guarantee(1.0, 0.0), lambda *given: 1)
        told += map(render, draws.told)
    assert told[0] == told[1]
    assert "another version of it" in told[1]
    assert "is not known here, and adds to that" in told[1]
    assert "an edited file is another one" in lab_help(type(lab_of(["explore"])[0]))
