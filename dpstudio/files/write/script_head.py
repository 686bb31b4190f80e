"""The head of a script: what it computes, of what, what it takes to run it, and the call that shows
the same state."""

import ast
import shlex
import sys
import textwrap
from pathlib import Path

from dpstudio import __version__
from dpstudio.data.dataset import Dataset
from dpstudio.files.asking import chosen
from dpstudio.files.command import command
from dpstudio.files.session import Session, SessionError
from dpstudio.labs import LABS
from dpstudio.labs.page import Lab
from dpstudio.labs.scripting.scripted import Script
from dpstudio.values.lines import width, wrapped
from dpstudio.values.messages import N_, Message, Translate, enumerated, listed, render, say

WIDTH = 96
AGAIN = N_("{asks} The numbers of the page {page}, worked out again.")
ASKED = N_(
    "{asks} The answer of the page {page}, drawn anew by OpenDP, and what it proves of its noise."
)
WRITTEN = N_("Written by dpstudio {version}.")
RUN = N_("Written by dpstudio {version}. Run it with --json.")
DRAWS = N_(
    "Written by dpstudio {version}. Run it with --json, or with --plot FILE (which takes "
    "matplotlib)."
)


def head_of(
    lab: Lab, data: Dataset, made: Script, body: str, forms: tuple[str, str], translate: Translate
) -> str:
    """The head of a script with this body; `forms` are the sentences that say what it gives and how
    it is run."""
    about = next(each for each in LABS if each.key == lab.key)
    gives, runs = forms
    said = [say(gives, asks=say(about.asks), page=say(about.label)), say(runs, version=__version__)]
    needs = _needs(body)
    said += [say("It needs {libraries}.", libraries=listed(needs))] if needs else []
    ahead = len(said)
    if data.digest and data.digest in body:
        name = Path(data.origin or data.name).name
        text = N_("The table is {name}, SHA-256 {digest}; none of its rows is in here.")
        said.append(say(text, name=name, digest=data.digest))
    for key, why in made.left_out.items():
        said.append(say("Not made here: {key}. {why}", key=key, why=why))
    if made.law:
        keys = enumerated(_within(key, by, made) for key, by in made.law.items())
        text = N_("Agreeing by simulation or by another method, relative: {keys}.")
        said.append(say(text, keys=keys))
    lines = ["\n".join(_lines(_plain(render(each, translate)))) for each in said]
    call = _command(lab, data, translate(N_("The same state:")))
    return "\n".join([*lines[:ahead], *call, *lines[ahead:]])


def _within(key: str, by: float, made: Script) -> Message:
    if (other := made.beside.get(key)) is None:
        return say("{key} within {share}", key=key, share=f"{by:g}")
    return say("{key} within {share} of {other}", key=key, share=f"{by:g}", other=other)


def _lines(text: str) -> list[str]:
    if width(text) > len(text):
        return wrapped(text, WIDTH)
    return textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def _needs(text: str) -> list[str]:
    """The libraries that a script imports, wherever in it, as they are installed."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(str(node.module).partition(".")[0])
    named = sorted(found - sys.stdlib_module_names)
    installed = {"sklearn": ["scikit-learn"], "pandas": ["pandas", "pyarrow"]}  # reads Parquet
    return [each for name in named for each in installed.get(name, [name])]


def _command(lab: Lab, data: Dataset, opens: str) -> list[str]:
    """The call that shows the same state, to be pasted into a shell as it stands: broken between
    words alone. Nothing where no words make it, or none that a text in quotes can hold."""
    reading = None if data.reading is None else chosen([data.reading])[0]
    table, digest = data.origin, data.digest
    try:
        call = command(Session(table, digest, (lab,), lab.key, {}, data.codebook, reading))
    except SessionError:
        return []
    if '"""' in call or not call.isprintable():
        return []
    lines = [opens]
    for word in map(_broken, shlex.split(call)):
        if len(lines) > 1 and len(lines[-1]) + len(word) < WIDTH - 2:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return [lines[0], *(f"{line} \\" for line in lines[1:-1]), lines[-1]]


def _broken(word: str) -> str:
    """A word in a shell's quotes; a long one in several lines, which the shell puts together."""
    quoted, size = shlex.quote(word), WIDTH - 16
    if len(quoted) < WIDTH or quoted == word:
        return quoted
    parts = (word[at : at + size] for at in range(0, len(word), size))
    return "\\\n".join(map(shlex.quote, parts))


def _plain(text: str) -> str:
    """Words that neither end the text at the head of a script nor show another one than it has."""
    shown = "".join(
        c if c.isprintable() else " " if c.isspace() else "\N{REPLACEMENT CHARACTER}" for c in text
    )
    return shown.replace("\\", "/").replace('"""', "'''")
