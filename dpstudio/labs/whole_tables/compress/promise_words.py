"""Compress' sentences of the promise beside it and of what is printed."""

from collections.abc import Iterator

from dpstudio.labs.findings import Sentence
from dpstudio.labs.whole_tables.compress.beside import deviation, private_here, private_k
from dpstudio.labs.whole_tables.compress.lost import first_mismatched, last_errors, lost_here
from dpstudio.labs.whole_tables.compress.model import CompressModel, k_of, label_name, space
from dpstudio.privacy.compression.projections import PRIVACY, UTILITY
from dpstudio.privacy.queries.query import ADD_REMOVE
from dpstudio.values.messages import N_, Message, Num, say


def told_share(value: float) -> Num:
    """A share as people read it."""
    return Num(value, 3, percent=True)


def budget(model: CompressModel) -> Sentence:
    """Whom the promise beside it covers."""
    way = model.lab.mechanism
    values = {
        "epsilon": Num(way.epsilon, 5),
        "delta": Num(0.0 if way.pure else float(getattr(way, "delta", 0.0)), 3, "up"),
    }
    text = N_(
        "Of the private projection beside it alone, for one who is replaced: ε = {epsilon}, δ = "
        "{delta}."
    )
    if model.lab.adjacency == ADD_REMOVE:
        text = N_(
            "Of the private directions beside it alone, for one who comes or goes: ε = {epsilon}, "
            "δ = {delta}."
        )
    return Sentence("budget", Message(text, values))


def private(model: CompressModel) -> Iterator[Sentence]:
    """What private directions, and private rows, tell of both labels."""
    utility, privacy, noisy_utility, noisy_privacy = private_here(model)
    values = {
        "epsilon": Num(model.lab.mechanism.epsilon, 5),
        "k": Num(private_k(model)),
        "utility": told_share(utility),
        "privacy": told_share(privacy),
        "noisy": told_share(noisy_utility),
        "left": told_share(noisy_privacy),
        "sigma": Num(deviation(model, private_k(model)), 3, "up"),
        "label": label_name(model, UTILITY),
        "hidden": label_name(model, PRIVACY),
    }
    text = N_(
        "Private directions (PCA of noisy second moments, ε = {epsilon}) hide who taught them, not "
        "the rows: at K = {k} the accuracy is {utility} on {label}, {privacy} on {hidden}."
    )
    yield Sentence("private", Message(text, values), "warn")
    text = N_(
        "Private rows, for one who is replaced: half of ε on directions, half on noise of "
        "deviation {sigma} on each of {k} {k:number|numbers}. Then the accuracy is {noisy} on "
        "{label}, {left} on {hidden}; it covers all."
    )
    yield Sentence("private_rows", Message(text, values))


def printed(model: CompressModel) -> Iterator[Sentence]:
    """What is printed, and what is so."""
    right, mismatched, uncentred = last_errors(model)
    text = N_(
        "A listing sets the pictures of a split beside those of the file, in another order: its "
        "error of PCA goes from {first} to {last} of the variance with more directions, where it "
        "must fall to {right}."
    )
    yield Sentence(
        "printed_order",
        say(
            text,
            first=Num(first_mismatched(model), 3),
            last=Num(mismatched, 3),
            right=Num(right, 1),
        ),
        "bad",
    )
    if uncentred:
        text = N_(
            "Without taking the mean off and adding it back, {left} of the variance stays wrong "
            "with all directions."
        )
        yield Sentence("printed_mean", say(text, left=told_share(uncentred)))
    text = N_(
        "Dimensions are listed up to 4,096 for 165 pictures, which vary along 164 at most; here "
        "along {rank}."
    )
    yield Sentence("printed_rank", say(text, rank=Num(space(model).rank)))
    lost = lost_here(model)
    text = N_(
        "“Never fully recovered” holds for fewer directions than rows vary along: with {k}, "
        "{share} of the variance is lost to the best linear decoder, and with {rank} none is."
    )
    values = {"k": Num(k_of(model)), "share": told_share(lost[1]), "rank": Num(space(model).rank)}
    if k_of(model) >= space(model).rank:
        text = N_(
            "“Never fully recovered” holds for fewer directions than rows vary along: with {rank}, "
            "nothing of the variance is lost to a decoder."
        )
    yield Sentence("printed_never", Message(text, values))
