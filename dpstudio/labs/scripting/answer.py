"""The lines of a script that answer a question through a mechanism: the noise, the law of the
error, and what many such answers cost."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from dpstudio.labs.question import Judging
from dpstudio.labs.scripting import questions
from dpstudio.labs.scripting.questions import Asked
from dpstudio.labs.scripting.questions import clipped as clipped
from dpstudio.labs.scripting.scripted import Known, NoScript
from dpstudio.privacy.mechanisms import Additive
from dpstudio.privacy.mechanisms.staircase import Staircase
from dpstudio.privacy.queries.query import Query
from dpstudio.values.messages import N_, say

_NO_NOISE = N_("No script looks for the σ of discrete Gaussian noise. Choose another noise.")
_RARE = 20.0
_TINY = N_(
    "Errors of integer noise are so rare at this ε that a script loses them. Choose a smaller ε."
)
_SEVERAL = N_("No script does this with several noisy numbers. Ask for a count or a sum.")
_STEPS = N_("No script cuts the steps of a staircase for several rows of a person. Choose Laplace.")
_TOGETHER = N_(
    "No script has the largest error of a vector whose coordinates share their noise. Look at one "
    "part."
)
# Shares within which what is simulated here agrees with what the page works out, by quadrature or
# by draws of its own: of 400,000 draws a half-width is off by less than 1 % with few exceptions,
# and heavy tails of a ratio by more; and within which quadratures do.
SIMULATED, INTEGRATED = 0.04, 1e-5
# The numeric bound is rounded up on its lattice, by less than this; and 5e-4 nobody sees.
ROUNDED = 1e-3
DRAWS = 400_000


@dataclass(frozen=True)
class Noise:
    """Lines that give the `cdf` of the noise on one coordinate of one measurement, of norms l1, l2
    and linf; `typical` is E|X| and `half_width` the ± of `confidence` in closed form, "" where
    there is none. `draws` draws `size` of the noise of measurement number i, with its norms and
    its `share` of the budget; `kind` is its privacy loss."""

    settings: Mapping[str, object]
    lines: tuple[str, ...]
    typical: str
    half_width: str
    draws: str
    kind: str
    whole: bool = False
    law: Mapping[str, float] = field(default_factory=dict)


def asked(query: Query, adjacency: str, known: Known) -> Asked:
    """A question that is answered by one noisy measurement as it is, with its norms l1, l2 and
    linf. Raises NoScript."""
    found = questions.asked(query, adjacency, known)
    if not found.linear:
        raise NoScript(say(_SEVERAL))
    return replace(found, lines=(*found.lines, "l1, l2, linf = norms(moves)"))


def _gaussian(sigma: str) -> Noise:
    return Noise(
        {},
        (f"sigma = l2 * {sigma}(epsilon, delta)", "cdf = partial(gaussian_cdf, sigma=sigma)"),
        "sigma * math.sqrt(2 / math.pi)",
        "-sigma * special.ndtri((1 - confidence) / 2)",
        "rng.normal(0, sigmas[i], size)",
        "",
    )


_SIMPLE = {
    "laplace": Noise(
        {},
        (
            "scale = l1 / epsilon  # Lap(b), b = sensitivity in L1 / epsilon",
            "cdf = partial(laplace_cdf, scale=scale)",
        ),
        "scale",
        "scale * math.log(1 / (1 - confidence))",
        "rng.laplace(0, l1 / (share * epsilon), size)",
        "laplace_loss(share * epsilon)",
    ),
    "gaussian": _gaussian("gaussian_sigma"),
    "textbook": _gaussian("textbook_sigma"),
    "geometric": Noise(
        {},
        ("loss = epsilon / l1  # for each step of 1", "cdf = partial(geometric_cdf, loss=loss)"),
        "1 / math.sinh(loss) if loss < 700 else 0.0",
        "",
        "geometric_draws(rng, share * epsilon / l1, size)",
        "geometric_loss(share * epsilon / l1, round(l1))",
        True,
    ),
    "catastrophe": Noise(
        {},
        ("scale = l1 / epsilon", "cdf = partial(leaky_cdf, scale=scale, delta=delta)"),
        "(1 - delta) * scale",
        "max(0.0, -scale * math.log((1 - confidence) / (1 - delta)))",
        "leaky_draws(rng, l1 / (share * epsilon), share * delta, size)",
        "laplace_loss(share * epsilon)",
    ),
}
_ANY = Asked({}, ())


def noise(mechanism: Additive, question: Asked = _ANY, known: Known | None = None) -> Noise:
    """The noise of a mechanism. Raises NoScript."""
    settings: dict[str, object] = {"epsilon": mechanism.epsilon}
    if not mechanism.pure:
        settings["delta"] = mechanism.total_delta
    if mechanism.key in _SIMPLE:
        return replace(_SIMPLE[mechanism.key], settings=settings)
    if isinstance(mechanism, Staircase):
        return _staircase(settings, mechanism, question, known)
    if mechanism.key == "l2norm":
        return _norm(settings, question)
    raise NoScript(say(_NO_NOISE))


def _staircase(
    settings: dict[str, object], mechanism: Staircase, question: Asked, known: Known | None
) -> Noise:
    """Each coordinate that one person moves has an equal part of ε."""
    if known is not None and known.most > 1 and question.vector:
        raise NoScript(say(_STEPS))
    shape = float(mechanism.gamma) if mechanism.loss == "hand" else mechanism.loss
    return Noise(
        {**settings, "shape": shape},
        (
            "each, gamma, moved = staircase_of(moves, 0, epsilon, shape)",
            "cdf = partial(staircase_cdf, width=linf, epsilon=each, gamma=gamma)",
        ),
        "staircase_mean(linf, each, gamma)",
        "",
        "staircase_draws(rng, linf, *staircase_of(moves, i, share * epsilon, shape)[:2], size)",
        "staircase_loss(*staircase_of(moves, i, share * epsilon, shape))",
    )


def _norm(settings: dict[str, object], question: Asked) -> Noise:
    """Of one number it is Laplace noise."""
    if not question.vector:
        return Noise(
            settings,
            (
                "scale = l2 / epsilon  # of one number this is Laplace noise",
                "cdf = partial(laplace_cdf, scale=scale)",
            ),
            "scale",
            "scale * math.log(1 / (1 - confidence))",
            "rng.laplace(0, l2 / (share * epsilon), size)",
            "laplace_loss(share * epsilon)",
        )
    return Noise(
        settings,
        (
            "scale, dims = l2 / epsilon, len(truth)",
            "if dims == 1:",
            "    typical, cdf = scale, partial(laplace_cdf, scale=scale)",
            "else:",
            "    typical, cdf = norm_mean(scale, dims), partial(norm_cdf, scale=scale, dims=dims)",
        ),
        "typical",
        "",
        "norm_draws(rng, l2 / (share * epsilon), len(measured[i]), size)",
        "(response_loss if len(truth) > 1 else laplace_loss)(share * epsilon)",
        law={"interval": 1e-5},
    )


def error_lines(
    lab: Judging, question: Asked, made: Noise
) -> tuple[dict[str, object], list[str], dict[str, float]]:
    """(settings, lines, law) that give the facts of one answer: what is exact, the typical error
    and the interval; `half_width` and `typical` among the names. Raises NoScript."""
    settings: dict[str, object] = {"confidence": lab.confidence}
    lines = list(question.lines)
    part = "0"
    if question.vector:
        part = "part"
        lines.append(
            f"part = min({lab.part}, len(truth) - 1)"
            if lab.part >= 0
            else "part = int(np.argmax(truth))  # the largest is looked at"
        )
    everywhere = lab.largest and question.vector
    clamped = lab.post_processing in ("clamp", "both")
    law = dict(made.law)
    if question.linear:
        rounds = lab.post_processing in ("round", "both") and question.whole[0]
        lines += [_norms(made), *made.lines]
        worked = clamped or (rounds and not made.whole)
        if (worked or everywhere) and made.whole and float(str(made.settings["epsilon"])) > _RARE:
            raise NoScript(say(_TINY))
        if everywhere and made.draws.startswith(("leaky", "norm")):
            raise NoScript(say(_TOGETHER))
        squared = lab.measure == "rmse"
        lines += _exact(made, part, everywhere, worked, clamped, rounds, squared)
        law |= {"typical": _integrated(made)} if worked or everywhere else {}
    else:
        lines += _simulated(question, made, part, everywhere, clamped)
        law |= {"typical": SIMULATED, "interval": SIMULATED}
    low, high = question.limits
    ends = [f"truth[{part}] - half_width", f"truth[{part}] + half_width"]
    if low:
        ends = [f"min(max({end}, {low}), {high})" for end in ends]
    if clamped:
        ends = [f"max(0.0, {end})" for end in ends]
    lines += [
        f'numbers["truth"] = truth[{part}]',
        'numbers["typical"] = typical',
        f'numbers["interval"] = ({ends[0]}, {ends[1]})',
    ]
    return settings, lines, law


def _integrated(made: Noise) -> float:
    """Within what two quadratures agree: over the steps of a staircase less closely."""
    return 1e-4 if "staircase" in made.draws else INTEGRATED


# The root of E X² of each noise, by the piece that has its loss.
_DEVIATIONS = {
    "gaussian": "sigma",
    "laplace_loss": "math.sqrt(2) * scale",
    "geometric_loss": "geometric_deviation(loss)",
    "staircase_loss": "staircase_root(linf, each, gamma)",
    "": "scale * math.sqrt(len(truth) + 1)",
}


def deviation(made: Noise) -> str:
    """The root of E X² of a noise, from the names of its lines."""
    if "leaky" in made.draws:
        return "math.sqrt(2 * (1 - delta)) * scale"
    return _DEVIATIONS[made.kind.partition("(")[0] if made.kind else "gaussian"]


def _norms(made: Noise) -> str:
    """The line that gives the norms that its noise needs."""
    text = " ".join((*made.lines, made.typical, made.kind))
    names = [name if name in text else "_" for name in ("l1", "l2", "linf")]
    return f"{', '.join(names)} = norms(moves)  # how far one person moves it"


def _exact(
    made: Noise,
    part: str,
    everywhere: bool,
    worked: bool,
    clamped: bool,
    rounds: bool,
    squared: bool,
) -> list[str]:
    """Lines that give `typical` and `half_width` by the law of one measurement."""
    whole = made.whole or (rounds and worked)
    if not worked and not everywhere:
        inside = f"partial(chance_inside, cdf=cdf, truths=truth[{part} : {part} + 1]"
        inside = inside.replace("truth[0 : 0 + 1]", "truth[:1]")
        width = made.half_width or f"half_width_of(inside, confidence, whole={whole})"
        lines = [] if made.half_width else [f"inside = {inside}, whole={whole})"]
        typical = [] if made.typical == "typical" else [f"typical = {made.typical}  # E|X|"]
        if squared:
            typical.append(f"deviation = {deviation(made)}")
        return [*typical, *lines, f"half_width = {width}"]
    truths = "truth" if everywhere else f"truth[{part} : {part} + 1]"
    flags = {"clamped": clamped, "rounded": rounds, "whole": made.whole}
    words = "".join(f", {name}=True" for name, on in flags.items() if on)
    return [
        f"truths = {truths.replace('truth[0 : 0 + 1]', 'truth')}",
        f"inside = partial(chance_inside, cdf=cdf, truths=truths{words})",
        f"typical = mean_of(inside, truths, whole={whole})",
        *(
            [f"deviation = math.sqrt(mean_of(inside, truths, whole={whole}, squared=True))"]
            if squared
            else []
        ),
        f"half_width = half_width_of(inside, confidence, whole={whole})",
    ]


def _simulated(
    question: Asked, made: Noise, part: str, everywhere: bool, clamped: bool
) -> list[str]:
    """Lines that give them of so many simulated answers, where the law of the error has no simple
    form."""
    alone, one = question.vector and not everywhere, f"{part} : {part} + 1"
    shown = f"value[{one}]" if alone and not question.mixed else "value"
    draws = f"{5 * DRAWS} // len(truth)" if everywhere else str(DRAWS)
    if question.mixed:
        draws = str(DRAWS // 4)
    text = made.draws
    lines = [
        "# The error has no simple law: so many answers are drawn, which tell it to about 1 %."
    ]
    if "sigmas" in text:
        sigma = made.lines[0].split("= l2 * ")[1]
        lines.append(f"sigmas = vector_sigmas(moves, shares, {sigma})")
    names = [name if name in text else "_" for name in ("l1", "l2", "linf")]
    lines += [
        f"rng, draws, noisy = np.random.default_rng(1), {draws}, []",
        "for i, (value, share) in enumerate(zip(measured, shares, strict=True)):",
    ]
    if "sigmas" in text:
        lines[-1] = "for i, value in enumerate(measured):"
    else:
        lines.append(f"    {', '.join(names)} = norms(moves, i)")
    lines += [
        f"    size = (draws, {'1' if shown != 'value' else 'len(value)'})",
        f"    noisy.append({shown} + {text})",
        f"answers_drawn = {question.published}",
        *(["answers_drawn = np.maximum(answers_drawn, 0.0)"] if clamped else []),
        *([f"answers_drawn = answers_drawn[:, {one}]"] if question.mixed and alone else []),
        f"errors = np.abs(answers_drawn - truth{f'[{one}]' if alone else ''})",
        "worst = errors.max(axis=1)",
        "typical = worst.mean()",
        "deviation = math.sqrt(np.mean(worst**2))",
        'half_width = float(np.quantile(worst, confidence, method="inverted_cdf"))',
    ]
    return lines


def cost_lines(
    mechanism: Additive, question: Asked, made: Noise, answers: int, *, alone: bool = True
) -> list[str]:
    """Lines that give `cost`, the ε of k = `answers` such answers by the bound that says least; one
    `alone` costs what it promises."""
    gaussian = mechanism.key in ("gaussian", "textbook")
    pure = mechanism.pure
    delta = "answers * delta" if not pure else "0.0"
    lines = [f"plain = answers * epsilon{'' if pure else f' if {delta} < 1 else math.inf'}"]
    if mechanism.key == "textbook":
        sigma = "textbook_sigma(epsilon, delta)"
        lines += [
            "# This noise may be too little for what it promises: then nothing adds up.",
            f"if gaussian_delta(epsilon, 1 / {sigma}) > delta * (1 + 1e-9):",
            "    plain = math.inf",
        ]
    if alone and answers == 1 and mechanism.key != "textbook":
        return ["cost = epsilon"]
    total = "delta_prime" if pure else "answers * delta + delta_prime"
    if gaussian:
        sigma = f"{mechanism.key}_sigma(epsilon, delta)"
        lines += [
            f"mu, total = math.sqrt(answers) / {sigma}, {total}",
            "tight = gaussian_epsilon(mu, total) if total < 1 else math.inf",
        ]
    else:
        lines += _kinds(question, made)
        lost = "" if pure else ", -math.expm1(answers * math.log1p(-delta))"
        if not pure and not question.linear:
            each = "sum(math.log1p(-share * delta) for share in shares)"
            lost = f", -math.expm1(answers * {each})"
        lines += [
            f"total = {total}",
            f"tight = composed_epsilon(kinds, answers, total{lost}) if total < 1 else math.inf",
        ]
    level = f"{'answers == 1 or ' if alone else ''}plain <= tight * 1.0005"
    if mechanism.key == "textbook":
        level = f"plain < math.inf and ({level})"
    return [*lines, f"cost = plain if {level} else tight  # a gain nobody sees is worth no delta"]


def _kinds(question: Asked, made: Noise) -> list[str]:
    """Lines that give the privacy losses of one answer."""
    if question.linear:
        kind = made.kind.replace("share * ", "").replace("moves, i,", "moves, 0,")
        return [f"kinds = [{kind}]"]
    names = [name if name in made.kind else "_" for name in ("l1", "l2", "linf")]
    lines = ["kinds = []", "for i, share in enumerate(shares):"]
    if names == ["_", "_", "_"]:
        lines = ["kinds = []", "for share in shares:"]
        if "moves, i" in made.kind:
            lines[1] = "for i, share in enumerate(shares):"
    else:
        lines.append(f"    {', '.join(names)} = norms(moves, i)")
    return [*lines, f"    kinds.append({made.kind})"]


def answered(
    lab: Judging, mechanism: Additive, known: Known
) -> tuple[Asked, Noise, dict[str, object], list[str], dict[str, float]]:
    """(question, noise, settings, lines, law) of one answer of a lab. Raises NoScript."""
    question = questions.asked(lab.query, lab.adjacency, known)
    made = noise(mechanism, question, known)
    settings, lines, law = error_lines(lab, question, made)
    return question, made, {**question.settings, **made.settings, **settings}, lines, law
