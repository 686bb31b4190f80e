"""Parameters that several labs have. By their names, and by what they may hold, a lab takes them
over from those that were opened before."""

from typing import Any

from dpstudio.privacy.mechanisms import MECHANISMS
from dpstudio.privacy.queries import ADD_REMOVE, ADJACENCIES, QUERIES
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.release.postprocessed_law import AFTER
from dpstudio.values.fields import choice, flag, real
from dpstudio.values.messages import N_
from dpstudio.values.parameters import Choice, Integer, OneOf, Parameters, Real, param

MEASURES = {
    "half_width": N_("Half-width"),
    "mean_abs": N_("Mean absolute error"),
    "rmse": N_("Root mean square error"),
}


def query(default: Parameters | None = None) -> Any:
    """The question: a `Parameters` of the catalogue of queries."""
    return param(default or Count(), OneOf(N_("Question"), family=lambda: QUERIES))


def mechanism(default: Parameters) -> Any:
    """The mechanism that adds noise: a `Parameters` of the catalogue."""
    return param(default, OneOf(N_("Mechanism"), family=lambda: MECHANISMS))


def adjacency() -> Any:
    """Which tables are neighbours."""
    return param(
        ADD_REMOVE,
        Choice(
            N_("Neighbours"),
            N_(
                "Which tables must look alike: those that differ by one person more or less, or by "
                "one replaced."
            ),
            options=ADJACENCIES,
            editor="elsewhere",  # in the top bar, for all labs
        ),
    )


def confidence(
    help: str = N_("The share of answers that an interval keeps."), plays: tuple[Any, ...] = ()
) -> Any:
    """The share that an interval keeps, from a half to 99.9 %."""
    domain = Real(N_("Confidence"), help, low=0.5, high=0.999, percent=True)
    return param(0.95, domain, active_when=plays)


def measure(help: str = N_("How error is summed up."), default: str = "half_width") -> Any:
    """How error is summed up."""
    return choice(default, N_("Error"), help, options=MEASURES, own=True)


def wanted(help: str) -> Any:
    """How much of what can be learnt is wanted."""
    return real(0.9, N_("Wanted"), help, low=0.05, high=0.99, percent=True, own=True)


def at_epsilon() -> Any:
    """The ε at which the δ of what is looked at is asked for."""
    return real(
        1.0,
        N_("δ at ε"),
        N_("The δ of the whole is worked out at this ε as well."),
        low=0.001,
        high=10_000,
        log=True,
        own=True,
        look=True,
    )


def post_processing() -> Any:
    """What is done to a noisy answer before it is published."""
    return choice(
        "none",
        N_("Publish"),
        N_("What is done to the noisy answer: it costs no privacy, but it biases the answer."),
        options=AFTER,
    )


def part(
    help: str = N_(
        "Which part of a vector is looked at closely, counted from 0; −1 is the largest."
    ),
) -> Any:
    """Which coordinate of an answer is looked at closely."""
    return param(-1, Integer(N_("Part"), help, low=-1, high=999, editor="coordinate"), look=True)


def largest() -> Any:
    """Whether errors are those of the worst coordinate."""
    return flag(
        False,
        N_("Largest error"),
        N_("The largest error over all parts at once (a simultaneous interval)."),
    )


def trials(
    default: int,
    help: str,
    low: int,
    high: int,
    label: str = N_("Trials"),
    plays: tuple[Any, ...] = (),
) -> Any:
    """How many draws stand for a law."""
    domain = Integer(label, help, low=low, high=high, log=True)
    return param(default, domain, own=True, in_caption=True, active_when=plays)


def seed(help: str = N_("The same seed draws the same noise."), plays: tuple[Any, ...] = ()) -> Any:
    """What the draws for looking come from."""
    domain = Integer(N_("Seed"), help, low=0, high=2**62)
    return param(1, domain, own=True, in_caption=True, active_when=plays)


def show_truth(
    help: str = N_(
        "Hides it on this screen. What is saved then is drawn anew, with noise from the system."
    ),
    label: str = N_("Show the exact answer"),
    plays: tuple[Any, ...] = (),
) -> Any:
    """Whether exact answers may be shown."""
    return flag(True, label, help, look=True, active_when=plays)
