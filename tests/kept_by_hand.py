"""Which rows of a person are kept, worked out row by row."""

import struct
from hashlib import md5
from typing import Any

import pandas as pd


def kept_by_hand(frame: pd.DataFrame, person: str, most: int) -> list[int]:
    """The rule, row by row: of those of a person the first by their MD5."""

    def text(value: Any) -> str:
        if value is None or value is pd.NaT or value != value:
            return ""
        if isinstance(value, str):
            return f"{len(value)}:{value}"
        if isinstance(value, pd.Timestamp):
            midnight = value == value.normalize()
            return f"{value:%Y-%m-%d}" if midnight else f"{value:%Y-%m-%dT%H:%M:%S.%f}"
        if abs(value) < 2**53 and value == int(value):
            return f"{int(value)}"
        return struct.pack(">d", value).hex()

    said = [
        md5("\x1f".join(map(text, (row[person], *row))).encode()).digest()
        for _, row in frame.astype(object).iterrows()
    ]
    whose: dict[str, list[int]] = {}
    for row in sorted(range(len(frame)), key=lambda row: said[row]):
        if name := text(frame[person].iloc[row]):
            whose.setdefault(name, []).append(row)
    return sorted(row for rows in whose.values() for row in rows[:most])
