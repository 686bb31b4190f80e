"""What each column is to the people of a table, proposed by its name and its values for whoever
looks at it; and which columns serve a purpose, the likeliest first.

A proposal is advice: one row can change it, so that nothing of it leaves. What leaves goes by the
roles that a person told, which are in the codebook.
"""

import re
from collections.abc import Callable, Iterable
from functools import partial
from itertools import pairwise

from dpstudio.data import codebook
from dpstudio.data.column_counts import counts_on, prose
from dpstudio.data.dataset import Dataset
from dpstudio.data.person_columns import LOOKED_AT, NO, SURE, names_persons, person_column
from dpstudio.data.pixels import pixels_of
from dpstudio.values.dates import holds_years

# What a column is asked for: a number to be summed, words to group by, what is to be told, what may
# be known of a person, what nobody should learn, all that describes.
MEASURE, GROUP, FEATURE = "measure", "group", "feature"
_MOST_CLASSES, _LEAST_GROUPS, _MOST_GROUPS = 20, 3, 20
_FEW_CLASSES = 5  # of a label are told from few rows, more from many
_MOST_TWOS = 3  # columns of two numbers, each of which may be a label
# A number of a place has four or five digits; those of a country begin with 1 to 9.
_DIGITS = re.compile(r"\d{4,5}", re.ASCII)
_SPREAD = 0.35  # of the whole, that the middle half takes: of what is measured less, of places half
_PLACES = ((1_000, 2_000, 9_000, 9_999), (10_000, 20_000, 90_000, 99_999))
_FEW, _MANY = 20, 1000  # fewer values than these tell nobody apart; so many numbers measure nothing
_MOST_ROWS = 50.0  # a person has seldom more rows than this on average
_MOSTLY = 0.9  # of the rows: a column that lacks more has hardly a row in common with others
_FURTHEST = 1e15  # what is asked about lies nearer to 0, or needs typed ends
_APART = (codebook.IDENTIFIER, codebook.PERSON)
_NEVER = 99  # the place of a column that serves only where nothing else does


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# The words of which such names are made, in English and German; the first that is found decides.
_NAMES = {
    codebook.PLACE: _words(
        """
        zip zipcode postcode postal postalcode plz postleitzahl pincode 邮编 邮政编码
        city town village stadt ort wohnort
        county kreis landkreis canton kanton state bundesland province provinz region country
        land staat district bezirk address adresse street strasse straße place location latitude
        longitude lat lon lng tract municipality gemeinde neighborhood neighbourhood stadtteil
        """
    ),
    codebook.WEIGHT: _words(
        """
        weights fnlwgt wgt wt pweight finalwgt finalwt samplingweight gewichtung gewichtungsfaktor
        hochrechnungsfaktor hochrechnung
        """
    ),
    codebook.LABEL: _words(
        "class klasse target zielvariable label outcome ergebnis risk churn default approved spam"
    ),
    codebook.SENSITIVE: _words(
        """
        income salary wage wages earnings pay einkommen gehalt lohn verdienst debt schulden
        diagnosis diagnoses diagnose icd icd10 disease illness sickness krankheit erkrankung befund
        condition disability behinderung disabled medication medikament treatment behandlung therapy
        therapie hiv cancer krebs diabetes religion konfession faith party partei vote ballot
        union gewerkschaft conviction offence offense vorstrafe pregnant schwanger
        """
    ),
    codebook.QUASI: _words(
        """
        age alter altersgruppe born birth birthday birthdate birthyear dob yob geburt geburtsjahr
        geburtsdatum geboren sex gender geschlecht race ethnicity ethnic herkunft nationality
        staatsangehörigkeit hispanic marital familienstand relationship education schooling bildung
        abschluss schulabschluss occupation profession job beruf workclass employer arbeitgeber
        children kinder height größe groesse
        """
    ),
}
_WHOLE = {word: role for role, words in _NAMES.items() for word in sorted(words)}
_STEMS = 6  # letters
_ENDS = _words("diagnose einkommen gehalt geschlecht krankheit erkrankung postleitzahl")
_OF_A_ROW = _words("id ids uuid guid ssn iban email mail phone telefon surname vorname nachname")
_NUMBERED = ("nr", "nummer")  # “Fallnr”, “Rechnungsnummer”
# Beside these a weight is one of a body.
_BODY = _words(
    """
    height größe groesse bmi kg lb lbs patient patients patienten visit besuch admission aufnahme
    pulse puls blood systolic diastolic blutdruck temperature temperatur dose dosis
    """
)
_GAP = re.compile(r"[^\W\d_]+\d*")
_HUMP = re.compile(r"(?<=[a-zäöüß])(?=[A-ZÄÖÜ])")


def parts_of(name: str) -> list[str]:
    """The words of a name, in lower case: “HoursPerWeek” has those of “hours-per-week”."""
    return [word.lower() for word in _GAP.findall(_HUMP.sub(" ", name))]


def role_by_name(column: str, others: Iterable[str] = ()) -> str:
    """What a column of this name is likely to be; "" where the name does not say it. `others` are
    the names beside it: a weight beside a height is one of a body."""
    parts = parts_of(column)
    for part in (*map("".join, pairwise(parts)), *parts):  # “Post code” before “code”
        if part in ("weight", "gewicht"):
            beside = {word for name in (column, *others) for word in parts_of(name)}
            return codebook.AS_PROPOSED if beside & _BODY else codebook.WEIGHT
        found = _WHOLE.get(part) or next(
            (role for word, role in _WHOLE.items() if _within(word, part)), codebook.AS_PROPOSED
        )
        if found:
            return found
    return codebook.AS_PROPOSED


def _within(word: str, part: str) -> bool:
    """Whether a longer word is made of this one: “Geburtsjahr”, “Bruttogehalt”."""
    return (len(word) >= _STEMS and part.startswith(word)) or (
        word in _ENDS and part.endswith(word)
    )


def proposed_role(data: Dataset, column: str) -> str:
    """What a column seems to be, "" where nothing is proposed. For looking only."""
    return data.remember(("proposed role", column), partial(_proposed, data, column))


def role_of(data: Dataset, column: str) -> str:
    """The role that was told of a column; else the one that is proposed, for looking only; "" where
    it has none."""
    told = data.codebook.role(column)
    found = told or proposed_role(data, column)
    return codebook.AS_PROPOSED if found == codebook.NONE else found


def _proposed(data: Dataset, column: str) -> str:
    if not data.codebook.answered and person_column(data) == column:
        return codebook.PERSON
    found = role_by_name(column, (c.name for c in data.columns))
    info = data.info(column)
    if info.type == "other" or data.missing(column) == data.rows:
        return codebook.AS_PROPOSED
    if is_prose(data, column):
        return codebook.AS_PROPOSED
    if found not in (codebook.PLACE, codebook.QUASI, codebook.WEIGHT) and tells_rows(data, column):
        return codebook.IDENTIFIER
    if found == codebook.AS_PROPOSED and numbers_places(data, column):
        return codebook.PLACE
    if found == codebook.WEIGHT and not info.numeric:
        return codebook.AS_PROPOSED
    if found == codebook.LABEL and data.more_than(column, _MOST_CLASSES):
        return codebook.AS_PROPOSED
    return found


def tells_rows(data: Dataset, column: str) -> bool:
    """Whether the values seem to tell rows or persons apart: told so, (nearly) all different words,
    or whole numbers that count or are called a number of persons. The order of the rows says
    nothing."""
    if data.codebook.role(column) in _APART:
        return True
    kind, named = data.info(column).type, names_rows(column)
    if kind not in ("integer", "category", "number") or not _looked_at(data, column):
        return named
    extent = data.extent(column) if kind == "number" and named else None
    if kind == "number" and not (extent is not None and extent.whole):
        return False
    spread = data.spread(column)
    if spread.distinct < 0.98 * spread.present or spread.present < 2:
        sure = names_persons(column) == SURE
        each = spread.present / max(1, spread.distinct)
        return named and (sure or spread.distinct >= _FEW) and 1 < each <= _MOST_ROWS
    if kind == "category":
        return named or spread.distinct >= _FEW
    return named or (
        spread.distinct == spread.present
        and (spread.distinct >= _MANY or (spread.distinct >= _FEW and counts_on(spread)))
    )


def numbers_places(data: Dataset, column: str) -> bool:
    """Whether the values look like postcodes whatever the column is called: words of four or five
    digits, all as long, of which a zero leads some; or whole numbers of so many digits, from the
    first to the last that there are, and not most about a middle, as what is measured."""
    kind = data.info(column).type
    if kind not in ("category", "integer") or not _looked_at(data, column):
        return False
    if kind == "category":
        words = [word for word, _ in data.spread(column).common]
        return (
            len(words) >= _LEAST_GROUPS
            and len({len(word) for word in words}) == 1
            and all(_DIGITS.fullmatch(word) for word in words)
            and any(word[0] == "0" for word in words)
        )
    spread = data.spread(column)
    if spread.distinct < _FEW or not spread.quantiles:
        return False
    low, _, early_half, _, late_half, _, high = spread.quantiles
    return late_half - early_half > _SPREAD * (high - low) and any(
        first <= low <= early and late <= high <= last for first, early, late, last in _PLACES
    )


def names_rows(column: str) -> bool:
    """Whether a column of this name tells rows or persons apart, as far as a name can say."""
    parts = parts_of(column)
    numbered = any(part.endswith(_NUMBERED) for part in parts)
    return names_persons(column) != NO or numbered or not _OF_A_ROW.isdisjoint(parts)


def is_prose(data: Dataset, column: str) -> bool:
    """Whether the column holds what somebody wrote in words of their own, told or by its looks."""
    told = data.about(column).type
    if told or data.info(column).type != "category" or not _looked_at(data, column):
        return told == "text"
    spread = data.spread(column)
    return 2 * spread.distinct > spread.present and prose(spread)


def _looked_at(data: Dataset, column: str) -> bool:
    """Of very many columns the first are looked at, of the others the names alone."""
    return any(info.name == column for info in data.columns[:LOOKED_AT])


def columns_for(data: Dataset, purpose: str, among: Iterable[str] | None = None) -> list[str]:
    """The columns of a table, or those `among` them, that serve a purpose (MEASURE, GROUP,
    FEATURE, or a role), the likeliest first, of equals as in the table. No identifier, free text or
    number of a place is among them, but where nothing else is left; and no identifier is ever one
    to group by. For looking only."""
    names = [c.name for c in data.columns] if among is None else list(dict.fromkeys(among))
    rank = _RANKS[purpose]
    places = {name: data.remember(("rank", purpose, name), partial(_placed, rank, data, name))
              for name in names}  # fmt: skip
    # By habit a table ends with what is to be told of all that stands before it.
    order = names[::-1] if purpose in (codebook.LABEL, codebook.SENSITIVE) else names
    fit = [name for name in order if places[name] < _NEVER]
    if purpose == GROUP:
        order = [name for name in order if role_of(data, name) not in _APART]
    return sorted(fit or order, key=places.__getitem__)


def classes_for(data: Dataset) -> str:
    """The likeliest column of two to twenty values, by which rows are sorted; else the likeliest
    label that leaves a column of numbers; "" where there is none."""
    names = [c.name for c in data.columns if c.type != "other"]
    few = [n for n in names if data.more_than(n, 1) and not data.more_than(n, _MOST_CLASSES)]
    numbers = [n for n in names if data.info(n).numeric and data.missing(n) < data.rows]
    left = [n for n in few or names if numbers != [n]]
    return next(iter(columns_for(data, codebook.LABEL, left)), "")


def describing(data: Dataset, among: Iterable[str]) -> list[str]:
    """Those of some columns that say something of a person, in the order that is given; all where
    none does."""
    names = list(among)
    fit = set(columns_for(data, FEATURE, names))
    return [name for name in names if name in fit]


def _placed(rank: Callable[[Dataset, str, str], int], data: Dataset, column: str) -> int:
    """The place of a column for a purpose, 0 of the best."""
    role = role_of(data, column)
    if role in _APART or data.info(column).type == "other":
        return _NEVER
    if is_prose(data, column) or data.missing(column) > _MOSTLY * data.rows:
        return _NEVER
    return rank(data, column, role)


def _measure(data: Dataset, column: str, role: str) -> int:
    """Numbers of many values, then of two, then weights, then years, whose mean says little; what
    never varies after all."""
    if not data.info(column).numeric or role == codebook.PLACE:
        return _NEVER
    extent = data.extent(column)
    if extent is None or max(abs(extent.low), abs(extent.high)) > _FURTHEST:
        return 5
    if not data.more_than(column, 1):
        return 4
    if holds_years(column, extent.low, extent.high, whole=extent.whole):
        return 3
    return 2 if role == codebook.WEIGHT else 0 if data.more_than(column, 2) else 1


def _feature(data: Dataset, column: str, role: str) -> int:
    """Numbers and words of few values, then dates and words of many, then weights and what never
    varies."""
    info = data.info(column)
    if role == codebook.PLACE and info.ordered:
        return _NEVER
    if role == codebook.WEIGHT or not data.more_than(column, 1):
        return 2
    return 0 if info.numeric or not data.more_than(column, _MOST_GROUPS) else 1


def _group(data: Dataset, column: str, role: str) -> int:
    """Words of three to twenty values, then of two; numbers of so few; of more; of one."""
    if not data.more_than(column, 1):
        return 5
    if data.more_than(column, _MOST_GROUPS):
        return 4
    two = not data.more_than(column, _LEAST_GROUPS - 1)
    return two + (0 if data.info(column).type == "category" else 2)


def _label(data: Dataset, column: str, role: str) -> int:
    """What is called a label, then what has two classes, then up to five, then the others; of
    these what is sensitive, then the last column; what is known of a person, a weight, a place
    and what never varies after all."""
    if role == codebook.LABEL or not data.more_than(column, 1):
        return 0 if role == codebook.LABEL else _NEVER - 1
    last = column == data.columns[-1].name
    kind = 0 if role == codebook.SENSITIVE else 1 if last else _LABELLED.get(role, 2)
    most = (2, _FEW_CLASSES, _MOST_CLASSES)
    classes = sum(data.more_than(column, each) for each in most)
    if data.info(column).numeric and not last and not (classes == 0 and _few_twos(data)):
        classes = len(most)  # a pixel that is 0 or 1 is no label for that
    return 1 + (10 * kind if kind > 2 else 3 * min(classes, 2 if kind == 1 else 3) + kind)


def _few_twos(data: Dataset) -> bool:
    """Whether so few columns hold two numbers that each was meant to: pixels and marks of a word
    come in many."""
    return data.remember(("few twos",), partial(_count_twos, data)) <= _MOST_TWOS


def _count_twos(data: Dataset) -> int:
    looked = [c.name for c in data.columns[:LOOKED_AT] if c.numeric]
    if pixels_of(c.name for c in data.columns):
        return len(looked)  # of which some hold two by chance
    return sum(data.more_than(name, 1) and not data.more_than(name, 2) for name in looked)


_LABELLED = {codebook.QUASI: 3, codebook.WEIGHT: 4, codebook.PLACE: 5}


def _sensitive(data: Dataset, column: str, role: str) -> int:
    """What is called sensitive, then a label, then others of few values, then any; sentences after
    all, though they come again and again."""
    if role in (codebook.SENSITIVE, codebook.LABEL):
        return 0 if role == codebook.SENSITIVE else 1
    if data.info(column).type == "category" and prose(data.spread(column)):
        return 6
    if role in (codebook.PLACE, codebook.WEIGHT):
        return 5
    few = not data.more_than(column, _MOST_CLASSES)
    return 2 if few and role != codebook.QUASI else 3 if few else 4


def _quasi(data: Dataset, column: str, role: str) -> int:
    """What may be known of somebody, places too; then what is no secret; no secret at all."""
    if role in (codebook.QUASI, codebook.PLACE):
        return 0
    return 1 if role == codebook.AS_PROPOSED else 2


_RANKS: dict[str, Callable[[Dataset, str, str], int]] = {
    MEASURE: _measure,
    FEATURE: _feature,
    GROUP: _group,
    codebook.LABEL: _label,
    codebook.SENSITIVE: _sensitive,
    codebook.QUASI: _quasi,
}
