"""Who sees what under each way to trust, and who may do what on a platform of many owners."""

from dpstudio.values.messages import N_

# Under each way to trust, what the one who collects, the others in the room, and everyone see.
SEES: tuple[tuple[str, str, str, str], ...] = (
    (
        N_("A trusted collector"),
        N_("every answer"),
        N_("nothing"),
        N_("the published number, with a little noise"),
    ),
    (
        N_("Noise added together"),
        N_("the sum with its noise, if the key holder is apart"),
        N_("their own part of the noise"),
        N_("the published number, with a little noise"),
    ),
    (
        N_("A shuffler between"),
        N_("every report, but not whose it is"),
        N_("nothing"),
        N_("the published number, with some noise"),
    ),
    (
        N_("Nobody: this room"),
        N_("every noisy report, and when it came"),
        N_("that a phone sent; by HTTP also what"),
        N_("the published number, with much noise"),
    ),
)

# The policy: subject × operation, on the owner's table or, for a maker, on the own algorithm.
ALLOWED = {
    ("owner", "grant"),
    ("owner", "watch"),
    ("owner", "query"),
    ("owner", "run"),
    ("owner", "rows"),
    ("provider", "answer"),
    ("user", "query"),
    ("user", "run"),
    ("maker", "submit"),
}
# The texts' rule lets providers set rules with what they hand in, and watch what runs on it.
TOLD = ALLOWED | {("provider", "grant"), ("provider", "watch")}


def allowed(rule: str, role: str, operation: str) -> bool:
    """Whether a role may do that under the rule that owners alone set, or under the texts'."""
    return (role, operation) in (TOLD if rule == "texts" else ALLOWED)
