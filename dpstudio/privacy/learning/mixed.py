"""People who choose an ε of their own: estimates of each group with one ε, and how they are put
together.

By head count every group counts with its people: unbiased whatever the groups are like, for the
counts of disjoint groups add up. By inverse variance groups with a small ε hardly count: less noise
where the groups are alike, and wrong where they are not, for then who chose a small ε is left out.
It assumes that ε does not depend on the answer.
"""

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


def combined(
    sums: Numbers, people: Numbers, variances: Numbers, *, by_variance: bool
) -> tuple[Numbers, Numbers]:
    """The sum over all groups and its variance for a value that nobody holds, from estimated sums
    (seeds, groups, …), how many people of each group report, and the variance of one report of
    such a value; both broadcast. The axis of groups is the second one and is summed up."""
    if not by_variance:
        return sums.sum(axis=1), (people * variances).sum(axis=1)
    everyone, weight = people.sum(axis=1), (people / variances).sum(axis=1)
    weight = np.maximum(weight, np.finfo(np.float64).tiny)
    return everyone * (sums / variances).sum(axis=1) / weight, everyone**2 / weight
