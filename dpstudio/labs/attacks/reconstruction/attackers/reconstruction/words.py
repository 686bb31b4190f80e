"""What is said of reconstruction."""

from collections.abc import Iterator

from dpstudio.labs.attacks.attackers.attacker import of_100
from dpstudio.labs.attacks.attackers.success_charts import by_promise, nobody_more, percent
from dpstudio.labs.attacks.reconstruction.attackers.reconstruction import model as reconstruction
from dpstudio.labs.findings import Fact, Sentence
from dpstudio.values.messages import N_, Num, say


def facts(model: reconstruction.ReconstructionModel) -> tuple[Fact, ...]:
    """What is recovered, what could be at most, and how large the noise is."""
    share, best, most = reconstruction.here(model)
    ink, noise = model.asked.mechanism.ink, reconstruction.noise_here(model)
    by = by_promise(model.asked.mechanism)
    wide, drawn = say("{noise} √n", noise=Num(noise, 3)), say("in these draws")
    here = say("noise of one answer at this ε")
    return (
        Fact("off", here, wide, say("standard deviation"), "text", noise),
        Fact("best", say("the best attacker"), say("{x}", x=percent(best, "up")), "", ink, best),
        Fact("promised", say("at most"), say("{x}", x=percent(most, "up")), by, "limit", most),
        Fact("attack", say("recovered"), say("{x}", x=percent(share)), drawn, "answer", share),
    )


def sentences(model: reconstruction.ReconstructionModel) -> Iterator[Sentence]:
    """What is recovered at this ε, and from where on it is not."""
    attacker, (share, best, most) = model.attacker, reconstruction.here(model)
    values = {
        "epsilon": Num(model.asked.mechanism.epsilon, 5),
        "questions": Num(attacker.questions),
        "people": Num(attacker.people),
        "share": Num(of_100(share), 3),
        "within": Num(reconstruction.within(model), 2, "up"),
        "most": Num(of_100(most), 3, "up"),
        "by": by_promise(model.asked.mechanism),
        "noise": Num(reconstruction.noise_here(model), 3),
    }
    text = N_(
        "At ε = {epsilon} this attack recovers {share} ± {within} of 100 bits (50 is a coin)."
    )
    yield Sentence("gain", say(text, **values))
    yield nobody_more(share, best)
    text = N_("Exact counts of these groups give every bit away.")
    if reconstruction.exactly(model) < 1:
        text = N_("From exact counts of these groups this attack recovers {exact} of 100 bits.")
    yield Sentence(
        "exact", say(text, exact=Num(of_100(reconstruction.exactly(model)), 3, "down")), "bad"
    )
    text = N_(
        "All {questions} {questions:count|counts} together have ε. "
        "The noise of one answer is {noise} √n: where many more counts are asked than there are "
        "people, far below √n nearly all bits are recovered, and far above it few more than a coin "
        "would. The bound is for who knows all bits but one; {by} it is {most} of 100."
    )
    yield Sentence("ground", say(text, **values))
