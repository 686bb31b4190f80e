"""Learn's strip, sentences and tables."""

from __future__ import annotations

from typing import Any

from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.learning.learn.learners.learner import PLACES, Learner
from dpstudio.labs.learning.learn.model import (
    LearnModel,
    as_proved,
    at_epsilon,
    below,
    budget,
    claim,
    commonest,
    counted,
    enough,
    few_runs,
    growth,
    interval,
    majority,
    mean_label,
    median,
    nearest_printed,
    noiseless,
    printed,
    right_guesses,
    shown,
    statement,
    useful,
)
from dpstudio.labs.learning.learn.target_words import border, wanted
from dpstudio.labs.local_curves import at_confidence
from dpstudio.labs.outcome import MadeText
from dpstudio.labs.persons import left_out
from dpstudio.privacy.learning.training_statement import NOT_COVERED
from dpstudio.values.messages import N_, Num, Say, plain, say


def facts(model: LearnModel) -> tuple[Fact, ...]:
    """How far models with noise spread, how often they are of no use, and from where on they are;
    then the score with noise, without it, and of the commonest class."""
    if model.curve is None:
        return (Fact("place", say("noise"), Say(PLACES[model.lab.learner.place])),)
    ink, ends, part = model.lab.learner.ink, interval(model), below(model)
    text = say("{low} … {high}", low=shown(model, ends[0]), high=shown(model, ends[1]))
    name = say("{confidence} of the models", confidence=at_confidence(model.lab.confidence))
    score, whole, crowd = median(model), noiseless(model), majority(model)
    if model.numbers:
        told, simple = say("R²"), say("always the mean")
        always = say("always saying {mean}", mean=Num(mean_label(model), 4))
    else:
        told, simple = say("told right"), say("commonest class")
        always = say("always saying “{word}”", word=plain(commonest(model)))
    useless = say("{score}", score=Num(part, 3, percent=True))
    return (
        Fact("interval", name, text, told, ink, ends),
        Fact("useless", say("of the models"), useless, say("no better than {x}", x=always)),
        *_enough_fact(model),
        Fact("score", told, _shown(model, score), say("median"), ink, score),
        Fact("noiseless", say("without noise"), _shown(model, whole), "", "truth", whole),
        Fact("majority", simple, _shown(model, crowd), always, "muted", crowd),
    )


def _shown(model: LearnModel, score: float) -> Say:
    return say("{score}", score=shown(model, score))


def _enough_fact(model: LearnModel) -> tuple[Fact, ...]:
    found = enough(model)
    if found is None:
        return ()
    text = say("ε = {epsilon}", epsilon=Num(found, 3, "up"))
    name = say("half of the models lose less than 1 %")
    if model.numbers:
        name = say("half of the models lose less than .01 of R²")
    return (Fact("enough", name, text, "", "text", found),)


def sentences(model: LearnModel) -> tuple[Sentence, ...]:
    """What the promise costs, from where on a model is of use, what is promised and of whom."""
    return (
        *_odds(model),
        *_scored(model),
        _theorem(model),
        *(Sentence(f"statement_{i}", told) for i, told in enumerate(statement(model))),
        *_split(model),
        *_beside(model),
        *_texts(model),
        _rows(model),
        *border(model),
        *_persons(model),
    )


def _odds(model: LearnModel) -> tuple[Sentence, ...]:
    """The risk in words, where the promise is kept."""
    if not claim(model).holds:
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
    return (Sentence("odds", say(text, right=Num(right_guesses(model)))),)


def _scored(model: LearnModel) -> tuple[Sentence, ...]:
    if model.curve is None:
        text = N_("The exact scores are hidden: this shows how the budget is spent.")
        return (Sentence("score", say(text)),)
    return (
        _cost(model),
        _use(model),
        *_taught(model),
        *wanted(model),
        _tested(model),
        *_others(model),
    )


def _cost(model: LearnModel) -> Sentence:
    """The score at this ε beside that without noise."""
    values: dict[str, Any] = {
        "epsilon": Num(model.lab.epsilon, 5),
        "score": shown(model, median(model)),
        "whole": shown(model, noiseless(model)),
        "crowd": shown(model, majority(model)),
    }
    if model.numbers:
        values["mean"] = Num(mean_label(model), 4)
        text = N_(
            "At ε = {epsilon} half of the models have an R² above {score}: {whole} without noise, "
            "{crowd} if the answer is always the mean, {mean}."
        )
    else:
        values["word"] = plain(commonest(model))
        text = N_(
            "At ε = {epsilon} the median model tells {score} right: {whole} without noise, "
            "{crowd} if the answer is always “{word}”."
        )
    useless = median(model) <= majority(model)
    return Sentence("score", Say(text, values), "warn" if useless else "plain")


def _taught(model: LearnModel) -> tuple[Sentence, ...]:
    """From how many rows on a regression teaches something."""
    found = growth(model)
    if found is None:
        return ()
    values: dict[str, Any] = {
        "rows": Num(counted(model)[0]),
        "epsilon": Num(model.lab.epsilon, 5),
        "enough": Num(found.taught, 3, "up"),
    }
    text = N_(
        "Half of the models reach half of the R² without noise from {enough} rows like these on; "
        "{rows} are learnt from."
    )
    useless = median(model) <= majority(model)
    if useless:
        text = N_(
            "{rows} rows teach nothing at ε = {epsilon}. From {enough} rows like these on, half of "
            "the models reach half of the R² without noise."
        )
    if found.taught == float("inf"):
        text = N_("At ε = {epsilon} not even a billion rows like these teach half of it.")
    return (Sentence("taught", Say(text, values), "warn" if useless else "plain"),)


def _use(model: LearnModel) -> Sentence:
    """How often noise makes a model useless, and from where on it seldom does."""
    share, from_ = below(model), useful(model)
    always = say("always saying the commonest class")
    if model.numbers:
        always = say("always saying the mean")
    values = {"share": Num(share, 3, percent=True), "always": always}
    text = N_("{share} of the models are no better than {always}")
    if not share:
        text = N_("None of these models is as bad as {always}")
    told = Say(text, values)
    if from_ is None:
        tail = say("{told}; at the largest ε drawn half or more are.", told=told)
        return Sentence("use", tail, "warn")
    tail = say(
        "{told}; from ε = {from_} on fewer than half are.", told=told, from_=Num(from_, 3, "up")
    )
    return Sentence("use", tail)


def _tested(model: LearnModel) -> Sentence:
    learnt, tested, _ = counted(model)
    text = N_(
        "A score on these {tested} test rows is exact, and so not private: who publishes it spends "
        "more than ε. The {learnt} other rows were learnt from."
    )
    return Sentence("tested", say(text, tested=Num(tested), learnt=Num(learnt)))


def _others(model: LearnModel) -> tuple[Sentence, ...]:
    """Which learner does best at this ε, where this one keeps it."""
    if not model.rivals or not claim(model).holds:
        return ()
    scores = [(median(model), model.lab.learner)]
    scores += [(at_epsilon(model, curve), learner) for learner, curve in model.rivals]
    best, winner = max(scores, key=lambda pair: pair[0])
    values = {"name": Say(winner.label), "score": shown(model, best)}
    if winner is model.lab.learner:
        text = N_("Of all learners drawn “{name}” scores most at this ε: {score}.")
        return (Sentence("best", Say(text, values)),)
    # Read between the points of a curve of few models.
    values["runs"] = Num(few_runs(model.effort))
    text = N_(
        "At this ε “{name}” would score more: about {score}, as {runs} models at each ε drawn tell."
    )
    return (Sentence("best", Say(text, values)),)


def _theorem(model: LearnModel) -> Sentence:
    """What is promised, of whom, and by which theorem."""
    made, sample = claim(model), model.sample
    unit = say("each row is a person")
    if sample.persons is not None:
        unit = say("a person has at most {m} rows", m=Num(sample.most))
    who = N_("who comes or goes") if not model.known.replace else N_("who is replaced")
    values: dict[str, Any] = {
        "epsilon": Num(made.epsilon, 5),
        "delta": Num(made.delta, 3, "up"),
        "who": Say(who),
        "unit": unit,
        "theorem": made.theorem,
    }
    text = N_("(ε, δ) = ({epsilon}, {delta}) for one person {who} ({unit}). {theorem}")
    if made.holds:
        return Sentence("theorem", Say(text, values))
    text = N_("ε = {epsilon} is claimed. {theorem} In truth it costs ε = {cost}.")
    if made.cost == float("inf"):
        text = N_("ε = {epsilon} is claimed. {theorem} In truth no ε is known to hold.")
        return Sentence("theorem", Say(text, values), "bad")
    return Sentence("theorem", Say(text, {**values, "cost": Num(made.cost, 4, "up")}), "bad")


def _split(model: LearnModel) -> tuple[Sentence, ...]:
    """The most expensive part of the budget."""
    most = max(budget(model), key=lambda part: part.epsilon)
    if not 0 < most.scale < float("inf"):
        return ()
    text = N_("The largest part of ε, {epsilon}, goes to: {row}, with noise of scale {scale}.")
    values = {"epsilon": Num(most.epsilon, 3), "row": most.row, "scale": Num(most.scale, 4, "up")}
    return (Sentence("split", Say(text, values)),)


def _beside(model: LearnModel) -> tuple[Sentence, ...]:
    """What is as printed beside what is proved."""
    both = as_proved(model) if model.curve is not None else None
    if both is None:
        return ()
    text = N_(
        "As printed the median score at ε = {epsilon} is {theirs}; with the noise that the proof "
        "asks for it is {ours}."
    )
    theirs, ours = (shown(model, score) for score in both)
    values = {"epsilon": Num(model.lab.epsilon, 5), "theirs": theirs, "ours": ours}
    return (Sentence("beside", Say(text, values), "warn"),)


def _texts(model: LearnModel) -> tuple[Sentence, ...]:
    """What the texts print of this model, and why ours is another."""
    texts = printed(model)
    if texts is None or model.curve is None:
        return ()
    epsilon, score = nearest_printed(model, texts)
    text = N_("The texts print {score} at ε = {epsilon} and {whole} without noise: {why}.")
    values: dict[str, Any] = {
        "score": shown(model, score),
        "epsilon": Num(epsilon),
        "whole": shown(model, texts.noiseless),
        "why": Say(texts.why),
    }
    return (Sentence("texts", Say(text, values)),)


def _rows(model: LearnModel) -> Sentence:
    """Whose bounds are used, and which rows are not."""
    if model.sample.unattested:
        text = N_("Bounds or words of {columns} come from the data.")
        names = plain(", ".join(model.sample.unattested))
        return Sentence("rows", say(text, columns=names), "warn")
    if model.curve is None:
        return Sentence("rows", say("All bounds and words are known from outside the data."))
    left = counted(model)[2]
    text = N_(
        "All bounds and words are known from outside the data; {left} rows lack a value or have "
        "another word, and are left out."
    )
    if not left:
        text = N_("All bounds and words are known from outside the data; no row lacks a value.")
    return Sentence("rows", say(text, left=Num(left)))


def _persons(model: LearnModel) -> tuple[Sentence, ...]:
    """Who a person is."""
    if model.curve is None:
        return ()

    def compared() -> tuple[Say, Say, Say]:
        scored = _shown(model, noiseless(model))
        return say("the score without noise"), scored, scored

    return left_out(model.data, compared, show_truth=False)


def statement_text(model: LearnModel) -> tuple[MadeText, ...]:
    """What may be printed beside the model: the statement of its training, or its theorem and what
    that does not cover; and to whom it is where the split has a border."""
    told = statement(model) or (_theorem(model).say, say(NOT_COVERED))
    told = *told, *(sentence.say for sentence in border(model))
    return (MadeText("statement", say("The promise of this training"), told),)


def tables(model: LearnModel) -> tuple[Table, ...]:
    """Every learner drawn: where its noise goes, and its score at this ε."""
    if model.curve is None:
        return ()
    rows = [_row(model, model.lab.learner, median(model))]
    rows += [_row(model, learner, at_epsilon(model, curve)) for learner, curve in model.rivals]
    heads = {"learner": say("learner"), "place": say("noise on"), "score": say("told right")}
    if model.numbers:
        heads["score"] = say("R²")
    columns = tuple((name, tuple(row[i] for row in rows)) for i, name in enumerate(heads))
    title = say("Learners at ε = {epsilon}", epsilon=Num(model.lab.epsilon, 5))
    return (Table("learners", title, columns, shown=True, heads=tuple(heads.values()), exact=True),)


def _row(model: LearnModel, learner: Learner, score: float) -> tuple[Any, ...]:
    return Say(learner.label), Say(PLACES[learner.place]), shown(model, score)
