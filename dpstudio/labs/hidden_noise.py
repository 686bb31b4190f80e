"""The noise of the one simulated answer that a reader is given where the exact one is hidden."""

import json
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from dpstudio.data.dataset import Dataset


def hidden_noise(
    data: Dataset, seed: int, stream: int, asked: Sequence[Any]
) -> np.random.Generator:
    """Noise that is other for every question, budget, table and reading of it: two answers with one
    noise could be subtracted."""
    text = json.dumps([*asked, data.digest, data.codebook.to_json()])
    return np.random.Generator(np.random.SFC64([seed, stream, zlib.crc32(text.encode())]))
