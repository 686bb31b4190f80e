"""The pages of the manual that follow from the program, in Chinese: the glossary and the parameters,
as manual.py makes them in English."""

from collections.abc import Iterator

from manual import has_word, once, page, used_while

from dpstudio.cli.help import default_text
from dpstudio.files.glossary import PAGE, PARTS, Term, glossary
from dpstudio.files.language import CHINESE, written
from dpstudio.files.manual import anchor
from dpstudio.labs import QUESTIONS, About, Lab
from dpstudio.labs.naming import by_question
from dpstudio.values.messages import Message, cited, render
from dpstudio.values.parameters import Choice, Domain, OneOf, Parameters, Role, domains, roles


def _in_chinese(message: str, many: str = "", n: int = 1, /) -> str:
    language = written(CHINESE)
    return language.ngettext(message, many, n) if many else language.gettext(message)


def _said(text: Message | str) -> str:
    return render(text, _in_chinese)


def _stopped(text: str) -> str:
    return text if not text or text[-1] in "。？！" else f"{text}。"


# Labs and their parameters


def labs() -> str:
    lines = ["每个页面可以设置的内容，在窗口中设置，或不用窗口时以`name=value`设置。"]
    for group, abouts in by_question().items():
        lines += ["", f"## {_said(QUESTIONS[group].label)}", ""]
        lines += [f"- [{_said(each.label)}](parameters/{each.key}.md)" for each in abouts]
    return page("参数", *lines)


def parameters(about: About) -> str:
    kind = about.kind
    lab = kind()
    lines = [
        _said(about.asks) + _said(about.help),
        "",
        f"窗口以粗体的名称显示这些参数。`dpstudio run {about.key} name=value`设置它们。"
        "[其他页面的参数](../parameters.md)",
        "",
    ]
    family: list[str] = []
    for name, domain in domains(kind).items():
        start = default_text(getattr(lab, name), domain)
        lines.append(_entry(name, domain, roles(kind)[name], kind, start))
        if isinstance(domain, OneOf):
            family += ["", f"## {_said(domain.label)}", "", *_family(kind, name, domain)]
    return page(f"“{_said(about.label)}”的参数", *lines, *family)


def _entry(
    name: str,
    domain: Domain,
    role: Role | None,
    kind: type[Parameters],
    start: str | None,
    of: str = "",
) -> str:
    what = _stopped(_said(domain.help)) if domain.help else ""
    may = _may(domain, not of) + (f"，单位{_said(domain.unit)}" if domain.unit else "")
    empty = start in ("", "none") and not has_word(domain, "none")
    starts = "" if start is None else "；开始时为空" if empty else f"；开始时为`{start}`"
    path, values = used_while(role, kind, name)
    only = f"仅在`{path}`为{'或'.join(values)}时使用。" if path else ""
    return f"- **{_said(domain.label)}**，`{name}`{of}。{what}{may}{starts}。{only}"


def _may(domain: Domain, below: bool) -> str:
    if isinstance(domain, OneOf) and below:
        return "下列各种之一"
    if isinstance(domain, OneOf):
        words = [f"`{kind.key}`（{_said(kind.label)}）" for kind in domain.family()]
    elif isinstance(domain, Choice):
        words = [f"`{key}`（{_said(label)}）" for key, label in domain.words.items() if key]
    else:
        return _said(domain.describe())
    return f"可选：{'、'.join(words)}"


def _family(lab: type[Lab], name: str, domain: OneOf) -> Iterator[str]:
    for member in domain.family():
        source = f"（{cited(member.source, _in_chinese)}）" if member.source else ""
        yield f"- `{name}={member.key}`：{_said(member.label)}{source}。"
    held = once(lab, name, domain, _entry)
    if held:
        yield from ("", "这些种类的参数：", "")
    for entry, keys in held:
        yield entry.replace("{of}", f"，属于{'、'.join(keys)}" if keys else "", 1)


# Terms


def terms() -> dict[str, str]:
    lines = ["程序所显示的此领域的每个术语。在控件上按F1给出同样的内容。"]
    pages = {}
    for part, title in PARTS.items():
        # Term after term as in English, so that what leads to the one there leads to it here.
        held = [term for term in glossary() if term.part == part]
        links = [f"[{t.chinese}](glossary/{part}.md#{anchor(t.chinese)})" for t in held]
        lines += ["", f"## {_said(title)}", "", " · ".join(links)]
        head = "[所有术语](../glossary.md)。“查看”之后是`dpstudio run`的各词。"
        told = [line for term in held for line in _term(term)]
        pages[f"{PAGE}/{part}.md"] = page(f"术语：{_said(title)}", head, *told)
    return {f"{PAGE}.md": page("术语", *lines), **pages}


def _term(term: Term) -> list[str]:
    given = f"，{_said(term.given)}" if term.given else ""
    return [
        *("", f"## {term.chinese}", "", _said(term.says), ""),
        f"- 公式：`{term.formula}`{given}",
        f"- 来源：{cited(term.source, _in_chinese)}",
        f"- 查看：`{term.see}`",
        f"- 又称：{'、'.join([*term.called, term.name, *term.also])}",
    ]


def made_chinese() -> dict[str, str]:
    """The text of each of these pages, by its path below the manual."""
    every = [about for abouts in by_question().values() for about in abouts]
    pages = {f"use/parameters/{about.key}.md": parameters(about) for about in every}
    return {"use/parameters.md": labs(), **terms(), **pages}
