"""A published table of seven people that has one solution only."""

import itertools

BLOCK = {  # who: (how many, their median age, their mean age), each rounded to a tenth
    (): (7, 30, 38),
    ("F",): (4, 30, 33.5),
    ("M",): (3, 30, 44),
    ("B",): (4, 51, 48.5),
    ("W",): (3, 24, 24),
    ("married",): (4, 51, 54),
    ("F", "B"): (3, 36, 36.7),
}


def fits_line(ages, line):
    """Whether ages have the count, the median and the mean of a line."""
    ages, half = sorted(ages), len(ages) // 2
    many, median, mean = line
    if len(ages) != many:
        return False
    middle = ages[half] if many % 2 else (ages[half - 1] + ages[half]) / 2
    return middle == median and round(sum(ages) / many, 1) == mean


def people_who_fit(oldest=115):
    """The people that are possible after each step, as (lines used, lists of (age, words)): three
    black women, the white woman, the black man, the white men, and who of them is married.
    (Garfinkel, Abowd & Martindale 2018)"""
    ages = range(oldest + 1)
    twos = list(itertools.combinations_with_replacement(ages, 2))
    threes = itertools.combinations_with_replacement(ages, 3)
    threes = [three for three in threes if fits_line(three, BLOCK["F", "B"])]
    found = [[(age, "F", "B") for age in three] for three in threes]
    used = [("F", "B")]
    yield list(used), found
    steps = [
        ([[(age, "F", "W")] for age in ages], [("F",)]),
        ([[(age, "M", "B")] for age in ages], [("B",)]),
        ([[(a, "M", "W"), (b, "M", "W")] for a, b in twos], [("W",), ("M",), ()]),
    ]
    for more, lines in steps:
        used += lines
        found = [
            people + new
            for people in found
            for new in more
            if all(
                fits_line([p[0] for p in people + new if {*who} <= {*p[1:]}], BLOCK[who])
                for who in lines
            )
        ]
        yield list(used), found
    used.append(("married",))
    married = {
        tuple(sorted((*p, p in four) for p in people))
        for people in found
        for four in itertools.combinations(people, 4)
        if fits_line([p[0] for p in four], BLOCK[("married",)])
    }
    yield list(used), sorted(married)
