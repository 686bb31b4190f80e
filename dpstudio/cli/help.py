"""What `dpstudio run LAB --help` says: every parameter with its domain and where it starts."""

from typing import Any

from dpstudio.cli.parsing import PLACE, run_parser
from dpstudio.cli.wrapping import headed
from dpstudio.files.language import shown, tr
from dpstudio.files.read.choices import Choices
from dpstudio.files.tables import EXAMPLES
from dpstudio.labs import QUESTIONS, Lab
from dpstudio.labs.naming import by_question
from dpstudio.labs.worded import started
from dpstudio.values.lines import wrapped
from dpstudio.values.messages import N_, say, with_name
from dpstudio.values.parameters import OneOf, Words, domains, settings


def run_help() -> str:
    """How `dpstudio run` is called, and every lab in the groups and the order of the window."""
    usage = tr("usage: ") + (
        "dpstudio run LAB [name=value …] [--data TABLE] [--json | --out DIR | --publish DIR]"
    )
    call = f"dpstudio run {PLACE} PLACE [name=value …]"
    place = shown(say("or:    {call}; dpstudio places lists them", call=call))
    lines = [usage, place, "", tr(N_("labs, and what each group of them asks:"))]
    for group, labs in by_question().items():
        lines += ["", shown(with_name(say(QUESTIONS[group].label), say(QUESTIONS[group].asks)))]
        lines += [f"  {lab.key:<15} {tr(lab.asks)}" for lab in labs]
    return "\n".join(lines)


def lab_help(kind: type[Lab]) -> str:
    """Every parameter of a lab with its domain and default."""
    lines = [
        f"{tr('usage: ')}dpstudio run {kind.key} [name=value …] [--data TABLE] [--read CHOICES]… "
        f"[--about KNOWN]… [--person COLUMN [--most M] [--people N] | --each-row]",
        "       [--json | --out DIR | --publish DIR] [--without-truth] [--dark] [--paper SIZE …]",
        "",
        shown(kind.help),
        "",
        *_option_lines(kind),
        "",
        tr(N_("parameters:")),
    ]
    lab = kind()
    for name, domain in domains(kind).items():
        lines.append(
            f"  {name:22} {shown(domain.describe())}  [{default_text(getattr(lab, name), domain)}]"
        )
        if domain.help:
            lines.append(f"  {'':22}   {shown(domain.help)}")
        if isinstance(domain, OneOf):
            for member in domain.family():
                start = started(kind, name, member)
                for inner, inner_domain in settings(member).items():
                    if getattr(start, inner) is None and inner in member.solved:
                        continue
                    value = default_text(getattr(start, inner), inner_domain)
                    lines.append(
                        f"    {name + '.' + inner:20} ({member.key}) "
                        f"{shown(inner_domain.describe())}  [{value}]"
                    )
    return "\n".join(lines)


def _option_lines(kind: type[Lab]) -> list[str]:
    """Every option, and what may stand for a table and for choices of reading; those of a second
    table where the lab reads one."""
    lines, second = list[str](), kind.page().second is not None
    for action in run_parser(kind.key)._actions:
        name = "".join(action.option_strings)
        if not name or ("beside" in name and not second):
            continue
        what = f"{name} {action.metavar or ''}".rstrip()
        told = headed(action.help or "") if name in ("--data", "--read") else action.help
        lines += _wrapped(f"{what:16} {told}", 2, 19)
        if name == "--data":
            lines += _wrapped(", ".join(each.key for each in EXAMPLES), 19, 19)
        if name == "--read":
            for choice, domain in domains(Choices).items():
                may = shown(domain.help) if isinstance(domain, Words) else shown(domain.describe())
                lines += _wrapped(f"{choice}: {may}", 19, 23)
    return lines


def _wrapped(text: str, first: int, then: int) -> list[str]:
    return wrapped(text, 130, " " * first, " " * then)


def default_text(value: Any, domain: Any) -> str:
    """A default as it is typed; none where it is empty."""
    return str(getattr(value, "key", None) or domain.show(value) or "none")
