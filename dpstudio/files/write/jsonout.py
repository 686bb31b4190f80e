"""Findings as JSON: everything a lab found, with raw numbers beside the text that people read."""

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from dpstudio.charts.figure import Axis, Figure, Lanes, Layer
from dpstudio.labs.findings import Fact, Findings, Sentence, Table, table_beside
from dpstudio.labs.outcome import Outcome
from dpstudio.values.messages import Message, Num, Translate, raw, render, unchanged
from dpstudio.values.plurals import forms
from dpstudio.values.problem import Problem


def findings_json(findings: Findings, translate: Translate = unchanged) -> dict[str, Any]:
    """What `json.dumps(…, allow_nan=False)` takes. NaN and infinities become null; arrays become
    lists, row by row. There are `outcomes` only where the lab made any."""
    made = [_outcome(outcome, translate) for outcome in findings.outcomes]
    return {
        "figures": [_figure(figure, translate) for figure in findings.figures],
        "facts": [_fact(fact, translate) for fact in findings.facts],
        "sentences": [_sentence(sentence, translate) for sentence in findings.sentences],
        "tables": [_table(table, translate) for table in findings.tables],
        "headline": list(findings.headline),
        "problems": [_problem(problem, translate) for problem in findings.problems],
        "replays": plain_value(findings.replays),
        "truth": plain_value(findings.truth),
        **({"outcomes": made} if made else {}),
        **({"second": table_beside(findings.second)} if findings.second is not None else {}),
    }


def plain_value(value: Any) -> Any:
    """A value as JSON can hold it: numbers unrounded, messages as English text, what JSON does not
    know as its text."""
    if type(value) is float:  # most by far
        return value if math.isfinite(value) else None
    if isinstance(value, Num | Message | bool | str | int) or value is None:
        return raw(value)
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        held = value.astype(object)  # at once: charts hold thousands of numbers
        held[~np.isfinite(value)] = None
        return held.tolist()
    if isinstance(value, np.ndarray | np.generic):
        return plain_value(value.tolist())
    if isinstance(value, Mapping):
        return {str(key): plain_value(part) for key, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain_value(part) for part in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            part.name: plain_value(getattr(value, part.name)) for part in dataclasses.fields(value)
        }
    return str(value)


def _figure(figure: Figure, translate: Translate) -> dict[str, Any]:
    return {
        "key": figure.key,
        "title": render(figure.title, translate),
        "subtitle": render(figure.subtitle, translate),
        "x": _axis(figure.x, translate),
        "y": _axis(figure.y, translate),
        "layers": [_layer(layer, translate) for layer in figure.layers],
        **({"columns": _columns(figure.lanes, translate)} if figure.lanes is not None else {}),
        "notes": [render(note, translate) for note in figure.notes],
        "exact": figure.exact,
        "simulated": figure.simulated,
        "source": figure.source,
        "square": figure.square,
    }


def _columns(lanes: Lanes, translate: Translate) -> list[dict[str, Any]]:
    """The words beside lanes, in the order of the ticks of y."""
    return [
        {
            "head": render(column.head, translate),
            "cells": [render(cell, translate) for cell in column.cells],
        }
        for column in lanes.columns
    ]


def _axis(axis: Axis, translate: Translate) -> dict[str, Any]:
    return {
        "label": render(axis.label, translate),
        "log": axis.log,
        "range": plain_value(axis.range),
        "ticks": plain_value(axis.ticks),
        "hidden": axis.hidden,
    }


def _layer(layer: Layer, translate: Translate) -> dict[str, Any]:
    own = {part.name: plain_value(getattr(layer, part.name)) for part in dataclasses.fields(layer)}
    return {"kind": type(layer).__name__.lower(), **own, "label": render(layer.label, translate)}


def _fact(fact: Fact, translate: Translate) -> dict[str, Any]:
    return {
        "key": fact.key,
        "label": render(fact.label, translate),
        "text": render(fact.text, translate),
        "note": render(fact.note, translate),
        "value": plain_value(fact.value),
    }


def _sentence(sentence: Sentence, translate: Translate) -> dict[str, Any]:
    return {"key": sentence.key, "tone": sentence.tone, **_said(sentence.say, translate)}


def _said(message: Message, translate: Translate) -> dict[str, Any]:
    """The text of a message, its template and the raw values of its fields."""
    values = {key: plain_value(_number(value)) for key, value in message.values.items()}
    text, template = render(message, translate), forms(message.text).whole
    return {"text": text, "template": template, "values": values}


def _number(value: Any) -> Any:
    """So many of something, such as 12 rows, as the number alone."""
    counts = isinstance(value, Message) and value.text.startswith("{n} {n:")
    return value.values["n"] if counts and len(value.values) == 1 else value


def _table(table: Table, translate: Translate) -> dict[str, Any]:
    heads = dict(zip([name for name, _ in table.columns], table.heads, strict=False))
    columns = []
    for name, cells in table.columns:
        head = {"head": render(heads[name], translate)} if name in heads else {}
        columns.append({"name": name, **head, "values": [plain_value(cell) for cell in cells]})
    return {
        "key": table.key,
        "title": render(table.title, translate),
        "exact": table.exact,
        "simulated": table.simulated,
        "columns": columns,
    }


def _outcome(outcome: Outcome, translate: Translate) -> dict[str, Any]:
    return {
        "key": outcome.key,
        "title": render(outcome.title, translate),
        "exact": outcome.exact,
        "values": plain_value(outcome.to_json()),
    }


def _problem(problem: Problem, translate: Translate) -> dict[str, Any]:
    return {"field": problem.field, "stops": problem.stops, **_said(problem.say, translate)}
