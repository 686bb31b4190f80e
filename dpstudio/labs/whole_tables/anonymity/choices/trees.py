"""The domain of hierarchies that somebody writes or loads."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dpstudio.privacy.anonymity.hierarchy import HierarchyError, from_csv
from dpstudio.privacy.anonymity.written import column_of, lines_of, parted
from dpstudio.values.lists import WordLines, separated
from dpstudio.values.messages import N_, say
from dpstudio.values.parameters import ParamError

_OPENS = "=|;"
_FILE = re.compile(r"(?:.*hierarch(?:y|ies)[-_ ])?(?P<column>.+)", re.IGNORECASE)


@dataclass(frozen=True)
class Trees(WordLines):
    """Such lines; a file of ARX becomes those of the column that its name ends with."""

    loads = "CSV (*.csv)"

    def check(self, value: Any) -> tuple[str, ...]:
        several = separated(value, _OPENS) if isinstance(value, str) and value.strip() else value
        lines = super().check(several)
        for line in lines:
            if len(separated(line, _OPENS)) > 1:
                text = N_('Put a word that holds | or ; in quotes, such as job = "a|b"; health; *')
                raise ParamError("", say(text))
            if not all(parted(line)):
                text = N_("Begin each line with its column, such as age = 5, 10, 20.")
                raise ParamError("", say(text))
        return lines

    def show(self, value: Any) -> str:
        return " | ".join(value)

    def loaded(self, value: Any, name: str, text: str) -> tuple[str, ...]:
        """As `Domain` says: adult_hierarchy_age.csv is of the column age, and takes the place of
        what was written of it. Raises ParamError where it is no hierarchy."""
        found = _FILE.fullmatch(name)
        column = found["column"] if found else name
        try:
            rows = from_csv(text).rows
        except HierarchyError as error:
            raise ParamError("", error.sentence) from None
        others = tuple(line for line in value if column_of(line) != column)
        return self.check((*others, *lines_of(column, rows)))

    def invalid_examples(self) -> Iterable[Any]:
        yield from (3, None, "a||b", "no column", "= 5")
