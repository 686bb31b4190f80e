"""What goes from lab to lab, from `Parameters` to `Parameters` and from table to table, and what must not."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from conftest import Open
from hand import facts, save, settle
from pytestqt.qtbot import QtBot

from dpstudio.data.dataset import Dataset
from dpstudio.files.tables import open_table
from dpstudio.gui.shell.studio import Studio
from dpstudio.gui.state.snapshot import first_state
from dpstudio.gui.state.store import Store
from dpstudio.labs.carry_over import budget
from dpstudio.labs.naming import every_lab
from dpstudio.labs.promise.printed.listings import ERRATA
from dpstudio.values.domains import Choice
from dpstudio.values.parameters import domains, find

LABS = every_lab()

TABLES = {
    "words": "colour,size\n" + "red,S\nblue,L\n" * 40,
    "numbers": "age,pay\n" + "".join(f"{20 + i % 50},{i}\n" for i in range(200)),
    "votes": "class,water\n" + "rep,yes\ndem,no\ndem,yes\n" * 30,
}


@pytest.fixture
def store(qapp: object, adult: Dataset) -> Store:
    """A store of its own, with the first table open."""
    store = Store()
    store.open_table(adult)
    return store


@pytest.fixture
def tables(tmp_path: Path) -> dict[str, Any]:
    for name, text in TABLES.items():
        (tmp_path / f"{name}.csv").write_text(text)
    return {name: open_table(str(tmp_path / f"{name}.csv")) for name in TABLES}


def lab(store: Store, key: str = "") -> Any:
    return store.state.held(key or store.state.active)


# From `Parameters` to `Parameters`


@pytest.mark.parametrize("flag", [True, False])
def test_a_flag_of_the_lab_is_none_of_its_question(store: Store, flag: bool) -> None:
    store.activate("selection")
    store.set("monotone", flag)
    store.choose("query", "typed")
    assert lab(store).query.monotone is False
    assert lab(store).monotone is flag
    store.set("query.monotone", True)
    store.set("query.sensitivity", 2.5)
    store.choose("query", "most_common")
    store.choose("query", "typed")
    assert (lab(store).query.monotone, lab(store).query.sensitivity, lab(store).monotone) == (
        True,
        2.5,
        flag,
    )


def test_errata_share_nothing(store: Store) -> None:
    store.activate("printed")
    moved = {}
    for kind in ERRATA:
        store.choose("erratum", kind.key)
        assert lab(store).erratum == kind(), "an erratum opens as it starts"
        for name, domain in [*domains(kind).items()][:1]:  # some of a table have none
            other = [*domain.options][-1] if isinstance(domain, Choice) else domain.at(0.37)  # type: ignore[attr-defined]
            store.set(f"erratum.{name}", other)
        moved[kind.key] = lab(store).erratum
    for kind in ERRATA:
        store.choose("erratum", kind.key)
        assert lab(store).erratum == moved[kind.key], "and comes back as it was left"


def test_mechanisms_and_questions_share_what_they_have_in_common(store: Store) -> None:
    store.set("mechanism.epsilon", 0.7)
    store.choose("mechanism", "gaussian")
    store.set("mechanism.delta", 1e-7)
    for key in ("laplace", "staircase", "gaussian"):
        store.choose("mechanism", key)
        assert lab(store).mechanism.epsilon == 0.7
    assert lab(store).mechanism.delta == 1e-7
    store.choose("query", "mean")
    store.set("query.column", "hours-per-week")
    store.choose("query", "count")
    store.choose("query", "sum")
    assert (lab(store).query.column, str(lab(store).query.where)) == ("hours-per-week", "age > 50")


# From lab to lab


def test_the_budget_goes_from_noise_to_noise(store: Store) -> None:
    """A choice by scores spends on another scale: it neither takes ε over nor gives its own."""
    store.set("mechanism.epsilon", 0.2)
    start = find(LABS, "selection")()
    store.activate("selection")
    assert lab(store).mechanism == start.mechanism  # type: ignore[attr-defined]
    store.set("mechanism.epsilon", 3.0)
    for key in ("sensitivity", "printed", "clipping"):
        store.activate(key)
        assert budget(lab(store)).get("epsilon") in (0.2, None), key
    store.set("mechanism.epsilon", 0.4)
    store.activate("printed")
    for key in ("compare", "dimension"):
        store.activate(key)
        assert lab(store).epsilon == 0.4, key
    store.activate("explore")
    assert lab(store).mechanism.epsilon == 0.2
    assert lab(store, "selection").mechanism.epsilon == 3.0


def test_a_question_is_carried_past_a_lab_that_asks_none(store: Store) -> None:
    store.choose("query", "mean")
    store.set("query.column", "hours-per-week")
    store.activate("dimension")
    store.activate("compare")
    assert lab(store).query == lab(store, "explore").query


# Sessions


def test_labs_that_were_opened_come_back_as_they_were(
    studio: Studio, open_another: Open, tmp_path: Path, qtbot: QtBot
) -> None:
    path, store = tmp_path / "a.dpstudio", studio.store
    start = find(LABS, "compare")()
    studio.show_page("compare")
    store.set("epsilon", start.epsilon)  # type: ignore[attr-defined]
    assert lab(store) == start  # opened, and by chance as it starts
    studio.show_page("explore")
    store.set("mechanism.epsilon", 0.7)
    settle(qtbot, studio)
    save(studio, path)
    again = open_another(str(path))
    assert again.store.state == store.state
    again.show_page("compare")
    assert lab(again.store) == start
    again.show_page("dimension")  # this one was never opened
    assert lab(again.store).epsilon == start.epsilon  # type: ignore[attr-defined]


def test_an_old_session_keeps_what_is_not_as_it_starts(
    studio: Studio, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "a.dpstudio"
    studio.show_page("dimension")
    studio.store.set("k", 77)
    studio.show_page("explore")
    studio.store.set("mechanism.epsilon", 0.7)
    settle(qtbot, studio)
    save(studio, path)
    held, data = json.loads(path.read_text()), studio.store.data
    assert data is not None
    for view in ({}, {"opened": "nonsense"}, {"opened": ["no such lab", 3, "dimension"]}):
        held["view"] = view
        path.write_text(json.dumps(held))
        studio.store.open_session(first_state(), data.whole, ())  # as in a window of its own
        studio.open(str(path))
        settle(qtbot, studio)
        studio.show_page("dimension")
        assert (lab(studio.store).k, lab(studio.store).epsilon) == (77, 0.1)


# From table to table


def test_a_table_that_comes_back_finds_its_labs(store: Store, tables: dict[str, Any]) -> None:
    store.activate("selection")
    store.set("confidence", 0.9)
    store.activate("explore")
    store.set("mechanism.epsilon", 0.3)
    adult = store.state
    store.open_table(tables["words"])
    assert lab(store).query.where.proposed
    store.set("mechanism.epsilon", 5.0)
    store.activate("dimension")
    store.set("k", 55)
    store.activate("compare")
    store.open_table(open_table("adult"))
    assert store.state.active == "compare"
    assert [lab(store, key) for key in ("explore", "selection")] == [
        adult.held(key) for key in ("explore", "selection")
    ]
    assert lab(store).epsilon == 0.3  # it was never opened on this table
    assert lab(store, "dimension").k == 55  # it reads no table
    assert not store.history.canUndo()
    store.open_table(tables["words"])
    assert lab(store, "explore").mechanism.epsilon == 5.0


def test_what_one_table_forced_is_not_asked_of_the_next(
    store: Store, tables: dict[str, Any]
) -> None:
    store.activate("selection")
    store.activate("explore")
    store.choose("query", "mean")
    store.open_table(tables["words"])
    assert lab(store).query.key == "count"
    store.set("mechanism.epsilon", 0.3)
    store.open_table(tables["numbers"])
    assert (lab(store).query.key, str(lab(store).query.where), lab(store).mechanism.epsilon) == (
        "mean",
        "age > 50",
        0.3,
    )


def test_selection_is_not_stuck_on_typed_scores(
    store: Store, tmp_path: Path, tables: dict[str, Any]
) -> None:
    path = tmp_path / "dates.parquet"
    pd.DataFrame({"day": pd.date_range("2020-01-01", periods=5)}).to_parquet(path)
    store.activate("selection")
    store.open_table(open_table(str(path)))
    forced = lab(store).query.key
    store.open_table(tables["votes"])
    assert (forced, lab(store).query.key, lab(store).query.column) == (
        "typed",
        "most_common",
        "class",
    )
    store.choose("query", "typed")
    store.open_table(tables["words"])
    assert lab(store).query.key == "typed"  # this time a person asked for it


def test_tables_are_changed_in_the_window(studio: Studio, tmp_path: Path, qtbot: QtBot) -> None:
    for where in ("house_votes_84", "adult"):
        studio.open(where)
        settle(qtbot, studio)
    assert facts(studio)["True answer"] == "6,460"
    assert str(lab(studio.store).query.where) == "age > 50"
