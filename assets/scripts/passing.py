"""From where on something holds, of values that were tried."""

import numpy as np


def first_passing(values, holds, own, fits):
    """Of increasing values that were tried, and the one in use, the first from which on it holds at
    all; None where it does not hold at the last."""
    order = np.argsort(np.append(values, own), kind="stable")
    values, holds = np.append(values, own)[order], np.append(holds, fits)[order]
    wrong = np.flatnonzero(np.logical_not(holds))
    first = wrong[-1] + 1 if len(wrong) else 0
    return values[first] if first < len(values) else None
