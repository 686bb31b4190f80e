"""Facts, sentences and steps of one query over sealed tables."""

from collections.abc import Iterator

from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.nobody.owners import asking
from dpstudio.labs.nobody.owners.live import secure
from dpstudio.labs.nobody.owners.model import OwnersModel
from dpstudio.labs.nobody.owners.parameters import Asking
from dpstudio.values.messages import N_, Message, Num, plain, say


def asked_facts(model: OwnersModel, asked: Asking) -> Iterator[Fact]:
    """The answer, or how much of the other owners' cells their order tells."""
    found = asking.ordered(model)
    if found is not None:
        share = Num(found.right, 3, "down", percent=True)
        note = say("{b} without it", b=Num(found.blind, 3, percent=True))
        yield Fact("right", say("Told by the order"), say("{s}", s=share), note, value=found.right)
    elif model.lab.show_truth and asked.operation != "order":
        value, label = asking.answer(model, asked), _LABELS[asked.operation]
        text = say("{x}", x=Num(value, 9))
        yield Fact("answer", say(label, column=plain(asked.column)), text,
                   say("exact: not private"), "truth", value)  # fmt: skip
    yield Fact("count", say("Owners"), say("{n}", n=Num(asked.owners)), value=asked.owners)


_LABELS = {"sum": N_("Sum of {column}"), "average": N_("Average of {column}")}


def asked_sentences(model: OwnersModel, asked: Asking) -> Iterator[Sentence]:
    """What was answered, what order tells, who may do what."""
    found, ran = asking.ordered(model), model.found.answered
    column = plain(asked.column)
    if found is not None:
        text = N_(
            "Who sees the order of sealed cells and holds one table guesses {right} of the other "
            "owners’ cells exactly, and {blind} without the order."
        )
        values = {"right": Num(found.right, 3, "down", percent=True),
                  "blind": Num(found.blind, 3, percent=True)}  # fmt: skip
        yield Sentence("order", say(text, **values), "bad")
    elif model.lab.show_truth and asked.operation != "order":
        text = N_("{label} over {n:# owner|# owners}: {x}, an exact number, and not private.")
        label = say(_LABELS[asked.operation], column=column)
        x = Num(asking.answer(model, asked), 9)
        yield Sentence("answered", say(text, label=label, n=Num(asked.owners), x=x), "warn")
    if ran is not None:
        text = N_(
            "Run here with keys of {bits:# bit|# bits}: what is opened differs from what was sent."
        )
        if ran.same:
            text = N_(
                "Run here with keys of {bits:# bit|# bits}: what is opened is the sum of what was "
                "sent, to the last digit."
            )
        yield Sentence("live", say(text, bits=Num(ran.bits)), "good" if ran.same else "bad")
        if not secure(ran.bits):
            yield Sentence("key", say("So short a key is a toy."), "warn")
    if asked.operation == "order":
        text = N_(
            "A code that keeps the order shows the server which cells are equal and which is "
            "larger: who also knows which values occur reads every cell."
        )
        yield Sentence("revealed", Message(text), "warn")
    else:
        text = N_("The server adds what it cannot read; the user learns one exact number.")
        yield Sentence("revealed", Message(text), "warn")
    text = N_(
        "Owners grant, a provider brings the query, the server runs it, and only the user’s key "
        "opens the answer."
    )
    yield Sentence("roles", Message(text))
    text = N_("A server and a user who join can read what each owner sent.")
    yield Sentence("collude", Message(text))


def steps_table(model: OwnersModel, asked: Asking) -> Table:
    """Each step, who takes it, and what the receiver sees."""
    ran = model.found.answered if model.lab.show_truth else None
    ordering = asked.operation == "order"
    sealed = say("sealed cells, and their order") if ordering else say("one sealed sum an owner")
    if asked.operation == "average":
        sealed = say("a sealed sum and a sealed count an owner")
    done = say("which sealed cell comes first") if ordering else say("a sealed total")
    answer = say("the rows in order") if ordering else say("the number, opened")
    rows = (
        (say("submit"), say("owners"), say("server"), sealed),
        (say("grant"), say("owners"), say("server"), say("a rule: this user, this query")),
        (say("request"), say("user"), say("server"), say("the query of the provider")),
        (say("run"), say("server"), say("server"), done),
        (say("answer"), say("server"), say("user"), answer),
    )
    first = plain(ran.first) if ran else plain("–")
    keys = ("step", "from", "to", "seen")
    columns = [(key, tuple(row[i] for row in rows)) for i, key in enumerate(keys)]
    columns.append(("digits", (first, *[plain("–")] * (len(rows) - 1))))
    heads = (say("step"), say("from"), say("to"), say("sees"), say("first number"))
    return Table("messages", say("What each receiver sees"), tuple(columns), True, heads)
