"""Columns that seem to say whose row it is, by their names or by how their values look, and by how
often these repeat."""

import re
import unicodedata

from dpstudio.data.codebook import IDENTIFIER
from dpstudio.data.dataset import Dataset


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What such names are made of: who, what makes a number of it, and words that say no more. A name
# with any other word in it ("customer age", "product id") is no such name.
_WHO = _words(
    """
    person patient user customer client member subject participant respondent student pupil
    employee worker household account borrower applicant passenger donor driver player voter
    resident citizen child insured policyholder cardholder visitor guest panelist individual author
    owner card email ssn mrn nhs msisdn pat pt cust subj usr hh patienten personen kunde kunden
    versicherten mitglied mitglieder schuler leser personne patiente adherent lecteur abonne eleve
    etudiant salarie assure beneficiaire usager cliente paciente usuario socio alumno individu
    reader tenant holder accountholder teacher debtor creditor learner candidate claimant payer
    payee taxpayer recipient beneficiary buyer seller shopper consumer renter lessee landlord
    occupant inhabitant villager veteran soldier athlete runner rider cyclist commuter traveller
    traveler tourist attendee delegate enrollee registrant trainee apprentice volunteer interviewee
    rater annotator reviewer proband parent mother father infant newborn inmate prisoner offender
    victim defendant listener viewer caller sender contributor contractor
    mieter inhaber halter lehrer lehrkraft schuldner wahler fahrer besucher gast spender nutzer
    benutzer teilnehmer probanden bewohner einwohner arbeitnehmer antragsteller versicherter
    locataire titulaire enseignant conducteur donneur electeur candidat habitant malade employe
    lector inquilino profesor conductor donante votante solicitante estudiante empleado ciudadano
    """
)
_ID = _words("id ids uuid guid identifier pseudonym identifiant numero")
_COUNTS = _words("no nr num number")
_NUMBER = _ID | _COUNTS | _words("code key hash ref name token carte nummer kennung")
_MORE = _words(
    "study record anon anonymised anonymized hashed unique master global address all de du des"
)
_WHOLE = _words("pid uid caseid usubjid idcode idpers pnr lopnr")
# Nouns of who does a thing or has it done end so, and few of what is no person: with a number such
# a word may be a person that the list lacks ("skipper id").
_DOER = re.compile(r"[a-z]{3,}(?:er|or|ee|ist)s?")
_THINGS = _words(
    """
    anchor answer banner boiler broker buffer burner cancer career carrier center chamber
    chapter charter checklist cluster coffee color committee competitor computer connector
    container corner counter dealer degree detector dinner distributor doctor door drawer
    elevator employer error factor fee filter flavor floor folder footer franchisee freezer
    generator guarantee header identifier indicator insurer investor laser layer ledger lender
    letter list locker manager manufacturer master matter meter mirror monitor motor newsletter
    number offer operator order paper parameter partner pier playlist poster power practitioner
    prescriber printer processor provider quarter reactor register retailer river router scanner
    sector semester sensor server shelter summer supervisor supplier teller theater theatre tier
    timer tower tracker tractor trailer transfer transformer tree trimester tumor vector vendor
    voucher waitlist water winter wishlist
    """
)
_KNOWN = _WHO | _NUMBER | _MORE | _WHOLE
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
# The same in Chinese, whose words have no gaps.
_CHINESE = re.compile(
    r"(患者|病人|用户|客户|学生|会员|员工|个人|受访者|读者|租户|租客|教师|老师|司机|选民|投保人|被保险人|参保人|捐赠者"
    r"|献血者|申请人|业主|居民|乘客|旅客|访客|客人|住户|债务人|借款人|持卡人|职工|雇员|公民|儿童|玩家|买家|卖家|消费者"
    r"|顾客|参与者|被试|考生|身份证)?(编号|序号|号码|卡号|证号|账号|号|ID|id|代码|标识)?"
)
_FEW = 20  # fewer values than these tell nobody apart, where the name leaves a doubt
_MANY_ROWS = 50.0  # a person has seldom more rows than this on average
# What a column may be called whose values look like numbers of persons and are none: goods, papers,
# places, classes.
_NO_PERSON = re.compile(
    r"product|produkt|artikel|article|\bart\b|sku|item|ware|goods|model|\bpart\b|batch|charge|\blot\b|serie"
    r"|order|auftrag|bestell|commande|invoice|rechnung|facture|beleg|ticket|buchung|booking|case"
    r"|fall|transa|session|visit|version|plan|tarif|machine|device|ger[aä]t|sensor|vehic|fahrzeug"
    r"|flight|flug|train|zug|route|station|site|shop|store|filiale|branch|firm|compan|vendor|project|projekt|department|dept|abteilung|team|group|gruppe|school|schule"
    r"|hospital|\bicd|\bops|drg|atc|pzn|isbn|issn|gene?\b|code|zip|plz|post|tract|block|county|area|region|[lm]soa|\bags\b|nuts|\bgeo|ward|course|kurs|modul|time|zeit"
    r"|date|datum|jahr|year|month|monat|price|preis|编码|代码|邮|订单|产品",
    re.IGNORECASE,
)
_LEAST, _MOST_ROWS = 50, 20.0  # values of such looks alone, and rows that each has on average
_BESIDE, _ALONE = 4, 6  # digits that a number of a person has beside a letter; without one
_SIX, _CLOSE, _HALF = 100_000, 0.3, (0.4, 0.6)
LOOKED_AT = 200  # columns
_CODE = re.compile(r"[A-Za-z]*[-_./]?[0-9]+(?:[-_./]?[A-Za-z]+|-[0-9])?")
_HASH = re.compile(
    r"[0-9a-f]{12,}|[0-9A-F]{12,}|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
)
SURE, MAYBE, NO = 2, 1, 0


def names_persons(column: str) -> int:
    """How surely a column of this name says whose row it is: SURE of “patient_id”, MAYBE of “id” or
    “subject”, NO of “age”, “product_id” or “customer_age”."""
    found = _CHINESE.fullmatch(column.strip())
    if found and found[1]:
        return SURE if found[2] else MAYBE
    # Without accents: “Numéro d'abonné” is read as “Numero d'abonne”.
    plain = unicodedata.normalize("NFD", re.sub(r"\b[Nn][°º]", "numero ", column))
    plain = re.sub(r"[\u0300-\u036f]|\bd['’]", "", plain)
    words = [part.lower() for part in _PARTS.findall(plain)]
    joined = [_joined(word) for word in words]
    if len(words) == 2 and words[1] in _ID and _does(words[0]):
        return MAYBE
    if any(word not in _KNOWN and not one for word, one in zip(words, joined, strict=True)):
        return NO
    if not words or words[0] in _COUNTS:
        return NO  # how many there are
    who = not _WHO.isdisjoint(words)
    if any(joined) or (who and not _NUMBER.isdisjoint(words)):
        return SURE
    return MAYBE if who or not (_ID | _WHOLE).isdisjoint(words) else NO


def _does(word: str) -> bool:
    """Whether an unknown noun is one of who does something, or has it done."""
    return not {word, word.removesuffix("s")} & (_KNOWN | _THINGS) and bool(_DOER.fullmatch(word))


def _joined(word: str) -> bool:
    """Whether it is who and a number written as one, as in “customerno”."""
    return any(
        (word[:at] in _WHO and word[at:] in _NUMBER) or (word[:at] in _NUMBER and word[at:] in _WHO)
        for at in range(2, len(word) - 1)
    )


def person_column(data: Dataset) -> str:
    """The column whose values seem to be persons some of whom have several rows; "" where there is
    none. The surest first, of equals the first of the table; where no name says it, the first
    whose values look like numbers of persons."""
    return data.remember(("person column",), lambda: _person_column(data))


def _person_column(data: Dataset) -> str:
    best, found = NO, ""
    for info in data.columns:
        told = data.about(info.name).type == IDENTIFIER
        sure = SURE if told else names_persons(info.name)
        if sure > best and _repeats(data, info.name, sure):
            best, found = sure, info.name
    return found or next((c.name for c in data.columns[:LOOKED_AT] if _looks(data, c.name)), "")


def _looks(data: Dataset, column: str) -> bool:
    """Whether the values of a column that no name tells of look like numbers of persons, most of
    whom have few rows: words of one length and shape about some digits, as P04711, or hashes; or
    whole numbers that were given one after the other."""
    kind = data.info(column).type
    if kind not in ("category", "integer") or _NO_PERSON.search(column):
        return False
    if not (_numbered(data, column) if kind == "integer" else _shaped(data, column)):
        return False
    present, distinct = data.repeats(column)
    return distinct < present <= _MOST_ROWS * distinct


def _numbered(data: Dataset, column: str) -> bool:
    """Whether whole numbers have as many digits all, from six on, stand close, and are no denser
    about a middle, as what is measured. A table that stays elsewhere is not asked."""
    extent = data.extent(column)
    if extent is None or extent.low < _SIX or len(f"{extent.low:.0f}") != len(f"{extent.high:.0f}"):
        return False
    if data.glimpse() is not None:
        return False
    spread, whole = data.spread(column), extent.high - extent.low + 1
    if spread.distinct < max(_LEAST, _CLOSE * whole):
        return False
    _, _, early_half, _, late_half, _, _ = spread.quantiles
    return _HALF[0] < (late_half - early_half) / whole < _HALF[1]


def _shaped(data: Dataset, column: str) -> bool:
    words = [word for word, _ in (data.glimpse() or data).spread(column).common]
    return len(words) >= _LEAST and (all(map(_HASH.fullmatch, words)) or _one_shape(words))


def _one_shape(words: list[str]) -> bool:
    """Whether all words have letters and digits at the same places."""
    shapes = {re.sub("[A-Z]", "A", re.sub("[a-z]", "a", re.sub("[0-9]", "0", w))) for w in words}
    shape = shapes.pop()
    least = _BESIDE if re.search("[Aa]", shape) else _ALONE
    return not shapes and bool(_CODE.fullmatch(words[0])) and shape.count("0") >= least


def _repeats(data: Dataset, column: str, sure: int) -> bool:
    """Whether some values stand in several rows, and all in as few as persons have."""
    kind = data.info(column).type
    if kind not in ("integer", "category", "number"):
        return False
    extent = data.extent(column) if kind == "number" else None
    if kind == "number" and not (sure == SURE and extent is not None and extent.whole):
        return False
    present, distinct = data.repeats(column)
    if present <= distinct or distinct < 2:
        return False
    return sure == SURE or (distinct >= _FEW and present <= _MANY_ROWS * distinct)
