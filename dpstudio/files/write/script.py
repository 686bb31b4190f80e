"""What is on the screen as a script of its own: head, settings, the pieces that it needs, and the
lines of its lab; one file, which knows the table by its path and its digest alone. Its words are in
the language that it is asked for in; names, keys and code are the same in all."""

import ast
import pprint
import sys
import textwrap
from collections.abc import Iterator, Mapping

from dpstudio.data.codebook import EMPTY
from dpstudio.data.dataset import Dataset
from dpstudio.files.asking import chosen
from dpstudio.files.assets import asset
from dpstudio.files.read.choices import Choices
from dpstudio.files.read.signs import AUTO, DELIMITERS, THOUSANDS
from dpstudio.files.read.typing.marks import CLEAR as _CLEAR
from dpstudio.files.tables import example
from dpstudio.files.write.code_lines import fitted
from dpstudio.files.write.pieces import closure
from dpstudio.files.write.script_head import AGAIN, ASKED, DRAWS, RUN, WIDTH, WRITTEN, head_of
from dpstudio.files.write.script_words import in_words_of
from dpstudio.files.write.taken_as_public import proposed_by_rows
from dpstudio.labs.page import Lab
from dpstudio.labs.question import reads_table
from dpstudio.labs.scripting.scripted import Known, NoScript, Script
from dpstudio.values.lines import width
from dpstudio.values.messages import N_, Translate, say, unchanged

_STATE = N_("The state of the page.")
_DRAWN = N_(
    "A page without the exact answer shows what was drawn once, and a script would draw again. "
    "Show the exact answer on the page, and take its script then."
)
_ELSEWHERE = N_(
    "The table stays in its database, and a script reads a file. Save the table as one, and open "
    "that."
)
_PASTED = N_("The table came from the clipboard: save it as a file first, and open that.")
_UNREAD = N_(
    "“{column}” holds nested values, which no script reads. Save this table as CSV, open that, and "
    "take the script then."
)
_RETYPED = N_(
    "“{column}” is told to be of another type than the file has it, which no script reads alike. "
    "Let it be as it is, or save this table as CSV, open that, and take the script then."
)
_OTHER_FILE = N_(
    "A script reads Parquet, or CSV as most of it is: one delimiter, at most one row of names, a "
    "quote in quotes written twice, neither comments nor totals. Save this table so, open "
    "that, and take the script then."
)
_NONE = N_("No script makes the numbers of this page yet.")


PYTHON, OPENDP, CELL = "script", "opendp", "cell"  # a cell of a notebook is written as Python
_TWO = N_(
    "A script reads one table, and this page reads a second one too. Close that one first: then "
    "the script makes what the page shows."
)
_NOT_OPENDP = N_(
    "OpenDP has no such answer: it counts, adds up and makes histograms with Laplace, geometric "
    "and Gaussian noise, and tells which of several scores is the largest."
)


def script_of(lab: Lab, data: Dataset, form: str = PYTHON, second: Dataset | None = None) -> Script:
    """What the lab says of its script, or of that for OpenDP; none where the page reads the
    `second` table too. Raises NoScript."""
    if not getattr(lab, "show_truth", True):
        raise NoScript(say(_DRAWN))
    if data.asked is not None and reads_table(lab):
        raise NoScript(say(_ELSEWHERE))
    if (why := proposed_by_rows(lab)) is not None and example(data.origin) is None:
        raise NoScript(why)
    for problem in lab.problems(data):
        if problem.stops:
            raise NoScript(problem.say)
    reads = lab.page().second
    if second is not None and reads is not None and reads(lab, data, second) is True:
        raise NoScript(say(_TWO))
    try:
        module = lab.beside("script")
    except ModuleNotFoundError as error:
        if not str(error.name).endswith(".script"):
            raise
        raise NoScript(say(_NONE)) from None
    make = getattr(module, form, None)
    if make is None:
        raise NoScript(say(_NOT_OPENDP))
    made: Script = make(lab, Known(data))
    return made


def python_script(
    lab: Lab,
    data: Dataset,
    form: str = PYTHON,
    second: Dataset | None = None,
    translate: Translate = unchanged,
) -> str:
    """The state of a lab as one Python file that makes its numbers again, or that asks OpenDP for
    the answer. Raises NoScript."""
    made = script_of(lab, data, form, second)
    held = parts(lab, data, made, _end(made), form, translate)
    return "".join(f"{part}\n" for part in held)


def parts(
    lab: Lab,
    data: Dataset,
    made: Script,
    end: str,
    form: str = PYTHON,
    translate: Translate = unchanged,
) -> list[str]:
    """A script as its head, and all that is run: imports, settings, pieces, lines, end."""
    of_table, table = _reading(made, data) if _uses_table(made) else ({}, [])
    settings = [*_assigned({**of_table, **made.settings})]
    body = [*table, "numbers = {}", fitted(made.lines)]
    imports, pieces = closure("\n".join([*settings, *body, end]))
    constants = [piece for piece in pieces if not piece.startswith(("def ", "class ", "@"))]
    functions = [piece for piece in pieces if piece not in constants]
    blocks = [
        _imports(imports),
        "\n".join([f"# {_STATE}", *settings]) if settings else "",
        "\n".join(constants),
    ]
    ahead = "\n\n".join(block for block in blocks if block)
    text = "\n\n\n".join([ahead, *functions, "\n".join(body)])
    if not functions:
        text = f"{ahead}\n\n" + "\n".join(body)
    runs = WRITTEN if form == CELL else DRAWS if made.hero else RUN
    forms = (ASKED if form == OPENDP else AGAIN, runs)
    head = head_of(lab, data, made, text, forms, translate)
    raw = "r" if "\\" in head else ""
    told = _in_words_of(f"{text}\n\n{end}", translate)
    return [f'{raw}"""{head}\n"""', "", told]


def _in_words_of(code: str, translate: Translate) -> str:
    """The code in a language, with letters for it in the picture."""
    if translate is unchanged:
        return code
    told, drawn = in_words_of(code, translate), "    from matplotlib import pyplot\n\n"
    wide = width(told) > len(told)
    return told.replace(drawn, f"{drawn}{LETTERS}\n") if wide else told


def _imports(imports: list[str]) -> str:
    plain = [line for line in imports if line.startswith("import ")]
    others = [line for line in imports if not line.startswith("import ")]

    def rank(line: str) -> tuple[bool, bool, str]:
        name = line.split()[1].partition(".")[0]
        return name not in sys.stdlib_module_names, line.startswith("from "), line

    scipy = sorted(line.split()[-1] for line in others if line.startswith("from scipy import "))
    others = [line for line in others if not line.startswith("from scipy import ")]
    others += [f"from scipy import {', '.join(scipy)}"] if scipy else []
    lines = sorted({*plain, *others}, key=rank)
    standard = [line for line in lines if not rank(line)[0]]
    rest = [line for line in lines if rank(line)[0]]
    return "\n".join(standard) + ("\n\n" + "\n".join(rest) if rest else "")


def _assigned(settings: Mapping[str, object]) -> Iterator[str]:
    """NAME = literal, a line or more each."""
    for name, value in settings.items():
        text = literal(value, WIDTH - len(name) - 4)
        if "\n" in text and not text.startswith(("[", "{", "(")):
            text = f"({text})"
        yield f"{name} = {text}"


def literal(value: object, width: int = WIDTH) -> str:
    """A value as Python reads it back; `inf` has no literal of its own."""
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return "math.inf" if value > 0 else "-math.inf"
    text = pprint.pformat(value, width=width, sort_dicts=False, compact=True)
    if isinstance(value, str):
        plain = value.isprintable() and not {'"', "\\"} & {*value}
        return f'"{value}"' if plain else repr(value)
    return text


def _uses_table(made: Script) -> bool:
    return any(isinstance(n, ast.Name) and n.id == "table" for n in ast.walk(ast.parse(made.lines)))


def _columns(made: Script, known: Known) -> list[str]:
    """The columns whose names stand as text in the settings or the lines, in their order."""
    code = "\n".join([*_assigned(made.settings), made.lines])
    texts = {n.value for n in ast.walk(ast.parse(code)) if isinstance(n, ast.Constant)}
    return [name for name in known.names if name in texts]


def _reading(made: Script, data: Dataset) -> tuple[dict[str, object], list[str]]:
    """(settings, lines) that read the table, checked by its digest. Raises NoScript."""
    known, shipped = Known(data), example(data.origin)
    if not data.origin:
        raise NoScript(say(_PASTED))
    path = str(asset("tables", shipped.file)) if shipped else data.origin
    names = _columns(made, known)
    names += [data.person] if data.person and data.person not in names else []
    for name in names:
        if known.type_of(name) == "other":
            raise NoScript(say(_UNREAD, column=name))
    way = _way(data, path)
    file = Known(data.described(EMPTY))
    read = {name: _told_reader(name, known, file, data, way) for name in names or known.names[:1]}
    how = {} if way.format == "columnar" else _how(data, way)
    if shipped is not None and shipped.rows:
        how["rows"] = shipped.rows
    call = "read_parquet" if way.format == "columnar" else "read_text"
    words = "".join(f", {name}={literal(value)}" for name, value in how.items())
    columns = ", ".join(f"{literal(name)}: {reader}" for name, reader in read.items())
    # Between the words of a name no line may be broken.
    lines = fitted(f"columns = {{{columns}}}").split("\n")
    lines.append(f"table = {call}(same_file(path, digest), columns{words})")
    if data.person:
        dates = list[str]()
        for name in file.names:
            kind = file.type_of(name)
            if kind == "other":
                raise NoScript(say(_UNREAD, column=name))
            read[name] = _reader(kind, data, way)
            dates += [name] if kind == "date" else []
        columns = ", ".join(f"{literal(name)}: {read[name]}" for name in file.names)
        lines += fitted(f"columns = {{{columns}}}  # all decide which rows are kept").split("\n")
        lines.append(f"every = {call}(same_file(path, digest), columns{words})")
        lines.append(f"table[None] = row_ranks(every, {literal(data.person)}, {literal(dates)})")
        kept = f"{literal(data.person)}, {data.contributions}"
        lines.append(f"table = rows_of_each(table, {kept})")
    return {"path": path, "digest": data.digest}, lines


def _way(data: Dataset, path: str) -> Choices:
    """How the file is read, where a script can. Raises NoScript."""
    way = chosen([data.way])[0]
    if way.format == "columnar" and path.endswith((".parquet", ".pq")):
        return way
    plain = way.format == "text" and not way.footer and way.comment in ("none", "auto")
    plain = plain and way.escape in ("doubled", "auto") and way.header in ("yes", "no")
    if not (plain and way.delimiter in DELIMITERS and not path.endswith((".zip", ".zst"))):
        raise NoScript(say(_OTHER_FILE))
    return way


def _told_reader(name: str, known: Known, file: Known, data: Dataset, way: Choices) -> str:
    """The function that reads the cells of a column as what it is told to be. Raises NoScript."""
    kind, held = known.type_of(name), file.type_of(name)
    if known.merged(name) and held == kind:
        return "merged_words_of"
    # Of these the cells are read as they are written; of others by what the file's reading made.
    if kind == held or (held == "integer" and kind == "number"):
        return _reader(kind, data, way)
    if held == "integer" and kind in ("date", "category") and way.thousands in ("none", AUTO):
        return _reader(kind, data, way)
    if held != "category":
        raise NoScript(say(_RETYPED, column=name))
    dates = {"order": data.spelling.dates} if data.spelling.dates else {}
    words: dict[str, object] = dates | (
        {"century": int(data.spelling.century)} if data.spelling.century.isdigit() else {}
    )
    if kind != "date":
        words |= {"decimal": ","} if data.spelling.decimal == "comma" else {}
        words |= {"percent": "e-2"} if data.spelling.units == "fractions" else {}
        words |= {"united": False} if data.spelling.units == "words" else {}
        words |= {"whole": True} if kind == "integer" else {}
    return _called("told_dates_of" if kind == "date" else "told_numbers_of", words)


def _reader(kind: str, data: Dataset, way: Choices) -> str:
    """The function that reads the cells of a column of this type."""
    if kind == "category":
        return "words_of"
    words: dict[str, object] = {}
    if kind == "date":
        words |= {"month_first": True} if data.spelling.dates == "mdy" else {}
        words |= {"century": int(way.century)} if way.century.isdigit() else {}
    else:
        # Ordinary spaces and those that break no line.
        group = " \u00a0\u202f" if way.thousands == "space" else THOUSANDS.get(way.thousands)
        words |= {"decimal": ","} if way.decimal == "comma" else {}
        words |= {"groups": group} if group else {}
        words |= {"percent": "e-2"} if way.units == "fractions" else {}
    return _called("dates_of" if kind == "date" else "numbers_of", words)


def _called(function: str, words: dict[str, object]) -> str:
    """A function of cells with its settings."""
    told = "".join(f", {name}={literal(value)}" for name, value in words.items())
    return f"partial({function}{told})" if told else function


def _how(data: Dataset, way: Choices) -> dict[str, object]:
    """How the text is read, where that is not as texts mostly are."""
    how: dict[str, object] = {
        "delimiter": DELIMITERS[way.delimiter],
        "quote": {"single": "'", "none": ""}.get(way.quote, '"'),
        "encoding": way.encoding if way.encoding != "auto" else "utf-8",
        "skip": way.skip or 0,
        "ragged": way.ragged if way.ragged != AUTO else "pad",
        "every": way.every,
    }
    if way.header == "no":
        how["names"] = [info.name for info in data.columns]
    if way.missing == "blank" or way.missing_words:
        marks = () if way.missing == "blank" else _CLEAR
        how["missing"] = ("", *marks, *way.missing_words)
    usual = {"delimiter": ",", "quote": '"', "encoding": "utf-8", "skip": 0, "ragged": "pad"}
    usual |= {"every": False}
    return {name: value for name, value in how.items() if usual.get(name, ...) != value}


_PRINTED = """\
if "--json" in sys.argv:
    print(json.dumps(numbers, default=float))
else:
    for key, value in numbers.items():
        print(key, "=", json.dumps(value, default=float))"""
_SHOWN = """\
if importlib.util.find_spec("matplotlib"):
    from matplotlib import pyplot

    _, axes = pyplot.subplots()"""
# Fonts that have letters of all languages, on systems that have them.
LETTERS = """\
    fonts = ["Noto Sans CJK SC", "Microsoft YaHei", "PingFang SC", "DejaVu Sans"]
    pyplot.rcParams["font.sans-serif"] = fonts
"""
_PLOTTED = """
if "--plot" in sys.argv:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    _, axes = pyplot.subplots()
{hero}
    pyplot.savefig(sys.argv[sys.argv.index("--plot") + 1], bbox_inches="tight")"""


def numbers_shown(made: Script) -> str:
    """The end of a cell of a notebook: the numbers, and the first picture where something draws."""
    if not made.hero:
        return "numbers"
    drawn = textwrap.indent(made.hero, "    ")
    return f"{_SHOWN}\n{drawn}\nnumbers"


def _end(made: Script) -> str:
    """What prints the numbers, and what draws the first picture where it is asked for."""
    if not made.hero:
        return _PRINTED
    return _PRINTED + _PLOTTED.format(hero=textwrap.indent(made.hero, "    "))
