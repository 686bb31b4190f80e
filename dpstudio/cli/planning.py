"""`dpstudio plan`: make a plan from words, show it, solve it. It opens no table."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from dpstudio.cli import parsing
from dpstudio.files.booked.approving import approval, approved, make_key
from dpstudio.files.language import shown, tr
from dpstudio.files.plan_file import read_plan_file, write_plan_file
from dpstudio.plans import compared, frontier, unknown, words
from dpstudio.plans.exact import written
from dpstudio.plans.plan import Plan, Terms, digest, plan_json
from dpstudio.plans.question import NOISES, QUESTIONS, Question
from dpstudio.plans.solve import best_weighted, least, least_epsilon
from dpstudio.plans.worst import best_worst
from dpstudio.values.lines import padded, width, wrapped
from dpstudio.values.messages import N_, listed, render, say
from dpstudio.values.parameters import ParamError, domains, find

_VERBS = N_(
    "After the file comes one of: show; new, set name=value …; add KIND name=value …; change "
    "NAME name=value …; drop NAME; solve [least | worst | weighted]; find error | size | times "
    "NAME; compare OTHER; approve KEYFILE; key, to make such a file. See dpstudio plan --help."
)
SOLVERS = {"least": least, "worst": best_worst, "weighted": best_weighted}
UNKNOWNS = {"error": unknown.least_error, "size": unknown.least_size, "times": unknown.most_times}


def planned(asked: Sequence[str]) -> int:
    """What the words after `dpstudio plan` say; the exit status."""
    if "-h" in asked or "--help" in asked:
        print(help_text())
        return 0
    given = parsing.plan_parser().parse_intermixed_args(asked)
    path, (verb, *more) = Path(given.file), given.words or ["show"]
    if verb == "key" and not more:
        print(make_key(path))
        return 0
    if verb == "new":
        if path.exists():
            text = N_("{path} is there already: choose another name.")
            raise parsing.UsageError(say(text, path=str(path)))
        plan = _written(path, Plan(Terms(**_given(Terms, more))))
    elif verb == "find":
        return _found(read_plan_file(path), more, as_json=given.json)
    elif verb == "compare" and len(more) == 1:
        return _compared(read_plan_file(path), read_plan_file(Path(more[0])), as_json=given.json)
    else:
        plan = read_plan_file(path)
        changed = _changed(plan, verb, more)
        plan = plan if changed is plan else _written(path, changed)
    print(_json(plan) if given.json else "\n".join(listing(plan)))
    return 0


def _written(path: Path, plan: Plan) -> Plan:
    write_plan_file(path, plan)
    return plan


def _changed(plan: Plan, verb: str, more: list[str]) -> Plan:
    if verb == "show" and not more:
        return plan
    if verb == "set" and more:
        return replace(plan, terms=plan.terms.with_(**_given(Terms, more)), split=())
    if verb == "add" and more:
        return replace(plan, questions=(*plan.questions, _question(more)), split=())
    if verb == "change" and len(more) > 1:
        kind = type(plan.question(more[0]))
        return plan.changed(more[0], **_given(kind, more[1:]))
    if verb == "drop" and len(more) == 1:
        return plan.without(more[0])
    if verb == "solve" and len(more) <= 1:
        return _solved(plan, more[0] if more else "least" if words.aimed(plan) else "weighted")
    if verb == "approve" and len(more) == 1:
        return approved(plan, Path(more[0]))
    raise parsing.UsageError(say(_VERBS))


def _solved(plan: Plan, how: str) -> Plan:
    if how not in SOLVERS:
        text = N_("“{word}” is not one of: {known}.")
        raise parsing.UsageError(say(text, word=how, known=listed(SOLVERS)))
    return SOLVERS[how](plan)


def _found(plan: Plan, more: list[str], *, as_json: bool) -> int:
    if len(more) != 2 or more[0] not in UNKNOWNS:
        text = N_("Say what of which: find {what} NAME.")
        raise parsing.UsageError(say(text, what=" | ".join(UNKNOWNS)))
    what, name = more
    value = UNKNOWNS[what](plan, name)
    if as_json:
        print(json.dumps({"find": what, "question": name, "value": value}, ensure_ascii=False))
        return 0
    print(shown(words.found(plan, what, name, value)))
    return 0


def _compared(first: Plan, second: Plan, *, as_json: bool) -> int:
    found = list(compared.differences(first, second))
    if as_json:
        names = ("what", "first", "second")
        held = [
            {"question": one.question, **{n: render(getattr(one, n)) for n in names}}
            for one in found
        ]
        print(json.dumps(held, ensure_ascii=False))
    elif found:
        print("\n".join(shown(one.say) for one in found))
    else:
        print(tr(N_("Both plans say the same.")))
    return 0


def _pairs(more: Sequence[str]) -> dict[str, str]:
    """The words name=value. Raises UsageError."""
    found = {}
    for word in more:
        name, equals, value = word.partition("=")
        if not equals:
            raise parsing.UsageError(say("“{word}” is not of the form name=value.", word=word))
        if name in found:
            raise parsing.UsageError(say("“{name}” is given twice.", name=name))
        found[name] = value
    return found


def _given(kind: type[Terms] | type[Question], more: Sequence[str]) -> dict[str, Any]:
    """The settings of this kind that the words give. Raises ParamError, UsageError."""
    known, given = domains(kind), {}
    for name, value in _pairs(more).items():
        if name not in known:
            text = N_("{kind} has no “{name}”; it has: {known}.")
            raise parsing.UsageError(say(text, kind=kind.key, name=name, known=listed(known)))
        try:
            given[name] = known[name].parse(value)
        except ParamError as error:
            raise error.within(name) from None
    return given


def _question(more: Sequence[str]) -> Question:
    kind = find(QUESTIONS, more[0])
    return kind(**_given(kind, more[1:]))


_HEAD = (
    N_("question"),
    N_("kind"),
    N_("noise"),
    N_("pays"),
    N_("share"),
    N_("off by"),
    N_("target"),
)


def listing(plan: Plan) -> list[str]:
    """A plan as text."""
    lines = [shown(words.heading(plan)), ""]
    if not plan.questions:
        return [*lines, tr(N_("It has no question yet: dpstudio plan FILE add KIND name=value …"))]
    head = (*map(tr, _HEAD), "")
    rows = [head, *(_row(each) for each in _lines(plan))]
    wide = [max(width(row[i]) for row in rows) for i in range(len(head))]
    lines += ["  ".join(map(padded, row, wide)).rstrip() for row in rows]
    lines.append("")
    if plan.split:
        lines += [shown(each) for each in words.sentences(plan)]
    else:
        lines.append(tr(N_("It is not solved yet: dpstudio plan FILE solve")))
    lines += [shown(each) for each in words.trades(plan)]
    lines += [shown(said) for each in plan.questions if (said := words.mixed(each))]
    lines += filter(None, [shown(approval(plan))])
    return [*lines, shown(say("Digest {digest}", digest=digest(plan)))]


def _lines(plan: Plan) -> list[tuple[Question, frontier.Line | None]]:
    found = frontier.who_pays(plan) if plan.split else [None] * len(plan.questions)
    return list(zip(plan.questions, found, strict=True))


def _row(each: tuple[Question, frontier.Line | None]) -> tuple[str, ...]:
    question, line = each
    first = (question.name, shown(question.label))
    target = shown(words.target(question))
    if line is None:
        return (*first, shown(NOISES[question.noise]), "", "", "", target, "")
    met = "" if line.met is None else tr(N_("met")) if line.met else tr(N_("not met"))
    cost = shown(words.paid(line.noise, line.cost))
    return (
        *first,
        shown(NOISES[line.noise]),
        cost + (f" × {question.times}" if question.times > 1 else ""),
        shown(say("{share}", share=words.share(line))),
        shown(words.off(question, line)),
        target,
        met,
    )


def _json(plan: Plan) -> str:
    held: Mapping[str, Any] = {**plan_json(plan), "digest": digest(plan)}
    if plan.split:
        cost = plan.charge
        charge = {name: written(getattr(cost, name)) for name in ("epsilon", "delta", "rho")}
        lines = [asdict(line) for line in frontier.who_pays(plan)]
        held = {**held, "charge": {**charge, "bound": cost.bound}, "lines": lines}
    if words.aimed(plan) and math.isfinite(least_epsilon(plan)):
        held = {
            **held,
            "dropping": [asdict(one) for one in frontier.dropping(plan)],
            "frontier": frontier.frontier(plan),
        }
    return json.dumps(held, ensure_ascii=False, allow_nan=False)


def help_text() -> str:
    """How `dpstudio plan` is called, with every setting of a plan and of each kind of question."""
    lead, lines = tr("usage: "), list[str]()
    for call, what in _CALLS.items():
        lines += wrapped(f"{lead}dpstudio plan {call:37} {tr(what)}", 100, "", " " * 17)
        lead = " " * width(lead)
    lines += [f"{lead}{tr(N_('each with --json'))}", "", tr(N_("settings of a plan:"))]
    lines += _settings(Terms)
    shared = set(domains(Question))
    lines += ["", tr(N_("settings of every question:")), *_settings(Question)]
    for kind in QUESTIONS:
        lines += ["", f"{kind.key}: {shown(kind.label)}", *_settings(kind, shared)]
    return "\n".join(lines)


_CALLS = {
    "FILE": N_("show it"),
    "FILE new [name=value …]": N_("make one"),
    "FILE set name=value …": N_("change what all have in common"),
    "FILE add KIND name=value …": N_("add a question"),
    "FILE change NAME name=value …": N_("change a question"),
    "FILE drop NAME": N_("take a question out"),
    "FILE solve [least | worst | weighted]": N_(
        "the least ε that meets all targets; or at its ε the least worst error, or weighted error"
    ),
    "FILE find error | size | times NAME": N_("what is left to find"),
    "FILE compare OTHER": N_("what differs in another plan"),
    "FILE approve KEYFILE": N_("approve it by the key it names"),
    "KEYFILE key": N_("make a key; its public part is printed"),
}


def _settings(kind: type[Terms] | type[Question], known: set[str] | None = None) -> list[str]:
    return [
        f"  {name:13} {shown(say('{what}. {more}', what=domain.describe(), more=say(domain.help)))}"
        for name, domain in domains(kind).items()
        if name not in (known or set())
    ]
