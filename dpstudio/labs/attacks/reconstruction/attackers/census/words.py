"""What is said of the census block."""

from collections.abc import Iterator

from dpstudio.labs.attacks.reconstruction.attackers.census import model as census
from dpstudio.labs.findings import Fact, Sentence, Table
from dpstudio.values.messages import N_, Message, Num, say

_MOST_ROWS = 12
_SEX, _RACE = {"F": N_("female"), "M": N_("male")}, {"B": N_("black"), "W": N_("white")}
_WED = {"M": N_("married"), "S": N_("single"), "": N_("unknown")}


def facts(model: census.CensusModel) -> tuple[Fact, ...]:
    """How many lines were used, and what they leave."""
    many, used = census.possible_now(model), census.lines_used(model)
    return (
        Fact("left", say("possibilities"), say("{n}", n=Num(many)), "", "answer", many),
        Fact("lines", say("lines used"), say("{n}", n=Num(used)), say("of 7"), "text", used),
    )


def sentences(model: census.CensusModel) -> Iterator[Sentence]:
    """What is left to find out."""
    many, used = Num(census.possible_now(model)), Num(census.lines_used(model))
    if census.finished(model):
        text = N_(
            "All {used} published {used:line leaves|lines leave} one possibility for all seven "
            "people."
        )
        yield Sentence("gain", say(text, used=used), "bad")
    elif census.possible_now(model) == 1:
        text = N_(
            "{used} of the published lines {used:leaves|leave} one possibility for those who are "
            "found."
        )
        yield Sentence("gain", say(text, used=used), "warn")
    else:
        text = N_(
            "{used} of the published lines {used:leaves|leave} {n:# possibility|# possibilities} "
            "for those who are found."
        )
        if census.lines_used(model) == 1:
            text = N_(
                "The first line leaves {n} {n:possibility|possibilities} for those who are found."
            )
        yield Sentence("gain", say(text, used=used, n=many))
    text = N_("No name was published, and no group of fewer than 3.")
    if census.finished(model):
        text = N_(
            "Their age, sex, race and marital status are known; no name was published, and no "
            "group of fewer than 3."
        )
    yield Sentence("ground", say(text))


def tables(model: census.CensusModel) -> Iterator[Table]:
    """The published table, and who fits it."""
    yield _published(model)
    people = [census.placed(p) for p in census.left(model).possible[:_MOST_ROWS]]
    columns = tuple(
        (f"person_{i}", tuple(_told(p[i]) for p in people)) for i in range(len(census.PLACES))
    )
    heads = tuple(Message(name) for _, name in census.PLACES)
    yield Table("people", say("Who fits (the first 12)"), columns, shown=True, heads=heads)


def _told(person: tuple[int, str, str, str] | None) -> Message | str:
    if person is None:
        return "?"
    if not person[3]:
        return say("{age}", age=Num(person[0]))
    return say("{age}, {wed}", age=Num(person[0]), wed=Message(_WED[person[3]]))


def _published(model: census.CensusModel) -> Table:
    """Each line, and whether this step has used it."""
    rows = []
    for line in census.table():
        words = {1: _SEX, 2: _RACE, 3: _WED}
        who = [Message(words[at][value]) for at, value in line.who]
        name = say("all") if not who else who[0]
        if len(who) == 2:
            name = say("{one}, {two}", one=who[0], two=who[1])
        used = say("used") if line in census.left(model).lines else ""
        rows.append((name, Num(line.count), Num(line.median), Num(line.mean, 4), used))
    heads = (say("who"), say("count"), say("median age"), say("mean age"), say("by this step"))
    names = ("who", "count", "median", "mean", "used")
    columns = tuple((name, tuple(row[i] for row in rows)) for i, name in enumerate(names))
    return Table("block", say("The published table"), columns, shown=True, heads=heads)
