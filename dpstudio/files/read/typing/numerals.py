"""Numbers as people write them: which sign parts the tenths and which groups thousands, decided
once for the file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dpstudio.files.read.choices import Choices
from dpstudio.files.read.outcome import Doubt, quoted
from dpstudio.files.read.signs import THOUSANDS
from dpstudio.files.read.typing import marks
from dpstudio.files.read.typing.arrays import no_value
from dpstudio.files.read.typing.evidence import Column, TypingChoices, has, matches, without_marks
from dpstudio.values.messages import N_, Message, listed, say

if TYPE_CHECKING:
    import pyarrow as pa

_SIGN = r"[-+−]?"
_ODD = N_("{n} {n:value is no number|values are not numbers}, such as “{word}”, so all stay words.")
_SPACES = "[ \u00a0\u202f]"
Missing = tuple[tuple[str, int | None], ...]


def decided(
    columns: Sequence[Column], choices: Choices, delimiter: str, assumed: str = ""
) -> tuple[TypingChoices, tuple[Doubt, ...]]:
    """The signs of numbers over all columns that look like numbers, and what to ask where they are
    read in two ways.

    `assumed` is the decimal sign under which other columns were read as numbers. `delimiter` is
    what parts the values: a file with semicolons is likelier to have decimal commas.
    """
    proof: dict[str, bool] = {"decimal comma": assumed == "comma"}
    vague = ""
    for held in columns:
        if held.looks != "number" or held.forced == "words":
            continue
        if any("," in w or "." in w for w in held.sample) or has(held.words, r".*[.,].*"):
            _proofs(held.words, proof)
            if not vague and has(held.words, rf"{_SIGN}[1-9]\d{{0,2}},\d{{3}}"):
                vague = held.name
        for sign, pattern in (("space", _SPACES), ("apostrophe", "'")):
            # Of a column that somebody calls numbers the few large ones are looked for in all.
            if (
                held.forced
                or any(c in w for w in held.sample[:200] for c in ("'", " ", "\u00a0", "\u202f"))
            ) and has(held.words, rf"{_SIGN}\d{{1,3}}({pattern}\d{{3}})+([.,]\d+)?"):
                proof[sign] = True
    return _signs(
        proof, vague, choices, assumed or ("comma" if delimiter == "semicolon" else "point")
    )


def _proofs(words: pa.ChunkedArray, proof: dict[str, bool]) -> None:
    """Which patterns occur that only one reading explains."""
    patterns = {}
    for name, mark, group in (("decimal comma", ",", "."), ("decimal point", r"\.", ",")):
        # 1,5 and 1,2345 and 1234,567 and 0,125 and ,5 and 1.234,567: a group has three digits, and
        # no zero begins it.
        shapes = (
            rf"\d+{mark}(\d{{1,2}}|\d{{4,}})|\d{{4,}}{mark}\d{{3}}|0\d*{mark}\d+|{mark}\d+"
            rf"|\d{{1,3}}([{group}' ]\d{{3}})+{mark}\d+"
        )
        patterns[name] = rf"{_SIGN}({shapes})([eE][-+]?\d+)?"
    for name, mark, group in (("comma", r"\.", ","), ("point", ",", r"\.")):
        patterns[name] = (
            rf"{_SIGN}\d{{1,3}}({group}\d{{3}}){{2,}}({mark}\d+)?"
            rf"|{_SIGN}\d{{1,3}}({group}\d{{3}})+{mark}\d+"
        )
    patterns["single point"] = rf"{_SIGN}[1-9]\d{{0,2}}\.\d{{3}}"
    for name, pattern in patterns.items():
        if not proof.get(name) and has(words, pattern):
            proof[name] = True


def _signs(
    proof: dict[str, bool], vague: str, choices: Choices, likelier: str
) -> tuple[TypingChoices, tuple[Doubt, ...]]:
    doubts: list[Doubt] = []
    decimal, thousands = choices.decimal, choices.thousands
    order = ("comma", "point") if likelier == "comma" else ("point", "comma")
    comma, point = bool(proof.get("decimal comma")), bool(proof.get("decimal point"))
    if decimal == "auto":
        if comma and (point or proof.get("comma")):
            why = say(
                "some numbers have a decimal point and some a decimal comma; those of the other "
                "kind stay words"
            )
            doubts.append(Doubt("decimal", why, order))
            decimal = doubts[-1].values[0]
        elif comma or (proof.get("point") and not point):
            decimal = "comma"
        elif vague and not point and not proof.get("comma") and thousands == "auto":
            why = say(
                "1,234 in “{column}” may be more than a thousand, or a little more than one",
                column=quoted(vague),
            )
            doubts.append(Doubt("decimal", why, order))
            decimal = doubts[-1].values[0]
        else:
            decimal = "point"
    if thousands == "auto":
        grouped = "comma" if decimal == "point" else "point"
        single = vague if decimal == "point" else proof.get("single point")
        thousands = (
            grouped
            if proof.get(grouped) or single
            else next((s for s in ("space", "apostrophe") if proof.get(s)), "none")
        )
    return TypingChoices(decimal, thousands), tuple(doubts)


def numbers(
    held: Column, signs: TypingChoices, choices: Choices
) -> tuple[pa.ChunkedArray | None, Missing, list[Message]]:
    """The column as int64 or float64, None where it must stay words, with the marks that were
    missing and what is to be said."""
    import pyarrow as pa
    import pyarrow.compute as pc

    whole = held.words
    if not held.forced:
        if _named_by_digits(held.sample, whole):
            return None, (), [say("Digits behind a plus are names such as telephone numbers.")]
        if has(whole, marks.ZERO_LED):
            return None, (), [say("Digits with leading zeros are codes and stay words.")]
        if has(whole, marks.TOO_LONG):
            return (
                None,
                (),
                [say("Numbers of more than 15 digits are names of something and stay words.")],
            )
    known = marks.MARKS
    words, missing = without_marks(whole, choices, known)
    text = _plain(words, signs)
    if held.unit == "%" and signs.units == "fractions":
        text = pc.binary_join_element_wise(text, "e-2", "")
    fits = matches(text, marks.POINT)
    wrong = pc.and_kleene(pc.is_valid(text), pc.invert(fits))
    count = pc.sum(wrong).as_py() or 0
    if count:
        odd = words.filter(wrong)
        if not held.forced:
            few = count < 0.5 * len(words)
            if not few and len(units := marks.units_in(held.sample)) > 1:
                text_ = N_("Its numbers are in several units ({units}), so all stay words.")
                return None, (), [say(text_, units=listed(units))]
            return None, (), [say(_ODD, n=count, word=quoted(odd[0].as_py()))] if few else []
        text = pc.if_else(wrong, no_value(text.type), text)
        missing = (
            *missing,
            *((str(e["values"]), int(e["counts"])) for e in pc.value_counts(odd).to_pylist()[:20]),
        )
    if held.forced == "integer":  # 2020.0 is what one missing value makes of it elsewhere
        text = pc.replace_substring_regex(text, r"\.0*$", "")
    integer = not has(text, r".*[.eEiI].*")
    if integer and has(text, r"-?\d{19,}"):
        integer = False
    typed = pc.cast(text, pa.int64() if integer and held.forced != "number" else pa.float64())
    return typed, missing, []


def _named_by_digits(sample: Sequence[str], words: pa.ChunkedArray) -> bool:
    """Whether the numbers are names: telephone numbers, or digits of one length all behind a plus.
    Quantities have a minus, a fraction or another length somewhere."""
    if not has(words, r"\+\d{5,15}") or has(words, r"[-−].*|.*\d[.,]\d*|[-+]?\d{1,4}"):
        return False
    if has(words, r"\+\d{8,15}") and not has(words, r"\+?\d{1,6}"):
        return True
    lengths = {len(w) for w in sample}
    return len(sample) > 2 and len(lengths) == 1 and all(w.startswith("+") for w in sample)


def _plain(words: Any, signs: TypingChoices) -> Any:
    """Numbers as Arrow reads them: a decimal point, no groups, no plus sign."""
    import pyarrow.compute as pc

    group = THOUSANDS[signs.thousands]
    if group:
        sign = _SPACES if signs.thousands == "space" else "\\" + group if group == "." else group
        mark = "," if signs.decimal == "comma" else r"\."
        fits = matches(words, rf"{_SIGN}[1-9]\d{{0,2}}({sign}\d{{3}})+({mark}\d+)?")
        if pc.any(fits).as_py():
            words = pc.if_else(fits, pc.replace_substring_regex(words, sign, ""), words)
    if signs.decimal == "comma":
        # A point is no decimal mark here, so it must not become one.
        words = pc.if_else(
            pc.match_substring(words, "."), pc.binary_join_element_wise(words, "?", ""), words
        )
        words = pc.replace_substring(words, ",", ".")
    if has(words, r"[+−].*"):
        words = pc.replace_substring(pc.replace_substring_regex(words, r"^\+", ""), "−", "-")
    return words
