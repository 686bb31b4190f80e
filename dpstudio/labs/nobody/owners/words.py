"""Sentences and facts of encrypted shares."""

import math
from collections.abc import Iterator

from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.nobody.owners import asking, cost, trust
from dpstudio.labs.nobody.owners import model as owners
from dpstudio.labs.nobody.owners.live import secure
from dpstudio.labs.nobody.owners.model import OwnersModel
from dpstudio.labs.nobody.owners.parameters import Asking, Sharing
from dpstudio.values.messages import N_, Message, Num, plain, say


def shares_facts(model: owners.OwnersModel, asked: Sharing) -> Iterator[Fact]:
    """How exact the result is, how much is sent, and what it costs."""
    held = owners.here(model)
    if model.lab.show_truth:
        found, most = owners.at_bits(model)
        note = say("at most {most} by rounding", most=Num(most, 2, "up"))
        yield Fact("apart", say("Shares − numpy"), say("{d}", d=Num(found, 2, "up")), note,
                   value=found)  # fmt: skip
    count = owners.numbers_sent(asked, owners.columns_shared(held), held.classes)
    sizes = cost.bytes_sent(model, asked)
    each = say("of {n:# byte|# bytes} each", n=Num(sizes.number))
    sent = say("{c:# ciphertext|# ciphertexts}", c=Num(count))
    yield Fact("count", say("From each owner"), sent, each, value=count)
    size = say("{n:# byte|# bytes}", n=Num(sizes.owner))
    yield Fact("bytes", say("Leave one owner, once"), size, value=sizes.owner)
    both = say("{n:# party|# parties}", n=Num(2))
    yield Fact("parties", say("Must not help each other"), both, value=2)
    seconds = cost.seconds_here(model, asked)
    if seconds is not None:
        own, user, holder = seconds
        text = N_("user {user} s, key holder {holder} s")
        note = say(text, user=Num(user, 2, "up"), holder=Num(holder, 2, "up"))
        shown = say("{s} s", s=Num(own, 2, "up"))
        yield Fact("seconds", say("An owner encrypts"), shown, note, value=seconds)


def shares_sentences(model: owners.OwnersModel, asked: Sharing) -> Iterator[Sentence]:
    """What is exact, what is revealed, what stands in, and what was published."""
    held = owners.here(model)
    text = N_(
        "{owners:# owner sends|# owners send} {c:# ciphertext|# ciphertexts} each and may go; the "
        "data user adds and blinds them, the key holder opens what is blinded, and no one sees a "
        "sum."
    )
    values = {
        "owners": Num(owners.owner_count(asked, held.classes)),
        "c": Num(owners.numbers_sent(asked, owners.columns_shared(held), held.classes)),
    }
    yield Sentence("roles", Message(text, values))
    text = N_("{owners:# owner sends|# owners send} {n:# byte|# bytes} in all, and may then go.")
    sizes = cost.bytes_sent(model, asked)
    yield Sentence("sent", say(text, owners=values["owners"], n=Num(sizes.owners)))
    text = N_(
        "The data user learns W and its eigenvalues as they are: exact numbers about the rows, and "
        "not differentially private."
    )
    yield Sentence("revealed", say(text), "warn")
    text = N_(
        "The garbled circuit does not run here: one function that sees masks and blinded sums "
        "stands in for it. Published, it takes {low} to {high} s; that was not measured."
    )
    low, high = cost.circuits()
    yield Sentence("stand_in", say(text, low=Num(low, 2, "down"), high=Num(high, 3, "up")), "warn")
    yield Sentence("collude", say(N_("A data user and a key holder who join can read every sum.")))
    if asked.scatter == "scdo":
        text = N_(
            "Each class has one owner (SCDO), who sends its scatter about its own mean: S_W is the "
            "sum of these, and everyone knows which owner has which class."
        )
        yield Sentence("dealt", say(text))
    yield from _found(model, asked)
    yield from _published(model, asked)
    if held.left_out:
        text = N_("{n} {n:row with a value missing is|rows with a value missing are} left out.")
        if model.lab.show_truth:
            yield Sentence("left_out", say(text, n=Num(held.left_out)))


def _found(model: owners.OwnersModel, asked: Sharing) -> Iterator[Sentence]:
    live = model.found.live
    if model.lab.show_truth:
        found, most = owners.at_bits(model)
        text = N_(
            "Shares with {bits} binary {bits:digit|digits} differ from numpy by {apart} at most."
        )
        values = {"bits": Num(asked.bits), "apart": Num(found, 2, "up"), "most": Num(most, 2, "up")}
        yield Sentence("equal", Message(text, values), "good" if found <= most else "bad")
        yield Sentence("rounding", Message(N_("Rounding could make it {most}."), values))
    if live is not None and model.lab.show_truth:
        text = N_(
            "Run here with {owners:# owner|# owners}, {columns:# column|# columns} and keys of "
            "{key:# bit|# bits}: of {n:# sum|# sums} the one that is farthest off is off by "
            "{apart:# unit|# units} of its last binary digit."
        )
        values = {
            "owners": Num(live.owners),
            "columns": Num(live.columns),
            "key": Num(live.key),
            "n": Num(live.numbers),
            "apart": Num(live.apart),
        }
        yield Sentence("live", Message(text, values), "bad" if live.apart else "good")
    if not secure(int(asked.modulus)):
        text = N_("Keys of 1,024 bits are those of the published times; they are no longer in use.")
        yield Sentence("key", say(text), "warn")


def _published(model: owners.OwnersModel, asked: Sharing) -> Iterator[Sentence]:
    low, high = cost.span()
    text = N_(
        "In all twelve published times an owner takes {low} to {high} ms a ciphertext: the cost is "
        "the number of ciphertexts."
    )
    ends = {"low": Num(low), "high": Num(high)}
    mine = cost.each_here(model, asked)
    if mine is not None:
        text = N_(
            "In all twelve published times an owner takes {low} to {high} ms a ciphertext; here, "
            "with the chosen key, it is {mine} ms."
        )
        ends["mine"] = Num(mine, 2, "up")
    yield Sentence("linear", Message(text, ends))
    text = N_(
        "As printed, F1 from shares and by NumPy are “identical”: in the table they differ by up "
        "to {off} {off:point|points}, and F1 is the harmonic mean of precision and recall, no "
        "weighted one."
    )
    yield Sentence("printed", say(text, off=Num(cost.off())), "warn")
    found = model.found.scores
    if found is not None and owners.by_classes(asked):
        text = N_("On test rows of this table it is {one} from shares and {other} by numpy.")
        both = {"one": Num(found.shared, 3, percent=True),
                "other": Num(found.exact, 3, percent=True)}  # fmt: skip
        yield Sentence("f1", Message(text, both))


def message_table(model: owners.OwnersModel, asked: Sharing) -> Table:
    """Each message, who gets it, and what the receiver sees of the first number; its digits where
    an exchange has run."""
    live = model.found.live if model.lab.show_truth else None
    held = owners.here(model)
    count = Num(owners.numbers_sent(asked, owners.columns_shared(held), held.classes))
    said = [
        (say("key holder"), say("owners, data user"), say("a public key, plain")),
        (
            say("owners"),
            say("data user"),
            say("{c} {c:ciphertext|ciphertexts} of each owner", c=count),
        ),
        (
            say("data user"),
            say("key holder"),
            say("{c} blinded {c:sum|sums}, once opened", c=count),
        ),
        (say("key holder"), say("data user"), say("a circuit: no sum, no mask of the other")),
        (say("circuit"), say("data user"), say("W and its eigenvalues, plain: not private")),
    ]
    shown = [plain("–")] * owners.STEPS
    if live is not None:
        s = live.seen
        shown = [plain("–"), plain(s.sent), plain(s.blinded), plain("–"), plain("–")]
    rows = [
        (Num(i), *row, digit) for i, (row, digit) in enumerate(zip(said, shown, strict=True), 1)
    ]
    keys = ("step", "from", "to", "seen", "digits")
    heads = (say("step"), say("sender"), say("receiver"), say("sees"), say("first number"))
    columns = tuple((key, tuple(row[i] for row in rows)) for i, key in enumerate(keys))
    return Table("messages", say("What each receiver sees"), columns, True, heads)


def shares_tables(model: owners.OwnersModel, asked: Sharing) -> tuple[Table, ...]:
    """What each receiver sees, and the published times beside their ciphertexts."""
    rows = []
    for row in cost.PUBLISHED:
        counts, ms = cost.sent(row), cost.each(row)
        which = int(owners.by_classes(asked))
        seconds = (row.pca, row.dca)[which][0]
        numbers = (row.p, counts[which], seconds, ms[which], row.circuit[which])
        rows.append((row.name, *map(Num, numbers)))
    keys = ("table", "features", "ciphertexts", "seconds", "each", "circuit")
    heads = (say("table"), say("features"), say("ciphertexts"), say("owner, s"), say("ms each"),
             say("circuit, s"))  # fmt: skip
    columns = tuple((key, tuple(row[i] for row in rows)) for i, key in enumerate(keys))
    title = say("Published times, DCA") if owners.by_classes(asked) else say("Published times, PCA")
    return message_table(model, asked), Table("published", title, columns, True, heads)


def trust_facts(model: OwnersModel) -> Iterator[Fact]:
    """The errors at the ends, and with a shuffler."""
    errors = trust.at_hand(model)
    for key, label, way in (
        ("central", say("One trusted curator"), "central"),
        ("shuffled", say("Shuffled coins"), "shuffled"),
        ("local", say("Nobody trusted"), "local"),
    ):
        text = say("± {e}", e=Num(errors[way], 3, "up"))
        yield Fact(key, label, text, value=errors[way])
    coins = trust.epsilon0(model)[0]
    note = say("of each report, with a shuffler")
    yield Fact("coins", say("ε₀"), say("{e}", e=Num(coins, 3, "down")), note, value=coins)


def trust_sentences(model: OwnersModel) -> Iterator[Sentence]:
    """What trust is worth, how many people make up for it, and where the theorem holds."""
    errors, asked = trust.at_hand(model), trust.asked_of(model)
    text = N_("A count of {n} errs by {one} with a trusted curator, {other} without.")
    values = {
        "n": Num(asked.people),
        "one": Num(errors["central"], 3, "up"),
        "other": Num(errors["local"], 3, "up"),
        "times": Num(trust.times(model), 3),
    }
    yield Sentence("worth", Message(text, values))
    text = N_("Where nobody is trusted it errs {times} times as much at the same ε.")
    yield Sentence("times", Message(text, values))
    coins, proved = trust.epsilon0(model)
    text = N_(
        "With a shuffler each report by coins may spend ε₀ = {e} for ε = {epsilon} at δ = {delta}, "
        "and the count errs by {error}."
    )
    values = {
        "e": Num(coins, 3, "down"),
        "epsilon": Num(asked.epsilon, 5),
        "delta": Num(asked.delta),
        "error": Num(errors["shuffled"], 3, "up"),
    }
    yield Sentence("shuffled", Message(text, values))
    yield _theorem(model, proved)
    yield _enough(model)
    text = N_(
        "Noise in parts is safe from {c} of {n} {n:person who colludes|people who collude}: gamma "
        "and Laplace parts err by {gamma}, Gaussian ones by {gaussian}."
    )
    values = {
        "c": Num(trust.colluders(model)),
        "n": Num(asked.people),
        "gamma": Num(errors["gamma"], 3, "up"),
        "gaussian": Num(errors["gaussian"], 3, "up"),
    }
    yield Sentence("parts", Message(text, values))
    yield _efficient(model)
    text = N_("Laplace parts have one factor √B in common: who knows it knows how small they are.")
    yield Sentence("factor", say(text), "warn")
    text = N_(
        "Coins promise it to each person alone; a shuffler, and whoever adds parts, must not join "
        "the collector."
    )
    yield Sentence("trusted", say(text))


def _efficient(model: OwnersModel) -> Sentence:
    """What a text says of Laplace parts, and what is so."""
    sent = {way: trust.sends(model, way)[1] for way in ("laplace", "gamma")}
    text = N_(
        "A text calls Laplace parts more efficient, and their noise smaller. They err as gamma "
        "parts do and send twice as many bits, {laplace} for {gamma}."
    )
    values = {way: Num(bits) for way, bits in sent.items()}
    return Sentence("efficient", Message(text, values))


def _theorem(model: OwnersModel, proved: float) -> Sentence:
    """Where the theorem for any protocol holds, and what it gives."""
    if math.isnan(proved):
        text = N_(
            "For any protocol nothing is proved of so few people: the theorem needs more than "
            "16·ln(4/δ), from {n} on, and refuses here."
        )
        return Sentence("theorem", say(text, n=Num(trust.proved_from(model))), "warn")
    text = N_(
        "For any protocol Theorem 3.1 of Feldman, McMillan & Talwar (2021) allows ε₀ = {e}; it is "
        "proved up to ε₀ = {most} here, and its line is drawn where it allows more than ε."
    )
    most = Num(trust.ends_at(model), 3, "down")
    return Sentence("theorem", say(text, e=Num(proved, 3, "down"), most=most))


def _enough(model: OwnersModel) -> Sentence:
    asked = trust.asked_of(model)
    found = [trust.enough(model, way) for way in ("central", "local")]
    one, other = (
        each.said(
            lambda _, at: say("{n}", n=Num(at)),
            lambda one: say("{n}", n=Num(one)),  # before whom there is nobody
            lambda most: say("more than {n}", n=Num(most)),
        )
        for each in found
    )
    text = N_(
        "To err by {share} of the people it takes {one} with a trusted curator, {other} without."
    )
    told = say(text, share=Num(asked.below, 3, percent=True), one=one, other=other)
    return Sentence("enough", told, "warn" if any(each.at is None for each in found) else "plain")


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
    heads = (say("step"), say("sender"), say("receiver"), say("sees"), say("first number"))
    return Table("messages", say("What each receiver sees"), tuple(columns), True, heads)
