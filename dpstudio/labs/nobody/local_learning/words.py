"""Local learning's strip, sentences and tables: every number computed in the model."""

from collections.abc import Iterator

from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.labs.local_curves import at_confidence
from dpstudio.labs.nobody.local_learning import model as local
from dpstudio.labs.nobody.local_learning.printed_words import printed, texts
from dpstudio.labs.passing_words import wanted_epsilon
from dpstudio.privacy.local.protocol import odds_factor
from dpstudio.values.messages import N_, Message, Num, say


def _share(value: float) -> Num:
    return Num(value, 3, percent=True)


def facts(model: local.LocalModel) -> Iterator[Fact]:
    """The strip: the score, what a person spends, how many answer a question, and what there is to
    compare with."""
    if model.fit is not None:
        low, high = local.span(model)
        yield Fact(
            "score",
            say("Accuracy"),
            say("{x}", x=_share(local.middle(model))),
            say("{low} to {high}", low=_share(low), high=_share(high)),
            local.way_of(model).ink,
            local.middle(model),
        )
    spent = local.spent_epsilon(model)
    one = model.lab.reports == "one"
    note = N_("one report") if one else N_("one report of each question")
    yield Fact(
        "spent",
        say("A person spends"),
        say("ε = {x}", x=Num(spent, 4, "up")),
        Message(note),
        value=spent,
    )
    if model.fit is None:
        return
    answers = local.per_question(model)
    many = say("{q} {q:question|questions}", q=Num(local.questions(model)))
    if local.questions(model) == 1:
        many = say("one question")
    yield Fact(
        "answers", say("People a question"), say("{n}", n=Num(answers, 3)), many, value=answers
    )
    single, exact = local.rate_of_one(model), say("exact: not private")
    ends = {"low": Num(single.low, 3, "down", percent=True), "exact": exact}
    ends["high"] = Num(single.high, 3, "up", percent=True)
    spread = Message(N_("{exact}; of all people like these {low} to {high} at 95 %"), ends)
    for key, label, value, told in (
        ("noiseless", say("Without noise"), local.noiseless(model), exact),
        ("majority", say("Majority class"), local.majority(model), spread),
    ):
        yield Fact(key, label, say("{x}", x=_share(value)), told, value=value)


def sentences(model: local.LocalModel) -> tuple[Sentence, ...]:
    """What the pictures say, in words."""
    found = (
        *_score(model),
        _use(model),
        _wanted(model),
        *printed(model),
        texts(model),
        _spent(model),
        _rows(model),
        _tested(model),
        _hidden_class(model),
        _apart(model),
        _odds(model),
        _neighbours(model),
        Sentence(
            "simulated",
            say(
                "Reports here are simulated for looking; nobody was asked, and it is no private "
                "release."
            ),
        ),
    )
    return tuple(sentence for sentence in found if sentence)


def _score(model: local.LocalModel) -> tuple[Sentence, ...]:
    """How often the model of one survey is right, and how far others are from it."""
    if model.fit is None:
        return ()
    low, high = local.span(model)
    n, _, tested = local.counted(model)
    text = N_("From one report each, at ε = {epsilon}, a model has an accuracy of {score}.")
    if model.lab.reports == "all":
        text = N_(
            "From {q:# report|# reports} each, at ε = {epsilon} in all, a model has an accuracy of "
            "{score}."
        )
    score = _share(local.middle(model))
    epsilon = Num(model.lab.protocol.claim, 4)
    told = say(text, q=Num(local.questions(model)), epsilon=epsilon, score=score)
    text = N_(
        "By {way} from {n:# person|# people}; in {confidence} of surveys its accuracy on "
        "{tested:# other|# others} is {low} to {high}."
    )
    values = {
        "n": Num(n),
        "way": local.way_of(model).name,
        "tested": Num(tested),
        "confidence": at_confidence(model.lab.confidence),
        "low": _share(low),
        "high": _share(high),
    }
    return Sentence("score", told), Sentence("span", Message(text, values))


def _use(model: local.LocalModel) -> Sentence | None:
    if model.fit is None:
        return None
    useless = local.middle(model) <= local.majority(model)
    text = N_(
        "Always naming the majority class has an accuracy of {majority}, the same model without "
        "noise {noiseless}."
    )
    if useless:
        text = N_(
            "Always naming the majority class has an accuracy of {majority}: nothing is learnt. "
            "Without noise: {noiseless}."
        )
    if useless and local.noiseless(model) <= local.majority(model):
        text = N_(
            "The majority class has {majority}, this model even without noise {noiseless}: choose "
            "other features."
        )
    shown = say(
        text, majority=_share(local.majority(model)), noiseless=_share(local.noiseless(model))
    )
    return Sentence("use", shown, "warn" if useless else "plain")


def _wanted(model: local.LocalModel) -> Sentence | None:
    """Which ε a score takes that is wanted; nothing where there is none to want."""
    if not model.curves or local.noiseless(model) <= local.majority(model):
        return None
    what = say("A score of {score}", score=_share(local.wanted_score(model)))
    return wanted_epsilon(local.wanted_epsilon(model), what, N_("these surveys"))


def _spent(model: local.LocalModel) -> Sentence:
    values = {
        "q": Num(local.questions(model)),
        "each": Num(local.each_epsilon(model), 3),
        "spent": Num(local.spent_epsilon(model), 4, "up"),
    }
    return Sentence("spent", Message(_asked_text(model), values))


def _asked_text(model: local.LocalModel) -> str:
    """How a person is asked."""
    if local.questions(model) == 1:
        return N_("A person is asked one question and spends ε = {spent}.")
    if model.lab.reports == "all":
        return N_(
            "A person answers {q} {q:question|questions} at ε = {each} each: ε = {spent} in all."
        )
    return N_(
        "A person is asked one of {q} {q:question|questions}, by lot, and spends ε = {spent}."
    )


def _rows(model: local.LocalModel) -> Sentence | None:
    if not model.lab.show_truth:
        return None
    n, first, tested = local.counted(model)
    text = N_(
        "{n:# person is|# people are} asked, {tested:# tests|# test}; {left:# row lacks a value "
        "and is|# rows lack a value and are} left out."
    )
    if first:
        text = N_(
            "{n:# person is|# people are} asked, {first:# is|# are} set apart before, {tested:# "
            "tests|# test}; {left:# row lacks a value and is|# rows lack a value and are} left out."
        )
    left = Num(model.sample.left_out)
    told = say(text, n=Num(n), first=Num(first), tested=Num(tested), left=left)
    more = local.unused(model)
    if more:
        told = say("{told} {more} more {more:is|are} not used here.", told=told, more=Num(more))
    return Sentence("rows", told)


def _tested(model: local.LocalModel) -> Sentence:
    text = N_(
        "Scores on the test part are exact and not private. Its people are drawn by the seed "
        "{seed}, and are not asked."
    )
    if not model.lab.show_truth:
        return Sentence("tested", say("Scores on the test part are exact, and hidden."))
    return Sentence("tested", say(text, seed=str(model.lab.seed)))


def _hidden_class(model: local.LocalModel) -> Sentence | None:
    if not model.asked.people.shape.numbers:
        return None
    text = N_(
        "A number, from −1 to 1, is sent at the place of the class, 0 at the others, or twice its "
        "square less 1: two such lists are at most 2 apart, so the class is hidden with it."
    )
    return Sentence("hidden_class", say(text))


def _apart(model: local.LocalModel) -> Sentence | None:
    if not model.lab.apart or not model.lab.show_truth:
        return None
    first = Num(local.counted(model)[1])
    text = N_("The rows of {first} {first:person|people} are taken as public; they are not asked.")
    if model.lab.paid:
        text = N_(
            "{first} {first:person pays|people pay} with one report each, at ε = {epsilon}; what "
            "they tell decides what all others are asked."
        )
    if not local.decided(model):
        text = N_(
            "No feature is a number: the {first} {first:person|people} set apart "
            "{first:decides|decide} nothing."
        )
    epsilon = Num(model.lab.protocol.claim, 4)
    return Sentence("apart", say(text, first=first, epsilon=epsilon))


def _odds(model: local.LocalModel) -> Sentence:
    """What no person gives away."""
    text = N_(
        "Whatever a person sends, it multiplies the odds between any two rows by at most {factor}."
    )
    return Sentence("odds", say(text, factor=odds_factor(local.spent_epsilon(model))))


def _neighbours(model: local.LocalModel) -> Sentence:
    """Which change of a row ε covers."""
    text = N_("ε covers any change of one person’s row, of all its values and of the class.")
    return Sentence("neighbours", say(text))


def tables(model: local.LocalModel) -> tuple[Table, ...]:
    """The scores of every curve at every ε."""
    if not model.curves:
        return ()
    rows = [
        (way.key, epsilon, *found)
        for way, curve in model.curves
        for epsilon, found in zip(
            curve.epsilons.tolist(),
            local.quantiles(curve, model.lab.confidence).T.tolist(),
            strict=True,
        )
    ]
    names = ("protocol", "epsilon", "low", "median", "high")
    columns = tuple((name, tuple(row[i] for row in rows)) for i, name in enumerate(names))
    return (Table("scores", say("Scores"), columns, exact=True),)
