"""Tables that somebody has: of a row or two, of one value, without values, of nothing but names, of
numbers at the ends of what floats hold."""

import numpy as np
import pandas as pd

NAN = float("nan")
HARDLY = {
    "no rows": pd.DataFrame({"x": pd.Series([], dtype="float64"), "c": pd.Series([], dtype="str")}),
    "words": pd.DataFrame({"c": ["a", "b", "b"]}),
    "numbers": pd.DataFrame({"x": [1.5, 2.5, 9.0, NAN]}),
    "missing": pd.DataFrame({"x": [NAN, NAN], "c": [None, None]}),
    "one row": pd.DataFrame({"x": [3], "c": ["a"]}),
    "dates": pd.DataFrame({"d": pd.to_datetime(["2020-01-01", "2020-01-02"])}),
}


def odd_tables() -> dict[str, pd.DataFrame]:
    """Over forty of them by name."""
    rng, n = np.random.default_rng(3), 60
    age, pay = rng.integers(17, 91, n).astype(float), np.round(rng.lognormal(9, 2, n), 2)
    sex, job = rng.choice(["F", "M"], n), rng.choice(["a", "b", "c"], n)
    ones, none, days = np.ones(n), np.full(n, NAN), pd.to_datetime(["2020-01-01", "2020-01-02"])
    front, back = np.arange(n) < n // 2, np.arange(n) >= n // 2
    few, many = rng.normal(size=(10, 2)), rng.normal(size=(400, 2))
    columns: dict[str, dict[str, object]] = {
        "last constant": {"age": age, "pay": pay, "same": 4 * ones},
        "last constant, whole": {"age": age, "pay": pay, "same": np.full(n, 4)},
        "last constant but once": {"age": age, "pay": pay, "same": np.append(4 * ones[1:], 5)},
        "last nearly missing": {"age": age, "pay": pay, "rare": np.append(none[2:], (1, 2))},
        "last known once": {"age": age, "pay": pay, "rare": np.append(none[1:], 1)},
        "all constant": {"a": ones, "b": 2 * ones, "c": ["x"] * n},
        "constant words": {"a": ["x"] * n, "b": ["y"] * n},
        "constant numbers": {"a": ones, "b": 2 * ones},
        "constant among words": {"w": job, "x": 2 * ones},
        "constant class": {"x": many[:, 0], "class": np.ones(400, dtype=int)},
        "constant first": {"a": 4 * ones, "age": age, "c": sex},
        "one row of numbers": {"a": [3.0], "b": [4.0]},
        "two rows": {"a": [3.0, 4.0], "b": ["x", "y"]},
        "two rows alike": {"a": [3.0, 3.0], "b": ["x", "x"]},
        "three rows": {"a": [3.0, 5.0, 9.0], "b": [1.0, 2.0, 3.0]},
        "five rows": {"a": [3.0, 5, 9, 1, 2], "b": [1.0, 2, 3, 1, 2], "c": list("xyxyx")},
        "ten rows": {"a": few[:, 0], "b": few[:, 1], "c": list("xyxyxxyyxy")},
        "all missing": {"a": none, "b": [None] * n},
        "all missing but one": {"a": none, "b": age},
        "never together": {"a": np.where(front, age, NAN), "b": np.where(back, age, NAN), "c": sex},
        "one class together": {"a": np.where(front, age, NAN), "c": np.where(front, "x", "y")},
        "distinct words": {"id": [f"p{i}" for i in range(n)], "name": [f"q{i}" for i in range(n)]},
        "many distinct words": {"id": [f"p{i}" for i in range(400)], "x": many[:, 0]},
        "two hundred classes": {"c": [f"k{i % 200}" for i in range(400)], "x": many[:, 0]},
        "distinct numbers": {"id": np.arange(n), "x": age},
        "one column of numbers": {"x": age},
        "one column of words": {"x": sex},
        "one column, constant": {"x": ones},
        "dates and numbers": {"d": np.tile(days, n // 2), "x": age},
        "last rows alike": {"age": np.arange(n), "y": np.where(front, np.arange(n), 7)},
        "rare class": {"age": age, "c": ["x"] * (n - 1) + ["y"]},
        "far": {"a": rng.choice([-1e300, 1e300, 0.0], n), "b": age},
        "as far as floats go": {"a": np.append(age[1:], 1e308), "b": age},
        "near 0": {"a": age * 1e-300, "b": pay},
        "nearly alike": {"a": age, "b": 1e15 + age},
        "long whole numbers": {"a": 10**15 + np.arange(n), "b": sex},
        "yes and no": {"a": rng.random(n) < 0.5, "b": rng.random(n) < 0.5},
        "always yes": {"a": ones > 0, "b": age},
        "nearly all 0": {"a": np.append(0 * ones[1:], 1), "b": np.append(0 * ones[1:], 1)},
        "thrice the same": {"a": age, "b": age, "c": age},
        "empty words": {"a": [""] * n, "b": age},
        "numbers among words": {"a": ["1", "x", "2.5", None] * (n // 4), "b": age},
        "long words": {"a": ["w" * 3000, "v" * 3000] * (n // 2), "b": age},
        "odd names": {"a|b": age, "`c`": sex, "c,d": job},
        "many columns": {f"c{i}": rng.normal(size=30) for i in range(40)},
        "all rows alike": {"a": ones[:30], "b": 2 * ones[:30], "c": ["x"] * 30, "d": ["y"] * 30},
    }
    return HARDLY | {name: pd.DataFrame(held) for name, held in columns.items()}


def peoples_tables() -> dict[str, pd.DataFrame]:
    """Twenty of them by name, as people bring them: with names, numbers of persons, places, weights
    and notes before, between and after what says something."""
    rng, n = np.random.default_rng(5), 240
    age, sex = rng.integers(18, 90, n), rng.choice(["f", "m"], n)
    cost, days = np.round(rng.gamma(2, 200, n), 2), rng.integers(0, 30, n)
    diagnosis = rng.choice(["I10", "E11", "J45", "F32"], n)
    running, patient = np.arange(1, n + 1), 5_000 + rng.integers(0, n // 3, n)
    words = [f"q{i:04}-{i * 7919 % 9973}" for i in range(n)]
    note = [f"Case {i}: came in with a cough and left on day {i % 9}" for i in range(n)]
    code = rng.integers(80_000, 89_999, n)
    when = pd.to_datetime("2023-01-01") + pd.to_timedelta(rng.integers(0, 700, n), unit="D")
    team, scale = rng.choice(["red", "blue", "green"], n), rng.integers(1, 6, n)
    tables: dict[str, dict[str, object]] = {
        "visits": {"Patient ID": patient, "Visit date": when, "Age": age, "Gender": sex}
        | {"Postcode": code, "Diagnosis": diagnosis, "Cost": cost, "Notes": note},
        "Besuche": {"Patientennr": patient, "Alter": age, "Geschlecht": sex, "PLZ": code}
        | {"Diagnose": diagnosis, "Kosten": cost, "Bemerkung": note},
        "number of rows first": {"id": running, "age": age, "sex": sex, "pay": cost},
        "number of rows last": {"age": age, "sex": sex, "pay": cost, "id": running},
        "names first": {"name": words, "age": age, "team": team, "score": scale},
        "names last": {"age": age, "team": team, "score": scale, "name": words},
        "notes last": {"age": age, "class": team, "days": days, "comment": note},
        "notes first": {"comment": note, "age": age, "team": team, "days": days},
        "weighted": {"weight": cost, "age": age, "sex": sex, "answer": scale},
        "gewichtet": {"Gewicht": cost, "Alter": age, "Partei": team, "Skala": scale},
        "of a body": {"age": age, "height": 150 + days, "weight": 50 + days, "sex": sex},
        "places first": {"zip": code, "city": team, "age": age, "income": cost},
        "places last": {"age": age, "income": cost, "sex": sex, "zip": code},
        "dates first": {"born": when, "seen": when, "days": days, "outcome": team},
        "label first": {"class": team, "a": cost, "b": days, "c": age},
        "label between": {"a": cost, "target": sex, "b": days, "uuid": words},
        "answers": {f"q{i}": rng.integers(1, 6, n) for i in range(8)},
        "yes or no": {f"q{i}": rng.choice(["yes", "no"], n) for i in range(6)},
        "phones": {"phone": 10**9 + running * 7919, "team": team, "days": days, "sex": sex},
        "two numbers of persons": {"household": patient, "person": running, "age": age}
        | {"Einkommen": cost, "Beruf": team},
    }
    return {name: pd.DataFrame(held) for name, held in tables.items()}
