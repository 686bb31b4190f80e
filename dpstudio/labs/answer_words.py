"""One answer in words: facts and sentences about its value, its error and its sensitivity, and one
simulated answer after another among them."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from dpstudio.labs import answer_model
from dpstudio.labs.findings import Fact, Findings, Sentence
from dpstudio.labs.page import Lab
from dpstudio.labs.persons import kept_sentences
from dpstudio.labs.sharing_words import sharing_words
from dpstudio.labs.simulated_answer import with_answer
from dpstudio.privacy.release.postprocessed_law import Sampled
from dpstudio.values.messages import N_, Message, Num, plain, safely, say

# The measurements of a release, as the first word of a sentence; others by their names.
_NAMES = {
    "sum": N_("Sum"),
    "count": N_("Count"),
    "squares": N_("Squares"),
    "sums": N_("Sums"),
    "counts": N_("Counts"),
    "mean": N_("Mean"),
    "spread": N_("Spread"),
    "moments": N_("Moments"),
}


def answer_facts(model: answer_model.AnswerModel) -> Iterator[Fact]:
    """The exact answer, a simulated one, the typical error and the interval."""
    value, label = model.reference, _labelled(model, say("Simulated answer"))
    digits = _digits(value, answer_model.half_width(model))
    if model.lab.show_truth:
        named, note = _labelled(model, say("True answer")), say("exact: not private")
        shows = say("{x}", x=Num(value, digits))
        if answer_model.of_none(model):
            shows, note = say("none"), say("of no row; {x} stands for it", x=shows)
        yield Fact("truth", named, shows, note, "truth", value)
    yield Fact("answer", label, Message(""), "", "answer", None)
    yield _typical(model)
    yield _interval_fact(model, digits)


def _typical(model: answer_model.AnswerModel) -> Fact:
    law = answer_model.error_law(model)
    typical = answer_model.error_of(model, law, "mean_abs")
    digits = 3
    if isinstance(law, Sampled):
        digits = _sure_digits(typical, typical * law.deviation("mean_abs"))
    rough = safely(typical, digits, "up") if digits < 3 else typical
    label, text = _labelled(model, say("Typical error")), say("±{x}", x=Num(rough, digits, "up"))
    share = _share_of(model, typical, min(digits, 2))
    note = say("mean absolute{share}", share=share)
    if model.all_parts:
        label = say("Largest error, typically")
        note = say("mean of the largest over all parts")
    if law.discrete and typical < 1e-6:
        # Integer noise is then almost always 0: a number such as 10⁻²² says nothing to anyone.
        text, note = Message("±0"), say("wrong less than once in a million")
    return Fact("typical", label, text, note, value=typical)


def _sure_digits(value: float, error: float) -> int:
    """One to three digits of a simulated number: a unit of the last is two standard errors or
    more."""
    if not value or error <= 0:
        return 3
    return max(1, min(3, math.floor(math.log10(value)) - math.ceil(math.log10(2 * error)) + 1))


def _interval_fact(model: answer_model.AnswerModel, digits: int) -> Fact:
    width = answer_model.half_width(model)
    # About a simulated answer the same interval speaks of where the exact one is.
    if model.lab.show_truth:
        text = (
            N_("{confidence} of releases, all parts")
            if model.all_parts
            else N_("{confidence} of answers")
        )
    else:
        text = (
            N_("about {confidence}: the exact answer")
            if not model.asked.linear
            else N_("{confidence}: the exact answer")
        )
    share = _share_of(model, width)
    low, high = answer_model.interval(model)
    text_of = N_("{low} … {high}") if math.isfinite(low) else N_("at most {high}")
    label = say(text, confidence=Num(model.lab.confidence, 4, "down", percent=True))
    return Fact(
        "interval",
        label if model.all_parts else _labelled(model, label),
        say(text_of, low=Num(low, digits, "down"), high=Num(high, digits, "up")),
        say(
            "within ±{width} of {whose}{share}",
            width=Num(width, 3, "up"),
            share=share,
            whose=whose(model),
        ),
        value=(low, high),
    )


def whose(model: answer_model.AnswerModel) -> Message:
    """Whose exact answer it is that others lie about: where further rows of a person are left out
    not the table's. How many are is exact, so that who hides it goes by what is told."""
    data = model.data
    if data.dropped if model.lab.show_truth else data.person:
        return say("the used rows’")
    return say("this table’s")


def digits_of(model: answer_model.AnswerModel) -> int:
    """Significant digits of the exact answer that mean something beside its noise."""
    return _digits(model.reference, answer_model.half_width(model))


def _digits(value: float, width: float) -> int:
    """Significant digits that show `value` to about a hundredth of its noise."""
    if not value or not width:
        return 3
    return max(3, min(12, math.floor(math.log10(abs(value))) - math.floor(math.log10(width)) + 2))


def _labelled(model: answer_model.AnswerModel, what: Message) -> Message:
    """With the part that is looked at, where an answer has several."""
    return say("{what} · {part}", what=what, **named_part(model)) if model.asked.vector else what


def _share(error: float, value: float, digits: int = 2) -> Message:
    share = answer_model.share_of(error, value)
    if share is None:
        return Message("")
    return say(", {share}", share=Num(share, digits, "up", percent=True))


def _share_of(model: answer_model.AnswerModel, error: float, digits: int = 2) -> Message:
    """An error as a part of the exact answer, where there is one."""
    none = model.lab.show_truth and answer_model.of_none(model)
    return Message("") if none else _share(error, model.reference, digits)


def truth_sentence(model: answer_model.AnswerModel) -> Sentence:
    """The exact answer, where it is shown, and the simulated one that stands on the screen."""
    if not model.lab.show_truth:
        text = N_("A simulated answer is {answer}.")
        if model.asked.vector:
            text = N_("A simulated answer for “{part}” is {answer}.")
        return Sentence("answer", Message(text, {"answer": "", **named_part(model)}))
    text = N_("The exact answer is {truth}; a simulated answer is {answer}.")
    if model.asked.vector:
        text = N_("The exact answer for “{part}” is {truth}; a simulated answer is {answer}.")
    if answer_model.of_none(model):
        text = N_(
            "No row counts for “{part}”, so that no exact answer is there: {truth} stands for it; "
            "a simulated answer is {answer}."
        )
    truth = Num(model.reference, digits_of(model))
    return Sentence("answer", Message(text, {"truth": truth, "answer": "", **named_part(model)}))


def named_part(model: answer_model.AnswerModel) -> dict[str, Message]:
    """The part that is looked at, where an answer has several."""
    return {"part": plain(model.asked.labels[model.part])} if model.asked.vector else {}


def sensitivity_sentence(
    model: answer_model.AnswerModel, others: Sequence[answer_model.AnswerModel] = ()
) -> Sentence:
    """How far one person can move what is measured, and how several measurements share the
    budget, here and by the noise of others."""
    parts = model.asked.measurements
    if len(parts) == 1:
        return Sentence("sensitivity", parts[0].sensitivity.why)
    names = (Message(_NAMES.get(m.name, m.name)) for m in parts)
    named = [
        say("{name}: {why}", name=name, why=m.sensitivity.why)
        for name, m in zip(names, parts, strict=True)
    ]
    told = named[0]
    for more in (*named[1:], *_shares(model, others)):
        told = say("{told} {more}", told=told, more=more)
    return Sentence("sensitivity", told)


def _shares(
    model: answer_model.AnswerModel, others: Sequence[answer_model.AnswerModel]
) -> Iterator[Message]:
    """How the numbers share the budget; by which noise, where the others share it in another
    way."""
    ways = {scene.release.shared.as_one: scene for scene in (*reversed(others), model)}
    for scene in ways.values():
        words = sharing_words(scene.release.shared)
        text, noise = N_("By {mechanism} noise: {words}"), Message(scene.mechanism.label)
        yield say(text, mechanism=noise, words=words) if len(ways) > 1 else words


def persons_sentences(model: answer_model.AnswerModel) -> tuple[Sentence, ...]:
    """Who a person is, and what the rows left out change."""
    lab, part = model.lab, model.part
    return kept_sentences(model.data, lab.query, lab.adjacency, part, show_truth=lab.show_truth)


def sampling_sentence(model: answer_model.AnswerModel) -> Sentence:
    """What another sample would change, which no interval of an answer holds: it is about the
    table."""
    confidence = Num(model.lab.confidence, 4, "down", percent=True)
    values: dict[str, Num | Message] = {"confidence": confidence, **named_part(model)}
    text = N_("sampling adds an error of its own; it comes from the data and is hidden")
    if model.lab.show_truth:
        width = answer_model.sampling_width(model)
        text = N_("sampling adds an error of its own, which is not worked out for this question")
        if width:
            values["width"] = Num(width, 3, "up")
            text = N_("sampling adds about ±{width} at {confidence}")
            if model.asked.vector:
                text = N_("sampling adds about ±{width} to “{part}” at {confidence}")
        elif width is not None:
            text = N_("what sampling adds cannot be told where no two rows differ in what is asked")
    told = say(
        "For a population of which these rows are a random sample, {adds}.",
        adds=Message(text, values),
    )
    if model.data.contributions > 1 and "width" in values:
        told = say("{told} Where the rows of a person are alike it is more.", told=told)
    return Sentence("sampling", told)


def promise_sentence(model: answer_model.AnswerModel, key: str) -> Sentence | None:
    """Where the guarantee is broken or not proven: why. None elsewhere."""
    guarantee = model.release.guarantee
    if guarantee.sound:
        return None
    return Sentence(key, guarantee.note, "bad" if guarantee.violated else "warn")


def simulated_sentence() -> Sentence:
    """That nothing here may leave as a release."""
    text = N_("Noise here is simulated for looking; it is not a private release.")
    return Sentence("simulated", Message(text))


def framed(lab: Lab, findings: Findings, index: int) -> Findings:
    """The findings with simulated answer number `index` in the chart, the strip and the sentences:
    the `frame` of a page."""
    return hero_framed(lab, _told(findings, index), index)


def hero_framed(shown: object, findings: Findings, index: int) -> Findings:
    """The same in the chart of what is published alone, where it is there: the `hero_frame`."""
    if all(figure.key != "published" for figure in findings.figures):
        return findings
    return with_answer(findings, findings.figure("published").layers[-1].ink, index)


def _told(findings: Findings, index: int) -> Findings:
    """The strip and the sentences with simulated answer number `index` in them."""
    value = float(findings.replays[index % len(findings.replays)][findings.part])
    note = findings.fact("interval").note
    width = note.values["width"].value if isinstance(note, Message) else 0.0
    text = say("{x}", x=Num(value, _digits(value, width) + 1))
    note = say("simulated: not a release")
    if findings.truth is not None:
        truth = float(findings.truth[findings.part])
        note = _difference(answer_model.off(value, truth), truth)
    fact = replace(findings.fact("answer"), text=text, note=note, value=value)
    said = findings.sentence("answer")
    changed = replace(said, say=say(said.say.text, **{**said.say.values, "answer": text}))
    return replace(
        findings,
        facts=tuple(fact if f.key == "answer" else f for f in findings.facts),
        sentences=tuple(changed if s is said else s for s in findings.sentences),
    )


def _difference(error: float, truth: float) -> Message:
    shown, share = Num(error, 3, sign=True), answer_model.share_of(error, truth)
    if share is None:
        return say("{error}", error=shown)
    return say("{error} · {share}", error=shown, share=Num(share, 3, sign=True, percent=True))
