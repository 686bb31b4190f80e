"""Between which ends an answer can lie that is published, and what may be read from one."""

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.privacy.queries.query import MeasuredQuestion
from dpstudio.privacy.release.postprocessed_law import BOTH, CLAMP, NONE, ROUND

# What is left of a way to work on an answer where it is not clamped.
UNCLAMPED = {NONE: NONE, CLAMP: NONE, ROUND: ROUND, BOTH: ROUND}


def published_limits(asked: MeasuredQuestion, post_processing: str) -> tuple[Array, Array]:
    """The least and the most that each coordinate of a published answer can be, whatever the noise
    and the table; shape (coordinates,) each."""
    low, high = (np.full(len(asked.truth), end) for end in (-np.inf, np.inf))
    if not asked.linear:
        low, high = asked.limits
    if post_processing in (CLAMP, BOTH):
        low, high = np.maximum(low, 0.0), np.maximum(high, 0.0)
    return low, high


def reading_limits(asked: MeasuredQuestion, post_processing: str) -> tuple[Array, Array]:
    """The same of what a published answer may tell of the exact one: that may lie where nothing is
    published, as a sum below 0 does whose answer is clamped."""
    low, high = published_limits(asked, post_processing)
    least, most = asked.limits
    return np.minimum(low, least), np.maximum(high, most)
