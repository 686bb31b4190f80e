"""A published table of seven people that has one solution only (after Garfinkel, Abowd & Martindale
2018): each line leaves fewer possibilities."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

OLDEST = 115
Person = tuple[int, str, str, str]  # age, sex, race, married or single
Ages = tuple[int, ...]


@dataclass(frozen=True)
class Line:
    """A line of the table: who is counted, as (place in a person, value), how many there are, the
    median and the mean of their ages, each rounded to a tenth. Groups below 3 are suppressed."""

    who: tuple[tuple[int, str], ...]
    count: int
    median: float
    mean: float

    def of(self, people: tuple[Person, ...]) -> Ages:
        """The ages of those who are counted, ascending."""
        chosen = (p for p in people if all(p[at] == value for at, value in self.who))
        return tuple(sorted(p[0] for p in chosen))

    def fits(self, ages: Ages) -> bool:
        """Whether ages, ascending, agree with it."""
        half = len(ages) // 2
        if len(ages) != self.count:
            return False
        middle = ages[half] if len(ages) % 2 else (ages[half - 1] + ages[half]) / 2
        return middle == self.median and round(sum(ages) / len(ages), 1) == self.mean


ALL = Line((), 7, 30, 38)
FEMALE = Line(((1, "F"),), 4, 30, 33.5)
MALE = Line(((1, "M"),), 3, 30, 44)
BLACK = Line(((2, "B"),), 4, 51, 48.5)
WHITE = Line(((2, "W"),), 3, 24, 24)
MARRIED = Line(((3, "M"),), 4, 51, 54)
BLACK_FEMALE = Line(((1, "F"), (2, "B")), 3, 36, 36.7)
BLOCK = (ALL, FEMALE, MALE, BLACK, WHITE, MARRIED, BLACK_FEMALE)


@dataclass(frozen=True)
class Left:
    """What is possible once these lines are used: people whose group is known, as (age, sex, race,
    ""), and who is married, once that is known."""

    lines: tuple[Line, ...]
    possible: tuple[tuple[Person, ...], ...]


def solved() -> Iterator[Left]:
    """The attack, step by step: three black women, the one white woman, the one black man, the two
    white men, and who of them is married."""
    made = [
        tuple((age, "F", "B", "") for age in ages)
        for ages in _three(BLACK_FEMALE)
        if BLACK_FEMALE.fits(ages)
    ]
    yield Left((BLACK_FEMALE,), tuple(made))
    made = _joined(made, [((age, "F", "W", ""),) for age in range(OLDEST + 1)], (FEMALE,))
    yield Left((BLACK_FEMALE, FEMALE), tuple(made))
    made = _joined(made, [((age, "M", "B", ""),) for age in range(OLDEST + 1)], (BLACK,))
    yield Left((BLACK_FEMALE, FEMALE, BLACK), tuple(made))
    men: list[tuple[Person, ...]] = [
        ((one, "M", "W", ""), (two, "M", "W", ""))
        for one in range(OLDEST + 1)
        for two in range(one, OLDEST + 1)
    ]
    made = _joined(made, men, (WHITE, MALE, ALL))
    yield Left((BLACK_FEMALE, FEMALE, BLACK, WHITE, MALE, ALL), tuple(made))
    wed = [
        tuple(
            (age, sex, race, "M" if i in four else "S") for i, (age, sex, race, _) in enumerate(p)
        )
        for p in made
        for four in combinations(range(len(p)), MARRIED.count)
    ]
    yield Left(BLOCK, tuple(sorted({tuple(sorted(p)) for p in wed if MARRIED.fits(MARRIED.of(p))})))


def _three(line: Line) -> Iterator[Ages]:
    """Ascending ages of three people with the median of a line."""
    middle = int(line.median)
    for low in range(middle + 1):
        for high in range(middle, OLDEST + 1):
            yield low, middle, high


def _joined(
    families: list[tuple[Person, ...]], more: list[tuple[Person, ...]], lines: tuple[Line, ...]
) -> list[tuple[Person, ...]]:
    both = (one + two for one in families for two in more)
    return [people for people in both if all(line.fits(line.of(people)) for line in lines)]
