"""The catalogue of labs: each has its place in a group, and one name."""

from itertools import groupby

from dpstudio.labs import LABS, QUESTIONS
from dpstudio.labs.naming import LAB_NAMES, SUCCESSORS, by_question, lab_today


def test_every_page_has_its_place() -> None:
    """In a group that there is, what folds open after what does not; and what neighbours share is
    told once."""
    assert sorted(a.key for labs in by_question().values() for a in labs) == sorted(
        a.key for a in LABS
    )
    for group, labs in by_question().items():
        assert [a.more for a in labs] == sorted(a.more for a in labs), group
        assert not labs[0].more, group
        for folds in (False, True):
            parts = [part for part, _ in groupby(a.part for a in labs if a.more is folds)]
            assert len(parts) == len(set(parts)), group
    assert all(group.asks.endswith("?") for group in QUESTIONS.values())


def test_a_lab_has_one_name() -> None:
    """Its folder stands in that of its group and is called as its key, and the key as the page on the screen, or as its last words:
    `rules` is "Hidden rules". What a lab was called opens it, and is no other one's name today."""
    keys = {about.key for about in LABS}
    for about in LABS:
        assert about.folder == f"{about.question}.{about.key}"
        assert f"_{about.label.lower().replace(' ', '_')}".endswith(f"_{about.key}"), about.label
    for old, new in LAB_NAMES.items():
        assert new in keys | set(SUCCESSORS)
        assert old not in keys
        assert lab_today(old) in keys
