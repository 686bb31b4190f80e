"""How a file is to be read: a frozen `Parameters`, every choice of which may be left to what the
file shows ("auto")."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dpstudio.files.read.signs import AUTO, DELIMITER_LABELS, ENCODINGS
from dpstudio.values import parameters
from dpstudio.values.domains import Integer
from dpstudio.values.fields import choice
from dpstudio.values.messages import N_, Message, say

COLUMN_TYPES = ("words", "number", "integer", "yes/no", "date", "auto")
FITTING, EVERY, OPEN = "fitting", "every", "open"
FORMATS = {
    AUTO: N_("As found"),
    "text": N_("Values with a delimiter between them"),
    "lines": N_("JSON lines"),
    "json": N_("One JSON value"),
    "workbook": N_("Workbook"),
    "columnar": N_("Parquet, Arrow, NumPy or a database"),
    "database": N_("SQLite"),
}


@dataclass(frozen=True)
class Text(parameters.Domain):
    """Any text; empty where the file has only one part, or the first is meant."""

    def check(self, value: Any) -> str:
        if not isinstance(value, str):
            raise parameters.ParamError("", say("“{value}” is not a text.", value=value))
        return value

    def describe(self) -> Message:
        return say("a name")

    def invalid_examples(self) -> Iterable[Any]:
        yield from (3, None)


@dataclass(frozen=True)
class AutoInteger(parameters.Maybe):
    """A whole number, or None for "as the file shows"."""

    inner: Integer = field(default_factory=lambda: Integer("", low=0, high=100_000))

    def check(self, value: Any) -> float | None:
        return (
            None
            if isinstance(value, str) and value.strip().lower() == AUTO
            else super().check(value)
        )

    def describe(self) -> Message:
        return say("{inner}; empty: as found in the file", inner=self.inner.describe())


def as_found(label: str, help: str, options: Mapping[str, str]) -> Any:
    """A choice that is left to what the file shows, or one of `options`."""
    return choice(AUTO, label, help, options={AUTO: N_("As found"), **options})


class Choices(parameters.Parameters):
    """How to read one file. What is left "auto" (or empty) follows from the file."""

    key = "reading"
    label = N_("Reading")

    format: str = choice(AUTO, N_("Format"), N_("How the file holds its records."), options=FORMATS)
    rows: str = choice(
        FITTING,
        N_("Rows"),
        N_("What is a row. Of what leaves, no record may decide about the row of another."),
        options={
            FITTING: N_("What can be read as one"),
            EVERY: N_("Every record, without values where it cannot be read"),
            OPEN: N_("The same, and the last line of the text has no line end"),
        },
    )
    part: str = parameters.param(
        "", Text(N_("Part"), N_("The sheet, the table or the file inside that is read."))
    )
    outer: str = as_found(
        N_("Outermost names"),
        N_("What the names in a JSON object of lists or of objects are names of."),
        {"columns": N_("Columns"), "rows": N_("Rows"), "fields": N_("Values of one row")},
    )
    side: int | None = parameters.param(
        None,
        AutoInteger(
            N_("Pixels along a picture"),
            N_("Longer pictures of a folder are made smaller; a pixel is a column."),
            inner=Integer("", low=1, high=100),
        ),
    )
    down: int | None = parameters.param(
        None,
        AutoInteger(
            N_("Pixels down a picture"),
            N_("What leaves is of pictures of so many rows of pixels; other shapes are cut."),
            inner=Integer("", low=1, high=100),
        ),
    )
    encoding: str = choice(
        AUTO, N_("Encoding"), N_("How bytes stand for letters."), options=ENCODINGS
    )
    delimiter: str = choice(
        AUTO,
        N_("Delimiter"),
        N_("What stands between two values of a row."),
        options=DELIMITER_LABELS,
    )
    quote: str = as_found(
        N_("Quote"),
        N_("What encloses a value that holds a delimiter or a line end."),
        {"double": N_('Double "'), "single": N_("Single '"), "none": N_("None")},
    )
    escape: str = as_found(
        N_("Quote in a quoted value"),
        N_("How a quote inside a quoted value is written."),
        {"doubled": N_("Twice"), "backslash": N_("After a backslash")},
    )
    newlines: str = as_found(
        N_("Line ends in values"),
        N_("Whether a value in quotes may go on in the next line; else each line is a row."),
        {"none": N_("None: each line is a row"), "quoted": N_("In quotes")},
    )
    comment: str = as_found(
        N_("Comment lines"),
        N_("Lines that begin so are no rows."),
        {
            "none": N_("None"),
            "hash": N_("Begin with #"),
            "percent": N_("Begin with %"),
            "slashes": N_("Begin with //"),
            "at": N_("Begin with @"),
            "bang": N_("Begin with !"),
        },
    )
    skip: int | None = parameters.param(
        None,
        AutoInteger(
            N_("Lines before the table"), N_("So many lines at the start are no part of the table.")
        ),
    )
    footer: int | None = parameters.param(
        None,
        AutoInteger(
            N_("Rows after the table"), N_("So many rows at the end, such as totals, are left out.")
        ),
    )
    header: str = as_found(
        N_("Column names"),
        N_("Whether the first row names the columns."),
        {
            "yes": N_("In the first row"),
            "two": N_("In the first two rows, joined"),
            "no": N_("None: number them"),
            "shifted": N_("In the first row, without one for the names of the rows"),
        },
    )
    ragged: str = as_found(
        N_("Rows that do not fit"),
        N_("What to do with a row that has fewer or more values than there are columns."),
        {
            "refuse": N_("Leave out"),
            "pad": N_("Fill short ones with missing values, leave long ones out"),
            "merge": N_("Fill short ones, join what is too much to the last value"),
        },
    )
    blank: str = as_found(
        N_("Blank lines"),
        N_("Whether a blank line is a row, which matters where there is one column."),
        {"skip": N_("No row"), "missing": N_("A row with a missing value")},
    )
    decimal: str = as_found(
        N_("Decimal mark"),
        N_("What stands before the tenths."),
        {"point": N_("Point 1.5"), "comma": N_("Comma 1,5")},
    )
    thousands: str = as_found(
        N_("Thousands mark"),
        N_("What groups the digits of large numbers."),
        {
            "none": N_("None"),
            "comma": N_("Comma 1,000"),
            "point": N_("Point 1.000"),
            "space": N_("Space 1 000"),
            "apostrophe": N_("Apostrophe 1'000"),
        },
    )
    dates: str = as_found(
        N_("Dates such as 1/2/2020"),
        N_("Which comes first, day or month."),
        {"dmy": N_("Day first"), "mdy": N_("Month first"), "words": N_("Leave all dates as words")},
    )
    century: str = as_found(
        N_("Years of two digits"),
        N_("Which years dates such as 20/4/22 are of."),
        {"window": N_("1969 to 2068"), "1900": N_("1900 to 1999"), "2000": N_("2000 to 2099")},
    )
    days: str = as_found(
        N_("Numbers such as 20220420"),
        N_("Whether whole numbers that all are days of the calendar are dates."),
        {"days": N_("Days"), "numbers": N_("Numbers")},
    )
    units: str = as_found(
        N_("Numbers with a unit"),
        N_("What values such as $5, 5 € or 5% are, where all of a column are."),
        {
            "numbers": N_("Numbers: 5% is 5"),
            "fractions": N_("Numbers: 5% is 0.05"),
            "words": N_("Words"),
        },
    )
    missing: str = choice(
        AUTO,
        N_("Missing values"),
        N_("Which words mean that there is no value."),
        options={
            AUTO: N_("Blank cells, and marks such as ?, NA, -"),
            "blank": N_("Blank cells only"),
        },
    )
    missing_words: tuple[str, ...] = parameters.param(
        (),
        parameters.Words(
            N_("More words for missing"), N_("Words that mean missing in every column.")
        ),
    )
    types: tuple[str, ...] = parameters.param(
        (),
        parameters.Words(
            N_("Column types"),
            N_("As name=type, with type one of: words, number, integer, yes/no, date, auto."),
        ),
    )

    def agree(self) -> None:
        """Every entry of `types` names one of COLUMN_TYPES. Raises ParamError at “types”."""
        for entry in self.types:
            if "=" not in entry or entry.rpartition("=")[2].strip() not in COLUMN_TYPES:
                raise parameters.ParamError(
                    "types",
                    say(
                        "Write “{entry}” as name=type, with type one of: {types}.",
                        entry=entry,
                        types=", ".join(COLUMN_TYPES),
                    ),
                )

    @property
    def every(self) -> bool:
        """Whether each record is a row, whatever it holds."""
        return self.rows != FITTING

    def forced(self) -> dict[str, str]:
        """The type that a person gave a column, by name."""
        pairs = (entry.rpartition("=") for entry in self.types)
        return {name.strip(): kind.strip() for name, _, kind in pairs if kind.strip() != AUTO}


def shown(choices: Choices, name: str) -> str:
    """The value of one choice as it is typed."""
    return parameters.domains(Choices)[name].show(getattr(choices, name)) or '""'


def free(choices: Choices, name: str) -> bool:
    """Whether this choice is left to what the file shows."""
    return getattr(choices, name) in (AUTO, None)
