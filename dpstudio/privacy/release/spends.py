"""A release as the accountants read it."""

from dataclasses import replace

from dpstudio.privacy.accounting import Spend
from dpstudio.privacy.release.release import Release
from dpstudio.privacy.release.sharing import number_of_vector
from dpstudio.values.messages import Message


def spends(release: Release) -> tuple[Spend, ...]:
    """What one person may touch of a release: one vector where its measurements are calibrated as
    one, else each of them by its noise and how far that person moves it. The words of a sensitivity
    are left out, so that equal releases are equal."""
    shared = release.shared
    if shared.as_one:
        return (Spend.of(shared.mechanism, number_of_vector(1.0)),)
    return tuple(
        Spend.of(mechanism, replace(sensitivity, why=Message("")))
        for mechanism, sensitivity in shared.noises
    )
