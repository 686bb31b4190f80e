"""Compare as a script: the error of each mechanism on one question, and which errs least."""

from dataclasses import replace

from dpstudio.labs.one_answer.compare.parameters import Compare
from dpstudio.labs.scripting import answer as one
from dpstudio.labs.scripting.questions import asked
from dpstudio.labs.scripting.scripted import Known, Script
from dpstudio.privacy.mechanisms import MECHANISMS

_ERRORS = {"mean_abs": "typical", "rmse": "deviation", "half_width": "half_width"}
_RANKED = """
# Errors are level within 0.05 %; what breaks its promise comes last.
kept = tiers({key: error for key, error in by_noise.items() if key not in broken})
ranked = kept + tiers({key: by_noise[key] for key in broken})
least = by_noise[ranked[0][0]]
numbers["winner"] = least
if len(ranked) > 1:
    numbers["next"] = by_noise[ranked[1][0]]
if len(kept) > 1 and least > 0:
    beside = next((keys for keys in kept[1:] if focus in keys), kept[1])
    other = by_noise[beside[0]]
    numbers["less"] = 1 - least / other if least > other / 100 else other / least
    if kept[-1] is not beside:
        numbers["last"] = by_noise[kept[-1][0]] / least
"""
_HERO = """
names = list(by_noise)
axes.barh(names, [by_noise[name] for name in names])
axes.set_xlabel("error")
"""


def script(lab: Compare, known: Known) -> Script:
    """The facts of the page from the formulas. Raises NoScript."""
    question = asked(lab.query, lab.adjacency, known)
    whole = all(question.whole)
    kinds = [k for k in MECHANISMS if k.key in lab.mechanisms and (whole or not k.integers)]
    made = [kind().at(lab.epsilon, lab.delta) for kind in kinds]
    focus = next((m.key for m in made if m.key == lab.focus), made[0].key)
    settings: dict[str, object] = {**question.settings, "epsilon": lab.epsilon}
    settings |= {"delta": lab.delta, "focus": focus}
    lines, law, pure = [*question.lines, "by_noise, broken = {}, []"], dict[str, float](), 0
    bare = replace(question, lines=())
    for mechanism in made:
        noise = one.noise(mechanism, question, known)
        more, block, agreed = one.error_lines(lab, bare, noise)
        settings |= {**noise.settings, **more}
        if mechanism.key != focus:
            block = [line for line in block if not line.startswith("numbers[")]
        lines += [f"\n# {mechanism.label}\n# {mechanism.formula}", *block]
        lines.append(f'by_noise["{mechanism.key}"] = {_ERRORS[lab.measure]}')
        law |= {key: max(share, law.get(key, 0.0)) for key, share in agreed.items()}
        if mechanism.key == "textbook":
            lines += [
                "true_delta = gaussian_delta(epsilon, 1 / textbook_sigma(epsilon, delta))",
                "if true_delta > delta * (1 + 1e-9):",
                '    broken = ["textbook"]  # too little noise for what it promises',
            ]
        pure += mechanism.pure
    lines.append(_RANKED)
    if len(made) > 1:
        lines.append(f'numbers["pure"] = {pure}')
    if law:
        worst = max(law.values())
        law |= dict.fromkeys(("winner", "next", "last"), 2 * worst) | {"less": 4 * worst}
    # Differences of two errors that are simulated here and there are no closer than their draws.
    drawn = ("answer",) if question.linear else ("answer", "less", "next", "last")
    return Script(settings, "\n".join(lines), law, _HERO, drawn=drawn)
