"""Learn's strip, sentences and tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dpstudio.labs.findings import Fact, Sentence
from dpstudio.labs.local_curves import at_confidence
from dpstudio.labs.models.learn import model as known
from dpstudio.labs.models.learn import row_words, target, target_words
from dpstudio.labs.models.learn.learners.learner import PLACES
from dpstudio.labs.models.learn.model import LearnModel
from dpstudio.labs.outcome import MadeText
from dpstudio.labs.passing_words import from_epsilon
from dpstudio.labs.persons import left_out
from dpstudio.privacy.learning.training_statement import NOT_COVERED
from dpstudio.values.messages import N_, Message, Num, plain, say


def facts(model: LearnModel) -> tuple[Fact, ...]:
    """How far models with noise spread, the score without, and from where on they are of use; then
    how often they are not, the score with noise, and of the majority class."""
    if model.curve is None:
        return (Fact("place", say("noise"), Message(PLACES[model.lab.learner.place])),)
    ink, ends, part = model.lab.learner.ink, known.interval(model), target.below(model)
    text = say("{low} … {high}", low=known.shown(model, ends[0]), high=known.shown(model, ends[1]))
    name = say("{confidence} of the models", confidence=at_confidence(model.lab.confidence))
    score, whole, crowd = known.median(model), known.noiseless(model), target.majority(model)
    if model.numbers:
        told, simple = say("R²"), say("always the mean")
        always = why = say("always saying {mean}", mean=Num(target.mean_label(model), 4))
    else:
        told, simple = say("accuracy"), say("majority class")
        always = say("always saying “{word}”", word=plain(target.commonest(model)))
        asked = target.rate_of_one(model)
        low, high = Num(asked.low, 3, "down", percent=True), Num(asked.high, 3, "up", percent=True)
        text_ = N_("{always}; of all rows like these {low} to {high} at 95 %")
        why = say(text_, always=always, low=low, high=high)
    useless = say("{score}", score=Num(part, 3, percent=True))
    return (
        Fact("interval", name, text, told, ink, ends),
        Fact("noiseless", say("without noise"), _shown(model, whole), "", "truth", whole),
        *_enough_fact(model),
        Fact("useless", say("models no better than one answer"), useless, always),
        Fact("score", told, _shown(model, score), say("median"), ink, score),
        Fact("majority", simple, _shown(model, crowd), why, "muted", crowd),
    )


def _shown(model: LearnModel, score: float) -> Message:
    return say("{score}", score=known.shown(model, score))


def _enough_fact(model: LearnModel) -> tuple[Fact, ...]:
    found = known.enough(model)
    if found.at is None:
        return ()
    name = say("half of the models lose less than 1 point")
    if model.numbers:
        name = say("half of the models lose less than .01 of R²")
    text, note = from_epsilon(found)
    return (Fact("enough", name, text, note, "text", found.at),)


def sentences(model: LearnModel) -> tuple[Sentence, ...]:
    """What the promise costs, from where on a model is of use, what is promised and of whom."""
    return (
        *_odds(model),
        *_scored(model),
        _theorem(model),
        *(Sentence(f"statement_{i}", told) for i, told in enumerate(known.statement(model))),
        *row_words.guessed(model),
        *_split(model),
        *_beside(model),
        *_texts(model),
        row_words.rows(model),
        *target_words.border(model),
        *_persons(model),
    )


def _odds(model: LearnModel) -> tuple[Sentence, ...]:
    """The risk in words, where the promise is kept."""
    if not known.claim(model).holds:
        return ()
    text = N_(
        "Of 100 people whose presence is an even guess, an attacker gets on average at most "
        "{right} right after this model (50 before)."
    )
    if model.known.replace:
        text = N_(
            "Of 100 people with one of two values at even odds, an attacker gets on average at "
            "most {right} right after this model (50 before)."
        )
    return (Sentence("odds", say(text, right=Num(known.right_guesses(model)))),)


def _scored(model: LearnModel) -> tuple[Sentence, ...]:
    if model.curve is None:
        text = N_("The exact scores are hidden: this shows how the budget is spent.")
        return (Sentence("score", say(text)),)
    return (
        *_cost(model),
        _use(model),
        *_chance(model),
        *row_words.taught(model),
        *target_words.wanted(model),
        row_words.tested(model),
        *target_words.others(model),
    )


def _cost(model: LearnModel) -> Iterator[Sentence]:
    """The score at this ε, and beside it that without noise and that of one answer for all."""
    text = N_("At ε = {epsilon} the median model has an accuracy of {score}.")
    beside = N_("Without noise it is {whole}; {crowd} if the answer is always “{one}”.")
    one = plain(target.commonest(model)) if not model.numbers else Message("")
    if model.numbers:
        one = say("{mean}", mean=Num(target.mean_label(model), 4))
        text = N_("At ε = {epsilon} half of the models have an R² above {score}.")
        beside = N_("Without noise it is {whole}; {crowd} if the answer is always the mean, {one}.")
    useless = known.median(model) <= target.majority(model)
    tone = "warn" if useless else "plain"
    epsilon, score = Num(model.lab.epsilon, 5), known.shown(model, known.median(model))
    yield Sentence("score", say(text, epsilon=epsilon, score=score), tone)
    whole, crowd = known.noiseless(model), target.majority(model)
    values = {"whole": known.shown(model, whole), "crowd": known.shown(model, crowd), "one": one}
    yield Sentence("without", Message(beside, values), tone)


def _use(model: LearnModel) -> Sentence:
    """How often noise makes a model useless, and from where on it seldom does."""
    share, found = target.below(model), target.useful(model)
    always = say("always saying the majority class")
    if model.numbers:
        always = say("always saying the mean")
    values: dict[str, Any] = {"share": Num(share, 3, percent=True), "always": always}
    text = N_("{share} of the models are no better than {always}")
    if not share:
        text = N_("None of these models is as bad as {always}")
    told = Message(text, values)
    said = found.said(
        lambda before, at: say(
            "{told}; from ε = {from_} on fewer than half are, at {before} not yet.",
            told=told,
            from_=Num(at, 3, "up"),
            before=Num(before, 3, "down"),
        ),
        lambda _: say("{told}; at every ε drawn fewer than half are.", told=told),
        lambda _: say("{told}; at the largest ε drawn half or more are.", told=told),
    )
    return Sentence("use", said, "plain" if found.at is not None else "warn")


def _chance(model: LearnModel) -> tuple[Sentence, ...]:
    """Which of the models that score more than one answer may do so by chance."""
    share = target.unsure(model)
    if not share:
        return ()
    text = N_(
        "{share} of the models score more than one answer and up to {bar}: with {tested} "
        "{tested:person|people} to test with that may be chance (at 95 %)."
    )
    values = {
        "share": Num(share, 3, percent=True),
        "bar": known.shown(model, target.bar(model), "up"),
        "tested": Num(target.people_testing(model)),
    }
    return (Sentence("chance", Message(text, values), "warn" if share > 0.5 else "plain"),)


def _theorem(model: LearnModel) -> Sentence:
    """What is promised, of whom, and by which theorem."""
    made, sample = known.claim(model), model.sample
    unit = say("each row is a person")
    if sample.persons is not None:
        unit = say("a person has at most {m} {m:row|rows}", m=Num(sample.most))
    who = N_("who comes or goes") if not model.known.replace else N_("who is replaced")
    epsilon, delta = known.promised(model, model.lab.learner)
    values: dict[str, Any] = {
        "epsilon": Num(epsilon, 5),
        "delta": Num(delta, 3, "up"),
        "who": Message(who),
        "unit": unit,
        "theorem": made.theorem,
    }
    text = N_("(ε, δ) = ({epsilon}, {delta}) for one person {who} ({unit}). {theorem}")
    if known.crosses(model):
        ends = {"own": Num(made.epsilon, 5), "own_delta": Num(made.delta, 3, "up")}
        values |= ends
        text = N_(
            "(ε, δ) = ({epsilon}, {delta}) for one person {who} ({unit}) and may move one more "
            "over the border of the test rows; ({own}, {own_delta}) for one that is learnt from. "
            "{theorem}"
        )
    if made.holds:
        return Sentence("theorem", Message(text, values))
    values["epsilon"] = Num(made.epsilon, 5)
    text = N_("ε = {epsilon} is claimed. {theorem} In truth it costs ε = {cost}.")
    if made.cost == float("inf"):
        text = N_("ε = {epsilon} is claimed. {theorem} In truth no ε is known to hold.")
        return Sentence("theorem", Message(text, values), "bad")
    return Sentence("theorem", Message(text, {**values, "cost": Num(made.cost, 4, "up")}), "bad")


def _split(model: LearnModel) -> tuple[Sentence, ...]:
    """The most expensive part of the budget."""
    most = max(known.budget(model), key=lambda part: part.epsilon)
    if not 0 < most.scale < float("inf"):
        return ()
    text = N_("The largest part of ε, {epsilon}, goes to: {row}, with noise of scale {scale}.")
    values = {"epsilon": Num(most.epsilon, 3), "row": most.row, "scale": Num(most.scale, 4, "up")}
    return (Sentence("split", Message(text, values)),)


def _beside(model: LearnModel) -> tuple[Sentence, ...]:
    """What is as printed beside what is proved."""
    both = known.as_proved(model) if model.curve is not None else None
    if both is None:
        return ()
    text = N_(
        "As printed the median score at ε = {epsilon} is {theirs}; with the noise that the proof "
        "asks for it is {ours}."
    )
    theirs, ours = (known.shown(model, score) for score in both)
    values = {"epsilon": Num(model.lab.epsilon, 5), "theirs": theirs, "ours": ours}
    return (Sentence("beside", Message(text, values), "warn"),)


def _texts(model: LearnModel) -> tuple[Sentence, ...]:
    """What the texts print of this model, and why ours is another."""
    texts = known.printed(model)
    if texts is None or model.curve is None:
        return ()
    epsilon, score = known.nearest_printed(model, texts)
    text = N_("The texts print {score} at ε = {epsilon} and {whole} without noise: {why}.")
    values: dict[str, Any] = {
        "score": known.shown(model, score),
        "epsilon": Num(epsilon),
        "whole": known.shown(model, texts.noiseless),
        "why": Message(texts.why),
    }
    return (Sentence("texts", Message(text, values)),)


def _persons(model: LearnModel) -> tuple[Sentence, ...]:
    """Who a person is."""
    if model.curve is None:
        return ()

    def compared() -> tuple[Message, Message, Message]:
        scored = _shown(model, known.noiseless(model))
        return say("the score without noise"), scored, scored

    return left_out(model.data, compared, show_truth=False)


def statement_text(model: LearnModel) -> tuple[MadeText, ...]:
    """What may be printed beside the model: the statement of its training, or its theorem and what
    that does not cover; and to whom it is where the split has a border."""
    told = known.statement(model) or (_theorem(model).say, say(NOT_COVERED))
    told = *told, *(sentence.say for sentence in target_words.border(model))
    # A guess that comes from the rows is in it.
    exact = model.lab.learner.proposed(model.known)
    return (MadeText("statement", say("The promise of this training"), told, exact),)
