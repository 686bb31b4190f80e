"""The grid of a page, cell by cell: a hero, small charts below or beside it, and what waits."""

from itertools import product

import pytest

from dpstudio.gui.board.grid import GridCell, heights_for, places_for, waiting

SIZES = 300, 200, 240  # hero, multiple, another chart


def test_two_small_charts_stand_below_and_three_beside() -> None:
    assert [waiting(n, False) for n in range(7)] == [0, 0, 0, 0, 1, 2, 3]
    assert [waiting(n, True) for n in range(7)] == [0, 0, 0, 0, 0, 1, 2]
    # A lab that asks for fewer has fewer, and never more than there is room for.
    assert [waiting(5, wide, 1) for wide in (False, True)] == [3, 3]
    assert [waiting(5, wide, 9) for wide in (False, True)] == [2, 1]


def test_a_page_of_six_charts_and_two_tables_below_one_another() -> None:
    places, foot = places_for(6, True, (True, False), False, SIZES)
    assert places == [
        GridCell(0, 0, 1, 12, 300),
        GridCell(1, 0, 1, 6, 200),
        GridCell(1, 6, 1, 6, 200),
        GridCell(3, 0, 1, 6, 240),
        GridCell(3, 6, 1, 6, 240),
        GridCell(4, 0, 1, 6, 240),
        GridCell(5, 0),
        None,
    ]
    assert foot == 2
    assert places_for(6, False, (True, False), False, SIZES) == (
        [*places[:3], None, None, None, GridCell(5, 0), None],
        2,
    )


def test_a_wide_page_has_its_small_charts_beside_the_hero() -> None:
    places, foot = places_for(6, True, (False, True), True, SIZES)
    assert places == [
        GridCell(0, 0, 3, 8, 300),
        GridCell(0, 8, 1, 4, 200),
        GridCell(1, 8, 1, 4, 200),
        GridCell(2, 8, 1, 4, 200),
        GridCell(4, 0, 1, 4, 240),
        GridCell(4, 4, 1, 4, 240),
        None,
        GridCell(6, 0),
    ]
    assert foot == 3


@pytest.mark.parametrize("left", [700, 880, 1100])
def test_a_low_hero_gives_way_to_be_wholly_seen(left: int) -> None:
    hero, small = heights_for(2, False, (left, left + 120, 30), 1.0, 12, low=True)
    assert hero + small + 12 <= left
    assert small >= 200


def test_a_low_hero_stands_below_one_row_of_small_charts_alone() -> None:
    places, foot = places_for(3, False, (), False, SIZES, low=True)
    assert places == [
        GridCell(1, 0, 1, 12, 300),
        GridCell(0, 0, 1, 6, 200),
        GridCell(0, 6, 1, 6, 200),
    ]
    assert foot == 2
    for wide, abreast, charts in ((True, 3, 3), (False, 1, 3), (False, 3, 1)):
        same = places_for(charts, False, (), wide, SIZES, abreast=abreast, low=True)
        assert same == places_for(charts, False, (), wide, SIZES, abreast=abreast)


def test_a_narrow_page_has_one_chart_a_row() -> None:
    places, foot = places_for(5, True, (), False, SIZES, abreast=1)
    assert places == [GridCell(0, 0, 1, 12, 300), *(GridCell(r, 0, 1, 12, 200) for r in (1, 2)),
                      *(GridCell(r, 0, 1, 12, 240) for r in (4, 5))]  # fmt: skip
    assert foot == 3


@pytest.mark.parametrize("wide", [False, True])
def test_one_chart_has_the_whole_width_and_without_charts_tables_are_shown(wide: bool) -> None:
    assert places_for(1, False, (False,), wide, SIZES) == ([GridCell(0, 0, 1, 12, 300), None], 1)
    assert places_for(0, False, (False, False), wide, SIZES) == (
        [GridCell(1, 0), GridCell(2, 0)],
        0,
    )


def test_one_chart_is_as_high_as_the_room_and_never_below_its_least() -> None:
    assert heights_for(0, False, (700, 800, 0), 1.0, 12) == (700, 0)
    assert heights_for(0, True, (300, 800, 0), 1.0, 12) == (300, 0)  # all that is left
    assert heights_for(0, False, (100, 400, 0), 1.5, 12) == (300, 0)  # 200 at that type


@pytest.mark.parametrize(
    ("asked", "heights"),
    [
        # A window of 1280 x 800: the hero has what the drawing gives it, small charts all that is
        # left, though not less than they need: then the page scrolls.
        ((2, False, (631, 724, 36), 1.0, 8), (417, 206)),
        ((2, False, (610, 724, 36), 1.0, 8), (417, 216)),
        # What is left is the hero's, up to what small charts are at most: 1.35 of their height.
        ((2, False, (760, 800, 0), 1.0, 12), (460, 288)),
        # It gives way where less is left, down to its least: then the page scrolls.
        ((2, False, (440, 800, 30), 1.0, 12), (440, 216)),
        ((2, False, (150, 500, 30), 1.0, 12), (200, 216)),
        # Names above the plots make small charts higher, larger type all of them.
        ((2, False, (700, 800, 0), 1.0, 12, 2, True), (460, 240)),
        ((2, False, (900, 900, 0), 1.5, 12), (518, 370)),
        # One a row: each below the other.
        ((2, False, (1100, 800, 0), 1.0, 12, 1), (796, 216)),
    ],
)
def test_heights_below_one_another(asked: tuple, heights: tuple[int, int]) -> None:
    assert heights_for(*asked) == heights


@pytest.mark.parametrize("multiples", [1, 2, 3])
def test_beside_the_hero_small_charts_share_its_height(multiples: int) -> None:
    for left, scale in product((300, 700, 1100), (1.0, 1.5)):
        hero, small = heights_for(multiples, True, (left, 800, 0), scale, 12)
        # All that is left, or as high as they need.
        assert hero == max(left, round(216 * scale) * multiples + 12 * (multiples - 1))
        assert hero - multiples < small * multiples + 12 * (multiples - 1) <= hero
