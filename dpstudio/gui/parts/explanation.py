"""What is said of one thing on the screen: of a term, of a parameter, of a chart. And the line that
a tooltip has of the terms that stand there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dpstudio.charts.how_to_read import how_to_read
from dpstudio.files.glossary import Term, terms_in
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.values.messages import N_, Message, enumerated, of_source, render, say, with_name
from dpstudio.values.parameters import Choice, Domain, OneOf

if TYPE_CHECKING:
    from dpstudio.charts.figure import Figure

OPTIONS = 8  # named in one sentence at most
TERMS = 2  # named in one tooltip at most


@dataclass(frozen=True)
class Explanation:
    """A title and what is said below it, paragraph by paragraph; with the formula and the source of
    a term, and the words of a command line that open what shows it. `page`, `heading`: where the
    manual has it."""

    title: str
    says: tuple[str, ...]
    formula: str = ""
    given: str = ""
    source: str = ""
    see: tuple[str, ...] = ()
    page: str = ""
    heading: str = ""


def of_term(term: Term, title: str = "") -> Explanation:
    """A term, below another title where that is given."""
    return Explanation(
        title or titled(tr(term.name)),
        (tr(term.says),),
        term.formula,
        tr(term.given),
        shown(of_source(term.source)),
        tuple(term.words),
        term.page,
        term.name,
    )


def titled(name: str) -> str:
    """The name of a term as a title: what is a letter of a formula stays as it is."""
    return name[0].upper() + name[1:] if name[:2].isalpha() and name[0].isascii() else name


def of_parameter(domain: Domain, value: Any) -> Explanation:
    """A parameter that holds a value: the term that it is called by, or what it is, and the term
    that it, or what is chosen of it, has to do with."""
    label = domain.label
    held = terms_in(label)
    if held and label.casefold() in {name.casefold() for name in held[0].names}:
        return of_term(held[0])
    told = tuple(filter(None, (tr(domain.help), _may_be(domain))))
    found = held or terms_in(_chosen(domain, value)) or terms_in(domain.help)
    if not found:
        return Explanation(tr(label), told)
    named = shown(with_name(titled(tr(found[0].name)), Message(found[0].says)))
    return replace(of_term(found[0], tr(label)), says=(*told, named))


def _chosen(domain: Domain, value: Any) -> str:
    """The name of what is chosen."""
    if isinstance(domain, OneOf):
        return render(getattr(value, "label", ""))
    if isinstance(domain, Choice) and isinstance(value, str):
        return domain.words.get(value, "")
    return ""


def _may_be(domain: Domain) -> str:
    """What it may hold, as a sentence."""
    if isinstance(domain, Choice):
        options = [text for text in domain.words.values() if text]
    elif isinstance(domain, OneOf):
        options = [render(kind.label) for kind in domain.family()]
    else:
        return shown(say("It holds {domain}.", domain=domain.describe()))
    more = tr(N_(", and others")) if len(options) > OPTIONS else ""
    named = shown(enumerated(map(Message, options[:OPTIONS]))) + more
    return shown(say("To choose from: {options}.", options=named)) if options else ""


def of_chart(figure: Figure) -> Explanation:
    """How a chart is to be read."""
    told = tuple(shown(sentence) for sentence in how_to_read(figure))
    return Explanation(
        tr(N_("How to read this chart")), told, source=shown(of_source(figure.source))
    )


def of_words(text: str, tip: str) -> Explanation | None:
    """Words that stand somewhere, and their tooltip; None where neither says anything."""
    found = terms_in(text)
    if found:
        return of_term(found[0])
    told = [line for line in tip.splitlines() if line and not line.endswith(KEY)]
    if not told or told == [text]:
        return None
    return Explanation(text, tuple(told)) if text else Explanation(told[0], tuple(told[1:]))


# Tooltips

KEY = "F1"


def tip_of(text: str, tip: str = "") -> str:
    """A tooltip, and below it the terms that a text names, with the key that explains them."""
    lines = [line for line in tip.splitlines() if not line.endswith(KEY)]
    return "\n".join([*lines, *_named(terms_in(text)[:TERMS])])


def _named(terms: Iterable[Term]) -> list[str]:
    return [shown(say("{term}: {key}", term=Message(term.name), key=KEY)) for term in terms]
