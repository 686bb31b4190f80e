"""What Local learning says of the code behind the texts' figures."""

from dpstudio.labs.findings import Sentence
from dpstudio.labs.nobody.local_learning import as_printed
from dpstudio.labs.nobody.local_learning.model import LocalModel
from dpstudio.values.messages import N_, Num, say


def printed(model: LocalModel) -> tuple[Sentence, ...]:
    """What the reports of that code cost."""
    if not as_printed.printable(model):
        return ()
    values = {
        "many": Num(as_printed.printed_count(model)),
        "epsilon": Num(model.lab.protocol.claim, 4),
        "added": Num(as_printed.printed_added(model), 4),
        "real": Num(as_printed.printed_spent(model), 4, "up"),
    }
    text = N_(
        "By the texts’ code one sends {many} {many:report|reports} at ε = {epsilon} each, and "
        "spends {real}."
    )
    added = N_(
        "The texts’ words ask for one report. Of their code adding up says ε = {added}: the random "
        "words that are sent of other classes are noise as well."
    )
    return Sentence("printed", say(text, **values), "warn"), Sentence("added", say(added, **values))


def texts(model: LocalModel) -> Sentence | None:
    """What that code has of this table."""
    score = as_printed.text_score(model)
    if score is None or not as_printed.printable(model) or model.fit is None:
        return None
    text = N_(
        "The code behind the texts’ figures has {score} at ε = {epsilon}, where a person really "
        "spends {real}; it tests with 6 % of the rows, drawn with a seed picked by hand."
    )
    real = Num(as_printed.text_spent(model), 4, "up")
    return Sentence(
        "texts",
        say(
            text,
            score=Num(score, 3, percent=True),
            epsilon=Num(as_printed.text_epsilon(model)),
            real=real,
        ),
    )
