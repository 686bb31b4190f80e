"""Two neighbours told apart by a whole answer."""

import numpy as np

from dpstudio.privacy.neighbours.joint import added
from dpstudio.privacy.neighbours.listed import Listed


def test_losses_that_differ_in_the_middle_are_not_taken_for_the_same() -> None:
    """The repr of a long array leaves its middle out: two different losses were rounded as one."""
    losses, even = np.linspace(1, -1, 1200), np.full(1200, 1 / 1200)
    middle = even.copy()
    middle[300:320] *= 1.9
    middle[800:820] *= 0.1
    outside = even * np.exp(-losses)
    one, other = Listed(losses, even, outside), Listed(losses, middle, outside)
    assert repr(one) == repr(other)
    both = [added(pair).above(0.5)[0] for pair in ([one, other], [one, one], [other, other])]
    first, second = (np.convolve(a, b) for a, b in ((even, middle), (even, even)))
    sums = np.linspace(2, -2, 2399)
    assert abs(both[0] - first[sums > 0.5].sum()) < 2e-3
    assert abs(both[1] - second[sums > 0.5].sum()) < 2e-3
    assert both[1] < both[0] - 0.005 < both[2] - 0.01
