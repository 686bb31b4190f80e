"""What Learn says of rows: how many teach, are guessed, and test, and which are left out."""

from dpstudio.labs.findings import Sentence
from dpstudio.labs.models.learn.learners.learner import Growth
from dpstudio.labs.models.learn.model import LearnModel, counted, growth, median, noiseless, shown
from dpstudio.labs.models.learn.target import majority
from dpstudio.values.messages import N_, Message, Num, listed, say


def taught(model: LearnModel) -> tuple[Sentence, ...]:
    """From how many rows on a regression teaches something."""
    found = growth(model)
    if found is None or noiseless(model) <= majority(model):  # which teaches nothing to reach
        return ()
    useless = median(model) <= majority(model)
    text = N_(
        "Half of the models reach half of least squares’ R², {whole}, from {enough:# such row|# "
        "such rows} on; {rows} {rows:is|are} learnt from."
    )
    if useless:
        text = N_(
            "{rows:# row teaches|# rows teach} nothing at ε = {epsilon}. From {enough:# such row|# "
            "such rows} on, half of the models reach half of least squares’ R², {whole}."
        )
    values = {
        "rows": Num(counted(model)[0]),
        "epsilon": Num(model.lab.epsilon, 5),
        "whole": shown(model, found.whole),
    }
    told = found.taught.said(
        lambda _, at: say(text, **values, enough=Num(at, 3, "up")),
        lambda _: say(
            "Half of the models reach half of least squares’ R², {whole}, with any number of such "
            "rows; {rows} {rows:is|are} learnt from.",
            **values,
        ),
        lambda most: _untaught(model, found, most),
    )
    warns = found.taught.at is None or useless
    return (Sentence("taught", told, "warn" if warns else "plain"),)


def _untaught(model: LearnModel, found: Growth, most: float) -> Message:
    """That not even so many rows teach, and whether it is for the noise or the guess."""
    told = say(
        "At ε = {epsilon} not even {most} {most:row like these lets|rows like these let} half of "
        "the models reach half of the R² of least squares without noise.",
        epsilon=Num(model.lab.epsilon, 5),
        most=Num(most, bare=True),
    )
    if found.calm < found.whole / 2:
        text = N_(
            "{told} It is not the noise: as it is set, this learner has an R² of {calm} without it."
        )
        told = say(text, told=told, calm=shown(model, found.calm))
    return found.kept.said(
        lambda _, at: say(
            "{told} If the guess stays at {guess}, {kept} {kept:row does|rows do}.",
            told=told,
            guess=Num(model.lab.learner.guess(model.known)),
            kept=Num(at, 3, "up"),
        ),
        lambda _: told,
        lambda _: told,
    )


def guessed(model: LearnModel) -> tuple[Sentence, ...]:
    """A guess at how many are learnt from, beside how many are."""
    learner, known = model.lab.learner, model.known
    if model.curve is None or not learner.guesses or known.rows is not None:
        return ()
    guess, there = learner.guess(known), learner.unguessed().guess(known)
    values = {"guess": Num(guess), "there": Num(there)}
    if learner.proposed(known):
        text = N_("The learner is set for {guess} {guess:row|rows}, about as many as there are.")
        return (Sentence("guess", Message(text, values)),)
    text = N_(
        "The learner is set for {guess:# row|# rows}, a guess; about {there} {there:is|are} there."
    )
    wrong = max(guess, there) > 2 * min(guess, there)
    return (Sentence("guess", Message(text, values), "warn" if wrong else "plain"),)


def tested(model: LearnModel) -> Sentence:
    """How many rows test and teach, and that a score is exact."""
    learnt, tested, _ = counted(model)
    text = N_(
        "A score on {tested:# row|# rows} to test with is exact, and so not private: who publishes "
        "it spends more than ε. {learnt} {learnt:row was|rows were} learnt from."
    )
    return Sentence("tested", say(text, tested=Num(tested), learnt=Num(learnt)))


def rows(model: LearnModel) -> Sentence:
    """Whose bounds are used, and which rows are not."""
    if model.sample.unattested:
        text = N_("Bounds or words of {columns} come from the data.")
        names = listed(model.sample.unattested)
        return Sentence("rows", say(text, columns=names), "warn")
    if model.curve is None:
        return Sentence("rows", say("All bounds and words are known from outside the data."))
    left = counted(model)[2]
    text = N_(
        "All bounds and words are known from outside the data; {left} {left:row lacks a value or "
        "has another word, and is|rows lack a value or have another word, and are} left out."
    )
    if not left:
        text = N_("All bounds and words are known from outside the data; no row lacks a value.")
    return Sentence("rows", say(text, left=Num(left)))
