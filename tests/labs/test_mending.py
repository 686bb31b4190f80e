"""What is offered where a problem stops a lab mends it."""

from collections import Counter

from random_states import tables_of_all_kinds, wide_state

from dpstudio.labs.fixes import mend_of, mended
from dpstudio.labs.naming import every_lab
from dpstudio.values.plurals import forms

STATES = 22  # of each lab: two on each table
# No state of the lab mends these: the table has no numbers, or hardly a row.
TABLE = (
    "no column of numbers",
    "too few to learn from",
    "too few to hide",
    "have all values with",
    "it takes {least}. Open another",
)


def test_what_is_offered_rids_a_state_of_its_problem() -> None:
    tables, offered = tables_of_all_kinds(), Counter[str]()
    for kind in every_lab():
        for seed in range(STATES):
            lab, data = wide_state(kind, seed, tables)
            data = lab.reads(data)
            stops = [p for p in lab.problems(data) if p.stops]
            if not stops:
                continue
            mend = mend_of(lab, data, stops[0], kind.page())
            if mend is None:
                said = forms(stops[0].say.text).whole
                assert any(text in said for text in TABLE), (lab, data.name, stops[0])
                continue
            left = [p for p in mended(lab, mend).problems(data) if p.stops]
            assert stops[0] not in left, (lab, data.name, mend)
            offered[stops[0].say.text] += 1
    assert len(offered) >= 8, offered
