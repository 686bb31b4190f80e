"""The privacy statement of one training, as the field prints it."""

from dpstudio.privacy.learning.sampled_training import Plan
from dpstudio.privacy.learning.training_promise import Promise, promise_of
from dpstudio.values.messages import N_, Message, Num, of_source, say

NOT_COVERED = N_(
    "Not covered: settings that were chosen by looking at these rows or at scores, bounds and "
    "words that come from the data, and scores on the test part, which are exact."
)


def promised(plan: Plan, delta: float) -> Promise:
    """What the plan promises at δ to one person who joins or leaves."""
    return promise_of(plan.noise, plan.chance, plan.steps, delta)


def statement(
    plan: Plan, delta: float, *, persons: bool, public: bool = True
) -> tuple[Message, ...]:
    """Unit and neighbours, sampling, noise, (ε, δ) with its accountant, and what is not covered; of
    `persons` with all of their rows, or of rows that are a person each. Whether the plan's number
    of people is a `public` guess, or theirs."""
    found = promised(plan, delta)
    unit = (
        N_("Unit: one person with all of their rows, who joins or leaves (add/remove).")
        if persons
        else N_("Unit: one row, which joins or leaves (add/remove). Who has more rows has less.")
    )
    noise = N_(
        "Noise: every gradient is clipped to length {clip}; Gaussian noise of deviation "
        "{deviation} is added to their sum (noise multiplier {noise})."
    )
    promise = N_(
        "Promise: ε = {epsilon} with δ = {delta} for one run of training, all steps seen, by the "
        "{accountant} ({source})."
    )
    return (
        say(unit),
        _sampling(plan, public=public),
        say(
            noise,
            clip=Num(plan.clip, 4),
            deviation=Num(plan.deviation, 4),
            noise=Num(plan.noise, 4),
        ),
        say(
            promise,
            epsilon=Num(found.epsilon, 4, "up"),
            delta=Num(found.delta, 3, "up"),
            accountant=Message(found.accountant.label),
            source=of_source(found.accountant.source),
        ),
        say(NOT_COVERED),
    )


def _sampling(plan: Plan, *, public: bool) -> Message:
    sampling = N_(
        "Sampling: in each of {steps} {steps:step|steps} everybody is drawn with chance {chance}, "
        "on their own (Poisson): {batch} on average if they are {people}, a public guess. This "
        "counts while nobody learns who was drawn."
    )
    if not public:
        sampling = N_(
            "Sampling: in each of {steps} {steps:step|steps} everybody is drawn with chance "
            "{chance}, on their own (Poisson): {batch} on average if they are {people}, which "
            "comes from the rows and is not public. This counts while nobody learns who was drawn."
        )
    return say(
        sampling,
        steps=Num(plan.steps),
        chance=Num(plan.chance, 4),
        batch=Num(plan.batch),
        people=Num(plan.people),
    )
