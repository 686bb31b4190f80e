"""A lab from words, such as explore query=mean mechanism.epsilon=0.5: what a command line
types, and how help and the companion to the texts name a state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from dpstudio.labs.naming import Successor, lab_kind, path_today, successor_of_words
from dpstudio.labs.page import Lab
from dpstudio.values.domains import Domain, ParamError
from dpstudio.values.messages import say
from dpstudio.values.parameters import OneOf, Parameters, domains, find, get, put, switch

# What a word gives a parameter that holds something: its domain, what it holds, its name, the word.
Given = Callable[[Domain, Any, str, str], Any]


def as_typed(domain: Domain, before: Any, name: str, value: str) -> Any:
    """The word itself."""
    return value


def lab_of_words(words: Sequence[str]) -> Lab:
    """The lab that a name and settings say, name=value each; all else as it starts. Raises
    ParamError where there is no such lab, parameter or value."""
    was = successor_of_words(words)
    return with_words(lab_kind(was.lab)(), words[1:], was)


def with_words(
    lab: Lab, words: Iterable[str], was: Successor | None = None, given: Given = as_typed
) -> Lab:
    """The lab with these settings, in turn; as it is with one that only the lab had that it `was`.
    Raises ParamError."""
    typed: list[tuple[str, str]] = []
    for word in words:
        lab = _with(lab, word, typed, was, given)
    return lab


def words_of(lab: Lab) -> list[str]:
    """The inverse of `lab_of_words`: the name of a lab, and what is not as it starts. Raises
    ParamError where no words make it, as of a condition that its page proposed."""
    words, made = [lab.key], type(lab)()
    for _ in range(_TURNS):
        for path, domain in _paths(lab):
            for word in _tried(made, lab, path, domain):
                words.append(word)
                made = with_words(made, [word])
        if made == lab:
            return words
    *_, where = (path for path, _ in _paths(lab) if get(made, path) != get(lab, path))
    raise ParamError(where, say("What is set here was not typed, and no words of a call make it."))


_TURNS = 3  # to set one parameter may forget what stood in another


def _paths(kind: Parameters, prefix: str = "") -> Iterator[tuple[str, Domain]]:
    """Every parameter by its dotted name, an outer one before those in it."""
    for name, domain in domains(type(kind)).items():
        yield f"{prefix}{name}", domain
        if isinstance(domain, OneOf):
            yield from _paths(getattr(kind, name), f"{prefix}{name}.")


def _tried(made: Lab, lab: Lab, path: str, domain: Domain) -> Iterator[str]:
    """The word that gives a parameter of `made` what it is in `lab`; none where it has it, or where
    no text is read as that."""
    now, wanted = get(made, path), get(lab, path)
    if isinstance(domain, OneOf):
        if now.key != wanted.key:
            yield f"{path}={wanted.key}"
        return
    for text in (domain.show(wanted), repr(wanted)) if now != wanted else ():
        word = f"{path}={text}"
        with suppress(ParamError):
            if get(with_words(made, [word]), path) == wanted:
                yield word
                return


def _with(
    lab: Lab, word: str, typed: list[tuple[str, str]], was: Successor | None, given: Given
) -> Lab:
    """The lab with one more setting, which `typed` takes up as well."""
    name, equals, value = word.partition("=")
    name = path_today(name.strip(), lab, was)
    if not equals:
        raise ParamError("", say("“{word}” is not of the form name=value.", word=word))
    if not name:
        return lab
    domain = domains(type(lab)).get(name)
    if isinstance(domain, OneOf):
        try:
            other = find(domain.family(), value)
        except ParamError as error:
            raise error.within(name) from None
        lab = put(lab, name, started(type(lab), name, other))
        # Of what stood there before, only what was typed goes over to the other kind.
        for path, earlier in [] if domain.apart else typed:
            if path.startswith(f"{name}."):
                with suppress(ParamError):
                    lab = put(lab, path, earlier)
        return lab
    if not domain:
        lab = _chosen_by(lab, name)
    lab = put(lab, name, given(domain, get(lab, name), name, value) if domain else value)
    typed.append((name, value))
    return lab


def _chosen_by(lab: Lab, name: str) -> Lab:
    """The lab with what is looked at chosen by a parameter of it that nothing else there has."""
    outer, _, inner = name.partition(".")
    domain = domains(type(lab)).get(outer)
    if not isinstance(domain, OneOf) or not domain.apart:
        return lab
    has = [kind for kind in domain.family() if inner.partition(".")[0] in domains(kind)]
    if len(has) != 1 or isinstance(getattr(lab, outer), has[0]):
        return lab
    return put(lab, outer, started(type(lab), outer, has[0]))


def started(lab: type[Lab], name: str, other: type[Parameters]) -> Parameters:
    """The kind `other` as it starts at the place `name` of a lab: with its own defaults, but the
    budget that the lab starts with."""
    held: Parameters = getattr(lab(), name)
    domain = domains(lab)[name]
    if held.key == other.key:
        return held
    apart = isinstance(domain, OneOf) and domain.apart
    spent: dict[str, Any] = {
        part: getattr(held, part)
        for part in ("epsilon", "delta")
        if hasattr(held, part) and not apart
    }
    return switch(other, spent)
