"""The strip, sentences and tables of a survey in the room."""

from collections.abc import Iterator

from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.local_curves import at_confidence
from dpstudio.labs.nobody.room import invented, telling
from dpstudio.labs.nobody.room import model as room
from dpstudio.labs.nobody.room.parameters import OPERATIONS, ROLES, LiveRoom
from dpstudio.labs.nobody.room.telling import amount, counts, looked_at, spread, wanted
from dpstudio.labs.winners import factor, level
from dpstudio.privacy.local.protocol import odds_factor
from dpstudio.privacy.room import Estimate
from dpstudio.privacy.room.reports import ASSUMES
from dpstudio.values.messages import N_, Message, Num, say


def facts(model: room.RoomModel) -> Iterator[Fact]:
    """What the room says, how sure that is, how many more it takes, and what each gives away."""
    whole, confidence = model.whole, at_confidence(model.lab.confidence)
    if whole is not None:
        width, (low, high) = room.half(model, whole), room.ends(model, whole)
        found = [room.value(model, whole), low, high]
        name = say("Estimate · {what}", what=looked_at(model, room.place(model)))
        text = say("{x}", x=amount(model, found[0], width))
        span = say("{n} {n:report|reports}", n=Num(whole.n))
        yield Fact("estimate", name, text, span, "answer", found)
        text = say("± {x}", x=spread(model, width, "up"))
        yield Fact("half", say("At {x}", x=confidence), text, _span(model, whole), value=width)
    text, span = say("{n}", n=Num(room.more(model))), say("for ± {aim}", aim=wanted(model.lab))
    yield Fact("more", say("More people"), text, span, "accent", room.more(model))
    spent = telling.largest(model)
    odds = say("odds × {x} at most", x=odds_factor(telling.most(model).epsilon))
    yield Fact("told", say("One report"), say("ε {x}", x=Num(spent, 3, "up")), odds, value=spent)


def _span(model: room.RoomModel, whole: Estimate) -> Message:
    low, high = room.ends(model, whole)
    width = room.half(model, whole)
    return say(
        "{low} to {high}",
        low=amount(model, low, width, "down"),
        high=amount(model, high, width, "up"),
    )


def headline(model: room.RoomModel) -> tuple[str, ...]:
    """The sentences above the charts."""
    return ("estimate", "rough", "more", "told") if model.whole is not None else ("waits", "more")


def sentences(model: room.RoomModel) -> Iterator[Sentence]:
    """What the pictures say, in words."""
    yield _more(model)
    yield _told(model)
    whole = model.whole
    if whole is None:
        yield _waits(model)
    else:
        yield _estimate(model, whole)
        yield from _holds(model, whole)
        yield from _weighted(model)
        yield _trusted(model)
    yield _moved(model)
    yield _misled()
    yield Sentence("rows", say(_ROOM))
    yield _allowed(model)
    if room.rounds(model) > 1:
        text = N_(
            "The question was asked {n} times: who answered again counts again, and spent ε again."
        )
        yield Sentence("rounds", say(text, n=Num(room.rounds(model))), "warn")
    if model.unread:
        text = N_(
            "{n} {n:row is left out: no phone can have sent it as an answer|rows are left out: no "
            "phone can have sent them as answers} to this question."
        )
        yield Sentence("unread", say(text, n=Num(model.unread)), "warn")
    if model.invented is not None:
        text = N_("These reports are invented; nobody was asked.")
        yield Sentence("invented", say(text))


_ROOM = N_(
    "The room is all that is asked about: the interval holds the noise of the phones, and nothing "
    "of who is not in the room."
)


def _more(model: room.RoomModel) -> Sentence:
    values = {
        "aim": wanted(model.lab),
        "confidence": at_confidence(model.lab.confidence),
        "more": Num(room.more(model)),
    }
    if model.whole is None:
        text = N_(
            "± {aim} at {confidence} takes {more} {more:person|people}, if all choose the smallest "
            "ε."
        )
        return Sentence("more", Message(text, values))
    if not room.more(model):
        text = N_("The room is known to ± {aim} at {confidence}: nobody more is needed.")
        return Sentence("more", Message(text, values), "good")
    text = N_(
        "± {aim} at {confidence} takes {more} more {more:person who chooses|people who choose} ε "
        "as these did."
    )
    return Sentence("more", Message(text, values))


def _told(model: room.RoomModel) -> Sentence:
    tells = telling.most(model)
    text = N_(
        "One report at the largest ε moves nobody’s odds by more than × {odds}: of 100 even "
        "guesses between two answers on average at most {right} {right:is|are} right."
    )
    odds = odds_factor(tells.epsilon)
    return Sentence("told", say(text, odds=odds, right=Num(telling.guesses(model))))


def _waits(model: room.RoomModel) -> Sentence:
    text = N_("No report of this question has arrived.")
    if isinstance(model.lab.reports, LiveRoom):
        text = N_(
            "No report of this question has arrived: ask it in a room, or wait for the first."
        )
    return Sentence("waits", Message(text))


def _estimate(model: room.RoomModel, whole: Estimate) -> Sentence:
    width = room.half(model, whole)
    text = N_(
        "{n} {n:report says|reports say} {x} {what}, ± {half} at {confidence} if all threw coins."
    )
    if counts(model):
        text = N_(
            "{n} {n:report says|reports say} {x} on average, ± {half} at {confidence} if all threw "
            "coins."
        )
    values = {
        "n": Num(whole.n),
        "x": amount(model, room.value(model, whole), width),
        "what": looked_at(model, room.place(model)),
        "confidence": at_confidence(model.lab.confidence),
        "half": spread(model, width, "up"),
    }
    return Sentence("estimate", Message(text, values))


def _holds(model: room.RoomModel, whole: Estimate) -> Iterator[Sentence]:
    if room.at_once(model.lab) > 1:
        text = N_(
            "The reports themselves tell which option is the largest: the interval is wide enough "
            "that those of all {n} {n:option|options} hold at once."
        )
        yield Sentence("largest", say(text, n=Num(room.at_once(model.lab))))
    if whole.n < room.ROUGH:
        text = N_(
            "With fewer than {n} {n:report|reports} an interval is rough: it may hold less often "
            "than it says."
        )
        yield Sentence("rough", say(text, n=Num(room.ROUGH)))
    elif room.rough(model):
        text = N_(
            "At so large an ε the coins change too few of {n} {n:report|reports}: an interval may "
            "hold less often than it says."
        )
        yield Sentence("rough", say(text, n=Num(whole.n)))


def _weighted(model: room.RoomModel) -> Iterator[Sentence]:
    other = room.by_weight(model)
    if other is None or len(model.groups) < 2:
        return
    width = room.half(model, other)
    text = N_(
        "Weights by the inverse of the variance would say {x} ± {half}: that {assumes}, and is "
        "biased where it does."
    )
    values = {
        "x": amount(model, room.value(model, other), width),
        "half": spread(model, width, "up"),
        "assumes": Message(ASSUMES),
    }
    yield Sentence("weighted", Message(text, values))


def _moved(model: room.RoomModel) -> Sentence:
    """What the interval knows nothing of."""
    by = telling.moved(model)
    text = N_(
        "Every interval takes it that all throw the coins. Among up to {n} {n:person|people} one "
        "report sent without them can move the estimate by {aim} or more."
    )
    if by is None:
        told = say(text, n=Num(telling.outweighed(model)), aim=wanted(model.lab))
        return Sentence("moved", told)
    text = N_(
        "The interval takes it that all threw the coins: one report sent without them can move "
        "the estimate by up to {x}."
    )
    if not telling.hidden(model):
        text = N_(
            "The interval takes it that all threw the coins: one report sent without them can move "
            "the estimate by up to {x}, more than ± {half}."
        )
    tone = "plain" if telling.hidden(model) else "warn"
    width = room.half(model, model.whole) if model.whole else 0.0
    values = {"x": spread(model, by, "up"), "half": spread(model, width, "up")}
    return Sentence("moved", Message(text, values), tone)


def _trusted(model: room.RoomModel) -> Sentence:
    own, other = telling.untrusted(model) or 0.0, telling.trusted(model) or 0.0
    text = N_(
        "A collector whom all trust would be off by {other} typically, at the same ε of each; the "
        "room is off by {own}, {times} times as much."
    )
    if level(own, other):
        text = N_(
            "A collector whom all trust would be off by {own} typically, as the room is: with so "
            "few people at each ε, or an ε so large, coins tell as much as totals with noise."
        )
    values = {
        "own": spread(model, own),
        "other": spread(model, other),
        "times": factor(telling.times(model)),
    }
    return Sentence("trusted", Message(text, values))


def _misled() -> Sentence:
    true, heads, weights = invented.misled()
    text = N_(
        "Where those who have something to hide choose ε {careful} and the others ε {free}, head "
        "counts say {heads} of a true {true}, and weights {weights}."
    )
    values = {
        "careful": Num(invented.CAREFUL),
        "free": Num(invented.FREE),
        "true": Num(true, 2, percent=True),
        "heads": Num(heads, 2, percent=True),
        "weights": Num(weights, 2, percent=True),
    }
    return Sentence("misled", Message(text, values))


def _allowed(model: room.RoomModel) -> Sentence:
    lab = model.lab
    may, other = (
        allowed(rule, lab.role, lab.operation)
        for rule in (lab.rule, "owners" if lab.rule == "texts" else "texts")
    )
    text = N_(
        "On a platform of many owners, a role-based policy (subject × operation × object) lets the "
        "{who} {do}."
    )
    if not may:
        text = N_(
            "On a platform of many owners, a role-based policy (subject × operation × object) does "
            "not let the {who} {do}."
        )
    who, do = Message(ROLES[lab.role]), Message(OPERATIONS[lab.operation])
    told = say(text, who=who, do=do)
    if other != may:
        text = N_("{told} By the texts’ rule it is otherwise: providers set rights, too.")
        if lab.rule == "texts":
            text = N_("{told} This is the texts’ rule; where owners alone grant it is otherwise.")
        told = say(text, told=told)
    return Sentence("allowed", told, "good" if may else "warn")


def _access(rule: str) -> Iterator[Table]:
    """Who sees what, and who may do what."""
    heads = (say("Who is trusted"), say("Who collects sees"), say("Others see"), say("All see"))
    names = ("trust", "collector", "others", "all")
    columns = zip(*SEES, strict=True)
    cells = tuple(
        (name, tuple(map(Message, column))) for name, column in zip(names, columns, strict=True)
    )
    yield Table("sees", say("Who sees what"), cells, shown=True, heads=heads)
    does = tuple(
        (role, tuple(say("yes") if allowed(rule, role, do) else Message("–") for do in OPERATIONS))
        for role in ROLES
    )
    yield Table(
        "access",
        say("Who may do what"),
        (("operation", tuple(map(Message, OPERATIONS.values()))), *does),
        shown=True,
        heads=(say("On one table"), *map(Message, ROLES.values())),
    )


def tables(model: room.RoomModel) -> Iterator[Table]:
    """What each ε says, exactly; who sees what, and who may do what."""
    at = room.place(model)
    rows = [*model.groups]
    weighed = room.by_weight(model)
    names: list[Message] = [say("ε {x}", x=Num(g.epsilon or 0, 4)) for g in rows]
    if model.whole is not None and weighed is not None:
        rows += [model.whole, weighed]
        names += [say("by head count"), say("by weight")]
    yield Table(
        "groups",
        say("Estimates"),
        (
            ("who", tuple(names)),
            ("n", tuple(Num(g.n) for g in rows)),
            ("estimate", tuple(Num(g.values[at], 4) for g in rows)),
            ("error", tuple(Num(g.errors[at], 3) for g in rows)),
        ),
        shown=True,
        heads=(say("Reports"), Message("n"), say("Estimate"), say("Typical error")),
        simulated=model.invented is not None,
    )
    yield from _access(model.lab.rule)


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
