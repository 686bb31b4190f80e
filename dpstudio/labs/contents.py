"""What every lab holds: its parameters, and what each may be chosen to be, as labs declare it. Find
looks in it."""

from collections.abc import Iterator
from dataclasses import dataclass

from dpstudio.labs import LABS, About
from dpstudio.values.domains import Choice, Domain
from dpstudio.values.parameters import OneOf, domains

# What of many labs may be chosen, or many things of one: what these hold is not looked for there.
SHARED = ("query", "mechanism", "asked", "erratum", "subject", "story")
LEAST = 3  # letters of a name that can be looked for: not "1/4", nor "ln 3"


@dataclass(frozen=True)
class Content:
    """A thing of a lab by its name. `path` is the parameter that it belongs to, "" for none; `key`
    what that is to be, "" for nothing in particular; `of` what the parameter is called, and
    `about` a line on it; `inner` a parameter of what is chosen so, which has that name."""

    lab: str
    name: str
    path: str
    key: str = ""
    of: str = ""
    about: str = ""
    inner: str = ""


def contents() -> tuple[Content, ...]:
    """Those of all labs, in the order of the window. It imports every lab, so call it in the
    background."""
    return tuple(each for about in LABS for each in _of(about))


def _of(about: About) -> Iterator[Content]:
    for path, domain in domains(about.kind).items():
        yield Content(about.key, domain.label, path, about=domain.help)
        for key, name, told in _options(domain):
            if len(name) >= LEAST and not name[0].isdigit():
                yield Content(about.key, name, path, key, domain.label, told)
        if isinstance(domain, OneOf) and path not in SHARED:
            for kind in domain.family():
                for inner, of in domains(kind).items():
                    if len(of.label) >= LEAST:
                        yield Content(
                            about.key, of.label, path, kind.key, kind.label, of.help, inner
                        )


def _options(domain: Domain) -> Iterator[tuple[str, str, str]]:
    """The key, the name and a line on each thing that a parameter may be chosen to be."""
    if isinstance(domain, OneOf):
        for kind in domain.family():
            yield kind.key, kind.label, getattr(kind, "help", "")
    elif isinstance(domain, Choice):
        for key, name in domain.words.items():
            yield key, name, ""
