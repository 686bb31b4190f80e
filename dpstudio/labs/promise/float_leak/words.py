"""The leak lab's strip, sentences and table."""

import math

from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.promise.float_leak.model import LeakModel, power_of_two, share_ink, step_of
from dpstudio.labs.promise.float_leak.parameters import ATTACKS
from dpstudio.privacy.attacks.float_samplers import SAMPLERS
from dpstudio.values.messages import N_, Message, Num, say

_UNKNOWN = say("not known")


def _share(value: float) -> Num:
    return Num(value, 3, "down", percent=True)


def facts(model: LeakModel) -> tuple[Fact, ...]:
    """The strip: the share either way, the two stronger tests, and the grid of the other answer."""
    lab, mine = model.lab, model.mine
    share, reverse = model.share, model.reverse
    of = say("of {n} {n:output|outputs}", n=Num(model.looked_at))
    label = say("Prove x ≠ {other}", other=Num(lab.other))
    out = [
        Fact("share", label, say("{x}", x=_share(share)), of, share_ink(share), share),
        Fact(
            "reverse",
            say("Prove x′ ≠ {x}", x=Num(lab.answer)),
            say("{x}", x=_share(reverse)),
            of,
            share_ink(reverse),
            reverse,
        ),
    ]
    for attack, words in (("rounding", N_("By rounding")), ("sampler", N_("By its sampler"))):
        held = mine.of(attack)
        shown = _UNKNOWN if held is None else say("{x}", x=_share(held[0]))
        note = Message("") if held is None else say("reversed: {x}", x=_share(held[1]))
        out.append(Fact(attack, Message(words), shown, note, value=held))
    grid, all_doubles = step_of(model), model.sampler.floats and not lab.other
    text = say("all doubles") if all_doubles else say("{step}", step=power_of_two(grid))
    note = Message(N_("with noise of doubles") if all_doubles else N_("multiples of it alone"))
    out.append(Fact("grid", say("From {other} come", other=Num(lab.other)), text, note, value=grid))
    return tuple(out)


def sentences(model: LeakModel) -> tuple[Sentence, ...]:
    """What the outputs prove, what that means for ε and for this studio, why, and what the
    comparison leaves open."""
    lab = model.lab
    values = {
        "share": _share(model.share),
        "reverse": _share(model.reverse),
        "x": Num(lab.answer),
        "other": Num(lab.other),
        "n": Num(model.looked_at),
        "epsilon": Num(lab.epsilon, 5),
    }
    found = [_verdict(model, values), _studio()]
    if model.share > 0:
        text = N_(
            "What is possible for {x} and impossible for {other} breaks every finite ε: δ is at "
            "least about {share}, not 0."
        )
        found.append(Sentence("meaning", Message(text, values), "bad"))
    reverse = N_(
        "The other way round {reverse} of the outputs of {other} prove that it was not {x}."
    )
    found.append(Sentence("reverse", Message(reverse, values)))
    found.append(Sentence("why", _why(model)))
    if model.attack != lab.attack:
        text = N_(
            "Nobody has worked out which doubles this sampler can give: the rounding test stands "
            "in."
        )
        found.append(Sentence("stands_in", Message(text), "warn"))
    if not model.sampler.floats:
        text = N_(
            "Rounding removes this leak where the grid is fixed before the noise is drawn; it is "
            "no proof of ε by itself."
        )
        if lab.sampler == "integer":
            text = N_(
                "Every whole number can come from either answer, with exactly the promised "
                "chances: no logarithm is rounded."
            )
        found.append(Sentence("safe", Message(text), "good"))
    return tuple(found)


def _verdict(model: LeakModel, values: dict[str, Num]) -> Sentence:
    if model.share > 0:
        return Sentence(
            "verdict",
            say("{share} of these outputs prove that the answer was not {other}.", **values),
            "bad",
        )
    if model.sampler.floats:
        text = N_(
            "By this test none of {n} {n:output|outputs} proves that the answer was not {other}; "
            "another test, or the other way round, may."
        )
        return Sentence("verdict", Message(text, values), "warn")
    return Sentence(
        "verdict",
        say("None of {n} {n:output|outputs} proves that the answer was not {other}.", **values),
        "good",
    )


def _studio() -> Sentence:
    text = N_(
        "The studio draws its own noise as doubles, which leak: what it shows is a simulated "
        "answer, and no release."
    )
    return Sentence("studio", Message(text))


def _why(model: LeakModel) -> Message:
    lab = model.lab
    if not model.sampler.floats:
        text = N_(
            "This noise comes in multiples of {step}, and so do both answers: no output has a bit "
            "that one of them could not have."
        )
        return say(text, step=power_of_two(step_of(model)))
    if model.attack == "sampler":
        return say(
            "A logarithm of 2⁵³ uniforms hits some doubles and misses others; shifted by another "
            "answer it hits and misses others."
        )
    if model.attack == "rounding":
        return say(
            "Doubles are denser near 0: an output near 0 may have bits for which noise as large as "
            "the other answer has no room."
        )
    if not lab.other:
        return say("From 0 every double comes that the noise can be, so no output is off its grid.")
    text = N_(
        "{other} plus any double is rounded to a multiple of {step}; an output with a bit below "
        "that was never {other}."
    )
    return say(text, other=Num(lab.other), step=power_of_two(step_of(model)))


def tables(model: LeakModel) -> tuple[Table, ...]:
    """Every sampler by every test, both ways; nothing until all are counted."""
    if not model.every:
        return ()
    lab = model.lab
    columns: list[tuple[str, tuple[Num | Message, ...]]] = [
        ("sampler", tuple(Message(s.label) for s in SAMPLERS.values()))
    ]
    heads = [say("noise")]
    for place, mark in ((0, say("≠ {x}", x=Num(lab.other))), (1, say("≠ {x}", x=Num(lab.answer)))):
        for attack, words in zip(ATTACKS, (N_("grid"), N_("rounding"), N_("sampler")), strict=True):
            held = [model.every[key].of(attack) for key in SAMPLERS]
            columns.append(
                (
                    f"{attack}_{place}",
                    tuple(
                        Num(math.nan) if shares is None else _share(shares[place])
                        for shares in held
                    ),
                )
            )
            heads.append(say("{mark}: {words}", mark=mark, words=Message(words)))
    title = say(
        "What {n} {n:output of each noise proves|outputs of each noise prove}",
        n=Num(model.compared),
    )
    return (Table("samplers", title, tuple(columns), shown=True, heads=tuple(heads)),)
