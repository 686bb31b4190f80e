"""The terms of the field, each with what it means, its formula, its source and the state that shows
it: data below assets/glossary, read when a term is first asked for."""

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from dpstudio.files.assets import asset
from dpstudio.values.messages import N_

PAGE = "use/glossary"  # of the manual: all terms, with a page for each part below it
# The parts by the ends of the names of their files.
PARTS = {
    "promise": N_("The promise"),
    "mechanisms": N_("Mechanisms, and what many answers cost"),
    "answers": N_("Questions, and how wrong answers are"),
    "local": N_("Nobody is trusted"),
    "attacks": N_("Attacks"),
    "learning": N_("Models"),
    "tables": N_("Whole tables"),
}


@dataclass(frozen=True)
class Term:
    """One term. `also`: what else it is called, in the window or by those who look for it; `says`:
    two sentences, what it is and what to know of it; `given`: what the letters of the formula
    mean; `see`: words of a command line that open what shows it; `part`: of the glossary; `chinese`
    and `called`: its names in Chinese, ours first."""

    key: str
    name: str
    says: str
    formula: str
    source: str
    see: str
    chinese: str = ""
    called: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    given: str = ""
    part: str = ""

    @property
    def page(self) -> str:
        """The page of the manual that has it, as a heading."""
        return f"{PAGE}/{self.part}"

    @property
    def words(self) -> list[str]:
        """The lab that shows it, and its settings as name=value."""
        return shlex.split(self.see)

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that it is called."""
        return (self.name, *self.also, self.chinese, *self.called)


class GlossaryError(ValueError):
    """A file of the glossary says what no term has; the text says which."""


@lru_cache(maxsize=1)
def glossary() -> tuple[Term, ...]:
    """Every term in the order of its file, which goes from the promise to whole tables."""
    import tomllib  # no start waits for it

    named = tomllib.loads(asset("translations", "zh_CN", "terms.toml").read_text(encoding="utf-8"))
    found = list[Term]()
    for path in sorted(asset("glossary").glob("*.toml")):
        told = tomllib.loads(path.read_text(encoding="utf-8"))
        part = path.stem.partition("-")[2]
        found += [_term(key, held, part, named["glossary"]) for key, held in told.items()]
    return tuple(found)


def _term(
    key: str, held: Mapping[str, Any], part: str, named: Mapping[str, Mapping[str, Any]]
) -> Term:
    texts = ("name", "says", "formula", "source", "see", "given")
    if strange := held.keys() - {*texts, "also"}:
        raise GlossaryError(f"{key}: no term has {sorted(strange)}")
    if key not in named:
        raise GlossaryError(f"{key}: terms.toml has no Chinese for it")
    also, chinese = held.get("also", []), named[key]
    if not isinstance(also, list):
        raise GlossaryError(f"{key}: “also” is a list")
    return Term(
        **{name: str(held.get(name, "")) for name in texts},
        key=key,
        part=part,
        chinese=chinese["says"],
        called=tuple(chinese.get("also", ())),
        also=tuple(map(str, also)),
    )


def term(key: str) -> Term:
    """The term of that key."""
    return next(each for each in glossary() if each.key == key)


def said() -> tuple[str, ...]:
    """Every text of it that is shown in the language of the window."""
    return tuple(text for each in glossary() for text in (each.name, each.says, each.given))


# Terms within a text

_WORD = re.compile(r"\w+")


@lru_cache(maxsize=1)
def _named() -> tuple[re.Pattern[str], dict[str, Term]]:
    """What finds the name of any term, the longest first, and whose name that is."""
    owners = dict[str, Term]()
    for each in glossary():
        for name in each.names:
            owners.setdefault(_folded(name), each)
    longest = sorted(owners, key=len, reverse=True)
    run_on = "|".join(re.escape(name) for name in longest if name[-1] > "\u3000")
    apart = "|".join(re.escape(name) for name in longest if name[-1] < "\u3000")
    return re.compile(rf"(?<!\w)(?:{apart})(?=e?s?(?!\w))|(?:{run_on})"), owners


def _folded(text: str) -> str:
    """As names are compared: THE is not the, σ is not Σ, and δ is not Δ."""
    return _WORD.sub(lambda m: m[0] if _kept(m[0]) else m[0].casefold(), text.replace("’", "'"))


def _kept(word: str) -> bool:
    return word.isupper() and (len(word) > 1 or word >= "Α")


@lru_cache(maxsize=4096)
def terms_in(text: str) -> tuple[Term, ...]:
    """The terms that a text names, in its order, each once."""
    pattern, owners = _named()
    return tuple(dict.fromkeys(owners[m[0]] for m in pattern.finditer(_folded(text))))
